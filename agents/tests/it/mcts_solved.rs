//! Tests that the search plays solved games without mistakes: all of tic-tac-toe, and connect-four near its end.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use agents::exact::Solver;
use agents::{Agent, AgentSpec, Playable};
use engine::games::connect_four::{self, ConnectFour, Drop};
use engine::games::tic_tac_toe::{self, TicTacToe};
use engine::rng::{Purpose, stream};
use engine::{Game, Turn, View, Walk, hash_of};

fn build<G: Playable>(game: &G, spec: &str) -> Box<dyn Agent<G>> {
    spec.parse::<AgentSpec>().unwrap().build(game).unwrap()
}

/// Returns the choice of the agent in `state`, as a newly seated agent.
fn choice<G: Game>(agent: &mut dyn Agent<G>, game: &G, state: &G::State) -> G::Action {
    let Turn::Player(mover) = game.turn(state) else { panic!("nobody is to move at {state:?}") };
    agent.start(game, mover);
    let mut rng = stream(1, hash_of(state), Purpose::Agent(mover.idx() as u8));
    agent.choose(View::new(game, state, mover), &mut rng)
}

/// Returns the number of `states` in which the agent plays none of the best actions.
fn mistakes<G: Playable>(game: &G, spec: &str, states: &[G::State]) -> usize {
    let mut agent = build(game, spec);
    let mut solver = Solver::new(game, 4_000_000);
    let is_mistake = |state: &&G::State| {
        let best = solver.solve(state).unwrap().best;
        !best.contains(&choice(&mut *agent, game, state))
    };
    states.iter().filter(is_mistake).count()
}

/// Returns all positions with a player to move.
fn every_position() -> Vec<tic_tac_toe::State> {
    let game = TicTacToe;
    let (mut seen, mut found) = (BTreeSet::new(), vec![game.start()]);
    let mut next = 0;
    while next < found.len() {
        let state = found[next];
        next += 1;
        let Turn::Player(mover) = game.turn(&state) else { unreachable!() };
        let mut actions = Vec::new();
        game.actions(&state, mover, &mut actions);
        for action in actions {
            let mut after = state;
            game.apply(&mut after, action);
            if game.turn(&after) != Turn::Over && seen.insert(hash_of(&after)) {
                found.push(after);
            }
        }
    }
    found
}

/// Returns the first `n` different positions with a player to move after `plies` random plies of connect-four.
fn endgames(plies: usize, n: usize) -> Vec<connect_four::State> {
    let mut found = Vec::new();
    for index in 0.. {
        let mut walk = Walk::new(&ConnectFour, 11, index);
        let length = walk.by_ref().take(plies).count();
        let is_on = length == plies && ConnectFour.turn(walk.state()) != Turn::Over;
        if is_on && !found.contains(walk.state()) {
            found.push(*walk.state());
        }
        if found.len() == n {
            return found;
        }
    }
    unreachable!()
}

/// Of the 5,478 positions 958 are final, and the game itself fills those with one free square.
#[test]
fn tic_tac_toe_is_played_perfectly_from_every_position() {
    let states = every_position();
    assert_eq!(states.len(), 4_298);
    assert_eq!(mistakes(&TicTacToe, "mcts(iterations=1000)", &states), 0);
}

#[test]
fn tic_tac_toe_is_proven_to_be_a_draw() {
    let game = TicTacToe;
    let mut agent = build(&game, "mcts(iterations=10000000)");
    choice(&mut *agent, &game, &game.start());
    let report = agent.report(&game).unwrap();
    assert!(report.iterations < 500_000, "{} iterations were needed", report.iterations);
    for option in report.options {
        assert!(option.is_proven && option.values == [0.5, 0.5], "{option:?}");
    }
}

#[test]
fn connect_four_endgames_are_played_perfectly() {
    let states = endgames(28, 60);
    assert_eq!(mistakes(&ConnectFour, "mcts(iterations=20000)", &states), 0);
}

#[test]
fn enough_iterations_make_up_for_the_solver() {
    let states: Vec<_> = every_position().into_iter().step_by(17).collect();
    assert_eq!(mistakes(&TicTacToe, "mcts(iterations=20000, solver=off)", &states), 0);
    let states = endgames(32, 30);
    assert_eq!(mistakes(&ConnectFour, "mcts(iterations=30000, solver=off)", &states), 0);
}

/// Returns the position after drops into these columns, counted from 1.
fn after(columns: &str) -> connect_four::State {
    let mut state = ConnectFour.start();
    columns.bytes().for_each(|column| ConnectFour.apply(&mut state, Drop(column - b'1')));
    state
}

#[test]
fn a_win_is_taken_and_a_loss_is_blocked() {
    for (columns, good) in [
        ("172736", &[4][..]),
        ("17273", &[4]),
        ("121314", &[1]),
        ("12131", &[1]),
        // Three in the lowest row with both ends open cannot be blocked.
        ("4455", &[3, 6]),
    ] {
        for spec in ["mcts(iterations=3000)", "mcts(iterations=3000, solver=off)"] {
            let mut agent = build(&ConnectFour, spec);
            let Drop(column) = choice(&mut *agent, &ConnectFour, &after(columns));
            assert!(
                good.contains(&(column + 1)),
                "{spec} drops into {} after {columns}",
                column + 1
            );
        }
    }
}
