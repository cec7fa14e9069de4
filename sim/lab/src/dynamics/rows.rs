//! The rows of a study of game dynamics. Each part is a table with one row for each block, written with a checksum and
//! read back as played.
//!
//! Numbers are written so that they are read back to the last bit. A study continued from stored rows therefore has
//! the same results as one played without a stop.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

use csv::StringRecord;

use sim::error::Error;
use sim::export::columns::{Cell, joined, split};
use sim::export::row_file::RowFile;
use sim::runner::{Piece, play_pieces};

/// A part of a study, with its own table and random streams.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The name of the file.
    pub file: &'static str,
    /// The names of the columns, without the number and the checksum.
    pub columns: Vec<String>,
    /// The number of blocks.
    pub blocks: u64,
}

/// A row of a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The number of the block.
    pub block: u64,
    /// The fields as text in the file.
    pub text: String,
}

impl RowFile for Part {
    type Row = Row;
    const ROW: &'static str = "block";
    const OF: &'static str = "study";

    fn file(&self) -> &'static str {
        self.file
    }
    fn header(&self) -> String {
        format!("block,{},check\n", self.columns.join(","))
    }
    fn text(&self, row: &Row) -> String {
        format!("{},{}", row.block, row.text)
    }
    fn fields(&self, text: &str) -> Option<Row> {
        let (block, text) = text.split_once(',')?;
        Some(Row { block: block.parse().ok()?, text: text.to_owned() })
    }
    fn number(row: &Row) -> u64 {
        row.block
    }
}

/// A function that plays the rows of some blocks; `None` if it was stopped.
pub type Play<'a> = dyn Fn(Range<u64>, &AtomicBool) -> Piece<Row> + Sync + 'a;
/// A callback that takes one row.
pub type OnRow<'a> = dyn FnMut(&Row) -> Result<(), Error> + Send + 'a;

/// A store for the rows of a study.
pub trait Keep {
    /// Passes the rows of `part` to `on_row` in order: first the stored ones, then those that `play` plays. Returns
    /// false if rows are missing, because the study was stopped or other shards play them.
    ///
    /// # Errors
    /// If rows cannot be read, played or written.
    fn rows(&mut self, part: &Part, play: &Play<'_>, on_row: &mut OnRow<'_>)
    -> Result<bool, Error>;
}

/// A store that keeps nothing, and plays on all threads of the current pool.
#[derive(Clone, Copy, Debug)]
pub struct Nowhere;

impl Keep for Nowhere {
    fn rows(
        &mut self,
        part: &Part,
        play: &Play<'_>,
        on_row: &mut OnRow<'_>,
    ) -> Result<bool, Error> {
        let (threads, stop) = (rayon::current_num_threads(), AtomicBool::new(false));
        play_and_tell(0..part.blocks, threads, play, &stop, on_row)?;
        Ok(true)
    }
}

/// Plays some blocks of a part and passes them to `on_row` in order.
///
/// # Errors
/// If they cannot be played, or `on_row` fails.
pub fn play_and_tell(
    blocks: Range<u64>,
    threads: usize,
    play: &Play<'_>,
    stop: &AtomicBool,
    on_row: &mut OnRow<'_>,
) -> Result<(), Error> {
    let mut failed = None;
    let piece = |blocks: Range<u64>| play(blocks, stop);
    let played = play_pieces(blocks, threads, &piece, &mut |row: Row| match on_row(&row) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    });
    failed.map_or(played, Err)
}

/// A value that can be written as the fields of a row and read back.
pub trait Written: Sized + Send {
    /// Returns the fields.
    fn fields(&self) -> Vec<String>;

    /// Parses the fields; `None` if they have another form.
    fn read(fields: &StringRecord) -> Option<Self>;
}

