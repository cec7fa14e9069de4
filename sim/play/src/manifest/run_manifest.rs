//! What the manifests of all kinds of runs have in common: how they are read, refused, and divided into shards.
//!
//! Each is a document of its own, whose keys stand in the order of its fields.

use std::ops::Range;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::{Shard, is_of_program};
use crate::document::{document, read};
use crate::error::Error;

/// What helps where a directory holds another run.
const ELSEWHERE: &str = "; name another directory";

/// What the results in a directory depend on, of a run of some kind.
pub trait RunManifest: Clone + Serialize + DeserializeOwned {
    /// The format, in the first key.
    const FORMAT: &'static str;
    /// What such a run is called.
    const WHAT: &'static str;
    /// The advice behind a complaint about one that is damaged.
    const IF_DAMAGED: &'static str = ELSEWHERE;
    /// The advice behind a complaint about one of another version.
    const IF_OLDER: &'static str = ELSEWHERE;

    /// The command that plays the whole run, without its shards.
    fn command(&self) -> &str;

    /// Which part of the run this is; `None` for all of it.
    fn shard(&self) -> Option<Shard>;

    /// The same run, of which this is another part, or all of it.
    #[must_use]
    fn with_shard(self, shard: Option<Shard>) -> Self;

    /// What differs in `other`, a line for each key: `seed: 1 there, 2 here`.
    fn differences(&self, other: &Self) -> Vec<String>;

    /// What one that could be read lacks.
    fn lacks(&self) -> Option<String> {
        None
    }

    /// What is said of a document of another `format`.
    #[must_use]
    fn of_another_kind(_format: &str) -> String {
        format!("it is the manifest of another kind of run and of no {}", Self::WHAT)
    }

    /// Whether `format` is one of this kind, of whatever version.
    #[must_use]
    fn is_of_kind(format: &str) -> bool {
        let (kind, _) = Self::FORMAT.split_once('/').expect("a format has a version");
        format.strip_prefix(kind).is_some_and(|version| version.starts_with('/'))
    }

    /// What such a run is called with its article.
    #[must_use]
    fn a_run() -> String {
        let article = if Self::WHAT.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{article} {}", Self::WHAT)
    }

    /// Reads a manifest; `name` is what complaints call it.
    ///
    /// # Errors
    /// If it is no manifest of this format.
    fn parse(name: &str, text: &str) -> Result<Self, Error> {
        let bad = |what: String| Error::Usage(format!("{name}: {what}"));
        let none = |why: String| bad(format!("it is no manifest of {}: {why}", Self::a_run()));
        let damaged = |e: serde_json::Error| none(format!("{e}{}", Self::IF_DAMAGED));
        let json: Json = read(text).map_err(damaged)?;
        // The format first: what another one has for keys is its own business.
        match json["format"].as_str().unwrap_or_default() {
            format if format == Self::FORMAT => {
                let manifest: Self = serde_json::from_value(json).map_err(damaged)?;
                manifest.lacks().map_or(Ok(manifest), |what| Err(none(what)))
            }
            format if Self::is_of_kind(format) => Err(bad(format!(
                "its format is {format}, and this version of caesar reads {}{}",
                Self::FORMAT,
                Self::IF_OLDER
            ))),
            format => Err(bad(Self::of_another_kind(format) + ELSEWHERE)),
        }
    }

    /// The document, one line with its end.
    #[must_use]
    fn document(&self) -> String {
        document(self)
    }

    /// The same run without its division into shards.
    #[must_use]
    fn whole(&self) -> Self {
        self.clone().with_shard(None)
    }

    /// What belongs here of so many blocks of the whole run.
    fn share_of(&self, blocks: u64) -> Range<u64> {
        self.shard().map_or(0..blocks, |shard| shard.blocks(blocks))
    }

    /// What differs in the run that is asked for where this one goes on.
    fn differences_if_resumed(&self, asked: &Self) -> Vec<String> {
        self.differences(asked)
    }

    /// What differs between the whole runs of two shards.
    fn differences_of_wholes(&self, other: &Self) -> Vec<String> {
        self.whole().differences(&other.whole())
    }

    /// What differs in the whole run as it is played `here`; nothing if only programs do, which say nothing of games that
    /// were played.
    fn changed(&self, here: &Self) -> Option<String> {
        let mut differences = self.whole().differences(here);
        differences.retain(|line| !is_of_program(line));
        (!differences.is_empty()).then(|| differences.join("; "))
    }
}

/// What is said of games whose manifest, which is called `name`, gives others here.
#[must_use]
pub fn not_again(name: &str, what: &str) -> Error {
    Error::Usage(format!("{name}: its games cannot be played again: {what}"))
}

/// The text of a file that a manifest holds.
///
/// # Errors
/// If it does not hold it.
pub fn held(text: Option<&String>) -> std::io::Result<String> {
    text.cloned().ok_or_else(|| std::io::Error::other("the manifest does not hold its text"))
}
