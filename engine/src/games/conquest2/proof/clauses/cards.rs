//! Clauses 14 and 16.1 to 16.3: immediate-use and multi-use cards.

use super::Position;
use crate::games::conquest2::model::units::Unit;

fn take(position: Position, card: &str) -> Position {
    let mut position = position.shows(card).ready();
    position.play(&["take", &format!("card {card}")]);
    position
}

#[test]
fn c14_1_a_fleet_is_commandeered_from_another_zone_as_far_as_the_pool_goes() {
    let mut position = take(
        Position::new(4).galleys(0, "mare-narbo", 3).galleys(0, "mare-epirus", 4),
        "fleet-alexandria",
    );
    assert_eq!(position.options(), "0: from mare-epirus, from mare-narbo");
    position.play(&["from mare-narbo"]);
    assert_eq!(position.at_sea(0, "mare-alexandria"), 2, "one moved, one was left in the pool");
    assert_eq!(position.state.pool.0[0][Unit::Galley], 0);
}

#[test]
fn c14_2_a_city_needs_a_unit_and_a_free_site() {
    let position =
        Position::new(4).units(0, "egypt", [0, 0, 0, 1]).units(0, "numidia", [1, 0, 0, 0]);
    let mut built = take(position.clone(), "city-egypt-numidia");
    assert_eq!(built.options(), "0: in egypt, in numidia");
    built.play(&["in egypt"]);
    assert_eq!(built.city_owner("egypt"), Some(0));
    let taken = take(position.city("numidia", 3), "city-egypt-numidia");
    assert_eq!(taken.city_owner("egypt"), Some(0), "the only free site is forced");
}

#[test]
fn c14_3_exactly_four_units_go_against_the_barbarians() {
    let mut position =
        take(Position::new(4).units(0, "pannonia", [3, 2, 1, 1]), "barbarians-dacia");
    assert_eq!(position.options(), "0: count 1, count 2, count 3", "infantry: 3 others at most");
    position.play(&["count 1"]);
    // All others must go; only the general may choose.
    assert_eq!(position.options(), "0: count 0, count 1");
    position.play(&["count 1"]);
    assert_eq!(position.at(0, "dacia"), [4, 3, 1, 1], "3 infantry and 1 cavalry are gained");
    assert_eq!(position.state.actions_left, 1, "the move is free");
}

#[test]
fn c14_3_rewards_in_talents_and_points() {
    let go = |from: &str, card: &str| {
        let mut position = take(Position::new(4).units(0, from, [4, 0, 0, 1]), card);
        position.play(&["count 0"]);
        (position.state.money.0[0], position.state.vp.0[0])
    };
    assert_eq!(go("dacia", "barbarians-pannonia"), (120, 0));
    assert_eq!(go("belgica", "barbarians-britannia"), (80, 10));
}

#[test]
fn c14_3_gained_units_end_with_the_pool() {
    let mut position = take(
        Position::new(4).units(0, "pannonia", [4, 0, 0, 1]).units(0, "syria", [15, 20, 0, 0]),
        "barbarians-moesia",
    );
    position.play(&["count 0"]);
    assert_eq!(position.at(0, "moesia"), [5, 0, 0, 0]);
    assert_eq!([Unit::Infantry, Unit::Cavalry].map(|unit| position.state.pool.0[0][unit]), [0, 0]);
}

#[test]
fn c14_4_a_politician_serves_the_province_of_the_caesar() {
    let position = take(Position::new(4).caesar(0, "asia"), "politician");
    assert_eq!((position.influence_in(0, "asia"), position.state.supply.0[0]), (1, 17));
}

#[test]
fn c14_5_a_bribed_senator_changes_hands_at_random_even_from_an_ally() {
    let mut position = take(Position::new(4).senators(3, [0; 4]), "bribe-senator");
    assert_eq!(position.options(), "0: target 1, target 2");
    position.play(&["target 2"]);
    assert_eq!(position.actor(), "chance");
    position.draw_senator(3);
    assert_eq!(position.state.senators.0[0], [1, 1, 2, 0]);
    assert_eq!(position.state.senators.0[2], [1, 1, 0, 0]);
}

#[test]
fn c16_1_a_merchant_needs_influence_there_and_works_once_a_season() {
    let without = Position::new(4).holds(0, "merchant-egypt").ready();
    assert!(!without.options().contains("use"));
    let mut position = Position::new(4).holds(0, "merchant-egypt").influence(0, "egypt", 3).ready();
    position.play(&["use"]); // its only option is forced
    assert_eq!(position.state.money.0[0], 110);
    assert_eq!(position.options(), "0: take, tax, pass");
}

#[test]
fn c16_1_both_italian_merchants_are_used_one_after_the_other() {
    let mut position = Position::new(4)
        .holds(0, "merchant-italia")
        .holds(0, "merchant-italia")
        .influence(0, "italia", 2)
        .ready();
    position.play(&["use", "use"]);
    assert_eq!(position.state.money.0[0], 100);
    assert!(!position.options().contains("use"));
}

#[test]
fn c16_2_an_assassin_strikes_generals_or_a_random_senator_of_anyone_else() {
    let mut position = Position::new(4)
        .holds(0, "assassin")
        .units(0, "dacia", [0, 0, 0, 1])
        .units(1, "egypt", [0, 0, 0, 3])
        .units(2, "asia", [0, 0, 0, 1])
        .senators(3, [0; 4])
        .ready();
    position.play(&["use"]);
    assert_eq!(
        position.options(),
        "0: assassin senator 1, assassin senator 2, assassin general 1 egypt, assassin general 2 asia"
    );
    let mut senator = position.clone();
    position.play(&["assassin general 1 egypt"]);
    assert_eq!(position.at(1, "egypt"), [0, 0, 0, 2]);
    senator.play(&["assassin senator 2"]).draw_senator(2);
    assert_eq!(senator.state.senators.0[2], [1, 0, 1, 0]);
}

#[test]
fn c16_3_loot_brings_talents_and_chaos() {
    let mut position = Position::new(4).holds(0, "loot").ready();
    position.play(&["use"]);
    assert_eq!((position.state.money.0[0], position.state.chaos.0[0]), (130, 5));
}

#[test]
fn c16_a_card_may_be_used_in_the_turn_it_was_taken() {
    let position = take(Position::new(4), "loot");
    assert_eq!(position.options(), "0: tax, pass, use");
}
