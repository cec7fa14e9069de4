//! Where blocks are asked for: told from the log as far as it goes, played after that, in parallel, and written down in
//! the order of asking.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

use agents::side_by_side::side_by_side;
use rayon::ThreadPool;

use super::journal::{Journal, Row, STRETCH};
use super::playground::{Came, Field, Playground, Stretch};
use super::pools::{Blocks, Evidence, Train, Use};
use super::space::Point;
use sim::error::Error;

/// Blocks that somebody asks for.
#[derive(Clone, Debug)]
pub struct Wanted<U> {
    /// The candidate.
    pub point: Point,
    /// Whom it meets.
    pub field: Field,
    /// The blocks.
    pub blocks: Blocks<U>,
}

/// Why a run does not go on.
#[derive(Debug)]
pub enum Halt {
    /// Somebody stopped it.
    Stopped,
    /// Something failed.
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

/// Hears how many blocks were played or recalled, and what is thought best so far, for whoever wants to know.
pub type Look<'a> = dyn FnMut(u64, &dyn Fn() -> String) + 'a;

/// Where blocks are asked for.
pub struct Desk<'a> {
    /// Where candidates are played.
    pub playground: &'a dyn Playground,
    /// What was played.
    pub journal: &'a mut dyn Journal,
    /// Raised to stop at the next rows.
    pub stop: &'a AtomicBool,
    /// Who plays; the thread that asks, if there is nobody.
    pub pool: Option<&'a ThreadPool>,
    /// Told how far the run is, whenever it is farther.
    pub look: &'a mut Look<'a>,
    rows: u64,
    blocks: u64,
    best: String,
}

impl std::fmt::Debug for Desk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Desk({} rows, {} blocks)", self.rows, self.blocks)
    }
}

/// Rows of a round for each thread: enough that nobody waits, few enough that a kill costs little.
const ROWS_PER_THREAD: usize = 2;
/// Pieces of a round for each thread.
const PIECES_PER_THREAD: u64 = 4;

impl<'a> Desk<'a> {
    /// A desk before the first row.
    pub fn new(
        playground: &'a dyn Playground,
        journal: &'a mut dyn Journal,
        stop: &'a AtomicBool,
        pool: Option<&'a ThreadPool>,
        look: &'a mut Look<'a>,
    ) -> Self {
        let best = String::new();
        Self { playground, journal, stop, pool, look, rows: 0, blocks: 0, best }
    }

    /// How many blocks were played or recalled.
    #[must_use]
    pub const fn blocks(&self) -> u64 {
        self.blocks
    }

    /// What came of what is wanted, in that order.
    ///
    /// # Errors
    /// If it was stopped, cannot be played or not be written, or the log says something else.
    pub fn evaluate<U: Use>(&mut self, wanted: &[Wanted<U>]) -> Result<Vec<Evidence<U>>, Halt> {
        let stretches: Vec<Stretch> = wanted.iter().flat_map(stretches).collect();
        let mut all: Vec<Came> = Vec::with_capacity(stretches.len());
        while all.len() < stretches.len() {
            let Some(row) = self.journal.recall() else { break };
            let stretch = &stretches[all.len()];
            if !row.is_of(self.rows, U::NAME, stretch) {
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
        for round in stretches[all.len()..].chunks(threads * ROWS_PER_THREAD) {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Halt::Stopped);
            }
            for (stretch, came) in round.iter().zip(self.play(round, threads)?) {
                self.journal.write(&Row::of(self.rows, U::NAME, stretch, came.clone()))?;
                self.count::<U>(came.values.len() as u64);
                all.push(came);
            }
        }
        Ok(gathered(wanted, all))
    }

    fn count<U: Use>(&mut self, blocks: u64) {
        self.rows += 1;
        self.blocks += blocks;
        // While a search goes on it says itself how far it is, with what it thinks best.
        if U::TAG != Train::TAG {
            (self.look)(self.blocks, &|| self.best.clone());
        }
    }

    /// Says what is thought best so far, if somebody looks.
    pub fn tell(&mut self, best: &dyn Fn() -> String) {
        let said = RefCell::new(None);
        let asked = || said.borrow_mut().get_or_insert_with(best).clone();
        (self.look)(self.blocks, &asked);
        if let Some(best) = said.into_inner() {
            self.best = best;
        }
    }

    /// Plays the stretches of a round, cut into pieces so that all threads have work.
    fn play(&self, round: &[Stretch], threads: usize) -> Result<Vec<Came>, Error> {
        let playground = self.playground;
        let Some(pool) = self.pool else {
            return round.iter().map(|stretch| playground.play(stretch)).collect();
        };
        let total: u64 =
            round.iter().map(|stretch| stretch.blocks.end - stretch.blocks.start).sum();
        let size = total.div_ceil(threads as u64 * PIECES_PER_THREAD).max(1);
        let mut pieces = Vec::new();
        for (i, stretch) in round.iter().enumerate() {
            for from in stretch.blocks.clone().step_by(size as usize) {
                let blocks = from..(from + size).min(stretch.blocks.end);
                pieces.push((i, Stretch { blocks, ..stretch.clone() }));
            }
        }
        let played =
            pool.install(|| side_by_side(pieces.len(), &|i| playground.play(&pieces[i].1)));
        let mut all = vec![Came::default(); round.len()];
        for ((i, _), came) in pieces.iter().zip(played) {
            all[*i].extend(came?);
        }
        Ok(all)
    }
}

/// The rows of what is wanted.
fn stretches<U: Use>(wanted: &Wanted<U>) -> Vec<Stretch> {
    let blocks = wanted.blocks.range();
    let starts = blocks.clone().step_by(STRETCH as usize);
    let stretch = |from: u64| Stretch {
        point: wanted.point.clone(),
        field: wanted.field,
        seed: wanted.blocks.seed(),
        blocks: from..(from + STRETCH).min(blocks.end),
    };
    starts.map(stretch).collect()
}

/// What rows came to as evidence of what was wanted.
fn gathered<U: Use>(wanted: &[Wanted<U>], rows: Vec<Came>) -> Vec<Evidence<U>> {
    let mut rows = rows.into_iter();
    let evidence = |wanted: &Wanted<U>| {
        let mut came = Came::default();
        let stretches = wanted.blocks.len().div_ceil(STRETCH) as usize;
        rows.by_ref().take(stretches).for_each(|row| came.extend(row));
        Evidence::new(wanted.blocks.clone(), came)
    };
    wanted.iter().map(evidence).collect()
}
