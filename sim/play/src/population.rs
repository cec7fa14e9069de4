//! Populations of agents in directories: `population:DIR` in a list of agents stands for all members.
//!
//! A directory has [`FILE`] with the provenance and the members, and a file of weights for each member that needs one.
//! A member that was changed after the export is another agent, so its files are held to their checksums.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use agents::AgentSpec;
use engine::{Purpose, Randomness, rng};
use serde::{Deserialize, Serialize};

use crate::document::{ReadFile, read_as};
use crate::error::Error;

/// The document of a population in its directory.
pub const FILE: &str = "population.json";
/// Its format.
pub const FORMAT: &str = "caesar-population/1";
/// The word before the directory in a list of agents.
const PREFIX: &str = "population:";

/// The members of a population, with their provenance.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Population {
    /// The format, [`FORMAT`].
    pub format: String,
    /// The version of caesar that wrote it.
    pub version: String,
    /// The game.
    pub game: String,
    /// Number of players.
    pub players: usize,
    /// The beginning of the BLAKE3 hash of the rules.
    pub rules: String,
    /// The seed of the run that found the members.
    pub seed: u64,
    /// The command of that run.
    pub command: String,
    /// The members, at least one.
    pub members: Vec<Member>,
}

/// An agent of a population.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// The spec, with names of files in the directory.
    pub agent: String,
    /// The weight in the mixture, above 0; all weights need not add up to 1.
    pub weight: f64,
    /// The checksums of its files, by name.
    pub files: BTreeMap<String, String>,
}

/// An agent of a list.
#[derive(Clone, PartialEq, Debug)]
pub struct Listed {
    /// The spec.
    pub agent: String,
    /// The part of all draws from the list, if opponents are drawn. Entries of the list have equal parts, and members
    /// share that of their population by weight.
    pub part: f64,
}

/// The table for which a list of agents is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table<'a> {
    /// The game.
    pub game: &'a str,
    /// Number of players.
    pub players: usize,
}

