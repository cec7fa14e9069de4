//! Records of games beside their rows: the manifest names the file, and every row has the checksum of its record.

use std::io::{self, Write};

use super::Exporter;
use crate::event::GameResult;

/// The default name of the file.
pub const FILE: &str = "records.jsonl";

/// A writer of the text of each game's record.
#[derive(Clone, Copy, Default, Debug)]
pub struct Records;

impl Exporter for Records {
    fn game(&mut self, game: &GameResult, out: &mut dyn Write) -> io::Result<()> {
        match game.record.as_ref().and_then(|record| record.text()) {
            Some(text) => out.write_all(text.as_bytes()),
            None => Ok(()),
        }
    }
}
