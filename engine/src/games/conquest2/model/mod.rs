//! What there is: the configuration and its tables, cards and units, the position, what can be due in it.

pub mod board;
pub mod cards;
pub(super) mod check;
pub(super) mod config;
mod digest;
pub(super) mod packed;
pub(super) mod phase;
pub(super) mod state;
pub mod units;
