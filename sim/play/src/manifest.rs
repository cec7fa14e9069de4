//! The manifest: all that the results of a run depend on, as a document that can replay every game of the run.
//!
//! It is written before the first game and never changes. So the results of a run, finished or not, can be resumed,
//! merged with its other shards, and any game can be replayed by its number.

mod run_manifest;

use std::collections::BTreeMap;
use std::ops::Range;

use agents::AgentSpec;
use engine::rules::Change;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::changes;
use crate::config::{Caveat, Plan, TournamentConfig};
use crate::document::object;
use crate::error::Error;
use crate::export::games_csv::GamesCsv;
use crate::schedule::Schedule;
use crate::tournament::Facts;

pub use run_manifest::{RunManifest, held, not_again};

/// The format of manifests, the value of their first key.
pub const FORMAT: &str = "caesar-manifest/3";
/// The prefix of all formats of manifests of comparisons.
const COMPARISONS: &str = "caesar-comparison/";
/// The keys that the tournament of a manifest must set.
const SETTLED: [&str; 6] = ["game", "players", "agents", "schedule", "blocks", "seed"];

/// The inputs of the results in a directory.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format, [`FORMAT`].
    pub format: String,
    /// The version of `caesar` that plays.
    pub version: String,
    /// The command that plays the whole run, without its shards.
    pub command: String,
    /// The whole run as in [`Plan::config`], without its rules.
    tournament: TournamentConfig,
    /// The agents that see information hidden from their seat.
    pub cheats: Vec<String>,
    /// The agents that search for a fixed time, so that another run gives other games.
    pub timed: Vec<String>,
    /// The number of games in a block.
    pub games_per_block: u64,
    /// The BLAKE3 hash of the whole merged rules configuration.
    pub rules_hash: String,
    /// The differences from the default rules.
    pub overrides: Json,
    /// The changed rules value by value, with the previous value and its source.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub changed_rules: Vec<Change>,
    /// The names of the extra numbers of the game, columns of `games.csv`.
    pub extras: Vec<String>,
    /// The file with the record of every game, relative to the directory of the manifest, with `/` between names.
    ///
    /// `None` if the run keeps no records.
    pub records: Option<String>,
    /// The texts of all files that were read, by the names as given.
    pub files: BTreeMap<String, String>,
    /// The BLAKE3 hashes of the files named in the commands of external agents, by the words that name them.
    ///
    /// These are the programs, and those of their arguments that are files. Older directories have none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub programs: BTreeMap<String, String>,
    /// The part of the run in this directory; `None` for the whole run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shard: Option<Shard>,
    /// The changes at a resumed run that the user accepted.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub accepted_changes: Vec<String>,
}

/// A shard of a run: a contiguous range of its blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// The number of the shard, from 1.
    pub index: u64,
    /// The number of shards.
    pub of: u64,
}

