//! Machine-readable documents; their keys are promised in the help and do not change.

use agents::{AgentSpec, SearchTally};
use engine::rules::Change;
use serde::Serialize;

use super::ratings;
use super::standings::{rank_interval, score_interval};
use crate::config::Plan;
use crate::document::document;
use crate::stats::relations::Report;
use crate::stats::{Standing, Standings};

#[derive(Serialize)]
struct Summary<'a, R> {
    game: &'a str,
    players: usize,
    blocks: u64,
    games: u64,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    agents: Vec<AgentRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratings: Option<R>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    changed_rules: &'a [Change],
}

#[derive(Serialize)]
struct AgentRow {
    spec: String,
    games: u64,
    share: f64,
    low: f64,
    high: f64,
    mean_score: f64,
    mean_rank: f64,
    interval: &'static str,
    blocks: u64,
    score_low: Option<f64>,
    score_high: Option<f64>,
    rank_low: f64,
    rank_high: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    cheats: bool,
    #[serde(skip_serializing_if = "is_false")]
    timed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<SearchRow>,
}

/// What an agent searched, in means over its decisions and counts of them.
#[derive(Serialize)]
struct SearchRow {
    decisions: u64,
    iterations: u64,
    mean_depth: f64,
    with_plans: u64,
    left_plans: u64,
    #[serde(skip_serializing_if = "is_zero")]
    limited: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_false(value: &bool) -> bool {
    !*value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_zero(value: &u64) -> bool {
    *value == 0
}

fn search_row(tally: SearchTally) -> Option<SearchRow> {
    (tally.decisions > 0).then(|| SearchRow {
        decisions: tally.decisions,
        iterations: tally.iterations,
        mean_depth: tally.mean_depth(),
        with_plans: tally.with_plans,
        left_plans: tally.left_plans,
        limited: tally.limited,
    })
}

fn agent_row(plan: &Plan, line: &Standing) -> AgentRow {
    let (score, rank) = (score_interval(line), rank_interval(line));
    let agent = plan.lineup.iter().find(|agent| agent.name() == line.name);
    let caveat = plan.caveat(&line.name);
    AgentRow {
        spec: agent.map_or_else(|| line.name.clone(), ToString::to_string),
        games: line.games,
        share: line.share,
        low: line.interval.low,
        high: line.interval.high,
        mean_score: line.score,
        mean_rank: line.rank,
        interval: line.method.name(),
        blocks: line.blocks,
        score_low: score.map(|interval| interval.low),
        score_high: score.map(|interval| interval.high),
        rank_low: rank.low,
        rank_high: rank.high,
        label: agent.and_then(AgentSpec::label).map(str::to_owned),
        cheats: caveat.cheats,
        timed: caveat.is_timed,
        search: search_row(line.searched),
    }
}

/// The result of a tournament; `seconds` is left out where the document must be reproducible, `relations` where
/// nobody asks how the agents stand to each other.
#[must_use]
pub fn tournament(
    plan: &Plan,
    standings: &Standings,
    seconds: Option<f64>,
    relations: Option<&Report>,
) -> String {
    document(&Summary {
        game: &plan.setup.game,
        players: plan.players,
        blocks: standings.blocks(),
        games: standings.games(),
        seed: plan.seed,
        seconds,
        agents: standings.table().iter().map(|line| agent_row(plan, line)).collect(),
        ratings: relations.map(ratings::lines),
        changed_rules: &plan.changes,
    })
}
