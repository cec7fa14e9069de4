//! A battle: its sides, its armies, and the counts in it, one list after the other.

use crate::bits::each;
#[cfg(feature = "data")]
use crate::data::Each;
use crate::data::data;
use crate::games::conquest2::model::board::MAX_COAST;
#[cfg(feature = "data")]
use crate::games::conquest2::model::packed::Lanes;
use crate::games::conquest2::model::place::{Place, Zone};
use crate::games::conquest2::model::units::{N_LAND_MILITARY, N_MILITARY, Unit};
use crate::player::{ByPlayer, MAX_PLAYERS, Player, PlayerSet};

pub use crate::games::shared::side::Side;

/// A set of sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SideSet(u8);

impl SideSet {
    pub(crate) const EMPTY: Self = Self(0);
    pub(crate) const BOTH: Self = Self(0b11);

    pub(crate) const fn of(side: Side) -> Self {
        Self(1 << side.idx())
    }

    pub(crate) const fn with(self, side: Side, is_in: bool) -> Self {
        Self(self.0 | (is_in as u8) << side.idx())
    }

    pub(crate) const fn contains(self, side: Side) -> bool {
        self.0 >> side.idx() & 1 == 1
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether there is no member but the two sides.
    #[cfg(feature = "data")]
    pub(crate) const fn is_known(self) -> bool {
        self.0 & !Self::BOTH.0 == 0
    }

    /// Returns the members as bits, which are hashed.
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }
}

/// A battle on land or at sea.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Battle {
    /// Galleys committed from each zone beside the province, 5 bits an owner.
    pub(crate) committed: [u32; MAX_COAST],
    /// Units in the armies by owner: infantry, cavalry, catapults, galleys.
    pub(crate) engaged: ByPlayer<[u8; N_MILITARY]>,
    /// Troops without an owner by side: Diplomacy, Pirates, slaves.
    pub(crate) neutral: [[u8; N_MILITARY]; 2],
    /// Number of hits that each side has still to take.
    pub(crate) hits: [u8; 2],
    /// The province of a land battle.
    pub(crate) place: Option<Place>,
    /// The zone of a naval battle.
    pub(crate) zone: Option<Zone>,
    /// The attacker; `None` for the slaves.
    pub(crate) attacker: Option<Player>,
    /// The defender; `None` while the slaves have not turned on a player.
    pub(crate) defender: Option<Player>,
    pub(crate) round: u8,
    /// The side that rolls, loses units, retreats or withdraws; it has no meaning before the first roll.
    pub(crate) side: Side,
    pub(crate) count: Count,
    /// Sides that have lost.
    pub(crate) lost: SideSet,
    /// Sides whose army was eliminated.
    pub(crate) gone: SideSet,
    /// True for a Slave Revolt; `fought` holds the players already fought in it.
    pub(crate) is_revolt: bool,
    pub(crate) fought: PlayerSet,
}

impl Battle {
    pub(crate) const EMPTY: Self = Self {
        committed: [0; MAX_COAST],
        engaged: ByPlayer([[0; N_MILITARY]; MAX_PLAYERS]),
        neutral: [[0; N_MILITARY]; 2],
        hits: [0; 2],
        place: None,
        zone: None,
        attacker: None,
        defender: None,
        round: 0,
        side: Side::Attacker,
        count: Count::Commitment(Commitment::FIRST),
        lost: SideSet::EMPTY,
        gone: SideSet::EMPTY,
        is_revolt: false,
        fought: PlayerSet::EMPTY,
    };

    /// Returns whether the battle is fought at sea.
    pub(crate) const fn is_naval(&self) -> bool {
        self.zone.is_some()
    }

    /// Returns the province of a land battle.
    pub(crate) fn province(&self) -> Place {
        self.place.expect("a land battle has a province")
    }

    /// Returns the commander of a side, or `None` for slaves.
    pub(crate) const fn commander(&self, side: Side) -> Option<Player> {
        match side {
            Side::Attacker => self.attacker,
            Side::Defender => self.defender,
        }
    }
}

/// The next count of a battle: each of its parts has a list, counted entry by entry. At the end of a list the count
/// stands behind it, until another list begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Count {
    /// Galleys of the commanders, on land (clause 15.2).
    Commitment(Commitment),
    /// Units of others, on land (15.3).
    Loan(Loan),
    /// Galleys of others, at sea (15N.3).
    NavalLoan(NavalLoan),
    /// Units that a side loses (15.6).
    Loss(Loss),
}

