//! A comparison of a fixed number of blocks: nothing is tested before the last of them.

use std::ops::ControlFlow;

use super::arms::Block;
use super::heard::Heard;
use crate::stats::{FixedLength, Null};

/// Hears of blocks until all are played.
#[derive(Clone, Debug)]
pub struct FixedTest {
    null: Null,
    heard: Heard,
    blocks: u64,
}

impl FixedTest {
    /// A test of `null` by `blocks` blocks of `n_arms` arms with `games_per_block` games in a block of each.
    #[must_use]
    pub fn new(null: Null, n_arms: usize, games_per_block: u64, blocks: u64) -> Self {
        Self { null, heard: Heard::new(n_arms, games_per_block), blocks }
    }

    /// The same of blocks that also have the luck behind their metric: [`Heard::with_luck`].
    #[must_use]
    pub fn with_luck(self, has_luck: bool) -> Self {
        Self { heard: self.heard.with_luck(has_luck), ..self }
    }

    /// Takes note of a block of each arm; `Break` when it was the last.
    pub fn hear(&mut self, blocks: &[Block]) -> ControlFlow<()> {
        self.heard.hear(blocks, 0);
        if self.was_stopped() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// What was heard.
    #[must_use]
    pub const fn heard(&self) -> &Heard {
        &self.heard
    }

    /// What is tested.
    #[must_use]
    pub const fn null(&self) -> &Null {
        &self.null
    }

    /// Blocks that were to be played.
    #[must_use]
    pub const fn asked(&self) -> u64 {
        self.blocks
    }

    /// Whether it ended before its last block.
    #[must_use]
    pub const fn was_stopped(&self) -> bool {
        self.heard.blocks() < self.blocks
    }

    /// What the blocks say; `None` where nothing is known of their spread.
    #[must_use]
    pub fn told(&self) -> Option<FixedLength> {
        FixedLength::new(&self.null, self.heard.moments())
    }
}
