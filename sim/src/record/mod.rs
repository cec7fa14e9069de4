//! Records: what a game *was*, in JSON Lines, version `caesar-record/1`.
//!
//! One game is a header line, a line for each event of chance and each ply, full states at the milestones of the
//! game and before the end, and an end line; games stand one after another in a stream. Replaying needs no
//! random numbers. Writing is [`Writer`], reading [`stream::check`].

pub mod analysis;
mod replay;
pub mod stream;
mod write;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

pub use replay::Fault;
pub use write::Writer;

/// The format that is written, and the only one that is read.
pub const FORMAT: &str = "caesar-record/1";

/// The first line of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Format and version, [`FORMAT`].
    pub format: String,
    /// The name of the game.
    pub game: String,
    /// Number of players.
    pub seats: usize,
    /// The overrides of the default rules.
    pub rules: Json,
    /// The canonical spec of the agent in each seat.
    pub agents: Vec<String>,
    /// Run seed and game index, as `42/17`.
    pub seed: String,
}
