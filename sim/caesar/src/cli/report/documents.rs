//! Documents of results: read from a directory, and searched by key.

use std::path::Path;

use serde_json::Value as Json;

use crate::cli::files;
use sim::error::Error;

/// Returns a document in a directory.
pub(in crate::cli) fn document(dir: &Path, name: &str) -> Result<Json, Error> {
    let path = dir.join(name);
    let place = path.display().to_string();
    let text = files::document(&path).map_err(Error::file(place.as_str()))?;
    sim::document::read(&text).map_err(|e| Error::Usage(format!("{place}: it is damaged: {e}")))
}

/// Returns the first value under `key` anywhere in a document.
pub(super) fn anywhere<'a>(json: &'a Json, key: &str) -> Option<&'a Json> {
    match json {
        Json::Object(map) => {
            map.get(key).or_else(|| map.values().find_map(|value| anywhere(value, key)))
        }
        Json::Array(list) => list.iter().find_map(|value| anywhere(value, key)),
        _ => None,
    }
}

/// Returns the text of the first value under `key`; empty if there is none.
pub(super) fn text(json: &Json, key: &str) -> String {
    match anywhere(json, key) {
        Some(Json::String(text)) => text.clone(),
        Some(Json::Null) | None => String::new(),
        Some(other) => other.to_string(),
    }
}
