//! The position: pieces, proconsuls, points, and the seats that are to choose.

use super::board::Board;
use super::stacks::PROVINCES;
use super::{Action, MOST_SEATS};
use crate::data::data;
#[cfg(feature = "data")]
use crate::data::{Bits, Bytes, Each};
use crate::player::{Player, PlayerSet};

/// A position; 88 bytes.
///
/// Pieces are bytes of a word, one word for each seat and one byte for each province, so that one addition places a
/// stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(super) pieces: [u64; MOST_SEATS],
    pub(super) points: [u32; MOST_SEATS],
    pub(super) free: [u8; MOST_SEATS],
    /// The provinces with a proconsul of the seat, a bit for each.
    pub(super) held: [u8; MOST_SEATS],
    /// Stacks revealed in this round, while the Oracle players choose again; otherwise empty ones.
    pub(super) chosen: [Action; MOST_SEATS],
    /// The seats that choose now; empty when the game is over.
    pub(super) choosing: PlayerSet,
    /// The seats whose Ear is still to be played.
    pub(super) ears: PlayerSet,
    /// The seats whose Oracle is still to be played.
    pub(super) oracles: PlayerSet,
    /// The province that is scored next.
    pub(super) mark: u8,
    /// Number of rounds played.
    pub(super) round: u16,
}

data!(struct State { pieces in Each<Bytes>, points, free, held in Each<Bits>, chosen, choosing, ears, oracles, mark, round });

impl State {
    pub(super) fn new(board: &Board, n_players: usize) -> Self {
        let mut free = [0; MOST_SEATS];
        free[..n_players].fill(board.influence);
        for (free, laid) in free.iter_mut().zip(board.laid) {
            *free -= laid.to_le_bytes().iter().sum::<u8>();
        }
        Self {
            pieces: board.laid,
            points: [0; MOST_SEATS],
            free,
            held: [0; MOST_SEATS],
            chosen: [Action::EMPTY; MOST_SEATS],
            choosing: PlayerSet::first(n_players),
            ears: board.ears,
            oracles: board.oracles,
            mark: 0,
            round: 0,
        }
    }

    /// Returns the number of pieces of a seat in a province, its proconsul among them.
    #[inline]
    #[must_use]
    pub const fn pieces(&self, seat: usize, province: usize) -> u8 {
        (self.pieces[seat] >> (8 * province)) as u8
    }

    /// Returns the points of a seat.
    #[inline]
    #[must_use]
    pub const fn points(&self, seat: usize) -> u32 {
        self.points[seat]
    }

    /// Returns the number of pieces of a seat that are not on the board.
    #[inline]
    #[must_use]
    pub const fn free(&self, seat: usize) -> u8 {
        self.free[seat]
    }

    /// Returns the provinces with a proconsul of a seat, a bit for each.
    #[inline]
    #[must_use]
    pub const fn held(&self, seat: usize) -> u8 {
        self.held[seat]
    }

    /// Returns the seat of the proconsul of a province, if there is one.
    #[must_use]
    pub fn proconsul(&self, province: usize) -> Option<usize> {
        debug_assert!(province < PROVINCES);
        self.held.iter().position(|held| held >> province & 1 == 1)
    }

    /// Returns whether a seat can still play its Ear of the Emperor.
    #[inline]
    #[must_use]
    pub const fn has_ear(&self, seat: usize) -> bool {
        self.ears.contains(Player::new(seat))
    }

    /// Returns whether a seat can still play its Oracle.
    #[inline]
    #[must_use]
    pub const fn has_oracle(&self, seat: usize) -> bool {
        self.oracles.contains(Player::new(seat))
    }

    /// Returns the province that is scored next.
    #[inline]
    #[must_use]
    pub const fn mark(&self) -> usize {
        self.mark as usize
    }

    /// Returns the number of rounds played.
    #[inline]
    #[must_use]
    pub const fn round(&self) -> u32 {
        self.round as u32
    }

    /// Returns the stack that a seat has revealed in this round, while the Oracle players choose again.
    #[must_use]
    pub fn revealed(&self, seat: usize) -> Option<Action> {
        Some(self.chosen[seat]).filter(|&action| action != Action::EMPTY)
    }

    /// Returns whether some players have chosen in this round already and only the Oracle players choose again.
    #[must_use]
    pub fn is_second_choice(&self) -> bool {
        self.chosen != [Action::EMPTY; MOST_SEATS]
    }

    /// Returns whether `player` is among those who choose now.
    #[must_use]
    pub const fn is_choosing(&self, player: Player) -> bool {
        self.choosing.contains(player)
    }
}
