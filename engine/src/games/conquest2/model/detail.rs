//! Choices of the action under way: a kind of detail for each group of phases, with one meaning for each field.

use std::hash::{Hash, Hasher};

use crate::data::data;
use crate::games::conquest2::model::action::Source;
use crate::games::conquest2::model::cards::{Card, Vote};
use crate::games::conquest2::model::counts::{Mover, N_MOVERS, Recruits, Starter};
use crate::games::conquest2::model::place::{Place, PlaceSet, Zone, ZoneSet};
use crate::player::Player;

/// The choices of the action under way.
///
/// The two largest kinds stand here field by field: as separate types they would take an additional word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detail {
    /// No choice, as in phases that need no memory.
    None,
    /// Number of tokens drawn at set-up.
    Setup { drawn: u8 },
    /// Number of draws of a season's start that are still due.
    Draws { left: u8 },
    /// Starting units; see [`Placement`].
    Placement { homes: PlaceSet, uncounted: PlaceSet, starter: Starter, left: u8 },
    /// A recruitment.
    Recruitment(Recruitment),
    /// A purchase of influence.
    Purchase(Purchase),
    /// A move by land or sea; see [`March`].
    March { from: Place, open: PlaceSet, by_land: PlaceSet, leg: Option<Leg> },
    /// The place of a battle.
    Attack { place: Place },
    /// A voyage of galleys.
    Sailing(Sailing),
    /// An immediate-use card that was taken.
    Card { card: Card },
    /// Land military on the way against the Barbarians, with the card that sent it.
    Expedition { card: Card, from: Place, leg: Leg },
    /// A random Senator from, or for, the hand of a player.
    Senator { player: Player, cause: Cause },
}

/// The starting units: all of a kind, then the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Placement {
    /// Provinces with influence of the player.
    pub(crate) homes: PlaceSet,
    /// Homes that still get a share of the units being counted.
    pub(crate) uncounted: PlaceSet,
    /// The kind being placed.
    pub(crate) starter: Starter,
    /// Number of its units still to place.
    pub(crate) left: u8,
}

/// A recruitment in one province.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Recruitment {
    pub(crate) place: Place,
    /// The count that is due.
    pub(crate) count: Recruits,
    /// True once any unit has been recruited.
    pub(crate) has_any: bool,
}

/// Influence bought in one province.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Purchase {
    pub(crate) place: Place,
    /// The source of the last token.
    pub(crate) last: Option<Source>,
    /// Number of tokens bought.
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
    /// The kind being counted; `None` once all were.
    pub(crate) count: Option<Mover>,
    /// Number of land military units that can still go; `None` for no limit.
    pub(crate) room: Option<u8>,
    /// True once any unit goes.
    pub(crate) has_any: bool,
}

/// Galleys that sail to one zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sailing {
    pub(crate) to: Zone,
    /// Zones from which galleys can still come.
    pub(crate) sources: ZoneSet,
    /// True if own and enemy galleys were in the zone before any galley sailed.
    pub(crate) has_met: bool,
    /// True once any galley has sailed.
    pub(crate) has_any: bool,
}

/// The cause of the draw of a random Senator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// A bribe takes it from the player (14.5).
    Bribe,
    /// An assassin kills it (16.2).
    Assassin,
    /// The player keeps it after showing it in a vote (16.4).
    Vote,
}

data!(enum Detail { None, Setup { drawn }, Draws { left }, Placement { homes, uncounted, starter, left }, Recruitment(recruitment), Purchase(purchase), March { from, open, by_land, leg }, Attack { place }, Sailing(sailing), Card { card }, Expedition { card, from, leg }, Senator { player, cause } });
data!(struct Recruitment { place, count, has_any });
data!(struct Purchase { place, last, bought });
data!(struct Leg { to, count, room, has_any });
data!(struct Sailing { to, sources, has_met, has_any });
data!(
    enum Cause {
        Bribe,
        Assassin,
        Vote,
    }
);

/// Adds readers of the parts of a detail, each valid in its phases only.
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
    /// Part of the phases that place starting units.
    placement: Placement = Self::Placement { homes, uncounted, starter, left } =>
        Placement { homes, uncounted, starter, left };
    /// Part of [`Phase::RecruitCount`](super::phase::Phase::RecruitCount).
    recruitment: Recruitment = Self::Recruitment(found) => found;
    /// Part of the phases that buy influence.
    purchase: Purchase = Self::Purchase(found) => found;
    /// Part of the phases of a move.
    march: March = Self::March { from, open, by_land, leg } =>
        March { from, open, by_land, leg };
    /// Part of the phases of sailing.
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
    /// Returns the place of the action: its site, or its start.
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

    /// Returns the leg of land units being counted.
    pub(crate) const fn leg(&self) -> Option<Leg> {
        match *self {
            Self::March { leg, .. } => leg,
            Self::Expedition { leg, .. } => Some(leg),
            _ => None,
        }
    }

    /// Returns the start of a move and the leg under way. It reads them in place: a read of the whole detail has to
    /// wait for parts that were just written.
    #[inline]
    pub(crate) fn marching(&self) -> (Place, &Leg) {
        match self {
            Self::March { from, leg: Some(leg), .. } => (*from, leg),
            other => unreachable!("{other:?} has no destination"),
        }
    }

    /// Replaces the leg of land units.
    #[inline]
    pub(crate) fn set_leg(&mut self, new: Leg) {
        match self {
            Self::March { leg, .. } => *leg = Some(new),
            Self::Expedition { leg, .. } => *leg = new,
            other => unreachable!("{other:?} has no destination"),
        }
    }

    /// Returns the whole detail as words and bytes for the hash.
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
    /// Returns the kind being counted.
    #[inline]
    pub(crate) fn mover(&self) -> Mover {
        self.count.expect("somebody is still to be counted")
    }

    /// Returns `start` with the words of this leg added.
    fn words(self, start: Words) -> Words {
        let Self { to, count, room, has_any } = self;
        let count = count.map_or(N_MOVERS, Mover::idx) as u8;
        Words { target: to.number(), count, left: room.unwrap_or(u8::MAX), has_any, ..start }
    }
}

impl Cause {
    /// Returns the card that caused the draw; for votes, the first.
    const fn card(self) -> Card {
        match self {
            Self::Bribe => Card::BRIBE,
            Self::Assassin => Card::ASSASSIN,
            Self::Vote => Card::vote(Vote::ALL[0]),
        }
    }
}

/// The hashed value of an absent part.
const NOTHING: u8 = u8::MAX;

/// A detail in the form that is hashed, without its kind, which the phase gives. Hashes of positions are equal on every
/// release, so the order of these fields is fixed.
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

/// Hashes an empty detail as a single mark.
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
