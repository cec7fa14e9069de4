//! Named weights of the opinions about a game: one row each, from which field, default, range, scale for tuning, help
//! and the reading of TOML files follow.

use toml_edit::{Document, Item, Value as Written};

use crate::param::{Rows, Value};

/// Declares the `Weights` of a game: its name, then one row per weight, `name: type = default, range, scale, unit,
/// meaning;`, with a heading in brackets before the first of a group. Types, scales and ranges are those of the
/// [`settings`](crate::param::settings) that it makes of them.
macro_rules! weights {
    (of $game:literal; $($([$heading:literal])? $name:ident: $type:ty = $default:expr,
        $range:expr, $scale:ident, $unit:literal, $meaning:literal;)*) => {
        $crate::param::settings! {
            #[doc = concat!("The weights by which agents that know ", $game, " judge and choose.")]
            pub struct Weights {
                $($([$heading])? $name: $type = $default, $range, $scale, spec, $unit, $meaning;)*
            }
            beside {}
        }

        impl Weights {
            /// All weights, for people and tuners.
            pub const ROWS: $crate::param::Rows =
                $crate::param::Rows { params: Self::PARAMS, headings: Self::HEADINGS };

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
            /// If the text is not TOML, names no weight, or gives something that is no number or out of range; with the
            /// line.
            pub fn overlay(mut self, text: &str) -> Result<Self, String> {
                let mut set = |name: &str, value: &$crate::param::Value| self.set(name, value);
                $crate::heuristics::weights::read($game, Self::ROWS, text, &mut set)?;
                Ok(self)
            }

            /// These weights with what `settings` say of them: the file that they name over these, and the single weights
            /// that they name over the file.
            ///
            /// # Errors
            /// As for [`Weights::overlay`], and if a single weight is of another game or out of range.
            pub fn asked(self, settings: &$crate::param::Settings) -> Result<Self, String> {
                let file = settings.text(&$crate::playable::WEIGHTS.param);
                let mut weights = file.map_or(Ok(self), |text| self.overlay(text))?;
                for (weight, value) in settings.weights() {
                    let value = Self::ROWS.said($game, weight.name, value)?;
                    weights.set(weight.name, &value);
                }
                Ok(weights)
            }
        }
    };
}

pub(super) use weights;

/// Reads a TOML document of weights of `game`, all of whose weights are `all`, and passes them to `set`.
///
/// # Errors
/// If the text is not TOML, names no weight, or gives something that is no number or out of range; with the line.
pub(super) fn read(
    game: &str,
    all: Rows,
    text: &str,
    set: &mut dyn FnMut(&str, &Value),
) -> Result<(), String> {
    let line = |start: usize| text[..start].matches('\n').count() + 1;
    let document: Document<&str> = Document::parse(text).map_err(|e| {
        let at = e.span().map_or(1, |span| line(span.start));
        format!("line {at}: not TOML: {}", e.message().replace('\n', " "))
    })?;
    for (name, item) in document.iter() {
        let span = document.key(name).and_then(toml_edit::Key::span);
        let at = span.map_or(1, |span| line(span.start));
        let weight =
            all.weight(game, name).map_err(|complaint| format!("line {at}: {complaint}"))?;
        let written =
            written(text, item).ok_or_else(|| format!("line {at}: {name} is no number"))?;
        let value = weight.read(&written).map_err(|complaint| format!("line {at}: {complaint}"))?;
        set(name, &value.expect("weights have no auto"));
    }
    Ok(())
}

