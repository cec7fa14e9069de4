//! Clause 8: captives, succession, elimination and heirs.

use serde_json::json;

use crate::games::classic::model::phase::Phase;
use crate::games::classic::proof::position::Position;
use crate::notation::Notation;
use crate::player::Player;

fn seat(number: u8) -> Player {
    Player::of(number)
}

/// Returns a position with the caesar of player 1 alone in thracia, where player 0 marches with a troop.
fn hunt(p: Position) -> Position {
    let p = p.owns(1, &["thracia"]).caesar(1, "thracia").units(0, "macedonia", [1, 0, 0, 0]);
    p.turn(0).play(&["march macedonia thracia", "count 1", "rest"])
}

#[test]
fn c8_3_a_general_becomes_caesar_and_his_owner_pays() {
    let p = Position::new(3).units(1, "egypt", [0, 0, 0, 2]).units(1, "syria", [0, 0, 0, 1]);
    let p = hunt(p.talents(1, 15));
    assert_eq!((p.phase(), p.s.actor.number()), (Phase::Crown, 1));
    assert_eq!(p.options(), ["crown egypt", "crown syria"]);
    let before = p.purse(0);
    let p = p.play(&["crown syria"]);
    assert_eq!((p.pieces(1, "syria"), p.pieces(1, "egypt")[4]), ([0, 0, 0, 0, 0, 1], 2));
    assert_eq!(p.purse(1), 0, "he has no more than 15");
    assert!(p.purse(0) >= before + 15);
    assert_eq!(p.owner("thracia"), Some(0));
}

#[test]
fn c8_3_captives_are_no_successors() {
    let p = hunt(Position::new(3).holds(2, 1, 1));
    assert!(p.s.out.contains(seat(1)));
    assert_eq!(p.s.captives(seat(2), seat(1)), 0, "destroyed with their owner");
}

#[test]
fn c8_5_the_heir_gets_purse_provinces_troops_and_galleys() {
    let p = Position::new(3).talents(1, 40).units(1, "egypt", [3, 1, 0, 0]);
    let p = p.galleys(1, "egypt", 1).galleys(1, "mare-alexandria", 2);
    let before = p.purse(0);
    let p = hunt(p);
    assert_eq!(p.provinces(1), Vec::<&str>::new());
    assert_eq!((p.owner("egypt"), p.pieces(0, "egypt")), (Some(0), [3, 1, 0, 1, 0, 0]));
    assert_eq!(p.pieces(0, "mare-alexandria")[3], 2);
    assert!(p.purse(0) >= before + 40 && p.purse(1) == 0);
}

#[test]
fn c8_5_only_as_far_as_the_pool_reaches() {
    let p = Position::with(3, &["pools.infantry=7"]).units(1, "egypt", [5, 0, 0, 0]);
    let p = hunt(p.units(0, "macedonia", [4, 0, 0, 0]));
    // Five are on the board, two are left of the heir's seven.
    assert_eq!(p.pieces(0, "egypt"), [2, 0, 0, 0, 0, 0]);
}

#[test]
fn c8_5_captives_pass_to_the_heir_and_his_own_go_home() {
    let p = hunt(Position::new(3).holds(1, 0, 2).holds(1, 2, 1));
    assert_eq!(p.pieces(0, "macedonia")[4], 2);
    assert_eq!(p.s.captives(seat(0), seat(2)), 1);
}

#[test]
fn c8_4_without_captor_provinces_are_nobodys_and_captives_free() {
    // Both fleets sink with the caesar of the defender aboard.
    let p = Position::new(3).caesar(1, "mare-aegaeum").galleys(1, "mare-aegaeum", 1);
    let p = p.galleys(0, "mare-aegaeum", 1).holds(1, 2, 1).turn(0);
    let p = p.play(&["rest", "attack mare-aegaeum 1"]).rolls(&["galley"]).rolls(&["galley"]);
    assert!(p.s.out.contains(seat(1)));
    assert_eq!((p.owner("egypt"), p.has_guard("egypt")), (None, false));
    assert!(p.s.cities.contains(p.at("egypt")), "buildings stay");
    assert_eq!(p.pieces(2, "italia")[4], 1);
}

#[test]
fn c8_6_the_turn_of_who_is_out_ends() {
    let p = Position::new(3).owns(1, &["thracia"]).units(1, "thracia", [3, 0, 0, 0]);
    let p = p.units(0, "macedonia", [1, 0, 0, 0]).talents(0, 200).turn(0);
    let p = p.play(&["march macedonia thracia", "rest"]).rolls(&[]).rolls(&["infantry"]);
    assert!(p.s.out.contains(seat(0)), "his caesar fell, and there is no general");
    assert_eq!((p.s.turn.number(), p.owner("macedonia")), (1, Some(1)));
}

#[test]
fn c12_1_the_last_player_wins_at_once() {
    let p = Position::new(2).owns(1, &["syria"]).caesar(1, "syria");
    let p = p.units(0, "mesopotamia", [1, 0, 0, 1]).turn(0);
    let p = p.play(&["march mesopotamia syria", "count 1", "count 0", "count 1", "rest"]);
    assert_eq!((p.phase(), p.winners()), (Phase::Over, vec![0]));
}

#[test]
fn c8_4_in_the_base_game_a_taken_caesar_is_the_end() {
    let p = Position::with(3, &["options.variant=base"]).units(1, "egypt", [0, 0, 0, 2]);
    assert!(hunt(p).s.out.contains(seat(1)));
}

/// Returns a position where player 0, whose caesar cannot leave creta, has no move: leaders beside their troop fall
/// before their first decision.
fn fallen_at_once(p: Position) -> Position {
    let p = p.owns(0, &["achaia", "creta"]).caesar(0, "creta").units(0, "achaia", [1, 0, 0, 0]);
    let p = p.turn(2).play(&["done"]);
    if p.phase() == Phase::Market { p.play(&["done"]) } else { p }
}

#[test]
fn c15_the_state_of_a_round_holds_who_stood_then_and_falls_before_the_first_decision() {
    let achaia = |p: &Position| p.game.state_json(&p.s)["land"]["achaia"].clone();
    let p = fallen_at_once(Position::new(3).units(1, "achaia", [0, 0, 0, 2]));
    assert_eq!((p.phase(), p.s.actor.number(), p.s.round), (Phase::Keep, 0, 2));
    assert_eq!(p.game.state_json(&p.s)["round"], 1);
    assert_eq!(achaia(&p), json!([[1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 2, 0], null]));
    let p = p.play(&["count 1"]);
    assert_eq!(achaia(&p), json!([[1, 0, 0, 0, 0, 0], null, null]));
    // A caesar falls alone, with two generals as possible successors.
    let p = Position::new(3).units(1, "egypt", [0, 0, 0, 1]).units(1, "syria", [0, 0, 0, 1]);
    let p = fallen_at_once(p.caesar(1, "achaia"));
    assert_eq!(p.phase(), Phase::Crown);
    assert_eq!(achaia(&p), json!([[1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1], null]));
}
