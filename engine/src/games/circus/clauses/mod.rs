//! Tests of the clauses of the rules page, each on a position made by hand.

mod end;
mod race;

use super::position::Race;
use crate::game::{Game, Turn};

fn seat_to_move(race: &Race) -> usize {
    match race.game.turn(&race.state) {
        Turn::Player(player) => player.idx(),
        turn => panic!("nobody is to move: {turn:?}"),
    }
}

fn is_over(race: &Race) -> bool {
    race.game.turn(&race.state) == Turn::Over
}

fn placings(race: &Race) -> Vec<i32> {
    race.game.scores(&race.state).unwrap().first(race.game.n_players()).to_vec()
}
