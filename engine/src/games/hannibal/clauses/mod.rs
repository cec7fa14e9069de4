//! Tests of the clauses of the rules page, one at a time, on positions made by hand.

mod conflicts;
mod endings;
mod maps;
mod turns;

use std::collections::BTreeSet;

use super::{Hannibal, Phase, State};
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

/// Returns the texts of the options of the side to decide.
fn options(game: &Hannibal, s: &State) -> BTreeSet<String> {
    let Turn::Player(player) = game.turn(s) else { panic!("not one player's turn: {s:?}") };
    let mut actions = Vec::new();
    game.actions(s, player, &mut actions);
    actions.iter().map(|&action| game.action_text(action)).collect()
}

fn words(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// Returns the position after the side to decide plays `text`.
fn play(game: &Hannibal, s: State, text: &str) -> State {
    let Turn::Player(player) = game.turn(&s) else { panic!("not one player's turn: {s:?}") };
    let mut after = s;
    let action = game.parse_action(&s, player, text).unwrap();
    game.try_apply(&mut after, player, action).unwrap();
    after
}

/// Returns the position after both sides have shown these cards.
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