impl Shard {
    /// Reads `I/N`.
    ///
    /// # Errors
    /// If it is not a whole number from 1 to N, a slash and N.
    pub fn parse(text: &str) -> Result<Self, String> {
        let numbers =
            text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Self { index, of }),
            _ => Err("expected I/N, shard I from 1 to N of N shards, as in 3/8".to_owned()),
        }
    }

    /// Returns the blocks of this shard in a run of `blocks`; shards are as even as whole numbers allow.
    #[must_use]
    pub fn blocks(self, blocks: u64) -> Range<u64> {
        let edge = |i: u64| (u128::from(blocks) * u128::from(i) / u128::from(self.of)) as u64;
        edge(self.index - 1)..edge(self.index)
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// The beginning of a line on a changed file of a program.
const PROGRAM_FILE: &str = "the program file ";

/// Returns whether a line of differences concerns a file of a program, which can be accepted.
#[must_use]
pub fn is_of_program(line: &str) -> bool {
    line.starts_with(PROGRAM_FILE)
}

/// Returns a line for each file of a program that has changed.
#[must_use]
pub fn changed_programs(
    there: &BTreeMap<String, String>,
    here: &BTreeMap<String, String>,
) -> Vec<String> {
    let is_other = |name: &String, hash: &String| here.get(name).is_some_and(|own| own != hash);
    let changed = there.iter().filter(|(name, hash)| is_other(name, hash));
    changed.map(|(name, _)| format!("{PROGRAM_FILE}{name} has changed")).collect()
}

impl Manifest {
    /// Returns the manifest of `plan`, or of a shard of it.
    #[must_use]
    pub fn new(plan: &Plan, facts: &Facts, shard: Option<Shard>) -> Self {
        let with = |has: fn(&Caveat) -> bool| -> Vec<String> {
            let specs = plan.specs().into_iter().zip(&plan.caveats);
            let mut specs: Vec<String> =
                specs.filter(|(_, caveat)| has(caveat)).map(|(spec, _)| spec).collect();
            specs.dedup();
            specs
        };
        Self {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: plan.command(),
            // The merged rules stand below.
            tournament: TournamentConfig {
                rules: None,
                set: Vec::new(),
                ban: Vec::new(),
                recorded: None,
                ..plan.config()
            },
            cheats: with(|caveat| caveat.cheats),
            timed: with(|caveat| caveat.is_timed),
            games_per_block: plan.games_per_block(),
            rules_hash: hash(canonical(&facts.rules).to_string().as_bytes()),
            overrides: facts.overrides.clone(),
            changed_rules: facts.changes.clone(),
            extras: facts.extras.iter().map(|&name| name.to_owned()).collect(),
            records: None,
            files: plan.files.iter().cloned().collect(),
            programs: plan.lineup.iter().flat_map(AgentSpec::program_files).collect(),
            shard,
            accepted_changes: Vec::new(),
        }
    }

    /// Returns this manifest for a run with its records in `records`, relative to the directory of the manifest.
    #[must_use]
    pub fn with_records(self, records: Option<String>) -> Self {
        Self { records, ..self }
    }

    /// Returns the number of players at a table.
    #[must_use]
    pub fn players(&self) -> usize {
        self.tournament.players.unwrap_or_default()
    }

    /// Returns the canonical specs of the entrants, each after its label if it has one.
    #[must_use]
    pub fn agents(&self) -> &[String] {
        self.tournament.agents.as_deref().unwrap_or_default()
    }

    /// Returns the names of the entrants in tables: their labels, or their canonical specs.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.agents_as(AgentSpec::name)
    }

    /// Returns the canonical specs of the entrants, without labels.
    #[must_use]
    pub fn specs(&self) -> Vec<String> {
        self.agents_as(AgentSpec::to_string)
    }

    fn agents_as(&self, name: fn(&AgentSpec) -> String) -> Vec<String> {
        // A spec that is no longer readable is refused when it is to be played.
        let text_of = |text: &String| text.parse().as_ref().map_or_else(|_| text.clone(), name);
        self.agents().iter().map(text_of).collect()
    }

    /// Returns the seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.tournament.seed.unwrap_or_default()
    }

    /// Returns whether the meetings are decided during the run, so that it may end before its last block.
    #[must_use]
    pub fn is_adaptive(&self) -> bool {
        self.tournament.schedule.is_some_and(Schedule::is_dealt)
    }

    /// Returns the number of blocks of the whole run.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.tournament.blocks.unwrap_or_default()
    }

    /// Returns whether the rows report the luck of dice.
    #[must_use]
    pub fn tells_luck(&self) -> bool {
        self.tournament.luck == Some(true)
    }

    /// Returns whether the games begin at the positions of a suite.
    #[must_use]
    pub const fn has_starts(&self) -> bool {
        self.tournament.starts.is_some()
    }

    /// Returns the rule changes of the run in words; empty if there are none.
    #[must_use]
    pub fn changes_in_words(&self) -> String {
        changes::in_words(&self.changed_rules).unwrap_or_default()
    }

    /// Returns the `games.csv` of the run, with the values that all its rows share.
    #[must_use]
    pub fn games_csv(&self) -> GamesCsv {
        GamesCsv::new(self.players(), self.seed(), self.agents(), &self.extras)
            .under(&self.changes_in_words())
            .keeping_records(self.records.is_some())
            .telling_luck(self.tells_luck())
            .with_starts(self.has_starts())
    }

    /// Returns the blocks of this shard.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.share_of(self.blocks())
    }

    /// Returns the number of games of this shard.
    #[must_use]
    pub fn n_games(&self) -> u64 {
        let range = self.range();
        (range.end - range.start).saturating_mul(self.games_per_block)
    }

    /// Returns the number of this shard's first game.
    #[must_use]
    pub fn first_game(&self) -> u64 {
        self.range().start.saturating_mul(self.games_per_block)
    }

    /// Returns the plan of the whole run, from the values of this manifest only.
    ///
    /// # Errors
    /// If this version of the program cannot play it, or plays it under other rules.
    pub fn plan(&self, name: &str) -> Result<Plan, Error> {
        let config =
            TournamentConfig { recorded: Some(self.overrides.clone()), ..self.tournament.clone() };
        let read = |path: &str| held(self.files.get(path));
        // The writer's version could read its agents, so an unknown agent was renamed or removed.
        let plan = Plan::new(config, &read).map_err(|error| match error {
            Error::Spec(bad) => not_again(name, &bad.to_string()),
            other => other,
        })?;
        let facts = crate::tournament::facts(&plan)?;
        let here = Self::new(&plan, &facts, None);
        let same = (&here.rules_hash, &here.version) == (&self.rules_hash, &self.version);
        if !same {
            let both =
                |what: &str, there: &str, here: &str| format!("{what} {there} there, {here} here");
            let what = if here.version == self.version {
                both(
                    "rules",
                    &self.rules_hash[..12.min(self.rules_hash.len())],
                    &here.rules_hash[..12],
                )
            } else {
                both("version", &self.version, &here.version)
            };
            return Err(not_again(name, &what));
        }
        Ok(plan)
    }
}

