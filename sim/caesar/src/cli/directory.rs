//! Directory of a run of any kind: locked before the first look at it, begun with its manifest, grown by whole blocks
//! that are handed over from time to time.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::files::{Growing, document, emptied, remove, write_aside};
use super::note;
use super::renamed::note_renamed;
use super::run_dir_guard::RunDirGuard;
use super::sums;
use super::trust::accepts_changed;
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::manifest::{RunManifest, is_of_program};

/// Longest delay before whole blocks are handed to the operating system.
const FLUSH_EVERY: Duration = Duration::from_millis(200);
/// Longest delay before blocks are synced to the disk.
const SYNC_EVERY: Duration = Duration::from_secs(5);
/// Largest number of waiting bytes, apart from those of a block.
const FLUSH_BYTES: usize = 1 << 20;

/// Reads the manifest of the run in `dir`; `None` if there is none.
///
/// # Errors
/// If it cannot be read.
pub(super) fn found<M: RunManifest>(dir: &Path) -> Result<Option<M>, Error> {
    let place = dir.join(MANIFEST);
    let name = place.display().to_string();
    match document(&place) {
        Ok(text) => {
            let manifest = M::parse(&name, &text)?;
            if let Some(old) =
                M::OLD_FORMAT.filter(|old| text.contains(&format!("\"format\":\"{old}\"")))
            {
                note_renamed(&name, old, M::FORMAT);
            }
            Ok(Some(manifest))
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::File { place: name, source: e }),
    }
}

/// Returns whether the manifest in `dir` is of the kind `M`, of any version. Returns false for any other manifest and
/// for none.
pub(super) fn is_of<M: RunManifest>(dir: &Path) -> bool {
    let text = document(&dir.join(MANIFEST)).unwrap_or_default();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    json["format"].as_str().is_some_and(M::is_of_kind)
}

/// Opens and locks the file `rows` of `dir`, and reads the manifest beside it, if there is one.
///
/// # Errors
/// If either cannot be used, or is of another kind of run. Then nothing has changed.
pub(super) fn enter<M: RunManifest>(
    dir: &Path,
    entered: &mut RunDirGuard,
    rows: &str,
) -> Result<(File, Option<M>), Error> {
    // A directory with another kind of run stays unchanged.
    found::<M>(dir)?;
    let place = dir.join(rows);
    let failed = |e| Error::opening(place.display().to_string())(e);
    let file = entered.open_locked(&place).map_err(failed)?;
    Ok((file, found(dir)?))
}

/// Prepares the directory for a new run. Removes the files of a finished run, then the rows in the open file, and
/// returns an empty one. Prints the note `replaced`, if there is one.
///
/// # Errors
/// If something cannot be removed.
pub(super) fn clear<'a>(
    dir: &Path,
    replaced: Option<&str>,
    finished: impl IntoIterator<Item = &'a str>,
    rows: (File, &str),
) -> Result<File, Error> {
    replaced.iter().for_each(|line| note(line));
    finished.into_iter().chain([sums::FILE]).try_for_each(|name| remove_from(dir, name))?;
    let place = dir.join(rows.1);
    // This comes before the manifest: a kill between the two would leave rows that do not belong to the new manifest.
    emptied(rows.0, &place).map_err(Error::opening(place.display().to_string()))
}

/// Removes the file `name` of `dir`, if there is one.
///
/// # Errors
/// If it cannot be removed.
pub(super) fn remove_from(dir: &Path, name: &str) -> Result<(), Error> {
    let place = dir.join(name);
    remove(&place).map_err(Error::opening(place.display().to_string()))
}

/// Writes the file `name` of `dir` aside and puts it in its place, before a run.
///
/// # Errors
/// If it cannot be written.
pub(super) fn fix(dir: &Path, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let place = dir.join(name);
    write_aside(&place, bytes).map_err(Error::opening(place.display().to_string()))
}

