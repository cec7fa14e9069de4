//! The objective of a search, independent of any game: [`Objective`]. The table of a real game implements it; in
//! tests, so does a coin with a known best point.

use std::ops::Range;

use engine::MAX_PLAYERS;

use super::space::Point;
use sim::error::Error;

/// The opponents of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Field {
    /// The pool of opponents.
    Pool,
    /// One held-out opponent, by its index.
    HeldOut(usize),
    /// The start of the search, in all other seats.
    Start,
    /// Draws from the mixture of a population, around the member of this number instead of the candidate.
    Member(usize),
    /// A whole table of a population, without the candidate: the number of the strategy in each place, as many as the
    /// table has places.
    Table([u8; MAX_PLAYERS]),
}

/// A range of blocks for one candidate.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    /// The candidate.
    pub point: Point,
    /// The opponents.
    pub field: Field,
    /// The seed of the games.
    pub seed: u64,
    /// The numbers of the blocks.
    pub blocks: Range<u64>,
}

/// The results of blocks.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Evaluation {
    /// The value of each block: the share of a candidate less an equal share, or minus the loss of rules.
    pub values: Vec<f64>,
    /// The measured quantities of each block, a number for each part of the target; empty for agents.
    pub parts: Vec<Vec<f64>>,
}

impl From<Vec<f64>> for Evaluation {
    fn from(values: Vec<f64>) -> Self {
        Self { values, parts: Vec::new() }
    }
}

impl Evaluation {
    /// Appends the results of further blocks.
    pub fn extend(&mut self, more: Self) {
        self.values.extend(more.values);
        self.parts.extend(more.parts);
    }
}

/// An objective that plays candidates.
pub trait Objective: Sync {
    /// Returns the result of each block. It is deterministic: all randomness depends on seed and block alone, so that
    /// candidates meet the same chance.
    ///
    /// # Errors
    /// If the blocks cannot be played.
    fn play(&self, batch: &Batch) -> Result<Evaluation, Error>;

    /// Returns the number of games in a block.
    fn games_per_block(&self) -> u64;

    /// Returns the number of players, which bounds the value of a block.
    fn players(&self) -> usize {
        self.games_per_block() as usize
    }

    /// Returns the standard deviation of a block's value if all agents are equal, before any game is played. It
    /// assumes independent games, each won outright by one seat.
    fn spread(&self) -> f64 {
        let equal = 1.0 / self.players() as f64;
        (equal * (1.0 - equal) / self.games_per_block() as f64).sqrt()
    }
}
