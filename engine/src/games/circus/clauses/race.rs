//! Placing, order, and the turns of chariots (C1 to C3).

use super::super::position::Race;
use super::super::state::State;
use super::super::{Action, Circus};
use super::seat_to_move;
use crate::game::{Game, Turn};
use crate::notation::Notation;
use crate::player::Player;

#[test]
fn states_and_actions_are_small() {
    assert!(size_of::<State>() <= 256, "{}", size_of::<State>());
    assert_eq!(size_of::<State>(), 208);
    assert!(size_of::<Action>() <= 8);
}

#[test]
fn c1_the_second_and_the_third_round_of_placing_go_backwards() {
    let mut race = Race::before_the_start(3);
    race.first(1);
    let mut seats = Vec::new();
    for _ in 0..9 {
        seats.push(seat_to_move(&race));
        let option = race.options()[0].clone();
        race.play(&[&option]);
    }
    assert_eq!(seats, [1, 2, 0, 0, 2, 1, 0, 2, 1]);
}

#[test]
fn c1a_there_are_fifteen_start_cells_and_one_less_after_each_placing() {
    let mut race = Race::before_the_start(2);
    race.first(0);
    assert_eq!(race.options().len(), 15);
    assert!(race.options().contains(&"start 13".to_owned()));
    race.play(&["start 13"]);
    assert_eq!(race.options().len(), 14);
    assert!(!race.options().contains(&"start 13".to_owned()));
    assert_eq!(race.at(0, 0), (13, 0));
}

#[test]
fn c1a_with_five_players_the_last_placement_is_no_ply() {
    let mut race = Race::before_the_start(5);
    race.first(3);
    let mut n_plies = 0;
    while race.state.is_placing() {
        let option = race.options()[0].clone();
        race.play(&[&option]);
        n_plies += 1;
    }
    assert_eq!(n_plies, 14);
}

#[test]
fn c1b_chariots_are_numbered_in_the_order_of_placing() {
    let mut race = Race::before_the_start(2);
    race.first(1);
    race.play(&["start 89", "start 13", "start 30", "start 88", "start 48", "start 87"]);
    assert_eq!([race.at(0, 0).0, race.at(0, 1).0, race.at(0, 2).0], [13, 30, 48]);
    assert_eq!([race.at(1, 0).0, race.at(1, 1).0, race.at(1, 2).0], [89, 88, 87]);
}

