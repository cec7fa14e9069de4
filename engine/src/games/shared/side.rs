//! The two sides of a battle.

use crate::data::data;

use std::ops::{Index, IndexMut};

/// A side of a battle, and the index of arrays with a value for each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// The attacker.
    Attacker,
    /// The defender.
    Defender,
}

data!(
    enum Side {
        Attacker,
        Defender,
    }
);

impl Side {
    /// Both sides.
    pub const ALL: [Self; 2] = [Self::Attacker, Self::Defender];

    /// Returns the index in this order.
    #[inline]
    #[must_use]
    pub const fn idx(self) -> usize {
        self as usize
    }

    /// Returns the opposing side.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Attacker => Self::Defender,
            Self::Defender => Self::Attacker,
        }
    }

    /// Returns the word for the side.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Attacker => "attacker",
            Self::Defender => "defender",
        }
    }
}

impl<T> Index<Side> for [T; 2] {
    type Output = T;
    #[inline]
    fn index(&self, side: Side) -> &T {
        &self[side.idx()]
    }
}

impl<T> IndexMut<Side> for [T; 2] {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self[side.idx()]
    }
}
