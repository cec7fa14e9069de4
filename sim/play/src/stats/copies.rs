//! Detection of copied blocks: all blocks of a run, or of one pair, may be equal if neither game nor agents are random.
//!
//! Intervals and p-values treat blocks as independent draws. Two programs without randomness in a game without chance
//! play one block again and again: a thousand copies carry no more information than the first.

use std::collections::{BTreeMap, BTreeSet};

use engine::hash_of;

use super::outcomes::Outcome;
use crate::event::GameResult;

/// The smallest number of equal blocks of one table that count as copies; fewer may be equal by chance.
pub const LEAST: u64 = 5;

/// A counter of blocks that differ, table by table.
///
/// Blocks are equal if the result rows of all their games are equal: seating, points, scores, choices and search
/// counts. Search counts differ for random searches. Memory is a few numbers for each table.
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
    /// The agents at the table.
    agents: BTreeSet<usize>,
    /// The hash of the first block.
    first: u64,
    n: u64,
    /// True if two blocks differ.
    differ: bool,
}

impl Copies {
    /// Opens a block at this table, at which these agents sit.
    pub(super) fn open_block(&mut self, table: u32, agents: impl Iterator<Item = usize>) {
        (self.table, self.open) = (table, 0);
        self.tables.entry(table).or_default().agents.extend(agents);
    }

    /// Returns whether the decision on the open table is final: two of its blocks differ.
    fn is_settled(&self) -> bool {
        self.tables.get(&self.table).is_some_and(|blocks| blocks.differ)
    }

    /// Adds only the finishing order of a game to the open block.
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

    /// Returns whether all blocks of each table are equal, with at least five blocks at some table.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.are_copies(LEAST, |_| true)
    }

    /// Returns whether all blocks of each table with both agents are equal, with at least five blocks at some table.
    #[must_use]
    pub fn is_pair(&self, a: usize, b: usize) -> bool {
        self.are_copies(LEAST, |blocks| blocks.agents.contains(&a) && blocks.agents.contains(&b))
    }

    /// Returns whether all blocks of each table with the agent are equal, with at least five blocks at some table.
    #[must_use]
    pub fn is_all_of(&self, agent: usize) -> bool {
        self.are_copies(LEAST, |blocks| blocks.agents.contains(&agent))
    }

    /// Returns whether all blocks of each table are equal, with two blocks at some table: then all resamples are equal.
    pub(super) fn is_unanimous(&self) -> bool {
        self.are_copies(2, |_| true)
    }

    /// Returns whether all blocks of each table with `is_it` are equal, with at least `least` blocks at some table.
    fn are_copies(&self, least: u64, is_it: impl Fn(&Blocks) -> bool) -> bool {
        let mut such = self.tables.values().filter(|blocks| is_it(blocks));
        let longest = such.clone().map(|blocks| blocks.n).max();
        longest.is_some_and(|n| n >= least) && such.all(|blocks| !blocks.differ)
    }

    /// Returns the number of tables; each has one block and its copies.
    #[must_use]
    pub fn originals(&self) -> usize {
        self.tables.len()
    }
}
