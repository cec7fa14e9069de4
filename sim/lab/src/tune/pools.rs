//! Three pools of seeds that a type keeps apart: what is searched with, what is chosen with, what is reported.
//!
//! Whoever picks the best of many noisy numbers reports a number that is too good. So candidates are searched on blocks
//! of the pool [`Train`], the finalists are compared on fresh blocks of [`Select`], and what is told of the one that
//! was chosen comes from [`Report`], whose blocks nobody has chosen by. Evidence of one pool is of another type than
//! that of another one:
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
//! What was searched with cannot be what is chosen by:
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
//! And a pool of reports is gone when it is opened; there is no second look that nobody counts:
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

/// What the blocks of a pool are for.
pub trait Use: Copy + Debug + Send + Sync + 'static {
    /// Its name in a log.
    const NAME: &'static str;
    /// What tells its seed from those of the other pools.
    const TAG: u64;
}

/// Searching.
#[derive(Clone, Copy, Debug)]
pub struct Train;
/// Choosing among the finalists.
#[derive(Clone, Copy, Debug)]
pub struct Select;
/// Reporting.
#[derive(Clone, Copy, Debug)]
pub struct Report;

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

/// Seeds that differ in these lowest bits are those of pools: they can never be one.
const TAGS: u64 = 4;

/// Blocks for one use, of which none is handed out twice unless somebody asks for the same again.
#[derive(Debug)]
pub struct Pool<U> {
    seed: u64,
    next: u64,
    of: PhantomData<U>,
}

/// Blocks of a pool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocks<U> {
    seed: u64,
    range: Range<u64>,
    of: PhantomData<U>,
}

impl<U: Use> Pool<U> {
    /// The pool of a run with this seed.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        // Below 2^32, so that a seed can be typed where it is printed.
        let base = u64::from(rng::stream(seed, 0, Purpose::Analysis).below(u32::MAX / TAGS as u32));
        Self { seed: base * TAGS + U::TAG, next: 0, of: PhantomData }
    }

    /// The same from block `first` on: parts that never meet need not wait for one another.
    #[must_use]
    pub const fn from(self, first: u64) -> Self {
        Self { next: first, ..self }
    }

    /// The seed of its games.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Blocks that nobody had before.
    pub fn fresh(&mut self, blocks: u64) -> Blocks<U> {
        let range = self.next..self.next + blocks;
        self.next = range.end;
        Blocks { seed: self.seed, range, of: PhantomData }
    }
}

impl<U> Blocks<U> {
    /// The seed of the games.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The numbers of the blocks.
    #[must_use]
    pub const fn range(&self) -> &Range<u64> {
        &self.range
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What a candidate came to in some blocks.
#[derive(Clone, Debug)]
pub struct Evidence<U> {
    blocks: Blocks<U>,
    came: Evaluation,
}

impl<U: Use> Evidence<U> {
    /// What came of these blocks: a value for each, and of rules parts.
    ///
    /// # Panics
    /// If there are not as many values as blocks.
    #[must_use]
    pub fn new(blocks: Blocks<U>, came: impl Into<Evaluation>) -> Self {
        let came = came.into();
        assert_eq!(blocks.len(), came.values.len() as u64, "a value for each block");
        Self { blocks, came }
    }

    /// The value of each block, in order.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.came.values
    }

    /// Of rules, what each block was measured to have, by the parts of the target; else nothing.
    #[must_use]
    pub fn parts(&self) -> &[Vec<f64>] {
        &self.came.parts
    }

    /// The mean; 0 without blocks.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.moments().mean()
    }

    /// Mean, variance and intervals.
    #[must_use]
    pub fn moments(&self) -> Moments {
        let mut moments = Moments::default();
        self.values().iter().for_each(|&value| moments.add(value));
        moments
    }

    /// What this gains over `other` block by block, where both met the same chance.
    ///
    /// # Panics
    /// If they are of other blocks.
    #[must_use]
    pub fn over(&self, other: &Self) -> Moments {
        assert_eq!(self.blocks.range, other.blocks.range, "blocks are compared with themselves");
        let mut moments = Moments::default();
        self.values().iter().zip(other.values()).for_each(|(a, b)| moments.add(a - b));
        moments
    }

    /// This and then what came of further blocks.
    pub fn extend(&mut self, more: Self) {
        self.blocks.range.end = more.blocks.range.end;
        self.came.extend(more.came);
    }
}

/// How often the pool of reports was opened in a log.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Looks(u64);

impl Looks {
    /// After so many looks that others took at the same pool.
    #[must_use]
    pub const fn after(looks: u64) -> Self {
        Self(looks)
    }

    /// How often.
    #[must_use]
    pub const fn count(self) -> u64 {
        self.0
    }
}

/// The pool of reports, opened.
#[derive(Debug)]
pub struct Opened {
    pool: Pool<Report>,
    look: u64,
}

impl Pool<Report> {
    /// Opens the pool, which is counted.
    #[must_use]
    pub const fn open(self, looks: &mut Looks) -> Opened {
        looks.0 += 1;
        Opened { pool: self, look: looks.0 }
    }
}

impl Opened {
    /// Which look it is, from 1; the intervals of the first alone are what they say.
    #[must_use]
    pub const fn look(&self) -> u64 {
        self.look
    }

    /// Blocks that nobody had before.
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
