//! The agent parameters and defaults of a game, as data: [`OfGame`].

use crate::kinds::Kind;
use crate::mcts::Config;
use crate::param::{Audience, Domain, Knob, Param, Rows, Settings, WeightLayer};
use crate::presets::{self, Preset};

/// The parameter for weights of an evaluation, for games with weights.
pub const WEIGHTS: Knob = Knob {
    param: Param {
        name: "weights",
        domain: Domain::File,
        default: "",
        is_games: false,
        unit: "",
        meaning: "weights of the evaluation, over those it has otherwise; weights.NAME=VALUE says one in the spec, over the file",
    },
    audience: Audience::Evaluators,
};

/// The source name for weights that the game sets for its searches.
pub const SEARCHES: &str = "searches";
/// The source name for weights that the game sets for its greedy agent, by number of players.
pub const TABLE: &str = "table";

/// The persona of the default weights, where a game has personas.
pub(crate) const BALANCED: &str = "balanced";

/// The agent parameters and defaults of a game.
#[derive(Clone, Copy, Debug)]
pub struct OfGame {
    /// The name of the game.
    pub name: &'static str,
    /// The game's parameters: [`Playable::PARAMS`](crate::Playable::PARAMS).
    pub params: &'static [Knob],
    /// The game's defaults of a search: [`Playable::SEARCH`](crate::Playable::SEARCH).
    pub search: &'static str,
    /// The defaults that replace them, by number of players: [`Playable::SEARCH_AT`](crate::Playable::SEARCH_AT).
    pub search_at: &'static [(usize, &'static str)],
    /// The game's part of each preset: [`Weighted::PRESETS`](crate::Weighted::PRESETS).
    pub presets: &'static [Preset],
    /// The game's weights: [`Weighted::weights`](crate::Weighted::weights).
    pub weights: fn() -> Rows,
    /// The number of players, set by [`OfGame::at`].
    pub players: usize,
    /// The layers of weights for the greedy agent, by number of players:
    /// [`Weighted::greedy_weight_layers`](crate::Weighted::greedy_weight_layers).
    pub greedy_weight_layers: fn(&Settings, usize) -> Vec<WeightLayer<'_>>,
    /// The layers of weights for searches, by number of players:
    /// [`Weighted::search_weight_layers`](crate::Weighted::search_weight_layers).
    pub search_weight_layers: fn(&Settings, usize) -> Vec<WeightLayer<'_>>,
}

impl OfGame {
    /// Returns the declarations for a table of `players`.
    #[must_use]
    pub const fn at(self, players: usize) -> Self {
        Self { players, ..self }
    }

    /// Returns the game's parameters for agents of this kind.
    pub fn params_of(self, kind: Kind) -> impl Iterator<Item = &'static Param> {
        let meant = move |knob: &&Knob| kind.is_among(knob.audience);
        self.params.iter().filter(meant).map(|knob| &knob.param)
    }

    /// Returns the parameter that selects a persona for agents of this kind, if the game has personas.
    #[must_use]
    pub fn persona_of(self, kind: Kind) -> Option<&'static Param> {
        self.params_of(kind)
            .find(|param| matches!(param.domain, Domain::Choice(_)) && param.default == BALANCED)
    }

    /// Returns the weights that a spec for agents of this kind can set.
    #[must_use]
    pub fn weights_of(self, kind: Kind) -> Rows {
        let has_weights = self.params_of(kind).any(|param| param.name == WEIGHTS.param.name);
        if has_weights { (self.weights)() } else { Rows::default() }
    }

    /// Returns whether agents of this kind use the weight called `name`. Only searches use weights that begin with
    /// `logistic_scale`, which convert leads to probabilities.
    #[must_use]
    pub fn reads(self, kind: Kind, name: &str) -> bool {
        kind.search().is_some() || !name.starts_with("logistic_scale")
    }

    /// Returns the layers of weights below the spec for agents of this kind, the strongest first.
    #[must_use]
    pub fn weight_layers_of(self, kind: Kind, settings: &Settings) -> Vec<WeightLayer<'_>> {
        match kind.search() {
            Some(_) => (self.search_weight_layers)(settings, self.players),
            None => (self.greedy_weight_layers)(settings, self.players),
        }
    }

    /// Returns the game's defaults of a search.
    ///
    /// # Panics
    /// If they are not in the form of a spec (a bug of the game, which a test would show).
    #[must_use]
    pub fn search_settings(self) -> Settings {
        self.read(self.search)
    }

    /// Returns the search defaults for a table of [`OfGame::players`], if there are any.
    ///
    /// # Panics
    /// As [`OfGame::search_settings`].
    #[must_use]
    pub fn search_settings_of_table(self) -> Option<Settings> {
        let (_, text) = self.search_at.iter().find(|(players, _)| *players == self.players)?;
        Some(self.read(text))
    }

    /// Returns the game's part of the preset that `spec` names, if there is one.
    ///
    /// # Panics
    /// As [`OfGame::search_settings`].
    #[must_use]
    pub fn preset_settings(self, spec: &Settings) -> Option<Settings> {
        presets::of_game(spec, self.presets).map(|preset| self.read(preset.search))
    }

    fn read(self, text: &str) -> Settings {
        let read = Config::read(text);
        read.unwrap_or_else(|complaint| panic!("the search of {}: {complaint}", self.name))
    }
}
