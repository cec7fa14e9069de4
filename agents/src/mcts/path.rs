//! The way of an iteration through the tree: its choices, and how those of mixed strategies were sampled.

use engine::{MAX_PLAYERS, Player, PlayerSet};

use super::config::Origin;
use super::strategies::MixedStrategyDraw;

/// A choice on the way down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) node: u32,
    pub(super) edge: u32,
    pub(super) mover: Player,
    pub(super) allies: PlayerSet,
    /// The mixed strategy that sampled the edge, if one did.
    pub(super) mixed: Option<MixedStrategyDraw>,
    /// Where in the path its simultaneous turn begins; [`NONE`](super::index::NONE) if it is a choice of one.
    pub(super) turn: u32,
    /// Whether this is what was chosen, a proven result, and the next step at the same node only looks further.
    pub(super) is_certain: bool,
}

/// Weights of samples are bounded by this; only long games get there.
const HEAVIEST: f32 = 1e6;

/// How the choices of an iteration were sampled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// Of each player: how likely his choices so far were under his strategies, over how they were sampled.
    ratios: [f32; MAX_PLAYERS],
    /// Of each player: the probability with which his choices so far were sampled.
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
    /// A new turn begins.
    pub(super) const fn begin_turn(&mut self) {
        self.this_turn = 1.0;
    }

    /// Notes that `mover` took an option of probability `now`, sampled with `probability`.
    pub(super) fn note(&mut self, mover: Player, now: f32, probability: f32) {
        self.ratios[mover.idx()] *= now / probability;
        self.sampled[mover.idx()] *= probability;
        self.this_turn *= now / probability;
    }

    /// What counts for the learning of `mover`, who is to choose, and towards his average strategy.
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
