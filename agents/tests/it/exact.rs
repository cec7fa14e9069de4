//! Tests of the exact solvers against plain enumeration, hand-made trees and published values.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agents::exact::{
    Solver, Unsolved, best_response, exploitability, solve, solve_simultaneous, uniform, value_of,
};
use engine::games::connect_four::ConnectFour;
use engine::games::goofspiel::Goofspiel;
use engine::games::kuhn_poker::{self, KuhnPoker};
use engine::games::pig::Pig;
use engine::games::tic_tac_toe::{Mark, TicTacToe};
use engine::rng::{Purpose, stream};
use engine::{ByPlayer, Configure, Game, Player, Rules, TreeGame, Turn, Walk};

fn configured<G: Configure>(n_players: usize, settings: &[&str]) -> G {
    let mut rules = Rules::of::<G>();
    settings.iter().for_each(|setting| rules.set(setting).unwrap());
    G::configure(n_players, &rules).unwrap()
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// Returns the values by max^n and expectation, in the simplest form.
fn enumerate<G: Game>(game: &G, state: &G::State) -> ByPlayer<f64> {
    let after = |action| {
        let mut after = *state;
        game.apply(&mut after, action);
        enumerate(game, &after)
    };
    match game.turn(state) {
        Turn::Over => ByPlayer(game.payoffs(state).0.map(f64::from)),
        Turn::Player(mover) => {
            let mut actions = Vec::new();
            game.actions(state, mover, &mut actions);
            let values = actions.into_iter().map(after);
            values.reduce(|best, v| if v[mover] > best[mover] { v } else { best }).unwrap()
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            outcomes.into_iter().fold(ByPlayer::default(), |sum: ByPlayer<f64>, (outcome, p)| {
                let values = after(outcome);
                ByPlayer(std::array::from_fn(|i| sum.0[i] + p * values.0[i]))
            })
        }
        Turn::Simultaneous(_) => unreachable!("no simultaneous turns here"),
    }
}

#[test]
fn solving_agrees_with_enumeration_on_random_trees() {
    let mut rng = stream(1, 0, Purpose::Analysis);
    for i in 0..200 {
        let n_players = 2 + i % 2;
        let game = TreeGame::random(n_players, 5, 3, &mut rng, i % 4 < 2);
        let mut solver = Solver::new(&game, 10_000);
        let solution = solver.solve(&game.start()).unwrap();
        let expected = enumerate(&game, &game.start());
        assert!(solution.values.0.iter().zip(expected.0).all(|(a, b)| is_near(*a, b)), "{game}");
        for &action in &solution.best {
            let mut after = game.start();
            game.apply(&mut after, action);
            let Turn::Player(mover) = game.turn(&game.start()) else { unreachable!() };
            assert!(is_near(enumerate(&game, &after)[mover], expected[mover]), "{game}");
        }
    }
}

#[test]
fn hand_made_trees_are_worth_what_they_look() {
    let worth = |n_players, text: &str| {
        let game = TreeGame::new(n_players, text).unwrap();
        let solution = solve(&game, &game.start()).unwrap();
        (solution.values.first(n_players).to_vec(), solution.best.len())
    };
    assert_eq!(worth(2, "(1 0 (0 1) 1/2)"), (vec![1.0, 0.0], 1));
    assert_eq!(worth(2, "((1 0) (1/2 3/4) (? 1/4:0 3/4:1))"), (vec![0.75, 0.25], 1));
    assert_eq!(worth(2, "((1 1/2) (3/4 1/2))"), (vec![0.5, 0.5], 2));
    // Both actions are equally good for player 0, and the first is taken.
    assert_eq!(worth(3, "(1/2,1/2,0 1/2,0,1/2)"), (vec![0.5, 0.5, 0.0], 2));
}

#[test]
fn tic_tac_toe_is_a_draw_whatever_the_first_mark() {
    let game = TicTacToe;
    let mut solver = Solver::new(&game, 10_000);
    let solution = solver.solve(&game.start()).unwrap();
    assert_eq!(solution.values.first(2), [0.5, 0.5]);
    assert_eq!(solution.best.len(), 9);
    // Of the 5,478 positions 958 are final, and the game fills the last square itself.
    assert!(solver.n_states() < 5_478 - 958, "{} positions", solver.n_states());
    // A corner must be answered in the centre, and a centre in a corner.
    let best_after = |solver: &mut Solver<'_, TicTacToe>, square| {
        let mut state = game.start();
        game.apply(&mut state, Mark(square));
        solver.solve(&state).unwrap().best
    };
    assert_eq!(best_after(&mut solver, 0), [Mark(4)]);
    assert_eq!(best_after(&mut solver, 4), [0, 2, 6, 8].map(Mark));
}

