//! The features of a value function that takes the place of the evaluation at the leaves of a search, with weights for
//! each fifth of the way to the points that end a game. `caesar fit value` writes its files, and `fit net` puts a net
//! beside the evaluation.

use engine::games::imperium::{Imperium, State};
use engine::{ByPlayer, Game, Turn};

use super::evaluation::Evaluation;
use super::features;
use crate::heuristics::linear::{Counter, after_evaluation, rows};

/// The features of each player: the evaluation, in units of its scale, and the features of a spectator.
const FEATURES: &[&str; N] = &after_evaluation(features::FEATURES);
pub(super) const N: usize = features::FEATURES.len() + 1;

/// Number of equal parts of the way to the points that end a game.
const PARTS: usize = 5;

/// The value of the leaves of a search.
pub(super) type LeafValue = crate::heuristics::leaf_value::LeafValue<N>;

impl Counter<N> for Evaluation {
    type Game = Imperium;

    const FEATURES: &'static [&'static str; N] = FEATURES;
    const PHASES: usize = PARTS;

    fn name_of(phase: usize) -> String {
        format!("leader-part-{}", phase + 1)
    }

    /// Returns the part of the way that the leader has reached.
    fn phase(game: &Imperium, s: &State) -> Option<usize> {
        let most = (0..game.n_players()).map(|seat| s.points(seat)).max().unwrap_or(0) as usize;
        let part = most * PARTS / game.board().win_score().max(1) as usize;
        (game.turn(s) != Turn::Over).then(|| part.min(PARTS - 1))
    }

    fn count(&self, game: &Imperium, s: &State) -> ByPlayer<[f32; N]> {
        rows(|tell| {
            let scale = self.logistic_scale(game, s);
            tell(ByPlayer(self.evaluate(game, s).0.map(|value| f64::from(value / scale))));
            features::each(game, s, tell);
        })
    }
}
