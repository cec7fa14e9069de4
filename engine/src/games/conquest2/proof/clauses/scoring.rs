//! Clauses 17 to 20: taxes, scoring, season end, end of the game.

use serde_json::json;

use super::Position;
use crate::game::Game;
use crate::games::conquest2::Card;
use crate::notation::Notation;
use crate::player::Player;

/// Returns the position after its season has ended with the last `pass`.
fn end(position: Position) -> Position {
    let mut position = position.last_turn().ready();
    position.play(&["pass"]);
    position
}

#[test]
fn c17_taxes_count_influence_and_once_more_beside_an_own_city() {
    let position = end(Position::new(2)
        .influence(0, "egypt", 2)
        .influence(0, "asia", 1)
        .influence(1, "egypt", 3)
        .city("egypt", 0)
        .money(&[0, 0]));
    assert_eq!(position.state.money.0[..2], [25, 15]);
}

#[test]
fn c18_1_ties_all_score_and_do_not_push_the_next_rank_down() {
    let position = end(Position::new(4)
        .influence(0, "italia", 3)
        .influence(1, "italia", 3)
        .influence(2, "italia", 2)
        .influence(3, "italia", 1));
    assert_eq!(position.state.vp.0[..4], [20, 20, 10, 5]);
    let position = end(Position::new(4)
        .influence(0, "egypt", 1)
        .influence(1, "egypt", 2)
        .influence(2, "egypt", 1)
        .influence(3, "asia", 1));
    assert_eq!(position.state.vp.0[..4], [5, 15, 5, 10]);
}

#[test]
fn c18_2_cities_relieve_chaos_for_good_before_the_penalty() {
    let position = end(Position::new(3).chaos(&[7, 6, 2]).city("egypt", 0).city("asia", 2));
    assert_eq!(position.state.chaos.0[..3], [4, 6, 0]);
    assert_eq!(position.state.vp.0[..3], [-5, -10, 0], "and below 0");
}

#[test]
fn c18_2_ties_in_chaos_all_lose_and_zero_is_safe() {
    let position = end(Position::new(4).chaos(&[3, 3, 0, 1]));
    assert_eq!(position.state.vp.0[..4], [-10, -10, 0, -5]);
    let position = end(Position::new(4).chaos(&[3, 3, 0, 0]));
    assert_eq!(position.state.vp.0[..4], [-10, -10, 0, 0]);
    assert_eq!(end(Position::new(4)).state.vp.0[..4], [0, 0, 0, 0]);
}

#[test]
fn c19_diplomacy_returns_to_the_display_and_used_cards_are_ready() {
    let mut position = Position::new(2)
        .holds(1, "diplomacy-egypt")
        .holds(0, "army-training")
        .holds(1, "loot")
        .last_turn()
        .ready();
    position.play(&["use"]);
    assert_eq!(position.options(), "1: take, tax, pass");
    position.play(&["pass"]);
    assert_eq!(position.displays("diplomacy-egypt"), 1);
    assert_eq!((position.state.passive.0[1], position.state.used.0[1]), (0, 0));
    assert_eq!(position.state.held(Player::new(0), Card::ARMY_TRAINING), 1);
}

#[test]
fn c19_nothing_is_left_of_the_last_turn_and_of_the_alliances() {
    let [first, last] = [0, 2].map(Player::new);
    let mut position = Position::new(3).last_turn().ready();
    let before = position.game.situation(&position.state);
    assert_eq!((before.round(), before.position_of(last)), (Some(3), Some(2)));
    position.play(&["pass"]);
    let situation = position.game.situation(&position.state);
    assert_eq!((situation.season(), situation.round(), situation.rounds_over()), (1, None, 0));
    assert_eq!((situation.turn_number(), situation.actions_left()), (0, 0));
    let mut players = situation.players();
    assert!(players.all(|q| situation.position_of(q).is_none()), "the new order is not known");
    assert!(!situation.are_allied(first, last) && situation.are_allied(first, first));
    let mut text = String::new();
    position.game.write_state(&position.state, &mut text).expect("a text can grow");
    assert!(text.starts_with("season 2 before round 1 (season token)\n  seat 1 (no alliance)"));
    // A record shows the alliances and order of the past season.
    let json = position.game.state_json(&position.state);
    assert_eq!((&json["order"], &json["alliance"]), (&json!([0, 1, 2]), &json!(["A", "B", "A"])));
}

#[test]
fn c20_most_points_win_then_most_influence_then_they_share() {
    let over = |position: Position| {
        let mut position = position;
        position.state.season = 3;
        let position = end(position);
        assert_eq!(position.actor(), "over");
        position.game.payoffs(&position.state).0[..3].to_vec()
    };
    assert_eq!(over(Position::new(3).vp(&[5, 9, 8])), [0.0, 1.0, 0.0]);
    let more = Position::new(3).influence(0, "egypt", 2).influence(1, "asia", 1).vp(&[0, 5, 0]);
    assert_eq!(over(more), [1.0, 0.0, 0.0], "15 each: influence decides");
    let tied = Position::new(3).influence(0, "asia", 1).influence(1, "hispania", 1);
    assert_eq!(over(tied), [0.5, 0.5, 0.0]);
}
