//! Files that a manifest names: those outside of its directory are read only when a person names them, too. A directory
//! of results may come from somebody else, and its manifest could name any file of this machine.

use std::fs;
use std::path::{Path, PathBuf};

use super::files::are_one;
use crate::error::Error;
use crate::visible::visible;

/// Returns the file that the manifest in `dir` calls `name`: one that is not there, or inside of `dir`, or among those
/// that were `named` by `option`.
///
/// # Errors
/// If it lies outside and nobody has named it.
pub(super) fn named_file(
    dir: &Path,
    name: &str,
    (option, named): (&str, &[PathBuf]),
) -> Result<PathBuf, Error> {
    let path = dir.join(name);
    let (Ok(inside), Ok(place)) = (fs::canonicalize(dir), fs::canonicalize(&path)) else {
        return Ok(path);
    };
    if place.starts_with(inside) || named.iter().any(|named| are_one(named, &path)) {
        return Ok(path);
    }
    let shown = path.display().to_string();
    let shown = visible(&shown);
    Err(Error::Usage(format!(
        "{}: its manifest names a file outside of it, {shown}\n  it is read only if you name it, too: {option} {shown}",
        dir.display()
    )))
}
