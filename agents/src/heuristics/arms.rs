//! The words for fighting units in the games on the map of the empire, and the size limit of a question.

use engine::games::conquest2::units::N_MILITARY;

use crate::odds::Word;

/// Maximum number of units of a side in a question about battle odds.
pub(super) const MOST_UNITS: usize = 60;

/// The words for the units, in canonical order.
pub(super) const MILITARY: [Word; N_MILITARY] = [
    Word::many("infantry", "infantry", "i"),
    Word::many("cavalry", "cavalry", "c"),
    Word::many("catapult", "catapults", "k"),
    Word::many("galley", "galleys", "g"),
];
