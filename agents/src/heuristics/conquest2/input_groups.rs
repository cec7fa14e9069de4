//! The groups of inputs of a net: of a seat, of the table, and of an option of a turn.

use engine::MAX_PLAYERS;
use engine::games::conquest2::N_MOVERS;
use engine::games::conquest2::board::{MAX_KEYS, N_PROVINCES, N_ZONES};
use engine::games::conquest2::cards::{N_CARDS, N_MERCHANTS};
use engine::games::conquest2::units::N_UNITS;

use super::value::{FEATURES, PHASES};
use crate::net::{InputGroup, Layout};

/// Number of key provinces.
pub(super) const KEYS: usize = MAX_KEYS;
/// Number of counts of the value function.
pub(super) const COUNTS: usize = FEATURES.len();
/// Purses that the thermometer of money has a mark for, in talents.
pub(super) const PURSES: [u16; 8] = [10, 20, 30, 40, 60, 80, 100, 150];
/// Number of kinds of options.
pub(super) const KINDS: usize = 12;
/// Largest number of actions of a turn that the inputs tell apart.
pub(super) const MOST_ACTIONS: usize = 3;
/// Number of roles that a key province plays in an option: recruited in, bought in, left, entered, fought in.
const ROLES: usize = 5;
/// The inputs of the seat that an option repeats for the key province that it is about.
pub(super) const LOCAL: [&str; 19] = [
    "influence",
    "points",
    "army",
    "foes",
    "strength",
    "hostile",
    "friendly",
    "near",
    "lead",
    "leads",
    "leader",
    "caesar",
    "approach",
    "for_sale",
    "rival",
    "outnumbered",
    "one_more",
    "two_more",
    "buys_two",
];

/// The inputs of a seat.
pub(super) const SEAT: &[InputGroup] = &[
    InputGroup::shared("influence", KEYS, 4.0, 40, "influence in a key province, tokens"),
    InputGroup::shared("points", KEYS, 10.0, 60, "what it would score there now, victory points"),
    InputGroup::own("army", KEYS, 1.0, 1, "whether land military of its own stands there"),
    InputGroup::own("foes", KEYS, 1.0, 5, "enemies with land military there"),
    InputGroup::own(
        "strength",
        KEYS,
        27.0,
        127,
        "land military of its own there, quarters of an infantry",
    ),
    InputGroup::own("hostile", KEYS, 27.0, 127, "that of its enemies there"),
    InputGroup::own("friendly", KEYS, 27.0, 127, "that of its allies there"),
    InputGroup::own("near", KEYS, 27.0, 127, "that of its enemies in the provinces beside it"),
    InputGroup::own("lead", KEYS, 4.0, 40, "influence beyond that of its best rival there"),
    InputGroup::own("leads", KEYS, 1.0, 1, "whether it has more influence there than anybody else"),
    InputGroup::own("leader", KEYS, 1.0, 1, "whether a leader of its own stands there"),
    InputGroup::own("caesar", KEYS, 1.0, 1, "whether its caesar stands there"),
    InputGroup::own("approach", KEYS, 1.0, 1, "whether a leader of its own stands beside it"),
    InputGroup::own("for_sale", KEYS, 4.0, 20, "province tokens for sale there"),
    InputGroup::own("rival", KEYS, 4.0, 40, "the influence of its best rival there"),
    InputGroup::own(
        "outnumbered",
        KEYS,
        1.0,
        1,
        "whether enemies there and beside it are stronger than its army, where it has influence",
    ),
    InputGroup::own(
        "one_more",
        KEYS,
        10.0,
        60,
        "what one token more would score there, if one is for sale",
    ),
    InputGroup::own("two_more", KEYS, 10.0, 60, "what two more would, if two are"),
    InputGroup::own(
        "buys_one",
        KEYS,
        10.0,
        60,
        "what one more would, if a leader of its own stands there",
    ),
    InputGroup::own("buys_two", KEYS, 10.0, 60, "what two more would, if its caesar does"),
    InputGroup::shared("infantry_at", N_PROVINCES, 4.0, 40, "infantry in a province"),
    InputGroup::shared("cavalry_at", N_PROVINCES, 4.0, 40, "cavalry in a province"),
    InputGroup::shared("catapults_at", N_PROVINCES, 4.0, 40, "catapults in a province"),
    InputGroup::shared("generals_at", N_PROVINCES, 1.0, 6, "generals in a province"),
    InputGroup::shared("caesar_at", N_PROVINCES, 1.0, 1, "whether its caesar is in a province"),
    InputGroup::shared("galleys_at", N_ZONES, 2.5, 40, "galleys in a sea zone"),
    InputGroup::shared(
        "city_at",
        N_PROVINCES,
        1.0,
        1,
        "whether a city of its own stands in a province",
    ),
    InputGroup::shared("held", N_CARDS, 1.0, 9, "cards of a kind in front of it"),
    InputGroup::shared("senators", 4, 2.0, 20, "Senators of a value in its hand in this world"),
    InputGroup::own(
        "merchants_at",
        N_MERCHANTS,
        4.0,
        40,
        "influence in the province of a merchant that it has",
    ),
    InputGroup::shared(
        "counts",
        COUNTS,
        10.0,
        127,
        "a count of the value function, by the factor of its list",
    ),
    InputGroup::shared(
        "purse",
        PURSES.len(),
        1.0,
        1,
        "whether it has 10, 20, 30, 40, 60, 80, 100, 150 talents",
    ),
    InputGroup::shared(
        "order",
        MAX_PLAYERS,
        1.0,
        1,
        "whether a place in the order of turns is its own",
    ),
    InputGroup::own("chaos_lead", 1, 20.0, 127, "chaos beyond that of its worst rival"),
    InputGroup::own("points_lead", 1, 20.0, 127, "victory points beyond those of its best rival"),
    InputGroup::own(
        "might",
        3,
        80.0,
        127,
        "land military of its own, of its enemies, of its allies, in infantry",
    ),
    InputGroup::shared("on_turn", 1, 1.0, 1, "whether it chooses an action"),
    InputGroup::shared("supply", 1, 20.0, 127, "influence tokens not placed"),
    InputGroup::own("votes_lead", 1, 20.0, 127, "votes beyond those of its best rival"),
];

