//! Hosted games for tests.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use play::hosted_game::HostedGame;

use crate::sessions::session;

/// Hosts a game with people in the seats of `people` and agents in the others.
pub(crate) fn host(name: &str, people: &[usize], seed: u64) -> HostedGame {
    let session = session(name, people, seed);
    let adviser = session.game().agent(&"mcts(iterations=8)".parse().unwrap()).unwrap();
    let names = session.seats().iter().map(sim::session::Seat::spec).collect();
    HostedGame::new(session, names, Some(adviser))
}
