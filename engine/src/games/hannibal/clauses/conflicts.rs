//! Conflicts: H4.

use super::{duel, fleets, game, legions, options, play, under, words};
use crate::game::{Game, Turn};
use crate::games::hannibal::{CARTHAGE, Fighter, Hannibal, Phase, ROME, Site, State};
use crate::notation::Notation;
use crate::player::Player;

/// Returns the conflict of the rulebook's first example: one Carthaginian legion enters Gallia with three Romans.
fn gallia(game: &Hannibal) -> State {
    let s = game.position().legions(CARTHAGE, "hispania-citerior", 1).legions(ROME, "gallia", 3);
    play(game, s.hannibal("carthago").ready(), "legion hispania-citerior gallia")
}

#[test]
fn h4_the_lower_card_loses_a_legion_and_equal_cards_cost_one_each() {
    let game = game();
    let s = duel(&game, gallia(&game), [4, 3]);
    assert_eq!(legions(&game, &s, ROME, "gallia"), 2);
    assert_eq!(s.site(), Some(Site::Area(game.area("gallia").unwrap())));
    let s = duel(&game, s, [5, 5]);
    assert_eq!(legions(&game, &s, ROME, "gallia"), 1);
    assert_eq!(s.held(CARTHAGE), s.hannibal());
    assert_eq!((s.site(), s.phase(), s.mover()), (None, Phase::Turn, ROME));
    assert_eq!(s.turns(), 1);
}

#[test]
fn h4_both_sides_choose_at_once_and_used_cards_are_gone() {
    let game = game();
    let s = gallia(&game);
    assert!(matches!(game.turn(&s), Turn::Simultaneous(players) if players.len() == 2));
    let s = duel(&game, s, [4, 3]);
    for (seat, expected) in [["1", "2", "3", "5"], ["1", "2", "4", "5"]].into_iter().enumerate() {
        let mut actions = Vec::new();
        game.actions(&s, Player::new(seat), &mut actions);
        let cards: Vec<String> = actions.iter().map(|&a| game.action_text(a)).collect();
        assert_eq!(cards, expected.map(|card| format!("card {card}")));
    }
}

#[test]
fn h4_cards_used_in_one_conflict_are_missing_in_the_next() {
    let game = game();
    let s = duel(&game, gallia(&game), [1, 2]);
    assert_eq!(s.phase(), Phase::Turn);
    assert_eq!(s.hand(CARTHAGE), 0b11_1100);
    assert_eq!(s.hand(ROME), 0b11_1010);
}

#[test]
fn h4_fleets_fight_like_legions() {
    let game = game();
    let s = play(&game, game.start(), "fleet carthago-sardinia roma-corsica");
    assert_eq!(s.site(), Some(Site::Route(game.route("roma-corsica").unwrap())));
    let s = duel(&game, s, [5, 2]);
    let s = duel(&game, s, [1, 3]);
    assert_eq!(fleets(&game, &s, ROME, "roma-corsica"), 2);
    assert_eq!(fleets(&game, &s, CARTHAGE, "roma-corsica"), 0);
    assert_eq!((s.phase(), s.mover()), (Phase::Turn, ROME));
}

#[test]
fn h4_hands_fill_within_a_conflict_and_the_last_cards_are_played_unasked() {
    let game = game();
    let s = game.position().legions(CARTHAGE, "gallia", 4).legions(ROME, "gallia", 4);
    let s = s.hands([&[2, 5], &[1, 4]]).battle("gallia", None);
    // Two against one, then the last cards, five against four, without a choice.
    let s = duel(&game, s, [2, 1]);
    assert_eq!(legions(&game, &s, ROME, "gallia"), 2);
    assert_eq!((s.hand(CARTHAGE), s.hand(ROME)), (0b11_1110, 0b11_1110));
    assert_eq!(s.phase(), Phase::Duel);
}

#[test]
fn h4_hands_fill_after_a_conflict_that_ends_with_the_last_card() {
    let game = game();
    let s = game.position().legions(CARTHAGE, "gallia", 1).legions(ROME, "gallia", 1);
    let s = s.hands([&[2], &[1]]).hannibal("carthago").legions(ROME, "roma", 1);
    let s = s.battle("gallia", None);
    assert_eq!(s.phase(), Phase::Turn);
    assert_eq!(legions(&game, &s, CARTHAGE, "gallia"), 1);
    assert_eq!((s.hand(CARTHAGE), s.hand(ROME)), (0b11_1110, 0b11_1110));
}

/// Returns the conflict of the rulebook's second example: Rome enters Hispania Citerior with a legion and Hannibal in
/// it.
pub(super) fn hispania(game: &Hannibal, n: u8) -> State {
    let s = game.position().mover(ROME).legions(ROME, "gallia", 3);
    let s = s.legions(CARTHAGE, "hispania-citerior", n).hannibal("hispania-citerior");
    play(game, s.ready(), "legion gallia hispania-citerior")
}

