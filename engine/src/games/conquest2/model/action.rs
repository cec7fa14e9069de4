//! What a player chooses or chance brings: a word and small numbers.

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
    /// Chance: how many dice show infantry, cavalry, catapult, galley, blank.
    Dice,
    /// Chance: a Senator of value 0 to 3 (for I to IV).
    Senator,
}

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

    pub(crate) const fn amount(steps: u16) -> Self {
        let [low, high] = steps.to_le_bytes();
        Self::pair(Verb::Amount, low, high)
    }

    pub(crate) const fn show(senators: [u8; 4]) -> Self {
        let [a, b, c, d] = senators;
        Self { verb: Verb::Show, args: [a, b, c, d, 0] }
    }

    /// Steps of a bid.
    pub(crate) const fn steps(self) -> u16 {
        u16::from_le_bytes([self.args[0], self.args[1]])
    }

    pub(crate) const fn senators(self) -> [u8; 4] {
        let [a, b, c, d, _] = self.args;
        [a, b, c, d]
    }

    /// What the action says.
    #[must_use]
    pub const fn verb(self) -> Verb {
        self.verb
    }

    /// Its first number: a place, seat, card or count.
    #[must_use]
    pub const fn arg(self) -> u8 {
        self.args[0]
    }

    /// All its numbers.
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
}
