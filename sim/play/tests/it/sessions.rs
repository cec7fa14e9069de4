//! Sessions of people and agents at any game of the catalogue. The tests of `play` have them from here, too.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use sim::any::AnyGame;
use sim::catalogue::{Setup, about};
use sim::session::{Seat, Session};

/// A session with people in the seats of `people` and agents in the others.
pub(crate) fn session(name: &str, people: &[usize], seed: u64) -> Session {
    let players = about(name).unwrap().default_players;
    let game = AnyGame::new(&Setup::new(name).for_players(players)).unwrap();
    let sit = |seat: usize| match people.contains(&seat) {
        true => Seat::Person(None),
        false => {
            // Plain greedy agents bribe nobody.
            let spec = ["greedy", "random", "greedy(epsilon=0.3)"][seat % 3];
            let agent = game.agent(&spec.parse().unwrap()).unwrap();
            Seat::Agent(Box::new(agent), spec.to_owned())
        }
    };
    let seats = (0..players).map(sit).collect();
    Session::new(game, seats, seed).unwrap()
}
