//! Personas: weights of an evaluation with different goals and equal lookahead.
//!
//! A persona is a file `agents/data/GAME/personas/NAME.toml` with its differences from the default weights and their
//! reasons.

use crate::of_game::BALANCED;
use crate::param::{Audience, Domain, Knob, Param, Settings, WeightLayer};

/// Returns the parameter `name` that selects a persona from `names`.
pub(super) const fn knob(name: &'static str, names: &'static [&'static str]) -> Knob {
    Knob {
        param: Param {
            name,
            domain: Domain::Choice(names),
            default: BALANCED,
            is_games: false,
            unit: "",
            meaning: "whose weights the evaluation takes; a file of weights goes over them",
        },
        audience: Audience::Evaluators,
    }
}

/// Returns the layer of the persona that `settings` select by `knob`. `text` returns its content by name.
///
/// # Panics
/// If `text` lacks a word of the knob (a bug of the game).
pub(super) fn layer<'a>(
    knob: &Knob,
    settings: &'a Settings,
    text: impl Fn(&str) -> Option<&'static str>,
) -> WeightLayer<'a> {
    let name = settings.word(&knob.param);
    WeightLayer { param: knob.param.name, name, text: text(name).expect("a word of the list") }
}

/// Declares the personas of a game: the constants `PERSONAS` (names with their TOML) and `NAMES`, and the function
/// `text`, which returns the TOML for a name. The balanced persona with all defaults is the first.
macro_rules! personas {
    ($game:literal: $($name:literal),+ $(,)?) => {
        /// Names of the personas and their weights as TOML, the balanced one (all defaults) first.
        pub const PERSONAS: &[(&str, &str)] = &[
            ($crate::of_game::BALANCED, ""),
            $(($name, include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"), "/data/", $game, "/personas/", $name, ".toml"
            )))),+
        ];

        /// The names alone.
        pub(super) const NAMES: &[&str] = &[$crate::of_game::BALANCED, $($name),+];

        /// Returns the changes of a persona as TOML; `None` if there is no persona of this name.
        pub(super) fn text(name: &str) -> Option<&'static str> {
            PERSONAS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
        }

        #[cfg(test)]
        mod personas_of_the_game {
            use super::super::weights::Weights;
            use super::*;

            fn weights(name: &str) -> Option<Weights> {
                text(name).map(|text| Weights::parse(text).unwrap())
            }

            #[test]
            fn every_persona_differs_from_every_other() {
                for (i, (name, _)) in PERSONAS.iter().enumerate() {
                    for (other, _) in &PERSONAS[..i] {
                        assert_ne!(weights(name), weights(other), "{name} and {other}");
                    }
                }
                let balanced = Some(Weights::default());
                assert_eq!((weights(NAMES[0]), weights("nero")), (balanced, None));
            }

            #[test]
            fn a_persona_says_of_every_weight_why() {
                for (name, text) in &PERSONAS[1..] {
                    let mut lines = text.lines().filter(|line| !line.starts_with('#')).peekable();
                    assert!(lines.peek().is_some(), "{name} changes nothing");
                    for line in lines {
                        assert!(line.contains(" # "), "{name}: {line}");
                        let alone = Weights::parse(line).unwrap();
                        assert_ne!(alone, Weights::default(), "{name}: {line} is the default");
                    }
                }
            }
        }
    };
}
pub(crate) use personas;
