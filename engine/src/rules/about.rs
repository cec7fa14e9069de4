//! What is known about a game without playing it.

use std::fmt;
use std::ops::RangeInclusive;

use super::source::{BadRules, RuleSource};

/// What is known about a game without playing it.
#[derive(Clone, Debug)]
pub struct About {
    /// The name on the command line.
    pub name: &'static str,
    /// The name of the game for people.
    pub title: &'static str,
    /// Tables that the rules allow.
    pub players: RangeInclusive<usize>,
    /// The table when nothing is said.
    pub default_players: usize,
    /// What players know of a position.
    pub information: Information,
    /// What is random.
    pub chance: Chance,
    /// Where the rules and numbers come from.
    pub provenance: Provenance,
}

impl About {
    /// Refuses a table that the rules do not allow.
    ///
    /// # Errors
    /// If the game is not for `n_players`.
    pub fn check_players(&self, n_players: usize) -> Result<(), BadRules> {
        if self.players.contains(&n_players) {
            return Ok(());
        }
        let (least, most) = (self.players.start(), self.players.end());
        let range = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let message = format!("{} is for {range} players", self.name);
        Err(BadRules { place: RuleSource::Players(n_players), message })
    }
}

/// What players know of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Information {
    /// Everybody sees everything, and one player acts at a time.
    Perfect,
    /// Everybody sees everything, but some choices are made at the same time: which.
    AtOnce(&'static str),
    /// Something is hidden from somebody: a phrase that says what.
    Hidden(&'static str),
}

impl Information {
    /// Whether something is hidden from somebody: if not, a determinization changes nothing, and all seats see the same.
    #[must_use]
    pub const fn is_hidden(self) -> bool {
        matches!(self, Self::Hidden(_))
    }
}

impl fmt::Display for Information {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Perfect => f.write_str("perfect"),
            Self::AtOnce(what) => write!(f, "perfect, {what} at once"),
            Self::Hidden(what) => f.write_str(what),
        }
    }
}

/// What is random in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chance {
    /// Nothing: [`Turn::Chance`](crate::Turn::Chance) never comes up.
    None,
    /// Something: what.
    Of(&'static str),
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Of(what) => what,
        })
    }
}

/// Where the rules and numbers of a game come from, as a phrase for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Provenance {
    /// All of them were published there.
    Published(&'static str),
    /// Some of them had to be chosen to fit what is known, so that results are about these numbers.
    Reconstructed(&'static str),
}

impl Provenance {
    /// Whether results rest on numbers that were chosen to fit.
    #[must_use]
    pub const fn is_reconstructed(self) -> bool {
        matches!(self, Self::Reconstructed(_))
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Published(phrase) | Self::Reconstructed(phrase)) = self;
        f.write_str(phrase)
    }
}
