//! Counts that an action asks for in turn, each list as a type: starting units, recruits, and movers.

use crate::data::data;
use crate::games::conquest2::model::units::{Troops, Unit};

/// The pieces that a player places at the start, all of one kind before the next (clause 7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Starter {
    Caesar,
    Generals,
    Galleys,
    Infantry,
    Cavalry,
    Catapults,
}

impl Starter {
    /// The first kind to place.
    pub(crate) const FIRST: Self = Self::Caesar;

    /// Returns the next kind to place.
    pub(crate) const fn next(self) -> Option<Self> {
        match self {
            Self::Caesar => Some(Self::Generals),
            Self::Generals => Some(Self::Galleys),
            Self::Galleys => Some(Self::Infantry),
            Self::Infantry => Some(Self::Cavalry),
            Self::Cavalry => Some(Self::Catapults),
            Self::Catapults => None,
        }
    }

    /// Returns the kind of unit that is counted province by province; the other kinds are placed one at a time.
    pub(crate) const fn counted(self) -> Option<Unit> {
        match self {
            Self::Caesar | Self::Generals | Self::Galleys => None,
            Self::Infantry => Some(Unit::Infantry),
            Self::Cavalry => Some(Unit::Cavalry),
            Self::Catapults => Some(Unit::Catapult),
        }
    }

    /// Returns the index in the order, which is hashed.
    pub(crate) const fn number(self) -> u8 {
        self as u8
    }
}

/// A count of a recruitment (clause 10): land units, then galleys in each zone beside the province.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Recruits(u8);

impl Recruits {
    /// The count that is due first.
    pub(crate) const FIRST: Self = Self(0);
    /// The kinds that come before the galleys.
    pub(crate) const LAND: [Unit; 4] =
        [Unit::Infantry, Unit::Cavalry, Unit::Catapult, Unit::General];

    /// Returns the end of the counts of a province with `n_zones` zones.
    pub(crate) const fn end(n_zones: u32) -> Self {
        Self(Self::LAND.len() as u8 + n_zones as u8)
    }

    /// Returns the kind being counted.
    #[inline]
    pub(crate) fn unit(self) -> Unit {
        Self::LAND.get(usize::from(self.0)).copied().unwrap_or(Unit::Galley)
    }

    /// Returns the zone, among those beside the province, that gets the galleys being counted.
    #[inline]
    pub(crate) const fn zone(self) -> Option<u8> {
        self.0.checked_sub(Self::LAND.len() as u8)
    }

    /// Returns the next count.
    pub(crate) const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Returns the counts after this one, up to `end`.
    pub(crate) fn later(self, end: Self) -> impl Iterator<Item = Self> {
        (self.0 + 1..end.0).map(Self)
    }

    /// Returns the index in the order, which is hashed.
    pub(crate) const fn number(self) -> u8 {
        self.0
    }
}

/// A kind of mover by land or sea; kinds are counted in turn (clause 13).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Mover {
    /// Infantry.
    Infantry,
    /// Cavalry.
    Cavalry,
    /// Catapults.
    Catapult,
    /// Generals.
    General,
    /// The caesar.
    Caesar,
}

data!(
    enum Starter {
        Caesar,
        Generals,
        Galleys,
        Infantry,
        Cavalry,
        Catapults,
    }
);
data!(struct Recruits(u8));
data!(
    enum Mover {
        Infantry,
        Cavalry,
        Catapult,
        General,
        Caesar,
    }
);

/// Number of kinds of movers.
pub const N_MOVERS: usize = 5;

/// [`Mover::summand`] as a table.
const SUMMANDS: [u16; N_MOVERS] = {
    let mut summands = [0; N_MOVERS];
    let mut i = 0;
    while i < N_MOVERS {
        if let Some(unit) = Mover::ALL[i].unit() {
            summands[i] = Troops::one(unit);
        }
        i += 1;
    }
    summands
};

impl Mover {
    /// All kinds, in the order in which they are counted.
    pub const ALL: [Self; N_MOVERS] =
        [Self::Infantry, Self::Cavalry, Self::Catapult, Self::General, Self::Caesar];

    /// Returns the index in that order.
    #[inline]
    #[must_use]
    pub const fn idx(self) -> usize {
        self as usize
    }

    /// Returns the kind of unit, or `None` for the caesar.
    #[inline]
    #[must_use]
    pub const fn unit(self) -> Option<Unit> {
        match self {
            Self::Infantry => Some(Unit::Infantry),
            Self::Cavalry => Some(Unit::Cavalry),
            Self::Catapult => Some(Unit::Catapult),
            Self::General => Some(Unit::General),
            Self::Caesar => None,
        }
    }

    /// Returns one mover as a summand of [`Troops`], or 0 for the caesar, who is not among them.
    #[inline]
    pub(crate) const fn summand(self) -> u16 {
        SUMMANDS[self.idx()]
    }

    /// Returns whether the kind is land military, and not a leader: galleys carry it and Barbarians are fought with it.
    #[inline]
    #[must_use]
    pub const fn is_military(self) -> bool {
        matches!(self, Self::Infantry | Self::Cavalry | Self::Catapult)
    }

    /// Returns the next kind to count.
    #[inline]
    pub(crate) const fn next(self) -> Option<Self> {
        match self {
            Self::Infantry => Some(Self::Cavalry),
            Self::Cavalry => Some(Self::Catapult),
            Self::Catapult => Some(Self::General),
            Self::General => Some(Self::Caesar),
            Self::Caesar => None,
        }
    }

    /// Returns the kinds counted after this one.
    #[inline]
    pub(crate) fn later(self) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().skip(self.idx() + 1)
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.unit() {
            Some(unit) => unit.name(),
            None => "caesar",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starters_and_movers_come_in_the_order_of_their_numbers() {
        let starters: Vec<Starter> =
            std::iter::successors(Some(Starter::FIRST), |starter| starter.next()).collect();
        assert_eq!(starters.iter().map(|s| s.number()).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
        let counted: Vec<Unit> = starters.iter().filter_map(|starter| starter.counted()).collect();
        assert_eq!(counted, Unit::LAND_MILITARY);
        let movers: Vec<Mover> =
            std::iter::successors(Some(Mover::Infantry), |mover| mover.next()).collect();
        assert_eq!(movers, Mover::ALL);
        assert!(Mover::ALL.into_iter().enumerate().all(|(i, mover)| mover.idx() == i));
    }

    #[test]
    fn recruits_are_land_units_and_then_a_count_of_galleys_for_each_zone() {
        let end = Recruits::end(2);
        let counts: Vec<Recruits> =
            std::iter::once(Recruits::FIRST).chain(Recruits::FIRST.later(end)).collect();
        let listed: Vec<(Unit, Option<u8>)> = counts.iter().map(|c| (c.unit(), c.zone())).collect();
        let land = Recruits::LAND.map(|unit| (unit, None));
        let sea = [0, 1].map(|zone| (Unit::Galley, Some(zone)));
        assert_eq!(listed, [&land[..], &sea].concat());
        assert_eq!(counts.last().map(|last| last.next()), Some(end));
    }
}
