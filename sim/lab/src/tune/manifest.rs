//! What the rows of a search depend on, as a document; written before the first game, and it never changes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::request::Request;
use super::study::Study;
use sim::document::document;
use sim::error::Error;
use sim::manifest::{Shard, changed_programs, different_fields, is_of_program};

/// The format of manifests of searches, in their first key.
pub const FORMAT: &str = "caesar-tune/1";
/// With what the names of all these formats begin.
pub const FORMATS: &str = "caesar-tune/";

/// What the rows in a directory depend on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format, [`FORMAT`].
    pub format: String,
    /// The version of `caesar` that plays.
    pub version: String,
    /// The command that runs it again.
    pub command: String,
    /// What was asked, everything said.
    request: Request,
    /// What is searched: a text for each dimension.
    space: BTreeMap<String, String>,
    /// The files that were read, with their texts.
    files: BTreeMap<String, String>,
    /// How often searches that stood in the directory before have looked at the same pool of reports.
    #[serde(default)]
    pub earlier_looks: u64,
    /// Which of the searches this is; `None` for all of them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shard: Option<Shard>,
    /// The BLAKE3 hashes of the files of external agents, by the words of their commands that name them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    programs: BTreeMap<String, String>,
    /// What had changed where the run went on, and somebody has accepted it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub accepted_changes: Vec<String>,
}

impl Manifest {
    /// The manifest of a study, or of one search of it.
    #[must_use]
    pub fn new(study: &Study, shard: Option<Shard>) -> Self {
        let space = study.search.space.dimensions().iter();
        let space = space.map(|one| {
            let prior = one.prior.map_or_else(String::new, |prior| {
                format!(", expected at {} within {} of the range", prior.place, prior.spread)
            });
            let text =
                format!("{} ({}) from {}{prior}", one.range.text(), one.range.scale(), one.start);
            (one.name.clone(), text)
        });
        let rules = study.setup.overrides.file.iter();
        Self {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: study.request.command(),
            request: study.request.clone(),
            space: space.collect(),
            files: study.subject.files().iter().chain(rules).cloned().collect(),
            earlier_looks: 0,
            shard,
            programs: study.subject.program_files(),
            accepted_changes: Vec::new(),
        }
    }

    /// The whole run.
    #[must_use]
    pub fn whole(&self) -> Self {
        Self { shard: None, ..self.clone() }
    }

    /// The study; `name` is what complaints call the manifest.
    ///
    /// # Errors
    /// If this version of caesar asks something else than the one that wrote it.
    pub fn study(&self, name: &str) -> Result<Study, Error> {
        let text = |path: &str| {
            self.files.get(path).cloned().ok_or_else(|| std::io::ErrorKind::NotFound.into())
        };
        let study = Study::new(&self.request, &text)?;
        // Other programs say nothing of games that were played.
        let mut differences = self.whole().differences(&Self::new(&study, None));
        differences.retain(|line| !is_of_program(line));
        if differences.is_empty() {
            return Ok(study);
        }
        Err(Error::Usage(format!(
            "{name}: it is of another search here ({}); name another directory",
            differences.join("; ")
        )))
    }

    /// The same search in place of one that was finished: whether its pool of reports was looked at before.
    #[must_use]
    pub fn in_place_of(self, before: &Self) -> Self {
        let pool = |manifest: &Self| {
            let Request { played, seed, .. } = &manifest.request;
            (played.clone(), *seed)
        };
        let is_same = pool(&self) == pool(before);
        Self { earlier_looks: if is_same { before.earlier_looks + 1 } else { 0 }, ..self }
    }

    /// Reads a manifest; `name` is what complaints call it.
    ///
    /// # Errors
    /// If it is no manifest of this format.
    pub fn parse(name: &str, text: &str) -> Result<Self, Error> {
        let bad = |what: String| Error::Usage(format!("{name}: {what}; name another directory"));
        let none = |e: serde_json::Error| bad(format!("it is no manifest of a search: {e}"));
        let json: Json = sim::document::read(text).map_err(none)?;
        match json["format"].as_str() {
            Some(FORMAT) => serde_json::from_value(json).map_err(none),
            Some(format) if format.starts_with(FORMATS) => Err(bad(format!(
                "its format is {format}, and this version of caesar reads {FORMAT}"
            ))),
            _ => Err(bad("it is the manifest of another kind of run and of no search".to_owned())),
        }
    }

    /// The document, one line with its end.
    #[must_use]
    pub fn document(&self) -> String {
        document(self)
    }

    /// What differs in `other`, a line for each key: `seed: 1 there, 2 here`.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let fields = |manifest: &Self| {
            let mut said = match serde_json::to_value(&manifest.request) {
                Ok(Json::Object(said)) => said,
                _ => Map::new(),
            };
            said.insert("version".to_owned(), json!(manifest.version));
            said.extend(manifest.shard.map(|shard| ("shard".to_owned(), json!(shard))));
            said.insert("space".to_owned(), json!(manifest.space));
            said.extend(
                manifest.files.iter().map(|(name, text)| (format!("the file {name}"), json!(text))),
            );
            said
        };
        let mut lines = different_fields(&fields(self), &fields(other));
        lines.extend(changed_programs(&self.programs, &other.programs));
        lines
    }
}
