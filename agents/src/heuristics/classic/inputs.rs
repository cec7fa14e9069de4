//! The inputs of a net that values positions of classic: what stands where, seat by seat.
//!
//! Nothing is hidden in classic. Seats are told apart by what they have and by the turns until they move, never by their
//! number.

use engine::games::classic::board::{N_PLACES, N_PROVINCES};
use engine::games::classic::units::Unit;
use engine::games::classic::{Classic, Place, State};
use engine::{ByPlayer, Game, MAX_PLAYERS, Player};

use super::evaluation::{Evaluation, strongest};
use super::power::{Counts, Measure};
use super::value::N;
use crate::heuristics::leaf_value::{MapInputs, OwnNets};
use crate::heuristics::linear::Counter;
use crate::net::{InputGroup, Inputs, Layout, SeatInputs, Slot};

/// Marks of the thermometer of talents.
const PURSES: [u16; 8] = [10, 20, 30, 50, 80, 120, 180, 260];
/// The units of land with an input for each place.
const UNITS: [Unit; 3] = [Unit::Infantry, Unit::Cavalry, Unit::Catapult];
/// The factor on each count of the value function: those in talents are counted in tens, or fives.
const FACTORS: [f32; N] = {
    let mut all = [1.0; N];
    // The evaluation, tribute, prestige, talents.
    all[0] = 0.1;
    all[5] = 0.5;
    all[6] = 0.5;
    all[10] = 0.2;
    all
};

/// The inputs of a seat.
const SEAT: &[InputGroup] = &[
    InputGroup::shared("owns", N_PROVINCES, 1.0, 1, "whether it owns a province"),
    InputGroup::shared("infantry_at", N_PROVINCES, 3.0, 40, "infantry in a province"),
    InputGroup::shared("cavalry_at", N_PROVINCES, 2.0, 40, "cavalry in a province"),
    InputGroup::shared("catapults_at", N_PROVINCES, 2.0, 40, "catapults in a province"),
    InputGroup::shared("generals_at", N_PROVINCES, 1.0, 6, "generals in a province"),
    InputGroup::shared("caesar_at", N_PROVINCES, 1.0, 1, "whether its caesar is in a province"),
    InputGroup::shared("galleys_at", N_PLACES, 2.0, 15, "galleys in a port or a sea zone"),
    InputGroup::shared("city_at", N_PROVINCES, 1.0, 1, "whether it owns a province with a city"),
    InputGroup::shared("fort_at", N_PROVINCES, 1.0, 1, "whether that city is fortified"),
    InputGroup::own(
        "defended",
        N_PROVINCES,
        4.0,
        127,
        "troops in a province of its own with an army of others beside it",
    ),
    InputGroup::own("threatened", N_PROVINCES, 4.0, 127, "troops of the largest such army"),
    InputGroup::own(
        "goal",
        N_PROVINCES,
        4.0,
        127,
        "troops of its own led beside a province of another seat that is weaker",
    ),
    InputGroup::shared(
        "counts",
        N,
        5.0,
        127,
        "a count of the value function, by the factor of its list",
    ),
    InputGroup::shared(
        "purse",
        PURSES.len(),
        1.0,
        1,
        "whether it has 10, 20, 30, 50, 80, 120, 180, 260 talents",
    ),
    InputGroup::shared(
        "turns_until",
        MAX_PLAYERS,
        1.0,
        1,
        "whether it moves after this many others",
    ),
    InputGroup::own(
        "value_lead",
        1,
        10.0,
        127,
        "the evaluation beyond that of its best rival, in tens of talents",
    ),
    InputGroup::own(
        "tribute_lead",
        1,
        10.0,
        127,
        "tribute beyond that of its best rival, in fives of talents",
    ),
    InputGroup::own(
        "talents_lead",
        1,
        10.0,
        127,
        "talents beyond those of its best rival, in fives",
    ),
];

/// The inputs of the table.
const TABLE: &[InputGroup] = &[
    InputGroup::own(
        "phase",
        <Evaluation as Counter<N>>::PHASES,
        1.0,
        1,
        "whether it is this part of the game",
    ),
    InputGroup::own("out", MAX_PLAYERS, 1.0, 1, "whether so many seats are out"),
    InputGroup::own("free", N_PROVINCES, 1.0, 1, "whether nobody owns a province"),
    InputGroup::own("price_factor", 1, 1.0, 9, "the factor on prices"),
];

const fn seat(name: &str) -> Slot {
    Slot::of(SEAT, name)
}

const fn table(name: &str) -> Slot {
    Slot::of(TABLE, name)
}

const OWNS: Slot = seat("owns");
const TROOPS_AT: [Slot; 3] = [seat("infantry_at"), seat("cavalry_at"), seat("catapults_at")];
const GENERALS_AT: Slot = seat("generals_at");
const CAESAR_AT: Slot = seat("caesar_at");
const GALLEYS_AT: Slot = seat("galleys_at");
const CITY_AT: Slot = seat("city_at");
const FORT_AT: Slot = seat("fort_at");
const DEFENDED: Slot = seat("defended");
const THREATENED: Slot = seat("threatened");
const GOAL: Slot = seat("goal");
const COUNTS: Slot = seat("counts");
const PURSE: Slot = seat("purse");
const TURNS_UNTIL: Slot = seat("turns_until");
const VALUE_LEAD: Slot = seat("value_lead");
const TRIBUTE_LEAD: Slot = seat("tribute_lead");
const TALENTS_LEAD: Slot = seat("talents_lead");
const PHASE: Slot = table("phase");
const OUT: Slot = table("out");
const FREE: Slot = table("free");
const PRICE_FACTOR: Slot = table("price_factor");

