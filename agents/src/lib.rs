//! Agents: from uniformly random play up.
//!
//! An [`Agent`] sees a game only through a [`View`](engine::View) and draws only from the stream it is given.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod agent;
pub mod random;

pub use agent::Agent;
