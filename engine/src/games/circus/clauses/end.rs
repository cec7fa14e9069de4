//! The finish, the end, variants, states of records, and keys of the rules (C4 to C6, G5).

use super::super::Circus;
use super::super::limits::TEAM;
use super::super::position::Race;
use super::{is_over, placings};
use crate::game::Game;
use crate::notation::Notation;
use crate::rules::{Configure, Rules};

#[test]
fn c4_finish_cells_are_walls_below_leg_four() {
    let race = Race::new(2, &[]).put(0, 0, 60, 0).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    assert_eq!(race.options_with("go 1 s").len(), 2);
    assert_eq!(race.options_with("go 2 s"), [""; 0]);
    // Also on the bottom straight, and at any leg.
    let race = Race::new(2, &[]).put(0, 0, 140, 6).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    assert_eq!(race.options_with("go 1 n").len(), 2);
    assert_eq!(race.options_with("go 2 n"), [""; 0]);
}

#[test]
fn c4a_from_its_distance_on_every_card_leads_home() {
    let race = Race::new(2, &[]).put(0, 0, 60, 4).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    for direction in ["sw", "se"] {
        for value in 1..=5 {
            assert!(race.options().contains(&format!("go {value} {direction}")));
        }
    }
    // Cards 1 and 2 stop before it or in it; 60 is two steps away.
    let cell_after = |action: &str| {
        let mut race = Race::new(2, &[]).put(0, 0, 60, 4).turn_of(0, 0, &[1, 2, 3, 4, 5]);
        race.play(&[action]);
        (race.at(0, 0), race.state.n_home(0))
    };
    assert_eq!(cell_after("go 1 se"), ((80, 4), 0));
    assert_eq!(cell_after("go 2 se"), ((101, 4), 1));
    assert_eq!(cell_after("go 5 se"), ((101, 4), 1));
    assert_eq!(cell_after("go 4 sw"), ((99, 4), 1));
}

#[test]
fn c4a_two_laps_open_the_finish_as_well() {
    let race = Race::new(2, &[]).put(0, 0, 60, 8).turn_of(0, 0, &[1, 2, 5]);
    assert_eq!(race.options_with("go 5 s"), ["go 5 se", "go 5 sw"]);
}

#[test]
fn c4a_sideways_the_finish_is_a_wall() {
    // From the right line west lies the finish; from the left line east.
    let race = Race::new(2, &[]).put(0, 0, 108, 7).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    assert_eq!(race.options().iter().filter(|o| o.ends_with(" w")).count(), 2);
    let race = Race::new(2, &[]).put(0, 0, 93, 5).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    assert_eq!(race.options().iter().filter(|o| o.ends_with(" e")).count(), 1);
}

#[test]
fn c4a_an_occupied_finish_cell_is_a_wall_and_cells_before_must_be_empty() {
    let race = Race::new(2, &[]).put(0, 0, 60, 4).put(1, 0, 101, 4).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    let south_east: Vec<_> = race.options().into_iter().filter(|o| o.ends_with(" se")).collect();
    assert_eq!(south_east, ["go 1 se"]);
    let race = Race::new(2, &[]).put(0, 0, 60, 4).put(1, 0, 80, 4).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    assert!(!race.options().iter().any(|o| o.ends_with(" se")));
    assert!(race.options().contains(&"go 5 sw".to_owned()));
}

#[test]
fn c4_a_chariot_at_home_ends_its_turn_and_keeps_its_leg() {
    let mut race = Race::new(2, &[]).put(0, 0, 60, 4).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    race.play(&["go 5 se"]);
    assert_ne!(race.state.driver(), Some((0, 0)));
    assert_eq!(race.at(0, 0), (101, 4));
    assert_eq!(race.game.steps_to_go(&race.state, 0, 0), 0);
}

/// Returns a race in which seat 0 is one card from winning.
fn one_card_from_winning(settings: &[&str]) -> Race {
    Race::new(3, settings)
        .put(0, 0, 95, 4)
        .put(0, 1, 97, 4)
        .put(0, 2, 60, 4)
        .put(1, 0, 99, 4)
        .put(1, 1, 102, 4)
        .put(1, 2, 62, 4)
        .put(2, 0, 63, 4)
}

#[test]
fn c5_the_first_with_all_three_home_wins_and_the_game_ends_there() {
    let mut race = one_card_from_winning(&[]).turn_of(0, 2, &[1, 2, 3, 4, 5]);
    race.play(&["go 5 se"]);
    assert!(is_over(&race));
    assert_eq!(placings(&race), [2, 0, 0]);
    assert_eq!(race.game.payoffs(&race.state).first(3), [1.0, 0.0, 0.0]);
    let state = race.game.state_json(&race.state);
    assert_eq!(state["round"], 1);
    assert_eq!(state["arrived"], serde_json::json!([0]));
    assert_eq!(state["players"][0]["cards"], serde_json::json!([1, 2, 3, 4]));
    assert_eq!(state["to_move"][0], serde_json::json!([1, 2]));
}

