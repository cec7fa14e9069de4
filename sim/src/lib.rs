//! Tournaments of agents, records of games and the `caesar` command.

pub mod bounded;
pub mod catalogue;
pub mod changes;
#[cfg(feature = "cli")]
pub mod cli;
pub mod compare;
pub mod config;
pub mod document;
pub mod error;
pub mod event;
pub mod export;
pub mod manifest;
pub mod play;
pub mod record;
#[cfg(feature = "cli")]
pub mod report;
pub mod runner;
pub mod schedule;
pub mod speed;
pub mod stats;
pub mod tournament;
pub mod units;

pub use error::Error;
