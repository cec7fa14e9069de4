//! A directory of results before its run has begun: made, entered, and left as it was if nothing comes of it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::files::open_locked;
use crate::error::Error;
use crate::export::{Resume, that_are};

/// A directory of results that was entered; what was made on the way is taken away again if no run is begun.
#[derive(Debug)]
pub(super) struct Entered {
    dir: PathBuf,
    is_new: bool,
    new_files: Vec<PathBuf>,
}

impl Entered {
    /// Enters `dir`, which is made if it is not there.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(super) fn enter(dir: &Path) -> Result<Self, Error> {
        let failed = Error::opening(format!("--out {}", dir.display()));
        let is_new = match fs::metadata(dir) {
            Ok(meta) if meta.is_dir() => false,
            Ok(_) => {
                let text = "it is there and no directory; name another one";
                return Err(failed(io::Error::new(io::ErrorKind::NotADirectory, text)));
            }
            Err(_) => {
                fs::create_dir_all(dir).map_err(failed)?;
                true
            }
        };
        Ok(Self { dir: dir.to_owned(), is_new, new_files: Vec::new() })
    }

    /// Opens and locks the file at `path`; a new one is noted.
    ///
    /// # Errors
    /// If it cannot be opened, or somebody else has locked it.
    pub(super) fn open_locked(&mut self, path: &Path) -> io::Result<File> {
        let is_new = !path.exists();
        let file = open_locked(path)?;
        if is_new {
            self.new_files.push(path.to_owned());
        }
        Ok(file)
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        // With a manifest a run has begun.
        if that_are(&[Resume::Fixed]).all(|format| self.dir.join(format.file).exists()) {
            return;
        }
        let is_empty = |path: &PathBuf| fs::metadata(path).is_ok_and(|meta| meta.len() == 0);
        for path in self.new_files.iter().filter(|path| is_empty(path)) {
            fs::remove_file(path).unwrap_or_default();
        }
        if self.is_new {
            fs::remove_dir(&self.dir).unwrap_or_default();
        }
    }
}
