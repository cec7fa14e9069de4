//! The log of a search in a directory: recalled, and grown by whole rows.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use crate::cli::directory::Grows;
use crate::cli::files::Growing;
use crate::cli::lines::{LineReader, Table};
use lab::tune::journal::{Journal, LogCsv, Row};
use sim::error::Error;

impl Table for LogCsv {
    type Row = Row;
    const ROW: &'static str = "row";

    fn header(&self) -> String {
        self.header()
    }
    fn parse(&self, line: &str) -> Result<Row, String> {
        self.parse(line)
    }
    fn number(row: &Row) -> u64 {
        row.number
    }
}

/// The whole rows of a log, and how long they are.
///
/// # Errors
/// If it cannot be read or holds something else.
pub(super) fn read(place: &Path, csv: &LogCsv) -> Result<(Vec<Row>, u64), Error> {
    let mut lines = LineReader::open(place)?;
    let mut length = if lines.header(csv)? { lines.length } else { 0 };
    let (mut rows, mut text) = (Vec::new(), Vec::new());
    while length > 0 {
        let Some(row) = lines.row(csv, rows.len() as u64, &mut text)? else { break };
        length = lines.length;
        rows.push(row);
    }
    Ok((rows, length))
}

/// The open log of a search.
pub(super) struct Log {
    csv: LogCsv,
    grows: Grows,
    name: String,
    there: std::vec::IntoIter<Row>,
}

impl Log {
    /// Takes the locked `file` at `place`, with the rows that are there already.
    ///
    /// # Errors
    /// If it cannot be read or written, or holds something else.
    pub(super) fn go_on(dir: &Path, place: &Path, file: File, csv: LogCsv) -> Result<Self, Error> {
        let (rows, length) = read(place, &csv)?;
        let name = place.display().to_string();
        let mut file = Growing::new(file, place, length).map_err(Error::opening(name.as_str()))?;
        if length == 0 {
            let begun = file.write_all(csv.header().as_bytes()).and_then(|()| file.hand_over());
            begun.map_err(Error::output(name.clone()))?;
        }
        let grows = Grows::new(dir, vec![file]);
        Ok(Self { csv, grows, name, there: rows.into_iter() })
    }

    /// Takes over rows of elsewhere: writes them as the next ones, with their numbers here, and tells them as if they had
    /// stood here.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn take_over(&mut self, rows: Vec<Row>) -> Result<(), Error> {
        let numbered = (0..).zip(rows).map(|(number, row)| Row { number, ..row });
        let rows: Vec<Row> = numbered.collect();
        rows.iter().try_for_each(|row| self.write(row))?;
        self.there = rows.into_iter();
        self.save()
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

impl Journal for Log {
    fn recall(&mut self) -> Option<Row> {
        self.there.next()
    }

    fn write(&mut self, row: &Row) -> Result<(), Error> {
        for file in self.grows.files() {
            let line = self.csv.row(row);
            file.write_all(line.as_bytes()).map_err(Error::output(self.name.clone()))?;
        }
        self.grows.block_ended()
    }
}
