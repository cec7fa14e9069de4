//! What a board of the race can have at most, and what everything here is measured by.

/// The directions as they are written; opposites are three apart.
pub const DIRECTION_IDS: [&str; 6] = ["e", "ne", "nw", "w", "sw", "se"];
/// Number of directions.
pub(super) const N_DIRECTIONS: usize = DIRECTION_IDS.len();
/// The largest value of a card.
pub(super) const MAX_CARD: usize = 8;
/// The most cells.
pub(super) const MAX_CELLS: usize = 250;
/// The most cells of the finish.
pub(super) const MAX_FINISH: usize = 16;
/// No cell.
pub(super) const NOWHERE: u8 = u8::MAX;

/// The most players.
pub(super) const MAX_SEATS: usize = 5;
/// The most chariots of a player; chariot `n` of seat `s` has the index `s * TEAM + n`.
pub(super) const TEAM: usize = 3;
/// The most chariots.
pub(super) const MAX_CHARIOTS: usize = MAX_SEATS * TEAM;
/// Words of all lines.
pub(super) const WORDS: usize = 12;

/// The lines of the board, as [`Board`](super::board::Board) has them.
pub(super) type Lines = [u64; WORDS];
