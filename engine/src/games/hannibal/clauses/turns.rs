//! Set-up, turns and moves: H1 to H3.

use super::{fleets, game, legions, options, play, under, words};
use crate::game::{Game, Turn};
use crate::games::hannibal::{CARTHAGE, Outcome, Phase, ROME, State};
use crate::notation::Notation;
use crate::player::Player;

#[test]
fn the_set_up_is_that_of_the_rulebook_and_carthage_begins() {
    let (game, s) = (game(), game().start());
    assert_eq!(legions(&game, &s, CARTHAGE, "carthago"), 6);
    assert_eq!(s.hannibal(), 1 << game.area("carthago").unwrap());
    assert_eq!(fleets(&game, &s, CARTHAGE, "carthago-sardinia"), 3);
    assert_eq!(legions(&game, &s, ROME, "roma"), 8);
    assert_eq!(fleets(&game, &s, ROME, "roma-corsica"), 3);
    assert_eq!((s.n_legions(CARTHAGE), s.n_legions(ROME)), (6, 8));
    assert_eq!((s.n_fleets(CARTHAGE), s.n_fleets(ROME)), (3, 3));
    assert_eq!(game.turn(&s), Turn::Player(Player::new(0)));
    assert_eq!((game.n_areas(), game.n_routes()), (11, 5));
}

#[test]
fn h1_a_turn_is_a_move_of_a_legion_hannibal_or_a_fleet_or_a_pass() {
    let game = game();
    let expected = words(&[
        "legion carthago mauritania",
        "legion carthago sardinia",
        "hannibal carthago mauritania",
        "fleet carthago-sardinia roma-corsica",
        "fleet carthago-sardinia cannae-sicilia",
        "fleet carthago-sardinia corsica-sardinia",
        "fleet carthago-sardinia sicilia-carthago",
        "pass",
    ]);
    assert_eq!(options(&game, &game.start()), expected);
}

#[test]
fn h1_a_side_without_fleets_may_give_any_legion_or_hannibal_for_one() {
    let game = game();
    let s = game
        .position()
        .legions(CARTHAGE, "sardinia", 2)
        .legions(CARTHAGE, "gallia", 1)
        .hannibal("mauritania")
        .legions(ROME, "roma", 1)
        .ready();
    let raises = ["raise sardinia", "raise gallia", "raise-hannibal mauritania"];
    assert!(words(&raises).is_subset(&options(&game, &s)), "{:?}", options(&game, &s));
    let after = play(&game, s, "raise sardinia");
    assert_eq!(legions(&game, &after, CARTHAGE, "sardinia"), 1);
    assert_eq!(fleets(&game, &after, CARTHAGE, "carthago-sardinia"), 1);
    let after = play(&game, s, "raise-hannibal mauritania");
    assert_eq!((after.hannibal(), after.n_legions(CARTHAGE)), (0, 3));
}

#[test]
fn h1_a_side_with_a_fleet_raises_none() {
    let game = game();
    let s = game
        .position()
        .legions(CARTHAGE, "sardinia", 2)
        .fleets(CARTHAGE, "cannae-sicilia", 1)
        .legions(ROME, "roma", 1)
        .ready();
    assert!(!options(&game, &s).iter().any(|text| text.starts_with("raise")));
    let free = under(&["rules.rebuild-without-fleets=false"]);
    assert!(options(&free, &s).contains("raise sardinia"));
}

#[test]
fn h1_a_roman_fleet_appears_between_roma_and_corsica() {
    let game = game();
    let s = game.position().mover(ROME).legions(ROME, "gallia", 2).hannibal("carthago").ready();
    let after = play(&game, s, "raise gallia");
    assert_eq!(fleets(&game, &after, ROME, "roma-corsica"), 1);
    assert_eq!(legions(&game, &after, ROME, "gallia"), 1);
}

#[test]
fn h2_a_legion_crosses_the_sea_only_with_an_own_fleet_on_the_route() {
    let game = game();
    let base = game.position().mover(ROME).legions(ROME, "corsica", 1).hannibal("carthago");
    let crosses = |s: &State| options(&game, s).contains("legion corsica roma");
    assert!(crosses(&base.fleets(ROME, "roma-corsica", 1).ready()));
    assert!(!crosses(&base.fleets(CARTHAGE, "roma-corsica", 1).ready()));
    assert!(!crosses(&base.fleets(ROME, "cannae-sicilia", 1).ready()));
}

