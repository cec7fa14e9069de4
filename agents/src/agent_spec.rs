//! The requested agent: [`AgentSpec`]. Reading and writing stand in [`crate::spec`].

use std::path::PathBuf;

use serde_json::Value as Json;

use crate::evaluators::SharedEvaluator;
use crate::external::{ChoiceTimes, ExternalParams, TimeSummary};
use crate::kinds::{CLOCK, COMMAND, CWD, ENV, Kind, LOG, REVEAL, SECONDS, VERSION};
use crate::layers::Layers;
use crate::mcts::config::{Config, Origin};
use crate::of_game::OfGame;
use crate::param::{Settings, Value};

/// A requested agent: its kind and the explicit parameters.
///
/// # Example
/// ```
/// let spec: agents::AgentSpec = "greedy( epsilon = 0.10 )".parse()?;
/// assert_eq!(spec.to_string(), "greedy(epsilon=0.1)");
/// # Ok::<(), agents::BadSpec>(())
/// ```
#[derive(Clone, Debug)]
pub struct AgentSpec {
    /// The label that the user chose.
    pub(crate) label: Option<String>,
    pub(crate) kind: Kind,
    pub(crate) settings: Settings,
    /// The overrides of the default rules, for external agents.
    pub(crate) rules: Json,
    /// The evaluator of a search, if it is no embedded one.
    pub(crate) evaluator: Option<SharedEvaluator>,
    /// The times of an external agent's choices; clones of the spec share them.
    pub(crate) times: ChoiceTimes,
}

impl From<Kind> for AgentSpec {
    fn from(kind: Kind) -> Self {
        let rules = Json::Object(serde_json::Map::new());
        Self {
            label: None,
            kind,
            settings: Settings::default(),
            rules,
            evaluator: None,
            times: ChoiceTimes::default(),
        }
    }
}

impl AgentSpec {
    /// Returns the label: `fast` in `fast=mcts(iterations=100)`.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    /// Returns the name in tables: the label, or the canonical spec if there is none.
    #[must_use]
    pub fn name(&self) -> String {
        self.label.clone().unwrap_or_else(|| self.to_string())
    }

    /// Returns the canonical spec after the label, if there is one. Read again, it gives the same agent and name.
    #[must_use]
    pub fn with_label(&self) -> String {
        self.label.as_ref().map_or_else(|| self.to_string(), |label| format!("{label}={self}"))
    }

    /// Returns the kind of agent.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the explicit parameters.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the files that the spec names: parameter and path.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.settings.files().map(|(name, path, _)| (name, path))
    }

    /// Supplies the text of the file that parameter `name` names.
    pub fn supply(&mut self, name: &'static str, text: String) {
        self.settings.supply(name, text);
    }

    /// Supplies the overrides of the default rules, for agents outside this process.
    pub fn supply_rules(&mut self, overrides: Json) {
        self.rules = overrides;
    }

    /// Supplies the evaluator that the parameter `evaluator` names, in place of an embedded one of this name.
    pub fn supply_evaluator(&mut self, evaluator: SharedEvaluator) {
        self.evaluator = Some(evaluator);
    }

    /// Returns whether the agent is a search.
    #[must_use]
    pub const fn is_search(&self) -> bool {
        self.kind.is_search()
    }

    /// Returns whether the agent is a search with a time limit. Two runs of it can differ.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.is_search() && Config::default().with(&self.settings).time().is_some()
    }

    /// Returns whether the agent keeps memory from game to game. Then only a new agent decides without a past.
    #[must_use]
    pub fn remembers_games(&self) -> bool {
        self.is_search() && Config::default().with(&self.settings).origin == Origin::Start
    }

    /// Returns whether the agent is an external program. Its play cannot be guaranteed to be reproducible.
    #[must_use]
    pub const fn is_external(&self) -> bool {
        self.kind.is_external()
    }

    /// Returns the settings of the search, with the defaults of `game`; `None` if the agent is no search.
    ///
    /// # Panics
    /// If the game sets a value that no search accepts (a bug of the game).
    #[must_use]
    pub fn config(&self, game: Option<&OfGame>) -> Option<Config> {
        self.kind
            .search()
            .map(|variant| Layers::of(self.kind, game, &self.settings).config(variant))
    }

    /// Returns the command of an external agent.
    #[must_use]
    pub fn command(&self) -> Option<&str> {
        self.settings.text(&COMMAND)
    }

    /// Returns the times of the choices of an external agent in all games so far; `None` before the first.
    #[must_use]
    pub fn choice_times(&self) -> Option<TimeSummary> {
        self.times.summary()
    }

    pub(crate) fn external(&self) -> Result<ExternalParams, String> {
        let needed = "command is missing, as in external(command=\"python3 bot.py\")";
        let command = self.command().ok_or(needed)?.to_owned();
        Ok(ExternalParams {
            name: self.name(),
            command,
            cwd: self.settings.text(&CWD).map(str::to_owned),
            env: self.settings.text(&ENV).map(str::to_owned),
            seconds: self.settings.number(&SECONDS),
            clock: self.settings.text(&CLOCK).map(str::parse).transpose()?,
            version: self.settings.whole(&VERSION),
            reveals: self.settings.get(REVEAL.name) == Some(&Value::Switch(true)),
            log: self.settings.text(&LOG).map(PathBuf::from),
            rules: self.rules.clone(),
            times: self.times.clone(),
        })
    }
}