/// The number that an item is, as it is written; `None` if it is none.
fn written(text: &str, item: &Item) -> Option<String> {
    match item.as_value()? {
        Written::Integer(_) | Written::Float(_) => {
            Some(text[item.span()?].trim().trim_start_matches('+').replace('_', ""))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![expect(unreachable_pub, reason = "the macro declares what games publish")]

    use crate::param::{Param, Scale, Settings, number};
    use crate::playable::WEIGHTS;

    weights! {
        of "nothing";
        ["pieces"] token: f32 = 1.2, 0.0..=5.0, linear, "points", "a token";
        width: f32 = 0.3, 0.01..=1.0, log, "tokens", "how uncertain a token is";
        most: u8 = 3, 1..=8, integer, "tokens", "tokens beyond which more are worth nothing";
    }

    #[test]
    fn a_file_replaces_single_weights() {
        let weights = Weights::parse("token = 3\nwidth = 0.5 # narrow\nmost = 8\n").unwrap();
        assert_eq!(weights, Weights { token: 3.0, width: 0.5, most: 8 });
        let weights = Weights::parse("width = 1").unwrap();
        assert_eq!(weights, Weights { width: 1.0, ..Weights::default() });
        let before = Weights { token: 4.0, ..Weights::default() };
        assert_eq!(before.overlay("token = 1.2"), Ok(Weights::default()), "a default, too");
    }

    #[test]
    fn a_preset_stands_in_place_of_the_defaults() {
        let preset = crate::presets::Preset { name: "old", search: "", weights: "token = 2" };
        assert_eq!(Weights::chosen(Some(&preset)), Weights { token: 2.0, ..Weights::default() });
        assert_eq!(Weights::chosen(None), Weights::default());
    }

    #[test]
    fn a_row_says_all_that_a_tuner_needs() {
        let rows = Weights::ROWS;
        let told: Vec<_> = rows
            .params
            .iter()
            .map(|p| (p.name, p.default, p.domain.range_text(), p.domain.scale(), p.unit))
            .collect();
        let of = |low: &str| low.to_owned();
        assert_eq!(
            told,
            [
                ("token", "1.2", of("0 to 5"), Some(Scale::Linear), "points"),
                ("width", "0.3", of("0.01 to 1"), Some(Scale::Log), "tokens"),
                ("most", "3", of("whole, 1 to 8"), Some(Scale::Integer), "tokens"),
            ]
        );
        assert_eq!(rows.headings, [("token", "pieces")]);
        for weight in rows.params {
            assert_eq!(Weights::default().value(weight.name), weight.default_value());
        }
    }

    #[test]
    fn settings_are_read_by_the_same_rows() {
        let find = |name: &str| Weights::ROWS.weight("nothing", name);
        let read = |text: &str| Settings::read(text, find, None);
        let weights = Weights::default().with(&read("width=0.5, most=4").unwrap());
        assert_eq!(weights, Weights { width: 0.5, most: 4, ..Weights::default() });
        assert_eq!(
            read("most=9").unwrap_err(),
            "most = \"9\" is out of range (accepted: whole, 1 to 8)"
        );
    }

    /// What a spec says, as in one of this game.
    fn said(text: &str) -> Result<Settings, String> {
        let weigh = |name: &str, text: &str| {
            let weight = Weights::ROWS.weight("nothing", name)?;
            Ok((weight, weight.read(text)?.expect("weights have no auto")))
        };
        Settings::read(text, |_| Ok(&WEIGHTS.param), Some(&weigh))
    }

    #[test]
    fn the_spec_speaks_over_the_file_and_the_file_over_what_was_before() {
        let before = Weights { token: 4.0, width: 0.1, most: 1 };
        let mut spec = said("weights=w.toml, weights.width=0.5, weights.most=3").unwrap();
        assert_eq!(before.asked(&spec), Ok(Weights { width: 0.5, most: 3, ..before }));
        spec.supply("weights", "token = 2\nwidth = 0.9".to_owned());
        assert_eq!(before.asked(&spec), Ok(Weights { token: 2.0, width: 0.5, most: 3 }));
        assert_eq!(before.asked(&Settings::default()), Ok(before));
    }

    #[test]
    fn a_weight_that_another_game_has_otherwise_is_read_by_the_rows_of_this_one() {
        // Another game's weight of that name is no whole number, and another's is not there.
        let other = |name: &'static str, text: &str| {
            let domain = number(0.0..=1e9, false);
            let (default, is_games, unit, meaning) = ("0", false, "", "");
            let weight = Param { name, domain, default, is_games, unit, meaning };
            let weight: &'static Param = Box::leak(Box::new(weight));
            let weigh =
                |_: &str, text: &str| Ok((weight, weight.read(text)?.expect("no weight is auto")));
            let spec = format!("weights.{name}={text}");
            let spec = Settings::read(&spec, |_| unreachable!("a weight"), Some(&weigh)).unwrap();
            Weights::default().asked(&spec)
        };
        assert_eq!(other("most", "8"), Ok(Weights { most: 8, ..Weights::default() }));
        assert_eq!(
            other("most", "9").unwrap_err(),
            "nothing: weights.most = \"9\" is out of range (accepted: whole, 1 to 8)"
        );
        assert_eq!(
            other("tokn", "1").unwrap_err(),
            "unknown weight \"tokn\" of nothing (nearest: token)"
        );
    }

    #[test]
    fn bad_weights_are_refused_with_their_line() {
        let complain = |text: &str| Weights::parse(text).unwrap_err();
        for (text, message) in [
            ("\ntokn = 1", "line 2: unknown weight \"tokn\" of nothing (nearest: token)"),
            ("q = 1", "line 1: unknown weight \"q\" of nothing (known: token, width, most)"),
            ("token = \"x\"", "line 1: token is no number"),
            ("[token]", "line 1: token is no number"),
            ("token = 5.5", "line 1: token = \"5.5\" is out of range (accepted: 0 to 5)"),
            ("width = 0", "line 1: width = \"0\" is out of range (accepted: 0.01 to 1)"),
            ("token = 1e300", "line 1: token = \"1e300\" is out of range (accepted: 0 to 5)"),
            ("token = nan", "line 1: token = \"nan\" is out of range (accepted: 0 to 5)"),
            (
                "token = 1\nmost = 2.5",
                "line 2: most = \"2.5\" is no whole number in digits (accepted: whole, 1 to 8)",
            ),
        ] {
            assert_eq!(complain(text), message);
        }
        assert!(complain("token = ").starts_with("line 1: not TOML"));
    }
}
