//! Strategies under two rule sets with a known difference: it is found, and nothing else.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::atomic::AtomicBool;

use lab::strategies::change::{Change, Effects, Fate, Shift};
use lab::strategies::population::PopulationTables;
use lab::strategies::run::Plan;
use lab::strategies::seats::{Block, Seats, Strategy};
use lab::tune::evaluator::{Evaluator, Halt};
use lab::tune::journal::Memory;
use lab::tune::methods::Kind;
use sim::Error;

use crate::strategies::{Planted, of_words, plan, word, words};

const MOVES: [&str; 3] = ["rock", "paper", "scissors"];

/// The next move beats the one before it.
fn circle(a: &[f64], b: &[f64]) -> f64 {
    match (word(a, 3) + 3 - word(b, 3)) % 3 {
        1 => 0.3,
        2 => -0.3,
        _ => 0.0,
    }
}

/// Rules under which the move `best` beats both others, which are equal.
fn won_by(best: usize) -> impl Fn(&[f64], &[f64]) -> f64 + Sync {
    move |a, b| {
        let quality = |at: &[f64]| if word(at, 3) == best { 0.3 } else { 0.0 };
        quality(a) - quality(b)
    }
}

/// The plan for the three moves, of which the first is in the population from the start.
fn of_moves(players: usize, seed: u64) -> Plan {
    Plan { method: Kind::Random, train: 300, ..plan(words(&MOVES), players, seed) }
}

fn run_with(plan: &Plan, sides: [&dyn Seats; 2], memory: &mut Memory) -> Result<Change, Halt> {
    let (stop, mut look) = (AtomicBool::new(false), |_, _: &dyn Fn() -> String| {});
    let [a, b] = sides.map(PopulationTables::new);
    let mut evaluator = Evaluator::new(&a, memory, &stop, None, &mut look);
    Change::run(plan, [&a, &b], &mut evaluator)
}

fn run(plan: &Plan, sides: [&dyn Seats; 2]) -> (Change, Effects) {
    let change = run_with(plan, sides, &mut Memory::default()).unwrap();
    let effects = Effects::of(&change, plan.solver, plan.seed);
    (change, effects)
}

fn fate(change: &Change, effects: &Effects, of: usize) -> Option<Fate> {
    let moves = of_words(&change.strategies, 3);
    moves.iter().position(|one| *one == of).map(|at| effects.fates[at])
}

#[test]
fn a_change_that_dethrones_the_dominant_strategy_is_found() {
    for players in [2, 3] {
        let (old, new) = (won_by(1), won_by(2));
        let sides: [&dyn Seats; 2] =
            [&Planted { players, margin: old }, &Planted { players, margin: new }];
        let (change, effects) = run(&of_moves(players, 3), sides);
        assert_eq!(fate(&change, &effects, 1), Some(Fate::Dies), "{effects:?}");
        assert_eq!(fate(&change, &effects, 2), Some(Fate::Comes), "{effects:?}");
        // The start survives under neither, so it is not in the common population.
        assert_eq!(fate(&change, &effects, 0), None, "{change:?}");
        // One strategy reigns under both.
        assert!(contains(&effects.effective, 0.0) && contains(&effects.top, 0.0), "{effects:?}");
    }
}

#[test]
fn a_change_that_lets_two_strategies_live_beside_the_dominant_one_is_found() {
    let sides: [&dyn Seats; 2] =
        [&Planted { players: 2, margin: won_by(0) }, &Planted { players: 2, margin: circle }];
    let (change, effects) = run(&of_moves(2, 4), sides);
    let fates = [0, 1, 2].map(|of| fate(&change, &effects, of));
    assert_eq!(fates, [Some(Fate::Stays), Some(Fate::Comes), Some(Fate::Comes)], "{effects:?}");
    let interval = effects.effective.difference.1.unwrap();
    assert!(interval.low > 1.0 && interval.high > 1.8, "{interval:?}");
    assert!(effects.top.difference.1.unwrap().high < -0.4, "{:?}", effects.top);
}

fn contains(shift: &Shift, truth: f64) -> bool {
    shift.difference.1.unwrap().contains(truth)
}

/// Tables of the same rules with other dice, as an idle rule may bring them.
struct OtherDice<T>(T);

impl<T: Seats> Seats for OtherDice<T> {
    fn players(&self) -> usize {
        self.0.players()
    }
    fn play(
        &self,
        all: &[Strategy],
        seed: u64,
        blocks: &[u64],
        is_trial: bool,
    ) -> Result<Vec<Block>, Error> {
        self.0.play(all, !seed, blocks, is_trial)
    }
}

/// The runs under equal rules.
const RUNS: u64 = 400;

/// Differences between equal rules contain 0 in 95 % of runs, and no strategy dies or comes.
#[test]
fn an_idle_change_changes_nothing() {
    let all = |plan: &Plan| {
        let point = |i: usize| Strategy::Point(plan.space.at(&[(i as f64 + 0.5) / 3.0]));
        (0..3).map(point).collect()
    };
    let (mut covered, mut moved) = ([0_u64; 3], 0);
    for seed in 0..RUNS {
        let plan = of_moves(2, seed);
        let plan = Plan { start: all(&plan), train: 60, rounds: 1, report: 100, ..plan };
        let planted = || Planted { players: 2, margin: circle };
        let (_, effects) = run(&plan, [&planted(), &OtherDice(planted())]);
        let shifts = [effects.weights[0], effects.effective, effects.top];
        for (covered, shift) in covered.iter_mut().zip(&shifts) {
            *covered += u64::from(contains(shift, 0.0));
        }
        moved +=
            usize::from(effects.fates.iter().any(|fate| [Fate::Dies, Fate::Comes].contains(fate)));
    }
    assert!(covered.iter().all(|&covered| covered * 100 >= RUNS * 93), "{covered:?}");
    assert_eq!(moved, 0);
}

/// A run that goes on from half of its rows ends like the whole one.
#[test]
fn a_change_goes_on_from_its_rows() {
    let sides: [&dyn Seats; 2] =
        [&Planted { players: 3, margin: won_by(1) }, &Planted { players: 3, margin: circle }];
    let plan = of_moves(3, 7);
    let mut memory = Memory::default();
    let whole = run_with(&plan, sides, &mut memory).unwrap();
    let rows = memory.rows();
    for part in [4, 2] {
        let mut begun = Memory::of(rows[..rows.len() / part].to_vec());
        let again = run_with(&plan, sides, &mut begun).unwrap();
        assert_eq!(begun.rows(), rows);
        assert_eq!(
            (again.strategies, again.reports),
            (whole.strategies.clone(), whole.reports.clone())
        );
    }
}
