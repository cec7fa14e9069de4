//! Row files of any run: a line of column names, then numbered rows.
//!
//! Each row has a checksum, so that a truncated or damaged row is found.

use super::columns::{with_checksum, without_checksum};

/// A file of rows, written and read back.
pub trait RowFile {
    /// The values of a row.
    type Row;
    /// The name of a row, in one word.
    const ROW: &'static str;
    /// The name of the rows' subject, in one word.
    const OF: &'static str;
    /// The name of a block, in one word.
    const BLOCK: &'static str = "block";

    /// Columns with their names in the last release, which are read as well: new, old.
    const RENAMED: &'static [[&'static str; 2]] = &[];

    /// Returns the name of the file.
    fn file(&self) -> &'static str;

    /// Returns the names of the columns, as a line with its end.
    fn header(&self) -> String;

    /// Returns the names of the columns in the last release, as a line with its end.
    fn old_header(&self) -> String {
        let renamed = |line: String, [new, old]: &[&str; 2]| {
            line.replace(&format!(",{new},"), &format!(",{old},"))
        };
        Self::RENAMED.iter().fold(self.header(), renamed)
    }

    /// Returns the text of a row before its checksum.
    fn text(&self, row: &Self::Row) -> String;

    /// Reads a row without its checksum; `None` if it is of something else.
    fn fields(&self, text: &str) -> Option<Self::Row>;

    /// Returns the number of a row.
    fn number(row: &Self::Row) -> u64;

    /// Returns the number of rows of a block.
    fn per_block(&self) -> u64 {
        1
    }

    /// Returns a row, as a line with its end.
    fn row(&self, row: &Self::Row) -> String {
        with_checksum(self.text(row))
    }

    /// Reads a line as a row.
    ///
    /// # Errors
    /// If the row is damaged or of something else: the message gives the reason.
    fn parse(&self, line: &str) -> Result<Self::Row, String> {
        let row = self.fields(without_checksum(line)?);
        row.ok_or_else(|| format!("it is the row of another {}", Self::OF))
    }
}
