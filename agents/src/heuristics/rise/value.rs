//! The value function for the leaves of a search: a linear function of counted features, with weights for each turn of
//! the game and each half of its rounds. `caesar fit value` writes its files.

use engine::ByPlayer;
use engine::games::rise::things::N_TURNS;
use engine::games::rise::{Rise, State};

use super::evaluation::Evaluation;
use super::features;
use crate::heuristics::linear::{Counter, LinearValue, after_evaluation, rows};

/// The features of each player: the evaluation and the features of a spectator.
const FEATURES: &[&str; N] = &after_evaluation(features::FEATURES);
pub(super) const N: usize = features::FEATURES.len() + 1;

/// Number of phases per turn.
const HALVES: usize = 2;

/// The value function.
pub(super) type ValueFunction = LinearValue<N>;
/// The value of the leaves of a search.
pub(super) type LeafValue = crate::heuristics::leaf_value::LeafValue<N>;

impl Counter<N> for Evaluation {
    type Game = Rise;

    const FEATURES: &'static [&'static str; N] = FEATURES;
    const PHASES: usize = N_TURNS * HALVES;

    fn name_of(phase: usize) -> String {
        format!("turn-{}-half-{}", phase / HALVES + 1, phase % HALVES + 1)
    }

    fn phase(game: &Rise, s: &State) -> Option<usize> {
        let turn = usize::from(s.turn());
        let is_late = 2 * s.round() >= game.board().actions_per_turn();
        (turn < N_TURNS).then(|| turn * HALVES + usize::from(is_late))
    }

    fn count(&self, game: &Rise, s: &State) -> ByPlayer<[f32; N]> {
        rows(|tell| {
            tell(ByPlayer(self.values(game, s).0.map(f64::from)));
            features::each(game, s, tell);
        })
    }
}

/// Returns the fitted weights for a table of `n_players`.
///
/// # Panics
/// Never: a test reads the embedded files.
pub(super) fn fitted(n_players: usize) -> ValueFunction {
    let text = match n_players {
        0..=2 => include_str!("../../../data/rise/value-2.toml"),
        3 => include_str!("../../../data/rise/value-3.toml"),
        4 => include_str!("../../../data/rise/value-4.toml"),
        _ => include_str!("../../../data/rise/value-5.toml"),
    };
    ValueFunction::parse::<Evaluation>(text).expect("the embedded file is good")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_files_are_read_and_differ() {
        let all = [2, 3, 4, 5].map(fitted);
        for (i, one) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| other != one));
        }
    }
}
