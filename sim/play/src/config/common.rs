//! Options that many commands share, each declared once: an option, a word of the printed command, and a manifest key.

use serde::{Deserialize, Serialize};

use super::DEFAULT_GAME;
use super::numbers::seats;

/// A game and the size of its table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::Args)]
pub struct Played {
    /// Game [default: conquest2]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long)]
    pub game: Option<String>,
    /// Number of players [default: the game's]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = seats)]
    pub players: Option<usize>,
}

impl Played {
    /// Returns this game with `players` players.
    #[must_use]
    pub fn new(game: &str, players: usize) -> Self {
        Self { game: Some(game.to_owned()), players: Some(players) }
    }

    /// Returns the name of the game, by default the usual one.
    #[must_use]
    pub fn name(&self) -> &str {
        self.game.as_deref().unwrap_or(DEFAULT_GAME)
    }
}

/// A rules file and settings over it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::Args)]
pub struct RuleSet {
    /// Rules file (TOML) that overrides the default rules
    #[serde(rename = "rules", skip_serializing_if = "Option::is_none")]
    #[arg(long = "rules", id = "rules", value_name = "FILE")]
    pub file: Option<String>,
    /// Change one rule, as in options.rounds=5 (repeatable)
    #[serde(rename = "set", default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long = "set", id = "set", value_name = "KEY=VALUE")]
    pub settings: Vec<String>,
}

impl RuleSet {
    /// Returns whether no rule changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Replaces the help of the option `id` in one command.
pub fn helped(id: &'static str, help: &'static str) -> impl FnMut(clap::Arg) -> clap::Arg {
    move |arg| if arg.get_id() == id { arg.help(help) } else { arg }
}
