//! Rise of Empires: the greedy agent beats chance, its styles differ in what they do, and no decision of it is illegal.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agents::{Agent, AgentSpec, Playable};
use engine::games::rise::things::{N_REGIONS, Region};
use engine::games::rise::{Rise, State};
use engine::{ChanceStreams, Game, Player, Purpose, Turn, View, rng};

/// The end of a game of these agents; whatever they choose must be legal.
fn end_of(game: &Rise, specs: &[&str], index: u64) -> State {
    let built = |spec: &&str| game.agent(&spec.parse::<AgentSpec>().unwrap()).unwrap();
    let mut agents: Vec<Box<dyn Agent<Rise>>> = specs.iter().map(built).collect();
    for (seat, agent) in agents.iter_mut().enumerate() {
        agent.start(game, Player::new(seat));
    }
    let mut chance = ChanceStreams::new(31, index);
    let mut streams: Vec<_> =
        (0..specs.len()).map(|seat| rng::stream(31, index, Purpose::Agent(seat as u8))).collect();
    let mut state = game.start();
    loop {
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

#[test]
fn greedy_beats_chance_at_every_table() {
    for n_players in 2..=5 {
        let game = Rise::new(n_players);
        for index in 0..4 {
            let mut specs = vec!["random"; n_players];
            let hero = index as usize % n_players;
            specs[hero] = "greedy";
            let end = end_of(&game, &specs, index);
            let points = game.payoffs(&end).0[hero];
            assert!(points > 0.99, "{n_players} players, game {index}: {points}");
        }
    }
}

#[test]
fn a_conqueror_has_more_cubes_on_the_map_than_an_inventor() {
    let game = Rise::new(4);
    let mut cubes = [0, 0];
    for index in 0..6 {
        let specs = ["greedy(style=conqueror)", "greedy(style=progress)", "greedy", "greedy"];
        let end = end_of(&game, &specs, index);
        for (seat, cubes) in cubes.iter_mut().enumerate() {
            *cubes += Region::first(N_REGIONS).map(|r| end.cubes(seat, r)).sum::<i32>();
        }
    }
    assert!(cubes[0] > cubes[1], "cubes on the map at the end: {cubes:?}");
}

#[test]
fn a_search_plays_a_whole_game() {
    let game = Rise::new(2);
    let end = end_of(&game, &["mcts(iterations=20)", "mcts(iterations=10, horizon=stage)"], 0);
    assert_eq!(game.turn(&end), Turn::Over);
}
