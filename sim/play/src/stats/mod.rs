//! The statistics of a run: those who listen to its games and count for [`stats`], which is all here under one
//! name. [`relations`] compares agents with each other: ratings, the cross table, cycles, equilibria.

pub mod copies;
pub mod luck;
pub mod relations;
pub mod standing;
pub mod standings;

pub use ::stats::*;
pub use relations::Relations;
pub use standing::{Next, Standing};
pub use standings::Standings;
