//! The end of the game, and its record: H5 and H6.

use super::conflicts::hispania;
use super::{duel, game, play, under};
use crate::game::Game;
use crate::games::hannibal::{CARTHAGE, Hannibal, Outcome, Phase, ROME};
use crate::notation::Notation;
use crate::player::Player;

#[test]
fn h5_a_legion_in_an_area_of_each_group_wins_at_the_end_of_the_own_turn() {
    let game = game();
    let s = game.position().legions(CARTHAGE, "corsica", 1).hannibal("hispania-citerior");
    let s = s.legions(CARTHAGE, "sicilia", 1).fleets(CARTHAGE, "cannae-sicilia", 1);
    let s = s.legions(ROME, "roma", 1);
    let end = play(&game, s.ready(), "pass");
    assert_eq!(
        end.outcome(),
        Some(Outcome::Won(Player::new(CARTHAGE))),
        "Hannibal counts as a legion"
    );
    let end = play(&game, s.ready(), "legion sicilia cannae");
    assert_eq!(end.outcome(), Some(Outcome::Won(Player::new(CARTHAGE))), "sicilia or cannae");
    let after = play(&game, s.ready(), "hannibal hispania-citerior hispania-ulterior");
    assert_eq!(after.outcome(), None);
    // The end of the turn of Rome has no such test.
    let after = play(&game, s.mover(ROME).ready(), "legion roma cannae");
    assert_eq!(after.outcome(), None);
}

#[test]
fn h5_rome_has_a_list_of_its_own() {
    let game = game();
    let s = game.position().mover(ROME).legions(ROME, "sardinia", 1).hannibal("carthago");
    let s = s.legions(ROME, "cannae", 1).legions(ROME, "hispania-ulterior", 1).ready();
    for area in ["hispania-citerior", "mauritania"] {
        let end = play(&game, s, &format!("legion hispania-ulterior {area}"));
        assert_eq!(end.outcome(), Some(Outcome::Won(Player::new(ROME))), "{area}");
    }
}

#[test]
fn h5_domination_is_looked_at_after_the_conflict() {
    let game = game();
    let s = game.position().legions(CARTHAGE, "corsica", 1).legions(CARTHAGE, "sicilia", 1);
    let s = s.fleets(CARTHAGE, "cannae-sicilia", 1).legions(CARTHAGE, "hispania-ulterior", 1);
    let s = s.legions(ROME, "hispania-citerior", 1).legions(ROME, "roma", 1);
    let s = play(&game, s.ready(), "legion hispania-ulterior hispania-citerior");
    assert_eq!(duel(&game, s, [5, 4]).outcome(), Some(Outcome::Won(Player::new(CARTHAGE))));
    assert_eq!(duel(&game, s, [4, 5]).outcome(), None);
}

#[test]
fn h5_a_side_without_legions_loses_and_hannibal_is_one() {
    let game = game();
    let s = game.position().mover(ROME).legions(ROME, "cannae", 2).hannibal("gallia");
    let s = s.legions(CARTHAGE, "sicilia", 1).fleets(ROME, "cannae-sicilia", 1).ready();
    let s = duel(&game, play(&game, s, "legion cannae sicilia"), [1, 2]);
    assert_eq!(s.outcome(), None, "Hannibal is left");
    let s = game.position().mover(ROME).legions(ROME, "gallia", 2);
    let s = s.hannibal("hispania-citerior").fleets(CARTHAGE, "cannae-sicilia", 3).ready();
    let s = duel(&game, play(&game, s, "legion gallia hispania-citerior"), [1, 3]);
    assert_eq!(s.outcome(), Some(Outcome::Won(Player::new(ROME))));
}

#[test]
fn h5_two_passes_in_a_row_are_a_draw() {
    let game = game();
    let s = play(&game, game.start(), "pass");
    assert_eq!((s.outcome(), s.passes()), (None, 1));
    let end = play(&game, s, "pass");
    assert_eq!((end.outcome(), end.passes(), end.turns()), (Some(Outcome::Draw), 2, 2));
    assert_eq!(game.payoffs(&end).first(2), [0.5, 0.5]);
    let s = play(&game, s, "legion roma cannae");
    assert_eq!(play(&game, s, "pass").outcome(), None, "a move between two passes");
}

