//! The clauses of the rules page, one by one, on positions set up by hand.

use std::collections::BTreeSet;

use super::{CARTHAGE, Fighter, Hannibal, Outcome, Phase, ROME, Site, State};
use crate::game::{Game, Joint, Turn};
use crate::notation::Notation;
use crate::player::Player;
use crate::rules::{Configure, Rules};

fn game() -> Hannibal {
    Hannibal::default()
}

fn under(settings: &[&str]) -> Hannibal {
    let mut rules = Rules::of::<Hannibal>();
    settings.iter().for_each(|setting| rules.set(setting).unwrap());
    Hannibal::configure(2, &rules).unwrap()
}

fn refusal(setting: &str) -> String {
    let mut rules = Rules::of::<Hannibal>();
    match rules.set(setting) {
        Err(bad) => bad.to_string(),
        Ok(()) => Hannibal::configure(2, &rules).unwrap_err().to_string(),
    }
}

/// The texts of the options of the side that is to decide.
fn options(game: &Hannibal, s: &State) -> BTreeSet<String> {
    let Turn::Player(player) = game.turn(s) else { panic!("not one player's turn: {s:?}") };
    let mut actions = Vec::new();
    game.actions(s, player, &mut actions);
    actions.iter().map(|&action| game.action_text(action)).collect()
}

fn words(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// The position after the side to decide plays `text`.
fn play(game: &Hannibal, s: State, text: &str) -> State {
    let Turn::Player(player) = game.turn(&s) else { panic!("not one player's turn: {s:?}") };
    let mut after = s;
    let action = game.parse_action(&s, player, text).unwrap();
    game.try_apply(&mut after, player, action).unwrap();
    after
}

/// The position after both sides have shown these cards.
fn duel(game: &Hannibal, s: State, cards: [u8; 2]) -> State {
    assert_eq!(s.phase(), Phase::Duel);
    let mut joint = Joint::default();
    for (seat, card) in cards.into_iter().enumerate() {
        let text = format!("card {card}");
        joint.0[seat] = Some(game.parse_action(&s, Player::new(seat), &text).unwrap());
    }
    let mut after = s;
    game.apply_joint(&mut after, &joint);
    after
}

fn legions(game: &Hannibal, s: &State, seat: usize, area: &str) -> u8 {
    s.legions(seat, game.area(area).unwrap())
}

fn fleets(game: &Hannibal, s: &State, seat: usize, route: &str) -> u8 {
    s.fleets(seat, game.route(route).unwrap())
}

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
    assert_eq!(end.outcome(), Some(Outcome::Won(ROME as u8)));
    assert_eq!((end.turns(), end.passes()), (11, 0));
    assert_eq!(game.payoffs(&end).first(2), [0.0, 1.0]);
    let s = game.position().hannibal("cannae").legions(ROME, "roma", 8).ready();
    let end = play(&game, s, "hannibal cannae roma");
    assert_eq!(end.outcome(), Some(Outcome::Won(CARTHAGE as u8)));
}

#[test]
fn h3_with_the_option_off_a_capital_is_fought_for() {
    let game = under(&["rules.capital-entry-wins=false"]);
    let s = game.position().hannibal("cannae").legions(ROME, "roma", 8).ready();
    let after = play(&game, s, "hannibal cannae roma");
    assert_eq!(after.phase(), Phase::Duel);
}

/// The conflict of the rulebook's first example: one Carthaginian legion enters Gallia with three Romans.
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
    assert!(matches!(game.turn(&s), Turn::Together(players) if players.len() == 2));
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
    // Two against one, then the last cards, five against four, of themselves.
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

/// Rome enters Hispania Citerior, where a legion and Hannibal are: the rulebook's second example.
fn hispania(game: &Hannibal, n: u8) -> State {
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

#[test]
fn h5_a_legion_in_an_area_of_each_group_wins_at_the_end_of_the_own_turn() {
    let game = game();
    let s = game.position().legions(CARTHAGE, "corsica", 1).hannibal("hispania-citerior");
    let s = s.legions(CARTHAGE, "sicilia", 1).fleets(CARTHAGE, "cannae-sicilia", 1);
    let s = s.legions(ROME, "roma", 1);
    let end = play(&game, s.ready(), "pass");
    assert_eq!(end.outcome(), Some(Outcome::Won(CARTHAGE as u8)), "Hannibal counts as a legion");
    let end = play(&game, s.ready(), "legion sicilia cannae");
    assert_eq!(end.outcome(), Some(Outcome::Won(CARTHAGE as u8)), "sicilia or cannae");
    let after = play(&game, s.ready(), "hannibal hispania-citerior hispania-ulterior");
    assert_eq!(after.outcome(), None);
    // At the end of the turn of Rome it is not looked at.
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
        assert_eq!(end.outcome(), Some(Outcome::Won(ROME as u8)), "{area}");
    }
}

