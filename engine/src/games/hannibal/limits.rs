//! Limits on a map and a side.

/// Largest number of areas.
pub(super) const MAX_AREAS: usize = 16;
/// Largest number of sea routes.
pub(super) const MAX_ROUTES: usize = 8;
/// Largest number of ways from one area to another, with each direction counted.
pub(super) const MAX_EDGES: usize = 64;
/// Largest number of legions or fleets of a side.
pub(super) const MAX_PIECES: u8 = 15;
/// The highest value of a card.
pub(super) const MAX_CARD: i64 = 15;
