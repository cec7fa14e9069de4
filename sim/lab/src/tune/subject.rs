//! The subject of a search: an agent, or the rules.

use std::collections::BTreeMap;

use agents::{AgentSpec, OfGame};

use super::entrants::{Entrants, are_reproducible};
use super::request::Request;
use super::rule_set::RuleSet;
use super::space::{Point, Space};
use super::target::Aim;
use sim::catalogue::Setup;
use sim::document::ReadFile;
use sim::error::Error;

/// The tuned agent or rules, and the other agents.
#[derive(Clone, Debug)]
pub enum Subject {
    /// An agent.
    Agent(Entrants),
    /// The rules.
    Rules(RuleSet),
}

impl Subject {
    /// Returns the hashes of the files of all external programs, by the words of their commands that name them.
    #[must_use]
    pub fn program_files(&self) -> BTreeMap<String, String> {
        let files = |specs: &[AgentSpec]| -> Vec<(String, String)> {
            specs.iter().flat_map(AgentSpec::program_files).collect()
        };
        let (own, others) = match self {
            Self::Agent(all) => {
                let start = all.agent(&all.space.start()).map(|agent| agent.program_files());
                let own = [files(&all.listed), start.unwrap_or_default()].concat();
                (own, [files(&all.against), files(&all.held_out)])
            }
            Self::Rules(rule_set) => (
                rule_set.agent.program_files(),
                [files(&rule_set.against), files(&rule_set.held_out)],
            ),
        };
        own.into_iter().chain(others.into_iter().flatten()).collect()
    }

    /// Reads the subject of a search; `setup` has the fixed rules.
    ///
    /// # Errors
    /// At the first invalid value.
    pub(super) fn read(
        request: &Request,
        setup: &Setup,
        game: &OfGame,
        read: ReadFile<'_>,
    ) -> Result<Self, Error> {
        if request.rules.settings.iter().any(|setting| super::rule_set::is_open(setting)) {
            return Ok(Self::Rules(RuleSet::read(request, setup, game, read)?));
        }
        if let Some(target) = &request.target {
            let message = "it is for open rules, and no rule is open, as in KEY=?5..30";
            return Err(Error::value("target", target, message));
        }
        Ok(Self::Agent(super::entrants::entrants(request, game, read)?))
    }

    /// Returns the search space.
    #[must_use]
    pub const fn space(&self) -> &Space {
        match self {
            Self::Agent(entrants) => &entrants.space,
            Self::Rules(rule_set) => &rule_set.space,
        }
    }

    /// Returns a point in the form that commands accept: the spec of an agent, or settings of rules.
    ///
    /// # Errors
    /// If a value is refused.
    pub fn spelled(&self, point: &Point) -> Result<String, Error> {
        match self {
            Self::Agent(entrants) => Ok(entrants.agent(point)?.to_string()),
            Self::Rules(rule_set) => Ok(rule_set.spelled(point)),
        }
    }

    /// Returns the target of a block's parts at a table of `players`, for rules.
    #[must_use]
    pub fn aim(&self, players: usize) -> Option<Aim> {
        match self {
            Self::Agent(_) => None,
            Self::Rules(rule_set) => Some(rule_set.target.aim(players)),
        }
    }

    /// Returns the text of the subject, as given.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Agent(entrants) => entrants.template.text().to_owned(),
            Self::Rules(rule_set) => format!("rules for {}", rule_set.target.text()),
        }
    }

    /// Returns true if a list of candidates replaces open values.
    #[must_use]
    pub const fn is_list(&self) -> bool {
        matches!(self, Self::Agent(Entrants { listed, .. }) if !listed.is_empty())
    }

    /// Returns true if repeated games have the same results.
    #[must_use]
    pub fn is_reproducible(&self) -> bool {
        match self {
            Self::Agent(entrants) => entrants.is_reproducible(),
            Self::Rules(rule_set) => {
                are_reproducible(std::iter::once(&rule_set.agent).chain(&rule_set.against))
            }
        }
    }

    /// Returns the held-out agents, as text.
    #[must_use]
    pub fn held_out(&self) -> Vec<String> {
        let specs = match self {
            Self::Agent(entrants) => &entrants.held_out,
            Self::Rules(rule_set) => &rule_set.held_out,
        };
        specs.iter().map(ToString::to_string).collect()
    }

    /// Returns the names and texts of the files that were read.
    #[must_use]
    pub fn files(&self) -> &[(String, String)] {
        match self {
            Self::Agent(entrants) => &entrants.files,
            Self::Rules(rule_set) => &rule_set.files,
        }
    }

    /// Returns the number of games in a block at a table of `players`.
    #[must_use]
    pub const fn games_per_block(&self, players: usize) -> u64 {
        match self {
            Self::Agent(_) => players as u64,
            Self::Rules(rule_set) => rule_set.target.games_per_block(players),
        }
    }
}