#[test]
fn h5_domination_is_looked_at_after_the_conflict() {
    let game = game();
    let s = game.position().legions(CARTHAGE, "corsica", 1).legions(CARTHAGE, "sicilia", 1);
    let s = s.fleets(CARTHAGE, "cannae-sicilia", 1).legions(CARTHAGE, "hispania-ulterior", 1);
    let s = s.legions(ROME, "hispania-citerior", 1).legions(ROME, "roma", 1);
    let s = play(&game, s.ready(), "legion hispania-ulterior hispania-citerior");
    assert_eq!(duel(&game, s, [5, 4]).outcome(), Some(Outcome::Won(CARTHAGE as u8)));
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
    assert_eq!(s.outcome(), Some(Outcome::Won(ROME as u8)));
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
    assert_eq!(end.outcome(), Some(Outcome::Won(CARTHAGE as u8)));
}

#[test]
fn h5b_who_gives_his_last_legion_for_a_fleet_has_lost_after_its_conflict() {
    let game = game();
    let s = game.position().legions(CARTHAGE, "gallia", 1).legions(ROME, "roma", 1);
    let end = play(&game, s.ready(), "raise gallia");
    assert_eq!(end.outcome(), Some(Outcome::Won(ROME as u8)));
    let s = s.fleets(ROME, "carthago-sardinia", 1).ready();
    let s = play(&game, s, "raise gallia");
    assert_eq!((s.outcome(), s.phase()), (None, Phase::Duel));
    let end = duel(&game, s, [5, 1]);
    assert_eq!(end.outcome(), Some(Outcome::Won(ROME as u8)));
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

#[test]
fn every_map_has_the_borders_that_the_rules_show() {
    for map in ["balanced", "by-names", "mirror"] {
        let game = under(&[&format!("map={map}")]);
        assert_eq!((game.n_areas(), game.n_routes()), (11, 5), "{map}");
        for (a, b) in [("roma", "cannae"), ("gallia", "hispania-citerior")] {
            let [a, b] = [a, b].map(|id| game.area(id).unwrap());
            assert!(game.reach(a, 0) >> b & 1 == 1 && game.reach(b, 0) >> a & 1 == 1, "{map}");
        }
        // No way by land leads to an island, and all others hang together.
        let islands = ["sicilia", "corsica", "sardinia"].map(|id| game.area(id).unwrap());
        let mut reached = 1u16;
        for _ in 0..11 {
            reached |= super::each(reached.into()).fold(0, |all, a| all | game.reach(a, 0));
        }
        let mainland = islands.iter().fold((1 << 11) - 1, |set, island| set & !(1 << island));
        assert_eq!(reached, mainland, "{map}");
    }
}

/// Steps by land from one area to another.
fn steps(game: &Hannibal, from: &str, to: &str) -> u32 {
    let (mut reached, to) = (1u16 << game.area(from).unwrap(), game.area(to).unwrap());
    let mut n = 0;
    while reached >> to & 1 == 0 {
        reached |= super::each(reached.into()).fold(0, |all, a| all | game.reach(a, 0));
        n += 1;
    }
    n
}

#[test]
fn the_maps_differ_in_how_far_the_spanish_areas_are() {
    let distances = |map: &str| {
        let game = under(&[&format!("map={map}")]);
        [("roma", "hispania-citerior"), ("carthago", "hispania-citerior"), ("roma", "carthago")]
            .map(|(from, to)| steps(&game, from, to))
    };
    assert_eq!(distances("balanced"), [3, 3, 6]);
    assert_eq!(distances("by-names"), [2, 4, 6]);
    assert_eq!(distances("mirror"), [3, 3, 6]);
}

#[test]
fn bad_rules_are_refused_with_place_value_and_remedy() {
    assert_eq!(
        refusal("map=mirrors"),
        r#"--set map=mirrors: map: there is no map "mirrors" (nearest: mirror)"#
    );
    assert_eq!(
        refusal("max-turns=0"),
        "--set max-turns=0: max-turns: 0 is out of range (1 to 10000)"
    );
    assert!(refusal("cards.values=[2, 1]").contains("different values, the lowest first"));
    assert!(refusal("cards.values=[16]").contains("16 is out of range (0 to 15)"));
    assert!(refusal("rome.capital=carthago").contains("another area than carthage.capital"));
    assert!(refusal("rome.capital=romma").contains("nearest: roma"));
    assert!(refusal("rome.fleet-route=carthago-sardinia").contains("one route"));
    assert!(refusal("rome.domination=[[]]").contains("at least one area in each group"));
    assert!(refusal("rome.legions=0").contains("0 is out of range (1 to 15)"));
    assert!(refusal("variant.balanced.borders=[[\"roma\", \"roma\"]]").contains("two different"));
    assert!(refusal("variant.balanced.extra-areas=[\"roma\"]").contains("two areas \"roma\""));
    assert!(refusal("rules.first-player=cartage").contains("nearest: carthage"));
    assert!(refusal("hannibal=3").contains("unknown key"));
}

#[test]
fn an_action_has_three_bytes() {
    assert_eq!(size_of::<super::Action>(), 3);
}
