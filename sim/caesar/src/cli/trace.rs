//! The directory of a comparison: its manifest, a trace that only ever grows, and a summary once its test has ended.
//!
//! As with tournaments, the manifest comes before the first row and never changes, `trace.csv` grows by whole rows with
//! checksums and is locked before the first look at the directory. Going on hears the rows that are there again, so
//! that the test knows what it knew, and plays from there. `summary.json` is there exactly if the test has ended.

use std::fs::File;
use std::io::Write;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use super::directory::{self, Grows, refuse_differences, remove_from};
use super::entered::Entered;
use super::files::{Growing, forget_aside, write_aside};
use super::lines::LineReader;
use super::outputs::{Existing, There};
use lab::compare::arms::Block;
use lab::compare::heard::Heard;
use lab::compare::manifest::Manifest;
use lab::compare::study::{Study, Test};
use lab::compare::trace::{FILE as TRACE, TraceCsv, TraceRow};
use sim::bounded::LINE;
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::export::summary::FILE as SUMMARY;
use sim::manifest::RunManifest as _;

/// Who hears of the blocks of a comparison.
pub(super) enum Ear {
    /// The test of the whole.
    Test(Test),
    /// A shard: what it plays is tested when all shards are joined.
    Shard(Heard),
}

impl Ear {
    /// Who hears of `study`, or of a shard of it, before the first block.
    pub(super) fn new(study: &Study, is_shard: bool) -> Self {
        let plans = study.plans();
        match is_shard {
            true => Self::Shard(Heard::new(plans.len(), plans[0].games_per_block())),
            false => Self::Test(study.test()),
        }
    }

    /// Takes note of a block of each arm; `Break` when the test has ended.
    pub(super) fn hear(&mut self, blocks: &[Block]) -> ControlFlow<()> {
        match self {
            Self::Test(test) => test.hear(blocks),
            Self::Shard(heard) => {
                heard.hear(blocks, 0);
                ControlFlow::Continue(())
            }
        }
    }

    /// What was heard.
    pub(super) fn heard(&self) -> &Heard {
        match self {
            Self::Test(test) => test.heard(),
            Self::Shard(heard) => heard,
        }
    }

    /// Whether nothing is left to be played of `range`.
    pub(super) fn has_ended(&self, range: &Range<u64>) -> bool {
        match self {
            Self::Test(test) => test.has_ended(),
            Self::Shard(heard) => heard.blocks() >= range.end - range.start,
        }
    }

    /// The test of the whole.
    pub(super) const fn test(&self) -> Option<&Test> {
        match self {
            Self::Test(test) => Some(test),
            Self::Shard(_) => None,
        }
    }
}

/// The rows of a trace, read one after another.
pub(super) struct Rows<'a> {
    lines: LineReader,
    csv: &'a TraceCsv,
    next: u64,
    text: Vec<u8>,
    /// Bytes up to the last row told, with the header; 0 without a whole one.
    length: u64,
}

impl<'a> Rows<'a> {
    /// Begins to read the rows from block `first` on.
    ///
    /// # Errors
    /// If the file cannot be read, or holds something else.
    pub(super) fn open(path: &Path, csv: &'a TraceCsv, first: u64) -> Result<Self, Error> {
        let mut lines = LineReader::open(path)?;
        let length = if lines.header(csv)? { lines.length } else { 0 };
        Ok(Self { lines, csv, next: first, text: Vec::new(), length })
    }

    /// The next row that is there whole.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged elsewhere than at its end.
    pub(super) fn next_row(&mut self) -> Result<Option<TraceRow>, Error> {
        if self.length == 0 {
            return Ok(None);
        }
        let row = self.lines.row(self.csv, self.next, &mut self.text)?;
        if row.is_some() {
            self.next += 1;
            self.length = self.lines.length;
        }
        Ok(row)
    }

    /// Has `ear` hear all rows of `range`; the bytes that they take.
    ///
    /// # Errors
    /// If they cannot be read, or are no rows of such a run.
    pub(super) fn replay(self, range: &Range<u64>, ear: &mut Ear) -> Result<u64, Error> {
        self.retold(range, ear, &mut |_| {})
    }

    /// Has `ear` hear all rows of `range`, and `look` look at it after each; the bytes that they take.
    ///
    /// # Errors
    /// If they cannot be read, or are no rows of such a run.
    pub(super) fn retold(
        mut self,
        range: &Range<u64>,
        ear: &mut Ear,
        look: &mut dyn FnMut(&Ear),
    ) -> Result<u64, Error> {
        let mut has_ended = false;
        while let Some(row) = self.next_row()? {
            if has_ended || row.block >= range.end {
                let place = self.lines.place();
                return Err(Error::Usage(format!(
                    "{place}: the comparison ended before block {}; this is no file of ours",
                    row.block
                )));
            }
            has_ended = ear.hear(&row.blocks).is_break();
            let state = ear.test().map(Test::state);
            let state = state.unwrap_or_else(|| vec![String::new(); row.state.len()]);
            if !is_the_same(&state, &row.state) {
                let text = "the state of the test is not what the blocks up to here give";
                return Err(self.lines.damaged(text));
            }
            look(ear);
        }
        Ok(self.length)
    }
}

/// Whether two states of a test say the same. What is empty now stood for itself in older traces as a number beyond any
/// bound: the log-likelihood ratio of values of whose spread nothing was known.
fn is_the_same(here: &[String], there: &[String]) -> bool {
    const BEYOND: f64 = 1e12;
    let is_beyond = |text: &str| text.parse::<f64>().is_ok_and(|x| x.abs() >= BEYOND || x == 0.0);
    let pairs = here.iter().zip(there);
    here.len() == there.len()
        && pairs
            .into_iter()
            .all(|(here, there)| here == there || (here.is_empty() && is_beyond(there)))
}

