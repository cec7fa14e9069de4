//! The dynamics of a game: its course from equal chances to a result, and the causes of the result.
//!
//! Games with one agent in all seats are observed ([`sim::observed_play`]). Figures that rest on win probabilities use
//! a [`WinModel`](sim::win_model::WinModel), fitted to other games of the same agents. They are withheld if the model
//! fails its audit ([`sim::win_model::audit`]). The unit of every interval is a game, since games have independent
//! deals.

pub mod choices;
pub mod explain;
pub mod fans;
pub mod figures;
pub mod findings;
pub mod manifest;
pub mod mix;
pub mod probe;
pub mod recorded;
pub mod request;
pub mod restricted;
mod results;
pub mod rows;
pub mod seen;
pub mod skill;
pub mod streams;
pub mod study;
pub mod treated;
