//! Whether the blocks of a run are copies of each other, as where neither the game nor the agents draw lots.
//!
//! Intervals and p-values take blocks for independent draws. Two programs without randomness in a game without chance
//! play one block again and again: a thousand of them say no more than the first.

use std::collections::BTreeMap;

use engine::hash_of;

use super::outcomes::Outcome;
use crate::event::GameResult;

/// So many blocks of one table must be alike before they are called copies: fewer may be alike by chance.
const LEAST: u64 = 5;

/// Counts blocks that differ. Blocks are alike where all their games are, by what a row of results holds: who sat where,
/// points, scores, choices, and what was searched, in which searches that draw lots differ. Memory is a number for each
/// table.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    /// The hash of the open block.
    open: u64,
    /// By table: the hash of its first block, and how many there were.
    tables: BTreeMap<u32, (u64, u64)>,
    /// Whether two blocks of one table differ.
    differs: bool,
}

impl Copies {
    /// Adds who finished where to the open block, and nothing else of the game.
    pub(super) fn add_outcome(&mut self, outcome: &Outcome) {
        if !self.differs {
            self.open = hash_of(&(self.open, outcome));
        }
    }

    /// Adds a game to the open block.
    pub fn add(&mut self, game: &GameResult) {
        if self.differs {
            return;
        }
        let numbers = [game.points, game.scores].map(|by_seat| by_seat.map(f32::to_bits));
        let fault = game.forfeit.as_ref().map(|forfeit| (forfeit.player, &forfeit.reason));
        let searched = game.searched.as_ref().map(|all| format!("{all:?}"));
        self.open = hash_of(&(self.open, game.seating, numbers, game.plies, fault, searched));
    }

    /// Closes the block, which was played at this table.
    pub fn close_block(&mut self, table: u32) {
        let hash = std::mem::take(&mut self.open);
        if self.differs {
            return;
        }
        let (first, n) = self.tables.entry(table).or_insert((hash, 0));
        *n += 1;
        self.differs = *first != hash;
    }

    /// Returns whether all blocks of each table are alike, and those of one are at least five.
    #[must_use]
    pub fn is_all(&self) -> bool {
        !self.differs && self.tables.values().any(|&(_, n)| n >= LEAST)
    }

    /// Returns whether all blocks of each table are alike, and one table has two: resamples of them are all the same.
    pub(super) fn is_unanimous(&self) -> bool {
        !self.differs && self.tables.values().any(|&(_, n)| n > 1)
    }

    /// Returns the number of tables, of which each has one block and its copies.
    #[must_use]
    pub fn originals(&self) -> usize {
        self.tables.len()
    }
}
