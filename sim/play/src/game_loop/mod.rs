//! The game loop: games between agents, event by event, reported to a [`GameObserver`].
//!
//! The only loop is in `table`. It plays forced moves and detects failures of agents. Random numbers come from streams
//! that follow from an [`Address`]. The caller decides the effect of a failure: a forfeit ([`crate::play`]), or the end
//! of a study ([`crate::observed_play`]).

mod address;
mod observer;
mod table;

pub use address::{Address, Run, Streams};
pub use observer::GameObserver;
pub(crate) use table::{AgentTable, Break};
pub use table::{guarded, quiet_caught_panics};
