//! The manifest of a comparison: everything that its trace depends on, sufficient to play it again.
//!
//! Each arm is a tournament with its own manifest. Like those, this one is written before the first block and never
//! changes. It includes the results of a pilot, so that a continuation or a joined shard runs the same tests.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Request;
use super::study::{ComparisonStudy, Settled};
use sim::config::Plan;
use sim::document::object;
use sim::error::Error;
use sim::manifest::{self, RunManifest, Shard, held, not_again};
use sim::tournament::facts;

/// Options whose text may differ: the arms' manifests have the rules and agents themselves.
const ASKED_OTHERWISE: [&str; 7] =
    ["agents", "rules", "set", "rules-a", "set-a", "rules-b", "set-b"];

/// The inputs that determine the trace in a directory.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format, [`RunManifest::FORMAT`].
    pub format: String,
    /// The command that plays the whole comparison, without shards.
    pub command: String,
    /// The request with all defaults filled in.
    comparison: Request,
    /// The results of the pilot, if there was one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pilot: Option<Settled>,
    /// The tournaments of the arms.
    arms: Vec<manifest::Manifest>,
    /// The shard of the comparison; `None` for the whole.
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
    pub fn new(study: &ComparisonStudy, shard: Option<Shard>) -> Result<Self, Error> {
        let arm = |plan: &Plan| Ok(manifest::Manifest::new(plan, &facts(plan)?, None));
        Ok(Self {
            format: Self::FORMAT.to_owned(),
            command: study.request().command(),
            comparison: study.request().clone(),
            pilot: study.settled().cloned(),
            arms: study.plans().iter().map(arm).collect::<Result<_, Error>>()?,
            shard,
            accepted_changes: Vec::new(),
        })
    }

    /// Returns the manifest with the results of a pilot.
    #[must_use]
    pub fn with_pilot(self, pilot: Option<Settled>) -> Self {
        Self { pilot, ..self }
    }

    /// Returns the blocks of this run or shard.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.share_of(self.arms[0].blocks())
    }

    /// Rebuilds the study of the whole comparison from the manifest alone.
    ///
    /// # Errors
    /// If this version of the program cannot play it, or plays it under other rules.
    pub fn study(&self, name: &str) -> Result<ComparisonStudy, Error> {
        let read = |path: &str| held(self.arms.iter().find_map(|arm| arm.files.get(path)));
        let mut study =
            ComparisonStudy::new(&self.comparison, &read).map_err(|error| match error {
                Error::Spec(bad) => not_again(name, &bad.to_string()),
                other => other,
            })?;
        if let Some(settled) = &self.pilot {
            study.settle(settled.clone())?;
        }
        if let Some(what) = self.changed(&Self::new(&study, None)?) {
            return Err(not_again(name, &what));
        }
        if study.needs_pilot() {
            return Err(not_again(name, "its pilot is not there"));
        }
        Ok(study)
    }
}

impl RunManifest for Manifest {
    const FORMAT: &'static str = "caesar-comparison/1";
    const WHAT: &'static str = "comparison";
    const IF_DAMAGED: &'static str = "";

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
        self.arms.is_empty().then(|| "it has no arms".to_owned())
    }

    fn of_another_kind(format: &str) -> String {
        match manifest::Manifest::is_of_kind(format) {
            true => "it is the manifest of a tournament and of no comparison".to_owned(),
            false => {
                format!("it is no manifest of a comparison: \"format\" is not \"{}\"", Self::FORMAT)
            }
        }
    }

    fn differences_if_resumed(&self, wanted: &Self) -> Vec<String> {
        // The pilot has not run yet; its result is taken as given.
        self.differences(&wanted.clone().with_pilot(self.pilot.clone()))
    }

    fn differences(&self, other: &Self) -> Vec<String> {
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
            // The number of blocks is a property of the test.
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
            let mut values = object(&manifest.comparison);
            values.retain(|key, _| !ASKED_OTHERWISE.contains(&key.as_str()));
            let shard = manifest.shard.map(|shard| json!(shard));
            let pilot = manifest.pilot.as_ref().map(|pilot| json!(pilot));
            let more = [("shard", shard), ("pilot", pilot)].into_iter();
            values.extend(more.filter_map(|(key, value)| Some((key.to_owned(), value?))));
            values
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
}
