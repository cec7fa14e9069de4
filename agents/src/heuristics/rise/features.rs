//! The features of rise for a spectator.

use engine::games::rise::things::{Good, N_REGIONS, N_TERRITORIES, N_TURNS, Region, Territory};
use engine::games::rise::{Rise, State};
use engine::{ByPlayer, Game};

use crate::spectator::{Course, Feature};

/// The features.
pub(super) const FEATURES: &[Feature] = &[
    feature("points", "points", "points so far"),
    feature("gold", "gold", "gold"),
    feature("discs", "discs", "resource discs"),
    feature("food", "steps", "the food marker"),
    feature("harvest", "steps", "food that comes or goes at the end of this turn, choices aside"),
    feature("pool", "cubes", "cubes in the pool"),
    feature("on_map", "cubes", "cubes on the map"),
    feature("regions", "regions", "regions with own cubes"),
    feature("region_points", "points", "points that regions would give now"),
    feature("progress", "tiles", "progress tiles"),
    feature("territory", "tiles", "territory tiles"),
    feature("cities", "tiles", "cities"),
    feature("income_gold", "gold", "gold that tiles and regions give every turn"),
    feature("income_discs", "discs", "discs that tiles and regions give every turn"),
    feature("income_cubes", "cubes", "cubes that tiles and regions give every turn"),
    feature("income_points", "points", "points that tiles give every turn"),
    feature("place", "places", "the place in the turn order, from 0"),
];

const fn feature(name: &'static str, unit: &'static str, meaning: &'static str) -> Feature {
    Feature { name, unit, meaning }
}

pub(super) fn count(game: &Rise, s: &State, out: &mut Vec<ByPlayer<f64>>) {
    each(game, s, &mut |count| out.push(count));
}

/// Calls `tell` with the counts of each of [`FEATURES`], in their order.
pub(super) fn each(game: &Rise, s: &State, tell: &mut dyn FnMut(ByPlayer<f64>)) {
    let n = game.n_players();
    let count = |counted: &dyn Fn(usize) -> i32| {
        ByPlayer::from_fn(|seat| if seat.idx() < n { f64::from(counted(seat.idx())) } else { 0.0 })
    };
    let on_map = |seat: usize| Region::first(N_REGIONS).map(|region| s.cubes(seat, region)).sum();
    let tiles =
        |seat: usize| Territory::first(N_TERRITORIES).map(|tile| s.territory(seat, tile)).sum();
    let of_regions = game.region_points(s);
    let income =
        |seat: usize, good: Good| (game.tile_income(s, seat) + game.region_income(s, seat))[good];
    tell(count(&|seat| s.vp(seat)));
    tell(count(&|seat| s.gold(seat)));
    tell(count(&|seat| s.resource(seat)));
    tell(count(&|seat| s.food(seat)));
    tell(count(&|seat| game.food_due(s, seat)));
    tell(count(&|seat| s.pool(seat)));
    tell(count(&on_map));
    tell(count(&|seat| s.held(seat).len() as i32));
    tell(count(&|seat| of_regions[seat]));
    tell(count(&|seat| s.progress(seat).len() as i32));
    tell(count(&tiles));
    tell(count(&|seat| s.cities(seat).len() as i32));
    tell(count(&|seat| income(seat, Good::Gold)));
    tell(count(&|seat| income(seat, Good::Resource)));
    tell(count(&|seat| income(seat, Good::Cubes)));
    tell(count(&|seat| game.tile_income(s, seat)[Good::Vp]));
    tell(count(&|seat| s.place_of(engine::Player::new(seat)) as i32));
}

/// Returns the progress of the game. Turns are stages; a game has six turns of six rounds.
pub(super) fn course(game: &Rise, s: &State) -> Course {
    let per_turn = u32::from(game.board().actions_per_turn());
    let (turn, round) = (u32::from(s.turn()), u32::from(s.round()));
    let is_over = usize::from(s.turn()) >= N_TURNS;
    let rounds = turn * per_turn + if is_over { 0 } else { round };
    let done = f64::from(rounds) / f64::from(N_TURNS as u32 * per_turn);
    Course { stage: Some(turn), round: Some(rounds), done: Some(done) }
}
