//! The parts of the game: the configuration and its tables, cards and units, the position, and its phases.

pub(super) mod action;
pub(super) mod battle;
pub mod board;
pub mod cards;
pub(super) mod check;
pub(super) mod config;
pub(super) mod counts;
pub(super) mod detail;
pub(crate) mod digest;
pub(super) mod log;
pub(super) mod options;
pub(super) mod packed;
pub(super) mod phase;
pub(super) mod place;
pub(super) mod reader;
pub(super) mod state;
pub(crate) mod sweeps;
mod takes;
pub(crate) mod treated;
pub(crate) mod treatments;

pub use crate::games::shared::units;