impl RunManifest for Manifest {
    const FORMAT: &'static str = FORMAT;
    const WHAT: &'static str = "run";
    const IF_DAMAGED: &'static str = "";
    const IF_OLDER: &'static str =
        ": use the version that wrote it, or play the run anew into another directory";

    fn command(&self) -> &str {
        &self.command
    }
    fn shard(&self) -> Option<Shard> {
        self.shard
    }
    fn with_shard(self, shard: Option<Shard>) -> Self {
        Self { shard, ..self }
    }

    fn lacks(&self) -> Option<String> {
        let silent = SETTLED.iter().find(|key| !self.tournament.says(key));
        silent.map(|key| format!("its tournament lacks {key}"))
    }

    fn of_another_kind(format: &str) -> String {
        match format.starts_with(COMPARISONS) {
            true => "it is the manifest of a comparison and of no tournament".to_owned(),
            false => {
                format!("it is no manifest of a tournament: \"format\" is not \"{FORMAT}\"")
            }
        }
    }

    fn differences(&self, other: &Self) -> Vec<String> {
        let fields = |manifest: &Self| {
            let mut map = object(manifest);
            map.retain(|key, _| key != "programs" && key != "accepted_changes");
            match map.remove("tournament") {
                Some(Json::Object(current)) => current.into_iter().chain(map).collect(),
                _ => map,
            }
        };
        let mut lines = different_fields(&fields(self), &fields(other));
        lines.extend(changed_programs(&self.programs, &other.programs));
        lines
    }

    fn differences_of_wholes(&self, other: &Self) -> Vec<String> {
        // Each shard may keep its records in its own place.
        let whole = |manifest: &Self| manifest.whole().with_records(None);
        whole(self).differences(&whole(other))
    }
}

