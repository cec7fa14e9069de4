//! What the action under way has chosen so far: a kind of detail for each group of phases, with one meaning a field.

use std::hash::{Hash, Hasher};

use crate::games::conquest2::model::action::Source;
use crate::games::conquest2::model::cards::{Card, Vote};
use crate::games::conquest2::model::counts::{Mover, N_MOVERS, Recruits, Starter};
use crate::games::conquest2::model::place::{Place, PlaceSet, Zone, ZoneSet};
use crate::player::Player;

/// What the action under way has chosen so far.
///
/// The two largest kinds stand here field by field: as types of their own they would take a word more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detail {
    /// Nothing, as in phases that need no memory.
    None,
    /// Tokens that were drawn at set-up.
    Setup { drawn: u8 },
    /// Draws of a season's start that are still due.
    Draws { left: u8 },
    /// Starting units; see [`Placement`].
    Placement { homes: PlaceSet, uncounted: PlaceSet, starter: Starter, left: u8 },
    /// A recruitment.
    Recruitment(Recruitment),
    /// Influence that is bought.
    Purchase(Purchase),
    /// A move by land or sea; see [`March`].
    March { from: Place, open: PlaceSet, by_land: PlaceSet, leg: Option<Leg> },
    /// Where battle is given.
    Attack { place: Place },
    /// Galleys that sail.
    Sailing(Sailing),
    /// An immediate-use card that was taken.
    Card { card: Card },
    /// Land military on the way against the Barbarians, with the card that sent it.
    Expedition { card: Card, from: Place, leg: Leg },
    /// A random Senator from, or for, the hand of a player.
    Senator { player: Player, cause: Cause },
}

/// Starting units: all of a kind, then the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Placement {
    /// Provinces with influence of the player.
    pub(crate) homes: PlaceSet,
    /// Of these, the ones that still get a share of the units that are counted.
    pub(crate) uncounted: PlaceSet,
    /// What is placed now.
    pub(crate) starter: Starter,
    /// Units of it still to place.
    pub(crate) left: u8,
}

/// A recruitment in one province.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Recruitment {
    pub(crate) place: Place,
    /// Which count is due.
    pub(crate) count: Recruits,
    /// Whether anything has been recruited.
    pub(crate) has_any: bool,
}

/// Influence bought in one province.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Purchase {
    pub(crate) place: Place,
    /// From whom the last token came.
    pub(crate) last: Option<Source>,
    /// Tokens bought.
    pub(crate) bought: u8,
}

/// A move of land units out of one province.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct March {
    pub(crate) from: Place,
    /// Destinations that can still be named.
    pub(crate) open: PlaceSet,
    /// Destinations that are reached by land.
    pub(crate) by_land: PlaceSet,
    /// The destination under way, or the last one.
    pub(crate) leg: Option<Leg>,
}

/// Units on the way to one destination, counted kind by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Leg {
    pub(crate) to: Place,
    /// Who is counted now; nobody once all were.
    pub(crate) count: Option<Mover>,
    /// Land military that can still go; as many as there are if it is not said.
    pub(crate) room: Option<u8>,
    /// Whether anybody goes.
    pub(crate) has_any: bool,
}

/// Galleys that sail to one zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sailing {
    pub(crate) to: Zone,
    /// Zones from which galleys can still come.
    pub(crate) sources: ZoneSet,
    /// Whether own and enemy galleys were in the zone before anything sailed.
    pub(crate) has_met: bool,
    /// Whether any galley has sailed.
    pub(crate) has_any: bool,
}

/// Why a random Senator is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// It is bribed away from the player (14.5).
    Bribe,
    /// It is assassinated (16.2).
    Assassin,
    /// The player keeps it of those shown in a vote (16.4).
    Vote,
}

/// The parts of a detail, each due in its phases only.
macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident: $part:ident = $is:pat => $found:expr;)*) => {
        impl Detail {
            $($(#[$doc])*
            pub(crate) fn $name(&self) -> $part {
                match *self {
                    $is => $found,
                    other => unreachable!("{other:?} is no {}", stringify!($part)),
                }
            })*
        }
    };
}

parts! {
    /// Of the phases that place starting units.
    placement: Placement = Self::Placement { homes, uncounted, starter, left } =>
        Placement { homes, uncounted, starter, left };
    /// Of [`Phase::RecruitCount`](super::phase::Phase::RecruitCount).
    recruitment: Recruitment = Self::Recruitment(found) => found;
    /// Of the phases that buy influence.
    purchase: Purchase = Self::Purchase(found) => found;
    /// Of the phases of a move.
    march: March = Self::March { from, open, by_land, leg } =>
        March { from, open, by_land, leg };
    /// Of the phases of sailing.
    sailing: Sailing = Self::Sailing(found) => found;
}

impl From<Placement> for Detail {
    fn from(placement: Placement) -> Self {
        let Placement { homes, uncounted, starter, left } = placement;
        Self::Placement { homes, uncounted, starter, left }
    }
}

impl From<March> for Detail {
    fn from(march: March) -> Self {
        let March { from, open, by_land, leg } = march;
        Self::March { from, open, by_land, leg }
    }
}

