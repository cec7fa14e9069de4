//! Clauses 2, 4, 12 and 13: setup, prestige, final rounds, points.

use crate::game::Game;
use crate::games::classic::Classic;
use crate::games::classic::model::phase::Phase;
use crate::games::classic::proof::position::Position;
use crate::notation::Notation;
use crate::player::Player;
use crate::rules::{Configure, Rules};

fn configured(n_players: usize, settings: &[&str]) -> Classic {
    let mut rules = Rules::of::<Classic>();
    settings.iter().for_each(|s| rules.set(s).expect("a setting"));
    Classic::configure(n_players, &rules).expect("good rules")
}

#[test]
fn c2_1_seats_follow_the_order_of_homes() {
    let game = configured(3, &["seats.3=[\"italia\", \"galatia\", \"egypt\"]"]);
    let homes: Vec<&str> = Player::all(3).map(|q| game.place_id(game.home_of(q))).collect();
    assert_eq!(homes, ["galatia", "egypt", "italia"]);
    let guards: Vec<&str> = game.start().guards.iter().map(|p| game.place_id(p)).collect();
    assert_eq!(guards, ["hispania", "macedonia", "mesopotamia", "numidia"]);
    assert_eq!(Position::new(4).game.guard(Position::new(4).at("italia")), 4);
}

#[test]
fn c2_4_claims_border_no_home_but_the_own() {
    let game = configured(3, &[]);
    let mut actions = Vec::new();
    game.actions(&game.start(), Player::new(0), &mut actions);
    let texts: Vec<String> = actions.iter().map(|&a| game.action_text(a)).collect();
    let has = |id: &str| texts.contains(&format!("claim {id}"));
    assert!(has("achaia") && has("thracia") && has("creta") && !has("baetica"));
    assert!(!has("dalmatia"), "it borders italia, too");
    assert!(!has("macedonia") && !has("cyrenaica"));
    // Asia borders galatia, a home that no player has.
    assert!(!has("asia") && has("belgica"));
}

#[test]
fn c2_4_all_provinces_that_can_be_claimed_are_dealt() {
    let game = configured(2, &["variant.friz.start_territories=40"]);
    let mut s = game.start();
    while s.phase == Phase::Claim {
        let mut actions = Vec::new();
        game.actions(&s, s.actor, &mut actions);
        game.apply(&mut s, actions[0]);
    }
    for q in Player::all(2) {
        assert!((game.board.claimable[q] - s.all_owned()).is_empty());
    }
}

#[test]
fn c2_5_pieces_are_placed_two_at_a_time() {
    let game =
        configured(2, &["variant.friz.start_territories=0", "start.general=1", "start.infantry=2"]);
    let mut s = game.start();
    let texts = |s: &_| {
        let mut actions = Vec::new();
        game.actions(s, Player::new(0), &mut actions);
        actions.iter().map(|&a| game.action_text(a)).collect::<Vec<_>>()
    };
    let home = "mesopotamia";
    let both = [
        format!("place infantry {home} infantry {home}"),
        format!("place infantry {home} general {home}"),
    ];
    assert_eq!(texts(&s), both);
    let action = game.parse_action(&s, Player::new(0), &both[0]).unwrap();
    game.apply(&mut s, action);
    assert_eq!((s.actor.number(), s.to_place.0[0]), (1, [0, 1]));
}

#[test]
fn c2_5_in_the_base_game_all_start_at_home() {
    let game = configured(4, &["options.variant=base"]);
    let s = game.start();
    assert_eq!((s.phase, s.milestone, s.guards.is_empty()), (Phase::Move, 1, true));
    let state = game.state_json(&s);
    assert_eq!(state["land"]["macedonia"][0], serde_json::json!([6, 0, 0, 0, 4, 1]));
    assert_eq!(state["round"], 0);
}

