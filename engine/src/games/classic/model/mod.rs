//! What there is: the configuration and its tables, the position, what can be due in it.

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
