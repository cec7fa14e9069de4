//! Clause 15N: sailing and naval battles.

use super::Position;
use crate::games::conquest2::model::battle::Side;

#[test]
fn c15n_1_sailing_comes_to_at_least_one_galley() {
    let mut position =
        Position::new(4).galleys(0, "mare-narbo", 1).galleys(0, "mare-rhodus", 2).ready();
    position.play(&["sail", "to mare-epirus"]);
    assert_eq!(position.options(), "0: count 0, count 1");
    position.play(&["count 0"]);
    assert_eq!(position.options(), "0: count 1, count 2", "nothing was chosen yet");
    position.play(&["count 2"]);
    assert_eq!(position.at_sea(0, "mare-epirus"), 2);
    assert_eq!(position.state.actions_left, 1);
}

#[test]
fn c15n_1_where_enemies_meet_nothing_need_move_but_then_there_is_a_battle() {
    let mut position = Position::new(4)
        .galleys(0, "mare-narbo", 1)
        .galleys(0, "mare-rhodus", 1)
        .galleys(1, "mare-narbo", 1)
        .galleys(3, "mare-narbo", 1)
        .ready();
    position.play(&["sail", "to mare-narbo"]);
    assert_eq!(position.options(), "0: count 0, count 1");
    let mut other = position.clone();
    position.play(&["count 0"]);
    assert_eq!(position.options(), "0: attack 1, attack 3");
    other.play(&["count 1"]);
    assert_eq!(other.options(), "0: attack 1, attack 3, no-attack");
    other.play(&["no-attack"]);
    assert_eq!(other.at_sea(0, "mare-narbo"), 2);
}

#[test]
fn c15n_1_an_only_fleet_alone_cannot_stay() {
    let mut position = Position::new(4).galleys(0, "mare-narbo", 1).ready();
    position.play(&["sail"]);
    assert!(!position.options().contains("mare-narbo"), "{}", position.options());
}

/// Returns a position where player 0 attacks player 1 in mare-narbo with `own` galleys.
fn attack(own: u8, position: Position) -> Position {
    let mut position = position.galleys(0, "mare-narbo", own).galleys(1, "mare-narbo", 1).ready();
    position.play(&["sail", "to mare-narbo"]);
    position
}

#[test]
fn c15n_2_favorable_wind_calls_the_battle_off_and_the_action_is_spent() {
    let mut position = attack(1, Position::new(4).holds(1, "favorable-wind"));
    assert_eq!(position.options(), "1: wind yes, wind no");
    let mut fought = position.clone();
    position.play(&["wind yes"]);
    assert_eq!((position.actor().as_str(), position.state.actions_left), ("0", 1));
    fought.play(&["wind no"]);
    assert_eq!(fought.dice(), (Side::Attacker, 1));
}

#[test]
fn c15n_3_dice_count_galleys_loans_pirates_and_training() {
    let mut position = attack(
        2,
        Position::new(4)
            .galleys(2, "mare-narbo", 2)
            .galleys(3, "mare-narbo", 1)
            .holds(0, "diplomacy-pirates")
            .holds(0, "naval-training")
            .holds(1, "naval-training"),
    );
    position.play(&["attack 1"]);
    assert_eq!(position.options(), "2: count 0, count 1, count 2");
    position.play(&["count 1"]);
    assert_eq!(position.options(), "3: count 0, count 1");
    position.play(&["count 0"]);
    assert_eq!(position.dice(), (Side::Attacker, 6), "2 own, 1 lent, 2 pirates, 1 training");
    position.roll([0; 4]);
    assert_eq!(position.dice(), (Side::Defender, 2));
    position.roll([0, 0, 0, 2]);
    assert_eq!(position.options(), "0: count 0, count 1", "one hit a galley; pirates first");
    position.play(&["count 0"]);
    assert_eq!(position.options(), "0: count 0, count 1", "then owners by seat");
    position.play(&["count 0"]);
    assert_eq!(position.at_sea(2, "mare-narbo"), 1, "the lent one is left: forced");
}

#[test]
fn c15n_3_at_most_three_rounds_and_nobody_has_lost() {
    let mut position = attack(1, Position::new(4));
    for _ in 0..3 {
        assert_eq!(position.dice(), (Side::Attacker, 1));
        position.roll([0; 4]).roll([0; 4]);
    }
    assert_eq!(position.options(), "0: take, tax, sail, pass");
    assert_eq!(position.state.chaos.0[..2], [0, 0]);
}

#[test]
fn c15n_4_both_navies_gone_have_both_lost() {
    let mut position = attack(1, Position::new(4));
    position.roll([0, 0, 0, 1]).roll([0, 0, 0, 1]);
    assert_eq!(position.state.chaos.0[..2], [2, 2]);
    assert_eq!((position.at_sea(0, "mare-narbo"), position.at_sea(1, "mare-narbo")), (0, 0));
}
