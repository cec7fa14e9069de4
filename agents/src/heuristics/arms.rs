//! The words of the units that fight in the games on the map of the empire, and how many of them a question may name.

use engine::games::conquest2::units::N_MILITARY;

use crate::odds::Word;

/// Units of a side at most, where somebody asks for the odds of a battle.
pub(super) const MOST_UNITS: usize = 60;

/// Their words, in canonical order.
pub(super) const MILITARY: [Word; N_MILITARY] = [
    Word::many("infantry", "infantry", "i"),
    Word::many("cavalry", "cavalry", "c"),
    Word::many("catapult", "catapults", "k"),
    Word::many("galley", "galleys", "g"),
];
