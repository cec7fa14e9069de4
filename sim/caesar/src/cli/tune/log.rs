//! Log of a search in a directory: read back, and extended by whole rows.

use crate::cli::kept::Kept;
use crate::cli::rows::Rows;
use lab::tune::journal::{Journal, LogCsv, Row};
use sim::error::Error;

/// The open log of a search.
pub(in crate::cli) struct Log {
    pub(in crate::cli) rows: Rows<LogCsv>,
    there: std::vec::IntoIter<Row>,
}

impl Log {
    /// Opens the log of a directory, with its existing rows.
    ///
    /// # Errors
    /// If it cannot be read or written, or holds something else.
    pub(in crate::cli) fn of(kept: &mut Kept, csv: LogCsv) -> Result<Self, Error> {
        let mut there = Vec::new();
        let rows = kept.open(csv, 0, |blocks| {
            there = blocks.rest()?;
            Ok(())
        })?;
        Ok(Self { rows, there: there.into_iter() })
    }

    /// Imports rows of another log: appends them with their numbers here, and passes them on like rows of this log.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(in crate::cli) fn take_over(&mut self, rows: Vec<Row>) -> Result<(), Error> {
        let numbered = (0..).zip(rows).map(|(number, row)| Row { number, ..row });
        let rows: Vec<Row> = numbered.collect();
        rows.iter().try_for_each(|row| self.write(row))?;
        self.there = rows.into_iter();
        self.rows.save()
    }
}

impl Journal for Log {
    fn recall(&mut self) -> Option<Row> {
        self.there.next()
    }

    fn write(&mut self, row: &Row) -> Result<(), Error> {
        self.rows.write(std::slice::from_ref(row))
    }
}
