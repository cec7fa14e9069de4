//! The phase of a position: the decision or event of chance that is due.

use crate::data::data;

/// The phase: a decision, an event of chance, or the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Phase {
    /// The claim of a province (2.4).
    Claim,
    /// The placing of two pieces, or of the last (2.5).
    Place,
    /// The menu of movement, or of a later wave (5).
    Move,
    /// Number of galleys that sail.
    SailCount,
    /// The goal of a boarding group.
    BoardTo,
    /// Number of a kind that go along in a group.
    Group,
    /// The player attacked at sea (6.1).
    Attack,
    /// Chance: a roll in a naval battle (6.2).
    NavalDice,
    /// Number of a type in the legion (7.3).
    Legion,
    /// Chance: a roll in a land battle (7.4).
    Dice,
    /// Number of lost troops of a type (7.4).
    Losses,
    /// The decision of a side to retreat (7.5).
    Retreat,
    /// Chance: the roll of a pursuit (7.7).
    Pursuit,
    /// Number of troops of a type lost to a pursuit.
    PursuitLosses,
    /// Number of fallen generals that become captives (8.1).
    Keep,
    /// The general who becomes caesar (8.3).
    Crown,
    /// The menu of captives, destroying and buying (11).
    Market,
    /// The captor's answer to an offer (11.3).
    Answer,
    /// Number of units that are bought (11.7).
    Buy,
    /// Chance: the die that may end the game (13.1).
    EndDie,
    /// The game is over.
    Over,
}

data!(
    enum Phase {
        Claim,
        Place,
        Move,
        SailCount,
        BoardTo,
        Group,
        Attack,
        NavalDice,
        Legion,
        Dice,
        Losses,
        Retreat,
        Pursuit,
        PursuitLosses,
        Keep,
        Crown,
        Market,
        Answer,
        Buy,
        EndDie,
        Over,
    }
);

impl Phase {
    /// Returns whether chance acts.
    #[inline]
    #[must_use]
    pub const fn is_chance(self) -> bool {
        matches!(self, Self::NavalDice | Self::Dice | Self::Pursuit | Self::EndDie)
    }

    /// Returns whether the options are rows of pairs, which are listed anew at each use.
    #[inline]
    #[must_use]
    pub(crate) const fn is_menu(self) -> bool {
        matches!(self, Self::Move | Self::Attack | Self::Market)
    }
}
