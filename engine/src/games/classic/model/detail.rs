//! What the action under way has chosen so far.

use crate::games::classic::model::place::Place;
use crate::games::shared::units::Unit;
use crate::player::Player;

/// Kinds that are counted for a group.
pub(crate) const N_KINDS: usize = 5;

/// What is counted for a group, in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Generals.
    General,
    /// The caesar.
    Caesar,
    /// Infantry.
    Infantry,
    /// Cavalry.
    Cavalry,
    /// Catapults.
    Catapult,
}

impl Kind {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Self; N_KINDS] =
        [Self::General, Self::Caesar, Self::Infantry, Self::Cavalry, Self::Catapult];
}

/// How a group goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Way {
    /// Aboard since before this turn, to another zone or ashore.
    Convoy,
    /// From a province aboard, or over the sea.
    Board,
    /// Over land.
    March,
}

/// A group whose members are counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Group {
    /// How it goes.
    pub way: Way,
    /// Whence.
    pub from: Place,
    /// The zone of those who board.
    pub(crate) zone: Place,
    /// Where to.
    pub to: Place,
    /// The count that is due, as an index of [`Kind::ALL`].
    pub(crate) due: u8,
    /// The counts before it.
    pub(crate) counts: [u8; N_KINDS],
}

impl Group {
    /// A group of which nobody is counted yet.
    pub(crate) const fn new(way: Way, from: Place, zone: Place, to: Place) -> Self {
        Self { way, from, zone, to, due: 0, counts: [0; N_KINDS] }
    }

    /// The kind whose count is due.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        Kind::ALL[self.due as usize]
    }

    /// The counts so far, by [`Kind`].
    #[must_use]
    pub const fn counts(&self) -> [u8; N_KINDS] {
        self.counts
    }

    pub(crate) const fn leaders(&self) -> u8 {
        self.counts[0] + self.counts[1]
    }

    pub(crate) const fn troops(&self) -> u8 {
        self.counts[2] + self.counts[3] + self.counts[4]
    }
}

/// What the action under way has chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) enum Detail {
    /// Nothing.
    #[default]
    Nothing,
    /// Galleys sail.
    Sail {
        from: Place,
        to: Place,
    },
    /// Somebody boards.
    Board {
        from: Place,
        zone: Place,
    },
    Group(Group),
    /// A captor is offered one of the talents of the rules, or a captive for a captive.
    Deal {
        captor: Player,
        offer: u8,
    },
    /// Units are bought.
    Units {
        unit: Unit,
        place: Place,
    },
}
