//! Rows of a study in a directory: heard again, and grown by whole blocks.

use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::cli::directory::{self, Grows, refuse_differences, remove_from};
use crate::cli::entered::Entered;
use crate::cli::files::{Growing, open_locked};
use crate::cli::lines::{LineReader, Table};
use crate::cli::outputs::{Existing, There};
use crate::report::balance as report;
use lab::arc::rows::{Part, Row as PartRow};
use lab::balance::rows::{FILE as CELLS, Row, RowsCsv};
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::export::summary::FILE as SUMMARY;
use sim::manifest::RunManifest;

/// The file of what is played once more.
pub(in crate::cli) const CONFIRMATION: &str = "confirmation.csv";

/// A table whose rows come by blocks.
pub(super) trait Blocked: Table {
    /// Rows of a block.
    fn per_block(&self) -> u64;

    /// A row as a line with its end.
    fn line(&self, row: &Self::Row) -> String;
}

impl Table for RowsCsv {
    type Row = Row;
    const ROW: &'static str = "game";

    fn header(&self) -> String {
        self.header()
    }
    fn parse(&self, line: &str) -> Result<Row, String> {
        self.parse(line)
    }
    fn number(row: &Row) -> u64 {
        row.game
    }
}

impl Blocked for RowsCsv {
    fn per_block(&self) -> u64 {
        self.games_per_block()
    }
    fn line(&self, row: &Row) -> String {
        self.row(row)
    }
}

impl Table for Part {
    type Row = PartRow;
    const ROW: &'static str = "block";

    fn header(&self) -> String {
        self.header()
    }
    fn parse(&self, line: &str) -> Result<PartRow, String> {
        self.parse(line)
    }
    fn number(row: &PartRow) -> u64 {
        row.block
    }
}

impl Blocked for Part {
    fn per_block(&self) -> u64 {
        1
    }
    fn line(&self, row: &PartRow) -> String {
        self.line(row)
    }
}

/// Hears of the rows of a block.
pub(super) type Hear<'a, T> = dyn FnMut(&[<T as Table>::Row]) -> Result<(), Error> + 'a;

/// The whole blocks in a file of rows, one after another.
pub(super) struct Blocks<'a, T> {
    lines: LineReader,
    table: &'a T,
    next: u64,
    /// Bytes up to the end of the last whole block, with the header; 0 without one.
    pub(super) length: u64,
}

impl<'a, T: Blocked> Blocks<'a, T> {
    /// Begins to read the rows from block `first` on.
    ///
    /// # Errors
    /// If the file cannot be read, or holds something else.
    pub(super) fn open(path: &Path, table: &'a T, first: u64) -> Result<Self, Error> {
        let mut lines = LineReader::open(path)?;
        let length = if lines.header(table)? { lines.length } else { 0 };
        Ok(Self { lines, table, next: first * table.per_block(), length })
    }

    /// The rows of the next block that is there whole.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged elsewhere than at its end.
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
}

/// An open file of rows.
pub(super) struct Rows<T> {
    table: T,
    grows: Grows,
    name: String,
}

impl<T: Blocked> Rows<T> {
    /// Takes the locked `file` at `place`: `hear` hears what is there already of the blocks of `range`.
    ///
    /// # Errors
    /// If it cannot be read or written, or holds something else.
    fn go_on(
        (dir, place, file): (&Path, &Path, File),
        table: T,
        range: &Range<u64>,
        hear: &mut Hear<'_, T>,
    ) -> Result<Self, Error> {
        let mut blocks = Blocks::open(place, &table, range.start)?;
        for _ in range.clone() {
            let Some(rows) = blocks.next_block()? else { break };
            hear(&rows)?;
        }
        let length = blocks.length;
        let name = place.display().to_string();
        let mut file = Growing::new(file, place, length).map_err(Error::opening(name.as_str()))?;
        if length == 0 {
            let begun = file.write_all(table.header().as_bytes()).and_then(|()| file.hand_over());
            begun.map_err(Error::output(name.clone()))?;
        }
        Ok(Self { table, grows: Grows::new(dir, vec![file]), name })
    }

