//! The manifest of a population: everything that its rows depend on.

use std::collections::BTreeMap;

use agents::AgentSpec;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::request::Request;
use super::study::StrategiesStudy;
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
    /// The number of the independent loop, if this is one of several; `None` for the whole run.
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
    /// Creates the manifest of a study, or of one of its independent loops.
    #[must_use]
    pub fn new(study: &StrategiesStudy, shard: Option<Shard>) -> Self {
        let entrants = &study.entrants;
        let space = entrants.space.dimensions().iter().map(|one| {
            let text = format!("{} ({}) from {}", one.range.text(), one.range.scale(), one.start);
            (one.name.clone(), text)
        });
        let own = entrants.agent(&entrants.space.start()).map(|agent| agent.program_files());
        let programs = entrants.against.iter().flat_map(AgentSpec::program_files);
        let rules = study.setups().filter_map(|setup| setup.overrides.file.as_ref());
        Self {
            format: Self::FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: study.request.command(),
            request: study.request.clone(),
            space: space.collect(),
            files: entrants.files.iter().chain(rules).cloned().collect(),
            shard,
            programs: programs.chain(own.unwrap_or_default()).collect(),
            accepted_changes: Vec::new(),
        }
    }
}

impl Manifest {
    /// Returns true if it is of two rule sets.
    #[must_use]
    pub fn has_sides(&self) -> bool {
        !self.request.arms.are_empty()
    }

    /// Rebuilds the study; `name` is the manifest's name in errors.
    ///
    /// # Errors
    /// If this version of caesar would make another run than the version that wrote it.
    pub fn study(&self, name: &str) -> Result<StrategiesStudy, Error> {
        let text = |path: &str| {
            self.files.get(path).cloned().ok_or_else(|| std::io::ErrorKind::NotFound.into())
        };
        let study = StrategiesStudy::new(&self.request, &text)?;
        let Some(what) = self.changed(&Self::new(&study, None)) else { return Ok(study) };
        Err(Error::Usage(format!(
            "{name}: it is of another population here ({what}); name another directory"
        )))
    }
}

impl RunManifest for Manifest {
    const FORMAT: &'static str = "caesar-strategies/1";
    const WHAT: &'static str = "population";

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