impl MapInputs<N> for Evaluation {
    const LAYOUT: Layout =
        Layout { seat: SEAT, table: TABLE, options: &[], phases: <Self as Counter<N>>::PHASES };
    const OWN_NETS: OwnNets =
        OwnNets { by_table: &[(4, include_str!("../../../data/classic/net-4.toml"))] };

    fn add_inputs(game: &Classic, s: &State, features: &ByPlayer<[f32; N]>, inputs: &mut Inputs) {
        let n = game.n_players();
        for q in Player::all(n).filter(|q| !s.out().contains(*q)) {
            let out = inputs.of(q);
            add_pieces(s, q, out);
            add_fronts(game, s, q, out);
            for (i, (count, factor)) in features[q].iter().zip(FACTORS).enumerate() {
                out.share(COUNTS.at(i), libm::roundf(count * factor) as i32);
            }
            for (i, least) in PURSES.into_iter().enumerate() {
                out.share(PURSE.at(i), s.talents(q) >= least);
            }
            out.share(TURNS_UNTIL.at((q.idx() + n - s.turn().idx()) % n), 1);
            let rivals = Player::all(n).filter(|&other| other != q && !s.out().contains(other));
            let lead = |i: usize| {
                let best = rivals.clone().map(|other| features[other][i]).fold(f32::MIN, f32::max);
                libm::roundf((features[q][i] - best.max(-1e6)) * FACTORS[i]) as i32
            };
            out.add(VALUE_LEAD, lead(0));
            out.add(TRIBUTE_LEAD, lead(5));
            out.add(TALENTS_LEAD, lead(10));
        }
        add_table(game, s, inputs);
    }
}

/// Adds the provinces and pieces of a seat.
fn add_pieces(s: &State, q: Player, out: &mut SeatInputs) {
    let owned = s.owned(q);
    for place in owned.iter() {
        out.share(OWNS.at(place.idx()), 1);
    }
    for place in (owned & s.cities()).iter() {
        out.share(CITY_AT.at(place.idx()), 1);
    }
    for place in (owned & s.forts()).iter() {
        out.share(FORT_AT.at(place.idx()), 1);
    }
    for place in (s.armies(q) | s.leaders(q)).provinces().iter() {
        let troops = s.troops(q, place);
        for (slot, unit) in TROOPS_AT.into_iter().zip(UNITS) {
            out.share(slot.at(place.idx()), troops.count(unit));
        }
        out.share(GENERALS_AT.at(place.idx()), troops.generals());
    }
    if let Some(place) = s.caesar(q).filter(|place| place.is_province()) {
        out.share(CAESAR_AT.at(place.idx()), 1);
    }
    for place in Place::first(N_PLACES) {
        out.share(GALLEYS_AT.at(place.idx()), s.galleys(q, place));
    }
}

/// Adds the armies that could attack a seat, and those with which it could attack.
fn add_fronts(game: &Classic, s: &State, q: Player, out: &mut SeatInputs) {
    let own = s.owned(q);
    let hosts = Evaluation::hosts(game, s, q);
    for place in own.iter() {
        let beside = game.neighbours(s, q, place) & hosts;
        if beside.is_empty() {
            continue;
        }
        let host = |from| strongest(&Counts, game, s, q, from, false);
        let largest = beside.iter().map(host).fold(0.0, f32::max);
        out.add(DEFENDED.at(place.idx()), Counts.strength(game, s, q, place, true) as i32);
        out.add(THREATENED.at(place.idx()), largest as i32);
    }
    let mut goals = [0.0_f32; N_PROVINCES];
    for from in (s.armies(q) & s.leaders(q)).provinces().iter() {
        let strength = Counts.strength(game, s, q, from, false);
        for goal in (game.neighbours(s, q, from) - own).provinces().iter() {
            if strength > strongest(&Counts, game, s, q, goal, true) {
                goals[goal.idx()] = goals[goal.idx()].max(strength);
            }
        }
    }
    for (i, strength) in goals.into_iter().enumerate() {
        out.add(GOAL.at(i), strength as i32);
    }
}

fn add_table(game: &Classic, s: &State, inputs: &mut Inputs) {
    let phase = inputs.phase;
    let mut add = |slot: Slot, count: i32| inputs.table.extend(slot.entry(count));
    add(PHASE.at(phase), 1);
    add(OUT.at(s.out().len().min(MAX_PLAYERS - 1)), 1);
    for place in Place::first(N_PROVINCES).filter(|place| s.owner(*place).is_none()) {
        add(FREE.at(place.idx()), 1);
    }
    add(PRICE_FACTOR, game.price_factor(s) as i32);
}