/// Returns all blocks of a part, read or played; `None` if some are missing.
///
/// # Errors
/// If they cannot be read, played or written.
pub fn all<T: Written>(
    keep: &mut dyn Keep,
    part: &Part,
    play: &(dyn Fn(Range<u64>, &AtomicBool) -> Piece<T> + Sync),
) -> Result<Option<Vec<T>>, Error> {
    let mut found = Vec::new();
    let rows = |blocks: Range<u64>, stop: &AtomicBool| -> Piece<Row> {
        let first = blocks.start;
        let played = play(blocks, stop)?;
        Ok(played.map(|all| (first..).zip(all).map(|(block, one)| row(block, &one)).collect()))
    };
    let mut on_row = |row: &Row| {
        let read = split(&row.text).as_ref().and_then(T::read);
        found.push(read.ok_or_else(|| {
            Error::Usage(format!(
                "{}: block {} is of another study; name another directory",
                part.file, row.block
            ))
        })?);
        Ok(())
    };
    Ok(keep.rows(part, &rows, &mut on_row)?.then_some(found))
}

fn row<T: Written>(block: u64, what: &T) -> Row {
    let cells: Vec<Cell> = what.fields().into_iter().map(Cell::Text).collect();
    Row { block, text: joined(&cells) }
}

/// Writes a number so that it is read back exactly.
#[must_use]
pub fn number(x: f64) -> String {
    // Numbers far from one are shorter with an exponent.
    if x != 0.0 && !(1e-4..1e15).contains(&x.abs()) { format!("{x:e}") } else { x.to_string() }
}

/// Writes numbers, divided by slashes.
#[must_use]
pub fn numbers(all: &[f64]) -> String {
    all.iter().map(|&x| number(x)).collect::<Vec<_>>().join("/")
}

/// Parses values divided by slashes; an empty text has none.
#[must_use]
pub fn strokes<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    text.split('/').map(|part| part.parse().ok()).collect()
}

/// Writes an optional value, with a hyphen for `None`.
#[must_use]
pub fn maybe<T: ToString>(what: Option<T>) -> String {
    what.map_or_else(|| "-".to_owned(), |what| what.to_string())
}

/// Parses the output of [`maybe`]; the outer `None` is for any other text.
#[must_use]
pub fn read_maybe<T: std::str::FromStr>(text: &str) -> Option<Option<T>> {
    if text == "-" { Some(None) } else { text.parse().ok().map(Some) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Purpose, Randomness, rng};

    #[test]
    fn numbers_are_read_to_the_last_bit() {
        let mut rng = rng::stream(3, 0, Purpose::Analysis);
        let mut all: Vec<f64> = (0..1_000).map(|_| (rng.unit() - 0.5).powi(9)).collect();
        all.extend([0.0, -0.0, 1.0, -3.0, 1e300, f64::MIN_POSITIVE, 0.1 + 0.2]);
        let read: Vec<f64> = strokes(&numbers(&all)).unwrap();
        assert!(all.iter().zip(&read).all(|(a, b)| a.to_bits() == b.to_bits()));
        assert_eq!((strokes::<f64>(""), strokes::<f64>("1/x")), (Some(Vec::new()), None));
        assert_eq!((maybe(Some(3)), maybe::<u32>(None)), ("3".to_owned(), "-".to_owned()));
        assert_eq!((read_maybe("-"), read_maybe::<u32>("3")), (Some(None::<u32>), Some(Some(3))));
        assert_eq!(read_maybe::<u32>("x"), None);
    }

    #[test]
    fn a_row_read_back_is_the_same_row_and_a_damaged_one_is_none() {
        let part = Part { file: "x.csv", columns: vec!["a".to_owned()], blocks: 3 };
        let row = Row { block: 2, text: "\"1, 2\",x".to_owned() };
        let line = part.row(&row);
        assert_eq!(part.parse(&line), Ok(row));
        assert!(part.parse(&line.replace('x', "y")).unwrap_err().contains("checksum"));
        assert!(part.parse(&line[..line.len() - 1]).unwrap_err().contains("no end"));
    }
}
