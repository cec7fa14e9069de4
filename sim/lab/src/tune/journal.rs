//! The journal of a run: the played rows, from which the run continues after any kill.
//!
//! A run is a deterministic program that requests blocks and receives their results. To continue, it starts from the
//! beginning with the stored rows. They answer its requests without play, so that it reaches its former state. The log
//! is thus the whole state, and rows are only appended. The log of a killed run is the beginning of the log of an
//! undisturbed one.
//!
//! `log.csv` has a row for each stretch of at most [`STRETCH`] blocks of one candidate. The columns:
//!
//! - `row` counts the rows.
//! - `pool` and `field` are the purpose of the blocks and the candidate's opponents.
//! - `first` and `blocks` are the range of blocks.
//! - `mean` is their mean result, in points of share above an equal one, or minus the loss of rules; `values` has the
//!   result of each block.
//! - `parts` (rules only) are the measured quantities of each block, divided by `/` if a target has several.
//! - A column for each dimension follows.
//! - `check` is the beginning of the BLAKE3 hash of the row before it.

use super::objective::{Batch, Evaluation, Field};
use super::space::{Point, Space};
use sim::export::columns::{Cell, ColumnKind, Columns, Declared, header, joined, put};
use sim::export::row_file::RowFile;

/// The name of the file.
pub const FILE: &str = "log.csv";

/// The largest number of blocks in a row: few enough that a kill costs seconds, many enough that the log is small.
pub const STRETCH: u64 = 64;

/// A stretch that was played.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Row {
    /// The number of the row, from 0.
    pub number: u64,
    /// The name of the pool of the blocks.
    pub pool: String,
    /// The name of the field: the candidate's opponents.
    pub field: String,
    /// The number of the first block.
    pub first: u64,
    /// The results of the blocks.
    pub came: Evaluation,
    /// The values of the candidate.
    pub texts: Vec<String>,
}

impl Row {
    /// Creates the row of a stretch with the results `came`.
    #[must_use]
    pub fn of(number: u64, pool: &str, batch: &Batch, came: Evaluation) -> Self {
        Self {
            number,
            pool: pool.to_owned(),
            field: field_name(batch.field),
            first: batch.blocks.start,
            came,
            texts: batch.point.texts().to_vec(),
        }
    }

    /// Returns true if this is the row of this stretch.
    #[must_use]
    pub fn is_of(&self, number: u64, pool: &str, batch: &Batch) -> bool {
        let request = Self::of(number, pool, batch, Evaluation::default());
        let blocks = batch.blocks.end - batch.blocks.start;
        let is_request = request == Self { came: Evaluation::default(), ..self.clone() };
        is_request && self.came.values.len() as u64 == blocks
    }

    /// Returns the mean of the values.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.came.values.iter().sum::<f64>() / self.came.values.len().max(1) as f64
    }

    /// Returns the candidate, if it is a point of this space.
    #[must_use]
    pub fn point(&self, space: &Space) -> Option<Point> {
        space.point(self.texts.clone())
    }
}

/// Returns the name of a field in a log.
fn field_name(field: Field) -> String {
    match field {
        Field::Pool => "pool".to_owned(),
        Field::HeldOut(i) => format!("held-out-{}", i + 1),
        Field::Start => "start".to_owned(),
        Field::Member(i) => format!("member-{}", i + 1),
        Field::Table(places) => {
            format!("table-{}", places.map(|place| place.to_string()).join("-"))
        }
    }
}

/// A store of rows.
pub trait Journal {
    /// Returns the next row from before the continuation; `None` after the last.
    fn recall(&mut self) -> Option<Row>;

    /// Appends a row.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write(&mut self, row: &Row) -> Result<(), sim::error::Error>;
}

/// A journal in memory.
#[derive(Clone, Default, Debug)]
pub struct Memory {
    rows: Vec<Row>,
    n_read: usize,
}

impl Memory {
    /// Creates a journal with these rows from an earlier run.
    #[must_use]
    pub const fn of(rows: Vec<Row>) -> Self {
        Self { rows, n_read: 0 }
    }

    /// Returns all rows.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }
}

impl Journal for Memory {
    fn recall(&mut self) -> Option<Row> {
        let row = self.rows.get(self.n_read)?;
        self.n_read += 1;
        Some(row.clone())
    }

    fn write(&mut self, row: &Row) -> Result<(), sim::error::Error> {
        self.rows.push(row.clone());
        self.n_read = self.rows.len();
        Ok(())
    }
}

/// The format of the rows of a space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogCsv {
    names: Vec<String>,
    /// True if there are parts.
    is_of_rules: bool,
}

impl LogCsv {
    /// Creates the format for a search of `space`, of rules or of an agent.
    #[must_use]
    pub fn new(space: &Space, is_of_rules: bool) -> Self {
        let names = space.dimensions().iter().map(|dimension| dimension.name.clone());
        Self { names: names.collect(), is_of_rules }
    }
}

impl RowFile for LogCsv {
    type Row = Row;
    const ROW: &'static str = "row";
    const OF: &'static str = "search";
    const BLOCK: &'static str = "row";

