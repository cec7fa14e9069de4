//! Named weights of evaluations: a list in the source, defaults and meanings for people, values from a TOML file.

use engine::rules::nearest;
use toml_edit::{Document, Item};

/// Declares the `Weights` of the evaluation of a game: its name, then each weight with its meaning and default.
macro_rules! weights {
    (of $game:literal; $($(#[doc = $doc:literal])+ $name:ident = $default:literal),* $(,)?) => {
        #[doc = concat!("What things are worth in ", $game, ", in the unit of its evaluation.")]
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct Weights {
            $($(#[doc = $doc])+ pub $name: f32),*
        }

        impl Default for Weights {
            fn default() -> Self {
                Self { $($name: $default),* }
            }
        }

        impl Weights {
            /// Names, defaults and meanings, in order.
            pub const ALL: &'static [(&'static str, f32, &'static str)] =
                &[$((stringify!($name), $default, concat!($($doc),+))),*];

            fn set(&mut self, name: &str, value: f32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return false,
                }
                true
            }

            /// The weights of a preset; the defaults if there is none.
            ///
            /// # Panics
            /// If the preset is faulty (a bug, which a test would show).
            #[must_use]
            pub fn chosen(preset: Option<&$crate::presets::Preset>) -> Self {
                preset.map_or_else(Self::default, |preset| {
                    Self::parse(preset.weights).expect("the weights of a preset are good")
                })
            }

            /// The defaults with the values of a TOML document over them: [`Weights::overlay`].
            ///
            /// # Errors
            /// As for [`Weights::overlay`].
            pub fn parse(text: &str) -> Result<Self, String> {
                Self::default().overlay(text)
            }

            /// These weights with the values of a TOML document over them.
            ///
            /// # Errors
            /// If the text is not TOML, names no weight, or gives something that is no number; with the line.
            pub fn overlay(mut self, text: &str) -> Result<Self, String> {
                let mut set = |name: &str, value| self.set(name, value);
                $crate::heuristics::weights::read($game, Self::ALL, text, &mut set)?;
                Ok(self)
            }
        }
    };
}

pub(super) use weights;

/// Reads a TOML document of weights of `game`, all of whose weights are `all`, and passes them to `set`.
///
/// # Errors
/// If the text is not TOML, names no weight, or gives something that is no number; with the line.
pub(super) fn read(
    game: &str,
    all: &[(&str, f32, &str)],
    text: &str,
    set: &mut dyn FnMut(&str, f32) -> bool,
) -> Result<(), String> {
    let line = |start: usize| text[..start].matches('\n').count() + 1;
    let document: Document<&str> = Document::parse(text).map_err(|e| {
        let at = e.span().map_or(1, |span| line(span.start));
        format!("line {at}: not TOML: {}", e.message().replace('\n', " "))
    })?;
    for (name, item) in document.iter() {
        let at =
            document.key(name).and_then(toml_edit::Key::span).map_or(1, |span| line(span.start));
        let value = number(item).ok_or_else(|| format!("line {at}: {name} is no number"))?;
        if !set(name, value) {
            let names: Vec<&str> = all.iter().map(|(name, ..)| *name).collect();
            let hint = match nearest(name, &names) {
                Some(near) => format!("nearest: {near}"),
                None => format!("known: {}", names.join(", ")),
            };
            return Err(format!("line {at}: unknown weight \"{name}\" of {game} ({hint})"));
        }
    }
    Ok(())
}

fn number(item: &Item) -> Option<f32> {
    let number = item.as_float().or_else(|| item.as_integer().map(|i| i as f64))?;
    Some(number as f32).filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    #![expect(unreachable_pub, reason = "the macro declares what games publish")]

    weights! {
        of "nothing";
        /// A token.
        token = 1.2,
        /// Chaos.
        chaos = 0.3,
    }

    #[test]
    fn a_file_replaces_single_weights() {
        let weights = Weights::parse("token = 3\nchaos = 0.5 # calm\n").unwrap();
        assert_eq!(weights, Weights { token: 3.0, chaos: 0.5 });
        let weights = Weights::parse("chaos = 1").unwrap();
        assert_eq!(weights, Weights { chaos: 1.0, ..Weights::default() });
    }

    #[test]
    fn a_preset_stands_in_place_of_the_defaults() {
        let preset = crate::presets::Preset { name: "old", search: "", weights: "token = 2" };
        assert_eq!(Weights::chosen(Some(&preset)), Weights { token: 2.0, ..Weights::default() });
        assert_eq!(Weights::chosen(None), Weights::default());
    }

    #[test]
    fn bad_weights_are_refused_with_their_line() {
        let complain = |text: &str| Weights::parse(text).unwrap_err();
        assert_eq!(
            complain("\ntokn = 1"),
            "line 2: unknown weight \"tokn\" of nothing (nearest: token)"
        );
        assert_eq!(
            complain("q = 1"),
            "line 1: unknown weight \"q\" of nothing (known: token, chaos)"
        );
        assert_eq!(complain("token = \"x\""), "line 1: token is no number");
        assert_eq!(complain("token = 1e300"), "line 1: token is no number");
        assert_eq!(complain("token = nan"), "line 1: token is no number");
        assert!(complain("token = ").starts_with("line 1: not TOML"));
    }
}
