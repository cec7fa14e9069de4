//! The choice of a player or the outcome of chance: a word and small numbers.

use crate::data::data;
use crate::games::shared::dice::Roll;

/// The word of an action, or the kind of a chance outcome.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the words are those of the decision protocol")]
pub enum Verb {
    Claim,
    /// Two pieces, each a kind (0 infantry, 1 general) and a province.
    PlacePair,
    PlaceOne,
    Sail,
    Convoy,
    Board,
    March,
    Done,
    To,
    Count,
    Attack,
    Retreat,
    Stay,
    Crown,
    /// A seat, and the index of the offer.
    Ransom,
    Exchange,
    Accept,
    Refuse,
    Raze,
    BuyCity,
    BuyFort,
    BuyRoad,
    /// A unit and a province.
    BuyUnit,
    /// Chance: numbers of dice that show infantry, cavalry, catapult, galley, blank.
    Dice,
    /// Chance: the face of the die that may end the game.
    EndDie,
}

data!(
    enum Verb {
        Claim,
        PlacePair,
        PlaceOne,
        Sail,
        Convoy,
        Board,
        March,
        Done,
        To,
        Count,
        Attack,
        Retreat,
        Stay,
        Crown,
        Ransom,
        Exchange,
        Accept,
        Refuse,
        Raze,
        BuyCity,
        BuyFort,
        BuyRoad,
        BuyUnit,
        Dice,
        EndDie,
    }
);

/// A choice of a player or an outcome of chance: a word and up to five small numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action {
    pub(crate) verb: Verb,
    pub(crate) args: [u8; 5],
}

impl Action {
    pub(crate) const fn plain(verb: Verb) -> Self {
        Self { verb, args: [0; 5] }
    }

    pub(crate) const fn with(verb: Verb, arg: u8) -> Self {
        Self { verb, args: [arg, 0, 0, 0, 0] }
    }

    pub(crate) const fn pair(verb: Verb, a: u8, b: u8) -> Self {
        Self { verb, args: [a, b, 0, 0, 0] }
    }

    pub(crate) const fn dice(roll: Roll) -> Self {
        Self { verb: Verb::Dice, args: roll }
    }

    /// Returns the word of the action.
    #[must_use]
    pub const fn verb(self) -> Verb {
        self.verb
    }

    /// Returns the first number: a place, seat, unit or count.
    #[must_use]
    pub const fn arg(self) -> u8 {
        self.args[0]
    }

    /// Returns all numbers.
    #[must_use]
    pub const fn args(self) -> [u8; 5] {
        self.args
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_is_small() {
        assert!(size_of::<Action>() <= 8);
    }
}
