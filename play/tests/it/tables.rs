//! Tables for tests: people and agents at any game of the catalogue.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use play::table::Table;
use sim::any::AnyGame;
use sim::catalogue::{Setup, about};
use sim::session::{Seat, Session};

/// A table with people in the seats of `people` and agents in the others.
pub(crate) fn table(name: &str, people: &[usize], seed: u64) -> Table {
    let players = about(name).unwrap().default_players;
    let game = AnyGame::new(&Setup::new(name).for_players(players)).unwrap();
    let adviser = game.agent(&"mcts(iterations=8)".parse().unwrap()).unwrap();
    let sit = |seat: usize| match people.contains(&seat) {
        true => Seat::Person,
        false => {
            // Plain greedy agents bribe nobody.
            let spec = ["greedy", "random", "greedy(epsilon=0.3)"][seat % 3];
            let agent = game.agent(&spec.parse().unwrap()).unwrap();
            Seat::Agent(Box::new(agent), spec.to_owned())
        }
    };
    let seats: Vec<Seat> = (0..players).map(sit).collect();
    let names = seats.iter().map(|seat| seat.spec().to_owned()).collect();
    Table::new(Session::new(game, seats, seed).unwrap(), names, Some(adviser))
}
