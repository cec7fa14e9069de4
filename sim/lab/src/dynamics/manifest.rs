//! The manifest of a study of game dynamics: everything that its rows depend on, sufficient to play it again. It is
//! written before the first game and never changes.

use std::collections::BTreeMap;

use engine::rules::Change;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::request::{More, Request, ValidatedDynamics, What};
use sim::document::object;
use sim::error::Error;
use sim::manifest::{RunManifest, Shard, different_fields, held, not_again};

/// The inputs that determine the rows in a directory.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format, [`RunManifest::FORMAT`].
    pub format: String,
    /// The version of `caesar` that plays.
    pub version: String,
    /// The command that plays the whole study, without shards.
    pub command: String,
    /// The kind of study.
    pub what: What,
    /// The request with all defaults filled in.
    request: Request,
    /// The additional options of this kind of study.
    more: More,
    /// The agent in all seats.
    agents: Vec<String>,
    /// The differences from the default rules.
    overrides: Json,
    /// The differences value by value, with the default and the source of the new value.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    changed_rules: Vec<Change>,
    /// The texts of all files that were read, by the given names.
    files: BTreeMap<String, String>,
    /// The shard of the run; `None` for the whole run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shard: Option<Shard>,
}

impl Manifest {
    /// Creates the manifest of a study, or of a shard of it.
    #[must_use]
    pub fn new(validated: &ValidatedDynamics, shard: Option<Shard>) -> Self {
        let subject = &validated.study.subject;
        Self {
            format: Self::FORMAT.to_owned(),
            version: subject.version.clone(),
            command: validated.command(),
            what: validated.what,
            request: validated.request.clone(),
            more: validated.more.clone(),
            agents: vec![subject.agent.clone()],
            overrides: subject.rules.clone(),
            changed_rules: validated.changes.clone(),
            files: validated.files.iter().cloned().collect(),
            shard,
        }
    }

    /// Rebuilds the study from the manifest alone.
    ///
    /// # Errors
    /// If this version of the program cannot play it, or plays it under other rules.
    pub fn validated(&self, name: &str) -> Result<ValidatedDynamics, Error> {
        let read = |path: &str| held(self.files.get(path));
        let validated = ValidatedDynamics::new(self.what, &self.request, &self.more, &read)?;
        let changed = self.changed(&Self::new(&validated, None));
        changed.map_or(Ok(validated), |what| Err(not_again(name, &what)))
    }
}

impl RunManifest for Manifest {
    const FORMAT: &'static str = "caesar-dynamics/1";
    const OLD_FORMAT: Option<&'static str> = Some("caesar-arc/1");
    const WHAT: &'static str = "study of watched games";

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
            let mut all = object(&manifest.request);
            all.extend(object(&manifest.more));
            // The resulting rules follow below.
            all.retain(|key, _| key != "rules" && key != "set");
            all.insert("version".to_owned(), json!(manifest.version));
            all.insert("what".to_owned(), json!(manifest.what));
            all.insert("rules".to_owned(), manifest.overrides.clone());
            all.extend(manifest.shard.map(|shard| ("shard".to_owned(), json!(shard))));
            let files = manifest.files.iter();
            all.extend(files.map(|(name, text)| (format!("the file {name}"), json!(text))));
            all
        };
        different_fields(&fields(self), &fields(other))
    }
}
