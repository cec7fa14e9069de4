//! What forfeits do to a run of games: one ends it where this is asked for, and many make its end a failure.

use std::ops::ControlFlow;

use super::{Ending, note};
use lab::compare::verdict::MOST_FORFEITS;
use sim::config::Plan;
use sim::event::GameResult;

/// The first forfeit of a run that ends with the block in which somebody forfeits.
#[derive(Debug, Default)]
pub(super) struct Fault {
    /// What results call the entrants, where it is asked for.
    names: Option<Vec<String>>,
    first: Option<String>,
    is_over: bool,
}

impl Fault {
    /// Makes one that has seen nothing of `plan`; without `is_asked` it never ends a run.
    pub(super) fn new(is_asked: bool, plan: &Plan) -> Self {
        Self { names: is_asked.then(|| plan.names()), ..Self::default() }
    }

    /// Takes note of a game; `Break` with the last game of the block in which somebody forfeited, so that what is kept
    /// are whole blocks.
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

    /// Whether a forfeit has ended the run.
    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Says which forfeit has ended the run, and what becomes of its games.
    pub(super) fn ended(&self, is_saved: bool) -> Ending {
        let first = self.first.as_deref().unwrap_or_default();
        note(&format!("ended at the first forfeit ({first}){}", what_is_kept(is_saved)));
        Ending::FaultsFound
    }
}

/// What becomes of the blocks of a run that ended at a forfeit.
pub(super) const fn what_is_kept(is_saved: bool) -> &'static str {
    match is_saved {
        true => "; the blocks are saved, and the same command with --resume goes on",
        false => "; with --out the blocks would be kept for --resume",
    }
}

/// How a run of so many games ends that was played to its end: with faults where more than a part of [`MOST_FORFEITS`]
/// was forfeited.
pub(super) fn ending(forfeits: u64, games: u64) -> Ending {
    match forfeits as f64 > MOST_FORFEITS * games as f64 {
        true => Ending::FaultsFound,
        false => Ending::Done,
    }
}
