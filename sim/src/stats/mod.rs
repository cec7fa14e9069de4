//! Statistics of tournaments: pure functions of numbers.
//!
//! The unit of observation is the block, never the game: games of a block share their dice and decks, so they are
//! not independent. See [`interval`] for the formulas.

pub mod confidence_sequence;
pub mod control_variate;
pub mod gsprt;
pub mod interval;
pub mod standings;
pub mod tally;

pub use confidence_sequence::confidence_sequence;
pub use gsprt::{Gsprt, Question, Sides, Verdict};
pub use interval::{Interval, Moments};
pub use standings::{Standing, Standings};
pub use tally::{Range, Tally};
