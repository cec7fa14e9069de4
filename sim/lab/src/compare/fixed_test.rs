//! A test of fixed length: it is evaluated once, after the last of a fixed number of blocks.

use std::ops::ControlFlow;

use super::arms::Block;
use super::block_stats::BlockStats;
use super::verdict::Word;
use sim::stats::fixed_length::Shown;
use sim::stats::{FixedLength, Null, Sides};

/// A test of fixed length and its blocks so far.
#[derive(Clone, Debug)]
pub struct FixedTest {
    null: Null,
    effect: Option<f64>,
    block_stats: BlockStats,
    blocks: u64,
}

impl FixedTest {
    /// Creates a test of `null`, and of an effect if one is stated, with `blocks` blocks of `n_arms` arms, and
    /// `games_per_block` games in a block of each.
    #[must_use]
    pub fn new(
        null: Null,
        effect: Option<f64>,
        n_arms: usize,
        games_per_block: u64,
        blocks: u64,
    ) -> Self {
        Self { null, effect, block_stats: BlockStats::new(n_arms, games_per_block), blocks }
    }

    /// Adds a regression on luck if blocks have a luck value: [`BlockStats::with_luck`].
    #[must_use]
    pub fn with_luck(self, has_luck: bool) -> Self {
        Self { block_stats: self.block_stats.with_luck(has_luck), ..self }
    }

    /// Adds a block of each arm; returns `Break` after the last.
    pub fn add(&mut self, blocks: &[Block]) -> ControlFlow<()> {
        self.block_stats.add(blocks, 0);
        if self.was_stopped() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Returns the sums over the blocks.
    #[must_use]
    pub const fn block_stats(&self) -> &BlockStats {
        &self.block_stats
    }

    /// Returns the null hypothesis.
    #[must_use]
    pub const fn null(&self) -> &Null {
        &self.null
    }

    /// Returns the effect above which a difference counts, if one is stated.
    #[must_use]
    pub const fn effect(&self) -> Option<f64> {
        self.effect
    }

    /// Returns the verdict. For agents it rests on the interval around 0. For rule sets, an h0 above 0 is the size
    /// that a difference must exceed.
    #[must_use]
    pub fn word(&self) -> Word {
        if self.is_void() {
            return Word::None;
        }
        if self.was_stopped() {
            return Word::Undecided;
        }
        let Some(FixedLength { interval, shown, .. }) = self.result() else {
            // Unbounded values that all agree: for these blocks the result is certain.
            let effect = self.block_stats.moments().mean() - self.null.zero;
            return match () {
                () if effect > self.null.h0 => Word::Better,
                () if effect < -self.null.h0 => Word::Worse,
                () => Word::NoDifference,
            };
        };
        match shown {
            _ if self.null.sides == Sides::Above => Word::of_interval(interval, self.effect),
            Shown::Above => Word::Better,
            Shown::Below => Word::Worse,
            Shown::Within => Word::NoDifference,
            Shown::Nothing if self.null.h0 > 0.0 => Word::Undecided,
            Shown::Nothing => Word::of_interval(interval, self.effect),
        }
    }

    /// Returns the planned number of blocks.
    #[must_use]
    pub const fn planned_blocks(&self) -> u64 {
        self.blocks
    }

    /// Returns true if it ended before its last block.
    #[must_use]
    pub const fn was_stopped(&self) -> bool {
        self.block_stats.blocks() < self.blocks
    }

    /// Returns true if no verdict is possible, because of too many forfeits or copies of one game.
    fn is_void(&self) -> bool {
        self.block_stats.spoilt().is_some() || self.block_stats.are_copies()
    }

    /// Returns the test's result; `None` if the spread is unknown or no verdict is possible.
    #[must_use]
    pub fn result(&self) -> Option<FixedLength> {
        FixedLength::new(&self.null, self.block_stats.moments()).filter(|_| !self.is_void())
    }
}
