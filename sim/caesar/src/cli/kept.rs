//! Directory of a run of any kind that stores rows: entered, then begun or continued.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::directory::{self, refuse_differences, remove_from};
use super::files::open_locked;
use super::outputs::{Existing, There};
use super::rows::{Blocks, Rows};
use super::run_dir_guard::RunDirGuard;
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::export::row_file::RowFile;
use sim::manifest::RunManifest;

/// The manifest of a run, as its directory holds it.
pub(super) trait Stored: RunManifest {
    /// Files of rows; the first is locked during play.
    const ROWS: &'static [&'static str];

    /// Returns the files that exist only after the end of a run, the document of its results first.
    fn finished(&self) -> Vec<String>;

    /// Returns whether the run in `dir` is complete.
    fn is_finished(&self, dir: &Path) -> bool {
        dir.join(&self.finished()[0]).is_file()
    }

    /// Returns whether an unfinished run in `dir` has rows to lose.
    ///
    /// # Errors
    /// If its rows cannot be read.
    fn has_rows(&self, dir: &Path) -> Result<bool, Error> {
        let is_begun = |name: &&str| dir.join(name).metadata().is_ok_and(|meta| meta.len() > 0);
        Ok(Self::ROWS.iter().any(is_begun))
    }
}

/// Returns the files of tables with these names.
pub(super) fn tables_of(names: &[&str]) -> impl Iterator<Item = String> {
    names.iter().map(|name| format!("{name}.csv"))
}

/// Returns the note on the results in `dir` that are replaced: those of the run `found`, or of no run. A run without
/// rows has nothing to lose.
///
/// # Errors
/// If it is not to be replaced.
pub(super) fn replaced<M: Stored>(
    dir: &Path,
    manifest: &M,
    found: Option<&M>,
    existing: Existing,
) -> Result<Option<String>, Error> {
    let Some(there) = found else {
        let finished = manifest.finished();
        let names = finished.iter().map(String::as_str);
        return existing.replace_foreign(dir, M::ROWS.iter().copied().chain(names));
    };
    let (has_rows, is_finished) = (there.has_rows(dir)?, there.is_finished(dir));
    if !is_finished && !has_rows {
        return Ok(None);
    }
    let run = There { dir, what: M::WHAT, command: there.command(), is_finished };
    existing.replace(&run).map(Some)
}

/// Directory that is entered and locked, before any change in it.
pub(super) struct Entry<M> {
    dir: PathBuf,
    rows: File,
    found: Option<M>,
    goes_on: bool,
    /// Note on the replaced results.
    replaced: Option<String>,
    /// Guard that removes created directories unless a run begins.
    entered: RunDirGuard,
}

impl<M: Stored> Entry<M> {
    /// Enters `dir` for the run `wanted`.
    ///
    /// # Errors
    /// If the directory cannot be used, or is used by another run, or holds another one, or an unfinished one that is
    /// not to go on. Then nothing of it has changed.
    pub(super) fn enter(dir: &Path, wanted: &M, existing: Existing) -> Result<Self, Error> {
        let mut entered = RunDirGuard::enter(dir, MANIFEST)?;
        let (rows, found) = directory::enter::<M>(dir, &mut entered, M::ROWS[0])?;
        let goes_on = found.is_some() && existing.goes_on();
        let replaced = match &found {
            Some(there) if goes_on => {
                refuse_differences(dir, M::WHAT, &there.differences_if_resumed(wanted))?;
                None
            }
            found => replaced(dir, wanted, found.as_ref(), existing)?,
        };
        Ok(Self { dir: dir.to_owned(), rows, found, goes_on, replaced, entered })
    }

    /// Returns the run that continues.
    pub(super) fn going_on(&self) -> Option<&M> {
        self.found.as_ref().filter(|_| self.goes_on)
    }

    /// Returns the run that is replaced.
    pub(super) fn before(&self) -> Option<&M> {
        self.found.as_ref().filter(|_| !self.goes_on)
    }

    /// Begins the run of `manifest`, or continues the existing one.
    ///
    /// # Errors
    /// If something cannot be removed or written.
    pub(super) fn begin(self, manifest: &M) -> Result<Kept, Error> {
        let Self { dir, mut rows, found, goes_on, replaced, entered } = self;
        let (first, others) = M::ROWS.split_first().expect("a run has rows");
        if !goes_on {
            others.iter().try_for_each(|name| remove_from(&dir, name))?;
            let before = found.iter().flat_map(Stored::finished);
            let all: Vec<String> = before.chain(manifest.finished()).collect();
            let all = all.iter().map(String::as_str);
            rows = directory::clear(&dir, replaced.as_deref(), all, (rows, first))?;
            directory::fix(&dir, MANIFEST, manifest.document().as_bytes())?;
        }
        Ok(Kept { dir, first, rows: Some(rows), _entered: entered })
    }
}

/// Directory of a run that has begun.
pub(super) struct Kept {
    dir: PathBuf,
    first: &'static str,
    rows: Option<File>,
    _entered: RunDirGuard,
}

/// Callback for the rows of a block.
pub(super) type OnRows<'a, T> = dyn FnMut(&[<T as RowFile>::Row]) -> Result<(), Error> + 'a;

impl Kept {
    /// Enters `--out`, and writes the manifest if the run is new.
    ///
    /// # Errors
    /// If it cannot be used, or holds another run, or an unfinished one that is not to go on.
    pub(super) fn at<M: Stored>(
        dir: &Path,
        manifest: &M,
        existing: Existing,
    ) -> Result<Self, Error> {
        Entry::enter(dir, manifest, existing)?.begin(manifest)
    }

    /// Returns the directory.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Opens the rows of a table and passes the existing blocks of `range` to `on_rows`. Open rows keep other processes
    /// from writing there.
    ///
    /// # Errors
    /// If they cannot be read or written.
    pub(super) fn rows<T: RowFile>(
        &mut self,
        table: T,
        range: &Range<u64>,
        on_rows: &mut OnRows<'_, T>,
    ) -> Result<Rows<T>, Error> {
        self.open(table, range.start, |blocks| {
            for _ in range.clone() {
                let Some(rows) = blocks.next_block()? else { break };
                on_rows(&rows)?;
            }
            Ok(())
        })
    }

    /// Opens the rows of `table`; `recall` reads the existing ones.
    ///
    /// # Errors
    /// If they cannot be read or written.
    pub(super) fn open<T: RowFile>(
        &mut self,
        table: T,
        first: u64,
        recall: impl FnOnce(&mut Blocks<'_, T>) -> Result<(), Error>,
    ) -> Result<Rows<T>, Error> {
        let file = match self.rows.take_if(|_| table.file() == self.first) {
            Some(file) => file,
            None => {
                let place = self.dir.join(table.file());
                open_locked(&place).map_err(Error::opening(place.display().to_string()))?
            }
        };
        Rows::go_on(&self.dir, file, table, first, recall)
    }
}
