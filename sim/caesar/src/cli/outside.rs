//! Access to files that a manifest names. Files outside of its directory are read only if the user names them also: the
//! results may come from somebody else, and the manifest could name any file of this machine.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::files::are_one;
use sim::error::Error;
use sim::visible::visible;

/// Returns where `path` leads, links followed as far as there is something.
fn place_of(path: &Path) -> PathBuf {
    if let Ok(place) = fs::canonicalize(path) {
        return place;
    }
    let mut place = match (path.parent(), path.components().next_back()) {
        (Some(parent), Some(_)) if parent != Path::new("") => place_of(parent),
        _ => std::path::absolute(".").unwrap_or_default(),
    };
    match path.components().next_back() {
        Some(Component::Normal(name)) => place.push(name),
        Some(Component::ParentDir) => drop(place.pop()),
        _ => {}
    }
    place
}

/// Returns the file that the manifest in `dir` calls `name`: one inside of `dir`, or among those that were `named` by
/// `option`; the path need not exist.
///
/// # Errors
/// If it lies outside and the user has not named it.
pub(super) fn named_file(
    dir: &Path,
    name: &str,
    option: &str,
    named: &[PathBuf],
) -> Result<PathBuf, Error> {
    let path = dir.join(name);
    let place = place_of(&path);
    let is_named = |named: &PathBuf| are_one(named, &path) || place_of(named) == place;
    if place.starts_with(place_of(dir)) || named.iter().any(is_named) {
        return Ok(path);
    }
    let shown = path.display().to_string();
    let shown = visible(&shown);
    Err(Error::Usage(format!(
        "{}: its manifest names a file outside of it, {shown}\n  it is read only if you name it also: {option} {shown}",
        dir.display()
    )))
}
