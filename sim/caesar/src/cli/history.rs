//! Rows and records of an earlier run, read back game by game.

use std::path::Path;

use super::lines::{CR_LF, LineReader};
use sim::bounded::LINE;
use sim::error::Error;
use sim::event::GameResult;
use sim::export::games_csv::GamesCsv;
use sim::record::{FORMAT, Record, checksum};

/// Reader of the games that rows hold whole, and the records also if there are any.
pub(super) struct History<'a> {
    rows: LineReader,
    records: Option<LineReader>,
    games_csv: &'a GamesCsv,
    next: u64,
    text: Vec<u8>,
    /// Lengths of rows and records up to the last game read.
    lengths: (u64, u64),
    /// Last row read, whose record was missing.
    has_more_rows: bool,
}

impl<'a> History<'a> {
    /// Opens the rows of games from number `first` on; `records` are those of the same games.
    ///
    /// # Errors
    /// If a file cannot be read, or holds something else.
    pub(super) fn open(
        rows: &Path,
        records: Option<&Path>,
        games_csv: &'a GamesCsv,
        first: u64,
    ) -> Result<Self, Error> {
        let mut rows = LineReader::open(rows)?;
        let length = if rows.header(games_csv)? { rows.length } else { 0 };
        let records = records.map(LineReader::open).transpose()?;
        Ok(Self {
            rows,
            records,
            games_csv,
            next: first,
            text: Vec::new(),
            lengths: (length, 0),
            has_more_rows: false,
        })
    }

    /// Returns the next game that both files hold whole, with the text of its record; `None` where one of them ends.
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged before its end. A kill or a full disk damages only the end.
    pub(super) fn next_game(&mut self) -> Result<Option<GameResult>, Error> {
        if self.lengths.0 == 0 {
            return Ok(None);
        }
        let Some(mut game) = self.next_row()? else { return Ok(None) };
        if self.records.is_some() {
            let check = game.record.as_ref().map(Record::check);
            let Some(text) = self.next_record(game.index, check)? else {
                self.has_more_rows = true;
                return Ok(None);
            };
            game.record = Some(Record::new(text));
        }
        self.next += 1;
        self.lengths = (self.rows.length, self.records.as_ref().map_or(0, |lines| lines.length));
        Ok(Some(game))
    }

    /// Returns the lengths of rows and records up to the last game read, in bytes. Rows include their header; 0 means
    /// that no whole one exists.
    pub(super) const fn lengths(&self) -> (u64, u64) {
        self.lengths
    }

    /// Returns whether rows continue beyond the end of the records.
    pub(super) const fn lacks_records(&self) -> bool {
        self.has_more_rows
    }

    fn next_row(&mut self) -> Result<Option<GameResult>, Error> {
        self.rows.row(self.games_csv, self.next, &mut self.text)
    }

    /// Returns the text of the record of the game `index`.
    fn next_record(&mut self, index: u64, check: Option<u64>) -> Result<Option<String>, Error> {
        let Some(records) = &mut self.records else { return Ok(None) };
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        let start = records.number + 1;
        let is_whole = records.record(&mut text)?;
        // After a record of ours a power cut may leave any bytes.
        if self.lengths.1 == 0 && !is_whole && !is_begun(&text) {
            return Err(Error::Usage(format!(
                "{}:{start}: no record begins here; name the records file of the resumed run",
                records.name
            )));
        }
        let is_right = is_whole && Some(checksum(&text)) == check;
        if is_right {
            // A text with our checksum is ours.
            let record = String::from_utf8_lossy(&text).into_owned();
            self.text = text;
            return Ok(Some(record));
        }
        let is_torn = !is_whole || records.is_at_end()?;
        let name = &records.name;
        self.text = text;
        if is_torn {
            return Ok(None);
        }
        if self.text.ends_with(b"\r\n") {
            return Err(Error::Usage(format!("{name}: {CR_LF}")));
        }
        Err(Error::Usage(format!(
            "{name}:{start}: the record of game {} is not the one that games.csv has the checksum of; delete \
             this line and all after it, and --resume plays the games again",
            index + 1
        )))
    }
}

/// Returns whether a text without an end may be the beginning of a record.
fn is_begun(text: &[u8]) -> bool {
    let header = format!("{{\"format\":\"{FORMAT}\"");
    let n = header.len().min(text.len());
    text[..n] == header.as_bytes()[..n]
}

/// Returns the row of game `index`, as a line with its end; `None` if there is none, or a kill has left a part of it.
///
/// # Errors
/// If the file cannot be read, or its columns are those of another run.
pub(super) fn row_of(
    rows: &Path,
    games_csv: &GamesCsv,
    index: u64,
) -> Result<Option<String>, Error> {
    let mut rows = LineReader::open(rows)?;
    if !rows.header(games_csv)? {
        return Ok(None);
    }
    let start = format!("{index},");
    let mut line = Vec::new();
    loop {
        line.clear();
        if !rows.line(&mut line, LINE)? || line.last() != Some(&b'\n') {
            return Ok(None);
        }
        if line.starts_with(start.as_bytes()) {
            return Ok(Some(String::from_utf8_lossy(&line).into_owned()));
        }
    }
}
