//! The request of a search.

use serde::{Deserialize, Serialize};

use sim::config::{Played, RuleSet, helped, options_text};
use sim::document::object;

/// The help text of `--set` for a command with open rules.
const OPEN_RULES: &str =
    "Change one rule, as in options.rounds=5, or tune it, as in options.rounds=?3..7 (repeatable)";

/// The request as given; missing options have defaults.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[command(mut_args(helped("set", OPEN_RULES)))]
pub struct Request {
    /// Game and players.
    #[serde(flatten)]
    #[command(flatten)]
    pub played: Played,
    /// Agent with ? for each value to tune, as in 'mcts(iterations=200, c=?0.1..2)'
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "SPEC")]
    pub agent: Option<String>,
    /// Agent of a list to race, instead of --agent; the first is the start (repeatable)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long, value_name = "SPEC")]
    pub candidate: Vec<String>,
    /// Weights of the evaluation to tune also, as in '*' or 'token*,city'
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "GLOB")]
    pub weights: Option<String>,
    /// File (TOML) of the search space: ranges, scales, starts, priors, fixed values
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "FILE")]
    pub space: Option<String>,
    /// Opponent of the pool, each in turn; population:DIR draws its members by weight (repeatable)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long, value_name = "SPEC")]
    pub against: Vec<String>,
    /// Held-out opponent: no candidate is tuned against it, and the report tests the gain (repeatable)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long, value_name = "SPEC")]
    pub held_out: Vec<String>,
    /// Target of tuned rules: seat-fairness, length=NUMBER, pick-rate:NAME=RATE, share=SHARE
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "TARGET")]
    pub target: Option<String>,
    /// Search method: surface, cma-es, spsa, ntbea, halving, random, racing [default: surface; racing for a list]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// Games of the search and the play-off together [default: 10000]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::games_kept)]
    pub games: Option<u64>,
    /// Games of each side in the report [default: a quarter of --games]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::games_kept)]
    pub confirm: Option<u64>,
    /// Stop at the first game that a candidate forfeits, report it, and exit with code 1 (a forfeit of an opponent
    /// always stops)
    #[serde(skip)]
    #[arg(long)]
    pub stop_at_fault: bool,
    /// Number of independent searches that share the games [default: 3 for ntbea, else 1]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::whole)]
    pub runs: Option<u64>,
    /// Seed of the run; the same seed gives the same games [default: 1]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_parser = sim::config::numbers::whole)]
    pub seed: Option<u64>,
    /// Rules and settings.
    #[serde(flatten)]
    #[command(flatten)]
    pub rules: RuleSet,
}

impl Request {
    /// Returns the command that makes this request.
    #[must_use]
    pub fn command(&self) -> String {
        format!("caesar tune {}", options_text(object(self)))
    }
}
