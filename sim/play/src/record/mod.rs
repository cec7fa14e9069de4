//! Records of games, in JSON Lines, version `caesar-record/1`.
//!
//! The record of one game begins with a header line and ends with an end line. Between them is a line for each chance
//! event and each ply, and full states at the milestones of the game and before the end. A game that began at a position
//! made by hand has that position below its header. Games follow each other in a stream. Replay needs no random numbers. [`Writer`] writes records; [`stream::check`] reads them.

pub mod analysis;
mod entry;
pub(crate) mod listener;
pub(crate) mod live_narration;
pub mod narration;
pub mod page_replay;
mod replay;
pub mod stream;
mod write;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

pub use replay::Fault;
pub(crate) use replay::replay_lines;
pub use write::Writer;

/// The record of one game: its text with its checksum, or only the checksum if it was read from a row of `games.csv`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    text: Option<String>,
    check: u64,
}

impl Record {
    /// Returns the record with this text.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self { check: checksum(text.as_bytes()), text: Some(text) }
    }

    /// Returns a record of which only the checksum is known.
    #[must_use]
    pub const fn known_by(check: u64) -> Self {
        Self { text: None, check }
    }

    /// Returns the text; `None` if only its checksum is known.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Returns the [`checksum`] of the text.
    #[must_use]
    pub const fn check(&self) -> u64 {
        self.check
    }
}

/// Returns the first eight bytes of the BLAKE3 hash of a record, from its header to the end of its last line.
#[must_use]
pub fn checksum(text: &[u8]) -> u64 {
    let mut first = [0; 8];
    first.copy_from_slice(&blake3::hash(text).as_bytes()[..8]);
    u64::from_be_bytes(first)
}

/// The only format that is written and read.
pub const FORMAT: &str = "caesar-record/1";

/// The header of a game's record, its first line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Format and version, [`FORMAT`].
    pub format: String,
    /// The name of the game.
    pub game: String,
    /// The number of players.
    pub seats: usize,
    /// The overrides of the default rules.
    pub rules: Json,
    /// The canonical spec of the agent in each seat.
    pub agents: Vec<String>,
    /// The run seed and the game index, as `42/17`.
    pub seed: String,
}
