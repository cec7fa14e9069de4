//! The weights of the evaluation, each with a name that a TOML file can set.

use crate::heuristics::conquest2::weights::{read_weights, weights};

weights! {
    /// A legion.
    legion = 1.0,
    /// Hannibal, in legions.
    hannibal = 1.6,
    /// A fleet, up to three.
    fleet = 0.5,
    /// The mean value of the cards in the hand, per point.
    hand = 0.25,
    /// A legion in a group of the domination list.
    group = 0.7,
    /// All groups of the list but one.
    almost = 0.8,
    /// A group without a legion, divided by the turns to reach it.
    approach = 0.4,
    /// The enemy capital, divided by the square of the turns to reach it.
    march = 1.5,
    /// What the enemy could win with at once if the mover did nothing.
    threat = 4.0,
    /// To be the one who moves.
    tempo = 0.3,
    /// A game that is won.
    win = 20.0,
    /// Lead that multiplies the odds to win by e.
    swing = 0.6,
}

impl Weights {
    /// These weights with the values of a TOML document over them.
    ///
    /// # Errors
    /// If the text is not TOML, names no weight, or gives something that is no number; with the line.
    pub fn overlay(self, text: &str) -> Result<Self, String> {
        let mut weights = self;
        read_weights("hannibal", Self::ALL, text, |name, value| weights.set(name, value))?;
        Ok(weights)
    }
}
