//! The inputs of a net that values positions of imperium: whose pieces lie where, and how soon each province is scored.
//!
//! Nothing is hidden in imperium but what others choose at the same time. Seats are told apart by what they have, never
//! by their number. Most inputs of a province stand under the number of rounds until it is scored, since that decides
//! what a piece there is worth.

use engine::games::imperium::stacks::PROVINCES;
use engine::games::imperium::{Imperium, State};
use engine::{ByPlayer, Game, Player};

use super::evaluation::{Evaluation, counts};
use super::value::N;
use crate::heuristics::leaf_value::{MapInputs, OwnNets};
use crate::heuristics::linear::Counter;
use crate::net::{InputGroup, Inputs, Layout, SeatInputs, Slot};

/// Marks of the thermometer of pieces that are not on the board.
const FREE: [u8; 8] = [1, 2, 3, 4, 5, 6, 8, 10];
/// Marks of the thermometer of points missing to the end of the game.
const MISSING: [u32; 8] = [1, 2, 4, 6, 9, 13, 18, 25];
/// Number of places that differ in an input; lower ones share the last.
const PLACES: usize = 5;

/// Parts of the scale of the evaluation that an input counts.
const QUARTERS: f32 = 4.0;

/// The inputs of a seat.
const SEAT: &[InputGroup] = &[
    InputGroup::shared(
        "pieces",
        PROVINCES * PROVINCES,
        2.0,
        20,
        "pieces in a province, by the rounds until it is scored",
    ),
    InputGroup::shared(
        "proconsul",
        PROVINCES * PROVINCES,
        1.0,
        1,
        "whether the proconsul of a province is its own, by the rounds until it is scored",
    ),
    InputGroup::own(
        "place",
        PROVINCES * PLACES,
        1.0,
        1,
        "whether so many rivals have at least as many pieces, where it has some, by the rounds until the province is scored",
    ),
    InputGroup::own(
        "lead",
        PROVINCES,
        2.0,
        20,
        "pieces beyond those of its best rival, by the rounds until the province is scored",
    ),
    InputGroup::own(
        "worth",
        PROVINCES,
        4.0,
        60,
        "points that its place would score now, by the rounds until the province is scored",
    ),
    InputGroup::own(
        "bonus",
        PROVINCES,
        3.0,
        30,
        "points that the first place would add by its proconsuls, by the rounds until the province is scored",
    ),
    InputGroup::shared(
        "counts",
        N,
        10.0,
        127,
        "a feature of the value function; of the evaluation in quarters of its scale",
    ),
    InputGroup::shared(
        "free",
        FREE.len(),
        1.0,
        1,
        "whether 1, 2, 3, 4, 5, 6, 8, 10 of its pieces are not on the board",
    ),
    InputGroup::shared(
        "missing",
        MISSING.len(),
        1.0,
        1,
        "whether 1, 2, 4, 6, 9, 13, 18, 25 points are missing to the end of the game",
    ),
    InputGroup::own("points_lead", 1, 5.0, 127, "points beyond those of its best rival"),
    InputGroup::own(
        "value_lead",
        1,
        5.0,
        127,
        "the evaluation beyond that of its best rival, in quarters of its scale",
    ),
    InputGroup::shared("choosing", 1, 1.0, 1, "whether it chooses now"),
];

/// The inputs of the table.
const TABLE: &[InputGroup] = &[
    InputGroup::own(
        "phase",
        <Evaluation as Counter<N>>::PHASES,
        1.0,
        1,
        "whether the leader has this part of the points that end the game",
    ),
    InputGroup::own("mark", PROVINCES, 1.0, 1, "whether a province is scored next"),
    InputGroup::own("second", 1, 1.0, 1, "whether only those with an Oracle choose, again"),
];

const fn seat(name: &str) -> Slot {
    Slot::of(SEAT, name)
}

const fn table(name: &str) -> Slot {
    Slot::of(TABLE, name)
}

