//! What the rows of an experiment depend on, as a document that plays it again. Like that of a tournament it is written
//! before the first game and never changes.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::request::{Request, What};
use super::study::Study;
use sim::document::document;
use sim::error::Error;
use sim::manifest::{self, Shard, different_fields};
use sim::tournament::facts;

/// The format of manifests of experiments, in their first key.
pub const FORMAT: &str = "caesar-balance/1";
/// With what the names of all these formats begin.
pub const FORMATS: &str = "caesar-balance/";

/// What the rows in a directory depend on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format, [`FORMAT`].
    pub format: String,
    /// The command that plays the whole, without its shards.
    pub command: String,
    /// Which study it is.
    pub what: What,
    /// What was asked, everything said.
    request: Request,
    /// The tiers, as tournaments of one agent.
    tiers: Vec<manifest::Manifest>,
    /// Games of a block.
    games_per_block: u64,
    /// Which part of the run this is; `None` for all of it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shard: Option<Shard>,
    /// What had changed where the run went on, and somebody has accepted it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub accepted_changes: Vec<String>,
}

impl Manifest {
    /// The manifest of `study`, or of a shard of it.
    ///
    /// # Errors
    /// If a game cannot be built.
    pub fn new(study: &Study, shard: Option<Shard>) -> Result<Self, Error> {
        let asked = study.asked();
        let tiers = asked.tiers.iter();
        let tiers = tiers.map(|plan| Ok(manifest::Manifest::new(plan, &facts(plan)?, None)));
        Ok(Self {
            format: FORMAT.to_owned(),
            command: asked.request.command(asked.what),
            what: asked.what,
            request: asked.request.clone(),
            tiers: tiers.collect::<Result<_, Error>>()?,
            games_per_block: study.experiment().games_per_block(),
            shard,
            accepted_changes: Vec::new(),
        })
    }

    /// Reads a manifest; `name` is what complaints call it.
    ///
    /// # Errors
    /// If it is no manifest of this format.
    pub fn parse(name: &str, text: &str) -> Result<Self, Error> {
        let bad = |what: String| Error::Usage(format!("{name}: {what}; name another directory"));
        let json: Json = sim::document::read(text)
            .map_err(|e| bad(format!("it is no manifest of an experiment: {e}")))?;
        match json["format"].as_str() {
            Some(FORMAT) => serde_json::from_value(json)
                .map_err(|e| bad(format!("it is no manifest of an experiment: {e}"))),
            Some(format) if format.starts_with(FORMATS) => Err(bad(format!(
                "its format is {format}, and this version of caesar reads {FORMAT}"
            ))),
            _ => Err(bad(
                "it is the manifest of another kind of run and of no experiment".to_owned()
            )),
        }
    }

    /// The document, one line with its end.
    #[must_use]
    pub fn document(&self) -> String {
        document(self)
    }

    /// The blocks that belong here.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        let all = self.request.blocks.unwrap_or_default();
        self.shard.map_or(0..all, |shard| shard.blocks(all))
    }

    /// The same run without its division into shards.
    #[must_use]
    pub fn whole(&self) -> Self {
        Self { shard: None, ..self.clone() }
    }

    /// What differs in `other`, a line for each key: `seed: 1 there, 2 here`.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let fields = |manifest: &Self| {
            let mut said = match serde_json::to_value(&manifest.request) {
                Ok(Json::Object(said)) => said,
                _ => Map::new(),
            };
            said.retain(|key, _| key != "rules" && key != "set");
            let shard = manifest.shard.map(|shard| json!(shard));
            said.extend(shard.map(|shard| ("shard".to_owned(), shard)));
            said.insert("what".to_owned(), json!(manifest.what));
            said
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

    /// The study, from what stands here and nothing else.
    ///
    /// # Errors
    /// If this version of the program cannot play it, or plays it under other rules.
    pub fn study(&self, name: &str) -> Result<Study, Error> {
        let read = |path: &str| {
            let missing = || std::io::Error::other("the manifest does not hold its text");
            self.tiers.iter().find_map(|tier| tier.files.get(path)).cloned().ok_or_else(missing)
        };
        let study = Study::new(self.what, &self.request, &read)?;
        // Other programs say nothing of games that were played.
        let mut differences = self.whole().differences(&Self::new(&study, None)?);
        differences.retain(|line| !manifest::is_of_program(line));
        if differences.is_empty() {
            return Ok(study);
        }
        let what = differences.join("; ");
        Err(Error::Usage(format!("{name}: its games cannot be played again: {what}")))
    }
}
