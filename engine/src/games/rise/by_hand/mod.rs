//! The check of a position from a document: goods and tiles within their stocks, then the decision that is due.
//!
//! - `board`: goods, cubes, tiles and discs.
//! - `course`: turns, orders, draws and the end.
//! - `action`: the action of a player under way.
//! - `upkeep`: food, goods of choice, and tiles to keep.

mod action;
mod board;
mod course;
mod upkeep;

use super::board::Source;
use super::state::{Phase, State};
use super::things::BoxSet;
use super::{Rise, things};
use crate::by_hand::ByHand;
use crate::data::BadData;

type Finding = Result<(), BadData>;

impl ByHand for Rise {
    const DERIVED: &'static [&'static str] =
        &["set", "n_options", "on_trade", "choosers", "milestone"];

    fn complete(&self, s: &mut State) -> Finding {
        self.complete_trade(s)?;
        self.check_board(s)?;
        self.check_detail(s)?;
        self.complete_course(s)?;
        self.check_closing(s)?;
        let is_decision = !matches!(
            s.phase,
            Phase::Order | Phase::DrawProgress | Phase::DrawTerritory | Phase::Over
        );
        (s.set, s.n_options) = ([0; 2], 0);
        if is_decision {
            self.find_options(s);
        }
        // The audit knows no tiles that come from outside.
        let is_closed = !self.board.outside.gives_tiles();
        if is_closed { self.audit(s).map_err(BadData::of) } else { Ok(()) }
    }
}

impl Rise {
    /// Checks the parts that a record shows of the end of a turn, until a ply is made.
    fn check_closing(&self, s: &State) -> Finding {
        if !s.closing.is_shown {
            let fault = "nothing is shown: it is as at the start";
            return crate::by_hand::demand(s.closing == Default::default(), "closing", fault);
        }
        let shown = State { boxes: BoxSet::EMPTY, on_trade: 0, ..s.shown() };
        self.check_board(&shown).map_err(|bad| bad.within("closing"))
    }

    /// Returns the number of units of choice that a source gives a seat (2.3).
    fn units_of(s: &State, seat: usize, source: &Source) -> i32 {
        let is_own = source.of.is_none_or(|tile| s.progress[seat].contains(tile));
        if is_own { source.amount * s.territory(seat, source.tile) } else { 0 }
    }
}

/// Returns whether a set has no member from `n` on.
fn is_within<T: crate::bits::Numbered>(set: crate::bits::Set<T>, n: usize) -> bool {
    debug_assert!(n <= things::N_CITIES, "no thing has more kinds than cities");
    set.bits() >> n == 0
}