/// The positions are 24 plies into random games, with at most 18 squares left.
#[test]
fn connect_four_endgames_are_solved() {
    let game = ConnectFour;
    let (mut n_solved, mut n_decisive) = (0, 0);
    for index in 0..60 {
        let mut walk = Walk::new(&game, 1, index);
        if walk.by_ref().take(24).count() < 24 || game.turn(walk.state()) == Turn::Over {
            continue;
        }
        let state = *walk.state();
        let solution = solve(&game, &state).unwrap();
        assert!(solution.values.0.iter().all(|v| [0.0, 0.5, 1.0].contains(v)));
        // Eight plies later plain enumeration is fast.
        let mut later = state;
        for _ in 0..8 {
            let Turn::Player(_) = game.turn(&later) else { break };
            let best = solve(&game, &later).unwrap();
            game.apply(&mut later, best.best[0]);
            assert_eq!(
                solve(&game, &later).unwrap().values,
                best.values,
                "best play keeps a value"
            );
        }
        assert_eq!(enumerate(&game, &later), solution.values, "game {index}");
        n_solved += 1;
        n_decisive += u32::from(!is_near(solution.values.0[0], 0.5));
    }
    assert!(n_solved >= 10 && n_decisive >= 5, "{n_decisive} of {n_solved} are decisive");
}

#[test]
fn what_cannot_be_solved_is_refused_with_a_reason() {
    let pig: Pig = configured(2, &[]);
    assert_eq!(solve(&pig, &pig.start()), Err(Unsolved::Cyclic));
    let four = ConnectFour;
    let refusal = Solver::new(&four, 10_000).solve(&four.start()).unwrap_err();
    assert!(refusal.to_string().contains("10000 positions"), "{refusal}");
    let goofspiel: Goofspiel = configured(2, &[]);
    assert_eq!(solve(&goofspiel, &goofspiel.start()), Err(Unsolved::Simultaneous));
    let three: Goofspiel = configured(3, &["cards=2"]);
    let refusal = solve_simultaneous(&three, &three.start()).err();
    assert_eq!(refusal, Some(Unsolved::Players { n_players: 3 }));
    // A solver starts afresh after a failure.
    let mut solver = Solver::new(&pig, 10_000);
    assert_eq!(solver.values(&pig.start()), solver.values(&pig.start()));
}

/// Returns an equilibrium of Kuhn (1950). The first player bets the jack with probability `alpha`, `0..=1/3`.
fn kuhn(alpha: f64) -> impl Fn(&kuhn_poker::State, Player, &[kuhn_poker::Action], &mut Vec<f64>) {
    move |state, player, _, out| {
        let game: KuhnPoker = configured(2, &[]);
        let json = engine::Notation::state_json(&game, state);
        let card = json["cards"][player.idx()].as_u64().unwrap();
        let bet = match (json["stage"].as_str().unwrap(), card) {
            ("opening", 1) => alpha,
            ("opening", 3) => (3.0 * alpha).min(1.0),
            ("pass bet", 2) => alpha + 1.0 / 3.0,
            ("pass", 1) | ("bet", 2) => 1.0 / 3.0,
            (_, 3) => 1.0,
            _ => 0.0,
        };
        out.extend([1.0 - bet, bet]);
    }
}