    fn file(&self) -> &'static str {
        FILE
    }
    fn number(row: &Row) -> u64 {
        row.number
    }

    fn header(&self) -> String {
        header(&self.checked())
    }
    fn text(&self, row: &Row) -> String {
        let line = JournalEntry { row: row.clone(), blocks: row.came.values.len() };
        joined(&self.written(&line))
    }
    fn fields(&self, text: &str) -> Option<Row> {
        let texts = vec![String::new(); self.names.len()];
        let blank = JournalEntry { row: Row { texts, ..Row::default() }, blocks: 0 };
        let is_whole = |JournalEntry { row: Row { came, .. }, blocks }: &JournalEntry| {
            let measured = usize::from(self.is_of_rules) * came.values.len();
            came.values.len() == *blocks && came.parts.len() == measured
        };
        self.read(text, blank).filter(is_whole).map(|line| line.row)
    }
}

/// A row, and the number of its blocks in the `blocks` column.
struct JournalEntry {
    row: Row,
    blocks: usize,
}

/// Writes numbers with a separator between them.
fn numbers_text(values: &[f64], between: &str) -> String {
    let text = |x: &f64| (x + 0.0).to_string();
    values.iter().map(text).collect::<Vec<String>>().join(between)
}

fn read_numbers(text: &str, between: char) -> Option<Vec<f64>> {
    text.split(between).map(|value| value.parse().ok()).collect()
}

impl Declared<JournalEntry> for LogCsv {
    fn declare(&self, to: &mut impl Columns<JournalEntry>) -> Option<()> {
        use ColumnKind::{Double, Long, Text};
        let write = |line: &JournalEntry| Cell::Long(line.row.number);
        to.column("row", Long, write, |line, text| put(&mut line.row.number, text))?;
        let write = |line: &JournalEntry| Cell::Text(line.row.pool.clone());
        to.column("pool", Text, write, |line, text| put(&mut line.row.pool, text))?;
        let write = |line: &JournalEntry| Cell::Text(line.row.field.clone());
        to.column("field", Text, write, |line, text| put(&mut line.row.field, text))?;
        let write = |line: &JournalEntry| Cell::Long(line.row.first);
        to.column("first", Long, write, |line, text| put(&mut line.row.first, text))?;
        let write = |line: &JournalEntry| Cell::Long(line.blocks as u64);
        to.column("blocks", Long, write, |line, text| put(&mut line.blocks, text))?;
        let write = |line: &JournalEntry| Cell::Double(line.row.mean() + 0.0);
        // The mean follows from the values.
        to.column("mean", Double, write, |_, _| Some(()))?;
        let write = |line: &JournalEntry| Cell::Text(numbers_text(&line.row.came.values, " "));
        to.column("values", Text, write, |line, text| {
            line.row.came.values = read_numbers(text, ' ')?;
            Some(())
        })?;
        if self.is_of_rules {
            let write = |line: &JournalEntry| {
                let blocks = line.row.came.parts.iter().map(|parts| numbers_text(parts, "/"));
                Cell::Text(blocks.collect::<Vec<String>>().join(" "))
            };
            to.column("parts", Text, write, |line, text| {
                let blocks = text.split_whitespace().map(|block| read_numbers(block, '/'));
                line.row.came.parts = blocks.collect::<Option<_>>()?;
                Some(())
            })?;
        }
        for (i, name) in self.names.iter().enumerate() {
            let write = |line: &JournalEntry| Cell::Text(line.row.texts[i].clone());
            to.column(name, Text, write, |line, text| put(&mut line.row.texts[i], text))?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_read_back_is_the_same_row() {
        let log = LogCsv { names: vec!["c".to_owned(), "rollout".to_owned()], is_of_rules: false };
        let mut row = Row {
            number: 3,
            pool: "train".to_owned(),
            field: "pool".to_owned(),
            first: 64,
            came: vec![0.25, -0.1, 1.0 / 3.0, -0.0].into(),
            texts: vec!["0.7".to_owned(), "a, b".to_owned()],
        };
        let line = log.row(&row);
        assert_eq!(log.parse(&line).unwrap(), row);
        assert!(log.parse(&line.replace("0.25", "0.26")).unwrap_err().contains("check"));
        let other = LogCsv { names: vec!["c".to_owned()], is_of_rules: false };
        assert_eq!(other.parse(&line).unwrap_err(), "it is the row of another search");
        assert!(log.parse(&line[..line.len() - 4]).is_err());
        // For rules, every block has its parts.
        let log = LogCsv { is_of_rules: true, ..log };
        assert_eq!(log.parse(&line).unwrap_err(), "it is the row of another search");
        row.came.parts = vec![vec![0.5, 0.25], vec![1.0, 0.0], vec![0.0, 0.1], vec![0.2, 0.3]];
        assert_eq!(log.parse(&log.row(&row)).unwrap(), row);
        row.came.parts.pop();
        assert!(log.parse(&log.row(&row)).is_err());
    }
}
