//! The contract of a game that is built from a rules configuration.

use crate::rules::{About, BadRules, Rules};
use crate::treatable::Treatable;

/// A game that is built from a rules configuration: the keys are those of its default document and of its treatments.
pub trait Configure: Treatable {
    /// The facts about the game.
    fn about() -> About;

    /// The default configuration as a TOML document with comments; its keys are all the keys there are beside treatments.
    fn default_rules() -> &'static str;

    /// Builds the game for `n_players`.
    ///
    /// # Errors
    /// If a value is out of range, or values contradict each other.
    fn configure(n_players: usize, rules: &Rules) -> Result<Self, BadRules>;
}