#[test]
fn c5c_playing_on_ends_when_all_but_one_are_home() {
    let mut race = one_card_from_winning(&["play-on=true"]).turn_of(0, 2, &[1, 2, 3, 4, 5]);
    race.play(&["go 5 se"]);
    assert!(!is_over(&race));
    race.play(&["go 5 se"]);
    assert!(is_over(&race));
    assert_eq!(placings(&race), [2, 1, 0]);
    assert_eq!(race.game.state_json(&race.state)["arrived"], serde_json::json!([0, 1]));
}

#[test]
fn c5c_playing_on_ends_when_the_finish_is_full() {
    let mut race =
        Race::new(5, &["play-on=true"]).put(0, 0, 95, 4).put(0, 1, 96, 4).put(0, 2, 97, 4);
    race.state.arrived[0] = 0;
    race.state.n_arrived = 1;
    for (i, (seat, n)) in
        [(1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1), (4, 0)].into_iter().enumerate()
    {
        race = race.put(seat, n, 98 + i as u8, 4);
    }
    let mut race = race.put(4, 1, 84, 4).turn_of(4, 1, &[1, 2, 3, 4, 5]);
    race.play(&["go 1 se"]);
    assert!(is_over(&race));
    assert_eq!(race.state.n_home(4), 2);
    assert_eq!(placings(&race)[0], 4);
}

#[test]
fn c5b_after_the_last_round_chariots_home_count_before_steps() {
    let mut race = Race::new(3, &["max-rounds=1"])
        .put(0, 0, 97, 4)
        .put(1, 0, 60, 4)
        .put(1, 1, 61, 4)
        .put(1, 2, 62, 4)
        .put(2, 0, 99, 4)
        .put(2, 1, 60 + 3, 4)
        .begin();
    while !is_over(&race) {
        let waste = race.options_with("waste")[0].clone();
        race.play(&[&waste]);
    }
    assert_eq!(placings(&race), [1, 0, 2]);
    let state = race.game.state_json(&race.state);
    assert_eq!((&state["round"], &state["to_move"]), (&1.into(), &serde_json::json!([])));
    assert_eq!(race.game.milestone(&race.state), 1);
}

#[test]
fn c5b_level_players_share_the_place_and_the_point() {
    let mut race = Race::new(2, &["max-rounds=1"])
        .put(0, 0, 60, 4)
        .put(0, 1, 95, 4)
        .put(0, 2, 96, 4)
        .put(1, 0, 63, 4)
        .put(1, 1, 97, 4)
        .put(1, 2, 98, 4)
        .begin();
    while !is_over(&race) {
        race.play(&["waste 1"]);
    }
    assert_eq!(placings(&race), [0, 0]);
    assert_eq!(race.game.payoffs(&race.state).first(2), [0.5, 0.5]);
}

#[test]
fn c5b_steps_to_go_are_those_of_the_published_table() {
    let game = Circus::new(2);
    let table = include_str!("../../../../tests/circus/board.txt");
    let mut n_compared = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let numbers: Vec<Option<u32>> = line.split(' ').map(|word| word.parse().ok()).collect();
        let cell = numbers[0].unwrap() as u8;
        let section = i16::from(game.board.section[usize::from(cell)]);
        if let Some(first) = numbers[8] {
            assert_eq!(game.board.steps_to_go(cell, section), first, "cell {cell}");
            n_compared += 1;
        }
        if let Some(after) = numbers[9] {
            assert_eq!(game.board.steps_to_go(cell, section + 4), after, "cell {cell} after a lap");
            n_compared += 1;
        }
    }
    assert_eq!(n_compared, 190 + 90);
}

#[test]
fn c5d_straight_on_is_free_and_a_change_of_direction_costs_a_card() {
    let mut race =
        Race::new(2, &["straight-only=true"]).put(0, 0, 40, 0).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    race.play(&["go 1 w"]);
    // Four cards are open, two of them must stay: one move straight on, or one aside for one more card.
    let aside: Vec<_> = race.options().into_iter().filter(|o| o.starts_with("go 2 nw")).collect();
    assert_eq!(aside, ["go 2 nw 3", "go 2 nw 4", "go 2 nw 5"]);
    assert_eq!(race.options_with("go 2 w"), ["go 2 w"]);
    race.play(&["go 2 nw 5"]);
    assert_eq!(race.state.open_cards(0), 0b01100);
    assert_ne!(race.state.driver(), Some((0, 0)));
}

