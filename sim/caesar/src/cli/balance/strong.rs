//! The options of `--strong`: a stronger agent that is asked the first rows of a study again.

use clap::Args;

use crate::cli::files;
use lab::balance::strong;
use lab::balance::study::BalanceStudy;
use sim::config::numbers::whole;
use sim::error::Error;

/// Rows that are repeated, where no number is given.
pub(super) const TOP: u64 = 5;
/// Blocks of the stronger agent, where no number is given.
const BLOCKS: u64 = 40;

/// The options for a stronger agent.
#[derive(Debug, Default, Args)]
pub(super) struct Asking {
    /// Repeat the first rows with this stronger agent, as in 'mcts(iterations=200)'
    #[arg(long, value_name = "SPEC", conflicts_with = "shard")]
    pub(super) strong: Option<String>,
    /// Number of rows to repeat [default: 5]
    #[arg(long, value_name = "K", value_parser = whole, requires = "strong")]
    pub(super) top: Option<u64>,
    /// Blocks of the stronger agent; in a block every seat is treated in turn [default: 40]
    #[arg(long, value_name = "N", value_parser = whole, requires = "strong")]
    strong_blocks: Option<u64>,
}

/// Checks the stronger agent before the first game.
pub(super) fn check(study: &BalanceStudy, asking: &Asking) -> Result<(), Error> {
    let Some(agent) = &asking.strong else { return Ok(()) };
    if asking.top == Some(0) {
        return Err(Error::value("top", "0", "at least 1 row is repeated"));
    }
    strong::check(study, agent, asking.blocks(), &files::text)
}

impl Asking {
    /// Returns whether a stronger agent is asked.
    pub(super) const fn is_given(&self) -> bool {
        self.strong.is_some()
    }

    /// Returns the blocks of the stronger agent.
    pub(super) fn blocks(&self) -> u64 {
        self.strong_blocks.unwrap_or(BLOCKS)
    }
}
