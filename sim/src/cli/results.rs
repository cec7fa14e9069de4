//! The directory of a run's results: what it depends on, rows that are only ever appended, a summary at the end.
//!
//! `manifest.json` comes first and never changes. `games.csv` grows by whole rows with checksums, so that after a
//! kill at any moment it holds every block that was flushed and at most one torn row; going on cuts the torn row
//! and the games of a block that is not whole, and plays from there. Records grow beside it in the same way and
//! are flushed before the rows that belong to them. `summary.json` is written last, so a directory without it, or
//! with one of fewer blocks, is that of an unfinished run.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::files::{self, Aside};
use crate::bounded::{self, LINE};
use crate::error::Error;
use crate::event::GameResult;
use crate::ledger::Ledger;
use crate::manifest::Manifest;

/// Most time that passes before whole blocks are handed to the system.
const FLUSH_EVERY: Duration = Duration::from_millis(200);
/// Most time that passes before the system is told to write them to the disk.
const SYNC_EVERY: Duration = Duration::from_secs(5);

/// The open results of a run.
#[derive(Debug)]
pub(super) struct Results {
    dir: PathBuf,
    ledger: Ledger,
    games: BufWriter<File>,
    records: Option<(BufWriter<File>, String)>,
    kept: u64,
    games_per_block: u64,
    games_in_block: u64,
    flushed: Instant,
    synced: Instant,
}

/// How results are opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening<'a> {
    /// The directory.
    pub(super) dir: &'a Path,
    /// What the run depends on.
    pub(super) manifest: &'a Manifest,
    /// Where records go, if they are kept.
    pub(super) records: Option<&'a Path>,
    /// Whether a run that was begun goes on.
    pub(super) resume: bool,
}

impl Results {
    /// Opens the results of a run: new ones, or those of a run that goes on.
    ///
    /// # Errors
    /// If the directory cannot be used, or holds another run, or an unfinished one that is not to go on.
    pub(super) fn open(opening: &Opening<'_>) -> Result<Self, Error> {
        let place = opening.dir.display();
        let failed = |e| Error::opening(format!("--out {place}"))(e);
        fs::create_dir_all(opening.dir).map_err(failed)?;
        let found = found(opening.dir)?;
        match found {
            Some(there) if opening.resume => refuse_another(&there, opening)?,
            Some(there) => refuse_unfinished(&there, opening)?,
            None if opening.dir.join("games.csv").exists() => {
                return Err(Error::Usage(format!(
                    "--out {place}: games.csv is there without a manifest.json; move it away or name another directory"
                )));
            }
            None => {}
        }
        let goes_on = opening.resume && opening.dir.join("games.csv").exists();
        if !goes_on {
            clear(opening).map_err(failed)?;
        }
        Self::open_rows(opening)
    }

    fn open_rows(opening: &Opening<'_>) -> Result<Self, Error> {
        let manifest = opening.manifest;
        let ledger = Ledger::new(manifest.players, manifest.seed, &manifest.extras);
        let path = opening.dir.join("games.csv");
        let name = path.display().to_string();
        let failed = |e| Error::opening(name.clone())(e);
        let mut games = open_to_append(&path).map_err(failed)?;
        lock(&games, &name)?;
        sweep(opening.dir).map_err(failed)?;
        let n_rows = scan(&path, &ledger, manifest)?;
        let kept = n_rows - n_rows % manifest.games_per_block;
        let records = match opening.records {
            None => None,
            Some(path) => Some(open_records(path, kept)?),
        };
        let length = rows_length(&path, kept).map_err(failed)?;
        games.set_len(length).and_then(|()| games.seek(SeekFrom::End(0))).map_err(failed)?;
        let mut games = BufWriter::with_capacity(1 << 16, games);
        if length == 0 {
            games.write_all(ledger.header().as_bytes()).map_err(failed)?;
            games.flush().map_err(failed)?;
        }
        let now = Instant::now();
        Ok(Self {
            dir: opening.dir.to_owned(),
            ledger,
            games,
            records,
            kept,
            games_per_block: manifest.games_per_block,
            games_in_block: 0,
            flushed: now,
            synced: now,
        })
    }

    /// Number of games that were there already, those of whole blocks.
    pub(super) const fn kept(&self) -> u64 {
        self.kept
    }

