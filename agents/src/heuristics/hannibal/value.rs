//! The features of a value function that takes the place of the evaluation at the leaves of a search, with weights for
//! each part of a game by its turns. `caesar fit value` writes its files, and `fit net` puts a net beside the evaluation.
//!
//! They are counted where a turn is due; in a conflict the guide takes the mean over its ends, as the evaluation does.

use engine::ByPlayer;
use engine::games::hannibal::{CARTHAGE, Hannibal, Phase, ROME, State};

use super::evaluation::Evaluation;
use super::features;
use crate::heuristics::linear::{Counter, after_evaluation, rows};

/// The features of each side: its half of the evaluation's lead, in units of its scale, and the features of a spectator.
const FEATURES: &[&str; N] = &after_evaluation(features::FEATURES);
pub(super) const N: usize = features::FEATURES.len() + 1;

/// The phases with separate weights, each with its first turn.
const PHASES: [(&str, u16); 4] =
    [("opening", 0), ("from-turn-16", 16), ("from-turn-32", 32), ("from-turn-64", 64)];

/// The value of the leaves of a search.
pub(super) type LeafValue = crate::heuristics::leaf_value::LeafValue<N>;

impl Counter<N> for Evaluation {
    type Game = Hannibal;

    const FEATURES: &'static [&'static str; N] = FEATURES;
    const PHASES: usize = PHASES.len();

    fn name_of(phase: usize) -> String {
        PHASES[phase].0.to_owned()
    }

    /// Returns the phase; `None` where no turn is due, which is also the case in a conflict.
    fn phase(_game: &Hannibal, s: &State) -> Option<usize> {
        let is_turn = s.phase() == Phase::Turn;
        is_turn.then(|| PHASES.iter().rposition(|(_, first)| *first <= s.turns()))?
    }

    fn count(&self, game: &Hannibal, s: &State) -> ByPlayer<[f32; N]> {
        rows(|tell| {
            let lead = self.lead_at_turn(game, s) / self.weights.logistic_scale;
            tell(ByPlayer(halves(lead).0.map(f64::from)));
            features::each(game, s, tell);
        })
    }
}

/// Returns the values of both sides, of which only the difference matters: each has a half of the lead of Carthage.
pub(super) fn halves(lead: f32) -> ByPlayer<f32> {
    let mut values = ByPlayer::default();
    (values.0[CARTHAGE], values.0[ROME]) = (lead / 2.0, -lead / 2.0);
    values
}
