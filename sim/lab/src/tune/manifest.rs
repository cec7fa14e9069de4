//! The manifest of a search: everything that its rows depend on. It is written before the first game and never
//! changes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::request::Request;
use super::study::TuningStudy;
use sim::document::object;
use sim::error::Error;
use sim::manifest::{RunManifest, Shard, changed_programs, different_fields};

/// The inputs that determine the rows in a directory.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format, [`RunManifest::FORMAT`].
    pub format: String,
    /// The version of `caesar` that plays.
    pub version: String,
    /// The command that reproduces it.
    pub command: String,
    /// The request with all defaults filled in.
    request: Request,
    /// The search space: a text for each dimension.
    space: BTreeMap<String, String>,
    /// The files that were read, with their texts.
    files: BTreeMap<String, String>,
    /// The number of looks at the same report pool by earlier searches in the directory.
    #[serde(default)]
    pub earlier_looks: u64,
    /// The number of the search, if this is one of several; `None` for all.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shard: Option<Shard>,
    /// The BLAKE3 hashes of the files of external agents, by the words of their commands that name them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    programs: BTreeMap<String, String>,
    /// Changes between the start and a continuation of the run that the user accepted.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub accepted_changes: Vec<String>,
}

impl Manifest {
    /// Creates the manifest of a study, or of one search of it.
    #[must_use]
    pub fn new(study: &TuningStudy, shard: Option<Shard>) -> Self {
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
            format: Self::FORMAT.to_owned(),
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

    /// Rebuilds the study; `name` is the manifest's name in errors.
    ///
    /// # Errors
    /// If this version of caesar would run another study than the version that wrote it.
    pub fn study(&self, name: &str) -> Result<TuningStudy, Error> {
        let text = |path: &str| {
            self.files.get(path).cloned().ok_or_else(|| std::io::ErrorKind::NotFound.into())
        };
        let study = TuningStudy::new(&self.request, &text)?;
        let Some(what) = self.changed(&Self::new(&study, None)) else { return Ok(study) };
        Err(Error::Usage(format!(
            "{name}: it is of another search here ({what}); name another directory"
        )))
    }

    /// Returns this manifest as the replacement of a finished one, with its looks at the report pool counted if both
    /// share it.
    #[must_use]
    pub fn in_place_of(self, before: &Self) -> Self {
        let pool = |manifest: &Self| {
            let Request { played, seed, .. } = &manifest.request;
            (played.clone(), *seed)
        };
        let is_same = pool(&self) == pool(before);
        Self { earlier_looks: if is_same { before.earlier_looks + 1 } else { 0 }, ..self }
    }
}

impl RunManifest for Manifest {
    const FORMAT: &'static str = "caesar-tune/1";
    const WHAT: &'static str = "search";

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
            values.insert("version".to_owned(), json!(manifest.version));
            values.extend(manifest.shard.map(|shard| ("shard".to_owned(), json!(shard))));
            values.insert("space".to_owned(), json!(manifest.space));
            values.extend(
                manifest.files.iter().map(|(name, text)| (format!("the file {name}"), json!(text))),
            );
            values
        };
        let mut lines = different_fields(&fields(self), &fields(other));
        lines.extend(changed_programs(&self.programs, &other.programs));
        lines
    }
}
