//! The path of an iteration through the tree: its choices and the sampling of those from mixed strategies.

use engine::{MAX_PLAYERS, Player, PlayerSet};

use super::config::Origin;
use super::strategies::MixedStrategyDraw;

/// A choice on the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) node: u32,
    pub(super) edge: u32,
    pub(super) mover: Player,
    pub(super) allies: PlayerSet,
    /// The draw from a mixed strategy, if there was one.
    pub(super) mixed: Option<MixedStrategyDraw>,
    /// The index in the path at which the simultaneous turn begins; [`NONE`](super::index::NONE) for a decision of one
    /// player.
    pub(super) turn: u32,
    /// True if this is the real choice, with a proven result. Then the next step at this node only explores further.
    pub(super) is_certain: bool,
}

/// The upper bound of sample weights. Only long games reach it.
const HEAVIEST: f32 = 1e6;

/// The sampling probabilities of the choices of an iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// For each player: the probability of the player's choices so far under their strategies, divided by the sampling
    /// probability.
    ratios: [f32; MAX_PLAYERS],
    /// For each player: the sampling probability of the player's choices so far.
    sampled: [f32; MAX_PLAYERS],
    /// The product of the ratios of this turn.
    this_turn: f32,
}

impl Default for Reach {
    fn default() -> Self {
        Self { ratios: [1.0; MAX_PLAYERS], sampled: [1.0; MAX_PLAYERS], this_turn: 1.0 }
    }
}

impl Reach {
    /// Begins a new turn.
    pub(super) const fn begin_turn(&mut self) {
        self.this_turn = 1.0;
    }

    /// Records that `mover` took an option with probability `now`, sampled with `probability`.
    pub(super) fn note(&mut self, mover: Player, now: f32, probability: f32) {
        self.ratios[mover.idx()] *= now / probability;
        self.sampled[mover.idx()] *= probability;
        self.this_turn *= now / probability;
    }

    /// Returns the weights of the next choice of `mover` in learning and in the average strategy.
    pub(super) fn weights(&self, mover: Player, origin: Origin) -> (f32, f32) {
        if origin == Origin::Here {
            return (self.this_turn, 1.0);
        }
        let of_others = |values: &[f32; MAX_PLAYERS]| -> f32 {
            (0..MAX_PLAYERS).filter(|&q| q != mover.idx()).map(|q| values[q]).product()
        };
        let learning = of_others(&self.ratios) / self.sampled[mover.idx()];
        let averaging = self.ratios[mover.idx()] / of_others(&self.sampled);
        (learning.min(HEAVIEST), averaging.min(HEAVIEST))
    }
}
