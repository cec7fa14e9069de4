//! The inputs of a net that values positions of rise: who stands where, tile by tile, seat by seat.
//!
//! Nothing is hidden in rise. Seats are told apart by what they have and by their places in the orders of turns, never by
//! their number.

use engine::games::rise::things::{
    N_CITIES, N_EMPIRES, N_PROGRESS, N_REGIONS, N_TERRITORIES, Region, Row, Territory,
};
use engine::games::rise::{Rise, State};
use engine::{ByPlayer, Game, MAX_PLAYERS, Player, Turn};

use super::evaluation::{Evaluation, is_acting};
use super::value::N;
use crate::heuristics::leaf_value::{MapInputs, OwnNets};
use crate::heuristics::linear::Counter;
use crate::net::{InputGroup, Inputs, Layout, SeatInputs, Slot};

/// Marks of the thermometer of gold.
const PURSES: [i32; 8] = [1, 2, 4, 6, 9, 12, 16, 22];
/// Marks of the thermometer of cubes in the pool.
const POOLS: [i32; 6] = [1, 2, 4, 6, 9, 13];
/// Rounds of a turn with an input of their own; later ones share the last.
const ROUNDS: usize = 8;

/// The inputs of a seat.
const SEAT: &[InputGroup] = &[
    InputGroup::shared("cubes", N_REGIONS, 3.0, 40, "cubes in a region"),
    InputGroup::own(
        "lead",
        N_REGIONS,
        3.0,
        40,
        "cubes beyond those of its best rival there, where it has some",
    ),
    InputGroup::own(
        "rival",
        N_REGIONS,
        3.0,
        40,
        "the cubes of its best rival there, where it has some",
    ),
    InputGroup::own(
        "first",
        N_REGIONS,
        1.0,
        1,
        "whether nobody has more cubes there, and it has some",
    ),
    InputGroup::own("alone", N_REGIONS, 1.0, 1, "whether it alone has most"),
    InputGroup::shared("allied", N_REGIONS, 1.0, 1, "whether its alliance piece lies in a region"),
    InputGroup::shared("progress", N_PROGRESS, 1.0, 1, "whether it has a progress tile"),
    InputGroup::shared("territory", N_TERRITORIES, 1.5, 20, "territory tiles of a type"),
    InputGroup::shared("city", N_CITIES, 1.0, 1, "whether it has a city or wonder"),
    InputGroup::shared("discs", Row::COUNT, 2.0, 12, "discs of its own in a row of the display"),
    InputGroup::shared("disc_cost", 1, 4.0, 60, "the price for taking these back"),
    InputGroup::shared("counts", N, 10.0, 127, "a count of the value function"),
    InputGroup::shared(
        "purse",
        PURSES.len(),
        1.0,
        1,
        "whether it has 1, 2, 4, 6, 9, 12, 16, 22 gold",
    ),
    InputGroup::shared("pool", POOLS.len(), 1.0, 1, "whether its pool has 1, 2, 4, 6, 9, 13 cubes"),
    InputGroup::shared(
        "order",
        MAX_PLAYERS,
        1.0,
        1,
        "whether a place in the order of this turn is its own",
    ),
    InputGroup::shared(
        "next_order",
        MAX_PLAYERS,
        1.0,
        1,
        "whether a place in that of the next turn is",
    ),
    InputGroup::shared("on_turn", 1, 1.0, 1, "whether it is to move"),
    InputGroup::own(
        "value_lead",
        1,
        10.0,
        127,
        "the evaluation beyond that of its best rival, in points",
    ),
    InputGroup::own("points_lead", 1, 10.0, 127, "points beyond those of its best rival"),
    InputGroup::own("gold_lead", 1, 5.0, 127, "gold beyond that of its richest rival"),
    InputGroup::own("discs_lead", 1, 2.0, 127, "resource discs beyond those of its best rival"),
    InputGroup::own(
        "cubes_lead",
        1,
        5.0,
        127,
        "cubes on the map and in the pool beyond those of its best rival",
    ),
];

