//! The gifts of one configuration, by round and seat.

use crate::games::classic::model::place::Place;
use crate::games::shared::units::Unit;
use crate::player::Player;

/// The content of a gift.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Given {
    Talents(i64),
    Units(Unit, u8),
    Province(Place),
    City(Place),
}

impl Given {
    /// Returns the kind in the order of the treatments, and the place.
    pub(crate) const fn rank(self) -> (u8, u8) {
        match self {
            Self::Talents(_) => (0, 0),
            Self::Units(unit, _) => (1 + unit as u8, 0),
            Self::Province(place) => (5, place.number()),
            Self::City(place) => (6, place.number()),
        }
    }
}

/// A gift to a seat when a round starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gift {
    pub(crate) round: u8,
    pub(crate) seat: Player,
    pub(crate) what: Given,
}

/// The treatments of a game.
#[derive(Clone, Debug)]
pub(crate) struct Treatments {
    pub(crate) gifts: Vec<Gift>,
}
