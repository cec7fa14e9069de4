//! The check of a position from a document: pieces and cards within their stocks, then the decision that is due.
//!
//! - `board`: seats, pieces, cards, tokens and cities, and what follows from them.
//! - `senators`: what seats know of hands.
//! - `course`: seasons, auctions, starting units, and votes.
//! - `turn`: the actions of a turn.
//! - `battle`: battles on land and at sea.

mod battle;
mod board;
mod course;
mod senators;
mod turn;

use super::model::options::Options;
use super::model::phase::Phase;
use super::{Conquest2, State};
use crate::by_hand::ByHand;
use crate::data::BadData;

type Finding = Result<(), BadData>;

impl ByHand for Conquest2 {
    const DERIVED: &'static [&'static str] =
        &["army", "leaders", "pool", "supply", "displayed", "options", "milestone"];

    fn complete(&self, s: &mut State) -> Finding {
        self.check_seats(s)?;
        self.check_map(s)?;
        self.complete_units(s)?;
        self.complete_influence(s)?;
        self.complete_cards(s)?;
        self.check_clock(s)?;
        let is_setup = matches!(s.phase(), Phase::FirstPlayer | Phase::SetupToken);
        s.milestone = if is_setup { 0 } else { s.season + 1 };
        self.audit_board(s).map_err(BadData::of)?;
        self.check_knowledge(s)?;
        self.check_course(s)?;
        self.audit_battle(s).map_err(BadData::of)?;
        let is_decision = s.phase() != Phase::Over && !s.phase().is_chance();
        s.options = if is_decision { self.options(s) } else { Options::NONE };
        self.audit_choice(s).map_err(BadData::of)
    }
}
