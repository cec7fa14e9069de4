//! The request of a search.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use sim::config::{Played, RuleSet, helped, options_said};

/// The help text of `--set` for a command with open rules.
const OPEN_RULES: &str = "Change one rule, as in options.rounds=5, or leave it open, as in options.rounds=?3..7 (repeatable)";

/// The request as given; missing options have defaults.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[command(mut_args(helped("set", OPEN_RULES)))]
pub struct Request {
    /// Game and players.
    #[serde(flatten)]
    #[command(flatten)]
    pub played: Played,
    /// The agent with ? in place of the values to tune, as in 'mcts(iterations=200, c=?0.1..2)'
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "SPEC")]
    pub agent: Option<String>,
    /// An agent of a list to race, in place of --agent; the first one is the start (repeatable)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long, value_name = "SPEC")]
    pub candidate: Vec<String>,
    /// Tune the weights of the evaluation with these names, too, as in '*' or 'token*'
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "GLOB")]
    pub weights: Option<String>,
    /// A file (TOML) that says what is tuned: ranges, scales, starts, priors, fixed values
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "FILE")]
    pub space: Option<String>,
    /// An opponent of the pool, which fills all other seats in turn (repeatable)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long, value_name = "SPEC")]
    pub against: Vec<String>,
    /// An opponent that nothing is tuned against: the report says whether the gain holds (repeatable)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long, value_name = "SPEC")]
    pub held_out: Vec<String>,
    /// What open rules are tuned for: seat-fairness, length=NUMBER, pick-rate:NAME=RATE, share=SHARE
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "TARGET")]
    pub target: Option<String>,
    /// How: surface, cma-es, spsa, ntbea, halving, random, racing [default: surface; racing for a
    /// list]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// Games of searching and choosing together [default: 10000]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::games_kept)]
    pub games: Option<u64>,
    /// Games of each side in the report [default: a quarter of --games]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::games_kept)]
    pub confirm: Option<u64>,
    /// End at the first game that a candidate forfeits, say who and why, and exit with 1; opponents that forfeit always
    /// end a search
    #[serde(skip)]
    #[arg(long)]
    pub stop_at_fault: bool,
    /// Independent searches that divide the games [default: 3 for ntbea, else 1]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::whole)]
    pub runs: Option<u64>,
    /// Seed: the same seed gives the same games [default: 1]
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
        let said = match serde_json::to_value(self) {
            Ok(Json::Object(said)) => said,
            _ => Map::new(),
        };
        format!("caesar tune {}", options_said(said))
    }
}
