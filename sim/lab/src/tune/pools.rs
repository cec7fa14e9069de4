//! Three pools of seeds, kept apart by types: for searching, for choosing, and for reporting.
//!
//! The best of many noisy numbers is biased upwards. Candidates are therefore searched on blocks of the pool
//! [`Train`], and finalists are compared on fresh blocks of [`Select`]. The report on the chosen one comes from
//! [`Report`], whose blocks play no part in any choice. Evidence of different pools has different types:
//!
//! ```
//! use lab::tune::pools::{Evidence, Pool, Select, Train};
//!
//! fn choose(_: &[Evidence<Select>]) {}
//! let mut pool = Pool::<Select>::of(1);
//! let blocks = pool.fresh(2);
//! choose(&[Evidence::new(blocks, vec![0.1, 0.2])]);
//! ```
//!
//! Evidence of the search cannot serve for the choice:
//!
//! ```compile_fail,E0308
//! use lab::tune::pools::{Evidence, Pool, Select, Train};
//!
//! fn choose(_: &[Evidence<Select>]) {}
//! let mut pool = Pool::<Train>::of(1);
//! let blocks = pool.fresh(2);
//! choose(&[Evidence::new(blocks, vec![0.1, 0.2])]);
//! ```
//!
//! A pool of reports is consumed when it is opened; a second look without a count is impossible:
//!
//! ```compile_fail,E0382
//! use lab::tune::pools::{Looks, Pool, Report};
//!
//! let (pool, mut looks) = (Pool::<Report>::of(1), Looks::default());
//! let first = pool.open(&mut looks);
//! let second = pool.open(&mut looks);
//! ```

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::Range;

use engine::{Purpose, Randomness, rng};

use super::objective::Evaluation;
use sim::stats::Moments;

/// The use of a pool's blocks.
pub trait Use: Copy + Debug + Send + Sync + 'static {
    /// The name in a log.
    const NAME: &'static str;
    /// The tag that separates its seed from those of the other pools.
    const TAG: u64;
}

/// The use for the points of the tables of a population, by which a mixture is chosen.
#[derive(Clone, Copy, Debug)]
pub struct Payoff;
/// The use for searching.
#[derive(Clone, Copy, Debug)]
pub struct Train;
/// The use for choosing among the finalists.
#[derive(Clone, Copy, Debug)]
pub struct Select;
/// The use for reporting.
#[derive(Clone, Copy, Debug)]
pub struct Report;

impl Use for Payoff {
    const NAME: &'static str = "payoff";
    const TAG: u64 = 0;
}

impl Use for Train {
    const NAME: &'static str = "train";
    const TAG: u64 = 1;
}

impl Use for Select {
    const NAME: &'static str = "select";
    const TAG: u64 = 2;
}

impl Use for Report {
    const NAME: &'static str = "report";
    const TAG: u64 = 3;
}

/// The number of tags: seeds of different pools differ in these lowest bits, and can never be equal.
const TAGS: u64 = 4;

/// A pool of blocks for one use; no block is issued twice, unless a pool is created again.
#[derive(Debug)]
pub struct Pool<U> {
    seed: u64,
    next: u64,
    of: PhantomData<U>,
}

/// A range of blocks of a pool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocks<U> {
    seed: u64,
    range: Range<u64>,
    of: PhantomData<U>,
}

impl<U: Use> Pool<U> {
    /// Creates the pool of a run with this seed.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        // Below 2^32, so that a printed seed is easy to type.
        let base = u64::from(rng::stream(seed, 0, Purpose::Analysis).below(u32::MAX / TAGS as u32));
        Self { seed: base * TAGS + U::TAG, next: 0, of: PhantomData }
    }

    /// Returns the pool from block `first` on: disjoint parts need not wait for each other.
    #[must_use]
    pub const fn from(self, first: u64) -> Self {
        Self { next: first, ..self }
    }

    /// Returns the seed of its games.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the next unused blocks.
    pub fn fresh(&mut self, blocks: u64) -> Blocks<U> {
        let range = self.next..self.next + blocks;
        self.next = range.end;
        Blocks { seed: self.seed, range, of: PhantomData }
    }
}