    /// Tells the games that were there already.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(super) fn retell(&self, hear: &mut dyn FnMut(&GameResult)) -> Result<(), Error> {
        let path = self.dir.join("games.csv");
        each_game(&path, &self.ledger, self.kept, &mut |game| {
            hear(&game);
            Ok(())
        })
    }

    /// Appends a game; whole blocks are flushed from time to time.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&mut self, game: &GameResult) -> Result<(), Error> {
        if let (Some((records, name)), Some(text)) = (&mut self.records, &game.record) {
            records.write_all(text.as_bytes()).map_err(Error::output(name.as_str()))?;
        }
        let row = self.ledger.row(game);
        self.games.write_all(row.as_bytes()).map_err(self.games_failed())?;
        self.games_in_block += 1;
        if self.games_in_block == self.games_per_block {
            self.games_in_block = 0;
            if self.flushed.elapsed() >= FLUSH_EVERY {
                self.flush(self.synced.elapsed() >= SYNC_EVERY)?;
            }
        }
        Ok(())
    }

    fn games_failed(&self) -> impl FnOnce(io::Error) -> Error + use<> {
        Error::output(self.dir.join("games.csv").display().to_string())
    }

    fn flush(&mut self, sync: bool) -> Result<(), Error> {
        let hand_over = |file: &mut BufWriter<File>| {
            file.flush()?;
            if sync { file.get_ref().sync_data() } else { Ok(()) }
        };
        // Records first: a row says that its record is there.
        if let Some((records, name)) = &mut self.records {
            hand_over(records).map_err(Error::output(name.as_str()))?;
        }
        hand_over(&mut self.games).map_err(self.games_failed())?;
        self.flushed = Instant::now();
        if sync {
            self.synced = self.flushed;
        }
        Ok(())
    }

    /// Writes everything that is left, and the summary.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn finish(mut self, summary: &str) -> Result<(), Error> {
        self.flush(true)?;
        write_aside(&self.dir.join("summary.json"), summary)
    }
}

/// Writes a small file aside and puts it in its place.
pub(super) fn write_aside(place: &Path, text: &str) -> Result<(), Error> {
    let write = Aside::create(place).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.finish()
    });
    write.map_err(Error::output(place.display().to_string()))
}

/// Reads the manifest of the run in `dir`; `None` if there is none.
///
/// # Errors
/// If it cannot be read.
pub(super) fn found(dir: &Path) -> Result<Option<Manifest>, Error> {
    let place = dir.join("manifest.json");
    let name = place.display().to_string();
    match files::document(&place) {
        Ok(text) => Manifest::parse(&name, &text).map(Some),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::File { place: name, source: e }),
    }
}

/// The number of blocks in the summary of `dir`; 0 without a summary.
fn blocks_summed_up(dir: &Path) -> u64 {
    let text = files::document(&dir.join("summary.json")).unwrap_or_default();
    let summary: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    summary["blocks"].as_u64().unwrap_or_default()
}

fn refuse_another(there: &Manifest, opening: &Opening<'_>) -> Result<(), Error> {
    let differences = there.differences(opening.manifest);
    if differences.is_empty() {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "--resume: {} holds another run ({})",
        opening.dir.display(),
        differences.join("; ")
    )))
}

fn refuse_unfinished(there: &Manifest, opening: &Opening<'_>) -> Result<(), Error> {
    let range = there.range();
    if blocks_summed_up(opening.dir) == range.end - range.start {
        return Ok(());
    }
    let place = opening.dir.display();
    Err(Error::Usage(format!(
        "--out {place} holds an unfinished run ({}): --resume goes on with it; to start anew, delete {place} or name another directory",
        there.command
    )))
}

/// Makes room for a new run: removes a finished one and writes the manifest.
fn clear(opening: &Opening<'_>) -> io::Result<()> {
    for name in ["summary.json", "games.parquet"] {
        match fs::remove_file(opening.dir.join(name)) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => {}
        }
    }
    let mut file = Aside::create(&opening.dir.join("manifest.json"))?;
    file.write_all(opening.manifest.document().as_bytes())?;
    file.finish()?;
    File::create(opening.dir.join("games.csv")).map(drop)
}

fn open_to_append(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create(true).truncate(false).open(path)
}

fn lock(file: &File, name: &str) -> Result<(), Error> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Error::Usage(format!(
            "{name}: another run is writing to it; wait for it or name another directory"
        ))),
        // A file system without locks is no reason not to play.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Removes what a run that was killed had begun to write aside.
fn sweep(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let aside = name.strip_suffix(".tmp").and_then(|name| name.rsplit_once('.'));
        let ours = ["games.parquet", "summary.json", "manifest.json", "records.jsonl"];
        if aside.is_some_and(|(name, id)| ours.contains(&name) && id.parse::<u32>().is_ok()) {
            fs::remove_file(dir.join(name))?;
        }
    }
    Ok(())
}

