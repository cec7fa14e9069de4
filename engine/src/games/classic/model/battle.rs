//! A battle, on land or at sea, and leaders who fell in one.

use crate::data::data;
use crate::games::classic::model::place::Place;
use crate::games::shared::units::N_LAND_MILITARY;
use crate::player::Player;

pub use crate::games::shared::side::Side;

/// Numbers of infantry, cavalry and catapults.
pub(crate) type Legion = [u8; N_LAND_MILITARY];

/// Leaders of one owner who fell at one place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Fallen {
    pub(crate) generals: u8,
    pub(crate) has_caesar: bool,
}

/// The step after the fallen are dealt with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum After {
    /// The fallen of the attacker at sea.
    FallenAttacker,
    /// The next attack at sea.
    Attack,
    /// The conquest of the province of the battle, where possible.
    Conquer,
    /// The next province.
    Province,
}

/// The fallen leaders being dealt with (8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Fall {
    pub(crate) owner: Player,
    pub(crate) captor: Option<Player>,
    pub(crate) fallen: Fallen,
    pub(crate) after: After,
}

/// A battle under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Battle {
    /// The place: a province or a sea zone.
    pub(crate) place: Place,
    /// The player who defends; `None` for a guard.
    pub(crate) defender: Option<Player>,
    /// The rest of the guard.
    pub(crate) guard: u8,
    pub(crate) round: u8,
    /// The side that counts, rolls or decides.
    pub(crate) side: Side,
    /// The type whose count is due.
    pub(crate) due: u8,
    /// The legions of the round; in a pursuit that of the pursuer.
    pub(crate) legion: [Legion; 2],
    /// Number of hits that each side has still to take.
    pub(crate) hits: [u8; 2],
    /// The goal of a side that is pursued.
    pub(crate) goal: Option<Place>,
    /// The fallen of both sides at sea.
    pub(crate) fallen: [Fallen; 2],
    pub(crate) fall: Option<Fall>,
}

data!(struct Battle { place, defender, guard, round, side, due, legion, hits, goal, fallen, fall });
data!(struct Fallen { generals, has_caesar });
data!(struct Fall { owner, captor, fallen, after });
data!(
    enum After {
        FallenAttacker,
        Attack,
        Conquer,
        Province,
    }
);

impl Battle {
    /// No battle.
    pub(crate) const NONE: Self = Self::new(Place::new(0), None, 0);

    pub(crate) const fn new(place: Place, defender: Option<Player>, guard: u8) -> Self {
        let nobody = Fallen { generals: 0, has_caesar: false };
        Self {
            place,
            defender,
            guard,
            round: 0,
            side: Side::Attacker,
            due: 0,
            legion: [[0; N_LAND_MILITARY]; 2],
            hits: [0; 2],
            goal: None,
            fallen: [nobody; 2],
            fall: None,
        }
    }
}

/// Returns the number of troops in a legion.
pub(crate) const fn size(legion: Legion) -> u8 {
    legion[0] + legion[1] + legion[2]
}
