//! What a map and a side can have at most.

/// Areas at most.
pub(super) const MAX_AREAS: usize = 16;
/// Sea routes at most.
pub(super) const MAX_ROUTES: usize = 8;
/// Ways from one area to another at most, each direction counted.
pub(super) const MAX_EDGES: usize = 64;
/// Legions or fleets of a side at most.
pub(super) const MAX_PIECES: u8 = 15;
/// The highest value of a card.
pub(super) const MAX_CARD: i64 = 15;
