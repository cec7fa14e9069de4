//! The evaluator of a search: it answers requests for blocks from the log as far as it reaches. Further blocks are
//! played in parallel and logged in the order of the requests.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

use agents::side_by_side::{side_by_side, within};
use rayon::ThreadPool;

use super::journal::{Journal, Row, STRETCH};
use super::objective::{Batch, Evaluation, Field, Objective};
use super::pools::{Blocks, Evidence, Train, Use};
use super::space::Point;
use sim::error::Error;

/// A request for blocks.
#[derive(Clone, Debug)]
pub struct Wanted<U> {
    /// The candidate.
    pub point: Point,
    /// The opponents.
    pub field: Field,
    /// The blocks.
    pub blocks: Blocks<U>,
}

/// The reason why a run ends early.
#[derive(Debug)]
pub enum Halt {
    /// The run was stopped.
    Stopped,
    /// An error.
    Failed(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        match error {
            Error::Stopped => Self::Stopped,
            error => Self::Failed(error),
        }
    }
}

/// A callback for progress: the number of blocks played or recalled, and a function for the best point so far.
pub type Progress<'a> = dyn FnMut(u64, &dyn Fn() -> String) + 'a;

/// The evaluator of a search.
pub struct Evaluator<'a> {
    /// The objective that plays candidates.
    pub playground: &'a dyn Objective,
    /// The journal of played rows.
    pub journal: &'a mut dyn Journal,
    /// A flag that stops the run at the next rows.
    pub stop: &'a AtomicBool,
    /// The threads that play; `None` plays on the calling thread.
    pub pool: Option<&'a ThreadPool>,
    /// The progress callback.
    pub look: &'a mut Progress<'a>,
    rows: u64,
    blocks: u64,
    best: String,
}

impl std::fmt::Debug for Evaluator<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Evaluator({} rows, {} blocks)", self.rows, self.blocks)
    }
}

/// Rows of a round for each thread: enough to keep all threads busy, few enough that a kill costs little.
const ROWS_PER_THREAD: usize = 2;
/// Pieces of a round for each thread.
const PIECES_PER_THREAD: u64 = 4;

impl<'a> Evaluator<'a> {
    /// Creates an evaluator before the first row.
    pub fn new(
        playground: &'a dyn Objective,
        journal: &'a mut dyn Journal,
        stop: &'a AtomicBool,
        pool: Option<&'a ThreadPool>,
        look: &'a mut Progress<'a>,
    ) -> Self {
        let best = String::new();
        Self { playground, journal, stop, pool, look, rows: 0, blocks: 0, best }
    }

    /// Returns the number of blocks played or recalled.
    #[must_use]
    pub const fn blocks(&self) -> u64 {
        self.blocks
    }

    /// Evaluates the requests and returns their evidence, in order.
    ///
    /// # Errors
    /// If the run was stopped, blocks cannot be played or logged, or the log belongs to another search.
    pub fn evaluate<U: Use>(&mut self, wanted: &[Wanted<U>]) -> Result<Vec<Evidence<U>>, Halt> {
        let batches: Vec<Batch> = wanted.iter().flat_map(batches).collect();
        let mut all: Vec<Evaluation> = Vec::with_capacity(batches.len());
        while all.len() < batches.len() {
            let Some(row) = self.journal.recall() else { break };
            let batch = &batches[all.len()];
            if !row.is_of(self.rows, U::NAME, batch) {
                return Err(Error::Usage(format!(
                    "row {} of the log is not of this search, which plays other blocks or points there: name another \
                     directory",
                    row.number
                ))
                .into());
            }
            self.count::<U>(row.came.values.len() as u64);
            all.push(row.came);
        }
        let threads = self.pool.map_or(1, ThreadPool::current_num_threads);
        for round in batches[all.len()..].chunks(threads * ROWS_PER_THREAD) {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Halt::Stopped);
            }
            for (batch, came) in round.iter().zip(self.play(round, threads)?) {
                self.journal.write(&Row::of(self.rows, U::NAME, batch, came.clone()))?;
                self.count::<U>(came.values.len() as u64);
                all.push(came);
            }
        }
        Ok(gathered(wanted, all))
    }

    fn count<U: Use>(&mut self, blocks: u64) {
        self.rows += 1;
        self.blocks += blocks;
        // While a search runs it reports its own progress, with its best point.
        if U::TAG != Train::TAG {
            (self.look)(self.blocks, &|| self.best.clone());
        }
    }

    /// Reports the best point so far; `best` is evaluated only if the callback needs it.
    pub fn tell(&mut self, best: &dyn Fn() -> String) {
        let computed = RefCell::new(None);
        let incumbent = || computed.borrow_mut().get_or_insert_with(best).clone();
        (self.look)(self.blocks, &incumbent);
        if let Some(best) = computed.into_inner() {
            self.best = best;
        }
    }

    /// Plays the stretches of a round, cut into pieces so that all threads have work.
    fn play(&self, round: &[Batch], threads: usize) -> Result<Vec<Evaluation>, Error> {
        let playground = self.playground;
        let Some(pool) = self.pool else {
            return round.iter().map(|batch| playground.play(batch)).collect();
        };
        let total: u64 = round.iter().map(|batch| batch.blocks.end - batch.blocks.start).sum();
        let size = total.div_ceil(threads as u64 * PIECES_PER_THREAD).max(1);
        let mut pieces = Vec::new();
        for (i, batch) in round.iter().enumerate() {
            for from in batch.blocks.clone().step_by(size as usize) {
                let blocks = from..(from + size).min(batch.blocks.end);
                pieces.push((i, Batch { blocks, ..batch.clone() }));
            }
        }
        let played =
            within(pool, || side_by_side(pieces.len(), &|i| playground.play(&pieces[i].1)));
        let mut all = vec![Evaluation::default(); round.len()];
        for ((i, _), came) in pieces.iter().zip(played) {
            all[*i].extend(came?);
        }
        Ok(all)
    }
}

/// Returns the rows of a request.
fn batches<U: Use>(wanted: &Wanted<U>) -> Vec<Batch> {
    let blocks = wanted.blocks.range();
    let starts = blocks.clone().step_by(STRETCH as usize);
    let batch = |from: u64| Batch {
        point: wanted.point.clone(),
        field: wanted.field,
        seed: wanted.blocks.seed(),
        blocks: from..(from + STRETCH).min(blocks.end),
    };
    starts.map(batch).collect()
}

/// Gathers rows into the evidence of each request.
fn gathered<U: Use>(wanted: &[Wanted<U>], rows: Vec<Evaluation>) -> Vec<Evidence<U>> {
    let mut rows = rows.into_iter();
    let evidence = |wanted: &Wanted<U>| {
        let mut came = Evaluation::default();
        let batches = wanted.blocks.len().div_ceil(STRETCH) as usize;
        rows.by_ref().take(batches).for_each(|row| came.extend(row));
        Evidence::new(wanted.blocks.clone(), came)
    };
    wanted.iter().map(evidence).collect()
}
