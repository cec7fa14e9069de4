//! Effect of forfeits on a run of games: one forfeit can end it, and many make it a failure.

use std::ops::ControlFlow;

use super::{Ending, note};
use lab::compare::verdict::MOST_FORFEITS;
use sim::config::Plan;
use sim::event::GameResult;

/// First forfeit of a run that ends with the block of the forfeit.
#[derive(Debug, Default)]
pub(super) struct Fault {
    /// Names of the entrants in results, if they are requested.
    names: Option<Vec<String>>,
    first: Option<String>,
    is_over: bool,
}

impl Fault {
    /// Creates a monitor of `plan` before its first game; without `is_enabled` it never ends a run.
    pub(super) fn new(is_enabled: bool, plan: &Plan) -> Self {
        Self { names: is_enabled.then(|| plan.names()), ..Self::default() }
    }

    /// Records a game. Returns `Break` with the last game of the block in which an agent forfeited, so that whole
    /// blocks are kept.
    pub(super) fn see(&mut self, game: &GameResult, games_per_block: u64) -> ControlFlow<()> {
        if let (Some(forfeit), Some(names)) = (&game.forfeit, &self.names) {
            let (number, seat) = (game.index + 1, forfeit.player + 1);
            let agent = &names[usize::from(game.seating[forfeit.player])];
            self.first.get_or_insert_with(|| {
                format!("game {number}, seat {seat}: {agent}: {}", forfeit.reason)
            });
        }
        self.is_over = self.first.is_some() && (game.index + 1).is_multiple_of(games_per_block);
        if self.is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Returns whether a forfeit has ended the run.
    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Prints the forfeit that ended the run and the fate of the run's games.
    pub(super) fn ended(&self, is_saved: bool) -> Ending {
        let first = self.first.as_deref().unwrap_or_default();
        note(&format!("ended at the first forfeit ({first}){}", what_is_kept(is_saved)));
        Ending::FaultsFound
    }
}

/// Returns the fate of the blocks of a run that a forfeit ended.
pub(super) const fn what_is_kept(is_saved: bool) -> &'static str {
    match is_saved {
        true => "; the blocks are saved; the same command with --resume continues",
        false => "; use --out to keep the blocks for --resume",
    }
}

/// Returns the ending of a complete run: with faults if the share of forfeited games exceeds [`MOST_FORFEITS`].
pub(super) fn ending(forfeits: u64, games: u64) -> Ending {
    match forfeits as f64 > MOST_FORFEITS * games as f64 {
        true => Ending::FaultsFound,
        false => Ending::Done,
    }
}
