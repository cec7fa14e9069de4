//! The inputs of an option of a turn: their groups.

use engine::games::conquest2::N_MOVERS;
use engine::games::conquest2::board::{MAX_KEYS, N_PROVINCES, N_ZONES};
use engine::games::conquest2::cards::N_CARDS;
use engine::games::conquest2::units::N_UNITS;

use crate::net::InputGroup;

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

/// Returns a group of one input for each role of a key province.
const fn local(name: &'static str, usual: f32, most: i8) -> InputGroup {
    let meaning =
        "the input of that name of the mover, where it recruits, buys, leaves, enters or fights";
    InputGroup::own(name, ROLES, usual, most, meaning)
}

/// The inputs of an option.
pub(super) const OPTIONS: &[InputGroup] = &[
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
    InputGroup::own("bought_at", MAX_KEYS, 1.0, 1, "whether it buys there"),
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
    local("influence", 4.0, 40),
    local("points", 10.0, 60),
    local("army", 1.0, 1),
    local("foes", 1.0, 5),
    local("strength", 27.0, 127),
    local("hostile", 27.0, 127),
    local("friendly", 27.0, 127),
    local("near", 27.0, 127),
    local("lead", 4.0, 40),
    local("leads", 1.0, 1),
    local("leader", 1.0, 1),
    local("caesar", 1.0, 1),
    local("approach", 1.0, 1),
    local("for_sale", 4.0, 20),
    local("rival", 4.0, 40),
    local("outnumbered", 1.0, 1),
    local("one_more", 10.0, 60),
    local("two_more", 10.0, 60),
    local("buys_two", 10.0, 60),
];
