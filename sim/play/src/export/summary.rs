//! `summary.json`: the standings of a run, and the document of `tournament --json`.
//!
//! The help documents the keys, and they do not change.

use std::io::{self, Write};

use agents::{AgentSpec, SearchTally};
use engine::rules::Change;
use serde::Serialize;
use serde_json::Value as Json;

use super::{End, Exporter, Format, Resume};
use crate::config::Plan;
use crate::document::document;
use crate::stats::luck::AgentLuck;
use crate::stats::wins::Rate;
use crate::stats::{Interval, Next, Standing, Standings};

/// The name of the file.
pub const FILE: &str = "summary.json";

/// The format `summary.json`.
pub const FORMAT: Format = Format {
    file: FILE,
    option: None,
    resume: Resume::AtEnd,
    is_rated: false,
    exporter: |run| Ok(Box::new(Totals(run.plan.clone()))),
};

#[derive(Serialize)]
struct Summary<'a, P: Serialize> {
    game: &'a str,
    players: usize,
    blocks: u64,
    games: u64,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    agents: Vec<AgentRow>,
    #[serde(flatten)]
    more: More<P>,
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
    wins: u64,
    draws: u64,
    losses: u64,
    seats: Vec<Option<SeatRow>>,
    score_low: Option<f64>,
    score_high: Option<f64>,
    rank_low: f64,
    rank_high: f64,
    low_together: f64,
    high_together: f64,
    next_p: Option<f64>,
    met_next: Option<bool>,
    next_difference: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    cheats: bool,
    #[serde(skip_serializing_if = "is_false")]
    timed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<SearchRow>,
}

/// The share of points of an agent in a seat.
#[derive(Serialize)]
struct SeatRow {
    games: u64,
    share: f64,
    low: f64,
    high: f64,
    interval: &'static str,
    low_together: f64,
    high_together: f64,
}

fn seat_row(rate: Rate) -> SeatRow {
    let Interval { low, high } = rate.interval;
    let interval = rate.method.name();
    let Interval { low: low_together, high: high_together } = rate.together;
    SeatRow {
        games: rate.count,
        share: rate.mean,
        low,
        high,
        interval,
        low_together,
        high_together,
    }
}

/// The search counts of an agent, as means over its decisions and totals.
#[derive(Serialize)]
struct SearchRow {
    decisions: u64,
    iterations: u64,
    mean_depth: f64,
    with_macros: u64,
    left_macros: u64,
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
        with_macros: tally.with_macros,
        left_macros: tally.left_macros,
        limited: tally.limited,
    })
}

fn agent_row(plan: &Plan, standings: &Standings, row: &Standing) -> AgentRow {
    let (score, rank) = (row.score_interval(), row.mean_rank_interval());
    let agent = plan.lineup.iter().find(|agent| agent.name() == row.name);
    let caveat = plan.caveat(&row.name);
    let record = standings.record(&row.name);
    let counts = record.as_ref().map_or([0; 3], |record| record.endings.map(|rate| rate.count));
    let [wins, draws, losses] = counts;
    let seats = record.map_or_else(Vec::new, |record| record.seats);
    AgentRow {
        spec: agent.map_or_else(|| row.name.clone(), ToString::to_string),
        games: row.games,
        share: row.share,
        low: row.interval.low,
        high: row.interval.high,
        mean_score: row.score,
        mean_rank: row.rank,
        interval: row.method.name(),
        blocks: row.blocks,
        wins,
        draws,
        losses,
        seats: seats.into_iter().map(|rate| rate.map(seat_row)).collect(),
        score_low: score.map(|interval| interval.low),
        score_high: score.map(|interval| interval.high),
        rank_low: rank.low,
        rank_high: rank.high,
        low_together: row.together.low,
        high_together: row.together.high,
        next_p: row.next_p(),
        met_next: row.next.map(|next| next != Next::NeverMet),
        next_difference: row.next_difference(),
        label: agent.and_then(AgentSpec::label).map(str::to_owned),
        cheats: caveat.cheats,
        timed: caveat.is_timed,
        search: search_row(row.searched),
    }
}

/// Optional comparisons of the agents, as entries.
#[derive(Debug, Serialize)]
pub struct More<P> {
    /// All comparisons of the agents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratings: Option<Vec<P>>,
    /// The pairs of agents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_to_head: Option<Vec<P>>,
    /// The luck of the agents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub luck: Option<Vec<LuckRow>>,
}

/// The luck of an agent, and its share less luck, in points per game and seat.
///
/// The share less luck is null if it saves too little.
#[derive(Debug, Serialize)]
pub struct LuckRow {
    agent: String,
    blocks: u64,
    luck: f64,
    luck_low: Option<f64>,
    luck_high: Option<f64>,
    share: f64,
    share_less_luck: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    r_squared: Option<f64>,
    relative_efficiency: Option<f64>,
    relative_efficiency_low: Option<f64>,
    relative_efficiency_high: Option<f64>,
}

impl LuckRow {
    /// Returns the row of `line`.
    #[must_use]
    pub fn of(line: &AgentLuck) -> Self {
        let (adjusted, efficiency) = (line.useful(), line.efficiency());
        Self {
            agent: line.name.clone(),
            blocks: line.blocks,
            luck: line.luck,
            luck_low: line.luck_half.map(|half| line.luck - half),
            luck_high: line.luck_half.map(|half| line.luck + half),
            share: line.share,
            share_less_luck: adjusted.map(|adjusted| adjusted.mean),
            low: adjusted.map(|adjusted| adjusted.interval.low),
            high: adjusted.map(|adjusted| adjusted.interval.high),
            r_squared: line.adjusted.map(|adjusted| adjusted.r_squared),
            relative_efficiency: efficiency.map(|(at, _)| at),
            relative_efficiency_low: efficiency.map(|(_, interval)| interval.low),
            relative_efficiency_high: efficiency.map(|(_, interval)| interval.high),
        }
    }
}

impl<P> Default for More<P> {
    fn default() -> Self {
        Self { ratings: None, head_to_head: None, luck: None }
    }
}

/// Returns the result of a tournament; without `seconds` the document is reproducible.
#[must_use]
pub fn tournament(
    plan: &Plan,
    standings: &Standings,
    seconds: Option<f64>,
    more: More<impl Serialize>,
) -> String {
    let ranking = standings.ranking(plan.candidate().as_deref());
    document(&Summary {
        game: &plan.setup.game,
        players: plan.players,
        blocks: standings.blocks(),
        games: standings.games(),
        seed: plan.seed,
        seconds,
        agents: ranking.iter().map(|row| agent_row(plan, standings, row)).collect(),
        more,
        changed_rules: &plan.changes,
    })
}

/// The standings of a run, without values that differ between repeats of the run.
struct Totals(Plan);

impl Exporter for Totals {
    fn end(&mut self, end: &End<'_>, out: &mut dyn Write) -> io::Result<()> {
        let more = More::<()>::default();
        out.write_all(tournament(&self.0, end.standings, None, more).as_bytes())
    }
}

/// Returns the number of blocks of a summary; 0 if the text is no summary.
#[must_use]
pub fn blocks(summary: &str) -> u64 {
    let summary: Json = serde_json::from_str(summary).unwrap_or_default();
    summary["blocks"].as_u64().unwrap_or_default()
}

/// Returns whether a summary marks its run as complete, for any number of blocks.
#[must_use]
pub fn is_complete(summary: &str) -> bool {
    let summary: Json = serde_json::from_str(summary).unwrap_or_default();
    summary["complete"].as_bool().unwrap_or_default()
}
