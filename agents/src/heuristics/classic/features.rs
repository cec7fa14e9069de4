//! The features of classic for a spectator.

use engine::games::classic::units::Unit;
use engine::games::classic::{Classic, State};
use engine::{ByPlayer, Game, Player};

use super::evaluation::{Evaluation, threat};
use super::power::Counts;
use crate::spectator::{Course, Feature};

/// The features.
pub(super) const FEATURES: &[Feature] = &[
    feature("in_play", "0 or 1", "whether the seat is not out"),
    feature("homes", "provinces", "homes that are owned"),
    feature("own_home", "0 or 1", "whether the own home is owned"),
    feature("provinces", "provinces", "provinces that are owned"),
    feature("tribute", "talents", "tribute as things stand"),
    feature("prestige", "talents", "prestige as things stand"),
    feature("zones", "zones", "sea zones that are controlled"),
    feature("roads", "roads", "own roads"),
    feature("cities", "cities", "own cities, fortified or not"),
    feature("talents", "talents", "talents at hand"),
    feature("infantry", "troops", "infantry on the board"),
    feature("cavalry", "troops", "cavalry on the board"),
    feature("catapults", "troops", "catapults on the board"),
    feature("galleys", "galleys", "galleys on the board"),
    feature("generals", "generals", "own generals on the board"),
    feature("captives", "generals", "generals of others who are held"),
    feature("held", "generals", "own generals whom others hold"),
    feature("largest", "troops", "troops of the largest army with a leader"),
    feature(
        "caesar_threat",
        "troops",
        "by how much an army beside the caesar is stronger than what stands with it",
    ),
    feature(
        "home_threat",
        "troops",
        "by how much an army beside the own home is stronger than what stands there",
    ),
    feature("to_move", "0 or 1", "whether it is the seat's turn"),
];

const fn feature(name: &'static str, unit: &'static str, meaning: &'static str) -> Feature {
    Feature { name, unit, meaning }
}

/// Returns the counts of one seat, in the order of [`FEATURES`]; all are 0 for a player who is out.
fn of_seat(game: &Classic, s: &State, q: Player) -> [f64; FEATURES.len()] {
    if s.out().contains(q) {
        return [0.0; FEATURES.len()];
    }
    let one = |is: bool| f64::from(u8::from(is));
    let home = game.home_of(q);
    let owned = s.owned(q);
    let [provinces, zones, roads, cities] = game.standing(s, q);
    let places = s.armies(q) | s.leaders(q);
    let on_board = |unit: Unit| -> f64 {
        places.iter().map(|place| f64::from(s.troops(q, place).count(unit))).sum()
    };
    let players = Player::all(game.n_players());
    let generals: f64 = places.iter().map(|place| f64::from(s.troops(q, place).generals())).sum();
    let captives: u8 = players.clone().map(|owner| s.captives(q, owner)).sum();
    let held: u8 = players.filter(|&p| p != q).map(|captor| s.captives(captor, q)).sum();
    let led = (s.armies(q) & s.leaders(q)).iter();
    let largest = led.map(|place| s.troops(q, place).military()).max().unwrap_or_default();
    let hosts = Evaluation::hosts(game, s, q);
    let threat = |place| {
        let found = threat(&Counts, game, s, q, place, hosts);
        found.map_or(0.0, |(risk, own)| f64::from(risk - own))
    };
    [
        1.0,
        (owned & game.homes()).len().into(),
        one(owned.contains(home)),
        provinces.into(),
        game.tribute(s, q).into(),
        game.prestige(s, q).into(),
        zones.into(),
        roads.into(),
        cities.into(),
        s.talents(q).into(),
        on_board(Unit::Infantry),
        on_board(Unit::Cavalry),
        on_board(Unit::Catapult),
        (game.pool_of(Unit::Galley) - s.pool(q, Unit::Galley)).into(),
        generals,
        captives.into(),
        held.into(),
        largest.into(),
        s.caesar(q).filter(|place| place.is_province()).map_or(0.0, threat),
        if owned.contains(home) { threat(home) } else { 0.0 },
        one(s.turn() == q),
    ]
}

/// Calls `tell` with the counts of each of [`FEATURES`], in their order.
pub(super) fn each(game: &Classic, s: &State, tell: &mut dyn FnMut(ByPlayer<f64>)) {
    let n = game.n_players();
    let rows = ByPlayer::from_fn(|q| match q.idx() < n {
        true => of_seat(game, s, q),
        false => [0.0; FEATURES.len()],
    });
    for at in 0..FEATURES.len() {
        tell(ByPlayer::from_fn(|q| rows[q][at]));
    }
}

/// Returns the progress of the game. Rounds are stages, and their number is open.
pub(super) fn course(s: &State) -> Course {
    let over = u32::from(s.round().saturating_sub(1));
    Course { stage: Some(over), round: Some(over), done: None }
}
