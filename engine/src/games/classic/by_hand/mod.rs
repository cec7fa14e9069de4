//! The check of a position from a document: pieces within their pools, then the decision that is due.
//!
//! - `board`: seats, pieces, cargo, and what follows from them.
//! - `course`: the set-up, movement, the market and the end.
//! - `battle`: battles, and leaders who fell in one.

mod battle;
mod board;
mod course;

use super::model::phase::Phase;
use super::{Classic, State};
use crate::by_hand::ByHand;
use crate::data::BadData;
use crate::games::shared::options::Options;

type Finding = Result<(), BadData>;

impl ByHand for Classic {
    const DERIVED: &'static [&'static str] = &["army", "leaders", "pool", "options", "milestone"];

    fn complete(&self, s: &mut State) -> Finding {
        self.check_seats(s)?;
        self.check_map(s)?;
        self.complete_pieces(s)?;
        s.milestone = s.round;
        if matches!(s.phase, Phase::Claim | Phase::Place) {
            self.check_setup(s)?;
        } else {
            self.check_cargo(s)?;
            self.check_course(s)?;
            self.check_battle(s)?;
        }
        let is_decision = s.phase != Phase::Over && !s.phase.is_chance();
        s.options = if is_decision { self.options(s) } else { Options::NONE };
        self.audit(s).map_err(BadData::of)
    }
}