#[test]
fn h2_the_first_three_turns_of_rome_in_the_rulebook_are_legal() {
    let game = game();
    let mut s = game.start();
    for (carthage, rome) in [
        ("hannibal carthago mauritania", "legion roma cannae"),
        ("hannibal mauritania carthago", "legion roma corsica"),
        ("hannibal carthago mauritania", "fleet roma-corsica cannae-sicilia"),
    ] {
        s = play(&game, play(&game, s, carthage), rome);
    }
    assert_eq!(fleets(&game, &s, ROME, "cannae-sicilia"), 1);
}

#[test]
fn h2_hannibal_never_enters_an_island() {
    let game = game();
    let s = game
        .position()
        .hannibal("carthago")
        .fleets(CARTHAGE, "carthago-sardinia", 1)
        .legions(ROME, "roma", 1);
    assert!(!options(&game, &s.ready()).contains("hannibal carthago sardinia"));
    let free = under(&["rules.hannibal-enters-islands=true"]);
    assert!(options(&free, &s.ready()).contains("hannibal carthago sardinia"));
}

#[test]
fn h2_a_way_by_land_and_sea_counts_once() {
    let game = under(&[r#"route.sicilia-carthago.ends=["mauritania", "carthago"]"#]);
    let s = game
        .position()
        .legions(CARTHAGE, "carthago", 1)
        .fleets(CARTHAGE, "sicilia-carthago", 1)
        .legions(ROME, "roma", 1)
        .ready();
    let player = Player::new(CARTHAGE);
    let mut actions = Vec::new();
    game.actions(&s, player, &mut actions);
    let to_mauritania =
        actions.iter().filter(|&&a| game.action_text(a) == "legion carthago mauritania").count();
    assert_eq!((to_mauritania, actions.len()), (1, 1 + 4 + 1));
}

#[test]
fn h3_entering_the_enemy_capital_wins_at_once_even_if_it_is_defended() {
    let game = game();
    let s = game.position().mover(ROME).legions(ROME, "mauritania", 1);
    let s = s.legions(CARTHAGE, "carthago", 3).hannibal("carthago").after(10, 1).ready();
    let end = play(&game, s, "legion mauritania carthago");
    assert_eq!(end.outcome(), Some(Outcome::Won(Player::new(ROME))));
    assert_eq!((end.turns(), end.passes()), (11, 0));
    assert_eq!(game.payoffs(&end).first(2), [0.0, 1.0]);
    let s = game.position().hannibal("cannae").legions(ROME, "roma", 8).ready();
    let end = play(&game, s, "hannibal cannae roma");
    assert_eq!(end.outcome(), Some(Outcome::Won(Player::new(CARTHAGE))));
}

#[test]
fn h3_with_the_option_off_a_capital_is_fought_for() {
    let game = under(&["rules.capital-entry-wins=false"]);
    let s = game.position().hannibal("cannae").legions(ROME, "roma", 8).ready();
    let after = play(&game, s, "hannibal cannae roma");
    assert_eq!(after.phase(), Phase::Duel);
}

#[test]
fn a_side_that_can_only_pass_is_not_asked() {
    let game = under(&["rules.hannibal-pays-for-fleet=false"]);
    let s = game.position().hannibal("gallia").legions(ROME, "sardinia", 1);
    let s = s.fleets(ROME, "roma-corsica", 1).mover(ROME).ready();
    assert_eq!(play(&game, s, "pass").mover(), CARTHAGE, "Hannibal can walk");
    let game = under(&["rules.hannibal-pays-for-fleet=false", "variant.balanced.borders=[]"]);
    let s = game.position().hannibal("gallia").legions(ROME, "sardinia", 1);
    let s = s.fleets(ROME, "roma-corsica", 1).mover(ROME).ready();
    let after = play(&game, s, "fleet roma-corsica cannae-sicilia");
    assert_eq!((after.mover(), after.turns(), after.passes()), (ROME, 2, 1));
    assert_eq!(play(&game, s, "pass").outcome(), Some(Outcome::Draw));
}
