//! The rows of a study of watched games: each of its parts is a table with a row for each block, written with a
//! checksum, and read back as what was played.
//!
//! Numbers are written so that they are read as they were, to the last bit: whoever goes on with half of the rows finds
//! what somebody finds who has played all of them.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

use csv::StringRecord;

use sim::error::Error;
use sim::export::columns::{Cell, joined, split};
use sim::export::row_file::RowFile;
use sim::runner::{Piece, play_pieces};

/// A part of a study: what it plays under addresses of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The name of its file.
    pub file: &'static str,
    /// The names of its columns, but for the number and the checksum.
    pub columns: Vec<String>,
    /// Number of its blocks.
    pub blocks: u64,
}

/// A row of a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The number of its block.
    pub block: u64,
    /// Its fields, as they stand in the file.
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

/// Plays the rows of some blocks; nothing if it was stopped.
pub type Play<'a> = dyn Fn(Range<u64>, &AtomicBool) -> Piece<Row> + Sync + 'a;
/// Hears of a row.
pub type Hear<'a> = dyn FnMut(&Row) -> Result<(), Error> + Send + 'a;

/// Where the rows of a study are kept.
pub trait Keep {
    /// Has `hear` hear of the rows of `part` in their order: of those that are there, then of those that `play` plays.
    /// False if these are not all, since the study was stopped or the others are played elsewhere.
    ///
    /// # Errors
    /// If rows cannot be read, played or written.
    fn rows(&mut self, part: &Part, play: &Play<'_>, hear: &mut Hear<'_>) -> Result<bool, Error>;
}

/// Keeps nothing, and plays on as many threads as there are here.
#[derive(Clone, Copy, Debug)]
pub struct Nowhere;

impl Keep for Nowhere {
    fn rows(&mut self, part: &Part, play: &Play<'_>, hear: &mut Hear<'_>) -> Result<bool, Error> {
        let (threads, stop) = (rayon::current_num_threads(), AtomicBool::new(false));
        play_and_tell(0..part.blocks, threads, play, &stop, hear)?;
        Ok(true)
    }
}

/// Plays some blocks of a part, and has `hear` hear of them in their order.
///
/// # Errors
/// If they cannot be played, or `hear` fails.
pub fn play_and_tell(
    blocks: Range<u64>,
    threads: usize,
    play: &Play<'_>,
    stop: &AtomicBool,
    hear: &mut Hear<'_>,
) -> Result<(), Error> {
    let mut failed = None;
    let piece = |blocks: Range<u64>| play(blocks, stop);
    let played = play_pieces(blocks, threads, &piece, &mut |row: Row| match hear(&row) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    });
    failed.map_or(played, Err)
}

/// What can be written as the fields of a row and read again.
pub trait Written: Sized + Send {
    /// The fields.
    fn fields(&self) -> Vec<String>;

    /// What the fields say; nothing if they are of something else.
    fn read(fields: &StringRecord) -> Option<Self>;
}

/// All blocks of a part, read or played; nothing if they are not all there.
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
    let mut hear = |row: &Row| {
        let read = split(&row.text).as_ref().and_then(T::read);
        found.push(read.ok_or_else(|| {
            Error::Usage(format!(
                "{}: block {} is of another study; name another directory",
                part.file, row.block
            ))
        })?);
        Ok(())
    };
    Ok(keep.rows(part, &rows, &mut hear)?.then_some(found))
}

fn row<T: Written>(block: u64, what: &T) -> Row {
    let cells: Vec<Cell> = what.fields().into_iter().map(Cell::Text).collect();
    Row { block, text: joined(&cells) }
}

/// A number that is read as it was.
#[must_use]
pub fn number(x: f64) -> String {
    // Far from one the shortest form has an exponent.
    if x != 0.0 && !(1e-4..1e15).contains(&x.abs()) { format!("{x:e}") } else { x.to_string() }
}

/// Numbers, divided by strokes.
#[must_use]
pub fn numbers(all: &[f64]) -> String {
    all.iter().map(|&x| number(x)).collect::<Vec<_>>().join("/")
}

/// What stands between strokes; nothing stands in an empty text.
#[must_use]
pub fn strokes<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    text.split('/').map(|part| part.parse().ok()).collect()
}

/// Something, or a hyphen for nothing.
#[must_use]
pub fn maybe<T: ToString>(what: Option<T>) -> String {
    what.map_or_else(|| "-".to_owned(), |what| what.to_string())
}

/// What [`maybe`] has written; the outer nothing is for a text that it has not written.
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
