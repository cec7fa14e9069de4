//! The measures of searches: they find planted properties, and do not depend on the number of threads.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use expect_test::expect;
use serde_json::Value as Json;

use crate::shared::{json, refused};

/// Returns the arms of `diagnose` with `args`.
fn arms(args: &str) -> Vec<Json> {
    json(&format!("diagnose {args}"))["arms"].as_array().unwrap().clone()
}

fn number(arm: &Json, what: &str, which: &str) -> f64 {
    arm[what][which].as_f64().unwrap_or_else(|| panic!("{what}.{which} of {arm}"))
}

/// One iteration takes any option of tic-tac-toe; a hundred separate good ones from bad ones.
#[test]
fn what_bad_choices_lose_is_seen() {
    let small = "--game tic-tac-toe --positions 40 --budgets 1,100 --by random";
    let arms = arms(&format!("{small} --judge mcts(iterations=1000,solver=off)"));
    assert!(number(&arms[0], "loss", "low") > 0.05, "{}", arms[0]);
    assert!(number(&arms[1], "loss", "high") < 0.1, "{}", arms[1]);
    assert!(number(&arms[1], "since_before", "high") < -0.03, "{}", arms[1]);
    assert!(arms[0]["departures"].as_array().unwrap().is_empty(), "there are no priors");
}

/// Searches of depth one average independent results, so that sixteen times the iterations have a quarter of the
/// spread.
#[test]
fn the_spread_of_independent_results_falls_like_a_root() {
    let small = "--game conquest2 --players 2 --positions 60 --budgets 30,480 --searches 6";
    let arms = arms(&format!("{small} --agent mcts(depth=1) --judge mcts(iterations=300)"));
    let falls = number(&arms[1], "falls_by", "estimate");
    assert!((2.5..6.5).contains(&falls), "{}", arms[1]);
    let [low, high] = ["low", "high"].map(|which| number(&arms[1], "falls_by", which));
    assert!(low < 4.0 && 4.0 < high, "{}", arms[1]);
}

/// A search that keeps to its prior never departs from it; a search that doubts it does, and every departure has a
/// kind.
#[test]
fn departures_are_those_of_a_search_that_leaves_its_prior() {
    let small =
        "--game conquest2 --players 2 --positions 10 --budgets 60 --judge mcts(iterations=200)";
    let [faithful, doubting] = ["c=100", "c=1,temperature=20,fpu=0.1"].map(|settings| {
        let agent = format!("--agent mcts({settings},doubt=0,shrink=0)");
        let arm = &arms(&format!("{small} {agent}"))[0];
        let kinds = arm["departures"].as_array().unwrap().clone();
        let is_named = |kind: &Json| {
            let kind = kind["kind"].as_str().unwrap();
            kind.starts_with("macro ") || kind.starts_with("ply ")
        };
        assert!(kinds.iter().all(is_named), "{kinds:?}");
        kinds.iter().map(|kind| kind["n"].as_u64().unwrap()).sum::<u64>()
    });
    assert_eq!(faithful, 0);
    assert!(doubting >= 3, "{doubting} of 10");
}

/// The best single plies that no macro-action contains are printed with their whole action, ply by ply.
#[test]
fn actions_that_no_macro_action_says_are_told_to_their_end() {
    let small = "--game conquest2 --players 2 --positions 24 --budgets 1 --seed 4";
    let all = json(&format!("diagnose {small} --agent mcts --judge mcts(iterations=300)"));
    assert_eq!(all["with_macros"], 24);
    let kinds = all["uncovered"].as_array().unwrap();
    let (mut single, mut missing) = (0, 0);
    for kind in kinds {
        single += kind["n"].as_u64().unwrap();
        for one in kind["missing"].as_array().unwrap() {
            missing += 1;
            let plies: Vec<&str> =
                one["plies"].as_array().unwrap().iter().map(|ply| ply.as_str().unwrap()).collect();
            let first = format!("ply {}", plies[0].split(' ').next().unwrap());
            assert_eq!(kind["kind"], first.as_str());
            assert!(plies.len() > 1, "one ply alone is a macro-action here: {plies:?}");
        }
    }
    assert!(single > missing && missing > 0, "{kinds:?}");
}

