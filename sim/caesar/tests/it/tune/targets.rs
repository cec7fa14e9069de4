//! The long validation of targets of rules: a thousand searches for a length, for a share, and without anything to
//! find. Their output is in `docs/tuning.md`.

use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;

use rayon::prelude::*;
use serde_json::Value as Json;

use crate::shared::{done_at, json};

const RUNS: u64 = 1_000;
/// The accepted coverage of 95 % intervals in a thousand runs.
const COVERED: RangeInclusive<f64> = 0.93..=0.97;

/// Returns the results of a thousand searches, each with its own seed.
fn searches(args: &str) -> Vec<Json> {
    let search = |seed| {
        json(&format!("{args} --games 6000 --confirm 800 --threads 1 --seed {}", 10_000 + seed))
    };
    (0..RUNS).into_par_iter().map(search).collect()
}

/// Returns how many searches chose rules truly within `near` of `aim`, the number of reports, and their coverage;
/// `truth` gives the true value for the chosen rules.
fn met(results: &[Json], aim: f64, near: f64, truth: impl Fn(&str) -> f64) -> (usize, usize, f64) {
    let mut known: BTreeMap<String, f64> = BTreeMap::new();
    // A search without a result in its play-off opens no report.
    let named = |results: &Json, which: &str| results[which].as_str().map(str::to_owned);
    for results in results {
        for rules in ["winner", "candidate"].into_iter().filter_map(|which| named(results, which)) {
            known.entry(rules.clone()).or_insert_with(|| truth(&rules));
        }
    }
    let is_near = |results: &&Json| (known[&named(results, "winner").unwrap()] - aim).abs() <= near;
    let holds = |results: &Json| {
        let truth = known[&named(results, "candidate")?];
        let end = |key: &str| results["parts"][0]["chosen"][key].as_f64();
        Some((end("low")?..=end("high")?).contains(&truth))
    };
    let reports: Vec<bool> = results.iter().filter_map(holds).collect();
    let held = reports.iter().filter(|is_held| **is_held).count() as f64;
    (results.iter().filter(is_near).count(), reports.len(), held / reports.len() as f64)
}

#[test]
#[ignore = "slow: 1,000 searches for a length: `just tune-proofs` runs it"]
fn a_length_is_met_and_the_report_holds_the_truth() {
    let pig = "--game pig --agent random";
    let results = searches(&format!("tune {pig} --set target=?20..100 --target length=30"));
    let length = |rules: &str| {
        let dir = tempfile::tempdir().unwrap();
        let play = format!(
            "tournament {pig} --agent random --set {rules} --games 40000 --out {{}} --quiet"
        );
        done_at(&play, dir.path());
        let table = fs::read_to_string(dir.path().join("games.csv")).unwrap();
        let mut lines = table.lines();
        let column = lines.next().unwrap().split(',').position(|name| name == "plies").unwrap();
        let all: Vec<f64> =
            lines.map(|line| line.split(',').nth(column).unwrap().parse().unwrap()).collect();
        all.iter().sum::<f64>() / all.len() as f64
    };
    let (near, reports, held) = met(&results, 30.0, 1.5, length);
    println!("| length=30 | {near} of {RUNS} | {held:.4} of {reports} |");
    assert!(near >= 950, "{near} of {RUNS} within 1.5 choices");
    assert!(COVERED.contains(&held), "{held} of {reports} reports hold the truth");
}

#[test]
#[ignore = "slow: 1,000 searches for a share: `just tune-proofs` runs it"]
fn a_share_is_met_and_the_report_holds_the_truth() {
    let results = searches(
        "tune --game pig --agent greedy --against random --set target=?5..60=55 --target 0.25",
    );
    let share = |rules: &str| {
        let play = "tournament --game pig --agent greedy --agent random --games 40000";
        let results = json(&format!("{play} --set {rules}"));
        let agents = results["agents"].as_array().unwrap();
        agents.iter().find(|agent| agent["spec"] == "greedy").unwrap()["share"].as_f64().unwrap()
    };
    // It begins at 0.118.
    let (near, reports, held) = met(&results, 0.25, 0.05, share);
    println!("| 0.25 | {near} of {RUNS} | {held:.4} of {reports} |");
    assert!(near >= 920, "{near} of {RUNS} within 0.05");
    assert!(COVERED.contains(&held), "{held} of {reports} reports hold the truth");
}

#[test]
#[ignore = "slow: 1,000 searches where there is nothing to find: `just tune-proofs` runs it"]
fn what_no_rule_can_mend_is_left_alone() {
    // The first seat has an edge in pig that no number of points removes.
    let results =
        searches("tune --game pig --agent random --set target=?90..100 --target seat-fairness");
    let winners = results.iter().filter(|results| results["verdict"] == "better").count();
    println!("| seat-fairness | {winners} of {RUNS} |");
    assert!(winners <= 70, "{winners} of {RUNS}");
}
