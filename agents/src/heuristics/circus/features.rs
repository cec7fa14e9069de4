//! The features of circus for a spectator.

use engine::games::circus::{Circus, State};
use engine::{ByPlayer, Game};

use crate::spectator::{Course, Feature};

/// Maximum number of chariots of a seat. Absent chariots have no steps to go.
const TEAM: usize = 3;
/// Maximum number of cards of a seat.
const CARDS: usize = 8;

/// The features.
pub(super) const FEATURES: &[Feature] = &[
    feature("steps", "steps", "steps to the finish, over all chariots"),
    feature("behind", "steps", "steps to the finish of the last chariot"),
    feature("home", "chariots", "chariots in the finish"),
    feature("cards", "card values", "the values of the open cards, added up"),
    feature("to_come", "chariots", "chariots that are still to move in this round"),
];

const fn feature(name: &'static str, unit: &'static str, meaning: &'static str) -> Feature {
    Feature { name, unit, meaning }
}

pub(super) fn count(game: &Circus, s: &State, out: &mut Vec<ByPlayer<f64>>) {
    let n = game.n_players();
    let count = |counted: &dyn Fn(usize) -> u32| {
        ByPlayer::from_fn(|seat| if seat.idx() < n { f64::from(counted(seat.idx())) } else { 0.0 })
    };
    let last = |seat| (0..TEAM).map(|n| game.steps_to_go(s, seat, n)).max().unwrap_or(0);
    out.push(count(&|seat| game.team_steps(s, seat)));
    out.push(count(&last));
    out.push(count(&|seat| s.n_home(seat)));
    out.push(count(&|seat| game.largest_cards(s, seat, CARDS)));
    out.push(count(&|seat| s.still_to_move(seat) as u32));
}

/// Returns the progress of the race. The number of rounds is open.
pub(super) fn course(s: &State) -> Course {
    Course { round: Some(s.rounds()), ..Course::default() }
}
