//! What is due in a position.

/// What is due: a decision, an event of chance, or nothing any more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Phase {
    /// A province is claimed (2.4).
    Claim,
    /// Two pieces are placed, or the last (2.5).
    Place,
    /// The menu of movement, or of a later wave (5).
    Move,
    /// How many galleys sail.
    SailCount,
    /// Where those who board go.
    BoardTo,
    /// How many of a kind go along in a group.
    Group,
    /// Who is attacked at sea (6.1).
    Attack,
    /// Chance: a roll in a naval battle (6.2).
    NavalDice,
    /// How many of a type are in the legion (7.3).
    Legion,
    /// Chance: a roll in a land battle (7.4).
    Dice,
    /// How many of a type are lost (7.4).
    Losses,
    /// Whether a side retreats (7.5).
    Retreat,
    /// Chance: the roll of a pursuit (7.7).
    Pursuit,
    /// How many of a type are lost to it.
    PursuitLosses,
    /// How many fallen generals become captives (8.1).
    Keep,
    /// Who becomes caesar (8.3).
    Crown,
    /// The menu of captives, destroying and buying (11).
    Market,
    /// Whether a captor takes what he is offered (11.3).
    Answer,
    /// How many units are bought (11.7).
    Buy,
    /// Chance: the die that may end the game (13.1).
    EndDie,
    /// Nothing.
    Over,
}

impl Phase {
    /// Whether chance acts.
    #[inline]
    #[must_use]
    pub const fn is_chance(self) -> bool {
        matches!(self, Self::NavalDice | Self::Dice | Self::Pursuit | Self::EndDie)
    }

    /// Whether the options are rows of pairs, which are listed anew where they are needed.
    #[inline]
    #[must_use]
    pub(crate) const fn is_menu(self) -> bool {
        matches!(self, Self::Move | Self::Attack | Self::Market)
    }
}
