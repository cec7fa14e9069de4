//! The statistics of a run: observers of its games that count for [`stats`], which is re-exported here.
//!
//! [`standings`] is the table of a tournament. [`relations`] compares agents with each other: ratings, the cross table,
//! cycles, equilibria.

pub mod copies;
pub mod luck;
pub mod relations;
pub mod standing;
pub mod standings;

pub use ::stats::*;
pub use relations::Relations;
pub use standing::{Next, Standing};
pub use standings::Standings;
