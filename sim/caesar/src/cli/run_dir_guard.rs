//! Directory of results before its run begins: created, entered, and restored if no run follows.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::files::{make_dirs, open_locked, unmake_dirs};
use super::outputs::refuse_other;
use sim::error::Error;
use sim::export::{Resume, that_are};

/// Guard of an entered directory of results. It removes the directories that it created unless a run begins.
#[derive(Debug)]
pub(super) struct RunDirGuard {
    dir: PathBuf,
    /// Directories that were made, those of a call together, the deepest first.
    made: Vec<Vec<PathBuf>>,
    new_files: Vec<PathBuf>,
}

impl RunDirGuard {
    /// Enters `dir`, which is made if it is not there, for results whose document is `own`.
    ///
    /// # Errors
    /// If it cannot be made, or holds other results.
    pub(super) fn enter(dir: &Path, own: &str) -> Result<Self, Error> {
        refuse_other(dir, own)?;
        let failed = Error::opening(format!("--out {}", dir.display()));
        let made = match fs::metadata(dir) {
            Ok(meta) if meta.is_dir() => Vec::new(),
            Ok(_) => {
                let text = "it exists and is not a directory; name another one";
                return Err(failed(io::Error::new(io::ErrorKind::NotADirectory, text)));
            }
            Err(_) => make_dirs(dir).map_err(failed)?,
        };
        Ok(Self { dir: dir.to_owned(), made: vec![made], new_files: Vec::new() })
    }

    /// Opens and locks the file at `path`; a new one is noted, and so are the directories that are made for it.
    ///
    /// # Errors
    /// If it cannot be opened, or another process has locked it.
    pub(super) fn open_locked(&mut self, path: &Path) -> io::Result<File> {
        let is_new = !path.exists();
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            self.made.push(make_dirs(parent)?);
        }
        let file = open_locked(path)?;
        if is_new {
            self.new_files.push(path.to_owned());
        }
        Ok(file)
    }
}

impl Drop for RunDirGuard {
    fn drop(&mut self) {
        // With a manifest a run has begun.
        if that_are(&[Resume::Fixed]).all(|format| self.dir.join(format.file).exists()) {
            return;
        }
        let is_empty = |path: &PathBuf| fs::metadata(path).is_ok_and(|meta| meta.len() == 0);
        for path in self.new_files.iter().filter(|path| is_empty(path)) {
            fs::remove_file(path).unwrap_or_default();
        }
        self.made.iter().rev().for_each(|made| unmake_dirs(made));
    }
}
