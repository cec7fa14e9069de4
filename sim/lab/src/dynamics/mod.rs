//! The arc of a game: how it goes from equal chances to a result, and what of it is whose doing.
//!
//! Games of one agent in all seats are watched ([`sim::observed_play`]). What rests on chances to win comes from a
//! [`WinModel`](sim::win_model::WinModel) fitted to other games of the same agents, and is not told where that model
//! cannot be believed ([`sim::win_model::audit`]). The unit of every interval is a game, since games are dealt apart.

pub mod choices;
pub mod fans;
pub mod figures;
pub mod findings;
pub mod manifest;
pub mod mix;
pub mod probe;
pub mod recorded;
pub mod request;
pub mod restricted;
pub mod rows;
pub mod seen;
pub mod skill;
pub mod streams;
pub mod study;
mod told;
pub mod treated;