/// The inputs of the table.
pub(super) const TABLE: &[InputGroup] = &[
    InputGroup::own("phase", PHASES, 1.0, 1, "whether it is this round of the game"),
    InputGroup::own("tokens", KEYS, 4.0, 20, "province tokens for sale in a key province"),
    InputGroup::own("bag", KEYS, 4.0, 20, "province tokens of a key province in the bag"),
    InputGroup::own("display", N_CARDS, 1.0, 9, "copies of a card in the display"),
    InputGroup::own(
        "no_round",
        1,
        1.0,
        1,
        "whether no round is under way: between a scoring and the first turn",
    ),
    InputGroup::own("unallied", 1, 1.0, 6, "players without an alliance"),
];

/// The inputs of an option that the seat has not.
const OWN: [InputGroup; 19] = [
    InputGroup::own(
        "kind",
        KINDS,
        1.0,
        1,
        "pass, end, tax, take, use, recruit, buy, march, guard, battle, sail, single ply",
    ),
    InputGroup::own("actions", KINDS * MOST_ACTIONS, 1.0, 1, "its kind, by actions left"),
    InputGroup::own(
        "behind",
        KINDS,
        8.0,
        127,
        "quarters of a point by which the guide likes the best option more, by kind",
    ),
    InputGroup::own("liked", KINDS, 1.0, 1, "whether the guide likes it best, by kind"),
    InputGroup::own("taken", N_CARDS, 1.0, 1, "whether it takes this card"),
    InputGroup::own("recruited_at", N_PROVINCES, 1.0, 1, "whether it recruits there"),
    InputGroup::own("recruited", N_UNITS, 4.0, 40, "units of a kind that it recruits"),
    InputGroup::own("bought_at", KEYS, 1.0, 1, "whether it buys there"),
    InputGroup::own("from_board", 1, 1.0, 2, "tokens that it buys from the board"),
    InputGroup::own("from_rivals", 1, 1.0, 2, "tokens that it buys from enemies"),
    InputGroup::own(
        "robbed_lead",
        1,
        20.0,
        127,
        "victory points of whom it buys from beyond those of the mover",
    ),
    InputGroup::own("left", N_PROVINCES, 1.0, 1, "whether it marches from there"),
    InputGroup::own("entered", N_PROVINCES, 1.0, 1, "whether it marches to there"),
    InputGroup::own("marching", N_MOVERS, 4.0, 40, "units of a kind that march"),
    InputGroup::own("guards", 1, 1.0, 10, "places that get a garrison"),
    InputGroup::own("fought_at", N_PROVINCES, 1.0, 1, "whether it fights there"),
    InputGroup::own(
        "fighting",
        2,
        27.0,
        127,
        "land military there of the mover and of the enemy, quarters of an infantry",
    ),
    InputGroup::own(
        "fought_lead",
        1,
        20.0,
        127,
        "victory points of the enemy beyond those of the mover",
    ),
    InputGroup::own("sailed_to", N_ZONES, 1.0, 1, "whether it sails there"),
];

/// The inputs of an option: its own, then one for each role of a key province for each input of [`LOCAL`].
pub(super) const OPTIONS: &[InputGroup] = &{
    let mut all = [OWN[0]; OWN.len() + LOCAL.len()];
    let mut i = 0;
    while i < all.len() {
        all[i] = if i < OWN.len() { OWN[i] } else { local(LOCAL[i - OWN.len()]) };
        i += 1;
    }
    all
};

/// The inputs of conquest2.
pub(super) const LAYOUT: Layout =
    Layout { seat: SEAT, table: TABLE, options: OPTIONS, phases: PHASES };

/// Returns the group of an input of the seat for each role of a key province.
const fn local(name: &str) -> InputGroup {
    InputGroup {
        count: ROLES,
        is_shared: false,
        meaning: "the input of that name of the mover, where it recruits, buys, leaves, enters or fights",
        ..*InputGroup::named(SEAT, name)
    }
}
