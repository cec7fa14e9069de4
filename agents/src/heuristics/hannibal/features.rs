//! The features of hannibal for a spectator.

use engine::games::hannibal::{CARTHAGE, Hannibal, Phase, ROME, State};
use engine::{ByPlayer, bits};

use crate::spectator::{Course, Feature, to_move};

/// The features.
pub(super) const FEATURES: &[Feature] = &[
    feature("legions", "legions", "legions on the map, Hannibal as one"),
    feature("fleets", "fleets", "fleets on the map"),
    feature("cards", "card values", "the values of the cards in hand, added up"),
    feature("groups", "groups", "groups of the domination list in which it has a legion"),
    feature("missing", "0 or 1", "whether one group or none is missing"),
    feature("entry", "0 or 1", "whether a legion stands beside the enemy's capital"),
    feature("hannibal", "0 or 1", "whether Hannibal is in play, for Carthage"),
    feature("to_move", "0 or 1", "whether its turn is due"),
];

const fn feature(name: &'static str, unit: &'static str, meaning: &'static str) -> Feature {
    Feature { name, unit, meaning }
}

pub(super) fn count(game: &Hannibal, s: &State, out: &mut Vec<ByPlayer<f64>>) {
    each(game, s, &mut |count| out.push(count));
}

/// Calls `tell` with the counts of each of [`FEATURES`], in their order.
pub(super) fn each(game: &Hannibal, s: &State, tell: &mut dyn FnMut(ByPlayer<f64>)) {
    let sides = [CARTHAGE, ROME].map(|seat| side(game, s, seat));
    let [carthage, rome] = sides;
    for (of_carthage, of_rome) in carthage.into_iter().zip(rome) {
        let mut counted = ByPlayer::default();
        (counted.0[CARTHAGE], counted.0[ROME]) = (of_carthage, of_rome);
        tell(counted);
    }
    tell(if s.phase() == Phase::Turn { to_move(game, s) } else { ByPlayer::default() });
}

/// Returns all features but the last.
fn side(game: &Hannibal, s: &State, seat: usize) -> [f64; 7] {
    let has_hannibal = seat == CARTHAGE && s.hannibal() != 0;
    let held = s.held(seat);
    let groups = game.groups(seat);
    let reached = groups.iter().filter(|&&group| group & held != 0).count();
    let capital = 1 << game.capital(1 - seat);
    let is_near = |area: u8| game.reach(area, s.routes(seat)) & capital != 0;
    let can_enter = game.capital_entry_wins() && bits::each(held.into()).any(is_near);
    [
        f64::from(s.n_legions(seat)) + f64::from(u8::from(has_hannibal)),
        f64::from(s.n_fleets(seat)),
        bits::each(s.hand(seat).into()).map(|card: u8| f64::from(card)).sum(),
        reached as f64,
        f64::from(u8::from(reached + 1 >= groups.len())),
        f64::from(u8::from(can_enter)),
        f64::from(u8::from(has_hannibal)),
    ]
}

/// Returns the progress of the game. Rounds are turns of both sides; their number is open.
pub(super) fn course(s: &State) -> Course {
    Course { round: Some(u32::from(s.turns()) / 2), ..Course::default() }
}
