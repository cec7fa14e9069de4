//! Where records go: to stdout, into a pipe or a device, or into a file.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Component, Path, PathBuf};

use same_file::Handle;

use super::files::{Aside, followed};
use crate::error::Error;

/// Names that systems have for our stdout.
const STDOUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// What `--records` names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// Our stdout, under whatever name.
    Stdout,
    /// A pipe or a device: it takes records and does not keep them.
    Stream(PathBuf),
    /// A file, there or to be made; symbolic links are followed.
    File(PathBuf),
}

impl Target {
    /// What `path` leads to.
    ///
    /// # Errors
    /// If no records can be written there.
    pub(super) fn of(path: &Path) -> Result<Self, Error> {
        if STDOUT.iter().any(|name| path == Path::new(name)) {
            return Ok(Self::Stdout);
        }
        let refused = |kind, text: &str| {
            Err(Error::opening(label(path))(io::Error::new(kind, text.to_owned())))
        };
        match fs::metadata(path) {
            Ok(meta) if meta.is_dir() => refused(io::ErrorKind::IsADirectory, "it is a directory"),
            Ok(meta) if !meta.is_file() => Ok(Self::Stream(path.to_owned())),
            Ok(_) if is_open_as(path, Handle::stdout()) => Ok(Self::Stdout),
            Ok(_) if is_open_as(path, Handle::stderr()) => {
                refused(io::ErrorKind::InvalidInput, "notes go there; name another file")
            }
            _ => followed(path).map(Self::File).map_err(Error::opening(label(path))),
        }
    }

    /// The file, if it is one.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Stdout | Self::Stream(_) => None,
        }
    }
}

/// What complaints call the file of records at `path`.
pub(super) fn label(path: &Path) -> String {
    format!("--records {}", path.display())
}

fn is_open_as(path: &Path, open: io::Result<Handle>) -> bool {
    matches!((Handle::from_path(path), open), (Ok(file), Ok(open)) if file == open)
}

/// Records that belong to no directory of results.
pub(super) enum Records {
    /// To whoever reads us.
    Stdout,
    /// Into a pipe or a device, and its name for complaints.
    Stream(BufWriter<File>, String),
    /// Into a file that appears when it is complete, and its name for complaints.
    File(Aside, String),
}

impl Records {
    /// Opens what `target` says.
    ///
    /// # Errors
    /// If it cannot be opened, or another run is writing to it.
    pub(super) fn open(target: &Target) -> Result<Self, Error> {
        match target {
            Target::Stdout => Ok(Self::Stdout),
            Target::Stream(path) => {
                let name = label(path);
                let file = File::options().write(true).open(path);
                Ok(Self::Stream(BufWriter::new(file.map_err(Error::opening(name.as_str()))?), name))
            }
            Target::File(path) => {
                let name = label(path);
                Ok(Self::File(Aside::create(path).map_err(Error::opening(name.as_str()))?, name))
            }
        }
    }

    /// Writes the record of a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&mut self, text: &str) -> Result<(), Error> {
        let bytes = text.as_bytes();
        match self {
            Self::Stdout => io::stdout().lock().write_all(bytes).map_err(Error::output("stdout")),
            Self::Stream(file, name) => file.write_all(bytes).map_err(Error::output(name.as_str())),
            Self::File(file, name) => file.write_all(bytes).map_err(Error::output(name.as_str())),
        }
    }

    /// Writes what waits, and puts a file in its place.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn finish(self) -> Result<(), Error> {
        match self {
            Self::Stdout => io::stdout().flush().map_err(Error::output("stdout")),
            Self::Stream(mut file, name) => file.flush().map_err(Error::output(name)),
            Self::File(file, name) => file.finish().map_err(Error::output(name)),
        }
    }
}

/// `file` as seen from the directory `dir`, with `/` between names; both are followed through symbolic links.
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
        assert!(seen_from(&dir, &top.path().join("none/r.jsonl")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_circles_refused() {
        let top = tempfile::tempdir().unwrap();
        let at = |name: &str| top.path().join(name);
        std::os::unix::fs::symlink("two", at("one")).unwrap();
        std::os::unix::fs::symlink("three", at("two")).unwrap();
        let real = fs::canonicalize(top.path()).unwrap().join("three");
        assert_eq!(Target::of(&at("one")).unwrap(), Target::File(real.clone()));
        fs::write(&real, "").unwrap();
        assert_eq!(Target::of(&at("one")).unwrap(), Target::File(real));
        std::os::unix::fs::symlink("circle", at("circle")).unwrap();
        let complaint = Target::of(&at("circle")).unwrap_err();
        assert!(complaint.to_string().contains("leads nowhere"), "{complaint}");
        assert_eq!(complaint.exit_code(), 2);
        assert_eq!(Target::of(Path::new("/dev/null")).unwrap(), Target::Stream("/dev/null".into()));
        assert_eq!(Target::of(Path::new("/dev/stdout")).unwrap(), Target::Stdout);
    }
}