/// The inputs of the table.
const TABLE: &[InputGroup] = &[
    InputGroup::own(
        "phase",
        <Evaluation as Counter<N>>::PHASES,
        1.0,
        1,
        "whether it is this half of this turn",
    ),
    InputGroup::own(
        "round",
        ROUNDS,
        1.0,
        1,
        "whether it is this round of the turn; the last stands for later ones",
    ),
    InputGroup::own("after", 1, 1.0, 1, "whether the actions of the turn are over"),
    InputGroup::own(
        "progress_shown",
        N_PROGRESS,
        1.0,
        9,
        "progress tiles of a type in the display",
    ),
    InputGroup::own(
        "territory_shown",
        N_TERRITORIES,
        1.5,
        20,
        "territory tiles of a type in the display",
    ),
    InputGroup::own("city_shown", N_CITIES, 1.0, 1, "whether a city or wonder lies in the display"),
    InputGroup::own("empire", N_EMPIRES, 1.0, 1, "whether an empire tile lies in the display"),
    InputGroup::own("row", Row::COUNT, 4.0, 12, "discs in a row of the display"),
];

const fn seat(name: &str) -> Slot {
    Slot::of(SEAT, name)
}

const fn table(name: &str) -> Slot {
    Slot::of(TABLE, name)
}

const CUBES: Slot = seat("cubes");
const LEAD: Slot = seat("lead");
const RIVAL: Slot = seat("rival");
const FIRST: Slot = seat("first");
const ALONE: Slot = seat("alone");
const ALLIED: Slot = seat("allied");
const PROGRESS: Slot = seat("progress");
const TERRITORY: Slot = seat("territory");
const CITY: Slot = seat("city");
const DISCS: Slot = seat("discs");
const DISC_COST: Slot = seat("disc_cost");
const COUNTS: Slot = seat("counts");
const PURSE: Slot = seat("purse");
const POOL: Slot = seat("pool");
const ORDER: Slot = seat("order");
const NEXT_ORDER: Slot = seat("next_order");
const ON_TURN: Slot = seat("on_turn");
const VALUE_LEAD: Slot = seat("value_lead");
const POINTS_LEAD: Slot = seat("points_lead");
const GOLD_LEAD: Slot = seat("gold_lead");
const DISCS_LEAD: Slot = seat("discs_lead");
const CUBES_LEAD: Slot = seat("cubes_lead");
const PHASE: Slot = table("phase");
const ROUND: Slot = table("round");
const AFTER: Slot = table("after");
const PROGRESS_SHOWN: Slot = table("progress_shown");
const TERRITORY_SHOWN: Slot = table("territory_shown");
const CITY_SHOWN: Slot = table("city_shown");
const EMPIRE: Slot = table("empire");
const ROW: Slot = table("row");

impl MapInputs<N> for Evaluation {
    const LAYOUT: Layout =
        Layout { seat: SEAT, table: TABLE, options: &[], phases: <Self as Counter<N>>::PHASES };
    const OWN_NETS: OwnNets =
        OwnNets { by_table: &[(4, include_str!("../../../data/rise/net-4.toml"))] };

    fn add_inputs(game: &Rise, s: &State, features: &ByPlayer<[f32; N]>, inputs: &mut Inputs) {
        for q in Player::all(game.n_players()) {
            let out = inputs.of(q);
            add_regions(game, s, q, out);
            add_tiles(game, s, q, out);
            for (i, count) in features[q].iter().enumerate() {
                out.share(COUNTS.at(i), libm::roundf(*count) as i32);
            }
            add_means(game, s, q, features, out);
        }
        add_table(s, inputs);
    }
}