/// Leaves at the end of a game equal its result; leaves scaled by three or by a third have slopes that show it.
#[test]
fn slopes_of_leaves_tell_what_they_are_worth() {
    let leaves = |args: &str| {
        let all = json(&format!("diagnose {args} --budgets 1 --judge mcts(iterations=1)"));
        all["leaves"].as_array().unwrap().clone()
    };
    let small = "--game connect-four --positions 20 --by random --leaves 2";
    let certain = &leaves(&format!("{small} --agent mcts(horizon=full)"))[0];
    assert!(certain["section"].is_null() && certain["positions"] == 20, "{certain}");
    for what in ["slope", "correlation"] {
        assert!((number(certain, what, "estimate") - 1.0).abs() < 1e-9, "{certain}");
    }
    let small = "--game conquest2 --players 2 --positions 60 --leaves 3 --seed 6";
    let scaled =
        ["mcts", "mcts(scale=3)", "mcts(scale=0.2)"].map(|agent| format!("--agent {agent}"));
    let all = leaves(&format!("{small} {}", scaled.join(" ")));
    let of = |agent: &str| {
        let own = |one: &&Json| one["agent"] == agent && one["section"].is_null();
        let own = all.iter().find(own).unwrap();
        assert!(number(own, "correlation", "estimate") > 0.2, "{own}");
        number(own, "slope", "estimate")
    };
    let (plain, flat, steep) = (of("mcts"), of("mcts(scale=3)"), of("mcts(scale=0.2)"));
    assert!(flat > 1.5 * plain && plain > 1.2 * steep, "{flat} {plain} {steep}");
}

#[test]
fn a_diagnosis_does_not_depend_on_threads() {
    let small = "diagnose --game hannibal --positions 9 --budgets 10,40 --searches 2 --leaves 2 \
                 --agent mcts --agent mcts(doubt=1,shrink=5) --judge mcts(iterations=60)";
    let [one, three] = [1, 3].map(|threads| json(&format!("{small} --threads {threads}")));
    assert_eq!(one, three);
    assert_eq!(one["judged"], 9);
}

#[test]
fn what_cannot_be_diagnosed_is_refused() {
    refused(
        "diagnose --agent greedy",
        &expect!["error: --agent greedy: it does not search (mcts does)"],
    );
    refused(
        "diagnose --agent mcts(iterations=50)",
        &expect![
            "error: --agent 'mcts(iterations=50)': leave the iterations out: --budgets sets them"
        ],
    );
    refused(
        "diagnose --agent mcts(seconds=1)",
        &expect![[
            r#"error: agent "mcts(iterations=250, seconds=1)" does not search by iterations (mcts does)"#
        ]],
    );
    refused(
        "diagnose --judge random",
        &expect![[r#"error: agent "random" does not search by iterations (mcts does)"#]],
    );
    refused(
        "diagnose --budgets 100,50",
        &expect!["error: --budgets 100,50: they must rise, but 50 follows 100"],
    );
    refused(
        "diagnose --leaves 1",
        &expect!["error: --leaves 1: a slope takes at least 2 (0: none)"],
    );
    refused(
        "diagnose --searches 1",
        &expect!["error: --searches 1: a spread takes at least 2 (0: none)"],
    );
    refused(
        "diagnose --game goofspiel",
        &expect![[
            r#"error: games of "greedy(epsilon=0.1)" in goofspiel have no decision of one player of the requested kind"#
        ]],
    );
    refused(
        "diagnose --format csv",
        &expect![
            "error: --format csv: it holds one table; choose it with --table (losses, departures, uncovered)"
        ],
    );
}
