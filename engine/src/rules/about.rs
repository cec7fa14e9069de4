//! Facts about a game that need no play.

use std::fmt;
use std::ops::RangeInclusive;

use super::source::{BadRules, RuleSource};

/// Facts about a game that need no play.
#[derive(Clone, Debug)]
pub struct About {
    /// The name on the command line.
    pub name: &'static str,
    /// The name of the game for people.
    pub title: &'static str,
    /// Numbers of players that the rules allow.
    pub players: RangeInclusive<usize>,
    /// The number of players by default.
    pub default_players: usize,
    /// The information of players about a position.
    pub information: Information,
    /// The random elements.
    pub chance: Chance,
    /// The source of the rules and numbers.
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

/// The information of players about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Information {
    /// All players see everything, and one player acts at a time.
    Perfect,
    /// All players see everything, but they make some choices at the same time; the phrase names these.
    AtOnce(&'static str),
    /// Something is hidden from some player; the phrase names it.
    Hidden(&'static str),
}

impl Information {
    /// Returns whether something is hidden from some player. If not, a determinization changes nothing, and all seats
    /// see the same.
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

/// The random elements of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chance {
    /// None: [`Turn::Chance`](crate::Turn::Chance) never comes up.
    None,
    /// Some; the phrase names them.
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

/// The source of the rules and numbers of a game, as a phrase for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Provenance {
    /// All of them were published there.
    Published(&'static str),
    /// Some of them had to be chosen to fit the published facts, so that results are about these numbers.
    Reconstructed(&'static str),
}

impl Provenance {
    /// Returns whether results rest on numbers that were chosen to fit.
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