    /// Appends the rows of a block.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn write(&mut self, rows: &[T::Row]) -> Result<(), Error> {
        let text: String = rows.iter().map(|row| self.table.line(row)).collect();
        for file in self.grows.files() {
            file.write_all(text.as_bytes()).map_err(Error::output(self.name.clone()))?;
        }
        self.grows.block_ended()
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

/// The manifest of a study, as its directory holds it.
pub(super) trait Stored: RunManifest {
    /// Its files of rows, of which the first is locked as long as somebody plays.
    const ROWS: &'static [&'static str];

    /// What stands only behind the end of a run, the document of its results first.
    fn finished(&self) -> Vec<String>;
}

/// The files of tables with these names.
pub(super) fn tables_of(names: &[&str]) -> impl Iterator<Item = String> {
    names.iter().map(|name| format!("{name}.csv"))
}

impl Stored for lab::balance::manifest::Manifest {
    const ROWS: &'static [&'static str] = &[CELLS, CONFIRMATION];

    fn finished(&self) -> Vec<String> {
        let tables = tables_of(report::tables(self.what));
        std::iter::once(SUMMARY.to_owned()).chain(tables).collect()
    }
}

/// What is said of what is replaced in `dir`, of the run that was `found` or of nobody's; a run that came to no row has
/// nothing to lose.
///
/// # Errors
/// If it is not to be replaced.
pub(super) fn replaced<M: Stored>(
    dir: &Path,
    manifest: &M,
    found: Option<&M>,
    existing: Existing,
) -> Result<Option<String>, Error> {
    let Some(there) = found else {
        let finished = manifest.finished();
        let names = finished.iter().map(String::as_str);
        return existing.replace_foreign(dir, M::ROWS.iter().copied().chain(names));
    };
    let has_rows = |name: &&str| dir.join(name).metadata().is_ok_and(|meta| meta.len() > 0);
    let is_finished = dir.join(&there.finished()[0]).is_file();
    if !is_finished && !M::ROWS.iter().any(has_rows) {
        return Ok(None);
    }
    let run = There { dir, what: M::WHAT, command: there.command(), is_finished };
    existing.replace(&run).map(Some)
}

/// The directory of a study.
pub(super) struct Kept {
    dir: PathBuf,
    first: &'static str,
    rows: Option<File>,
    /// What was made is taken away again, unless a run is begun.
    _entered: Entered,
}

impl Kept {
    /// Enters `--out`, and writes the manifest if the run is new.
    ///
    /// # Errors
    /// If it cannot be used, or holds another run, or an unfinished one that is not to go on.
    pub(super) fn at<M: Stored>(
        dir: &Path,
        manifest: &M,
        existing: Existing,
    ) -> Result<Self, Error> {
        let (first, others) = M::ROWS.split_first().expect("a run has rows");
        let mut entered = Entered::enter(dir, MANIFEST)?;
        let (mut file, found) = directory::enter::<M>(dir, &mut entered, first)?;
        if let Some(there) = found.as_ref().filter(|_| existing.goes_on()) {
            refuse_differences(dir, M::WHAT, &there.differences(manifest))?;
        } else {
            let replaced = replaced(dir, manifest, found.as_ref(), existing)?;
            others.iter().try_for_each(|name| remove_from(dir, name))?;
            let before = found.iter().flat_map(Stored::finished);
            let all: Vec<String> = before.chain(manifest.finished()).collect();
            let all = all.iter().map(String::as_str);
            file = directory::clear(dir, replaced.as_deref(), all, (file, first))?;
            directory::fix(dir, MANIFEST, manifest.document().as_bytes())?;
        }
        Ok(Self { dir: dir.to_owned(), first, rows: Some(file), _entered: entered })
    }

    /// The directory.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The rows of a table in the file `name`, of which `hear` hears what is there. Whoever keeps them open keeps others
    /// from writing there.
    ///
    /// # Errors
    /// If they cannot be read or written.
    pub(super) fn rows<T: Blocked>(
        &mut self,
        name: &str,
        table: T,
        range: &Range<u64>,
        hear: &mut Hear<'_, T>,
    ) -> Result<Rows<T>, Error> {
        let place = self.dir.join(name);
        let file = match self.rows.take_if(|_| name == self.first) {
            Some(file) => file,
            None => open_locked(&place).map_err(Error::opening(place.display().to_string()))?,
        };
        Rows::go_on((&self.dir, &place, file), table, range, hear)
    }
}