impl<U> Blocks<U> {
    /// Returns the seed of the games.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the range of block numbers.
    #[must_use]
    pub const fn range(&self) -> &Range<u64> {
        &self.range
    }

    /// Returns the number of blocks.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// Returns true if there are no blocks.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The results of a candidate in some blocks.
#[derive(Clone, Debug)]
pub struct Evidence<U> {
    blocks: Blocks<U>,
    came: Evaluation,
}

impl<U: Use> Evidence<U> {
    /// Creates evidence from the results of these blocks: a value for each and, for rules, parts.
    ///
    /// # Panics
    /// If the numbers of values and blocks differ.
    #[must_use]
    pub fn new(blocks: Blocks<U>, came: impl Into<Evaluation>) -> Self {
        let came = came.into();
        assert_eq!(blocks.len(), came.values.len() as u64, "a value for each block");
        Self { blocks, came }
    }

    /// Returns the value of each block, in order.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.came.values
    }

    /// Returns the measured quantities of each block, by part of the target; empty for agents.
    #[must_use]
    pub fn parts(&self) -> &[Vec<f64>] {
        &self.came.parts
    }

    /// Returns the mean; 0 without blocks.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.moments().mean()
    }

    /// Returns the moments of the values.
    #[must_use]
    pub fn moments(&self) -> Moments {
        let mut moments = Moments::default();
        self.values().iter().for_each(|&value| moments.add(value));
        moments
    }

    /// Returns the gain over `other`, block by block; both have met the same chance.
    ///
    /// # Panics
    /// If the blocks differ.
    #[must_use]
    pub fn over(&self, other: &Self) -> Moments {
        assert_eq!(self.blocks.range, other.blocks.range, "blocks are compared with themselves");
        let mut moments = Moments::default();
        self.values().iter().zip(other.values()).for_each(|(a, b)| moments.add(a - b));
        moments
    }

    /// Appends evidence of further blocks.
    pub fn extend(&mut self, more: Self) {
        self.blocks.range.end = more.blocks.range.end;
        self.came.extend(more.came);
    }
}

/// The number of times that the pool of reports was opened, over a log.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Looks(u64);

impl Looks {
    /// Creates the count after `looks` earlier looks at the same pool.
    #[must_use]
    pub const fn after(looks: u64) -> Self {
        Self(looks)
    }

    /// Returns the count.
    #[must_use]
    pub const fn count(self) -> u64 {
        self.0
    }
}

/// An opened pool of reports.
#[derive(Debug)]
pub struct Opened {
    pool: Pool<Report>,
    look: u64,
}

impl Pool<Report> {
    /// Opens the pool and counts the look.
    #[must_use]
    pub const fn open(self, looks: &mut Looks) -> Opened {
        looks.0 += 1;
        Opened { pool: self, look: looks.0 }
    }
}

impl Opened {
    /// Returns the number of the look, from 1; only the intervals of the first have their nominal level.
    #[must_use]
    pub const fn look(&self) -> u64 {
        self.look
    }

    /// Returns the next unused blocks.
    pub fn fresh(&mut self, blocks: u64) -> Blocks<Report> {
        self.pool.fresh(blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_of_all_seeds_share_no_game() {
        for seed in 0..500 {
            let seeds = [
                Pool::<Train>::of(seed).seed(),
                Pool::<Select>::of(seed).seed(),
                Pool::<Report>::of(seed).seed(),
            ];
            assert!(seeds[0] != seeds[1] && seeds[1] != seeds[2] && seeds[0] != seeds[2]);
            assert!(seeds.iter().all(|&seed| seed <= u64::from(u32::MAX)));
        }
        let mut pool = Pool::<Select>::of(7);
        let (first, second) = (pool.fresh(3), pool.fresh(2));
        assert_eq!((first.range(), second.range()), (&(0..3), &(3..5)));
        let mut looks = Looks::default();
        assert_eq!(Pool::<Report>::of(7).open(&mut looks).look(), 1);
        assert_eq!(Pool::<Report>::of(7).open(&mut looks).look(), 2);
        assert_eq!(looks.count(), 2);
    }
}
