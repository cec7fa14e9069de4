//! Tests that searches decide by their player's information: no hidden information, thread or earlier game has an
//! effect.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agents::guide::Unguided;
use agents::leaks::{self, Decision};
use agents::mcts::Mcts;
use agents::{Agent, AgentSpec, Playable};
use engine::games::conquest2::Conquest2;
use engine::games::goofspiel::Goofspiel;
use engine::games::kuhn_poker::KuhnPoker;
use engine::rng::{Purpose, stream};
use engine::{Configure, Game, Player, Rules, TreeGame, Turn, Walk, hash_of};

/// Searches of every kind that must not use hidden information, with small budgets.
const HONEST: [&str; 10] = [
    "mcts(iterations=30)",
    "mcts(iterations=30, node_key=open-loop)",
    "mcts(iterations=10, rollout=uniform, horizon=full, utility=points)",
    "mcts(iterations=10, rollout=mast, horizon=full, utility=points)",
    "mcts(iterations=30, trees=3)",
    "mcts(iterations=30, opponent_model=alliance)",
    "mcts(iterations=30, final_move=halving)",
    "flat(iterations=10)",
    "one-ply(iterations=30)",
    "pimc(iterations=30, worlds=3)",
];
/// Searches for games with an evaluation, which is used at a horizon.
const HONEST_AHEAD: [&str; 2] =
    ["mcts(iterations=30, horizon=stage)", "mcts(iterations=30, horizon=leaf)"];
/// Searches for small games without policy and evaluation.
const HONEST_SMALL: [&str; 5] = [
    "mcts(iterations=60, select=regret, origin=start)",
    "mcts(iterations=60, select=exp3)",
    "mcts(iterations=60, backup=max)",
    "mcts(iterations=60, select=puct, widen=1)",
    "mcts(iterations=60, opponent_model=paranoid)",
];

type Boxed<G> = Box<dyn Agent<G>>;
type Decided<G> = Decision<<G as Game>::Action>;

fn build<G: Playable>(game: &G, spec: &str) -> Boxed<G> {
    spec.parse::<AgentSpec>().unwrap().build(game).unwrap()
}

fn build_for_tree(_: &TreeGame, spec: &str) -> Boxed<TreeGame> {
    let config = spec.parse::<AgentSpec>().unwrap().config(None).unwrap();
    Box::new(Mcts::new(config, Unguided).unwrap())
}

/// Returns the decision of the agent as a newly seated agent, with its report.
fn decide<G: Game>(
    agent: &mut dyn Agent<G>,
    game: &G,
    state: &G::State,
    player: Player,
) -> Decided<G> {
    let mut rng = stream(2, 0, Purpose::Agent(0));
    leaks::decide(agent, game, state, player, &mut rng).unwrap()
}

/// A player to move and two states that this player cannot distinguish.
type Twins<G> = (Player, <G as Game>::State, <G as Game>::State);

/// Returns twins for every `every`th position of random games that hides information from the mover.
fn twins<G: Game>(game: &G, games: u64, every: usize) -> Vec<Twins<G>> {
    let mut shuffle = stream(5, 0, Purpose::Analysis);
    let mut found = Vec::new();
    for index in 0..games {
        let mut walk = Walk::new(game, 5, index);
        loop {
            let state = *walk.state();
            if let Turn::Player(mover) = game.turn(&state) {
                let others = leaks::determinizations(game, &state, mover, 1, &mut shuffle);
                found.extend(others.into_iter().map(|other| (mover, state, other)));
            }
            if walk.next().is_none() {
                break;
            }
        }
    }
    found.into_iter().step_by(every).collect()
}

/// Returns the number of `twins` in which the agent decides differently.
fn n_differing<G: Game>(
    game: &G,
    twins: &[Twins<G>],
    spec: &str,
    build: fn(&G, &str) -> Boxed<G>,
) -> usize {
    let mut agent = build(game, spec);
    let mut differs = |(player, state, other): &&Twins<G>| {
        decide(&mut *agent, game, state, *player) != decide(&mut *agent, game, other, *player)
    };
    twins.iter().filter(|twins| differs(twins)).count()
}

#[test]
fn conquest2_is_searched_without_a_look_at_hidden_senators() {
    let game = Conquest2::new(4);
    // If one decision in thirty leaks, fewer than one such test in a hundred misses it.
    let twins = twins(&game, 100, 10);
    assert!(twins.len() >= 140, "only {} positions", twins.len());
    for spec in HONEST.into_iter().chain(HONEST_AHEAD) {
        assert_eq!(n_differing(&game, &twins, spec, build), 0, "{spec}");
    }
}

#[test]
fn kuhn_poker_is_searched_without_a_look_at_the_other_card() {
    let game = KuhnPoker::configure(2, &Rules::of::<KuhnPoker>()).unwrap();
    let twins = twins(&game, 100, 1);
    assert!(twins.len() >= 80, "only {} positions", twins.len());
    for spec in HONEST.into_iter().chain(HONEST_SMALL) {
        assert_eq!(n_differing(&game, &twins, spec, build), 0, "{spec}");
    }
    let cheated = n_differing(&game, &twins, "clairvoyant(iterations=60)", build);
    assert!(2 * cheated > twins.len(), "it cheats in {cheated} of {} positions", twins.len());
}

