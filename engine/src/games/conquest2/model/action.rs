//! The choice of a player or the outcome of chance: a word and small numbers.

use crate::data::data;
use crate::games::conquest2::model::cards::Vote;
use crate::player::{MAX_PLAYERS, Player};

/// The word of an action, or the kind of a chance outcome.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the words are those of the decision protocol")]
pub enum Verb {
    Pass,
    Bid,
    Propose,
    Amount,
    PlaceCaesar,
    PlaceGeneral,
    PlaceGalley,
    Count,
    Take,
    Recruit,
    Buy,
    Tax,
    Move,
    Battle,
    Sail,
    PassAction,
    Use,
    End,
    Card,
    In,
    Source,
    Stop,
    From,
    FromZone,
    To,
    ToZone,
    Done,
    Against,
    Target,
    Attack,
    NoAttack,
    Retreat,
    Stay,
    Withdraw,
    WindYes,
    WindNo,
    Merchant,
    AssassinGeneral,
    AssassinSenator,
    Loot,
    Vote,
    Show,
    /// Chance: the seat of the first player.
    First,
    /// Chance: a token, by key province.
    Token,
    /// Chance: a card.
    Drawn,
    /// Chance: numbers of dice that show infantry, cavalry, catapult, galley, blank.
    Dice,
    /// Chance: a Senator of value 0 to 3 (for I to IV).
    Senator,
    /// Chance: a number of the null treatment.
    Null,
}

/// The seller of a token of influence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// A province token.
    Board,
    /// A token of a player.
    Seat(Player),
}

data!(
    enum Source {
        Board,
        Seat(seat),
    }
);

impl Source {
    /// All sources in their order: the board, then the seats.
    pub const ALL: [Self; 1 + MAX_PLAYERS] = {
        let mut all = [Self::Board; 1 + MAX_PLAYERS];
        let mut seat = 0;
        while seat < MAX_PLAYERS {
            all[1 + seat] = Self::Seat(Player::new(seat));
            seat += 1;
        }
        all
    };

    /// Returns the source with this number.
    ///
    /// # Panics
    /// If no source has it.
    #[inline]
    #[must_use]
    pub const fn of(number: u8) -> Self {
        match number.checked_sub(1) {
            None => Self::Board,
            Some(seat) => Self::Seat(Player::of(seat)),
        }
    }

    /// Returns the number of the source, which is its bit among the options: 0 for the board, 1 and up for seats.
    #[inline]
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Board => 0,
            Self::Seat(player) => 1 + player.number(),
        }
    }
}

/// A choice of a player or an outcome of chance: a word and up to five small numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action {
    pub(crate) verb: Verb,
    pub(crate) args: [u8; 5],
}

/// The number for an empty box of a proposal.
pub(crate) const NOBODY: u8 = u8::MAX;

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

    pub(crate) const fn amount(steps: u16) -> Self {
        let [low, high] = steps.to_le_bytes();
        Self::pair(Verb::Amount, low, high)
    }

    pub(crate) const fn show(senators: [u8; 4]) -> Self {
        let [a, b, c, d] = senators;
        Self { verb: Verb::Show, args: [a, b, c, d, 0] }
    }

    /// Returns the number of steps of a bid.
    pub(crate) const fn steps(self) -> u16 {
        u16::from_le_bytes([self.args[0], self.args[1]])
    }

    pub(crate) const fn senators(self) -> [u8; 4] {
        let [a, b, c, d, _] = self.args;
        [a, b, c, d]
    }

    /// Returns the seats in two boxes of an alliance auction, an empty box as [`NOBODY`].
    pub(crate) fn propose(boxes: [Option<Player>; 2]) -> Self {
        let [a, b] = boxes.map(|seat| seat.map_or(NOBODY, Player::number));
        Self::pair(Verb::Propose, a, b)
    }

    /// Returns the two boxes of a proposal.
    pub(crate) fn boxes(self) -> [Option<Player>; 2] {
        let seat = |number: u8| (number != NOBODY).then(|| Player::of(number));
        [seat(self.args[0]), seat(self.args[1])]
    }

    /// Returns the first number as a seat.
    #[inline]
    pub(crate) const fn player(self) -> Player {
        Player::of(self.args[0])
    }

    /// Returns the Senate Vote that the action calls, or `None`.
    #[must_use]
    pub fn vote(self) -> Option<Vote> {
        (self.verb == Verb::Vote).then(|| Vote::ALL[usize::from(self.args[0])])
    }

    /// Returns the word of the action.
    #[must_use]
    pub const fn verb(self) -> Verb {
        self.verb
    }

    /// Returns the first number: a place, seat, card or count.
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
        assert_eq!(Action::amount(1234).steps(), 1234);
    }

    #[test]
    fn sources_and_boxes_come_back() {
        assert_eq!((size_of::<Source>(), size_of::<Option<Source>>()), (1, 1));
        for (number, source) in Source::ALL.into_iter().enumerate() {
            assert_eq!((usize::from(source.number()), Source::of(number as u8)), (number, source));
        }
        let boxes = [Some(Player::new(3)), None];
        assert_eq!(Action::propose(boxes).boxes(), boxes);
    }
}
