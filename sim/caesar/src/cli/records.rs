//! Name of the file of records, in error messages and in the manifest beside it.

use std::path::{Component, Path};

use super::files::followed;
use super::outputs;
use sim::error::Error;

/// Returns the name for error messages of the file of records at `path`.
pub(super) fn label(path: &Path) -> String {
    outputs::label("records", path)
}

/// Returns `file` as seen from the directory `dir`, with `/` between names; both are followed through symbolic links.
///
/// # Errors
/// If a name on the way is no UTF-8, or there is no way.
pub(super) fn seen_from(dir: &Path, file: &Path) -> Result<String, Error> {
    let failed = |e| Error::opening(label(file))(e);
    let (from, to) = (followed(dir).map_err(failed)?, followed(file).map_err(failed)?);
    let (from, to): (Vec<_>, Vec<_>) = (from.components().collect(), to.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[shared..].iter().map(|_| Some("..".to_owned()));
    let down = to[shared..].iter().map(|part| match part {
        Component::Normal(name) => name.to_str().map(str::to_owned),
        _ => None,
    });
    let names: Option<Vec<String>> = up.chain(down).collect();
    names.map(|names| names.join("/")).ok_or_else(|| {
        Error::Usage(format!(
            "{}: manifest.json cannot name it as seen from {}; name a file nearer to it",
            label(file),
            dir.display()
        ))
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_named_as_seen_from_the_directory() {
        let top = tempfile::tempdir().unwrap();
        let dir = top.path().join("a/run");
        fs::create_dir_all(&dir).unwrap();
        let seen = |file: &str| seen_from(&dir, &top.path().join(file)).unwrap();
        assert_eq!(seen("a/run/r.jsonl"), "r.jsonl");
        assert_eq!(seen("a/r.jsonl"), "../r.jsonl");
        assert_eq!(seen("a/run/../r.jsonl"), "../r.jsonl");
        // Directories that are created later do not matter.
        assert_eq!(seen("none/r.jsonl"), "../../none/r.jsonl");
        assert_eq!(seen("none/../r.jsonl"), "../../r.jsonl");
    }
}
