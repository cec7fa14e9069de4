//! The choices of the action under way.

use crate::data::data;
use crate::games::classic::model::place::Place;
use crate::games::shared::units::Unit;
use crate::player::Player;

/// Number of kinds counted for a group.
pub(crate) const N_KINDS: usize = 5;

/// A kind that is counted for a group; kinds are counted in this order.
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
    /// All kinds, in the order in which they are counted.
    pub const ALL: [Self; N_KINDS] =
        [Self::General, Self::Caesar, Self::Infantry, Self::Cavalry, Self::Catapult];

    /// Returns the word for one.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Caesar => "caesar",
            Self::Infantry => "infantry",
            Self::Cavalry => "cavalry",
            Self::Catapult => "catapult",
        }
    }
}

/// The way in which a group moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Way {
    /// Aboard since before this turn, to another zone or ashore.
    Convoy,
    /// From a province aboard, or over the sea.
    Board,
    /// Over land.
    March,
}

/// A group whose members are being counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Group {
    /// The way in which it moves.
    pub way: Way,
    /// The start.
    pub from: Place,
    /// The zone of a boarding group.
    pub(crate) zone: Place,
    /// The goal.
    pub to: Place,
    /// The count that is due, as an index of [`Kind::ALL`].
    pub(crate) due: u8,
    /// The counts before it.
    pub(crate) counts: [u8; N_KINDS],
}

impl Group {
    /// Returns a group before its first count.
    pub(crate) const fn new(way: Way, from: Place, zone: Place, to: Place) -> Self {
        Self { way, from, zone, to, due: 0, counts: [0; N_KINDS] }
    }

    /// Returns the kind whose count is due.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        Kind::ALL[self.due as usize]
    }

    /// Returns the counts so far, by [`Kind`].
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

/// The choices of the action under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) enum Detail {
    /// None.
    #[default]
    Nothing,
    /// Sailing galleys.
    Sail {
        from: Place,
        to: Place,
    },
    /// Boarding.
    Board {
        from: Place,
        zone: Place,
    },
    Group(Group),
    /// An offer to a captor: an amount of talents from the rules, or a captive for a captive.
    Deal {
        captor: Player,
        offer: u8,
    },
    /// A purchase of units.
    Units {
        unit: Unit,
        place: Place,
    },
}

data!(enum Detail { Nothing, Sail { from, to }, Board { from, zone }, Group(group), Deal { captor, offer }, Units { unit, place } });
data!(struct Group { way, from, zone, to, due, counts });
data!(
    enum Way {
        Convoy,
        Board,
        March,
    }
);
