//! Units: their kinds in canonical order, and the land units of one player in one province packed into 16 bits.

use crate::data::data;

use std::ops::{Index, IndexMut};

/// Unit kinds that are bought and pooled.
pub const N_UNITS: usize = 5;
/// Unit kinds that fight: the land military, then galleys.
pub const N_MILITARY: usize = 4;
/// Kinds of land military.
pub const N_LAND_MILITARY: usize = 3;

/// A kind of unit that is bought and pooled, in canonical order. The caesar is not among them.
///
/// Arrays of [`N_UNITS`] hold counts by kind, or arrays of [`N_MILITARY`] where only fighting kinds matter. A kind is
/// the index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Unit {
    /// Infantry.
    Infantry,
    /// Cavalry.
    Cavalry,
    /// Catapults.
    Catapult,
    /// Galleys.
    Galley,
    /// Generals.
    General,
}

impl Unit {
    /// Every kind.
    pub const ALL: [Self; N_UNITS] =
        [Self::Infantry, Self::Cavalry, Self::Catapult, Self::Galley, Self::General];
    /// The kinds that fight.
    pub const MILITARY: [Self; N_MILITARY] =
        [Self::Infantry, Self::Cavalry, Self::Catapult, Self::Galley];
    /// The kinds that fight on land.
    pub const LAND_MILITARY: [Self; N_LAND_MILITARY] =
        [Self::Infantry, Self::Cavalry, Self::Catapult];

    /// Returns the index in the canonical order.
    #[inline]
    #[must_use]
    pub const fn idx(self) -> usize {
        self as usize
    }

    /// Returns the name, in the singular where there is one.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Infantry => "infantry",
            Self::Cavalry => "cavalry",
            Self::Catapult => "catapult",
            Self::Galley => "galley",
            Self::General => "general",
        }
    }
}

/// Makes a kind of unit the index of arrays with a value for each kind, of all units or of fighting units.
macro_rules! by_unit {
    ($($n:ident)*) => {$(
        impl<T> Index<Unit> for [T; $n] {
            type Output = T;
            #[inline]
            fn index(&self, unit: Unit) -> &T {
                &self[unit.idx()]
            }
        }

        impl<T> IndexMut<Unit> for [T; $n] {
            #[inline]
            fn index_mut(&mut self, unit: Unit) -> &mut T {
                &mut self[unit.idx()]
            }
        }
    )*};
}

by_unit!(N_MILITARY N_UNITS);

/// Land units of one player in one province, without the caesar: 5 bits of infantry, 5 of cavalry, 3 of catapults, 3 of
/// generals. The pools are checked to fit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Troops(pub(crate) u16);

data!(
    enum Unit {
        Infantry,
        Cavalry,
        Catapult,
        Galley,
        General,
    }
);

#[cfg(feature = "data")]
impl crate::data::Data for Troops {
    /// Returns the numbers of infantry, cavalry, catapults and generals.
    fn to_data(&self) -> serde_json::Value {
        LAND.map(|unit| self.count(unit)).to_data()
    }
    fn from_data(json: &serde_json::Value) -> Result<Self, crate::data::BadData> {
        let counts = <[u8; LAND.len()]>::from_data(json)?;
        let word = LAND.into_iter().zip(counts).fold(0, |word: u16, (unit, n)| {
            word.wrapping_add(Self::one(unit).wrapping_mul(n.into()))
        });
        let is_whole = LAND.map(|unit| Self(word).count(unit)) == counts;
        let fits = is_whole.then_some(Self(word));
        fits.ok_or_else(|| {
            crate::data::BadData::new(
                json,
                "infantry and cavalry up to 31, catapults and generals up to 7",
            )
        })
    }
}

/// The kinds of land units, in the order of their counts in a word.
#[cfg(feature = "data")]
const LAND: [Unit; 4] = [Unit::Infantry, Unit::Cavalry, Unit::Catapult, Unit::General];

const SHIFT: [u32; N_LAND_MILITARY] = [0, 5, 10];
const WIDTH: [u16; N_LAND_MILITARY] = [31, 31, 7];
const GENERAL_SHIFT: u32 = 13;

impl Troops {
    /// The bits of troops other than generals.
    pub(crate) const ALL_TROOPS: u16 = (1 << GENERAL_SHIFT) - 1;

    /// Largest number of generals that fit in.
    pub(crate) const MOST_GENERALS: u8 = (u16::MAX >> GENERAL_SHIFT) as u8;

    /// Returns the number of units of a kind; no galley is a land unit.
    #[inline]
    #[must_use]
    pub const fn count(self, unit: Unit) -> u8 {
        match unit {
            Unit::Infantry | Unit::Cavalry | Unit::Catapult => {
                (self.0 >> SHIFT[unit.idx()] & WIDTH[unit.idx()]) as u8
            }
            Unit::Galley => 0,
            Unit::General => self.generals(),
        }
    }

    /// Returns the number of generals.
    #[must_use]
    pub const fn generals(self) -> u8 {
        (self.0 >> GENERAL_SHIFT) as u8
    }

    /// Returns the number of land military units.
    #[must_use]
    pub const fn military(self) -> u8 {
        self.count(Unit::Infantry) + self.count(Unit::Cavalry) + self.count(Unit::Catapult)
    }

    /// Returns whether there is any land military.
    #[must_use]
    pub const fn is_army(self) -> bool {
        self.0 & Self::ALL_TROOPS != 0
    }

    /// Returns one land unit, as a summand.
    ///
    /// # Panics
    /// If the unit is a galley.
    #[inline]
    pub(crate) const fn one(unit: Unit) -> u16 {
        match unit {
            Unit::Infantry | Unit::Cavalry | Unit::Catapult => 1 << SHIFT[unit.idx()],
            Unit::General => 1 << GENERAL_SHIFT,
            Unit::Galley => panic!("a galley is no land unit"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_counts_come_back() {
        let mut troops = Troops(31 | 20 << SHIFT[1] | 7 << SHIFT[2]);
        troops.0 += 5 * Troops::one(Unit::General);
        assert_eq!(Unit::ALL.map(|unit| troops.count(unit)), [31, 20, 7, 0, 5]);
        assert_eq!((troops.generals(), troops.military()), (5, 58));
        assert!(!Troops(3 * Troops::one(Unit::General)).is_army());
    }

    #[test]
    fn kinds_are_numbered_as_they_are_listed() {
        assert!(Unit::ALL.into_iter().enumerate().all(|(i, unit)| unit.idx() == i));
        assert_eq!(Unit::MILITARY, Unit::ALL[..N_MILITARY]);
        assert_eq!(Unit::LAND_MILITARY, Unit::ALL[..N_LAND_MILITARY]);
    }
}