#[test]
fn c5d_a_change_needs_two_cards_that_need_not_stay() {
    let mut race =
        Race::new(2, &["straight-only=true"]).put(0, 0, 40, 0).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    race.play(&["go 1 w", "go 2 w"]);
    // Three cards are left and two must stay; four cells west of 37 are free.
    assert_eq!(race.options(), ["go 3 w", "go 4 w", "stop"]);
}

#[test]
fn c5d_the_card_thrown_away_is_none_of_the_three() {
    let mut race = Race::new(2, &["straight-only=true"])
        .put(0, 0, 40, 0)
        .put(0, 1, 95, 4)
        .put(0, 2, 96, 4)
        .turn_of(0, 0, &[1, 2, 3, 4, 5]);
    race.play(&["go 1 w", "go 2 nw 5"]);
    assert_eq!(race.state.cards_used(), 2);
    // Straight on means the direction of the card before.
    assert!(race.options_with("go 3 nw").is_empty()); // two rows are left above
    race.play(&["go 3 w 4"]);
    assert_ne!(race.state.driver(), Some((0, 0)));
}

#[test]
fn c5d_two_cards_end_a_turn_where_the_variant_says_so() {
    let mut race =
        Race::new(2, &["two-cards=true"]).put(0, 0, 40, 0).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    race.play(&["go 1 w", "go 2 w"]);
    assert_ne!(race.state.driver(), Some((0, 0)));
}

#[test]
fn c6_the_state_after_a_round_shows_the_cards_before_they_are_turned() {
    let mut race = Race::new(2, &[]).begin();
    while race.state.rounds() == 0 {
        let waste = race.options_with("waste")[0].clone();
        race.play(&[&waste]);
    }
    let state = race.game.state_json(&race.state);
    assert_eq!(state["round"], 1);
    assert_eq!(state["players"][0]["cards"], serde_json::json!([4, 5]));
    assert_eq!(state["to_move"], serde_json::json!([]));
    race.play(&["waste 5"]);
    let state = race.game.state_json(&race.state);
    assert_eq!(state["round"], 2);
    assert_eq!(state["to_move"].as_array().unwrap().len(), 5);
    assert_eq!(state["players"][0]["chariots"].as_array().unwrap().len(), TEAM);
}

#[test]
fn c6_a_milestone_is_passed_after_every_round_and_not_before() {
    let mut race = Race::new(2, &[]).begin();
    for milestone in 1..=3 {
        for ply in 0..6 {
            assert_eq!(race.game.milestone(&race.state), milestone - 1, "ply {ply}");
            let waste = race.options_with("waste")[0].clone();
            race.play(&[&waste]);
        }
        assert_eq!(race.game.milestone(&race.state), milestone);
    }
}

#[test]
fn g5_the_keys_of_the_header_are_keys_of_the_rules() {
    let mut rules = Rules::of::<Circus>();
    for setting in ["straight-only=true", "two-cards=true", "play-on=true", "max-rounds=7"] {
        rules.set(setting).unwrap();
    }
    let written = rules.overrides().to_string();
    assert_eq!(written, r#"{"max-rounds":7,"play-on":true,"straight-only":true,"two-cards":true}"#);
    let game = Circus::configure(3, &rules).unwrap();
    assert_eq!((game.cards_per_chariot(), game.straight_only), (2, true));
}

#[test]
fn nonsense_in_the_rules_is_refused_with_its_place() {
    let refusal = |setting: &str| {
        let mut rules = Rules::of::<Circus>();
        rules
            .set(setting)
            .and_then(|()| Circus::configure(5, &rules).map(drop))
            .unwrap_err()
            .to_string()
    };
    for (setting, complaint) in [
        ("max-rounds=0", "max-rounds: 0 is out of range (1 to 1000)"),
        ("cards.values=[1,2]", "cards.values: 3 cards are needed at least"),
        ("cards.values=[1,2,2,3]", "cards.values: a card stands twice"),
        ("start.cells=[13,30]", "start.cells: 15 cells of the start are needed for 5 players"),
        (
            "finish.cells=[95]",
            "finish.cells: cell 96 has a section and a rank, or is of the finish",
        ),
        (
            "finish.directions=[\"up\"]",
            "finish.directions: unknown \"up\" (known: e, ne, nw, w, sw, se)",
        ),
        ("directions.e=[0,1]", "directions: e and w are no opposite steps"),
    ] {
        assert_eq!(refusal(setting), format!("{setting}: {complaint}"));
    }
}
