//! Resolution of parameter values. Precedence, highest first: spec, kind, preset or game, default. [`Layers`] applies
//! this order and also reports it, so the printed values are the played values.

use crate::evaluators::{self, EVALUATOR};
use crate::kinds::Kind;
use crate::mcts::Variant;
use crate::mcts::config::Config;
use crate::of_game::{OfGame, SEARCHES, TABLE};
use crate::param::{Param, Settings, Value, WEIGHT, WeightLayer};
use crate::presets;

/// The source of a parameter value, the weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// The default.
    Default,
    /// The game.
    Game,
    /// A preset, which replaces the game and the default.
    Preset,
    /// The kind of agent, or its evaluator, which fixes the value.
    Kind,
    /// Weights that another parameter of the spec names: a file, or a set of the game.
    Named,
    /// The spec.
    Spec,
}

impl Source {
    /// Returns the word for people.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Game => "game",
            Self::Preset => "preset",
            Self::Kind => "kind",
            Self::Named => "named",
            Self::Spec => "spec",
        }
    }
}

/// The value that one source gives a parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct ParamLayer {
    /// The source.
    pub source: Source,
    /// The setting that names the source, as in `weights=FILE`, if there can be several.
    pub named_by: Option<String>,
    /// The value.
    pub value: Value,
}

impl ParamLayer {
    const fn new(source: Source, value: Value) -> Self {
        Self { source, named_by: None, value }
    }

    /// Creates the value of a layer of weights below the explicit weights of a spec.
    fn of_layer(layer: &WeightLayer<'_>, value: Value) -> Self {
        if [SEARCHES, TABLE].contains(&layer.param) {
            return Self::new(Source::Game, value);
        }
        let is_preset = layer.param == presets::PRESET.name;
        let source = if is_preset { Source::Preset } else { Source::Named };
        Self { source, named_by: Some(format!("{}={}", layer.param, layer.name)), value }
    }

    /// Returns the source as text for people.
    #[must_use]
    pub fn who(&self) -> &str {
        self.named_by.as_deref().unwrap_or(self.source.word())
    }
}

/// A parameter with its resolved value and sources.
#[derive(Clone, Debug)]
pub struct ResolvedParam {
    /// The parameter.
    pub param: &'static Param,
    /// True if the game declares the parameter.
    pub is_of_game: bool,
    /// The values of all sources, the strongest first.
    by_source: Vec<ParamLayer>,
    is_weight: bool,
}

impl ResolvedParam {
    /// Returns the name in a spec.
    #[must_use]
    pub fn name(&self) -> String {
        let prefix = if self.is_weight { WEIGHT } else { "" };
        format!("{prefix}{}", self.param.name)
    }

    /// Returns the value; `None` for a text or file that was not given.
    #[must_use]
    pub fn value(&self) -> Option<&Value> {
        self.by_source.first().map(|layer| &layer.value)
    }

    /// Returns the source of the value.
    #[must_use]
    pub fn source(&self) -> Source {
        self.by_source.first().map_or(Source::Default, |layer| layer.source)
    }

    /// Returns the overruled values, the strongest first.
    #[must_use]
    pub fn overruled(&self) -> &[ParamLayer] {
        self.by_source.get(1..).unwrap_or_default()
    }
}

/// The values of an agent's parameters, by source.
#[derive(Clone, Debug)]
pub struct Layers {
    /// The sources from the weakest to the strongest.
    layers: Vec<(Source, Settings)>,
    kind: Kind,
    game: Option<OfGame>,
}

impl Layers {
    /// Collects the values for an agent of this kind in `game`; those of `spec` are the strongest.
    ///
    /// # Panics
    /// If the game sets a value that no search accepts (a bug of the game).
    #[must_use]
    pub fn of(kind: Kind, game: Option<&OfGame>, spec: &Settings) -> Self {
        let mut layers = Vec::new();
        if let Some(variant) = kind.search() {
            let is_evaluated = spec.get(EVALUATOR.name).is_some();
            match presets::named(spec) {
                None if is_evaluated => {}
                None => {
                    let says = |game: &OfGame| {
                        let all = [Some(game.search_settings()), game.search_settings_of_table()];
                        all.into_iter().flatten().map(|settings| (Source::Game, settings))
                    };
                    layers.extend(game.into_iter().flat_map(says));
                }
                Some((_, general)) => {
                    let general = Config::read(general).expect("a preset says settings");
                    layers.push((Source::Preset, general));
                    let own = game.and_then(|game| game.preset_settings(spec));
                    layers.extend(own.map(|own| (Source::Preset, own)));
                }
            }
            let fixed = Config::read(variant.fixed()).expect("what a kind fixes is a setting");
            layers.push((Source::Kind, fixed));
            if is_evaluated {
                let read = Config::read(evaluators::SETTINGS);
                layers.push((Source::Kind, read.expect("an evaluator goes with settings")));
            }
        }
        layers.push((Source::Spec, spec.clone()));
        Self { layers, kind, game: game.copied() }
    }

