//! The options that many commands have in common, each declared once: as an option of the command, in the command that
//! is printed, and as a key of the manifest.

use serde::{Deserialize, Serialize};

use super::DEFAULT_GAME;
use super::numbers::seats;

/// A game and the size of its table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::Args)]
pub struct Played {
    /// The game [default: conquest2]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long)]
    pub game: Option<String>,
    /// Number of players [default: that of the game]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = seats)]
    pub players: Option<usize>,
}

impl Played {
    /// This game with so many players.
    #[must_use]
    pub fn new(game: &str, players: usize) -> Self {
        Self { game: Some(game.to_owned()), players: Some(players) }
    }

    /// The name of the game, which is the usual one if none is given.
    #[must_use]
    pub fn name(&self) -> &str {
        self.game.as_deref().unwrap_or(DEFAULT_GAME)
    }
}

/// A rules file and settings over it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::Args)]
pub struct RuleSet {
    /// Rules file (TOML) over the default rules
    #[serde(rename = "rules", skip_serializing_if = "Option::is_none")]
    #[arg(long = "rules", id = "rules", value_name = "FILE")]
    pub file: Option<String>,
    /// Change one rule, as in options.rounds=5 (repeatable)
    #[serde(rename = "set", default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long = "set", id = "set", value_name = "KEY=VALUE")]
    pub settings: Vec<String>,
}

impl RuleSet {
    /// Whether it changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Gives the option `id` another help in one command.
pub fn helped(id: &'static str, help: &'static str) -> impl FnMut(clap::Arg) -> clap::Arg {
    move |arg| if arg.get_id() == id { arg.help(help) } else { arg }
}