#[test]
fn c4_prestige_is_for_the_most_and_less_for_two_who_tie() {
    let p = Position::new(3).no_city("egypt").owns(0, &["achaia"]).owns(1, &["syria"]);
    // Provinces: 2, 2, 1. Cities: 1, 0, 1. No zones and no roads.
    let prestige = |p: &Position| [0, 1, 2].map(|q| p.game.prestige(&p.s, Player::new(q)));
    assert_eq!(prestige(&p), [10, 5, 5]);
    let p = p.galleys(2, "mare-libycum", 2).galleys(1, "mare-libycum", 1);
    assert_eq!(prestige(&p), [10, 5, 15]);
    // Three cities tie: nobody gets anything for them.
    assert_eq!(prestige(&p.city("egypt", false)), [5, 5, 10]);
    let base = Position::with(3, &["options.variant=base"]).owns(0, &["achaia"]);
    assert_eq!(prestige(&base), [0, 0, 0]);
}

#[test]
fn c12_2_enough_homes_win_when_the_combat_is_over() {
    let p = Position::new(4).owns(0, &["egypt", "galatia", "italia", "thracia"]);
    let p = p.owns(2, &["hispania"]).units(0, "thracia", [0, 0, 0, 0]);
    assert_eq!(p.clone().turn(0).play(&["done"]).phase(), Phase::Market, "four of five");
    let p = p.owns(0, &["numidia"]).caesar(2, "africa");
    let p = p.turn(1).play(&["done"]);
    assert_eq!((p.phase(), p.winners()), (Phase::Over, vec![0]), "though it was another's turn");
}

/// Returns the end of a turn in a round, with nothing to buy or do.
fn end_of_turn(n_players: usize, round: u8, turn: u8, settings: &[&str]) -> Position {
    let p = Position::with(n_players, settings).round(round).turn(turn).play(&["done"]);
    if p.phase() == Phase::Market { p.play(&["done"]) } else { p }
}

#[test]
fn c13_1_the_last_turn_of_a_round_uses_the_next_rung() {
    assert_eq!(end_of_turn(3, 11, 2, &[]).s.round, 12, "no die before the final rounds");
    assert_eq!(end_of_turn(3, 12, 0, &[]).s.turn.number(), 1, "nobody rolls on the first rung");
    let last = end_of_turn(3, 12, 2, &[]);
    assert_eq!(last.phase(), Phase::EndDie);
    assert_eq!(last.clone().end_die("infantry").phase(), Phase::Over);
    let on = last.end_die("cavalry");
    assert_eq!((on.s.round, on.s.turn.number(), on.s.milestone), (13, 0, 13));
    let second = end_of_turn(3, 13, 0, &[]).end_die("cavalry");
    assert_eq!(second.s.turn.number(), 1);
    assert_eq!(end_of_turn(3, 13, 2, &[]).end_die("cavalry").phase(), Phase::Over);
}

#[test]
fn c13_1_after_the_last_final_round_the_game_ends_without_a_die() {
    assert_eq!(end_of_turn(3, 16, 2, &[]).phase(), Phase::Over);
    assert_eq!(end_of_turn(3, 16, 1, &[]).phase(), Phase::EndDie);
    let base = end_of_turn(3, 12, 2, &["options.variant=base"]);
    assert_eq!(base.phase(), Phase::Over);
}

#[test]
fn c13_3_homes_then_talents_then_leaders_then_military_decide() {
    let end = |p: Position| p.round(16).turn(2).play(&["done", "done"]).winners();
    let level = || Position::new(3);
    assert_eq!(end(level().owns(1, &["galatia"])), [1]);
    assert_eq!(end(level().units(1, "egypt", [0, 0, 0, 3])), [2], "italia has 20");
    let settings = ["province.italia.value=15"];
    let level = || Position::with(3, &settings);
    assert_eq!(end(level().units(1, "egypt", [0, 0, 0, 1])), [1]);
    assert_eq!(end(level().units(0, "macedonia", [3, 0, 0, 0])), [0]);
    assert_eq!(end(level()), [0, 1, 2], "they share the win");
}

#[test]
fn c15_scores_are_homes_and_talents() {
    let p = Position::new(3).owns(0, &["galatia"]);
    let scores = p.game.scores(&p.s).expect("scores");
    // Two homes, 30 and a city of 5, and 10 for most provinces.
    assert_eq!(scores.first(3), [2045, 1020, 1025]);
}