data!(struct Battle { committed in Each<Lanes>, engaged, neutral, hits, place, zone, attacker, defender, round, side, count, lost, gone, is_revolt, fought });
data!(struct SideSet(u8));
data!(
    enum Count {
        Commitment(entry),
        Loan(entry),
        NavalLoan(entry),
        Loss(entry),
    }
);

/// Adds readers of the entry that is counted, each valid in its phase only.
macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident: $part:ident;)*) => {
        impl Count {
            $($(#[$doc])*
            #[inline]
            pub(crate) fn $name(self) -> $part {
                match self {
                    Self::$part(found) => found,
                    other => unreachable!("{other:?} is no {}", stringify!($part)),
                }
            })*
        }
    };
}

parts! {
    /// Entry of [`Phase::Commit`](super::phase::Phase::Commit).
    commitment: Commitment;
    /// Entry of [`Phase::Lend`](super::phase::Phase::Lend).
    loan: Loan;
    /// Entry of [`Phase::NavalLend`](super::phase::Phase::NavalLend).
    naval_loan: NavalLoan;
    /// Entry of [`Phase::Losses`](super::phase::Phase::Losses).
    loss: Loss;
}

impl Count {
    /// Returns the index in its list. It enters hashes of positions, which are equal on every release.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Commitment(Commitment(number))
            | Self::Loan(Loan(number))
            | Self::NavalLoan(NavalLoan(number))
            | Self::Loss(Loss(number)) => number,
        }
    }
}

/// Declares the entries of a list, which are numbered.
macro_rules! entries {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) struct $name(u8);

        data!(struct $name(u8));

        impl $name {
            /// The first entry.
            pub(crate) const FIRST: Self = Self(0);

            /// Returns the next entry.
            #[inline]
            pub(crate) const fn next(self) -> Self {
                Self(self.0 + 1)
            }
        }
    )*};
}

entries! {
    /// Galleys of the attacker from each zone beside the province, then of the defender.
    Commitment;
    /// Loans of each player in turn order: each kind of land military, then galleys from each zone.
    Loan;
    /// Loans of each player in turn order.
    NavalLoan;
    /// Troops without an owner, then those of each seat, kind by kind.
    Loss;
}

impl Commitment {
    /// Returns whether the entry is behind the last.
    #[inline]
    pub(crate) const fn is_over(self) -> bool {
        self.0 as usize >= 2 * MAX_COAST
    }

    /// Returns the side that owns the galleys.
    #[inline]
    pub(crate) const fn side(self) -> Side {
        if (self.0 as usize) < MAX_COAST { Side::Attacker } else { Side::Defender }
    }

    /// Returns the zone of the galleys among those beside the province.
    #[inline]
    pub(crate) const fn zone(self) -> u8 {
        self.0 % MAX_COAST as u8
    }
}

/// The units of a loan to a land battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lent {
    /// Land military of this kind.
    Land(Unit),
    /// Galleys from this zone among those beside the province.
    Galleys(u8),
}

impl Loan {
    /// Number of counts of one lender.
    const EACH: u8 = (N_LAND_MILITARY + MAX_COAST) as u8;

    /// Returns whether the entry is behind the last of `n_players`.
    #[inline]
    pub(crate) const fn is_over(self, n_players: usize) -> bool {
        self.0 >= n_players as u8 * Self::EACH
    }

    /// Returns the position of the lender in the turn order.
    #[inline]
    pub(crate) const fn lender(self) -> usize {
        (self.0 / Self::EACH) as usize
    }

    /// Returns whether the entry is the first of its lender.
    #[inline]
    pub(crate) const fn is_first_of_lender(self) -> bool {
        self.0.is_multiple_of(Self::EACH)
    }

    /// Returns the corresponding entry of the next lender.
    #[inline]
    pub(crate) const fn next_lender(self) -> Self {
        Self(self.0 + Self::EACH)
    }

    /// Returns the units that are lent.
    #[inline]
    pub(crate) const fn lent(self) -> Lent {
        match self.0 % Self::EACH {
            0 => Lent::Land(Unit::Infantry),
            1 => Lent::Land(Unit::Cavalry),
            2 => Lent::Land(Unit::Catapult),
            item => Lent::Galleys(item - N_LAND_MILITARY as u8),
        }
    }
}

