//! Files of rows, whatever run they are of: a line with the names of the columns, then row after row by their numbers, each
//! with a checksum, so that one that was cut off or damaged is found.

use super::columns::{with_checksum, without_checksum};

/// A file of rows, written and read back.
pub trait RowFile {
    /// What a row says.
    type Row;
    /// What a row is, in one word.
    const ROW: &'static str;
    /// What the rows are of, in one word.
    const OF: &'static str;
    /// What a block is, in one word.
    const BLOCK: &'static str = "block";

    /// The name of the file.
    fn file(&self) -> &'static str;

    /// The names of the columns, as a line with its end.
    fn header(&self) -> String;

    /// A row before its checksum.
    fn text(&self, row: &Self::Row) -> String;

    /// What a row without its checksum says; `None` if it is of something else.
    fn fields(&self, text: &str) -> Option<Self::Row>;

    /// The number of a row.
    fn number(row: &Self::Row) -> u64;

    /// Rows of a block.
    fn per_block(&self) -> u64 {
        1
    }

    /// A row, as a line with its end.
    fn row(&self, row: &Self::Row) -> String {
        with_checksum(self.text(row))
    }

    /// What a row says.
    ///
    /// # Errors
    /// If the row is damaged or of something else: the message says how.
    fn parse(&self, line: &str) -> Result<Self::Row, String> {
        let row = self.fields(without_checksum(line)?);
        row.ok_or_else(|| format!("it is the row of another {}", Self::OF))
    }
}
