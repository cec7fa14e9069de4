//! The contract of a game that is built from a rules configuration.

use crate::rules::{About, BadRules, Rules};
use crate::treatable::Treatable;

/// A game that is built from a rules configuration, whose keys are those of its default document and of its treatments.
pub trait Configure: Treatable {
    /// Returns the facts about the game.
    fn about() -> About;

    /// Returns the default configuration as a TOML document with comments; it has every key except those of treatments.
    fn default_rules() -> &'static str;

    /// Builds the game for `n_players`.
    ///
    /// # Errors
    /// If a value is out of range, or values contradict each other.
    fn configure(n_players: usize, rules: &Rules) -> Result<Self, BadRules>;
}