#[test]
fn c1_the_draw_of_the_first_placer_is_uniform() {
    let game = Circus::new(4);
    let mut outcomes = Vec::new();
    game.outcomes(&game.start(), &mut outcomes);
    let seats: Vec<_> = Player::all(4).map(|player| (Action::First(player), 0.25)).collect();
    assert_eq!(outcomes, seats);
    let event =
        serde_json::to_string(&game.chance_event(&game.start(), Action::First(Player::new(2))))
            .unwrap();
    assert_eq!(event, r#"{"chance":"first-player","value":2}"#);
}

#[test]
fn c2_the_leader_moves_first_then_his_section_then_the_sections_behind() {
    // The leader is on the bottom straight; a section behind is the left line, then the top, then the right line.
    let race = Race::new(2, &[])
        .put(0, 0, 140, 2)
        .put(0, 1, 92, 1)
        .put(0, 2, 20, 0)
        .put(1, 0, 108, -1)
        .put(1, 1, 130, 2)
        .put(1, 2, 16, 0)
        .begin();
    assert_eq!(race.order(), [(1, 1), (0, 0), (0, 1), (1, 2), (0, 2), (1, 0)]);
}

#[test]
fn c2a_in_a_section_the_higher_leg_counts_before_the_rank() {
    // Cell 70 has the best rank of the top straight, but the chariot there is a lap behind.
    let race = Race::new(2, &[]).put(0, 0, 70, 0).put(1, 0, 15, 4).put(1, 1, 86, 4).begin();
    assert_eq!(race.order()[..3], [(1, 1), (1, 0), (0, 0)]);
}

#[test]
fn c2a_the_leader_is_the_highest_leg_then_the_lowest_rank() {
    let race = Race::new(2, &[]).put(0, 0, 108, 3).put(1, 0, 106, 3).put(1, 1, 70, 0).begin();
    // On a line the inner one is ahead; then come the bottom, the left line and the top.
    assert_eq!(race.order()[..2], [(1, 0), (0, 0)]);
    assert_eq!(race.order()[5], (1, 1));
}

#[test]
fn c2a_chariots_at_home_have_no_turn_and_the_order_stays_within_a_round() {
    let mut race = Race::new(2, &[]).put(0, 0, 97, 4).put(0, 1, 20, 4).put(1, 0, 30, 4).begin();
    assert_eq!(race.order().len(), 5);
    let before = race.order();
    assert_eq!(before[0], (0, 1));
    race.play(&["go 1 e", "stop"]);
    assert_eq!(race.order(), before);
    assert_eq!(race.state.driver(), Some((1, 0)));
}

#[test]
fn c2_all_cards_are_open_again_in_a_new_round() {
    let mut race = Race::new(2, &[]).begin();
    for _ in 0..6 {
        let waste = race.options_with("waste")[0].clone();
        race.play(&[&waste]);
    }
    assert_eq!(race.state.rounds(), 1);
    assert_eq!([race.state.open_cards(0), race.state.open_cards(1)], [0b11111; 2]);
}

#[test]
fn c2b_a_step_over_the_end_of_a_section_changes_the_leg() {
    let leg_after = |cell, leg, action: &str| {
        let mut race = Race::new(2, &[]).put(0, 0, cell, leg).turn_of(0, 0, &[1, 2, 3, 4, 5]);
        race.play(&[action]);
        race.at(0, 0)
    };
    assert_eq!(leg_after(72, 0, "go 1 sw"), (92, 1)); // top to left
    assert_eq!(leg_after(72, 0, "go 2 se"), (114, 2)); // over the whole line
    assert_eq!(leg_after(92, 1, "go 1 ne"), (72, 0)); // and back
    assert_eq!(leg_after(126, 2, "go 1 ne"), (106, 3)); // bottom to right
    assert_eq!(leg_after(107, 3, "go 1 nw"), (86, 4)); // right to top: a lap
    assert_eq!(leg_after(86, 4, "go 1 se"), (107, 3));
}

#[test]
fn c2b_legs_below_zero_and_above_four_exist() {
    let mut race = Race::new(2, &[]).put(0, 0, 86, 0).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    race.play(&["go 1 se"]);
    assert_eq!(race.at(0, 0), (107, -1));
    let mut race = Race::new(2, &[]).put(0, 0, 72, 4).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    race.play(&["go 1 sw"]);
    assert_eq!(race.at(0, 0), (92, 5));
}

#[test]
fn c3_a_card_moves_exactly_its_value_through_empty_cells() {
    // West of 40 lie 39, 38, …; a chariot in 37 leaves two free cells.
    let race = Race::new(2, &[]).put(0, 0, 40, 0).put(1, 0, 37, 0).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    let west: Vec<String> = race.options().into_iter().filter(|o| o.ends_with(" w")).collect();
    assert_eq!(west, ["go 1 w", "go 2 w"]);
}

#[test]
fn c3_the_edge_of_the_board_ends_a_line() {
    let race = Race::new(2, &[]).put(0, 0, 2, 0).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    assert_eq!(race.options_with("go 2"), ["go 2 e", "go 2 se", "go 2 sw", "go 2 w"]);
    assert_eq!(race.options_with("go 3"), ["go 3 e", "go 3 se", "go 3 sw"]);
}

#[test]
fn c3a_the_first_decision_has_wastes_for_all_open_cards_and_no_stop() {
    let mut race = Race::new(2, &[]).put(0, 0, 40, 0).turn_of(0, 0, &[2, 4, 5]);
    assert_eq!(race.options_with("waste"), ["waste 2", "waste 4", "waste 5"]);
    assert!(!race.options().contains(&"stop".to_owned()));
    race.play(&["waste 4"]);
    assert_ne!(race.state.driver(), Some((0, 0)));
    assert_eq!(race.state.open_cards(0), 0b10010);
}

#[test]
fn c3a_after_the_first_card_there_is_stop_and_no_waste() {
    let mut race = Race::new(2, &[]).put(0, 0, 40, 0).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    race.play(&["go 1 w"]);
    assert_eq!(race.options_with("waste"), [""; 0]);
    assert_eq!(race.options_with("stop"), ["stop"]);
    race.play(&["stop"]);
    assert_ne!(race.state.driver(), Some((0, 0)));
}

#[test]
fn c3a_the_third_card_ends_the_turn_without_a_ply() {
    let mut race = Race::new(2, &[]).put(0, 0, 40, 0).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    race.play(&["go 1 w", "go 2 nw"]);
    assert_eq!(race.state.driver(), Some((0, 0)));
    race.play(&["go 3 w"]);
    assert_ne!(race.state.driver(), Some((0, 0)));
    assert_eq!(race.at(0, 0), (1, 0)); // by way of 39 and 4
}

#[test]
fn c3b_a_card_must_stay_for_each_own_chariot_still_to_move() {
    let mut race = Race::new(2, &[]).put(0, 0, 40, 0).turn_of(0, 0, &[1, 2, 3, 4]);
    assert_eq!(race.state.still_to_move(0), 2);
    race.play(&["go 1 w", "go 2 w"]);
    // Two cards are left for two chariots: only stop is possible, and it is no ply.
    assert_ne!(race.state.driver(), Some((0, 0)));
    let mut race = Race::new(2, &[]).put(0, 0, 40, 0).turn_of(0, 0, &[1, 2, 3, 4, 5]);
    race.play(&["go 1 w", "go 2 w"]);
    assert_eq!(race.state.driver(), Some((0, 0)));
}

#[test]
fn c3b_a_chariot_at_home_needs_no_card() {
    let mut race =
        Race::new(2, &[]).put(0, 0, 40, 0).put(0, 1, 95, 4).put(0, 2, 96, 4).turn_of(0, 0, &[1, 2]);
    race.play(&["go 1 w"]);
    assert_eq!(race.options_with("go 2 w"), ["go 2 w"]);
}

#[test]
fn c3a_one_option_alone_is_taken_unasked() {
    // The chariot in the corner 0 is shut in, and has one card left.
    let race = Race::new(2, &[])
        .put(0, 0, 0, 4)
        .put(1, 0, 1, 0)
        .put(1, 1, 16, 0)
        .put(1, 2, 17, 0)
        .turn_of(0, 0, &[3]);
    assert_ne!(race.state.driver(), Some((0, 0)));
    assert_eq!(race.state.open_cards(0), 0);
}

#[test]
fn every_option_is_found_by_its_number_and_its_legality() {
    let game = Circus::new(3);
    let mut rng = crate::rng::stream(5, 0, crate::rng::Purpose::Analysis);
    let mut scratch = Vec::new();
    for settings in [&[][..], &["straight-only=true"]] {
        let race = Race::new(3, settings).begin();
        let mut state = race.state;
        for _ in 0..400 {
            let mut listed = Vec::new();
            race.game.actions(&state, Player::new(0), &mut listed);
            let by_number: Vec<Action> =
                (0..state.n_options.into()).map(|k| race.game.option(&state, k)).collect();
            assert_eq!(by_number, listed);
            assert!(listed.iter().all(|&action| race.game.is_option(&state, action)));
            let action = game.random_action(&state, Player::new(0), &mut rng, &mut scratch);
            race.game.apply(&mut state, if listed.contains(&action) { action } else { listed[0] });
            if race.game.turn(&state) == Turn::Over {
                break;
            }
        }
    }
}