    /// Returns the settings of a search.
    #[must_use]
    pub fn config(&self, variant: Variant) -> Config {
        variant.config(&self.layers.iter().map(|(_, settings)| settings).collect::<Vec<_>>())
    }

    /// Returns every parameter with its value and sources, in the order of a spec. The explicit weights of the spec
    /// follow.
    ///
    /// # Errors
    /// If explicit weights stand over an unusable file of weights: the message gives the reason.
    pub fn resolved(&self) -> Result<Vec<ResolvedParam>, String> {
        let general = self.kind.params().iter().map(|param| (param, false));
        let own = self.game.iter().flat_map(|game| game.params_of(self.kind));
        let params = general.chain(own.map(|param| (param, true)));
        let spec = self.layers.iter().filter(|(source, _)| *source == Source::Spec);
        let weights = spec.flat_map(|(_, settings)| {
            settings.weights().map(|(weight, value)| self.resolve_weight(settings, weight, value))
        });
        params
            .map(|(param, is_of_game)| Ok(self.resolve(param, is_of_game)))
            .chain(weights)
            .collect()
    }

    /// Resolves an explicit weight of the spec.
    fn resolve_weight(
        &self,
        spec: &Settings,
        weight: &'static Param,
        value: &Value,
    ) -> Result<ResolvedParam, String> {
        let mut by_source = vec![ParamLayer::new(Source::Spec, value.clone())];
        let mut param = weight;
        if let Some(game @ OfGame { name, weights, .. }) = self.game {
            let rows = weights();
            // Another game can have a different weight with this name.
            param = rows.weight(name, weight.name)?;
            for layer in game.weight_layers_of(self.kind, spec) {
                let values = rows.document(name, layer.text).map_err(|complaint| {
                    format!("{}=\"{}\": {complaint}", layer.param, layer.name)
                })?;
                let value = values.into_iter().find(|(known, _)| known.name == weight.name);
                by_source.extend(value.map(|(_, value)| ParamLayer::of_layer(&layer, value)));
            }
            by_source
                .extend(param.default_value().map(|value| ParamLayer::new(Source::Default, value)));
        }
        Ok(ResolvedParam { param, is_of_game: true, by_source, is_weight: true })
    }

