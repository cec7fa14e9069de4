//! The features of imperium for a spectator.

use engine::games::imperium::stacks::PROVINCES;
use engine::games::imperium::{Imperium, State};
use engine::{ByPlayer, Game};

use crate::spectator::{Course, Feature};

/// The features.
pub(super) const FEATURES: &[Feature] = &[
    feature("points", "points", "points scored so far"),
    feature("free", "pieces", "pieces that are not on the board"),
    feature("proconsuls", "proconsuls", "provinces in which the seat has the proconsul"),
    feature("majorities", "provinces", "provinces in which nobody has more pieces"),
    feature("next", "pieces", "pieces in the province that is scored next"),
    feature("ear", "0 or 1", "whether the Ear of the Emperor is still to be played"),
    feature("oracle", "0 or 1", "whether the Oracle is still to be played"),
];

const fn feature(name: &'static str, unit: &'static str, meaning: &'static str) -> Feature {
    Feature { name, unit, meaning }
}

pub(super) fn count(game: &Imperium, s: &State, out: &mut Vec<ByPlayer<f64>>) {
    each(game, s, &mut |count| out.push(count));
}

/// Calls `tell` with the counts of each of [`FEATURES`], in their order.
pub(super) fn each(game: &Imperium, s: &State, tell: &mut dyn FnMut(ByPlayer<f64>)) {
    let n = game.n_players();
    let count = |counted: &dyn Fn(usize) -> f64| {
        ByPlayer::from_fn(|seat| if seat.idx() < n { counted(seat.idx()) } else { 0.0 })
    };
    let leads = |seat: usize, province: usize| {
        let here = s.pieces(seat, province);
        here > 0 && (0..n).all(|other| s.pieces(other, province) <= here)
    };
    let yes = |is_so: bool| f64::from(u8::from(is_so));
    tell(count(&|seat| s.points(seat).into()));
    tell(count(&|seat| s.free(seat).into()));
    tell(count(&|seat| s.held(seat).count_ones().into()));
    tell(count(&|seat| (0..PROVINCES).filter(|&province| leads(seat, province)).count() as f64));
    tell(count(&|seat| s.pieces(seat, s.mark()).into()));
    tell(count(&|seat| yes(s.has_ear(seat))));
    tell(count(&|seat| yes(s.has_oracle(seat))));
}

/// Returns the progress of the game. The number of rounds is open.
pub(super) fn course(s: &State) -> Course {
    Course { round: Some(s.round()), ..Course::default() }
}