#[test]
fn h4_carthage_chooses_whether_a_legion_or_hannibal_fights() {
    let game = game();
    let s = hispania(&game, 1);
    assert_eq!(game.turn(&s), Turn::Player(Player::new(CARTHAGE)));
    assert_eq!(options(&game, &s), words(&["fight legion", "fight hannibal"]));
    let s = duel(&game, play(&game, s, "fight hannibal"), [3, 4]);
    assert_eq!(s.hannibal(), 0, "with the bonus it is a tie, and he is lost");
    assert_eq!(legions(&game, &s, CARTHAGE, "hispania-citerior"), 1);
    assert_eq!(legions(&game, &s, ROME, "hispania-citerior"), 0);
    assert_eq!((s.phase(), s.mover()), (Phase::Turn, CARTHAGE));
}

#[test]
fn h4_hannibal_adds_one_and_stays_when_he_wins() {
    let game = game();
    let s = duel(&game, play(&game, hispania(&game, 1), "fight hannibal"), [4, 4]);
    assert_ne!(s.hannibal(), 0);
    assert_eq!(legions(&game, &s, ROME, "hispania-citerior"), 0);
    let s = duel(&game, play(&game, hispania(&game, 1), "fight legion"), [4, 4]);
    assert_ne!(s.hannibal(), 0);
    assert_eq!(legions(&game, &s, CARTHAGE, "hispania-citerior"), 0, "a legion has no bonus");
}

#[test]
fn h4_hannibal_survives_a_tie_with_the_option_off_and_has_another_bonus_if_told() {
    let game = under(&["rules.hannibal-lost-on-tie=false"]);
    let s = duel(&game, play(&game, hispania(&game, 1), "fight hannibal"), [3, 4]);
    assert_ne!(s.hannibal(), 0);
    assert_eq!(legions(&game, &s, ROME, "hispania-citerior"), 0);
    let game = under(&["rules.hannibal-bonus=3"]);
    let s = duel(&game, play(&game, hispania(&game, 1), "fight hannibal"), [3, 5]);
    assert_ne!(s.hannibal(), 0);
}

#[test]
fn h4_the_choice_stands_until_that_piece_is_lost() {
    let game = game();
    let s = game.position().legions(CARTHAGE, "gallia", 2).hannibal("gallia");
    let s = s.legions(ROME, "gallia", 4).legions(ROME, "roma", 1).battle("gallia", None);
    let s = duel(&game, play(&game, s, "fight legion"), [5, 1]);
    assert_eq!((s.phase(), s.fighter()), (Phase::Duel, Some(Fighter::Legion)));
    let s = duel(&game, s, [1, 2]);
    assert_eq!(s.phase(), Phase::Fight, "a legion was lost, and another and Hannibal are left");
    let s = duel(&game, play(&game, s, "fight legion"), [2, 3]);
    assert_eq!((s.phase(), s.fighter()), (Phase::Duel, Some(Fighter::Hannibal)));
    assert_eq!(legions(&game, &s, CARTHAGE, "gallia"), 0);
}

#[test]
fn h4_a_legion_fights_on_when_hannibal_is_lost() {
    let game = game();
    let s = game.position().legions(CARTHAGE, "gallia", 1).hannibal("gallia");
    let s = s.legions(ROME, "gallia", 4).legions(ROME, "roma", 1).battle("gallia", None);
    let s = duel(&game, play(&game, s, "fight hannibal"), [1, 3]);
    assert_eq!((s.phase(), s.fighter()), (Phase::Duel, Some(Fighter::Legion)));
}

#[test]
fn h4a_the_piece_that_enters_fights_alone_and_nobody_is_asked() {
    let game = game();
    assert_eq!(gallia(&game).fighter(), Some(Fighter::Legion));
    let s = game.position().hannibal("hispania-citerior").legions(ROME, "gallia", 1).ready();
    let s = play(&game, s, "hannibal hispania-citerior gallia");
    assert_eq!((s.phase(), s.fighter()), (Phase::Duel, Some(Fighter::Hannibal)));
    assert_eq!(play(&game, game.start(), "pass").site(), None);
    let s = hispania(&game, 0);
    assert_eq!((s.phase(), s.fighter()), (Phase::Duel, Some(Fighter::Hannibal)));
}

#[test]
fn h4b_a_raised_fleet_fights_the_enemies_on_its_route() {
    let game = game();
    let s = game.position().legions(CARTHAGE, "gallia", 2).legions(ROME, "roma", 1);
    let s = play(&game, s.fleets(ROME, "carthago-sardinia", 2).ready(), "raise gallia");
    assert_eq!(s.site(), Some(Site::Route(game.route("carthago-sardinia").unwrap())));
    let s = duel(&game, duel(&game, s, [4, 2]), [5, 3]);
    assert_eq!(fleets(&game, &s, CARTHAGE, "carthago-sardinia"), 1);
    assert_eq!((s.n_fleets(ROME), s.mover()), (0, ROME));
}
