//! What a game says of the parameters of agents, as data: [`OfGame`].

use crate::kinds::Kind;
use crate::mcts::Config;
use crate::param::{Audience, Domain, Knob, Param, Rows, Settings, WeightLayer};
use crate::presets::{self, Preset};

/// Weights of an evaluation, for a game that has some.
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

/// In the place of a parameter: who says something of weights is the game, to its searches.
pub const SEARCHES: &str = "searches";
/// The same: to its greedy agent, by the number of players.
pub const TABLE: &str = "table";

/// What a game says of the parameters of agents.
#[derive(Clone, Copy, Debug)]
pub struct OfGame {
    /// The name of the game.
    pub name: &'static str,
    /// Its own parameters: [`Playable::PARAMS`](crate::Playable::PARAMS).
    pub params: &'static [Knob],
    /// Its own defaults of a search: [`Playable::SEARCH`](crate::Playable::SEARCH).
    pub search: &'static str,
    /// What it says over them at tables of so many: [`Playable::SEARCH_AT`](crate::Playable::SEARCH_AT).
    pub search_at: &'static [(usize, &'static str)],
    /// What it adds to presets: [`Weighted::PRESETS`](crate::Weighted::PRESETS).
    pub presets: &'static [Preset],
    /// Its weights: [`Weighted::weights`](crate::Weighted::weights).
    pub weights: fn() -> Rows,
    /// How many players are meant: [`OfGame::at`].
    pub players: usize,
    /// Who says something of them beside the spec, at a table of so many:
    /// [`Weighted::greedy_weight_layers`](crate::Weighted::greedy_weight_layers).
    pub greedy_weight_layers: fn(&Settings, usize) -> Vec<WeightLayer<'_>>,
    /// The same for searches: [`Weighted::search_weight_layers`](crate::Weighted::search_weight_layers).
    pub search_weight_layers: fn(&Settings) -> Vec<WeightLayer<'_>>,
}

impl OfGame {
    /// What it says at a table of `players`.
    #[must_use]
    pub const fn at(self, players: usize) -> Self {
        Self { players, ..self }
    }

    /// Its own parameters that are for agents of this kind.
    pub fn params_of(self, kind: Kind) -> impl Iterator<Item = &'static Param> {
        let meant = move |knob: &&Knob| kind.is_among(knob.audience);
        self.params.iter().filter(meant).map(|knob| &knob.param)
    }

    /// The weights of which a spec for agents of this kind can say single ones.
    #[must_use]
    pub fn weights_of(self, kind: Kind) -> Rows {
        let has_weights = self.params_of(kind).any(|param| param.name == WEIGHTS.param.name);
        if has_weights { (self.weights)() } else { Rows::default() }
    }

    /// Whether agents of this kind read the weight called `name`: what begins with `logistic_scale` turns leads into
    /// chances, which searches alone do.
    #[must_use]
    pub fn reads(self, kind: Kind, name: &str) -> bool {
        kind.search().is_some() || !name.starts_with("logistic_scale")
    }

    /// Who says something of the weights of agents of this kind beside the spec, the strongest first.
    #[must_use]
    pub fn weight_layers_of(self, kind: Kind, settings: &Settings) -> Vec<WeightLayer<'_>> {
        match kind.search() {
            Some(_) => (self.search_weight_layers)(settings),
            None => (self.greedy_weight_layers)(settings, self.players),
        }
    }

    /// Its own defaults of a search.
    ///
    /// # Panics
    /// If they are not written as a spec is (a bug of the game, which a test would show).
    #[must_use]
    pub fn search_settings(self) -> Settings {
        self.read(self.search)
    }

    /// What it says over them at a table of [`OfGame::players`], if it says anything.
    ///
    /// # Panics
    /// As [`OfGame::search_settings`].
    #[must_use]
    pub fn search_settings_of_table(self) -> Option<Settings> {
        let (_, text) = self.search_at.iter().find(|(players, _)| *players == self.players)?;
        Some(self.read(text))
    }

    /// What it adds to the preset that `spec` names, if it adds anything.
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
