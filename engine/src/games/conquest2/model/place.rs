//! Provinces, sea zones, key provinces and city sites as types, and sets of them.

use crate::bits::numbered;

/// Provinces of the board; a configuration changes them but adds none.
pub const N_PROVINCES: usize = 42;
/// Sea zones of the board.
pub const N_ZONES: usize = 18;
/// Largest number of key provinces.
pub const MAX_KEYS: usize = 12;

numbered! {
    /// A province, in board order.
    Place,
    /// A set of provinces.
    PlaceSet;
    /// A sea zone, in board order.
    Zone,
    /// A set of sea zones.
    ZoneSet;
    /// A key province among the key provinces, in board order.
    Key,
    /// A set of key provinces.
    KeySet;
    /// A province in which a city can be built, among these.
    Site,
    /// A set of city sites.
    SiteSet;
}
