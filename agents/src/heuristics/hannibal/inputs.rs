//! The inputs of a net that values positions of hannibal: whose legions and fleets stand where, what they can reach, and
//! which cards are left.
//!
//! Nothing is hidden where a turn is due. The sides differ in their aims and capitals, so that places stand once for each
//! side: a net learns what Carthage has in Sicily apart from what Rome has there.

use engine::bits::each;
use engine::games::hannibal::{Areas, CARTHAGE, Hannibal, ROME, State};
use engine::{ByPlayer, Game, Player};

use super::evaluation::Evaluation;
use super::value::N;
use crate::heuristics::leaf_value::{MapInputs, OwnNets};
use crate::heuristics::linear::Counter;
use crate::net::{InputGroup, Inputs, Layout, SeatInputs, Slot};

/// Number of areas with inputs of their own: the most of a map.
const AREAS: usize = Areas::BITS as usize;
/// Number of routes with inputs of their own: the most of a map.
const ROUTES: usize = 8;
/// Number of values of cards with inputs of their own.
const CARDS: usize = 16;
/// Number of groups of a domination list with inputs of their own.
const GROUPS: usize = 8;
/// Number of sides.
const SIDES: usize = 2;
/// Marks of the thermometer of turns.
const TURNS: [u16; 6] = [8, 16, 32, 64, 128, 256];

/// Parts of the scale of the evaluation that an input counts.
const QUARTERS: f32 = 4.0;

/// The inputs of a seat.
const SEAT: &[InputGroup] = &[
    InputGroup::shared("legions", SIDES * AREAS, 3.0, 15, "legions of a side in an area"),
    InputGroup::shared("army", SIDES * AREAS, 1.0, 1, "whether a side has a legion in an area"),
    InputGroup::shared("lone", SIDES * AREAS, 1.0, 1, "whether it has just one there"),
    InputGroup::shared("hannibal", AREAS, 1.0, 1, "whether its Hannibal is in an area"),
    InputGroup::shared("fleets", SIDES * ROUTES, 1.5, 15, "fleets of a side on a route"),
    InputGroup::shared("hand", SIDES * CARDS, 1.0, 1, "whether a side has a card of a value"),
    InputGroup::shared(
        "group",
        SIDES * GROUPS,
        1.0,
        1,
        "whether a side has a group of its domination list",
    ),
    InputGroup::own(
        "attackers",
        SIDES * AREAS,
        3.0,
        30,
        "legions of a side that can march to an area of the enemy",
    ),
    InputGroup::own(
        "threat",
        SIDES * AREAS,
        3.0,
        30,
        "legions of the enemy that can march to an area of a side",
    ),
    InputGroup::own("open", SIDES * AREAS, 1.0, 1, "whether a side can march to a free area"),
    InputGroup::shared(
        "counts",
        N,
        5.0,
        127,
        "a feature of the value function; of the evaluation in quarters of its scale",
    ),
    InputGroup::shared("on_turn", SIDES, 1.0, 1, "whether a side is to move"),
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
    InputGroup::own(
        "turns",
        TURNS.len(),
        1.0,
        1,
        "whether 8, 16, 32, 64, 128, 256 turns have been made",
    ),
    InputGroup::own("passes", 1, 1.0, 9, "passes in a row"),
];

const fn seat(name: &str) -> Slot {
    Slot::of(SEAT, name)
}

const fn table(name: &str) -> Slot {
    Slot::of(TABLE, name)
}

const LEGIONS: Slot = seat("legions");
const ARMY: Slot = seat("army");
const LONE: Slot = seat("lone");
const HANNIBAL: Slot = seat("hannibal");
const FLEETS: Slot = seat("fleets");
const HAND: Slot = seat("hand");
const GROUP: Slot = seat("group");
const ATTACKERS: Slot = seat("attackers");
const THREAT: Slot = seat("threat");
const OPEN: Slot = seat("open");
const COUNTS: Slot = seat("counts");
const ON_TURN: Slot = seat("on_turn");
const PHASE: Slot = table("phase");
const TURNS_MADE: Slot = table("turns");
const PASSES: Slot = table("passes");