/// Counts the rows of `path` that are whole and in order.
fn scan(path: &Path, ledger: &Ledger, manifest: &Manifest) -> Result<u64, Error> {
    let name = path.display().to_string();
    let failed = |e| Error::File { place: name.clone(), source: e };
    let mut lines = BufReader::with_capacity(1 << 16, File::open(path).map_err(failed)?);
    let mut line = String::new();
    if bounded::read_line(&mut lines, &mut line, LINE).map_err(failed)? == 0
        || !line.ends_with('\n')
    {
        return Ok(0);
    }
    if line != ledger.header() {
        return Err(Error::Usage(format!("{name}:1: these are not the columns of this run")));
    }
    let first = manifest.range().start * manifest.games_per_block;
    let mut n_rows = 0;
    loop {
        if bounded::read_line(&mut lines, &mut line, LINE).map_err(failed)? == 0 {
            return Ok(n_rows);
        }
        let complaint = match ledger.parse(&line) {
            Ok(game) if game.index == first + n_rows => None,
            Ok(game) => Some(format!("game {}, expected {}", game.index, first + n_rows)),
            Err(complaint) => Some(complaint),
        };
        if let Some(complaint) = complaint {
            let is_last = lines.fill_buf().map_err(failed)?.is_empty();
            return if is_last { Ok(n_rows) } else { Err(damaged(&name, n_rows + 2, &complaint)) };
        }
        n_rows += 1;
    }
}

/// A row that is wrong with others after it: no kill does that, so nothing is thrown away silently.
fn damaged(name: &str, line: u64, complaint: &str) -> Error {
    Error::Usage(format!(
        "{name}:{line}: {complaint}; delete this row and all after it, and --resume plays them again"
    ))
}

/// The length of the header and the first `n` rows; 0 if there is no whole header.
fn rows_length(path: &Path, n: u64) -> io::Result<u64> {
    let mut lines = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut length = 0;
    let mut line = Vec::new();
    for _ in 0..=n {
        bounded::read_bytes(&mut lines, &mut line, LINE)?;
        if line.last() != Some(&b'\n') {
            return Ok(0);
        }
        length += line.len() as u64;
    }
    Ok(length)
}

/// Opens the records of a run behind those of its first `kept` games.
fn open_records(path: &Path, kept: u64) -> Result<(BufWriter<File>, String), Error> {
    let name = format!("--records {}", path.display());
    let failed = |e| Error::opening(name.clone())(e);
    let mut file = open_to_append(path).map_err(failed)?;
    let is_regular = file.metadata().map_err(failed)?.is_file();
    // A pipe or a device can be written to and neither be read back nor be cut.
    let (found, length) =
        if is_regular { records_length(&file, kept).map_err(failed)? } else { (0, 0) };
    if found < kept {
        return Err(Error::Usage(format!(
            "{name} holds {found} of the {kept} games played so far: name the file of the run that goes on"
        )));
    }
    if is_regular {
        file.set_len(length).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
    }
    Ok((BufWriter::with_capacity(1 << 16, file), name))
}

/// Number of whole records in `file`, at most `n`, and their length.
fn records_length(file: &File, n: u64) -> io::Result<(u64, u64)> {
    let mut lines = BufReader::with_capacity(1 << 16, file);
    let (mut found, mut length, mut end) = (0, 0, 0);
    let mut line = Vec::new();
    while found < n {
        if bounded::read_bytes(&mut lines, &mut line, LINE)? == 0 {
            break;
        }
        length += line.len() as u64;
        if line.starts_with(br#"{"end":"#) && line.ends_with(b"\n") {
            found += 1;
            end = length;
        }
    }
    Ok((found, end))
}

/// Tells the first `n` games of the rows in `path`, each of which must be whole.
///
/// # Errors
/// If there are fewer, one is damaged, or `tell` fails.
pub(super) fn each_game(
    path: &Path,
    ledger: &Ledger,
    n: u64,
    tell: &mut dyn FnMut(GameResult) -> Result<(), Error>,
) -> Result<(), Error> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(Error::file(name.as_str()))?;
    let mut lines = BufReader::with_capacity(1 << 16, file);
    let mut line = String::new();
    bounded::read_line(&mut lines, &mut line, LINE).map_err(Error::file(name.as_str()))?;
    if line != ledger.header() {
        return Err(Error::Usage(format!("{name}:1: these are not the columns of this run")));
    }
    for row in 0..n {
        bounded::read_line(&mut lines, &mut line, LINE).map_err(Error::file(name.as_str()))?;
        let game = ledger.parse(&line);
        tell(game.map_err(|e| Error::Usage(format!("{name}:{}: {e}", row + 2)))?)?;
    }
    Ok(())
}
