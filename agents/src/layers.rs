//! Who says what a parameter is: the spec over the kind over the game over the default. [`Layers`] applies that
//! order and tells it, so that what is shown is what is played.

use crate::kinds::Kind;
use crate::mcts::Variant;
use crate::mcts::config::Config;
use crate::param::{Param, Settings, Value};
use crate::playable::OfGame;

/// Who said what a parameter is, the weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// Nobody: the default.
    Default,
    /// The game.
    Game,
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

/// What is said of the parameters of a kind in a game, before a spec says anything.
#[derive(Clone, Debug)]
pub struct Layers {
    /// From the weakest to the strongest.
    layers: Vec<(Source, Settings)>,
    kind: Kind,
    game: Option<OfGame>,
}

impl Layers {
    /// What is said of `kind` in `game`.
    ///
    /// # Panics
    /// If the game says what no search can be told (a bug of the game).
    #[must_use]
    pub fn of(kind: Kind, game: Option<&OfGame>) -> Self {
        let mut layers = Vec::new();
        if let Some(variant) = kind.search() {
            layers.extend(game.map(|game| (Source::Game, game.search_settings())));
            let fixed = Config::read(variant.fixed()).expect("what a kind fixes is a setting");
            layers.push((Source::Kind, fixed));
        }
        Self { layers, kind, game: game.copied() }
    }

    /// The settings of a search where `spec` says the rest.
    #[must_use]
    pub fn config(&self, variant: Variant, spec: &Settings) -> Config {
        let below = self.layers.iter().map(|(_, settings)| settings);
        variant.config(&below.chain([spec]).collect::<Vec<_>>())
    }

    /// Every parameter with its value and who said so, in the order in which a spec prints them.
    pub fn tell(&self, spec: &Settings) -> impl Iterator<Item = Told> {
        let general = self.kind.params().iter().map(|param| (param, false));
        let own = self.game.iter().flat_map(|game| game.params_of(self.kind));
        general.chain(own.map(|param| (param, true))).map(move |(param, is_of_game)| {
            let below = self.layers.iter().map(|(source, settings)| (*source, settings));
            let said = below
                .chain([(Source::Spec, spec)])
                .filter_map(|(source, settings)| Some((source, settings.get(param.name)?.clone())))
                .next_back();
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
    use crate::spec::AgentSpec;

    const GAME: OfGame =
        OfGame { name: "a game", params: &[], search: "c=2, rollout=mast, gamma=0.5, depth=400" };

    fn told(spec: &str, name: &str) -> (String, Source) {
        let spec: AgentSpec = spec.parse().unwrap();
        let layers = Layers::of(spec.kind(), Some(&GAME));
        let told = layers.tell(spec.settings()).find(|told| told.param.name == name).unwrap();
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
            ("pimc", "worlds", "10", Source::Default),
            ("pimc(worlds=3)", "worlds", "3", Source::Spec),
        ] {
            assert_eq!(told(spec, name), (value.to_owned(), source), "{spec} {name}");
        }
    }

    #[test]
    fn what_is_told_is_what_is_played() {
        for spec in
            ["mcts", "mcts(gamma=0.2, c=1)", "flat", "one-ply(cut=leaf)", "pimc", "clairvoyant"]
        {
            let spec: AgentSpec = spec.parse().unwrap();
            let config = spec.config(Some(&GAME)).unwrap();
            for told in Layers::of(spec.kind(), Some(&GAME)).tell(spec.settings()) {
                let played = config.value(told.param.name);
                assert!(played.is_none() || played == told.value, "{spec}: {told:?} {played:?}");
            }
        }
    }
}