    fn resolve(&self, param: &'static Param, is_of_game: bool) -> ResolvedParam {
        let layers = self.layers.iter().rev();
        let mut by_source: Vec<ParamLayer> = layers
            .filter_map(|(source, layer)| {
                Some(ParamLayer::new(*source, layer.get(param.name)?.clone()))
            })
            .chain(param.default_value().map(|value| ParamLayer::new(Source::Default, value)))
            .collect();
        // The preset for all games and its part for this game count as one source.
        by_source.dedup_by_key(|layer| layer.source);
        ResolvedParam { param, is_of_game, by_source, is_weight: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::{Domain, Rows};
    use crate::presets::Preset;
    use crate::spec::AgentSpec;
    use crate::weighted::named_weights;

    const PRESETS: &[Preset] =
        &[Preset { name: "2026-11-22", search: "c=4", weights: "token = 3" }];
    const TOKEN: Param = Param {
        name: "token",
        domain: Domain::Number { low: 0.0, high: 9.0, is_log: false },
        default: "1.5",
        is_games: false,
        unit: "",
        meaning: "a token",
    };
    const GAME: OfGame = OfGame {
        name: "a game",
        params: &[],
        presets: PRESETS,
        weights: || Rows { params: &[TOKEN], headings: &[] },
        players: 2,
        greedy_weight_layers: |settings, _| layers_of_weights(settings),
        search_weight_layers: |settings, _| layers_of_weights(settings),
        search: "c=2, rollout=mast, gamma=0.5, depth=400",
        search_at: &[(3, "c=3")],
    };

    fn layers_of_weights(settings: &Settings) -> Vec<WeightLayer<'_>> {
        let preset = presets::weights(settings, PRESETS);
        named_weights(settings).into_iter().chain(preset).collect()
    }

    fn resolved_param(spec: &str, name: &str) -> ResolvedParam {
        let spec: AgentSpec = spec.parse().unwrap();
        let layers = Layers::of(spec.kind(), Some(&GAME), spec.settings());
        layers.resolved().unwrap().into_iter().find(|param| param.param.name == name).unwrap()
    }

    fn value_and_source(spec: &str, name: &str) -> (String, Source) {
        let param = resolved_param(spec, name);
        (param.value().unwrap().to_string(), param.source())
    }

    #[test]
    fn the_spec_speaks_before_the_kind_before_the_game_before_the_default() {
        for (spec, name, value, source) in [
            ("mcts", "fpu", "10", Source::Default),
            ("mcts", "c", "2", Source::Game),
            ("mcts(c=auto)", "c", "2", Source::Game),
            ("mcts(c=0.7)", "c", "0.7", Source::Spec),
            // The default of another game is still printed.
            ("mcts(gamma=0.2)", "gamma", "0.2", Source::Spec),
            ("mcts", "gamma", "0.5", Source::Game),
            ("flat", "rollout", "uniform", Source::Kind),
            ("flat(rollout=mast)", "rollout", "mast", Source::Spec),
            ("mcts(preset=2026-11-22)", "c", "4", Source::Preset),
            ("mcts(preset=2026-11-22)", "gamma", "0.2", Source::Preset),
            ("mcts(preset=2026-11-22, c=0.7)", "c", "0.7", Source::Spec),
            ("pimc", "worlds", "10", Source::Default),
            ("pimc(worlds=3)", "worlds", "3", Source::Spec),
        ] {
            assert_eq!(value_and_source(spec, name), (value.to_owned(), source), "{spec} {name}");
        }
    }

    #[test]
    fn what_holds_at_a_table_stands_over_what_holds_in_the_game_and_under_presets_and_specs() {
        let c = |players: usize, spec: &str| {
            let spec: AgentSpec = spec.parse().unwrap();
            spec.config(Some(&GAME.at(players))).unwrap().c.to_string()
        };
        let all = |spec: &str| [2, 3, 4].map(|players| c(players, spec));
        assert_eq!(all("mcts"), ["2", "3", "2"]);
        assert_eq!(all("mcts(c=1)"), ["1"; 3]);
        assert_eq!(all("mcts(preset=2026-11-22)"), ["4"; 3]);
    }

    #[test]
    fn who_is_overruled_is_told_in_order() {
        for (spec, name, others) in [
            ("mcts", "fpu", ""),
            ("mcts", "c", "default 0.7"),
            ("mcts(c=3)", "c", "game 2, default 0.7"),
            ("flat(rollout=uniform)", "rollout", "kind uniform, game mast, default uniform"),
            ("mcts(preset=2026-11-22, c=3)", "c", "preset 4, default 0.7"),
            ("pimc(worlds=3)", "worlds", "default 10"),
        ] {
            let param = resolved_param(spec, name);
            let overruled: Vec<String> = param
                .overruled()
                .iter()
                .map(|layer| format!("{} {}", layer.who(), layer.value))
                .collect();
            assert_eq!(overruled.join(", "), others, "{spec} {name}");
        }
    }

    #[test]
    fn who_is_overruled_by_a_single_weight_is_told_by_name() {
        let overruled = |spec: &str, file: &str| {
            let mut spec: AgentSpec = spec.parse().unwrap();
            spec.supply("weights", file.to_owned());
            let params = Layers::of(spec.kind(), Some(&GAME), spec.settings()).resolved()?;
            let weight = params.into_iter().find(|param| param.is_weight).expect("a single weight");
            let layers =
                weight.by_source.iter().map(|layer| format!("{} {}", layer.who(), layer.value));
            Ok::<_, String>(layers.collect::<Vec<_>>().join(", "))
        };
        let ok = |text: &str| Ok(text.to_owned());
        assert_eq!(overruled("greedy(weights.token=2)", ""), ok("spec 2, default 1.5"));
        assert_eq!(
            overruled("greedy(weights=w.toml, weights.token=2, preset=2026-11-22)", "token = 4"),
            ok("spec 2, weights=w.toml 4, preset=2026-11-22 3, default 1.5")
        );
        assert_eq!(
            overruled("greedy(weights=w.toml, weights.token=2, preset=2026-11-22)", "# nothing"),
            ok("spec 2, preset=2026-11-22 3, default 1.5")
        );
        assert_eq!(
            overruled("greedy(weights=w.toml, weights.token=2)", "\ntoken = 10").unwrap_err(),
            "weights=\"w.toml\": line 2: token = \"10\" is out of range (accepted: 0 to 9)"
        );
        // Only another game has this weight.
        assert_eq!(
            overruled("greedy(weights.city=2)", "").unwrap_err(),
            "unknown weight \"city\" of a game (known: token)"
        );
    }

    #[test]
    fn what_is_told_is_what_is_played() {
        for spec in [
            "mcts",
            "mcts(gamma=0.2, c=1)",
            "flat",
            "one-ply(horizon=leaf)",
            "pimc",
            "clairvoyant",
            "mcts(preset=2026-11-22)",
        ] {
            let spec: AgentSpec = spec.parse().unwrap();
            let config = spec.config(Some(&GAME)).unwrap();
            for param in Layers::of(spec.kind(), Some(&GAME), spec.settings()).resolved().unwrap() {
                let played = config.value(param.param.name);
                assert!(
                    played.is_none() || played.as_ref() == param.value(),
                    "{spec}: {param:?} {played:?}"
                );
            }
        }
    }
}
