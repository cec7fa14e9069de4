//! Machine-readable documents; their keys are promised in the help and do not change.

use std::io;

use agents::SearchTally;
use engine::rules::Change;
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

use super::ratings;
use crate::config::Plan;
use crate::stats::Standings;
use crate::stats::relations::Report;

#[derive(Serialize)]
struct Summary<'a, R> {
    game: &'a str,
    players: usize,
    blocks: u64,
    games: u64,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    agents: Vec<AgentLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratings: Option<R>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    changed_rules: &'a [Change],
}

#[derive(Serialize)]
struct AgentLine {
    spec: String,
    games: u64,
    share: f64,
    low: f64,
    high: f64,
    mean_score: f64,
    mean_rank: f64,
    interval: &'static str,
    #[serde(skip_serializing_if = "is_false")]
    cheats: bool,
    #[serde(skip_serializing_if = "is_false")]
    timed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<SearchLine>,
}

/// What an agent searched, in means over its decisions and counts of them.
#[derive(Serialize)]
struct SearchLine {
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

fn search_line(tally: SearchTally) -> Option<SearchLine> {
    (tally.decisions > 0).then(|| SearchLine {
        decisions: tally.decisions,
        iterations: tally.iterations,
        mean_depth: tally.mean_depth(),
        with_macros: tally.with_macros,
        left_macros: tally.left_macros,
        limited: tally.limited,
    })
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
    let line = |line: crate::stats::Standing| AgentLine {
        cheats: plan.caveat(&line.spec).cheats,
        timed: plan.caveat(&line.spec).is_timed,
        search: search_line(line.searched),
        spec: line.spec,
        games: line.games,
        share: line.share,
        low: line.interval.low,
        high: line.interval.high,
        mean_score: line.score,
        mean_rank: line.rank,
        interval: line.method.name(),
    };
    document(&Summary {
        game: &plan.setup.game,
        players: plan.players,
        blocks: standings.blocks(),
        games: standings.games(),
        seed: plan.seed,
        seconds,
        agents: standings.table().into_iter().map(line).collect(),
        ratings: relations.map(ratings::lines),
        changed_rules: &plan.changes,
    })
}

/// JSON as small as it gets, without negative zeros.
struct Plain;

impl Formatter for Plain {
    fn write_f32<W: ?Sized + io::Write>(&mut self, writer: &mut W, x: f32) -> io::Result<()> {
        CompactFormatter.write_f32(writer, x + 0.0)
    }
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, x: f64) -> io::Result<()> {
        CompactFormatter.write_f64(writer, x + 0.0)
    }
}

/// One document on one line.
///
/// # Panics
/// If a map in it has keys that are no text (ours have none).
pub fn document<T: Serialize>(value: &T) -> String {
    let mut text = Vec::new();
    let mut writer = Serializer::with_formatter(&mut text, Plain);
    value.serialize(&mut writer).expect("our documents have text keys only");
    text.push(b'\n');
    String::from_utf8(text).expect("JSON is UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_a_negative_zero() {
        assert_eq!(document(&(-0.0_f64, -0.0_f32, 0.1_f32, -1.5, 3)), "[0.0,0.0,0.1,-1.5,3]\n");
        assert_eq!(
            document(&serde_json::json!({"a": -0.0, "b": f64::NAN})),
            "{\"a\":0.0,\"b\":null}\n"
        );
    }
}
