//! Places: provinces, then sea zones, in one order, and sets of them.

use crate::bits::numbered;

/// Provinces of the board; a configuration changes them but adds none.
pub const N_PROVINCES: usize = 42;
/// Sea zones of the board.
pub const N_ZONES: usize = 18;
/// Number of provinces and sea zones.
pub const N_PLACES: usize = N_PROVINCES + N_ZONES;

numbered! {
    /// A province or a sea zone, in place order (1.5).
    Place,
    /// A set of places.
    PlaceSet;
}

/// All provinces.
pub(crate) const PROVINCES: PlaceSet = PlaceSet::from_bits((1 << N_PROVINCES) - 1);

impl Place {
    /// Returns whether the place is a province.
    #[inline]
    #[must_use]
    pub const fn is_province(self) -> bool {
        self.idx() < N_PROVINCES
    }
}

impl PlaceSet {
    /// Returns the provinces of the set.
    #[inline]
    #[must_use]
    pub fn provinces(self) -> Self {
        self & PROVINCES
    }

    /// Returns the sea zones of the set.
    #[inline]
    #[must_use]
    pub fn zones(self) -> Self {
        self - PROVINCES
    }
}