/// Refuses to continue a run if there are `lines` of differences between it and the run in `dir`.
///
/// # Errors
/// If there are some.
pub(super) fn refuse_differences(dir: &Path, what: &str, lines: &[String]) -> Result<(), Error> {
    let (programs, others): (Vec<&String>, Vec<&String>) =
        lines.iter().partition(|line| is_of_program(line));
    let place = dir.display();
    let list =
        |lines: Vec<&String>| lines.into_iter().map(String::as_str).collect::<Vec<_>>().join("; ");
    if !others.is_empty() {
        return Err(Error::Usage(format!(
            "--resume: {place} holds another {what} ({})",
            list(lines.iter().collect())
        )));
    }
    if programs.is_empty() {
        return Ok(());
    }
    if !accepts_changed() {
        return Err(Error::Usage(format!(
            "--resume: {place}: {} since its games were played\n  --accept-changed continues with it and records \
             that in the manifest; else start another {what}",
            list(programs)
        )));
    }
    note(&format!("{place}: accepted: {}", list(programs.clone())));
    accepted(dir, &programs)
}

/// Adds the accepted differences to the manifest of `dir`.
fn accepted(dir: &Path, lines: &[&String]) -> Result<(), Error> {
    const KEY: &str = "accepted_changes";
    let path = dir.join(MANIFEST);
    let name = path.display().to_string();
    let text = document(&path).map_err(Error::file(&name))?;
    let mut manifest: serde_json::Value = serde_json::from_str(&text)
        .map_err(|e| Error::Usage(format!("{name}: it is no manifest: {e}")))?;
    let mut all: Vec<serde_json::Value> = manifest[KEY].as_array().cloned().unwrap_or_default();
    for line in lines {
        let line = serde_json::Value::from(line.as_str());
        if !all.contains(&line) {
            all.push(line);
        }
    }
    manifest[KEY] = all.into();
    let text = sim::document::document(&manifest);
    write_aside(&path, text.as_bytes()).map_err(Error::output(name))
}

/// Files that grow together by whole blocks, in the order in which they are handed over.
pub(super) struct Grows {
    dir: PathBuf,
    files: Vec<Growing>,
    flushed: Instant,
    synced: Instant,
    has_failed: bool,
}

impl Grows {
    /// Groups these files of `dir`.
    pub(super) fn new(dir: &Path, files: Vec<Growing>) -> Self {
        let now = Instant::now();
        Self { dir: dir.to_owned(), files, flushed: now, synced: now, has_failed: false }
    }

    /// Returns the files.
    pub(super) fn files(&mut self) -> &mut [Growing] {
        &mut self.files
    }

    /// Hands over waiting bytes if they are due, after a whole block.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn block_ended(&mut self) -> Result<(), Error> {
        let waiting: usize = self.files.iter().map(Growing::waiting).sum();
        if self.flushed.elapsed() >= FLUSH_EVERY || waiting >= FLUSH_BYTES {
            return self.flush(self.synced.elapsed() >= SYNC_EVERY);
        }
        Ok(())
    }

    /// Hands over waiting bytes, and syncs them to the disk on request.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn flush(&mut self, sync: bool) -> Result<(), Error> {
        if self.has_failed {
            return Ok(());
        }
        self.flushed = Instant::now();
        for file in &mut self.files {
            let handed = file.hand_over();
            let done = if sync { handed.and_then(|()| file.sync()) } else { handed };
            if let Err(e) = done {
                self.has_failed = true;
                return Err(Error::output(file.place().display().to_string())(e));
            }
        }
        if sync {
            self.synced = self.flushed;
        }
        Ok(())
    }

    /// Returns a line for the user about the remaining results of a failed run.
    pub(super) fn what_is_left(&self) -> String {
        let dir = self.dir.display();
        let is_there =
            self.dir.join(MANIFEST).is_file() && self.files.iter().all(Growing::is_in_place);
        if is_there {
            format!("earlier results in {dir} are intact: the same command with --resume continues")
        } else {
            format!("{dir} has changed during the run: files were removed or replaced")
        }
    }
}