/// Returns the differences, a line for each key: `seed: 1 there, 2 here`.
#[must_use]
pub fn different_fields(
    there: &serde_json::Map<String, Json>,
    here: &serde_json::Map<String, Json>,
) -> Vec<String> {
    let mut lines = Vec::new();
    for key in there.keys().chain(here.keys()) {
        let pair = (there.get(key), here.get(key));
        // The command and the list of changes only repeat the other keys.
        if pair.0 == pair.1 || key == "command" || key == changes::KEY {
            continue;
        }
        let show = |value: Option<&Json>| value.map_or_else(|| "none".to_owned(), shortened);
        let line = format!("{key}: {} there, {} here", show(pair.0), show(pair.1));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// Returns a value as text, shortened if it is long.
fn shortened(value: &Json) -> String {
    const LONG: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= LONG {
        return text;
    }
    text.chars().take(LONG).collect::<String>() + "…"
}

/// Returns the value with the keys of every object in order.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_order_of_keys_does_not_change_a_hash() {
        let a = json!({"b": {"y": 1, "x": [{"q": 1, "p": 2}]}, "a": 0});
        let b = json!({"a": 0, "b": {"x": [{"p": 2, "q": 1}], "y": 1}});
        assert_eq!(canonical(&a).to_string(), canonical(&b).to_string());
    }

    #[test]
    fn shards_divide_the_blocks_without_gap_or_overlap() {
        for (blocks, of) in [(10, 3), (3, 10), (1, 1), (1_000_000_007, 4_000), (u64::MAX, 7)] {
            let shards: Vec<_> = (1..=of).map(|index| Shard { index, of }.blocks(blocks)).collect();
            assert_eq!((shards[0].start, shards[shards.len() - 1].end), (0, blocks));
            assert!(shards.windows(2).all(|pair| pair[0].end == pair[1].start));
            let sizes = shards.iter().map(|shard| shard.end - shard.start);
            assert!(sizes.clone().max().unwrap() - sizes.min().unwrap() <= 1);
        }
    }

    #[test]
    fn a_shard_is_written_as_it_is_read() {
        assert_eq!(Shard::parse("3/8").unwrap().to_string(), "3/8");
        for bad in ["0/8", "9/8", "3", "3/", "a/b", "-1/2", "1/0"] {
            assert!(Shard::parse(bad).is_err(), "{bad}");
        }
    }

    fn manifest(seed: u64, agents: &[&str]) -> Manifest {
        let config = TournamentConfig {
            game: Some("pig".to_owned()),
            agents: Some(agents.iter().map(|&spec| spec.to_owned()).collect()),
            seed: Some(seed),
            set: vec!["target=50".to_owned()],
            ..TournamentConfig::default()
        };
        let plan = Plan::new(config, &|_| unreachable!("no file is named")).unwrap();
        let facts = crate::tournament::facts(&plan).unwrap();
        Manifest::new(&plan, &facts, None)
    }

    #[test]
    fn a_manifest_plays_its_own_run_and_names_what_differs() {
        let one = manifest(1, &["random", "greedy"]);
        let read = Manifest::parse("m", &one.document()).unwrap();
        assert_eq!(read, one);
        assert_eq!(read.differences(&one), Vec::<String>::new());
        let again = read.plan("m").unwrap();
        assert_eq!((again.seed, again.specs()), (1, one.agents().to_vec()));
        let labelled = manifest(1, &["random", "g=greedy"]);
        let read = Manifest::parse("m", &labelled.document()).unwrap();
        assert_eq!(read.plan("m").unwrap().names(), ["random", "g"]);
        assert_eq!(
            labelled.differences(&one),
            [r#"agents: ["random","g=greedy"] there, ["random","greedy"] here"#]
        );
        let other = manifest(2, &["random", "random"]);
        assert_eq!(
            one.differences(&other),
            [
                r#"agents: ["random","greedy"] there, ["random","random"] here"#,
                "seed: 1 there, 2 here",
            ]
        );
        let older = Manifest { version: "0.0.1".to_owned(), ..one.clone() };
        let complaint = older.plan("m").unwrap_err().to_string();
        assert!(complaint.contains("version 0.0.1 there, "), "{complaint}");
        let agents = vec!["mcts(final_mov=value)".to_owned(), "random".to_owned()];
        let tournament = TournamentConfig { agents: Some(agents), ..one.tournament.clone() };
        let older = Manifest { tournament, ..one.clone() };
        assert_eq!(
            older.plan("m").unwrap_err().to_string(),
            "m: its games cannot be played again: agent \"mcts(final_mov=value)\": unknown parameter \"final_mov\" \
             (nearest: final_move)"
        );
        let kept = one.clone().with_records(Some("r.jsonl".to_owned()));
        assert_eq!(one.differences(&kept), [r#"records: null there, "r.jsonl" here"#]);
    }

    #[test]
    fn a_manifest_of_another_format_is_refused_by_the_name_of_its_format() {
        let complaint = |text: &str| Manifest::parse("m", text).unwrap_err().to_string();
        let older = complaint(r#"{"format":"caesar-manifest/1","version":"0.1.0","game":"pig"}"#);
        assert!(
            older.starts_with(
                "m: its format is caesar-manifest/1, and this version of caesar reads"
            ),
            "{older}"
        );
        let document = manifest(1, &["random", "greedy"]).document();
        let silent = complaint(&document.replace(",\"seed\":1", ""));
        assert!(silent.ends_with("its tournament lacks seed"), "{silent}");
        for text in ["{}", "[]", "3", "", r#"{"format":"caesar-record/1"}"#] {
            let bad = complaint(text);
            assert!(bad.starts_with("m: it is no manifest of a "), "{text}: {bad}");
        }
    }
}
