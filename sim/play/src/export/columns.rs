//! Tables of games, column by column, as the source of CSV and Parquet.
//!
//! A column is declared once, in [`Declared::declare`]: its name, its kind, and how its field is written and read.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use crate::event::GameResult;

/// The kind of value in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnKind {
    /// A number of 64 bits, at least 0.
    Long,
    /// A number of 32 bits, at least 0.
    Count,
    /// A whole number of 32 bits.
    Whole,
    /// A fraction of 32 bits.
    Real,
    /// A fraction of 64 bits.
    Double,
    /// A text.
    Text,
    /// A text, or no value.
    MaybeText,
}

/// A column of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// The name in the first line.
    pub name: String,
    /// The kind of value.
    pub kind: ColumnKind,
}

/// A field of a row, of the [`ColumnKind`] of its column.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// A number of 64 bits, at least 0.
    Long(u64),
    /// A number of 32 bits, at least 0.
    Count(u32),
    /// A whole number of 32 bits.
    Whole(i32),
    /// A fraction of 32 bits.
    Real(f32),
    /// A fraction of 64 bits.
    Double(f64),
    /// A text without control characters; empty if there is no value.
    Text(String),
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Long(number) => number.fmt(f),
            Self::Count(number) => number.fmt(f),
            Self::Whole(number) => number.fmt(f),
            // Never a negative zero.
            Self::Real(number) => (number + 0.0).fmt(f),
            Self::Double(number) => (number + 0.0).fmt(f),
            Self::Text(text) if text.contains([',', '"']) => {
                write!(f, "\"{}\"", text.replace('"', "\"\""))
            }
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// A table that grows with every game.
pub trait Rows: Send {
    /// Returns the name of a row, in one word.
    fn row_name(&self) -> &'static str;

    /// Returns the columns in their order.
    fn columns(&self) -> Vec<Column>;

    /// Returns the rows of `game`, each with a field for every column.
    fn rows(&self, game: &GameResult) -> Vec<Vec<Cell>>;
}

/// A table whose columns are declared once, in their order.
pub trait Declared<R> {
    /// Passes the columns to `to` in their order; `None` if a row that is read belongs to another table.
    fn declare(&self, to: &mut impl Columns<R>) -> Option<()>;

    /// Returns the columns.
    fn named(&self) -> Vec<Column> {
        let mut names = Names(Vec::new());
        // Only a reader of rows ends early.
        let _ = self.declare(&mut names);
        names.0
    }

    /// Returns the columns, followed by the column of the checksum.
    fn checked(&self) -> Vec<Column> {
        let mut columns = self.named();
        columns.push(Column { name: "check".to_owned(), kind: ColumnKind::Text });
        columns
    }

    /// Returns the fields of a row.
    fn written(&self, row: &R) -> Vec<Cell> {
        let mut writer = Writer { row, cells: Vec::new() };
        let _ = self.declare(&mut writer);
        writer.cells
    }

    /// Reads a row of CSV into `row`, which already holds the values without a field.
    ///
    /// `None` if it is the row of another table.
    fn read(&self, text: &str, mut row: R) -> Option<R> {
        let record = split(text)?;
        let mut reader = Reader { row: &mut row, fields: record.iter() };
        self.declare(&mut reader)?;
        reader.fields.next().is_none().then_some(row)
    }
}

/// A visitor of the columns of a table: it names them, writes a row, or reads one.
pub trait Columns<R> {
    /// Visits the next column: its name, its kind, the writer of its field, and the reader of its field.
    fn column(
        &mut self,
        name: impl fmt::Display,
        kind: ColumnKind,
        write: impl FnOnce(&R) -> Cell,
        read: impl FnOnce(&mut R, &str) -> Option<()>,
    ) -> Option<()>;

    /// Visits the next column of a table that is never read back.
    fn shown(
        &mut self,
        name: impl fmt::Display,
        kind: ColumnKind,
        write: impl FnOnce(&R) -> Cell,
    ) -> Option<()> {
        self.column(name, kind, write, |_, _| None)
    }
}

struct Names(Vec<Column>);

impl<R> Columns<R> for Names {
    fn column(
        &mut self,
        name: impl fmt::Display,
        kind: ColumnKind,
        _: impl FnOnce(&R) -> Cell,
        _: impl FnOnce(&mut R, &str) -> Option<()>,
    ) -> Option<()> {
        self.0.push(Column { name: name.to_string(), kind });
        Some(())
    }
}

struct Writer<'a, R> {
    row: &'a R,
    cells: Vec<Cell>,
}

