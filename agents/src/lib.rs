//! Agents: from uniformly random play up.
//!
//! An [`Agent`] sees a game only through a [`View`](engine::View) and draws only from the stream it is given.
//! As text an agent is an [`AgentSpec`]; what the tools need of a game beyond its rules is [`Playable`].
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod agent;
pub mod exact;
pub mod external;
pub mod greedy;
pub mod guide;
pub mod heuristics;
pub mod kinds;
pub mod layers;
pub mod mcts;
pub mod param;
pub mod playable;
pub mod presets;
pub mod random;
pub mod spec;

pub use agent::{Agent, Fault, SearchReport, SearchTally};
pub use kinds::Kind;
pub use param::Settings;
pub use playable::{OfGame, Playable};
pub use spec::{AgentSpec, BadSpec};
