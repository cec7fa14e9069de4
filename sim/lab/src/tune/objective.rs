//! Where candidates are played, whatever a game is: [`Objective`]. The table of a real game is one, a coin that knows its
//! best point another.

use std::ops::Range;

use super::space::Point;
use sim::error::Error;

/// Whom a candidate meets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Field {
    /// The pool of opponents.
    Pool,
    /// One opponent that was held out, by its number.
    HeldOut(usize),
    /// The point at which the search started, in all other seats.
    Start,
}

/// Blocks that one candidate plays.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    /// The candidate.
    pub point: Point,
    /// Whom it meets.
    pub field: Field,
    /// The seed of the games.
    pub seed: u64,
    /// The numbers of the blocks.
    pub blocks: Range<u64>,
}

/// What blocks came to.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Evaluation {
    /// The value of each block: the share of the points of a candidate less an equal share, or minus the loss of rules.
    pub values: Vec<f64>,
    /// Of rules, what each block was measured to have, a number for each part of the target; else nothing.
    pub parts: Vec<Vec<f64>>,
}

impl From<Vec<f64>> for Evaluation {
    fn from(values: Vec<f64>) -> Self {
        Self { values, parts: Vec::new() }
    }
}

impl Evaluation {
    /// This and then what came of further blocks.
    pub fn extend(&mut self, more: Self) {
        self.values.extend(more.values);
        self.parts.extend(more.parts);
    }
}

/// Where candidates are played.
pub trait Objective: Sync {
    /// What each block comes to. The same whenever it is asked again, and all that is random depends on seed and block
    /// alone, so that candidates meet the same chance.
    ///
    /// # Errors
    /// If it cannot be played.
    fn play(&self, batch: &Batch) -> Result<Evaluation, Error>;

    /// Games of a block.
    fn games_per_block(&self) -> u64;

    /// The number of players, which tells how much a block can come to.
    fn players(&self) -> usize {
        self.games_per_block() as usize
    }

    /// The standard deviation of the value of a block where all play alike, before any game is played: that of games
    /// which somebody wins outright, each independent of the others.
    fn spread(&self) -> f64 {
        let equal = 1.0 / self.players() as f64;
        (equal * (1.0 - equal) / self.games_per_block() as f64).sqrt()
    }
}
