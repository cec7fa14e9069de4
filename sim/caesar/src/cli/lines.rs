//! Reader of our line-based files: tables of rows with checksums, and records.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::files::refuse_irregular;
use super::renamed::note_renamed;
use sim::bounded::{LINE, RECORD, disguise, too_long};
use sim::error::Error;
use sim::export::row_file::RowFile;
use sim::units;

/// Prefix of a record's last line.
const END: &[u8] = b"{\"end\":";

/// Describes the difference between the columns of a file and those of the run.
fn other_columns(there: &str, here: &str) -> String {
    let names =
        |header: &str| -> Vec<String> { header.trim_end().split(',').map(str::to_owned).collect() };
    let (there, here) = (names(there), names(here));
    let same = there.iter().zip(&here).take_while(|(a, b)| a == b).count();
    let name = |names: &[String]| names.get(same).map_or("none", String::as_str).to_owned();
    format!(
        "these are not the columns of this run: the {} is {}, where {} is expected",
        units::ordinal(same + 1),
        name(&there),
        name(&here)
    )
}

/// Message for a file of ours with other line endings than ours.
pub(super) const CR_LF: &str =
    "its lines end in CR LF (from an editor or a transfer); convert them to LF";

/// File read line by line.
pub(super) struct LineReader {
    reader: BufReader<File>,
    /// Name of the file in error messages.
    pub(super) name: String,
    /// Number of the line that was read last, from 1.
    pub(super) number: u64,
    /// Number of bytes that were read.
    pub(super) length: u64,
}

impl LineReader {
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let file = refuse_irregular(path).and_then(|()| File::open(path));
        let file = file.map_err(Error::file(name.as_str()))?;
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let head = reader.fill_buf().map_err(Error::file(name.as_str()))?;
        if let Some(what) = disguise(head) {
            return Err(Error::Usage(format!("{name}: {what}")));
        }
        Ok(Self { reader, name, number: 0, length: 0 })
    }

    pub(super) fn place(&self) -> String {
        format!("{}:{}", self.name, self.number)
    }

    fn failed(&self) -> impl FnOnce(io::Error) -> Error + use<> {
        Error::file(self.name.clone())
    }

    pub(super) fn is_at_end(&mut self) -> Result<bool, Error> {
        let failed = self.failed();
        self.reader.fill_buf().map(<[u8]>::is_empty).map_err(failed)
    }

    /// Adds the next line, with its end if it has one, to `text`, which must not grow beyond `most` bytes. Returns
    /// whether there was a line.
    pub(super) fn line(&mut self, text: &mut Vec<u8>, most: usize) -> Result<bool, Error> {
        let left = most.saturating_sub(text.len()) as u64;
        let read = Read::take(&mut self.reader, left).read_until(b'\n', text);
        let n = read.map_err(self.failed())? as u64;
        self.length += n;
        self.number += u64::from(n > 0);
        if n == left && text.last() != Some(&b'\n') {
            let what = if most == RECORD { "the record" } else { "the line" };
            return Err(Error::Usage(format!("{}: {}", self.place(), too_long(what, most))));
        }
        Ok(n > 0)
    }

    /// Returns the next row of `table`, which has the number `next`, if it is there whole; `line` is room for its text.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged before its end. A kill or a full disk damages only the end.
    pub(super) fn row<T: RowFile>(
        &mut self,
        table: &T,
        next: u64,
        line: &mut Vec<u8>,
    ) -> Result<Option<T::Row>, Error> {
        line.clear();
        if !self.line(line, LINE)? {
            return Ok(None);
        }
        let text = std::str::from_utf8(line).map_err(|_| "it is no text in UTF-8".to_owned());
        let complaint = match text.and_then(|line| table.parse(line)) {
            Ok(row) if T::number(&row) == next => return Ok(Some(row)),
            Ok(row) => format!("{} {}, expected {next}", T::ROW, T::number(&row)),
            Err(complaint) => complaint,
        };
        if self.is_at_end()? {
            return Ok(None);
        }
        Err(self.damaged(&complaint))
    }

    /// Returns an error about the last row read.
    pub(super) fn damaged(&self, complaint: &str) -> Error {
        Error::Usage(format!(
            "{}: {complaint}; delete this row and all after it, and --resume plays them again",
            self.place()
        ))
    }

    /// Reads the names of the columns of `table`. Returns whether there was a whole line.
    ///
    /// # Errors
    /// If the file cannot be read, or has other columns.
    pub(super) fn header<T: RowFile>(&mut self, table: &T) -> Result<bool, Error> {
        let mut line = Vec::new();
        if !self.line(&mut line, LINE)? || line.last() != Some(&b'\n') {
            return Ok(false);
        }
        if line == table.header().as_bytes() {
            return Ok(true);
        }
        if line == table.old_header().as_bytes() {
            for [new, old] in T::RENAMED {
                note_renamed(&self.place(), &format!("column {old}"), new);
            }
            return Ok(true);
        }
        let complaint = if line.ends_with(b"\r\n") {
            CR_LF.to_owned()
        } else {
            other_columns(&String::from_utf8_lossy(&line), &table.header())
        };
        Err(Error::Usage(format!("{}: {complaint}", self.place())))
    }

    /// Reads lines into `text` up to the last one of a record. Returns whether it reached that line.
    pub(super) fn record(&mut self, text: &mut Vec<u8>) -> Result<bool, Error> {
        loop {
            let start = text.len();
            if !self.line(text, RECORD)? {
                return Ok(false);
            }
            let line = &text[start..];
            if line.starts_with(END) && line.ends_with(b"\n") {
                return Ok(true);
            }
        }
    }
}
