//! Files of rows in the directory of a run of any kind: read back block by block, cut after the last whole one, and
//! extended by whole blocks.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use super::directory::Grows;
use super::files::Growing;
use super::lines::LineReader;
use sim::error::Error;
use sim::export::row_file::RowFile;

/// The whole blocks in a file of rows, one after another.
pub(super) struct Blocks<'a, T> {
    lines: LineReader,
    table: &'a T,
    next: u64,
    /// Bytes up to the end of the last whole block, with the header; 0 without a whole one.
    length: u64,
}

impl<'a, T: RowFile> Blocks<'a, T> {
    /// Begins to read the rows in `dir` from block `first` on.
    ///
    /// # Errors
    /// If the file cannot be read, or holds something else.
    pub(super) fn open(dir: &Path, table: &'a T, first: u64) -> Result<Self, Error> {
        let mut lines = LineReader::open(&dir.join(table.file()))?;
        let length = if lines.header(table)? { lines.length } else { 0 };
        Ok(Self { lines, table, next: first * table.per_block(), length })
    }

    /// Returns the rows of the next whole block.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged before its end.
    pub(super) fn next_block(&mut self) -> Result<Option<Vec<T::Row>>, Error> {
        let mut rows = Vec::new();
        let mut text = Vec::new();
        while self.length > 0 && (rows.len() as u64) < self.table.per_block() {
            let Some(row) = self.lines.row(self.table, self.next, &mut text)? else {
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

    /// Returns the next row, of a file whose blocks have one each.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged before its end.
    pub(super) fn next_row(&mut self) -> Result<Option<T::Row>, Error> {
        Ok(self.next_block()?.and_then(|mut rows| rows.pop()))
    }

    /// Returns all rows that are left.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged before its end.
    pub(super) fn rest(&mut self) -> Result<Vec<T::Row>, Error> {
        let mut rows = Vec::new();
        while let Some(block) = self.next_block()? {
            rows.extend(block);
        }
        Ok(rows)
    }

    /// Returns the lines of the file.
    pub(super) const fn lines(&self) -> &LineReader {
        &self.lines
    }
}

/// An open file of rows.
pub(super) struct Rows<T> {
    table: T,
    grows: Grows,
    name: String,
}

impl<T: RowFile> Rows<T> {
    /// Takes the locked `file` of `dir` with the blocks from `first` on that `recall` reads; what is behind them is cut.
    ///
    /// # Errors
    /// If it cannot be read or written, or holds something else.
    pub(super) fn go_on(
        dir: &Path,
        file: File,
        table: T,
        first: u64,
        recall: impl FnOnce(&mut Blocks<'_, T>) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let mut blocks = Blocks::open(dir, &table, first)?;
        recall(&mut blocks)?;
        let length = blocks.length;
        let place = dir.join(table.file());
        let name = place.display().to_string();
        let mut file = Growing::new(file, &place, length).map_err(Error::opening(name.as_str()))?;
        if length == 0 {
            let begun = file.write_all(table.header().as_bytes()).and_then(|()| file.hand_over());
            begun.map_err(Error::output(name.clone()))?;
        }
        Ok(Self { table, grows: Grows::new(dir, vec![file]), name })
    }

    /// Returns the common data of all rows.
    pub(super) const fn table(&self) -> &T {
        &self.table
    }

    /// Appends the rows of a block; whole ones are handed over from time to time.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn write(&mut self, rows: &[T::Row]) -> Result<(), Error> {
        let text: String = rows.iter().map(|row| self.table.row(row)).collect();
        for file in self.grows.files() {
            file.write_all(text.as_bytes()).map_err(Error::output(self.name.clone()))?;
        }
        self.grows.block_ended()
    }

    /// Hands over the rest.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn save(&mut self) -> Result<(), Error> {
        self.grows.flush(true)
    }

    /// Returns a line for the user about the remaining results of a failed run.
    pub(super) fn what_is_left(&self) -> String {
        self.grows.what_is_left()
    }
}
