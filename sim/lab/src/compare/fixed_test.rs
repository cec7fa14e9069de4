//! A comparison of a fixed number of blocks: nothing is tested before the last of them.

use std::ops::ControlFlow;

use super::arms::Block;
use super::block_stats::BlockStats;
use super::verdict::Word;
use sim::stats::fixed_length::Shown;
use sim::stats::{FixedLength, Null, Sides};

/// Hears of blocks until all are played.
#[derive(Clone, Debug)]
pub struct FixedTest {
    null: Null,
    effect: Option<f64>,
    block_stats: BlockStats,
    blocks: u64,
}

impl FixedTest {
    /// A test of `null`, and of an effect if one is stated, by `blocks` blocks of `n_arms` arms with `games_per_block`
    /// games in a block of each.
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

    /// The same of blocks that also have the luck behind their metric: [`BlockStats::with_luck`].
    #[must_use]
    pub fn with_luck(self, has_luck: bool) -> Self {
        Self { block_stats: self.block_stats.with_luck(has_luck), ..self }
    }

    /// Takes note of a block of each arm; `Break` when it was the last.
    pub fn add(&mut self, blocks: &[Block]) -> ControlFlow<()> {
        self.block_stats.add(blocks, 0);
        if self.was_stopped() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// What was heard.
    #[must_use]
    pub const fn block_stats(&self) -> &BlockStats {
        &self.block_stats
    }

    /// What is tested.
    #[must_use]
    pub const fn null(&self) -> &Null {
        &self.null
    }

    /// The effect that no difference is to be above, if one is stated.
    #[must_use]
    pub const fn effect(&self) -> Option<f64> {
        self.effect
    }

    /// Returns the word that the blocks come to. Of agents it speaks of their interval around 0; of rule sets an h0 above
    /// 0 is the size that a difference must have.
    #[must_use]
    pub fn word(&self) -> Word {
        if self.is_void() {
            return Word::None;
        }
        if self.was_stopped() {
            return Word::Undecided;
        }
        let Some(FixedLength { interval, shown, .. }) = self.told() else {
            // Values without bounds that all agree: for these blocks it is certain.
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

    /// Blocks that were to be played.
    #[must_use]
    pub const fn asked(&self) -> u64 {
        self.blocks
    }

    /// Whether it ended before its last block.
    #[must_use]
    pub const fn was_stopped(&self) -> bool {
        self.block_stats.blocks() < self.blocks
    }

    /// Whether there can be no verdict: too many forfeits, or copies of one game.
    fn is_void(&self) -> bool {
        self.block_stats.spoilt().is_some() || self.block_stats.are_copies()
    }

    /// What the blocks say; `None` where nothing is known of their spread, and without a verdict.
    #[must_use]
    pub fn told(&self) -> Option<FixedLength> {
        FixedLength::new(&self.null, self.block_stats.moments()).filter(|_| !self.is_void())
    }
}
