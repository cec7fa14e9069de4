//! Positions made by hand: the document `caesar-position/1`, which says where games begin.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::record::Header;

/// The only format that is written and read.
pub const FORMAT: &str = "caesar-position/1";

/// A position of a game under its rules, hidden parts included.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Format and version, [`FORMAT`].
    pub format: String,
    /// The name of the game.
    pub game: String,
    /// The number of players.
    pub seats: usize,
    /// The overrides of the default rules.
    pub rules: Json,
    /// The state, with all its parts by name.
    pub state: Json,
}

impl Position {
    /// Returns whether `text` is meant as such a document, rather than as records.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        let first = text.trim_start().split_once(',').map_or(text, |(first, _)| first);
        first.contains("caesar-position/")
    }

    /// Reads a document. The state is not looked at: its game does that.
    ///
    /// # Errors
    /// If it is none, or one of another format: the message gives the reason.
    pub fn read(text: &str) -> Result<Self, String> {
        let json: Json =
            serde_json::from_str(text).map_err(|e| format!("no position in JSON: {e}"))?;
        if json["format"] != FORMAT {
            return Err(format!("unknown format {} (this reads \"{FORMAT}\")", json["format"]));
        }
        let position: Self =
            serde_json::from_value(json).map_err(|e| format!("no {FORMAT}: {e}"))?;
        for (name, part) in [("rules", &position.rules), ("state", &position.state)] {
            if !part.is_object() {
                return Err(format!("{name}: {part} stands where an object is expected"));
            }
        }
        Ok(position)
    }

    /// Returns the document, with a line for each part of the state.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { format, game, seats, rules, state } = self;
        let (format, game) = (Json::from(format.as_str()), Json::from(game.as_str()));
        let mut text = format!(
            "{{\n  \"format\": {format},\n  \"game\": {game},\n  \"seats\": {seats},\n  \"rules\": {rules},\n  \"state\": {{\n"
        );
        let parts: Vec<String> = state.as_object().map_or_else(Vec::new, |parts| {
            parts
                .iter()
                .map(|(key, part)| format!("    {}: {part}", Json::from(key.as_str())))
                .collect()
        });
        text += &parts.join(",\n");
        text += "\n  }\n}\n";
        text
    }

    /// Returns the header of a record that begins here.
    pub(crate) fn header(&self) -> Header {
        Header {
            format: crate::record::FORMAT.to_owned(),
            game: self.game.clone(),
            seats: self.seats,
            rules: self.rules.clone(),
            agents: Vec::new(),
            seed: "0/0".to_owned(),
        }
    }

    /// Returns the line of a record below its header.
    pub(crate) fn line(&self) -> String {
        serde_json::json!({ "position": self.state }).to_string()
    }
}
