//! Records beside the rows of a tournament. Only records that match the checksum of their row are shown.

use std::path::{Path, PathBuf};

use crate::cli::lines::LineReader;
use crate::cli::outside::named_file;
use sim::error::Error;
use sim::record::checksum;
use sim::units;

/// Returns the file of records that a manifest names `records`, or the reason for not reading it. A file outside of
/// `dir` is read only if it is among `named`.
pub(super) fn file(dir: &Path, records: &str, named: &[PathBuf]) -> Result<PathBuf, String> {
    let path = named_file(dir, records, "--records", named).map_err(|e| e.to_string())?;
    let place = path.display();
    match path.exists() {
        false => Err(format!("{place}: the records are missing, so there are no replays")),
        true if !path.is_file() => {
            Err(format!("{place}: this is not a file, so there are no replays"))
        }
        true => Ok(path),
    }
}

/// File of records, read game by game beside the rows.
pub(super) struct Beside {
    lines: LineReader,
    text: Vec<u8>,
    /// Games with matching records, by place; at most as many as can be requested.
    first: Option<u64>,
    misfits: u64,
    missing: u64,
    games: u64,
    fits: Vec<bool>,
}

impl Beside {
    /// Opens the records at `path`.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let lines = LineReader::open(path)?;
        let (text, fits) = (Vec::new(), Vec::new());
        Ok(Self { lines, text, first: None, misfits: 0, missing: 0, games: 0, fits })
    }

    /// Returns whether the next record is there and has the checksum `check` of its row.
    pub(super) fn next(&mut self, check: Option<u64>) -> bool {
        self.text.clear();
        // Unreadable records do not match.
        let is_there = self.missing == 0 && self.lines.record(&mut self.text).unwrap_or(false);
        let fits = is_there && Some(checksum(&self.text)) == check;
        self.games += 1;
        if !is_there {
            self.missing += 1;
        } else if !fits {
            self.misfits += 1;
        }
        if !fits {
            self.first.get_or_insert(self.games);
        }
        self.fits.push(fits);
        fits
    }

    /// Returns whether the record of game `number`, counted from 1, fits its row.
    pub(super) fn has(&self, number: u64) -> bool {
        self.fits.get(number.saturating_sub(1) as usize).copied().unwrap_or(false)
    }

    /// Returns the caveat on records that are missing or do not match their rows.
    pub(super) fn caveat(&self) -> Option<String> {
        let first = self.first?;
        let count =
            |n: u64, what: &str| (n > 0).then(|| format!("{} {what}", units::counted(n, "game")));
        let misfits =
            count(self.misfits, "with a record that disagrees with the checksum in games.csv");
        let missing = count(self.missing, "without a whole record");
        let both: Vec<String> = misfits.into_iter().chain(missing).collect();
        Some(format!(
            "{}: {}, the first in game {first}; these games are not shown",
            self.lines.name,
            both.join(", ")
        ))
    }
}
