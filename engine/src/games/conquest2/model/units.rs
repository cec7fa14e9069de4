//! Units: their canonical order, and the land units of one player in one province packed into 16 bits.

/// Unit kinds that are bought and pooled, in canonical order.
pub const N_UNITS: usize = 5;
/// Index of infantry.
pub const INFANTRY: usize = 0;
/// Index of cavalry.
pub const CAVALRY: usize = 1;
/// Index of catapults.
pub const CATAPULT: usize = 2;
/// Index of galleys.
pub const GALLEY: usize = 3;
/// Index of generals.
pub const GENERAL: usize = 4;
/// Unit kinds that fight: the land military, then galleys.
pub const N_MILITARY: usize = 4;
/// Names in the order of the indices.
pub const UNIT_NAMES: [&str; N_UNITS] = ["infantry", "cavalry", "catapult", "galley", "general"];

/// Land units of one player in one province, the caesar apart: 5 bits of infantry, 5 of cavalry, 3 of
/// catapults, 3 of generals. The pools are checked to fit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Troops(pub(crate) u16);

const SHIFT: [u32; 3] = [0, 5, 10];
const WIDTH: [u16; 3] = [31, 31, 7];
const GENERAL_SHIFT: u32 = 13;

impl Troops {
    /// Number of units of a land military kind.
    #[must_use]
    pub const fn count(self, kind: usize) -> u8 {
        (self.0 >> SHIFT[kind] & WIDTH[kind]) as u8
    }

    /// Number of generals.
    #[must_use]
    pub const fn generals(self) -> u8 {
        (self.0 >> GENERAL_SHIFT) as u8
    }

    /// All land military.
    #[must_use]
    pub const fn military(self) -> u8 {
        self.count(INFANTRY) + self.count(CAVALRY) + self.count(CATAPULT)
    }

    /// Whether there is any land military.
    #[must_use]
    pub const fn is_army(self) -> bool {
        self.0 & ((1 << GENERAL_SHIFT) - 1) != 0
    }

    /// One unit of a land military kind, or one general, as a summand.
    pub(crate) const fn one(kind: usize) -> u16 {
        if kind == GENERAL { 1 << GENERAL_SHIFT } else { 1 << SHIFT[kind] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_counts_come_back() {
        let mut troops = Troops(31 | 20 << SHIFT[1] | 7 << SHIFT[2]);
        troops.0 += 5 * Troops::one(GENERAL);
        assert_eq!([INFANTRY, CAVALRY, CATAPULT].map(|k| troops.count(k)), [31, 20, 7]);
        assert_eq!((troops.generals(), troops.military()), (5, 58));
        assert!(!Troops(3 * Troops::one(GENERAL)).is_army());
    }
}
