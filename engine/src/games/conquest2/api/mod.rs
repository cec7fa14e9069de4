//! The interface for agents: readers of a position, of the decision that is due, and of battles.

mod changes;
pub(super) mod combat;
mod decision;
mod length;
mod macro_actions;
mod numbers;
pub(super) mod read;