impl NavalLoan {
    /// Returns the position of the lender in the turn order.
    #[inline]
    pub(crate) const fn lender(self) -> usize {
        self.0 as usize
    }
}

impl Loss {
    /// Number of entries of the list.
    const N: u8 = ((1 + MAX_PLAYERS) * N_MILITARY) as u8;

    /// Returns the entries whose bits are set, in order.
    #[inline]
    pub(crate) fn of_bits(bits: u64) -> impl Iterator<Item = Self> {
        debug_assert!(bits >> Self::N == 0);
        each(bits).map(Self)
    }

    /// Returns whether the list has this entry.
    #[cfg(feature = "data")]
    pub(crate) const fn is_entry(self) -> bool {
        self.0 < Self::N
    }

    /// Returns the bits of this entry and those after it.
    #[inline]
    pub(crate) const fn and_later(self) -> u64 {
        u64::MAX << self.0
    }

    /// Returns the bit of the first entry of an owner; the others follow, kind by kind.
    #[inline]
    pub(crate) const fn first_of(owner: Option<Player>) -> u32 {
        let before = match owner {
            None => 0,
            Some(owner) => 1 + owner.number() as u32,
        };
        before * N_MILITARY as u32
    }

    /// Returns the kind of the units.
    #[inline]
    pub(crate) const fn unit(self) -> Unit {
        Unit::MILITARY[self.0 as usize % N_MILITARY]
    }

    /// Returns the owner of the units, or `None` for Diplomacy troops, Pirates and slaves.
    #[inline]
    pub(crate) fn owner(self) -> Option<Player> {
        (self.0 / N_MILITARY as u8).checked_sub(1).map(Player::of)
    }
}

const _: () = assert!(Loan::EACH as usize * (MAX_PLAYERS + 1) <= u8::MAX as usize);
const _: () = assert!(size_of::<Battle>() == 72, "every position holds one");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commitments_are_zones_of_the_attacker_and_then_of_the_defender() {
        let mut next = Commitment::FIRST;
        for side in Side::ALL {
            for zone in 0..MAX_COAST as u8 {
                assert!(!next.is_over());
                assert_eq!((next.side(), next.zone()), (side, zone));
                next = next.next();
            }
        }
        assert!(next.is_over());
    }

    #[test]
    fn loans_are_land_military_and_then_zones_lender_by_lender() {
        let mut next = Loan::FIRST;
        for lender in 0..3 {
            assert!(next.is_first_of_lender());
            let skipped = next.next_lender();
            let land = Unit::LAND_MILITARY.map(Lent::Land).into_iter();
            for lent in land.chain((0..MAX_COAST as u8).map(Lent::Galleys)) {
                assert!(!next.is_over(3));
                assert_eq!((next.lender(), next.lent()), (lender, lent));
                next = next.next();
            }
            assert_eq!(next, skipped);
        }
        assert!(next.is_over(3));
    }

    #[test]
    fn losses_are_troops_of_nobody_and_then_those_of_each_seat() {
        let mut losses = Loss::of_bits((1 << Loss::N) - 1);
        let seats = Player::all(MAX_PLAYERS).map(Some);
        for owner in std::iter::once(None).chain(seats) {
            for (unit, bit) in Unit::MILITARY.into_iter().zip(Loss::first_of(owner)..) {
                let loss = losses.next().expect("an entry for each owner and kind");
                assert_eq!((loss.owner(), loss.unit()), (owner, unit));
                assert_eq!(loss.and_later().trailing_zeros(), bit);
            }
        }
        assert_eq!(losses.next(), None);
    }

    #[test]
    fn a_set_of_sides_has_the_sides_that_were_put_in() {
        let both = SideSet::of(Side::Attacker).with(Side::Defender, true);
        assert_eq!((both, both.bits()), (SideSet::BOTH, 0b11));
        let defender = SideSet::EMPTY.with(Side::Attacker, false).with(Side::Defender, true);
        assert_eq!(Side::ALL.map(|side| defender.contains(side)), [false, true]);
        assert_eq!(Side::ALL.map(Side::other), [Side::Defender, Side::Attacker]);
    }
}
