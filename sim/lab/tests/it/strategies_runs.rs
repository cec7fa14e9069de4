//! Independent loops before the reported one.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::atomic::AtomicBool;

use lab::strategies::population::PopulationTables;
use lab::strategies::run::Plan;
use lab::strategies::runs::Survivor;
use lab::strategies::seats::Seats;
use lab::tune::evaluator::Evaluator;
use lab::tune::journal::{Memory, Row};
use lab::tune::methods::Kind;
use sim::Error;

use crate::strategies::{Planted, of_words, places, plan, run_with, word, words};

const MOVES: [&str; 7] = ["a", "b", "c", "d", "e", "f", "g"];

/// The game of the moves in a row, in which each beats the one before it and no other.
fn ladder() -> Planted<impl Fn(&[f64], &[f64]) -> f64 + Sync> {
    let margin =
        |a: &[f64], b: &[f64]| match word(a, MOVES.len()) as i32 - word(b, MOVES.len()) as i32 {
            1 => 0.4,
            -1 => -0.4,
            _ => 0.0,
        };
    Planted { players: 2, margin }
}

fn of_runs(runs: u64) -> Plan {
    let plan = plan(words(&MOVES), 2, 5);
    Plan { method: Kind::Random, train: 120, rounds: 1, corners: 2, runs, ..plan }
}

/// Plays one independent loop; returns its survivors and rows.
fn shard(plan: &Plan, seats: &dyn Seats, run: u64) -> (Vec<Survivor>, Vec<Row>) {
    let (stop, mut look) = (AtomicBool::new(false), |_, _: &dyn Fn() -> String| {});
    let (tables, mut memory) = (PopulationTables::new(seats), Memory::default());
    let mut evaluator = Evaluator::new(&tables, &mut memory, &stop, None, &mut look);
    let survivors = plan.shard(&tables, &mut evaluator, run).unwrap();
    (survivors, memory.rows().to_vec())
}

#[test]
fn the_logs_of_all_loops_are_the_beginning_of_the_whole_and_their_survivors_its_start() {
    let (plan, seats) = (of_runs(3), ladder());
    let mut whole = Memory::default();
    let outcome = run_with(&plan, &seats, &mut whole).unwrap();
    let shards: Vec<_> = (0..3).map(|run| shard(&plan, &seats, run)).collect();
    let rows = shards.iter().flat_map(|(_, rows)| rows.clone());
    let rows: Vec<Row> = (0..).zip(rows).map(|(number, row)| Row { number, ..row }).collect();
    assert!(whole.rows().len() > rows.len());
    assert_eq!(&whole.rows()[..rows.len()], &rows[..]);
    let again = run_with(&plan, &seats, &mut Memory::of(rows)).unwrap();
    assert_eq!(again.report, outcome.report);
    let found = of_words(&outcome.strategies, MOVES.len());
    for (survivors, _) in &shards {
        for (survivor, _) in survivors {
            let at = word(places(survivor), MOVES.len());
            assert!(found.contains(&at), "{at} of {found:?}");
        }
    }
    // Loops begin apart: together they know more of the ladder than the first one alone.
    let alone = run_with(&of_runs(1), &seats, &mut Memory::default()).unwrap();
    assert!(found.len() > alone.strategies.len(), "{found:?} {:?}", alone.strategies);
}

#[test]
fn a_row_with_another_result_is_found_when_it_is_played_again() {
    let (plan, seats) = (of_runs(2), ladder());
    let tables = PopulationTables::new(&seats);
    for run in 0..2 {
        let (_, rows) = shard(&plan, &seats, run);
        let n = rows.len() as u64;
        assert_eq!(plan.play_again(&tables, run, &rows, &|_| true).unwrap(), n);
        assert_eq!(plan.play_again(&tables, run, &rows, &|at| at == 1).unwrap(), 1);
        let mut forged = rows.clone();
        // The points of the other place belong to no value that the loop reads here.
        forged[1].came.parts[0][1] += 0.25;
        let again = |chosen: &dyn Fn(u64) -> bool| plan.play_again(&tables, run, &forged, chosen);
        let error = again(&|at| at == 1).unwrap_err().to_string();
        assert!(error.contains("row 1 has another result here"), "{error}");
        let error = plan.play_again(&tables, 1 - run, &rows, &|_| false).unwrap_err();
        assert!(matches!(error, Error::Usage(_)), "{error}");
    }
}
