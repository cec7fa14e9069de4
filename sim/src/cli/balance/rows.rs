//! The rows of an experiment in a directory: heard again, and grown by whole blocks.

use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

use crate::balance::cell::Experiment;
use crate::balance::heard::Heard;
use crate::balance::rows::{Row, RowsCsv};
use crate::cli::directory::Grows;
use crate::cli::files::Growing;
use crate::cli::lines::{LineReader, Table};
use crate::error::Error;

impl Table for RowsCsv {
    type Row = Row;
    const ROW: &'static str = "game";

    fn header(&self) -> String {
        self.header()
    }
    fn parse(&self, line: &str) -> Result<Row, String> {
        self.parse(line)
    }
    fn number(row: &Row) -> u64 {
        row.game
    }
}

/// The whole blocks in a file of rows, one after another.
pub(super) struct Blocks<'a> {
    lines: LineReader,
    csv: &'a RowsCsv,
    next: u64,
    /// Bytes up to the end of the last whole block, with the header; 0 without one.
    pub(super) length: u64,
}

impl<'a> Blocks<'a> {
    /// Begins to read the rows from block `first` on.
    ///
    /// # Errors
    /// If the file cannot be read, or holds something else.
    pub(super) fn open(path: &Path, csv: &'a RowsCsv, first: u64) -> Result<Self, Error> {
        let mut lines = LineReader::open(path)?;
        let length = if lines.header(csv)? { lines.length } else { 0 };
        Ok(Self { lines, csv, next: first * csv.games_per_block(), length })
    }

    /// The rows of the next block that is there whole.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged elsewhere than at its end.
    pub(super) fn next_block(&mut self) -> Result<Option<Vec<Row>>, Error> {
        let mut rows = Vec::new();
        let mut text = Vec::new();
        while self.length > 0 && (rows.len() as u64) < self.csv.games_per_block() {
            let Some(row) = self.lines.row(self.csv, self.next, &mut text)? else {
                return Ok(None);
            };
            self.next += 1;
            rows.push(row);
        }
        if rows.is_empty() {
            return Ok(None);
        }
        self.length = self.lines.length;
        Ok(Some(rows))
    }
}

/// An open file of rows.
pub(super) struct Rows {
    csv: RowsCsv,
    grows: Grows,
    name: String,
}

impl Rows {
    /// Takes the locked `file` at `place`: `heard` hears what is there already of the blocks of `range`.
    ///
    /// # Errors
    /// If it cannot be read or written, or holds something else.
    pub(super) fn go_on(
        dir: &Path,
        place: &Path,
        file: File,
        experiment: &Experiment,
        range: &Range<u64>,
        heard: &mut Heard,
    ) -> Result<Self, Error> {
        let csv = RowsCsv::new(experiment);
        let mut blocks = Blocks::open(place, &csv, range.start)?;
        while heard.blocks() < range.end - range.start {
            let Some(rows) = blocks.next_block()? else { break };
            heard.hear(&rows);
        }
        let length = blocks.length;
        let name = place.display().to_string();
        let mut file = Growing::new(file, place, length).map_err(Error::opening(name.as_str()))?;
        if length == 0 {
            let begun = file.write_all(csv.header().as_bytes()).and_then(|()| file.hand_over());
            begun.map_err(Error::output(name.clone()))?;
        }
        Ok(Self { csv, grows: Grows::new(dir, vec![file]), name })
    }

    /// Appends the rows of a block.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn write(&mut self, rows: &[Row]) -> Result<(), Error> {
        let text: String = rows.iter().map(|row| self.csv.row(row)).collect();
        for file in self.grows.files() {
            file.write_all(text.as_bytes()).map_err(Error::output(self.name.clone()))?;
        }
        self.grows.block_ended()
    }

    /// Hands over what is left.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn save(&mut self) -> Result<(), Error> {
        self.grows.flush(true)
    }

    /// What is left of the results of a run that has failed, as a line for its user.
    pub(super) fn what_is_left(&self) -> String {
        self.grows.what_is_left()
    }
}
