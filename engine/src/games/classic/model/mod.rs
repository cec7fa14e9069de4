//! The parts of the game: the configuration and its tables, the position, and its phases.

pub(super) mod action;
pub(super) mod battle;
pub mod board;
pub(super) mod check;
pub(super) mod config;
pub(super) mod detail;
pub(super) mod gifts;
pub(super) mod legion;
pub(super) mod phase;
pub(super) mod place;
pub(super) mod rows;
pub(super) mod state;
pub(crate) mod treated;
