//! An agent as it was asked for: [`AgentSpec`]. How it is read and written stands in [`crate::spec`].

use serde_json::Value as Json;

use crate::external::ExternalParams;
use crate::kinds::{COMMAND, Kind, SECONDS};
use crate::layers::Layers;
use crate::mcts::config::{Config, Origin};
use crate::of_game::OfGame;
use crate::param::Settings;

/// An agent as it was asked for: a kind and the parameters that were said.
///
/// # Example
/// ```
/// let spec: agents::AgentSpec = "greedy( epsilon = 0.10 )".parse()?;
/// assert_eq!(spec.to_string(), "greedy(epsilon=0.1)");
/// # Ok::<(), agents::BadSpec>(())
/// ```
#[derive(Clone, Debug)]
pub struct AgentSpec {
    /// What somebody called it.
    pub(crate) label: Option<String>,
    pub(crate) kind: Kind,
    pub(crate) settings: Settings,
    /// The overrides of the default rules, for agents that must be told.
    pub(crate) rules: Json,
}

impl From<Kind> for AgentSpec {
    fn from(kind: Kind) -> Self {
        let rules = Json::Object(serde_json::Map::new());
        Self { label: None, kind, settings: Settings::default(), rules }
    }
}

impl AgentSpec {
    /// What somebody called the agent: `fast` in `fast=mcts(iterations=100)`.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    /// What tables call the agent: its label, or its canonical spec if it has none.
    #[must_use]
    pub fn name(&self) -> String {
        self.label.clone().unwrap_or_else(|| self.to_string())
    }

    /// The canonical spec after the label, if there is one: what gives the same agent with the same name again.
    #[must_use]
    pub fn with_label(&self) -> String {
        self.label.as_ref().map_or_else(|| self.to_string(), |label| format!("{label}={self}"))
    }

    /// The kind of agent.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// What was said.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The files that the spec names: parameter and path.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.settings.files().map(|(name, path, _)| (name, path))
    }

    /// Hands over the text of the file that parameter `name` names.
    pub fn supply(&mut self, name: &'static str, text: String) {
        self.settings.supply(name, text);
    }

    /// Hands over what differs from the default rules, for agents that know them only by being told.
    pub fn supply_rules(&mut self, overrides: Json) {
        self.rules = overrides;
    }

    /// Whether the agent is a search.
    #[must_use]
    pub const fn is_search(&self) -> bool {
        self.kind.is_search()
    }

    /// Whether the agent is a search that goes on for a time: no two runs of it are alike.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.is_search() && Config::default().with(&self.settings).time().is_some()
    }

    /// Whether the agent remembers one game in the next, so that only a new one takes a decision without a past.
    #[must_use]
    pub fn remembers_games(&self) -> bool {
        self.is_search() && Config::default().with(&self.settings).origin == Origin::Start
    }

    /// Whether the agent is another program, whose play nobody here can promise anything of.
    #[must_use]
    pub const fn is_external(&self) -> bool {
        self.kind.is_external()
    }

    /// The settings of the search that it is, where a game says this of searches; `None` if it is no search.
    ///
    /// # Panics
    /// If the game says what no search can be told (a bug of the game).
    #[must_use]
    pub fn config(&self, game: Option<&OfGame>) -> Option<Config> {
        self.kind
            .search()
            .map(|variant| Layers::of(self.kind, game, &self.settings).config(variant))
    }

    pub(crate) fn external(&self) -> Result<ExternalParams, String> {
        let needed = "command is missing, as in external(command=\"python3 bot.py\")";
        let command = self.settings.text(&COMMAND).ok_or(needed)?.to_owned();
        let seconds = self.settings.number(&SECONDS);
        Ok(ExternalParams { name: self.name(), command, seconds, rules: self.rules.clone() })
    }
}