#[test]
fn trees_are_searched_without_a_look_at_hidden_branches() {
    for (n_players, text) in [
        (2, "(?!0 (@0 (@1 0 1) 1/4) (@0 (@1 1 1/2) 3/4))"),
        (2, "(@0! (@1 1 (@0 0 1)) (@1 (@0 1 1/2) 1/4) (@1 3/4 (@0 1/2 1)))"),
        (2, "(?! 1/4:(@0 (@1 1 0) 1/2) 1/4:(@0 (@1 0 1) 1/2) 1/2:(@0 (@1 1/3 1) 2/3))"),
        (3, "(?!2 (@0 (@1 1,0,0 0,1,0) 1/2,0,1/2) (@0 (@1 0,0,1 1/3,1/3,1/3) 0,1/2,1/2))"),
    ] {
        let game = TreeGame::new(n_players, text).unwrap();
        let twins = twins(&game, 150, 1);
        assert!(twins.len() >= 20, "only {} positions of {text}", twins.len());
        for spec in HONEST.into_iter().chain(HONEST_SMALL) {
            assert_eq!(n_differing(&game, &twins, spec, build_for_tree), 0, "{spec} in {text}");
        }
        let cheated = n_differing(&game, &twins, "clairvoyant(iterations=60)", build_for_tree);
        assert!(cheated > 0, "nothing hidden matters in {text}");
    }
}

/// A player who knows only that a coin fell guesses right half the time, so the safe option is better. A search that
/// solves each world separately expects to know the coin (strategy fusion, Frank & Basin 1998). A player who sees the
/// coin knows it.
#[test]
fn a_guess_is_worth_what_a_guess_is_worth() {
    let game = TreeGame::new(2, "(?! (@0 0.6 (@0 1 0)) (@0 0.6 (@0 0 1)))").unwrap();
    let mut state = game.start();
    game.apply(&mut state, engine::tree_game::Branch(0));
    let choice = |spec: &str| {
        let mut agent = build_for_tree(&game, spec);
        decide(&mut *agent, &game, &state, Player::new(0)).action.0
    };
    assert_eq!(choice("mcts(iterations=1000)"), 0);
    assert_eq!(choice("mcts(iterations=1000, backup=max)"), 0);
    assert_eq!(choice("pimc(iterations=1000, worlds=10)"), 1);
    assert_eq!(choice("clairvoyant(iterations=1000)"), 1);
}

/// Returns the result of `f` in a pool of `n_threads`.
fn with_threads<T: Send>(n_threads: usize, f: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap().install(f)
}

/// Compares decisions and reports of parallel searches at every tenth position of a random game.
fn check_threads<G: Playable>(game: &G, specs: &[&str]) {
    let mut walk = Walk::new(game, 3, 0);
    let mut states = vec![*walk.state()];
    while walk.next().is_some() {
        states.push(*walk.state());
    }
    let mover = |state: &G::State| match game.turn(state) {
        Turn::Player(mover) => Some(mover),
        Turn::Simultaneous(movers) => movers.iter().next(),
        _ => None,
    };
    states.retain(|state| mover(state).is_some());
    for state in states.iter().step_by(states.len().div_ceil(8)) {
        for spec in specs {
            let decide = || {
                decide(&mut *build(game, spec), game, state, mover(state).expect("he is to move"))
            };
            let alone = with_threads(1, decide);
            for n_threads in [2, 4] {
                assert_eq!(alone, with_threads(n_threads, decide), "{spec} on {n_threads} threads");
            }
        }
    }
}

#[test]
fn parallel_trees_find_the_same_on_any_number_of_threads() {
    let specs = [
        "mcts(iterations=101, trees=4, rollout=uniform)",
        "mcts(iterations=40, trees=4, rollout=mast, final_move=value)",
        "mcts(iterations=3, trees=256)",
        "pimc(iterations=40, worlds=4)",
    ];
    check_threads(&Conquest2::new(3), &specs);
    check_threads(&KuhnPoker::configure(2, &Rules::of::<KuhnPoker>()).unwrap(), &specs);
    check_threads(&Goofspiel::configure(3, &Rules::of::<Goofspiel>()).unwrap(), &specs);
}

/// An agent after many games must decide like a new one.
#[test]
fn earlier_games_leave_no_trace() {
    let game = KuhnPoker::configure(2, &Rules::of::<KuhnPoker>()).unwrap();
    for spec in HONEST.into_iter().chain(HONEST_SMALL) {
        let mut old = build(&game, spec);
        for (player, state, _) in twins(&game, 40, 1) {
            let fresh = decide(&mut *build(&game, spec), &game, &state, player);
            let reused = decide(&mut *old, &game, &state, player);
            assert_eq!(fresh, reused, "{spec} at {:x}", hash_of(&state));
        }
    }
}
