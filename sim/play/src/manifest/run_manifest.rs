//! The common trait of the manifests of all kinds of runs: reading, refusing, and division into shards.
//!
//! Each is a document of its own, with keys in the order of its fields.

use std::ops::Range;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::{Shard, is_of_program};
use crate::document::{document, read};
use crate::error::Error;

/// The remedy if a directory holds another run.
const ELSEWHERE: &str = "; name another directory";

/// The manifest of a run of some kind: all that the results in a directory depend on.
pub trait RunManifest: Clone + Serialize + DeserializeOwned {
    /// The format, the value of the first key.
    const FORMAT: &'static str;
    /// The name of the format in the last release, which is read as well.
    const OLD_FORMAT: Option<&'static str> = None;
    /// The name of this kind of run.
    const WHAT: &'static str;
    /// The advice after an error on a damaged manifest.
    const IF_DAMAGED: &'static str = ELSEWHERE;
    /// The advice after an error on a manifest of another version.
    const IF_OLDER: &'static str = ELSEWHERE;

    /// Returns the command that plays the whole run, without its shards.
    fn command(&self) -> &str;

    /// Returns the part of the run in this directory; `None` for the whole run.
    fn shard(&self) -> Option<Shard>;

    /// Returns the manifest of another part of this run, or of the whole run.
    #[must_use]
    fn with_shard(self, shard: Option<Shard>) -> Self;

    /// Returns the differences in `other`, a line for each key: `seed: 1 there, 2 here`.
    fn differences(&self, other: &Self) -> Vec<String>;

    /// Returns the missing part of a readable manifest, if any.
    fn lacks(&self) -> Option<String> {
        None
    }

    /// Returns the error message for a document of another `format`.
    #[must_use]
    fn of_another_kind(_format: &str) -> String {
        format!("it is the manifest of another kind of run and of no {}", Self::WHAT)
    }

    /// Returns whether `format` is of this kind, in any version.
    #[must_use]
    fn is_of_kind(format: &str) -> bool {
        let kind = |format: &str| format.split_once('/').map(|(kind, _)| kind.to_owned());
        [Some(Self::FORMAT), Self::OLD_FORMAT]
            .into_iter()
            .flatten()
            .any(|known| kind(known) == kind(format))
    }

    /// Returns the name of this kind of run with its article.
    #[must_use]
    fn a_run() -> String {
        let article = if Self::WHAT.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{article} {}", Self::WHAT)
    }

    /// Reads a manifest; `name` is its name in errors.
    ///
    /// # Errors
    /// If it is no manifest of this format.
    fn parse(name: &str, text: &str) -> Result<Self, Error> {
        let bad = |what: String| Error::Usage(format!("{name}: {what}"));
        let none = |why: String| bad(format!("it is no manifest of {}: {why}", Self::a_run()));
        let damaged = |e: serde_json::Error| none(format!("{e}{}", Self::IF_DAMAGED));
        let mut json: Json = read(text).map_err(damaged)?;
        if Self::OLD_FORMAT.is_some_and(|old| json["format"] == old) {
            json["format"] = Self::FORMAT.into();
        }
        // Checks the format first, since another format has other keys.
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

    /// Returns the document, one line with its end.
    #[must_use]
    fn document(&self) -> String {
        document(self)
    }

    /// Returns this run without its division into shards.
    #[must_use]
    fn whole(&self) -> Self {
        self.clone().with_shard(None)
    }

    /// Returns this shard's part of the `blocks` of the whole run.
    fn share_of(&self, blocks: u64) -> Range<u64> {
        self.shard().map_or(0..blocks, |shard| shard.blocks(blocks))
    }

    /// Returns the differences in the requested run that would resume this one.
    fn differences_if_resumed(&self, wanted: &Self) -> Vec<String> {
        self.differences(wanted)
    }

    /// Returns the differences between the whole runs of two shards.
    fn differences_of_wholes(&self, other: &Self) -> Vec<String> {
        self.whole().differences(&other.whole())
    }

    /// Returns the differences of the whole run as played `here`, if there are any.
    ///
    /// Changed programs do not count, since they do not affect games that were already played.
    fn changed(&self, here: &Self) -> Option<String> {
        let mut differences = self.whole().differences(here);
        differences.retain(|line| !is_of_program(line));
        (!differences.is_empty()).then(|| differences.join("; "))
    }
}

/// Returns the error for a manifest called `name` whose games would differ here.
#[must_use]
pub fn not_again(name: &str, what: &str) -> Error {
    Error::Usage(format!("{name}: its games cannot be played again: {what}"))
}

/// Returns the text of a file that a manifest holds.
///
/// # Errors
/// If the manifest does not hold it.
pub fn held(text: Option<&String>) -> std::io::Result<String> {
    text.cloned().ok_or_else(|| std::io::Error::other("the manifest does not hold its text"))
}
