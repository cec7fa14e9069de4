//! Named weights of a game's heuristics. Each row defines a field, its default, its range, its scale for tuning, and
//! its help.

/// Declares the `Weights` of a game: its name, then one row per weight,
/// `name: type = default, range, scale, unit, meaning;`. A heading in brackets may stand before a group. Types, scales
/// and ranges are those of [`settings`](crate::param::settings), to which the macro expands.
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

            /// Reads the values of a TOML document over the defaults: [`Weights::overlay`].
            ///
            /// # Errors
            /// As for [`Weights::overlay`].
            pub fn parse(text: &str) -> Result<Self, String> {
                Self::default().overlay(text)
            }

            /// Returns these weights with the values of a TOML document over them.
            ///
            /// # Errors
            /// If the text is not TOML, an entry names no weight, or a value is no number or out of range; with the
            /// line.
            pub fn overlay(mut self, text: &str) -> Result<Self, String> {
                for (weight, value) in Self::ROWS.document($game, text)? {
                    self.set(weight.name, &value);
                }
                Ok(self)
            }

            /// Returns the weights in `settings`. Precedence, highest first: explicit weights, `layers` from the first
            /// to the last, the defaults.
            ///
            /// # Errors
            /// As for [`Weights::overlay`], and if an explicit weight belongs to another game or is out of range.
            pub fn resolved(
                layers: &[$crate::param::WeightLayer<'_>],
                settings: &$crate::param::Settings,
            ) -> Result<Self, String> {
                let mut layers = layers.iter().rev();
                let mut weights =
                    layers.try_fold(Self::default(), |below, layer| below.overlay(layer.text))?;
                for (weight, value) in settings.weights() {
                    let value = Self::ROWS.checked($game, weight.name, value)?;
                    weights.set(weight.name, &value);
                }
                Ok(weights)
            }
        }
    };
}

pub(super) use weights;

#[cfg(test)]
mod tests {
    #![expect(unreachable_pub, reason = "the macro declares what games publish")]

    use crate::of_game::WEIGHTS;
    use crate::param::{Param, Scale, Settings, WeightLayer, number};

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
    fn a_row_says_all_that_a_tuner_needs() {
        let rows = Weights::ROWS;
        let rows_read: Vec<_> = rows
            .params
            .iter()
            .map(|p| (p.name, p.default, p.domain.range_text(), p.domain.scale(), p.unit))
            .collect();
        let of = |low: &str| low.to_owned();
        assert_eq!(
            rows_read,
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
        let find = |name: &str, _: &str| Weights::ROWS.weight("nothing", name);
        let read = |text: &str| Settings::read(text, find, None);
        let weights = Weights::default().with(&read("width=0.5, most=4").unwrap());
        assert_eq!(weights, Weights { width: 0.5, most: 4, ..Weights::default() });
        assert_eq!(
            read("most=9").unwrap_err(),
            "most = \"9\" is out of range (accepted: whole, 1 to 8)"
        );
    }

    /// Returns the settings of a spec of this game.
    fn settings_of(text: &str) -> Result<Settings, String> {
        let read = |name: &str, text: &str| {
            let weight = Weights::ROWS.weight("nothing", name)?;
            Ok((weight, weight.read(text)?.expect("weights have no auto")))
        };
        Settings::read(text, |_, _| Ok(&WEIGHTS.param), Some(&read))
    }

    #[test]
    fn the_spec_speaks_over_the_layers_and_the_first_of_these_over_the_others() {
        let layer = |text| WeightLayer { param: "weights", name: "", text };
        let layers = [layer("token = 2\nwidth = 0.9"), layer("token = 4\nwidth = 0.1\nmost = 1")];
        let [file, before] = layers;
        let spec = settings_of("weights.width=0.5, weights.most=3").unwrap();
        let resolved_over = |layers: &[WeightLayer<'_>]| Weights::resolved(layers, &spec).unwrap();
        assert_eq!(resolved_over(&[before]), Weights { token: 4.0, width: 0.5, most: 3 });
        assert_eq!(resolved_over(&[file, before]), Weights { token: 2.0, width: 0.5, most: 3 });
        let silent = Weights::resolved(&[file, before], &Settings::default());
        assert_eq!(silent, Ok(Weights { token: 2.0, width: 0.9, most: 1 }));
        assert_eq!(Weights::resolved(&[], &Settings::default()), Ok(Weights::default()));
        let bad = Weights::resolved(&[file, layer("most = 9")], &spec).unwrap_err();
        assert_eq!(bad, "line 1: most = \"9\" is out of range (accepted: whole, 1 to 8)");
    }

    #[test]
    fn a_weight_that_another_game_has_otherwise_is_read_by_the_rows_of_this_one() {
        // A weight of this name in another game is no whole number, and a weight of another game is absent here.
        let other = |name: &'static str, text: &str| {
            let domain = number(0.0..=1e9, false);
            let (default, is_games, unit, meaning) = ("0", false, "", "");
            let weight = Param { name, domain, default, is_games, unit, meaning };
            let weight: &'static Param = Box::leak(Box::new(weight));
            let read =
                |_: &str, text: &str| Ok((weight, weight.read(text)?.expect("no weight is auto")));
            let spec = format!("weights.{name}={text}");
            let spec = Settings::read(&spec, |_, _| unreachable!("a weight"), Some(&read)).unwrap();
            Weights::resolved(&[], &spec)
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
