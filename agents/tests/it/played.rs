//! Games played to their end by agents from specs, for any game.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agents::{Agent, AgentSpec, Playable};
use engine::{ChanceStreams, Player, Purpose, Turn, View, rng};

/// Plays a game of these agents to its end and returns the final state. Every choice must be legal.
pub(super) fn end_of<G: Playable>(game: &G, specs: &[&str], index: u64) -> G::State {
    play(game, specs, index, |_| {})
}

/// Plays a game of these agents to its end. `look` sees every position.
pub(super) fn play<G: Playable>(
    game: &G,
    specs: &[&str],
    index: u64,
    mut look: impl FnMut(&G::State),
) -> G::State {
    let built = |spec: &&str| spec.parse::<AgentSpec>().unwrap().build(game).unwrap();
    let mut agents: Vec<Box<dyn Agent<G>>> = specs.iter().map(built).collect();
    for (seat, agent) in agents.iter_mut().enumerate() {
        agent.start(game, Player::new(seat));
    }
    let mut chance = ChanceStreams::new(31, index);
    let mut streams: Vec<_> =
        (0..specs.len()).map(|seat| rng::stream(31, index, Purpose::Agent(seat as u8))).collect();
    let mut state = game.start();
    loop {
        look(&state);
        match game.turn(&state) {
            Turn::Chance => {
                let outcome = game.draw(&state, chance.of(game.chance_purpose(&state)));
                game.apply(&mut state, outcome);
            }
            Turn::Player(player) => {
                let seat = player.idx();
                let view = View::new(game, &state, player);
                let action = agents[seat].choose(view, &mut streams[seat]);
                game.try_apply(&mut state, player, action).unwrap();
            }
            _ => return state,
        }
    }
}
