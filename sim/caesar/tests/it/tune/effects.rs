//! The long validation of the tables of effects: the coverage of their intervals, and the rate of false effects. It
//! prints a table of `docs/tuning-methods.md`.

use std::sync::atomic::AtomicBool;

use caesar::report::table::{Cell, Page};
use caesar::report::tune::{EFFECTS, page};
use lab::tune::agent_objective::open_table;
use lab::tune::evaluator::Evaluator;
use lab::tune::journal::Memory;
use lab::tune::methods::Kind;
use lab::tune::pools::Looks;
use lab::tune::request::Request;
use lab::tune::run::Outcome;
use lab::tune::study::TuningStudy;
use rayon::prelude::*;
use sim::config::Played;
use sim::stats::Interval;

use crate::shared::measured;

/// The number of searches for each method.
const RUNS: u64 = 100;
/// The gain of the best place of epsilon over the worst in kuhn-poker against `random`, in points of share. The share
/// falls linearly along epsilon, by 9 places with 200,000 blocks each.
const KUHN: f64 = 0.062;
/// A step in a table, as a fraction of the range.
const STEP: f64 = 0.125;

fn run(study: &TuningStudy) -> Outcome {
    let table = open_table(&study.setup, &study.subject).unwrap();
    let (stop, mut look) = (AtomicBool::new(false), |_, _: &dyn Fn() -> String| {});
    let mut memory = Memory::default();
    let mut evaluator = Evaluator::new(&*table, &mut memory, &stop, None, &mut look);
    study.search.run(&mut evaluator, &mut Looks::default()).unwrap()
}

/// Returns the intervals of a search for epsilon: from the worst place to the best, a step down, a step up.
fn intervals(game: &str, start: &str, kind: Kind, seed: u64) -> [Option<Interval>; 3] {
    let request = Request {
        played: Played { game: Some(game.to_owned()), players: None },
        agent: Some(format!("greedy(epsilon=?0..1{start})")),
        against: vec!["random".to_owned()],
        method: Some(kind.name().to_owned()),
        games: Some(2_000),
        confirm: Some(100),
        seed: Some(seed),
        ..Request::default()
    };
    let study = TuningStudy::new(&request, &|_| Err(std::io::ErrorKind::NotFound.into())).unwrap();
    let outcome = run(&study);
    let Page { tables, .. } = page(&study, &outcome, usize::MAX).unwrap();
    let table = tables.iter().find(|table| table.name == EFFECTS).unwrap();
    [3, 4, 5].map(|column| match table.rows[0].cells[column] {
        Cell::Estimate(_, interval) => interval,
        _ => None,
    })
}

/// Returns the number of intervals that cover the truth, and the number of all intervals.
fn held(intervals: impl Iterator<Item = Option<Interval>>, truth: f64) -> (u64, u64) {
    intervals
        .flatten()
        .fold((0, 0), |(held, all), interval| (held + u64::from(interval.contains(truth)), all + 1))
}

#[test]
#[ignore = "slow: 1,200 searches: `just tune-proofs` runs it"]
fn tables_of_effects_hold_the_truth_and_an_inert_parameter_is_seldom_told_to_matter() {
    println!(
        "| method | worst to best | a step down | a step up | inert: worst to best | inert: steps |"
    );
    println!("| --- | --- | --- | --- | --- | --- |");
    let mut bad = Vec::new();
    for kind in Kind::ALL {
        let all = |game: &str, start: &str| -> Vec<[Option<Interval>; 3]> {
            let seeds = (0..RUNS).into_par_iter();
            seeds.map(|seed| intervals(game, start, kind, 77_302 + seed)).collect()
        };
        let column = |all: &[[Option<Interval>; 3]], i: usize, truth: f64| {
            held(all.iter().map(|intervals| intervals[i]), truth)
        };
        let (kuhn, inert) = (all("kuhn-poker", "=0.5"), all("tic-tac-toe", ""));
        let range = column(&kuhn, 0, KUHN);
        // Fewer errors are better.
        let (down, up) = (column(&kuhn, 1, STEP * KUHN), column(&kuhn, 2, -STEP * KUHN));
        let (flat, steps) = (column(&inert, 0, 0.0), [1, 2].map(|i| column(&inert, i, 0.0)));
        let [step_held, step_all] = [steps[0].0 + steps[1].0, steps[0].1 + steps[1].1];
        println!(
            "| {} | {} of {} | {} of {} | {} of {} | {} of {} | {step_held} of {step_all} |",
            kind.name(),
            range.0,
            range.1,
            down.0,
            down.1,
            up.0,
            up.1,
            flat.0,
            flat.1,
        );
        let name = kind.name();
        let test =
            "tables_of_effects_hold_the_truth_and_an_inert_parameter_is_seldom_told_to_matter";
        for (what, (held, all)) in [
            ("planted: from the worst place to the best", range),
            ("planted: a step down", down),
            ("planted: a step up", up),
            ("A/A: from the worst place to the best", flat),
            ("A/A: steps", (step_held, step_all)),
        ] {
            measured("tune: effects, interactions", &format!("{what}, {name}"), [held, all], test);
        }
        let all =
            [range, down, up, (step_held, step_all)].map(|(held, all)| (100 * held, 93 * all));
        let is_low = all.iter().any(|(held, demanded)| held < demanded);
        let is_false = 100 * (flat.1 - flat.0) > 7 * flat.1;
        bad.extend(Some(name).filter(|_| is_low || is_false));
    }
    assert!(bad.is_empty(), "{bad:?}");
}
