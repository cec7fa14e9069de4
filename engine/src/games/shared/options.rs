//! The options of a decision as a set or a range, counted without a list.

use crate::data::data;

/// The options of the decision that is due: members of a set, or `n` numbers from `lo`.
///
/// Two words, so that it travels in registers: three fields cost a store-forwarding stall per decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Options {
    set: u64,
    /// `n` and, above it, `lo`.
    numbers: u32,
}

data!(struct Options { set, numbers });

impl Options {
    pub(crate) const NONE: Self = Self::new(0, 0, 0);

    pub(crate) const fn new(set: u64, lo: u16, n: u16) -> Self {
        Self { set, numbers: (lo as u32) << 16 | n as u32 }
    }

    pub(crate) fn of(set: impl Into<u64>) -> Self {
        let set = set.into();
        Self::new(set, 0, set.count_ones() as u16)
    }

    /// Returns the numbers `lo..=hi`.
    pub(crate) const fn range(lo: u16, hi: u16) -> Self {
        debug_assert!(lo <= hi);
        Self::new(0, lo, hi - lo + 1)
    }

    pub(crate) const fn set(self) -> u64 {
        self.set
    }

    pub(crate) const fn lo(self) -> u16 {
        (self.numbers >> 16) as u16
    }

    /// Returns the number of options.
    pub(crate) const fn n(self) -> u16 {
        self.numbers as u16
    }
}

/// The bit of the last word of a menu (`done`, `stop`, `stay`, …), beside places and seats.
pub(crate) const LAST: u64 = 1 << 63;
