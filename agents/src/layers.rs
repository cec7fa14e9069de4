//! Who says what a parameter is: the spec over the kind over the game, or a preset in its place, over the default. [`Layers`] applies that
//! order and tells it, so that what is shown is what is played.

use crate::kinds::Kind;
use crate::mcts::Variant;
use crate::mcts::config::Config;
use crate::param::{Param, Settings, Value};
use crate::playable::OfGame;
use crate::presets;

/// Who said what a parameter is, the weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// Nobody: the default.
    Default,
    /// The game.
    Game,
    /// A preset, in place of the game and the default.
    Preset,
    /// The kind of agent, which is made by fixing it.
    Kind,
    /// The spec.
    Spec,
}

impl Source {
    /// The word for people; empty for the default.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Default => "",
            Self::Game => "game",
            Self::Preset => "preset",
            Self::Kind => "kind",
            Self::Spec => "spec",
        }
    }
}

/// What a parameter is, and who said so.
#[derive(Clone, Debug)]
pub struct Told {
    /// The parameter.
    pub param: &'static Param,
    /// Whether it is one of the game's own.
    pub is_of_game: bool,
    /// Its value; `None` for a text or file that nobody named.
    pub value: Option<Value>,
    /// Who said so.
    pub source: Source,
}

/// What is said of the parameters of an agent.
#[derive(Clone, Debug)]
pub struct Layers {
    /// From the weakest to the strongest.
    layers: Vec<(Source, Settings)>,
    kind: Kind,
    game: Option<OfGame>,
}

impl Layers {
    /// What is said of the agent of this kind for which `spec` says the rest, in `game`.
    ///
    /// # Panics
    /// If the game says what no search can be told (a bug of the game).
    #[must_use]
    pub fn of(kind: Kind, game: Option<&OfGame>, spec: &Settings) -> Self {
        let mut layers = Vec::new();
        if let Some(variant) = kind.search() {
            match presets::named(spec) {
                None => layers.extend(game.map(|game| (Source::Game, game.search_settings()))),
                Some((_, general)) => {
                    let general = Config::read(general).expect("a preset says settings");
                    layers.push((Source::Preset, general));
                    let own = game.and_then(|game| game.preset_settings(spec));
                    layers.extend(own.map(|own| (Source::Preset, own)));
                }
            }
            let fixed = Config::read(variant.fixed()).expect("what a kind fixes is a setting");
            layers.push((Source::Kind, fixed));
        }
        layers.push((Source::Spec, spec.clone()));
        Self { layers, kind, game: game.copied() }
    }

    /// The settings of a search.
    #[must_use]
    pub fn config(&self, variant: Variant) -> Config {
        variant.config(&self.layers.iter().map(|(_, settings)| settings).collect::<Vec<_>>())
    }

    /// Every parameter with its value and who said so, in the order in which a spec prints them.
    pub fn tell(&self) -> impl Iterator<Item = Told> {
        let general = self.kind.params().iter().map(|param| (param, false));
        let own = self.game.iter().flat_map(|game| game.params_of(self.kind));
        general.chain(own.map(|param| (param, true))).map(move |(param, is_of_game)| {
            let said =
                self.layers.iter().rev().find_map(|(source, settings)| {
                    Some((*source, settings.get(param.name)?.clone()))
                });
            let (source, value) = said.map_or_else(
                || (Source::Default, param.default_value()),
                |(source, value)| (source, Some(value)),
            );
            Told { param, is_of_game, value, source }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presets::Preset;
    use crate::spec::AgentSpec;

    const PRESETS: &[Preset] = &[Preset { name: "bf4a058", search: "c=4", weights: "" }];
    const GAME: OfGame = OfGame {
        name: "a game",
        params: &[],
        presets: PRESETS,
        search: "c=2, rollout=mast, gamma=0.5, depth=400",
    };

    fn told(spec: &str, name: &str) -> (String, Source) {
        let spec: AgentSpec = spec.parse().unwrap();
        let layers = Layers::of(spec.kind(), Some(&GAME), spec.settings());
        let told = layers.tell().find(|told| told.param.name == name).unwrap();
        (told.value.unwrap().to_string(), told.source)
    }

    #[test]
    fn the_spec_speaks_before_the_kind_before_the_game_before_the_default() {
        for (spec, name, value, source) in [
            ("mcts", "fpu", "10", Source::Default),
            ("mcts", "c", "2", Source::Game),
            ("mcts(c=auto)", "c", "2", Source::Game),
            ("mcts(c=0.7)", "c", "0.7", Source::Spec),
            // What is the default elsewhere is still said.
            ("mcts(gamma=0.2)", "gamma", "0.2", Source::Spec),
            ("mcts", "gamma", "0.5", Source::Game),
            ("flat", "rollout", "uniform", Source::Kind),
            ("flat(rollout=mast)", "rollout", "mast", Source::Spec),
            ("mcts(preset=bf4a058)", "c", "4", Source::Preset),
            ("mcts(preset=bf4a058)", "gamma", "0.2", Source::Preset),
            ("mcts(preset=bf4a058, c=0.7)", "c", "0.7", Source::Spec),
            ("pimc", "worlds", "10", Source::Default),
            ("pimc(worlds=3)", "worlds", "3", Source::Spec),
        ] {
            assert_eq!(told(spec, name), (value.to_owned(), source), "{spec} {name}");
        }
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
            "mcts(preset=bf4a058)",
        ] {
            let spec: AgentSpec = spec.parse().unwrap();
            let config = spec.config(Some(&GAME)).unwrap();
            for told in Layers::of(spec.kind(), Some(&GAME), spec.settings()).tell() {
                let played = config.value(told.param.name);
                assert!(played.is_none() || played == told.value, "{spec}: {told:?} {played:?}");
            }
        }
    }
}
