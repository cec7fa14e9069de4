//! Limits on a board of the race, and sizes that follow from them.

/// The directions in texts; opposites are three apart.
pub const DIRECTION_IDS: [&str; 6] = ["e", "ne", "nw", "w", "sw", "se"];
/// Number of directions.
pub(super) const N_DIRECTIONS: usize = DIRECTION_IDS.len();
/// The largest value of a card.
pub(super) const MAX_CARD: usize = 8;
/// The largest number of cells.
pub(super) const MAX_CELLS: usize = 250;
/// The largest number of cells of the finish.
pub(super) const MAX_FINISH: usize = 16;
/// The number that stands for no cell.
pub(super) const NOWHERE: u8 = u8::MAX;

/// The largest number of players.
pub(super) const MAX_SEATS: usize = 5;
/// The largest number of chariots of a player; chariot `n` of seat `s` has the index `s * TEAM + n`.
pub(super) const TEAM: usize = 3;
/// The largest number of chariots.
pub(super) const MAX_CHARIOTS: usize = MAX_SEATS * TEAM;
/// Number of words of all lines.
pub(super) const WORDS: usize = 12;

/// The lines of the board, in the layout of [`Board`](super::board::Board).
pub(super) type Lines = [u64; WORDS];
