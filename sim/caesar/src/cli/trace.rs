//! Directory of a comparison: its manifest, an append-only trace, and a summary once its test has ended.
//!
//! The manifest comes before the first row and never changes, as with tournaments. `trace.csv` grows by whole rows with
//! checksums, and is locked before the first look at the directory. A continued run reads the existing rows again,
//! which restores the state of the test, and plays from there. `summary.json` exists exactly if the test has ended.

use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use super::directory::remove_from;
use super::files::{forget_aside, write_aside};
use super::kept::{Entry, Stored};
use super::lines::LineReader;
use super::outputs::Existing;
use super::rows::{Blocks, Rows};
use lab::compare::arms::Block;
use lab::compare::block_stats::BlockStats;
use lab::compare::manifest::Manifest;
use lab::compare::study::{ComparisonStudy, Test};
use lab::compare::trace::{FILE as TRACE, TraceCsv};
use sim::bounded::LINE;
use sim::error::Error;
use sim::export::summary::FILE as SUMMARY;

/// Receiver of a comparison's blocks.
pub(super) enum Ear {
    /// The test of the whole.
    Test(Test),
    /// Shard, which is tested when all shards are joined.
    Shard(BlockStats),
}

impl Ear {
    /// Creates the receiver of `study`, or of a shard of it, before the first block.
    pub(super) fn new(study: &ComparisonStudy, is_shard: bool) -> Self {
        let plans = study.plans();
        match is_shard {
            true => Self::Shard(BlockStats::new(plans.len(), plans[0].games_per_block())),
            false => Self::Test(study.test()),
        }
    }

    /// Adds a block of each arm; returns `Break` when the test has ended.
    pub(super) fn add(&mut self, blocks: &[Block]) -> ControlFlow<()> {
        match self {
            Self::Test(test) => test.add(blocks),
            Self::Shard(block_stats) => {
                block_stats.add(blocks, 0);
                ControlFlow::Continue(())
            }
        }
    }

    /// Returns the statistics of the received blocks.
    pub(super) fn block_stats(&self) -> &BlockStats {
        match self {
            Self::Test(test) => test.block_stats(),
            Self::Shard(block_stats) => block_stats,
        }
    }

    /// Returns whether no block of `range` is left to play.
    pub(super) fn has_ended(&self, range: &Range<u64>) -> bool {
        match self {
            Self::Test(test) => test.has_ended(),
            Self::Shard(block_stats) => block_stats.blocks() >= range.end - range.start,
        }
    }

    /// Returns the test of the whole.
    pub(super) const fn test(&self) -> Option<&Test> {
        match self {
            Self::Test(test) => Some(test),
            Self::Shard(_) => None,
        }
    }
}

impl Stored for Manifest {
    const ROWS: &'static [&'static str] = &[TRACE];

    fn finished(&self) -> Vec<String> {
        vec![SUMMARY.to_owned()]
    }

    fn has_rows(&self, dir: &Path) -> Result<bool, Error> {
        let mut lines = LineReader::open(&dir.join(TRACE))?;
        let has_header = lines.line(&mut Vec::new(), LINE)?;
        Ok(has_header && (self.is_finished(dir) || lines.line(&mut Vec::new(), LINE)?))
    }
}

/// Passes all remaining rows of `range` to `ear`, and calls `look` after each.
///
/// # Errors
/// If they cannot be read, or are no rows of such a run.
pub(super) fn replay(
    blocks: &mut Blocks<'_, TraceCsv>,
    range: &Range<u64>,
    ear: &mut Ear,
    look: &mut dyn FnMut(&Ear),
) -> Result<(), Error> {
    let mut has_ended = false;
    while let Some(row) = blocks.next_row()? {
        if has_ended || row.block >= range.end {
            return Err(Error::Usage(format!(
                "{}: the comparison ended before block {}, so another program wrote this file",
                blocks.lines().place(),
                row.block
            )));
        }
        has_ended = ear.add(&row.blocks).is_break();
        let state = ear.test().map(Test::state);
        let state = state.unwrap_or_else(|| vec![String::new(); row.state.len()]);
        if !is_the_same(&state, &row.state) {
            let text = "the state of the test disagrees with the blocks up to here";
            return Err(blocks.lines().damaged(text));
        }
        look(ear);
    }
    Ok(())
}

/// Returns whether two states of a test are the same. An empty field stands in older traces as an infinite number: the
/// log-likelihood ratio of values of unknown spread.
fn is_the_same(here: &[String], there: &[String]) -> bool {
    const BEYOND: f64 = 1e12;
    let is_beyond = |text: &str| text.parse::<f64>().is_ok_and(|x| x.abs() >= BEYOND || x == 0.0);
    let pairs = here.iter().zip(there);
    here.len() == there.len()
        && pairs
            .into_iter()
            .all(|(here, there)| here == there || (here.is_empty() && is_beyond(there)))
}

/// Enters `dir` for `study`, or a shard of it. Settings that the pilot of a continued run has fixed are taken over.
///
/// # Errors
/// If the directory cannot be used, or is used by another run, or holds another one, or an unfinished one that is not to go
/// on. Then nothing of it has changed.
pub(super) fn enter(
    dir: &Path,
    study: &mut ComparisonStudy,
    manifest: &Manifest,
    existing: Existing,
) -> Result<Entry<Manifest>, Error> {
    let entry = Entry::enter(dir, manifest, existing)?;
    if let Some(settled) = entry.going_on().and_then(|there| there.pilot.as_ref()) {
        study.settle(settled.clone())?;
    }
    Ok(entry)
}

/// The open trace of a run.
pub(super) struct Trace {
    dir: PathBuf,
    rows: Rows<TraceCsv>,
    next: u64,
}

impl Trace {
    /// Begins the run, or continues the existing one, whose blocks pass to `ear`.
    ///
    /// # Errors
    /// If something cannot be read or written, or the rows are of something else.
    pub(super) fn begin(
        entry: Entry<Manifest>,
        study: &ComparisonStudy,
        manifest: &Manifest,
        ear: &mut Ear,
    ) -> Result<Self, Error> {
        let range = manifest.range();
        let mut kept = entry.begin(manifest)?;
        let dir = kept.dir().to_owned();
        let rows = kept.open(TraceCsv::new(study), range.start, |blocks| {
            replay(blocks, &range, ear, &mut |_| {})?;
            let summary = dir.join(SUMMARY);
            forget_aside(&summary).map_err(Error::opening(summary.display().to_string()))?;
            if ear.has_ended(&range) { Ok(()) } else { remove_from(&dir, SUMMARY) }
        })?;
        let next = range.start + ear.block_stats().blocks();
        Ok(Self { dir, rows, next })
    }

    /// Returns the number of the next block.
    pub(super) const fn next_block(&self) -> u64 {
        self.next
    }

    /// Appends the next block, which `ear` has received. Whole rows are handed over from time to time.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&mut self, blocks: &[Block], ear: &Ear) -> Result<(), Error> {
        let row = self.rows.table().row_of(self.next, blocks, ear.test());
        self.next += 1;
        self.rows.write(&[row])
    }

    /// Hands over all remaining rows.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn save(&mut self) -> Result<(), Error> {
        self.rows.save()
    }

    /// Returns a line for the user about the remaining results of a failed run.
    pub(super) fn what_is_left(&self) -> String {
        self.rows.what_is_left()
    }

    /// Writes the summary after all other files.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn sum_up(&self, document: &str) -> Result<(), Error> {
        let place = self.dir.join(SUMMARY);
        write_aside(&place, document.as_bytes()).map_err(Error::output(place.display().to_string()))
    }
}