impl<R> Columns<R> for Writer<'_, R> {
    fn column(
        &mut self,
        _: impl fmt::Display,
        _: ColumnKind,
        write: impl FnOnce(&R) -> Cell,
        _: impl FnOnce(&mut R, &str) -> Option<()>,
    ) -> Option<()> {
        self.cells.push(write(self.row));
        Some(())
    }
}

struct Reader<'a, R> {
    row: &'a mut R,
    fields: csv::StringRecordIter<'a>,
}

impl<R> Columns<R> for Reader<'_, R> {
    fn column(
        &mut self,
        _: impl fmt::Display,
        _: ColumnKind,
        _: impl FnOnce(&R) -> Cell,
        read: impl FnOnce(&mut R, &str) -> Option<()>,
    ) -> Option<()> {
        read(self.row, self.fields.next()?)
    }
}

/// Reads a field as its value in a row.
pub fn put<T: FromStr>(value: &mut T, text: &str) -> Option<()> {
    *value = text.parse().ok()?;
    Some(())
}

/// Reads a field that is constant in a table, or that follows from earlier fields.
pub fn expect<T: FromStr + PartialEq + Copy>(value: T, text: &str) -> Option<()> {
    text.parse().is_ok_and(|read: T| read == value).then_some(())
}

/// Returns the names of columns, as a line of CSV with its end.
#[must_use]
pub fn header(columns: &[Column]) -> String {
    let name = |column: &Column| Cell::Text(column.name.clone());
    joined(&columns.iter().map(name).collect::<Vec<_>>()) + "\n"
}

/// Returns the fields as a row of CSV.
#[must_use]
pub fn joined(cells: &[Cell]) -> String {
    // Leaves room for a checksum.
    let mut row = String::with_capacity(12 * cells.len());
    for (i, cell) in cells.iter().enumerate() {
        if i > 0 {
            row.push(',');
        }
        write!(row, "{cell}").expect("a text can always grow");
    }
    row
}

/// The number of hexadecimal digits of a row's checksum.
pub(crate) const CHECK_DIGITS: usize = 8;

/// Returns the checksum of a row: the beginning of its BLAKE3 hash.
#[must_use]
pub fn checksum(row: &str) -> String {
    let mut hash = blake3::hash(row.as_bytes()).to_hex().to_string();
    hash.truncate(CHECK_DIGITS);
    hash
}

/// Returns a row with its checksum and its end.
#[must_use]
pub fn with_checksum(mut row: String) -> String {
    let check = checksum(&row);
    row.push(',');
    row.push_str(&check);
    row.push('\n');
    row
}

/// Returns a line of a file without its end and its checksum.
///
/// # Errors
/// If it is not whole: the message gives the reason.
pub fn without_checksum(line: &str) -> Result<&str, String> {
    let line = line.strip_suffix('\n').ok_or("it has no end")?;
    let (row, sum) = line.rsplit_once(',').ok_or("it has no checksum")?;
    if checksum(row) != sum {
        return Err("its checksum does not fit".to_owned());
    }
    Ok(row)
}

/// Returns the fields of a row of CSV (RFC 4180) without its line end.
///
/// The reader of the `csv` crate builds tables before it reads a byte, which takes longer than this.
#[must_use]
pub fn split(row: &str) -> Option<csv::StringRecord> {
    if row.is_empty() {
        return None;
    }
    if !row.contains('"') {
        return Some(row.split(',').collect());
    }
    let mut record = csv::StringRecord::new();
    let (mut field, mut is_quoted) = (String::new(), false);
    let mut letters = row.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                field.push('"');
                letters.next();
            }
            '"' if is_quoted => is_quoted = false,
            '"' if field.is_empty() => is_quoted = true,
            ',' if !is_quoted => {
                record.push_field(&field);
                field.clear();
            }
            other => field.push(other),
        }
    }
    record.push_field(&field);
    Some(record)
}

/// Returns a text without line ends and other control characters; a space replaces each.
#[must_use]
pub fn on_one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_field_is_a_negative_zero() {
        assert_eq!(joined(&[Cell::Real(-0.0), Cell::Double(-0.0), Cell::Double(-1.5)]), "0,0,-1.5");
    }

    #[test]
    fn a_row_is_split_as_a_reader_of_files_splits_it() {
        let rows = [
            "a",
            "a,b,",
            ",,",
            "1,\"a, b\",2",
            "\"say \"\"so\"\"\",x",
            "\"\",y",
            "a\"b,c",
            "ä,\"ö,ü\"",
        ];
        for row in rows {
            let mut reader =
                csv::ReaderBuilder::new().has_headers(false).from_reader(row.as_bytes());
            let read = reader.records().next().unwrap().unwrap();
            assert_eq!(split(row), Some(read), "{row}");
        }
        assert_eq!(split(""), None);
    }
}
