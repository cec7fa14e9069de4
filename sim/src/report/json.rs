//! Machine-readable documents; their keys are promised in the help and do not change.

use agents::SearchTally;
use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::config::{Caveat, Plan};
use crate::stats::Standings;
use crate::tournament::Facts;

#[derive(Serialize)]
struct Summary<'a> {
    game: &'a str,
    players: usize,
    blocks: u64,
    games: u64,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    agents: Vec<AgentLine>,
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
    with_plans: u64,
    left_plans: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_false(value: &bool) -> bool {
    !*value
}

fn search_line(tally: SearchTally) -> Option<SearchLine> {
    (tally.decisions > 0).then(|| SearchLine {
        decisions: tally.decisions,
        iterations: tally.iterations,
        mean_depth: tally.mean_depth(),
        with_plans: tally.with_plans,
        left_plans: tally.left_plans,
    })
}

/// The result of a tournament; `seconds` is left out where the document must be reproducible.
#[must_use]
pub fn tournament(plan: &Plan, standings: &Standings, seconds: Option<f64>) -> String {
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
    };
    document(&Summary {
        game: &plan.setup.game,
        players: plan.players,
        blocks: standings.blocks(),
        games: standings.games(),
        seed: plan.seed,
        seconds,
        agents: standings.table().into_iter().map(line).collect(),
    })
}

/// What the results of a directory depend on.
#[must_use]
pub fn manifest(plan: &Plan, facts: &Facts, blocks_played: u64) -> String {
    let files: serde_json::Map<String, Json> = plan
        .files
        .iter()
        .map(|(name, text)| (name.clone(), hash(text.as_bytes()).into()))
        .collect();
    let with = |has: fn(&Caveat) -> bool| -> Vec<String> {
        let specs = plan.specs().into_iter().zip(&plan.caveats);
        specs.filter(|(_, caveat)| has(caveat)).map(|(spec, _)| spec).collect()
    };
    document(&json!({
        "version": env!("CARGO_PKG_VERSION"),
        "command": plan.command(),
        "game": plan.setup.game,
        "players": plan.players,
        "agents": plan.specs(),
        "cheats": with(|caveat| caveat.cheats),
        "timed": with(|caveat| caveat.is_timed),
        "schedule": plan.schedule.name(),
        "seed": plan.seed,
        "blocks": plan.blocks,
        "blocks_played": blocks_played,
        "rules_hash": hash(canonical(&facts.rules).to_string().as_bytes()),
        "overrides": facts.overrides,
        "files": files,
    }))
}

/// The same value with the keys of every object in order.
fn canonical(json: &Json) -> Json {
    match json {
        Json::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            entries.into_iter().map(|(key, value)| (key.clone(), canonical(value))).collect()
        }
        Json::Array(list) => list.iter().map(canonical).collect(),
        other => other.clone(),
    }
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// One document on one line.
///
/// # Panics
/// If a map in it has keys that are no text (ours have none).
pub fn document<T: Serialize>(value: &T) -> String {
    let mut text = serde_json::to_string(value).expect("our documents have text keys only");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_keys_does_not_change_a_hash() {
        let a = json!({"b": {"y": 1, "x": [{"q": 1, "p": 2}]}, "a": 0});
        let b = json!({"a": 0, "b": {"x": [{"p": 2, "q": 1}], "y": 1}});
        assert_eq!(canonical(&a).to_string(), canonical(&b).to_string());
    }
}