#[test]
fn h5a_turns_of_both_sides_are_counted_and_the_last_is_a_draw() {
    let game = under(&["max-turns=3"]);
    let s = play(&game, game.start(), "legion carthago mauritania");
    let s = play(&game, s, "legion roma cannae");
    assert_eq!((s.outcome(), s.turns()), (None, 2));
    let end = play(&game, s, "legion mauritania carthago");
    assert_eq!((end.outcome(), end.turns()), (Some(Outcome::Draw), 3));
    assert_eq!(Hannibal::default().max_turns(), 400);
}

#[test]
fn h5a_domination_comes_before_the_turn_limit() {
    let game = under(&["max-turns=10"]);
    let s = game.position().legions(CARTHAGE, "corsica", 1).legions(CARTHAGE, "sicilia", 1);
    let s = s.hannibal("hispania-ulterior").legions(ROME, "roma", 1).after(9, 0).ready();
    let end = play(&game, s, "hannibal hispania-ulterior hispania-citerior");
    assert_eq!(end.outcome(), Some(Outcome::Won(Player::new(CARTHAGE))));
}

#[test]
fn h5b_who_gives_his_last_legion_for_a_fleet_has_lost_after_its_conflict() {
    let game = game();
    let s = game.position().legions(CARTHAGE, "gallia", 1).legions(ROME, "roma", 1);
    let end = play(&game, s.ready(), "raise gallia");
    assert_eq!(end.outcome(), Some(Outcome::Won(Player::new(ROME))));
    let s = s.fleets(ROME, "carthago-sardinia", 1).ready();
    let s = play(&game, s, "raise gallia");
    assert_eq!((s.outcome(), s.phase()), (None, Phase::Duel));
    let end = duel(&game, s, [5, 1]);
    assert_eq!(end.outcome(), Some(Outcome::Won(Player::new(ROME))));
    assert_eq!(end.n_fleets(ROME), 0);
}

#[test]
fn h5c_the_last_legions_of_both_sides_in_one_duel_are_a_draw() {
    let game = game();
    let s = game.position().legions(CARTHAGE, "gallia", 1).legions(ROME, "gallia-cisalpina", 1);
    let s = s.fleets(ROME, "roma-corsica", 3).ready();
    let s = play(&game, s, "legion gallia gallia-cisalpina");
    let end = duel(&game, s, [3, 3]);
    assert_eq!(end.outcome(), Some(Outcome::Draw));
}

#[test]
fn h6_the_last_state_is_written_as_the_rules_page_says() {
    let game = game();
    let s = game.position().mover(ROME).legions(ROME, "roma", 8).hannibal("carthago");
    let s = s.fleets(ROME, "roma-corsica", 3).hands([&[1, 2, 5], &[1, 3, 4]]).after(36, 1);
    let end = play(&game, s.ready(), "pass");
    let expected = r#"{"turns":37,"passes":2,"legions":{"roma":[0,8]},"hannibal":"carthago","fleets":{"roma-corsica":[0,3]},"hands":[[1,2,5],[1,3,4]]}"#;
    assert_eq!(game.state_json(&end).to_string(), expected);
    assert_eq!(game.end_scores(&end).to_string(), "[0.5,0.5]");
    assert_eq!(game.milestone(&end), game.milestone(&game.start()), "states at the end only");
    let s = game.position().legions(CARTHAGE, "gallia", 1).legions(ROME, "roma", 1);
    let end = play(&game, s.ready(), "raise gallia");
    assert_eq!(game.state_json(&end)["hannibal"], serde_json::Value::Null);
    assert_eq!(game.end_scores(&end).to_string(), "[0.0,1.0]");
}

#[test]
fn h6_before_the_end_a_state_says_what_is_due() {
    let game = game();
    let json = game.state_json(&hispania(&game, 1));
    assert_eq!(json["mover"], 1);
    assert_eq!(json["conflict"].to_string(), r#"{"place":"hispania-citerior","fighter":null}"#);
}