impl MapInputs<N> for Evaluation {
    const LAYOUT: Layout =
        Layout { seat: SEAT, table: TABLE, options: &[], phases: <Self as Counter<N>>::PHASES };
    const OWN_NETS: OwnNets =
        OwnNets { by_table: &[(2, include_str!("../../../data/hannibal/net-2.toml"))] };

    fn add_inputs(game: &Hannibal, s: &State, features: &ByPlayer<[f32; N]>, inputs: &mut Inputs) {
        let marching = [CARTHAGE, ROME].map(|seat| marching(game, s, seat));
        for q in Player::all(game.n_players()) {
            let out = inputs.of(q);
            add_pieces(game, s, q.idx(), out);
            add_reach(s, q.idx(), &marching, out);
            for (i, count) in features[q].iter().enumerate() {
                let part = if i == 0 { QUARTERS } else { 1.0 };
                out.share(COUNTS.at(i), libm::roundf(count * part) as i32);
            }
            out.share(ON_TURN.at(q.idx()), s.mover() == q.idx());
        }
        inputs.table.extend(PHASE.at(inputs.phase).entry(1));
        for (i, least) in TURNS.into_iter().enumerate() {
            inputs.table.extend(TURNS_MADE.at(i).entry((s.turns() >= least).into()));
        }
        inputs.table.extend(PASSES.entry(s.passes().into()));
    }
}

/// Adds the pieces of a side, its cards, and what it has of its domination list.
fn add_pieces(game: &Hannibal, s: &State, seat: usize, out: &mut SeatInputs) {
    for area in each(s.held(seat).into()) {
        let (at, n) = (seat * AREAS + usize::from(area), s.legions(seat, area));
        let is_hannibals = seat == CARTHAGE && s.hannibal() >> area & 1 == 1;
        out.share(LEGIONS.at(at), n);
        out.share(ARMY.at(at), 1);
        out.share(LONE.at(at), n + u8::from(is_hannibals) == 1);
        out.share(HANNIBAL.at(area.into()), is_hannibals);
    }
    for route in each(s.routes(seat).into()) {
        out.share(FLEETS.at(seat * ROUTES + usize::from(route)), s.fleets(seat, route));
    }
    for card in each(s.hand(seat).into()) {
        out.share(HAND.at(seat * CARDS + usize::from(card)), 1);
    }
    for (i, group) in game.groups(seat).iter().take(GROUPS).enumerate() {
        out.share(GROUP.at(seat * GROUPS + i), group & s.held(seat) != 0);
    }
}

/// Legions, Hannibal as one, that can march to each area of the enemy in a turn; and the free areas that they can enter.
struct Marching {
    attackers: [i32; AREAS],
    open: Areas,
}

/// Returns where a side can march.
fn marching(game: &Hannibal, s: &State, seat: usize) -> Marching {
    let (own, enemy) = (s.held(seat), s.held(1 - seat));
    let (mut attackers, mut reached) = ([0; AREAS], 0);
    for from in each(own.into()) {
        let is_hannibals = seat == CARTHAGE && s.hannibal() >> from & 1 == 1;
        let n = i32::from(s.legions(seat, from)) + i32::from(is_hannibals);
        let near = game.reach(from, s.routes(seat));
        reached |= near;
        for to in each((near & enemy).into()) {
            attackers[usize::from(to)] += n;
        }
    }
    Marching { attackers, open: reached & !own & !enemy }
}

/// Adds where a side can march, and who can march to it.
fn add_reach(s: &State, seat: usize, marching: &[Marching; SIDES], out: &mut SeatInputs) {
    let Marching { attackers, open } = &marching[seat];
    let threat = &marching[1 - seat].attackers;
    // An area is held by one side at most.
    for area in each((s.held(CARTHAGE) | s.held(ROME)).into()) {
        let at = usize::from(area);
        out.add(ATTACKERS.at(seat * AREAS + at), attackers[at]);
        out.add(THREAT.at(seat * AREAS + at), threat[at]);
    }
    for area in each((*open).into()) {
        out.add(OPEN.at(seat * AREAS + usize::from(area)), 1);
    }
}
