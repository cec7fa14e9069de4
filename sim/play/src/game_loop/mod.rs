//! Games between agents, event by event: the one loop (`table`) in which forced moves are made and failures of agents
//! are found, from streams of random numbers that follow from an [`Address`], told to a [`GameObserver`].
//!
//! What a failure means is up to whoever plays: a forfeit ([`crate::play`]), or the end of a study ([`crate::observed_play`]).

mod address;
mod observer;
mod table;

pub use address::{Address, Run, Streams};
pub use observer::GameObserver;
pub(crate) use table::{AgentTable, Break};
pub use table::{guarded, quiet_caught_panics};
