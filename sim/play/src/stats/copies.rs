//! Whether the blocks of a run, or those of one pair of it, are copies of each other, as where neither the game nor the
//! agents draw lots.
//!
//! Intervals and p-values take blocks for independent draws. Two programs without randomness in a game without chance
//! play one block again and again: a thousand of them say no more than the first.

use std::collections::{BTreeMap, BTreeSet};

use engine::hash_of;

use super::outcomes::Outcome;
use crate::event::GameResult;

/// So many blocks of one table must be alike before they are called copies: fewer may be alike by chance.
pub const LEAST: u64 = 5;

/// Counts blocks that differ, table by table. Blocks are alike where all their games are, by what a row of results holds:
/// who sat where, points, scores, choices, and what was searched, in which searches that draw lots differ. Memory is a few
/// numbers for each table.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    /// The table of the open block.
    table: u32,
    /// The hash of the open block.
    open: u64,
    tables: BTreeMap<u32, Blocks>,
}

/// The blocks of a table.
#[derive(Clone, Debug, Default)]
struct Blocks {
    /// Who sat there.
    agents: BTreeSet<usize>,
    /// The hash of the first.
    first: u64,
    n: u64,
    /// Whether two of them differ.
    differ: bool,
}

impl Copies {
    /// Opens a block at this table, at which these agents sit.
    pub(super) fn open_block(&mut self, table: u32, agents: impl Iterator<Item = usize>) {
        (self.table, self.open) = (table, 0);
        self.tables.entry(table).or_default().agents.extend(agents);
    }

    /// Whether nothing that is played at the open table changes what is known of it.
    fn is_settled(&self) -> bool {
        self.tables.get(&self.table).is_some_and(|blocks| blocks.differ)
    }

    /// Adds who finished where to the open block, and nothing else of the game.
    pub(super) fn add_outcome(&mut self, outcome: &Outcome) {
        if !self.is_settled() {
            self.open = hash_of(&(self.open, outcome));
        }
    }

    /// Adds a game to the open block.
    pub(super) fn add(&mut self, game: &GameResult) {
        if self.is_settled() {
            return;
        }
        let numbers = [game.points, game.scores].map(|by_seat| by_seat.map(f32::to_bits));
        let fault = game.forfeit.as_ref().map(|forfeit| (forfeit.player, &forfeit.reason));
        let searched = game.searched.as_ref().map(|all| format!("{all:?}"));
        self.open = hash_of(&(self.open, game.seating, numbers, game.plies, fault, searched));
    }

    /// Closes the open block.
    pub(super) fn close_block(&mut self) {
        let blocks = self.tables.entry(self.table).or_default();
        if blocks.n == 0 {
            blocks.first = self.open;
        }
        blocks.n += 1;
        blocks.differ |= blocks.first != self.open;
    }

    /// Returns whether all blocks of each table are alike, and those of one are at least five.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.are_copies(LEAST, |_| true)
    }

    /// Returns whether all blocks of each table at which both agents sit are alike, and those of one are at least five.
    #[must_use]
    pub fn is_pair(&self, a: usize, b: usize) -> bool {
        self.are_copies(LEAST, |blocks| blocks.agents.contains(&a) && blocks.agents.contains(&b))
    }

    /// Returns whether all blocks of each table at which the agent sits are alike, and those of one are at least five.
    #[must_use]
    pub fn is_all_of(&self, agent: usize) -> bool {
        self.are_copies(LEAST, |blocks| blocks.agents.contains(&agent))
    }

    /// Returns whether all blocks of each table are alike, and one table has two: resamples of them are all the same.
    pub(super) fn is_unanimous(&self) -> bool {
        self.are_copies(2, |_| true)
    }

    /// Whether all blocks of each table of which `is_it` holds are alike, and those of one are at least `least`.
    fn are_copies(&self, least: u64, is_it: impl Fn(&Blocks) -> bool) -> bool {
        let mut such = self.tables.values().filter(|blocks| is_it(blocks));
        let longest = such.clone().map(|blocks| blocks.n).max();
        longest.is_some_and(|n| n >= least) && such.all(|blocks| !blocks.differ)
    }

    /// Returns the number of tables, of which each has one block and its copies.
    #[must_use]
    pub fn originals(&self) -> usize {
        self.tables.len()
    }
}