/// A directory that was entered and locked, before anything in it is changed.
pub(super) struct Entry {
    dir: PathBuf,
    rows: File,
    found: Option<Manifest>,
    /// What is said of what is replaced.
    replaced: Option<String>,
    /// What was made is taken away again, unless a run is begun.
    _entered: Entered,
}

impl Entry {
    /// Enters `dir` for `study`, or a shard of it. What the pilot of a run that goes on has settled is settled then.
    ///
    /// # Errors
    /// If the directory cannot be used, or is used by another run, or holds another one, or an unfinished one that is
    /// not to go on. Then nothing of it has changed.
    pub(super) fn enter(
        dir: &Path,
        study: &mut Study,
        asked: &Manifest,
        existing: Existing,
    ) -> Result<Self, Error> {
        let mut entered = Entered::enter(dir, MANIFEST)?;
        let (rows, found) = directory::enter::<Manifest>(dir, &mut entered, TRACE)?;
        let mut replaced = None;
        let found = match found {
            Some(there) if existing.goes_on() => {
                // What a pilot settles is not known yet, but there.
                let here = asked.clone().with_pilot(there.pilot.clone());
                refuse_differences(dir, "comparison", &there.differences(&here))?;
                if let Some(settled) = &there.pilot {
                    study.settle(settled.clone())?;
                }
                Some(there)
            }
            Some(there) => {
                replaced = said_of_replaced(dir, &there, existing)?;
                None
            }
            None => {
                replaced = existing.replace_foreign(dir, [MANIFEST, TRACE, SUMMARY])?;
                None
            }
        };
        Ok(Self { dir: dir.to_owned(), rows, found, replaced, _entered: entered })
    }

    /// Begins the run, or goes on with the one that is there: `ear` hears the blocks that it has.
    ///
    /// # Errors
    /// If something cannot be read or written, or the rows are of something else.
    pub(super) fn begin(
        self,
        study: &Study,
        manifest: &Manifest,
        ear: &mut Ear,
    ) -> Result<Trace, Error> {
        let (dir, range) = (self.dir, manifest.range());
        let csv = TraceCsv::new(study);
        let place = dir.join(TRACE);
        let mut rows = self.rows;
        let length = match self.found {
            Some(_) => {
                let length = Rows::open(&place, &csv, range.start)?.replay(&range, ear)?;
                let summary = dir.join(SUMMARY);
                forget_aside(&summary).map_err(Error::opening(summary.display().to_string()))?;
                if !ear.has_ended(&range) {
                    remove_from(&dir, SUMMARY)?;
                }
                length
            }
            None => {
                let replaced = self.replaced.as_deref();
                rows = directory::clear(&dir, replaced, [SUMMARY], (rows, TRACE))?;
                directory::fix(&dir, MANIFEST, manifest.document().as_bytes())?;
                0
            }
        };
        let name = place.display().to_string();
        let mut file = Growing::new(rows, &place, length).map_err(Error::opening(name.as_str()))?;
        if length == 0 {
            let begun = file.write_all(csv.header().as_bytes()).and_then(|()| file.hand_over());
            begun.map_err(Error::output(name))?;
        }
        let next = range.start + ear.heard().blocks();
        Ok(Trace { grows: Grows::new(&dir, vec![file]), dir, csv, next })
    }
}

/// What is said of the comparison that is replaced; one that came to no row has nothing to lose.
///
/// # Errors
/// If it is not to be replaced.
fn said_of_replaced(
    dir: &Path,
    there: &Manifest,
    existing: Existing,
) -> Result<Option<String>, Error> {
    let mut lines = LineReader::open(&dir.join(TRACE))?;
    let is_finished = dir.join(SUMMARY).is_file();
    let has_header = lines.line(&mut Vec::new(), LINE)?;
    let has_rows = is_finished || has_header && lines.line(&mut Vec::new(), LINE)?;
    if !has_rows {
        return Ok(None);
    }
    let run = There { dir, what: "comparison", command: &there.command, is_finished };
    existing.replace(&run).map(Some)
}

/// The open trace of a run.
pub(super) struct Trace {
    dir: PathBuf,
    csv: TraceCsv,
    grows: Grows,
    next: u64,
}

impl Trace {
    /// The number of the next block.
    pub(super) const fn next_block(&self) -> u64 {
        self.next
    }

    /// Appends the next block, of which `ear` has heard; whole rows are handed over from time to time.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&mut self, blocks: &[Block], ear: &Ear) -> Result<(), Error> {
        let row = self.csv.row(self.next, blocks, ear.test());
        self.next += 1;
        for file in self.grows.files() {
            let name = file.place().display().to_string();
            file.write_all(row.as_bytes()).map_err(Error::output(name))?;
        }
        self.grows.block_ended()
    }

    /// Hands over everything that is left.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn save(&mut self) -> Result<(), Error> {
        self.grows.flush(true)
    }

    /// What is left of a run that has failed, as a line for its user.
    pub(super) fn what_is_left(&self) -> String {
        self.grows.what_is_left()
    }

    /// Writes the summary, when everything else is there.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn sum_up(&self, document: &str) -> Result<(), Error> {
        let place = self.dir.join(SUMMARY);
        write_aside(&place, document.as_bytes()).map_err(Error::output(place.display().to_string()))
    }
}
