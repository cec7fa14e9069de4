//! The request of a population.

use serde::{Deserialize, Serialize};

use crate::compare::ArmRules;
use sim::config::numbers::ranged;
use sim::config::{Played, RuleSet, options_text};
use sim::document::object;

/// The request as given; missing options have defaults.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Request {
    /// Game and players.
    #[serde(flatten)]
    #[command(flatten)]
    pub played: Played,
    /// Agent with ? for each value that makes a strategy, as in 'greedy(risk=?0..1)'
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "SPEC")]
    pub agent: Option<String>,
    /// Weights of the evaluation that make a strategy also, as in '*' or 'token*,city'
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "GLOB")]
    pub weights: Option<String>,
    /// File (TOML) of the search space: ranges, scales, starts, priors, fixed values
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "FILE")]
    pub space: Option<String>,
    /// Agent that is in the population from the start, or population:DIR with all members (repeatable)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long, value_name = "SPEC")]
    pub against: Vec<String>,
    /// Personas of the game in the population from the start: the first N [default: as many as 2,000 tables allow]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = ranged::<u64>(0, 100))]
    pub personas: Option<u64>,
    /// Random corners of the space in the population from the start [default: 2]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = ranged::<u64>(0, 100))]
    pub corners: Option<u64>,
    /// Solver of the game between strategies: nash (two players), alpha-rank, projected-replicator [default: nash for
    /// two players, else projected-replicator]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,
    /// Search method of a best response: surface, cma-es, spsa, ntbea, halving, random [default: surface]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// Smallest gain of a response that matters, in points per game [default: 0.05]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "E", value_parser = crate::compare::number, allow_hyphen_values = true)]
    pub epsilon: Option<f64>,
    /// Most responses that are searched [default: 6]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = ranged::<u64>(1, 100))]
    pub rounds: Option<u64>,
    /// Independent loops with other corners and searches, whose survivors begin the reported loop; 1 is the reported
    /// loop alone [default: 1]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = ranged::<u64>(1, 100))]
    pub runs: Option<u64>,
    /// Games of the search of each response [default: 4000]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::games_kept)]
    pub games: Option<u64>,
    /// Games of the acceptance of each response [default: as --epsilon needs]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::games_kept)]
    pub confirm: Option<u64>,
    /// Games of each mixture of strategies at a table in the report [default: 200]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::games_kept)]
    pub table_games: Option<u64>,
    /// Descriptors of an archive by behaviour: two to four names of numbers at the end, of kinds of things that players
    /// take, of such things as KIND:NAME, or of means over the game, as in 'turns,cards' or 'choices:move,auction:paid'
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "A,B")]
    pub niche: Option<String>,
    /// Games of the search for the strategies of the archive [default: 10000]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::games_kept, requires = "niche")]
    pub niche_games: Option<u64>,
    /// Seed of the run; the same seed gives the same games [default: 1]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_parser = sim::config::numbers::whole)]
    pub seed: Option<u64>,
    /// Rules and settings.
    #[serde(flatten)]
    #[command(flatten)]
    pub rules: RuleSet,
    /// Rules and settings of each side over these; empty for one rule set.
    #[serde(flatten)]
    #[command(flatten)]
    pub arms: ArmRules,
}

impl Request {
    /// Returns the request with the numbers of a quick look where none are given.
    #[must_use]
    pub fn quick(self) -> Self {
        Self {
            epsilon: self.epsilon.or(Some(0.1)),
            rounds: self.rounds.or(Some(2)),
            personas: self.personas.or(Some(0)),
            corners: self.corners.or(Some(1)),
            table_games: self.table_games.or(Some(80)),
            niche_games: self.niche_games.or(self.niche.as_ref().map(|_| 4_000)),
            ..self
        }
    }

    /// Returns the command that makes this request.
    #[must_use]
    pub fn command(&self) -> String {
        format!("caesar strategies {}", options_text(object(self)))
    }
}
