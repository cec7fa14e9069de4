//! Preparation of a directory for several studies: existing results are refused or removed before the first game.

use std::fs::File;
use std::path::Path;

use crate::cli::directory::{self, is_of, remove_from};
use crate::cli::kept::Stored;
use crate::cli::note;
use crate::cli::outputs::{Existing, There, refuse_other};
use crate::cli::run_dir_guard::RunDirGuard;
use lab::balance::manifest::Manifest as Treated;
use lab::dynamics::manifest::Manifest as Watched;
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::export::summary::FILE as SUMMARY;

/// Prepares `out` for the studies in its directories `names`. Without `--force` it refuses existing results of such
/// studies unless they continue. With `--force` it removes them after all checks have passed.
///
/// # Errors
/// If it holds results that must not be replaced, unknown files, or files that another process is writing.
pub(super) fn make_way(out: &Path, existing: Existing, names: &[String]) -> Result<(), Error> {
    refuse_other(out, "")?;
    let is_run = |name: &&String| out.join(name).join(MANIFEST).is_file();
    let there: Vec<&str> = names.iter().filter(is_run).map(String::as_str).collect();
    if there.is_empty() {
        existing.replace_foreign(out, [SUMMARY])?.iter().for_each(|line| note(line));
        return Ok(());
    }
    if existing.goes_on() {
        return Ok(());
    }
    let command = there.join(", ");
    let is_finished = out.join(SUMMARY).is_file();
    let run = There { dir: out, what: "run of several studies", command: &command, is_finished };
    let notice = existing.replace(&run)?;
    let removed = there.iter().map(|name| Removed::of(&out.join(name)));
    let removed = removed.collect::<Result<Vec<_>, Error>>()?;
    note(&notice);
    remove_from(out, SUMMARY)?;
    there.iter().zip(&removed).try_for_each(|(name, removed)| removed.go(&out.join(name)))
}

/// Run to remove, locked so that no process continues it meanwhile.
struct Removed {
    /// Files of the run, the manifest last: without it the others could not be identified.
    files: Vec<String>,
    _rows: File,
    _entered: RunDirGuard,
}

impl Removed {
    fn of(dir: &Path) -> Result<Self, Error> {
        match is_of::<Watched>(dir) {
            true => Self::stored::<Watched>(dir),
            false => Self::stored::<Treated>(dir),
        }
    }

    fn stored<M: Stored>(dir: &Path) -> Result<Self, Error> {
        let mut entered = RunDirGuard::enter(dir, MANIFEST)?;
        let (rows, found) = directory::enter::<M>(dir, &mut entered, M::ROWS[0])?;
        let finished = found.iter().flat_map(Stored::finished);
        let rows_of = M::ROWS.iter().chain([&MANIFEST]).map(|&name| name.to_owned());
        Ok(Self { files: finished.chain(rows_of).collect(), _rows: rows, _entered: entered })
    }

    fn go(&self, dir: &Path) -> Result<(), Error> {
        self.files.iter().try_for_each(|name| remove_from(dir, name))
    }
}
