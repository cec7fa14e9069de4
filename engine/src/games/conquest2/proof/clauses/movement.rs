//! Clause 13: moving land units.

use super::Position;

/// Returns a general with an infantry of player 0 in neapolis, ready to leave.
fn in_neapolis() -> Position {
    Position::new(4).units(0, "neapolis", [1, 0, 0, 1])
}

fn destinations(position: Position) -> String {
    let mut position = position.ready();
    position.play(&["move"]);
    position.options()
}

#[test]
fn c13_2_armies_of_enemies_stop_a_move_and_leaders_do_not() {
    let position = || Position::new(4).units(0, "dacia", [1, 0, 0, 1]);
    let stopped = position().units(1, "moesia", [1, 0, 0, 0]).units(3, "pannonia", [0, 0, 1, 0]);
    assert_eq!(destinations(stopped), "0: to moesia, to pannonia");
    let passed = position().units(1, "moesia", [1, 0, 0, 0]).units(3, "pannonia", [0, 0, 0, 1]);
    assert!(destinations(passed).contains("to hispania"));
    let allied = position().units(1, "moesia", [1, 0, 0, 0]).units(2, "pannonia", [5, 0, 0, 0]);
    assert!(destinations(allied).contains("to hispania"));
}

#[test]
fn c13_2_the_starting_province_stops_nobody() {
    let position = Position::new(4).units(0, "dacia", [1, 0, 0, 1]).units(1, "dacia", [3, 0, 0, 0]);
    assert!(destinations(position).contains("to hispania"));
}

#[test]
fn c13_3_an_enemy_galley_closes_a_strait() {
    assert!(destinations(in_neapolis()).contains("to sicilia"));
    let closed = in_neapolis().galleys(1, "mare-tyrrhenum", 1);
    assert!(!destinations(closed).contains("to sicilia"));
    let elsewhere = in_neapolis().galleys(1, "mare-epirus", 1);
    assert!(destinations(elsewhere).contains("to sicilia"));
    let of_an_ally = in_neapolis().galleys(2, "mare-tyrrhenum", 1);
    assert!(destinations(of_an_ally).contains("to sicilia"));
}

#[test]
fn c13_3_a_closed_strait_of_the_map_is_no_border() {
    let position = |open: &str| {
        Position::with(4, &[&format!("strait.italia-corsica.open={open}")]).units(
            0,
            "italia",
            [1, 0, 0, 1],
        )
    };
    assert!(!destinations(position("false")).contains("to corsica"));
    assert!(destinations(position("true")).contains("to corsica"));
}

#[test]
fn c13_4_a_galley_carries_four_to_every_destination() {
    let mut position =
        Position::new(4).units(0, "italia", [9, 2, 0, 1]).galleys(0, "mare-narbo", 1).ready();
    position.play(&["move", "to corsica"]);
    assert_eq!(position.options(), "0: count 0, count 1, count 2, count 3, count 4");
    position.play(&["count 3"]);
    assert_eq!(position.options(), "0: count 0, count 1", "one place is left");
    position.play(&["count 0", "count 0", "to sardinia"]);
    assert_eq!(position.options(), "0: count 0, count 1, count 2, count 3, count 4");
    position.play(&["count 4"]);
    assert_eq!(position.options(), "0: count 0, count 1", "leaders sail for free");
    position.play(&["count 1"]);
    assert_eq!(position.at(0, "corsica"), [3, 0, 0, 0]);
    assert_eq!(position.at(0, "sardinia"), [4, 0, 0, 1]);
}

#[test]
fn c13_4_capacity_counts_all_zones_beside_the_destination_and_enemies_do_not_stop_it() {
    let mut position = Position::new(4)
        .units(0, "italia", [9, 0, 0, 1])
        .galleys(0, "mare-narbo", 1)
        .galleys(0, "mare-numidia", 1)
        .galleys(1, "mare-narbo", 3)
        .ready();
    position.play(&["move", "to sardinia"]);
    assert!(position.options().ends_with("count 8"), "{}", position.options());
}

#[test]
fn c13_4_only_coasts_sail() {
    let by_sea = |from| Position::new(2).units(0, from, [1, 0, 0, 1]).galleys(0, "mare-narbo", 1);
    assert!(destinations(by_sea("italia")).contains("to sardinia"));
    assert!(!destinations(by_sea("raetia")).contains("to sardinia"));
}

#[test]
fn c13_5_what_is_reached_by_land_has_no_limit() {
    let mut position =
        Position::new(4).units(0, "italia", [9, 0, 0, 1]).galleys(0, "mare-narbo", 1).ready();
    position.play(&["move", "to narbonensis"]);
    assert!(position.options().ends_with("count 9"), "{}", position.options());
}

#[test]
fn c13_count_groups_come_to_one_unit_and_destinations_go_up() {
    let mut position = Position::new(2).units(0, "dacia", [1, 0, 0, 1]).ready();
    position.play(&["move", "to moesia"]);
    assert_eq!(position.options(), "0: count 0, count 1");
    // No unit was chosen and the general is the last count: it must go, and no ply asks for it.
    position.play(&["count 0"]);
    assert_eq!(position.at(0, "moesia"), [0, 0, 0, 1]);
    assert!(position.options().starts_with("0: to narbonensis"), "{}", position.options());
    assert!(position.options().ends_with("done"), "{}", position.options());
}

#[test]
fn c13_6_an_empty_city_falls_even_to_an_ally_and_under_foreign_eyes() {
    let enter = |guard: Option<(u8, [u8; 4])>, owner| {
        let mut position =
            Position::new(4).units(0, "italia", [1, 0, 0, 1]).city("neapolis", owner);
        if let Some((player, units)) = guard {
            position = position.units(player, "neapolis", units);
        }
        let mut position = position.ready();
        position.play(&["move", "to neapolis", "count 1", "count 0"]);
        position.city_owner("neapolis")
    };
    assert_eq!(enter(None, 1), Some(0));
    assert_eq!(enter(None, 2), Some(0), "an ally's");
    assert_eq!(enter(Some((3, [1, 0, 0, 0])), 1), Some(0), "a third player's units");
    assert_eq!(enter(Some((1, [0, 0, 0, 1])), 1), Some(1), "a leader holds it");
}
