//! The weights of the evaluation, each with a name that a TOML file can set.

use crate::heuristics::weights::weights;

weights! {
    of "hannibal";
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
