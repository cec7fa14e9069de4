//! `--strong`: the first rows of a study are asked again of a stronger agent.

use std::ops::ControlFlow;

use clap::Args;

use super::run::{How, Played, played};
use crate::cli::{files, note};
use crate::report::balance::StudyResult;
use crate::report::balance::strong::Strong;
use lab::balance::request::What;
use lab::balance::strong::{self, asked_again, first_rows, studies};
use lab::balance::study::BalanceStudy;
use sim::config::numbers::whole;
use sim::error::Error;

/// Rows that are asked again, where no number is given.
const TOP: u64 = 5;
/// Blocks of the stronger agent, where no number is given.
const BLOCKS: u64 = 40;

/// The options for a stronger agent.
#[derive(Debug, Default, Args)]
pub(super) struct Asking {
    /// Ask the first rows again of this stronger agent, as in 'mcts(iterations=200)'
    #[arg(long, value_name = "SPEC", conflicts_with = "shard")]
    strong: Option<String>,
    /// Number of rows to ask again [default: 5]
    #[arg(long, value_name = "K", value_parser = whole, requires = "strong")]
    top: Option<u64>,
    /// Blocks of the stronger agent; in a block every seat is treated in turn [default: 40]
    #[arg(long, value_name = "N", value_parser = whole, requires = "strong")]
    strong_blocks: Option<u64>,
}

/// Checks the stronger agent before the first game.
pub(super) fn check(study: &BalanceStudy, asking: &Asking) -> Result<(), Error> {
    let Some(agent) = &asking.strong else { return Ok(()) };
    if asking.top == Some(0) {
        return Err(Error::value("top", "0", "at least 1 row is asked again"));
    }
    strong::check(study, agent, asking.blocks(), &files::text)
}

impl Asking {
    /// Returns whether a stronger agent is asked.
    pub(super) const fn is_given(&self) -> bool {
        self.strong.is_some()
    }

    fn blocks(&self) -> u64 {
        self.strong_blocks.unwrap_or(BLOCKS)
    }
}

/// Plays the first rows with the stronger agent, each stage in a subdirectory. Returns the progress instead if it was
/// stopped.
pub(super) fn ask(
    study: &BalanceStudy,
    result: &StudyResult,
    asking: &Asking,
    how: &How<'_>,
) -> Result<ControlFlow<(u64, u64), Option<Strong>>, Error> {
    let Some(agent) = &asking.strong else { return Ok(ControlFlow::Continue(None)) };
    let top = asking.top.unwrap_or(TOP) as usize;
    let rows = first_rows(study, &result.effects, result.again.as_ref(), top);
    let mut all = Vec::new();
    for one in studies(study, &rows, agent, asking.blocks(), &files::text)? {
        let stage = one.validated().stages[0];
        let name = format!("strong-s{stage}");
        if !how.quiet {
            note(&format!("{name}: {}", one.validated().request.command(one.validated().what)));
        }
        let own = How { out: how.out.as_ref().map(|out| out.join(name)), confirms: false, ..*how };
        match played(&one, &own)? {
            Played::Whole(result, _) => all.push((one, result.effects)),
            Played::Stopped(blocks, of) => return Ok(ControlFlow::Break((blocks, of))),
            Played::Shard(_) => unreachable!("--strong has no shards"),
        }
    }
    let named = |study: &BalanceStudy| study.validated().agents().last().map(ToString::to_string);
    let strong = Strong {
        weak: named(study).unwrap_or_default(),
        agent: all.first().and_then(|(study, _)| named(study)).unwrap_or_else(|| agent.clone()),
        blocks: asking.blocks(),
        what: match study.validated().what {
            What::Cards => "worth of a card less its price",
            What::Provinces | What::Seats | What::Alliances => "worth of a token",
        },
        rows: asked_again(rows, &all),
    };
    Ok(ControlFlow::Continue(Some(strong)))
}