const PIECES: Slot = seat("pieces");
const PROCONSUL: Slot = seat("proconsul");
const PLACE: Slot = seat("place");
const LEAD: Slot = seat("lead");
const WORTH: Slot = seat("worth");
const BONUS: Slot = seat("bonus");
const COUNTS: Slot = seat("counts");
const FREE_PIECES: Slot = seat("free");
const MISSING_POINTS: Slot = seat("missing");
const POINTS_LEAD: Slot = seat("points_lead");
const VALUE_LEAD: Slot = seat("value_lead");
const CHOOSING: Slot = seat("choosing");
const PHASE: Slot = table("phase");
const MARK: Slot = table("mark");
const SECOND: Slot = table("second");

impl MapInputs<N> for Evaluation {
    const LAYOUT: Layout =
        Layout { seat: SEAT, table: TABLE, options: &[], phases: <Self as Counter<N>>::PHASES };
    const OWN_NETS: OwnNets = OwnNets {
        by_table: &[
            (2, include_str!("../../../data/imperium/net-2.toml")),
            (3, include_str!("../../../data/imperium/net-3.toml")),
            (4, include_str!("../../../data/imperium/net-4.toml")),
            (5, include_str!("../../../data/imperium/net-5.toml")),
        ],
    };

    fn add_inputs(game: &Imperium, s: &State, features: &ByPlayer<[f32; N]>, inputs: &mut Inputs) {
        add_provinces(game, s, inputs);
        for q in Player::all(game.n_players()) {
            let out = inputs.of(q);
            for (i, count) in features[q].iter().enumerate() {
                let part = if i == 0 { QUARTERS } else { 1.0 };
                out.share(COUNTS.at(i), libm::roundf(count * part) as i32);
            }
            add_means(game, s, q, features, out);
        }
        inputs.table.extend(PHASE.at(inputs.phase).entry(1));
        inputs.table.extend(MARK.at(s.mark()).entry(1));
        inputs.table.extend(SECOND.entry(s.is_second_choice().into()));
    }
}

/// Adds what everybody has in the provinces.
fn add_provinces(game: &Imperium, s: &State, inputs: &mut Inputs) {
    let (board, counts) = (game.board(), counts(s));
    for rounds in 0..PROVINCES {
        let province = (s.mark() + rounds) % PROVINCES;
        let here = &counts[province][..game.n_players()];
        let at = rounds * PROVINCES + province;
        for (seat, &own) in here.iter().enumerate() {
            let (mut best, mut level) = (0, 0);
            for (_, &other) in here.iter().enumerate().filter(|&(rival, _)| rival != seat) {
                best = best.max(other);
                level += usize::from(other >= own);
            }
            let out = &mut inputs.seats[seat];
            out.share(PIECES.at(at), own);
            out.share(PROCONSUL.at(at), s.held(seat) >> province & 1);
            out.add(LEAD.at(rounds), i32::from(own) - i32::from(best));
            let bonus = board.proconsul_bonus() * board.group(s.held(seat), province);
            out.add(BONUS.at(rounds), bonus as i32);
            if own > 0 {
                out.add(PLACE.at(rounds * PLACES + level.min(PLACES - 1)), 1);
                let first = if level == 0 { bonus } else { 0 };
                out.add(WORTH.at(rounds), (board.points(province, level) + first) as i32);
            }
        }
    }
}

/// Adds the means of a seat, and its leads over its best rivals.
fn add_means(
    game: &Imperium,
    s: &State,
    q: Player,
    features: &ByPlayer<[f32; N]>,
    out: &mut SeatInputs,
) {
    let seat = q.idx();
    for (i, least) in FREE.into_iter().enumerate() {
        out.share(FREE_PIECES.at(i), s.free(seat) >= least);
    }
    let missing = game.board().win_score().saturating_sub(s.points(seat));
    for (i, least) in MISSING.into_iter().enumerate() {
        out.share(MISSING_POINTS.at(i), missing >= least);
    }
    out.share(CHOOSING, s.is_choosing(q));
    let lead = |of: &dyn Fn(Player) -> f32| {
        let rivals = Player::all(game.n_players()).filter(|&rival| rival != q);
        of(q) - rivals.map(of).fold(f32::MIN, f32::max)
    };
    out.add(POINTS_LEAD, lead(&|q| s.points(q.idx()) as f32) as i32);
    out.add(VALUE_LEAD, libm::roundf(lead(&|q| features[q][0]) * QUARTERS) as i32);
}