/// A gain of one chip is a quarter of a point: see the module of the game.
#[test]
fn every_equilibrium_of_kuhn_poker_is_worth_what_kuhn_says() {
    let game: KuhnPoker = configured(2, &[]);
    for alpha in [0.0, 0.1, 0.2, 1.0 / 3.0] {
        let policy = kuhn(alpha);
        assert!(is_near(value_of(&game, &policy).0[0], 0.5 - 1.0 / 18.0 / 4.0), "alpha {alpha}");
        assert!(is_near(exploitability(&game, &policy), 0.0), "alpha {alpha}");
        assert!(is_near(best_response(&game, Player::new(1), &policy), 37.0 / 72.0));
    }
    assert!(exploitability(&game, &kuhn(0.4)) > 1e-3, "0.4 is outside the family");
}

/// Uniform play of Kuhn poker is worth 1/8 chip to the first player, and its `NashConv` is 11/12 chip (`OpenSpiel`).
#[test]
fn uniform_play_of_kuhn_poker_is_as_exploitable_as_published() {
    let game: KuhnPoker = configured(2, &[]);
    assert!(is_near(value_of(&game, &uniform).0[0], 0.5 + 1.0 / 8.0 / 4.0));
    assert!(is_near(exploitability(&game, &uniform), 11.0 / 12.0 / 4.0 / 2.0));
}

#[test]
fn the_equilibrium_of_goofspiel_cannot_be_exploited() {
    for cards in 2..=4 {
        let game: Goofspiel = configured(2, &[&format!("cards={cards}")]);
        let equilibrium = solve_simultaneous(&game, &game.start()).unwrap();
        let policy = |state: &_, player, actions: &[_], out: &mut Vec<f64>| {
            equilibrium.policy(state, player, actions, out);
        };
        assert!(is_near(equilibrium.values(&game.start()).unwrap().0[0], 0.5), "symmetric");
        assert!(is_near(value_of(&game, &policy).0[0], 0.5));
        assert!(is_near(exploitability(&game, &policy), 0.0), "{cards} cards");
        let uniform = exploitability(&game, &uniform);
        assert!(if cards > 2 { uniform > 0.05 } else { uniform > -1e-9 }, "{cards}: {uniform}");
    }
}

#[test]
fn where_nothing_is_hidden_the_solvers_and_the_best_response_agree() {
    let mut rng = stream(2, 0, Purpose::Analysis);
    for _ in 0..50 {
        let game = TreeGame::random(2, 4, 3, &mut rng, true);
        let value = solve(&game, &game.start()).unwrap().values;
        let equilibrium = solve_simultaneous(&game, &game.start()).unwrap();
        let policy = |state: &_, player, actions: &[_], out: &mut Vec<f64>| {
            equilibrium.policy(state, player, actions, out);
        };
        // Points are stored as `f32`, so the sum of both players' points has only that accuracy.
        let loosely = |a: f64, b: f64| (a - b).abs() < 1e-6;
        assert!(is_near(value.0[0], equilibrium.values(&game.start()).unwrap().0[0]));
        assert!(loosely(best_response(&game, Player::new(0), &policy), value.0[0]));
        assert!(loosely(exploitability(&game, &policy), 0.0));
        assert!(exploitability(&game, &uniform) > -1e-6);
    }
}

#[test]
fn a_player_cannot_answer_what_he_does_not_see() {
    // In sequential matching pennies the second player wins if the first choice is open. If it is hidden, both get
    // half.
    let respond = |text: &str| {
        let game = TreeGame::new(2, text).unwrap();
        best_response(&game, Player::new(1), &uniform)
    };
    assert!(is_near(respond("(@0 (@1 1 0) (@1 0 1))"), 1.0));
    assert!(is_near(respond("(@0! (@1 1 0) (@1 0 1))"), 0.5));
    assert!(is_near(respond("(& (1 0) (0 1))"), 0.5));
    assert!(is_near(respond("(?!0 1/4:(@1 1 0) 3/4:(@1 0 1))"), 0.75));
}
