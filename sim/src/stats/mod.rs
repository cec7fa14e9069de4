//! Statistics of tournaments: pure functions of numbers.
//!
//! The unit of observation is the block, never the game: games of a block share their dice and decks, so they are
//! not independent. See [`interval`] for the formulas.

pub mod interval;
pub mod standings;

pub use interval::{Interval, Moments};
pub use standings::{Standing, Standings};
