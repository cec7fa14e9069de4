//! The value function for the leaves of a search: a linear function of counted features, with weights for each round.
//! `caesar fit value` writes its files.

use engine::ByPlayer;
use engine::games::classic::{Classic, Phase, State};

use super::evaluation::Evaluation;
use super::features;
use crate::heuristics::linear::{Counter, LinearValue, after_evaluation, rows};

/// The features of each player: the evaluation and the features of a spectator.
const FEATURES: &[&str; N] = &after_evaluation(features::FEATURES);
pub(super) const N: usize = features::FEATURES.len() + 1;

/// The phases with separate weights, each with its maximum number of rounds before the first final round, in which a
/// game can end. After that round the number is negative.
const PHASES: [(&str, i16); 7] = [
    ("opening", i16::MAX),
    ("seven-left", 7),
    ("five-left", 5),
    ("three-left", 3),
    ("one-left", 1),
    ("final", 0),
    ("beyond", -1),
];

/// The value function.
pub(super) type ValueFunction = LinearValue<N>;
/// The value of the leaves of a search.
pub(super) type LeafValue = crate::heuristics::leaf_value::LeafValue<N>;

impl Counter<N> for Evaluation {
    type Game = Classic;

    const FEATURES: &'static [&'static str; N] = FEATURES;
    const PHASES: usize = PHASES.len();

    fn name_of(phase: usize) -> String {
        PHASES[phase].0.to_owned()
    }

    fn phase(game: &Classic, s: &State) -> Option<usize> {
        let left = i16::from(game.final_round()) - i16::from(s.round());
        (s.phase() != Phase::Over).then(|| PHASES.iter().rposition(|(_, most)| left <= *most))?
    }

    fn count(&self, game: &Classic, s: &State) -> ByPlayer<[f32; N]> {
        rows(|tell| {
            tell(ByPlayer(self.evaluate(game, s).0.map(f64::from)));
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
        0..=2 => include_str!("../../../data/classic/value-2.toml"),
        3 => include_str!("../../../data/classic/value-3.toml"),
        4 => include_str!("../../../data/classic/value-4.toml"),
        5 => include_str!("../../../data/classic/value-5.toml"),
        _ => include_str!("../../../data/classic/value-6.toml"),
    };
    ValueFunction::parse::<Evaluation>(text).expect("the embedded file is good")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_files_are_read_and_differ() {
        let all = [2, 3, 4, 5, 6].map(fitted);
        for (i, one) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| other != one));
        }
    }
}
