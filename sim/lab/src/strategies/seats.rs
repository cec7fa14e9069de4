//! The seats of a table, independent of any game: they play strategies and return points. The table of a real game
//! implements [`Seats`]; in tests, so does a matrix with a known equilibrium.

use crate::tune::space::Point;
use sim::error::Error;

/// A strategy of a population.
#[derive(Clone, PartialEq, Debug)]
pub enum Strategy {
    /// A point of the search space.
    Point(Point),
    /// An agent that was given beside the space, by its index.
    Given(usize),
}

/// The result of a block: games in which each place takes every seat once.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// The mean points of each place. They add up to one.
    pub points: Vec<f64>,
    /// A number that differs if the games took another course, such as their length.
    pub trace: f64,
}

/// The seats of a table.
pub trait Seats: Sync {
    /// Returns the number of seats.
    fn players(&self) -> usize;

    /// Plays `blocks` with a strategy in each place. It is deterministic: all randomness depends on seed and block
    /// alone. The first place may forfeit if `is_trial`: then it gets no points.
    ///
    /// # Errors
    /// If the blocks cannot be played, or a strategy forfeits that may not.
    fn play(
        &self,
        places: &[Strategy],
        seed: u64,
        blocks: &[u64],
        is_trial: bool,
    ) -> Result<Vec<Block>, Error>;
}