impl Detail {
    /// The place of the action: where it happens, or from where it starts.
    pub(crate) const fn place(&self) -> Option<Place> {
        match *self {
            Self::Recruitment(Recruitment { place, .. })
            | Self::Purchase(Purchase { place, .. })
            | Self::Attack { place }
            | Self::March { from: place, .. }
            | Self::Expedition { from: place, .. } => Some(place),
            _ => None,
        }
    }

    /// The destination of land units, counted now.
    pub(crate) const fn leg(&self) -> Option<Leg> {
        match *self {
            Self::March { leg, .. } => leg,
            Self::Expedition { leg, .. } => Some(leg),
            _ => None,
        }
    }

    /// Where a move comes from, and the destination under way: seen where it stands, since to read all of it at once has
    /// to wait for what has just been written part by part.
    #[inline]
    pub(crate) fn marching(&self) -> (Place, &Leg) {
        match self {
            Self::March { from, leg: Some(leg), .. } => (*from, leg),
            other => unreachable!("{other:?} has no destination"),
        }
    }

    /// The destination of land units is this from now on.
    #[inline]
    pub(crate) fn set_leg(&mut self, new: Leg) {
        match self {
            Self::March { leg, .. } => *leg = Some(new),
            Self::Expedition { leg, .. } => *leg = new,
            other => unreachable!("{other:?} has no destination"),
        }
    }

    /// Everything that is remembered, as words and bytes for the hash.
    fn words(&self) -> Words {
        match *self {
            Self::None => Words::EMPTY,
            Self::Setup { drawn } => Words { count: drawn, ..Words::EMPTY },
            Self::Draws { left } => Words { left, ..Words::EMPTY },
            Self::Placement { homes, uncounted, starter, left } => Words {
                sets: [homes.bits(), uncounted.bits()],
                count: starter.number(),
                left,
                ..Words::EMPTY
            },
            Self::Recruitment(Recruitment { place, count, has_any }) => {
                Words { place: place.number(), count: count.number(), has_any, ..Words::EMPTY }
            }
            Self::Purchase(Purchase { place, last, bought }) => {
                let (place, target) = (place.number(), last.map_or(NOTHING, Source::number));
                Words { place, target, count: bought, ..Words::EMPTY }
            }
            Self::March { from, open, by_land, leg } => {
                let sets = [open.bits(), by_land.bits()];
                let start = Words { sets, place: from.number(), ..Words::EMPTY };
                leg.map_or(start, |leg| leg.words(start))
            }
            Self::Attack { place } => Words { place: place.number(), ..Words::EMPTY },
            Self::Sailing(Sailing { to, sources, has_met, has_any }) => Words {
                sets: [sources.bits(), 0],
                place: to.number(),
                card: has_met.into(),
                has_any,
                ..Words::EMPTY
            },
            Self::Card { card } => Words { card: card.number(), ..Words::EMPTY },
            Self::Expedition { card, from, leg } => {
                leg.words(Words { card: card.number(), place: from.number(), ..Words::EMPTY })
            }
            Self::Senator { player, cause } => {
                Words { target: player.number(), card: cause.card().number(), ..Words::EMPTY }
            }
        }
    }
}

impl Leg {
    /// Who is counted now.
    #[inline]
    pub(crate) fn mover(&self) -> Mover {
        self.count.expect("somebody is still to be counted")
    }

    /// With the words of what it is a leg of.
    fn words(self, start: Words) -> Words {
        let Self { to, count, room, has_any } = self;
        let count = count.map_or(N_MOVERS, Mover::idx) as u8;
        Words { target: to.number(), count, left: room.unwrap_or(u8::MAX), has_any, ..start }
    }
}

impl Cause {
    /// The card behind it; of the votes, the first.
    const fn card(self) -> Card {
        match self {
            Self::Bribe => Card::BRIBE,
            Self::Assassin => Card::ASSASSIN,
            Self::Vote => Card::vote(Vote::ALL[0]),
        }
    }
}

/// What is hashed where nothing stands.
const NOTHING: u8 = u8::MAX;

/// A detail without its kind, which the phase says: what is hashed. Hashes of positions are the same on every
/// release, so the order of these fields stands.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Words {
    sets: [u64; 2],
    place: u8,
    target: u8,
    count: u8,
    left: u8,
    has_any: bool,
    card: u8,
}

impl Words {
    const EMPTY: Self = Self {
        sets: [0; 2],
        place: NOTHING,
        target: NOTHING,
        count: 0,
        left: 0,
        has_any: false,
        card: NOTHING,
    };
}

/// Of a detail that holds nothing, only that it does.
impl Hash for Detail {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let words = self.words();
        let is_empty = words == Words::EMPTY;
        hasher.write_u8(is_empty.into());
        if is_empty {
            return;
        }
        words.sets.iter().for_each(|&set| hasher.write_u64(set));
        let Words { place, target, count, left, has_any, card, .. } = words;
        for byte in [place, target, count, left, has_any.into(), card] {
            hasher.write_u8(byte);
        }
    }
}

const _: () = assert!(size_of::<Detail>() == 24, "every position holds one");