/// Returns the checksum of the text of a file, as [`Member::files`] has it.
#[must_use]
pub fn checksum(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

/// Returns whether an entry of a list is a population.
#[must_use]
pub fn is_population(entry: &str) -> bool {
    entry.starts_with(PREFIX)
}

/// Returns the agents of a list, with the members of a population in its place. `read` reads files.
///
/// # Errors
/// If a population cannot be read, is damaged, or is of another table or version.
pub fn members(
    entries: &[String],
    table: Table<'_>,
    read: ReadFile<'_>,
) -> Result<Vec<Listed>, Error> {
    let share = 1.0 / entries.len() as f64;
    let mut all = Vec::new();
    for entry in entries {
        let Some(dir) = entry.strip_prefix(PREFIX) else {
            all.push(Listed { agent: entry.clone(), part: share });
            continue;
        };
        let population = Population::read(dir, read)?;
        population.check(dir, table)?;
        let total: f64 = population.members.iter().map(|member| member.weight).sum();
        for member in &population.members {
            let part = share * member.weight / total;
            all.push(Listed { agent: member.placed(dir, read)?, part });
        }
    }
    Ok(all)
}

/// Draws an agent for each of `seats` seats of a block, by number; `parts` add up to 1. The numbers ascend, so that
/// equal draws give equal tables.
#[must_use]
pub fn drawn(parts: &[f64], seats: usize, seed: u64, block: u64) -> Vec<usize> {
    let mut stream = rng::stream(seed, block, Purpose::Analysis);
    let mut draw = || {
        let mut at = stream.unit();
        let found = parts.iter().position(|part| {
            at -= part;
            at < 0.0
        });
        found.unwrap_or_else(|| parts.len() - 1)
    };
    let mut all: Vec<usize> = (0..seats).map(|_| draw()).collect();
    all.sort_unstable();
    all
}

/// Returns the path of a file in a directory.
fn inside(dir: &str, name: &str) -> String {
    Path::new(dir).join(name).display().to_string()
}

fn refused(dir: &str, message: &str) -> Error {
    Error::Usage(format!("{PREFIX}{dir}: {message}"))
}

impl Population {
    /// Returns the path of the document of the population in `entry` of a list; `None` if it is an agent.
    #[must_use]
    pub fn document_of(entry: &str) -> Option<String> {
        entry.strip_prefix(PREFIX).map(|dir| inside(dir, FILE))
    }

    fn read(dir: &str, read: ReadFile<'_>) -> Result<Self, Error> {
        let place = inside(dir, FILE);
        let text = read(&place).map_err(Error::file(format!("{PREFIX}{dir}: {place}")))?;
        let damaged = |message: &str| {
            refused(dir, &format!("{FILE} is damaged ({message}): export the population again"))
        };
        let json: serde_json::Value =
            serde_json::from_str(&text).map_err(|e| damaged(&e.to_string()))?;
        if json["format"] != FORMAT {
            let message =
                format!("the format of {FILE} is {}, and {FORMAT} is read here", json["format"]);
            return Err(refused(dir, &message));
        }
        let all: Self = read_as(&text).map_err(|e| damaged(&e.to_string()))?;
        if all.members.is_empty() {
            return Err(damaged("it has no members"));
        }
        match all.members.iter().find(|one| !(one.weight > 0.0 && one.weight.is_finite())) {
            Some(one) => Err(damaged(&format!("the weight of {} is {}", one.agent, one.weight))),
            None => Ok(all),
        }
    }

    /// Refuses a population of another game, number of players or version.
    fn check(&self, dir: &str, table: Table<'_>) -> Result<(), Error> {
        let own = env!("CARGO_PKG_VERSION");
        let Self { game, players, version, command, .. } = self;
        let message = if game != table.game {
            format!("its game is {game}, not {}: name another population", table.game)
        } else if *players != table.players {
            format!("it is for {players} players, not {}: name another population", table.players)
        } else if version != own {
            format!("caesar {version} wrote it, and this is {own}: export it again by {command}")
        } else {
            return Ok(());
        };
        Err(refused(dir, &message))
    }
}

impl Member {
    /// Returns the spec with the paths of its files, after a look at their checksums.
    fn placed(&self, dir: &str, read: ReadFile<'_>) -> Result<String, Error> {
        let mut spec: AgentSpec = self.agent.parse()?;
        let files: Vec<(&'static str, String)> =
            spec.files().map(|(param, name)| (param, name.to_owned())).collect();
        for (param, name) in files {
            let mut steps = Path::new(&name).components();
            if !matches!((steps.next(), steps.next()), (Some(Component::Normal(_)), None)) {
                let message = format!("{FILE} names a file outside of the directory: {name}");
                return Err(refused(dir, &message));
            }
            let place = inside(dir, &name);
            let text = read(&place).map_err(Error::file(format!("{PREFIX}{dir}: {place}")))?;
            if self.files.get(&name) != Some(&checksum(&text)) {
                let message = format!(
                    "{name} has changed since it was exported, so it is another strategy: export the population \
                     again, or name the file in an agent"
                );
                return Err(refused(dir, &message));
            }
            spec = spec.saying(param, &place)?;
        }
        Ok(spec.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_have_the_frequencies_of_their_parts_and_depend_on_the_block_alone() {
        let parts = [0.7, 0.1, 0.2];
        let mut counts = [0.0; 3];
        for block in 0..4_000 {
            let all = drawn(&parts, 3, 5, block);
            assert_eq!(all, drawn(&parts, 3, 5, block));
            assert!(all.is_sorted());
            all.into_iter().for_each(|one| counts[one] += 1.0 / 12_000.0);
        }
        for (count, part) in counts.iter().zip(parts) {
            // Five standard errors of a share of 12,000 draws are at most 0.023.
            assert!((count - part).abs() < 0.023, "{counts:?}");
        }
    }

    #[test]
    fn members_share_the_part_of_their_population_by_weight() {
        let member = |agent: &str, weight| serde_json::json!({"agent": agent, "weight": weight, "files": {}});
        let json = serde_json::json!({
            "format": FORMAT, "version": env!("CARGO_PKG_VERSION"), "game": "pig", "players": 2, "rules": "",
            "seed": 1, "command": "",
            "members": [member("greedy", 0.6), member("greedy(epsilon=0.5)", 0.2)],
        });
        let read = move |_: &str| Ok(json.to_string());
        let entries = ["random".to_owned(), format!("{PREFIX}p")];
        let table = Table { game: "pig", players: 2 };
        let all = members(&entries, table, &read).unwrap();
        let agents: Vec<&str> = all.iter().map(|one| &one.agent[..]).collect();
        assert_eq!(agents, ["random", "greedy", "greedy(epsilon=0.5)"]);
        for (one, part) in all.iter().zip([0.5, 0.375, 0.125]) {
            assert!((one.part - part).abs() < 1e-12, "{all:?}");
        }
    }
}