/// Adds what a seat has on the map.
fn add_regions(game: &Rise, s: &State, q: Player, out: &mut SeatInputs) {
    let seat = q.idx();
    for region in s.held(seat).iter() {
        let (i, own) = (region.idx(), s.cubes(seat, region));
        let rivals = (0..game.n_players()).filter(|&other| other != seat);
        let best = rivals.map(|other| s.cubes(other, region)).max().unwrap_or(0);
        out.share(CUBES.at(i), own);
        out.add(LEAD.at(i), own - best);
        out.add(RIVAL.at(i), best);
        out.add(FIRST.at(i), own >= best);
        out.add(ALONE.at(i), own > best);
    }
    if let Some(region) = s.alliance(seat) {
        out.share(ALLIED.at(region.idx()), 1);
    }
}

/// Adds the tiles and the discs of a seat.
fn add_tiles(game: &Rise, s: &State, q: Player, out: &mut SeatInputs) {
    let seat = q.idx();
    for tile in s.progress(seat).iter() {
        out.share(PROGRESS.at(tile.idx()), 1);
    }
    for tile in Territory::first(N_TERRITORIES) {
        out.share(TERRITORY.at(tile.idx()), s.territory(seat, tile));
    }
    for city in s.cities(seat).iter() {
        out.share(CITY.at(city.idx()), 1);
    }
    let (cost, discs) = game.own_discs(s, seat);
    for (i, n) in discs.into_iter().enumerate() {
        out.share(DISCS.at(i), n);
    }
    out.share(DISC_COST, cost);
}

/// Adds the means of a seat, its places in the orders, and its leads over its best rivals.
fn add_means(
    game: &Rise,
    s: &State,
    q: Player,
    features: &ByPlayer<[f32; N]>,
    out: &mut SeatInputs,
) {
    let seat = q.idx();
    for (i, least) in PURSES.into_iter().enumerate() {
        out.share(PURSE.at(i), s.gold(seat) >= least);
    }
    for (i, least) in POOLS.into_iter().enumerate() {
        out.share(POOL.at(i), s.pool(seat) >= least);
    }
    out.share(ORDER.at(s.place_of(q)), 1);
    if let Some(place) = s.next_place(q) {
        out.share(NEXT_ORDER.at(place), 1);
    }
    out.share(ON_TURN, game.turn(s) == Turn::Player(q));
    let lead = |of: &dyn Fn(usize) -> i32| {
        let rivals = (0..game.n_players()).filter(|&other| other != seat).map(of);
        of(seat) - rivals.max().unwrap_or(0)
    };
    let value = |seat: usize| libm::roundf(features.0[seat][0]) as i32;
    let all_cubes = |seat: usize| {
        let on_map = Region::first(N_REGIONS).map(|region| s.cubes(seat, region));
        on_map.sum::<i32>() + s.pool(seat)
    };
    out.add(VALUE_LEAD, lead(&value));
    out.add(POINTS_LEAD, lead(&|seat| s.vp(seat)));
    out.add(GOLD_LEAD, lead(&|seat| s.gold(seat)));
    out.add(DISCS_LEAD, lead(&|seat| s.resource(seat)));
    out.add(CUBES_LEAD, lead(&all_cubes));
}

fn add_table(s: &State, inputs: &mut Inputs) {
    let phase = inputs.phase;
    let mut add = |slot: Slot, count: i32| inputs.table.extend(slot.entry(count));
    add(PHASE.at(phase), 1);
    add(ROUND.at(usize::from(s.round()).min(ROUNDS - 1)), 1);
    add(AFTER, (!is_acting(s.phase())).into());
    for tile in s.display().progress_set().iter() {
        add(PROGRESS_SHOWN.at(tile.idx()), s.display().progress(tile).into());
    }
    for tile in Territory::first(N_TERRITORIES) {
        add(TERRITORY_SHOWN.at(tile.idx()), s.display().territory(tile).into());
    }
    for city in s.city_display().iter() {
        add(CITY_SHOWN.at(city.idx()), 1);
    }
    for empire in s.empires().iter() {
        add(EMPIRE.at(empire.idx()), 1);
    }
    for row in Row::ALL {
        add(ROW.at(row as usize), s.n_discs(row).into());
    }
}
