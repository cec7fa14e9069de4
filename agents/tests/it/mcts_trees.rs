//! Tests of the search against the exact solver on random trees: players, chance, selection rules, backups.
//!
//! A choice counts as right if its exact value for the mover is at most [`TOLERANCE`] below the best value. The ends of
//! a random tree pay a player different points. So no two choices are equally good, but some are almost equal.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agents::exact::Solver;
use agents::guide::Unguided;
use agents::mcts::Mcts;
use agents::{Agent, AgentSpec};
use engine::rng::{Purpose, stream};
use engine::tree_game::Branch;
use engine::{Game, TreeGame, Turn, View};

/// The largest accepted loss against the best choice, in points.
const TOLERANCE: f64 = 0.01;

fn build(spec: &str) -> Mcts<TreeGame, Unguided> {
    let config = spec.parse::<AgentSpec>().unwrap().config(None).unwrap();
    Mcts::new(config, Unguided).unwrap()
}

/// Returns the agent's first choice in a game that begins with a decision.
fn first_choice(agent: &mut Mcts<TreeGame, Unguided>, game: &TreeGame, seed: u64) -> Branch {
    let state = game.start();
    let Turn::Player(mover) = game.turn(&state) else { panic!("{game} begins with no decision") };
    agent.start(game, mover);
    let mut rng = stream(seed, 0, Purpose::Agent(mover.idx() as u8));
    agent.choose(View::new(game, &state, mover), &mut rng)
}

/// Returns random trees that begin with a decision: 50 each for two and three players, without and with chance.
fn forest() -> Vec<TreeGame> {
    let mut trees = Vec::new();
    for (n_players, with_chance) in [(2, false), (3, false), (2, true), (3, true)] {
        let mut rng = stream(n_players as u64, u64::from(with_chance), Purpose::Analysis);
        let grown =
            std::iter::repeat_with(|| TreeGame::random(n_players, 4, 3, &mut rng, with_chance));
        let starts_well = |game: &TreeGame| matches!(game.turn(&game.start()), Turn::Player(_));
        trees.extend(grown.filter(starts_well).take(50));
    }
    trees
}

/// Returns the numbers of wrong first choices: for two and three players, without and with chance.
fn mistakes(spec: &str, forest: &[TreeGame]) -> [usize; 4] {
    let mut agent = build(spec);
    let mut wrong = [0; 4];
    for (i, game) in forest.iter().enumerate() {
        let mut solver = Solver::new(game, 10_000);
        let Turn::Player(mover) = game.turn(&game.start()) else { unreachable!() };
        let best = solver.values(&game.start()).unwrap()[mover];
        let mut after = game.start();
        game.apply(&mut after, first_choice(&mut agent, game, i as u64));
        let loss = best - solver.values(&after).unwrap()[mover];
        assert!(loss > -1e-9, "nothing is better than best: {game}");
        wrong[i / 50] += usize::from(loss > TOLERANCE);
    }
    wrong
}

/// Checks that at most `limits` of 50 trees each are wrong, for two and three players without chance, then with chance.
fn check(limits: [usize; 4], specs: &[&str]) {
    let forest = forest();
    for settings in specs {
        let wrong = mistakes(&format!("mcts({settings})"), &forest);
        assert!(wrong.iter().zip(limits).all(|(n, limit)| *n <= limit), "{settings}: {wrong:?}");
    }
}

/// Without chance the solver proves every tree, for any number of players and any selection rule, even with equal
/// visits.
#[test]
fn what_is_proven_is_right() {
    check(
        [0, 0, 50, 50],
        &[
            "iterations=3000",
            "iterations=3000, select=tuned, c=2",
            "iterations=3000, select=puct, fpu=0",
            "iterations=3000, select=puct, fpu=0, doubt=1, shrink=5",
            "iterations=3000, shrink=15",
            "iterations=3000, widen=1, grow=0.3",
            "iterations=3000, backup=max, max_share=1",
            "iterations=3000, select=uniform",
            "iterations=3000, final_move=halving",
            "iterations=3000, trees=2",
        ],
    );
}

/// With 10,000 iterations and no solver, 0 to 3 of 50 trees for two players are wrong, and 2 to 6 for three players.
/// There a deep decision that is almost a tie for its mover can change the results of the others.
#[test]
fn every_rule_of_selection_finds_the_best_choice_in_nearly_all_trees() {
    check(
        [3, 4, 3, 6],
        &[
            "iterations=10000, solver=off",
            "iterations=10000, solver=off, select=tuned, c=1",
            "iterations=10000, solver=off, select=puct, c=0.5",
            "iterations=10000, solver=off, select=puct, c=0.5, fpu=0",
            "iterations=10000, solver=off, select=puct, c=0.5, fpu=0, doubt=1, shrink=5",
            "iterations=10000, solver=off, bias=1",
            "iterations=10000, solver=off, widen=1, grow=0.4",
        ],
    );
}

/// Open-loop nodes merge the outcomes of chance, which costs little here: the mover after chance matters more.
#[test]
fn every_way_to_keep_and_back_up_finds_the_best_choice_in_nearly_all_trees() {
    check(
        [3, 4, 3, 6],
        &[
            "iterations=10000, solver=off, backup=max",
            "iterations=10000, node_key=open-loop",
            "iterations=10000, node_key=open-loop, backup=max",
            "iterations=10000, solver=off, final_move=value",
            "iterations=10000, solver=off, final_move=halving",
            "iterations=10000, solver=off, rollout=mast",
        ],
    );
}

#[test]
fn mistakes_become_rarer_with_iterations() {
    let forest = forest();
    let total = |iterations: u32| -> usize {
        mistakes(&format!("mcts(iterations={iterations}, solver=off)"), &forest).iter().sum()
    };
    let wrong = [30, 300, 3000].map(total);
    assert!(wrong[0] > 2 * wrong[1] && wrong[1] > wrong[2], "{wrong:?} of 200 trees");
}

/// Two players are always enemies; a third player need not be.
#[test]
fn paranoia_agrees_with_max_n_for_two_players() {
    let forest = forest();
    let spec = "mcts(iterations=3000, solver=off)";
    let [mut calm, mut paranoid] =
        [spec, "mcts(iterations=3000, solver=off, opponent_model=paranoid)"].map(build);
    let mut differ = [0; 2];
    for (i, game) in forest.iter().enumerate() {
        let choices = [&mut calm, &mut paranoid].map(|agent| first_choice(agent, game, i as u64));
        differ[game.n_players() - 2] += usize::from(choices[0] != choices[1]);
    }
    assert!(differ[0] <= 1, "{differ:?} of 100 trees each");
    assert!(differ[1] > 10, "{differ:?} of 100 trees each");
}
