//! The seats of a table, independent of any game: they play strategies and return points. The table of a real game
//! implements [`Seats`]; in tests, so does a matrix with a known equilibrium.

use std::collections::{BTreeMap, BTreeSet};

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

/// A thing that players can take, or a place that they can hold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Thing {
    /// The kind: a noun, of a market or of places in the plural.
    pub kind: &'static str,
    /// The name.
    pub name: String,
}

/// A game that was watched, by place at the table.
#[derive(Clone, PartialEq, Debug)]
pub struct WatchedGame {
    /// The number of its block.
    pub block: u64,
    /// The number of the game in its block.
    pub turn: usize,
    /// The points of each place.
    pub points: Vec<f64>,
    /// Things that the game offered, with the places that took or held them.
    pub things: BTreeMap<Thing, BTreeSet<usize>>,
    /// Numbers at the end of the game, by name, then by place.
    pub ends: Vec<(&'static str, Vec<f64>)>,
    /// Means over the game, by kind and name, then by place.
    pub means: BTreeMap<Thing, Vec<f64>>,
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

    /// Plays `blocks` as [`Self::play`] does, and returns what happened in each game, block by block. Seats without
    /// things, such as those of a matrix, return no games.
    ///
    /// # Errors
    /// As for [`Self::play`].
    fn watch(
        &self,
        _places: &[Strategy],
        _seed: u64,
        _blocks: &[u64],
        _is_trial: bool,
    ) -> Result<Vec<WatchedGame>, Error> {
        Ok(Vec::new())
    }

    /// Plays a game of [`Self::watch`] again and returns its record; seats without records return nothing.
    ///
    /// # Errors
    /// As for [`Self::play`].
    fn record(
        &self,
        _places: &[Strategy],
        _seed: u64,
        _block: u64,
        _turn: usize,
    ) -> Result<Option<String>, Error> {
        Ok(None)
    }
}
