//! The manifest of an experiment: everything that its rows depend on, sufficient to play it again. It is written
//! before the first game and never changes, as in a tournament.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::request::{Request, What};
use super::study::BalanceStudy;
use sim::document::object;
use sim::error::Error;
use sim::manifest::{self, RunManifest, Shard, different_fields, held, not_again};
use sim::tournament::facts;

/// The inputs that determine the rows in a directory.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format, [`RunManifest::FORMAT`].
    pub format: String,
    /// The command that plays the whole run, without shards.
    pub command: String,
    /// The kind of study.
    pub what: What,
    /// The request with all defaults filled in.
    request: Request,
    /// The tiers, as tournaments of one agent.
    tiers: Vec<manifest::Manifest>,
    /// The number of games in a block.
    games_per_block: u64,
    /// The shard of the run; `None` for the whole run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shard: Option<Shard>,
    /// Changes between the start and a continuation of the run that the user accepted.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub accepted_changes: Vec<String>,
}

impl Manifest {
    /// Creates the manifest of `study`, or of a shard of it.
    ///
    /// # Errors
    /// If a game cannot be built.
    pub fn new(study: &BalanceStudy, shard: Option<Shard>) -> Result<Self, Error> {
        let validated = study.validated();
        let tiers = validated.tiers.iter();
        let tiers = tiers.map(|plan| Ok(manifest::Manifest::new(plan, &facts(plan)?, None)));
        Ok(Self {
            format: Self::FORMAT.to_owned(),
            command: validated.request.command(validated.what),
            what: validated.what,
            request: validated.request.clone(),
            tiers: tiers.collect::<Result<_, Error>>()?,
            games_per_block: study.experiment().games_per_block(),
            shard,
            accepted_changes: Vec::new(),
        })
    }

    /// Returns the blocks of this run or shard.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.share_of(self.request.blocks.unwrap_or_default())
    }

    /// Rebuilds the study from the manifest alone.
    ///
    /// # Errors
    /// If this version of the program cannot play it, or plays it under other rules.
    pub fn study(&self, name: &str) -> Result<BalanceStudy, Error> {
        let read = |path: &str| held(self.tiers.iter().find_map(|tier| tier.files.get(path)));
        let study = BalanceStudy::new(self.what, &self.request, &read)?;
        // Another program version could not reproduce the games that were played.
        let changed = self.changed(&Self::new(&study, None)?);
        changed.map_or(Ok(study), |what| Err(not_again(name, &what)))
    }
}

impl RunManifest for Manifest {
    const FORMAT: &'static str = "caesar-balance/1";
    const WHAT: &'static str = "experiment";

    fn command(&self) -> &str {
        &self.command
    }
    fn shard(&self) -> Option<Shard> {
        self.shard
    }
    fn with_shard(self, shard: Option<Shard>) -> Self {
        Self { shard, ..self }
    }

    fn differences(&self, other: &Self) -> Vec<String> {
        let fields = |manifest: &Self| {
            let mut values = object(&manifest.request);
            values.retain(|key, _| key != "rules" && key != "set");
            let shard = manifest.shard.map(|shard| json!(shard));
            values.extend(shard.map(|shard| ("shard".to_owned(), shard)));
            values.insert("what".to_owned(), json!(manifest.what));
            values
        };
        let mut lines = different_fields(&fields(self), &fields(other));
        for (there, here) in self.tiers.iter().zip(&other.tiers) {
            let more = there.differences(here);
            let is_new = |line: &String| !line.starts_with("command") && !lines.contains(line);
            let more: Vec<String> = more.into_iter().filter(is_new).collect();
            lines.extend(more);
        }
        lines
    }
}
