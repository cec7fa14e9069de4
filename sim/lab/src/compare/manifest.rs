//! What the trace of a comparison depends on, as a document that plays it again.
//!
//! Each arm is a tournament and has the manifest of one. Like theirs, this one is written before the first block and
//! never changes; what a pilot settled stands in it, so that whoever goes on, or joins shards, tests the same.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::Request;
use super::study::{Settled, Study};
use sim::config::Plan;
use sim::document::document;
use sim::error::Error;
use sim::manifest::{self, COMPARISONS, Shard};
use sim::tournament::facts;

/// The format of manifests of comparisons, in their first key.
pub const FORMAT: &str = "caesar-comparison/1";

/// What the arms say of rules and agents counts, and not how it was asked for.
const ASKED_OTHERWISE: [&str; 7] =
    ["agents", "rules", "set", "rules-a", "set-a", "rules-b", "set-b"];

/// What the trace in a directory depends on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format, [`FORMAT`].
    pub format: String,
    /// The command that plays the whole comparison, without its shards.
    pub command: String,
    /// What was asked, everything said.
    comparison: Request,
    /// What a pilot settled, if there was one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pilot: Option<Settled>,
    /// The tournaments of the arms.
    arms: Vec<manifest::Manifest>,
    /// Which part of the comparison this is; `None` for all of it.
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
        let arm = |plan: &Plan| Ok(manifest::Manifest::new(plan, &facts(plan)?, None));
        Ok(Self {
            format: FORMAT.to_owned(),
            command: study.asked().command(),
            comparison: study.asked().clone(),
            pilot: study.settled().cloned(),
            arms: study.plans().iter().map(arm).collect::<Result<_, Error>>()?,
            shard,
            accepted_changes: Vec::new(),
        })
    }

    /// The same manifest with what a pilot has settled.
    #[must_use]
    pub fn with_pilot(self, pilot: Option<Settled>) -> Self {
        Self { pilot, ..self }
    }

    /// Reads a manifest; `name` is what complaints call it.
    ///
    /// # Errors
    /// If it is no manifest of this format.
    pub fn parse(name: &str, text: &str) -> Result<Self, Error> {
        let bad = |e| Error::Usage(format!("{name}: it is no manifest of a comparison: {e}"));
        let json: Json = sim::document::read(text).map_err(bad)?;
        let format = json["format"].as_str().unwrap_or_default().to_owned();
        if format != FORMAT {
            let what = match manifest::is_of_tournament(&format) {
                true => "it is the manifest of a tournament and of no comparison".to_owned(),
                false if format.starts_with(COMPARISONS) => {
                    format!("its format is {format}, and this version of caesar reads {FORMAT}")
                }
                false => {
                    format!("it is no manifest of a comparison: \"format\" is not \"{FORMAT}\"")
                }
            };
            return Err(Error::Usage(format!("{name}: {what}; name another directory")));
        }
        let manifest: Self = serde_json::from_value(json).map_err(bad)?;
        if manifest.arms.is_empty() {
            return Err(Error::Usage(format!(
                "{name}: it is no manifest of a comparison: it has no arms"
            )));
        }
        Ok(manifest)
    }

    /// The document, one line with its end.
    #[must_use]
    pub fn document(&self) -> String {
        document(self)
    }

    /// The blocks that belong here.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        let all = self.arms[0].blocks();
        self.shard.map_or(0..all, |shard| shard.blocks(all))
    }

    /// The same comparison without its division into shards.
    #[must_use]
    pub fn whole(&self) -> Self {
        Self { shard: None, ..self.clone() }
    }

    /// What differs in `other`, a line for each key: `seed: 1 there, 2 here`.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<String> {
        if self.arms.len() != other.arms.len() {
            let what = |manifest: &Self| match manifest.arms.len() {
                1 => "agents",
                _ => "rule sets",
            };
            return vec![format!("compared: {} there, {} here", what(self), what(other))];
        }
        let arms = self.arms.iter().zip(&other.arms).map(|(there, here)| there.differences(here));
        let arms: Vec<Vec<String>> = arms.collect();
        let mut lines: Vec<String> = Vec::new();
        for (arm, own) in arms.iter().enumerate() {
            // How many blocks there are is said of the test.
            for line in own.iter().filter(|line| !line.starts_with("blocks: ")) {
                let is_common = arms.iter().all(|other| other.contains(line));
                let line = match (is_common, arm) {
                    (true, _) => line.clone(),
                    (false, 0) => format!("A: {line}"),
                    (false, _) => format!("B: {line}"),
                };
                lines.push(line);
            }
        }
        let fields = |manifest: &Self| {
            let mut said = manifest.comparison.said();
            said.retain(|key, _| !ASKED_OTHERWISE.contains(&key.as_str()));
            let shard = manifest.shard.map(|shard| json!(shard));
            let pilot = manifest.pilot.as_ref().map(|pilot| json!(pilot));
            let more = [("shard", shard), ("pilot", pilot)].into_iter();
            said.extend(more.filter_map(|(key, value)| Some((key.to_owned(), value?))));
            said
        };
        lines.extend(manifest::different_fields(&fields(self), &fields(other)));
        let mut once: Vec<String> = Vec::new();
        lines.into_iter().for_each(|line| {
            if !once.contains(&line) {
                once.push(line);
            }
        });
        once
    }

    /// The study of the whole comparison, from what stands here and nothing else.
    ///
    /// # Errors
    /// If this version of the program cannot play it, or plays it under other rules.
    pub fn study(&self, name: &str) -> Result<Study, Error> {
        let again = |what: String| {
            Error::Usage(format!("{name}: its games cannot be played again: {what}"))
        };
        let read = |path: &str| {
            let missing = || std::io::Error::other("the manifest does not hold its text");
            let text = self.arms.iter().find_map(|arm| arm.files.get(path));
            text.cloned().ok_or_else(missing)
        };
        let mut study = Study::new(&self.comparison, &read).map_err(|error| match error {
            Error::Spec(bad) => again(bad.to_string()),
            other => other,
        })?;
        if let Some(settled) = &self.pilot {
            study.settle(settled.clone())?;
        }
        // Other programs say nothing of games that were played.
        let mut differences = self.whole().differences(&Self::new(&study, None)?);
        differences.retain(|line| !manifest::is_of_program(line));
        if !differences.is_empty() {
            return Err(again(differences.join("; ")));
        }
        if study.needs_pilot() {
            return Err(again("its pilot is not there".to_owned()));
        }
        Ok(study)
    }
}
