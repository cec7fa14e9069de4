//! Tests of `caesar ladder` for people and scripts: steps as comparisons, curves, files, wrong input, threads.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect, expect_file};
use serde_json::Value as Json;

use crate::shared::{self, caesar, command, interrupted, json, prints};

fn refused(args: &str, complaint: &Expect) {
    shared::refused(&format!("ladder {args}"), complaint);
}

/// A ladder in pig: random play, like a coin toss, continues a little and wins against greedy, which always stops.
const CLIMB: &str =
    "ladder --game pig --agent greedy(epsilon=?) --values 0,0.5,1 --max-blocks 2000";
/// A level ladder: without scores greedy plays at random for any epsilon.
const LEVEL: &str = "ladder --game tic-tac-toe --agent greedy(epsilon=?) --values 0,0.1,0.5,1";

/// A falling ladder: in hannibal greedy plays well, and random play is worse.
const DOWN: &str =
    "ladder --game hannibal --agent greedy(epsilon=?) --values 0,1 --max-blocks 2000";

fn words(result: &Json) -> Vec<&str> {
    result["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["verdict"].as_str().unwrap())
        .collect()
}

#[test]
fn help_and_results_are_as_they_were_read_and_approved() {
    prints("ladder --help", &expect_file!["../golden/help-ladder.txt"]);
    prints(&format!("{CLIMB} --verbose"), &expect_file!["../golden/ladder.txt"]);
    prints(
        &format!("{LEVEL} --format csv --table curve"),
        &expect_file!["../golden/ladder-curve.csv"],
    );
}

#[test]
fn gains_are_found_where_they_are_and_nowhere_else() {
    let climb = json(CLIMB);
    assert_eq!(words(&climb), ["better", "better"], "{climb}");
    let level = json(LEVEL);
    assert_eq!(words(&level), ["no difference"; 3], "{level}");
    let down = json(DOWN);
    assert_eq!(words(&down), ["worse"], "{down}");
    assert!(down["steps"][0]["high"].as_f64().unwrap() < 0.5, "{down}");
    for result in [&climb, &level] {
        for step in result["steps"].as_array().unwrap() {
            let number = |key: &str| step[key].as_f64().unwrap();
            let is_found = step["verdict"] == "better";
            assert_eq!(is_found, number("low") > 0.5, "{step}");
            assert_eq!(is_found, number("elo_low") > 0.0, "{step}");
            assert!(number("low") <= number("share") && number("share") <= number("high"));
            assert!(number("p") <= number("p_of_all"), "{step}");
            assert!(number("sequence_low") < number("mean_share"), "{step}");
        }
    }
    // There is no gain, and no interval of the curve excludes zero.
    for at in &level["curve"].as_array().unwrap()[1..] {
        assert!(at["low"].as_f64().unwrap() < 0.0 && at["low"].as_f64() < at["high"].as_f64());
    }
    // The steps add up, and the errors grow.
    let curve = climb["curve"].as_array().unwrap();
    let elo = |i: usize| climb["steps"][i]["elo"].as_f64().unwrap();
    assert!((curve[2]["elo"].as_f64().unwrap() - elo(0) - elo(1)).abs() < 1e-9, "{climb}");
    assert!((climb["alpha_of_all"].as_f64().unwrap() - (1.0 - 0.95 * 0.95)).abs() < 1e-12);
    // The tested effect is found by 95 of 100 tests that are long enough.
    let power = climb["power"].as_array().unwrap();
    assert_eq!(power.len(), 10);
    assert!(power[0]["h1"].as_f64().unwrap() <= 0.05, "{climb}");
    assert!(power[2]["h1"].as_f64().unwrap() >= 0.93, "{climb}");
}

#[test]
fn each_step_is_a_comparison_that_its_command_makes_again() {
    let climb = json(CLIMB);
    for step in climb["steps"].as_array().unwrap() {
        let command = step["command"].as_str().unwrap().strip_prefix("caesar ").unwrap();
        let compared = json(&command.replace('\'', ""));
        for key in ["verdict", "p", "blocks", "games", "elo", "elo_low", "elo_high", "seed"] {
            assert_eq!(step[key], compared[key], "{key}: {step} {compared}");
        }
        let share = 0.5 + compared["effect"].as_f64().unwrap();
        assert!((step["share"].as_f64().unwrap() - share).abs() < 1e-12);
    }
    let again = climb["command"].as_str().unwrap().strip_prefix("caesar ").unwrap();
    assert_eq!(json(&again.replace('\'', "")), climb);
}

#[test]
fn a_ladder_depends_on_the_seed_and_never_on_threads() {
    for args in [CLIMB, LEVEL, &format!("{LEVEL} --effect 0.005 --total-blocks 333")] {
        let with = |more: &str| caesar(&format!("{args} --json --quiet {more}"));
        let one = with("--threads 1");
        assert_eq!(one.0, 0, "{}", one.2);
        assert_eq!(with("--threads 2"), one);
        assert_eq!(with("--threads 7"), one);
        assert_ne!(with("--seed 2").1, one.1);
    }
}

#[test]
fn blocks_go_where_it_is_undecided_up_to_the_number_that_was_stated() {
    let blocks = |result: &Json| -> Vec<u64> {
        let steps = result["steps"].as_array().unwrap().iter();
        steps.map(|step| step["blocks"].as_u64().unwrap()).collect()
    };
    // Such a small gain stays undecided: the blocks are divided evenly.
    let open = json(&format!("{LEVEL} --effect 0.001 --total-blocks 500"));
    assert_eq!((blocks(&open), &open["undecided"]), (vec![167, 167, 166], &3.into()));
    // A step that has ended leaves its blocks to the other.
    let one = "ladder --game pig --agent greedy(epsilon=?) --values 0,0.999,1 --effect 0.02";
    let shared = json(&format!("{one} --total-blocks 300"));
    let played = blocks(&shared);
    assert_eq!(words(&shared), ["better", "undecided"], "{shared}");
    assert!(played[0] < 60 && played[0] + played[1] == 300, "{played:?}");
    let each = json(&format!("{LEVEL} --effect 0.001 --max-blocks 70"));
    assert_eq!(blocks(&each), [70, 70, 70]);
    let (_, text, _) = caesar(&format!("{LEVEL} --effect 0.001 --max-blocks 70 --quiet"));
    assert!(text.contains("undecided (this does not mean equal)"), "{text}");
}

#[test]
fn budgets_double_and_a_label_goes_with_the_number() {
    let args = "ladder --game tic-tac-toe --agent s=mcts(iterations=?) --from 5 --rungs 3 --max-blocks 40 --seed 3";
    let result = json(args);
    assert_eq!(result["values"], serde_json::json!([5.0, 10.0, 20.0]));
    assert_eq!(result["steps"][1]["spec"], "mcts(iterations=20)");
    assert!(
        result["steps"][1]["command"].as_str().unwrap().contains("--agent 's-20=mcts("),
        "{result}"
    );
}

fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap()
}

#[test]
fn a_directory_of_results_holds_the_document_and_every_table() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let (code, stdout, _) = caesar(&format!("{CLIMB} --json --quiet --out {}", out.display()));
    assert_eq!(code, 0);
    assert_eq!(read(&out, "ladder.json"), stdout);
    assert_eq!(fs::read_dir(&out).unwrap().count(), 5, "nothing else is left behind");
    for table in ["steps", "curve", "power"] {
        let (_, csv, _) = caesar(&format!("{CLIMB} --quiet --format csv --table {table}"));
        assert_eq!(read(&out, &format!("{table}.csv")), csv);
    }
    // Another ladder replaces it on request; other files are kept.
    let (code, ..) = caesar(&format!("{LEVEL} --quiet --force --out {}", out.display()));
    assert_eq!(code, 0);
    assert!(read(&out, "ladder.json").contains("tic-tac-toe"));
    fs::write(dir.path().join("power.csv"), "mine").unwrap();
    let (code, _, stderr) = caesar(&format!("{CLIMB} --out {}", dir.path().display()));
    assert_eq!((code, stderr.lines().count()), (2, 1), "{stderr}");
    assert!(stderr.contains("power.csv exists and belongs to no run"), "{stderr}");
}

#[test]
fn what_is_no_ladder_is_refused_before_a_game() {
    let agent = "--game pig --agent greedy(epsilon=?)";
    for (args, complaint) in [
        (
            format!("{agent} --from 0.1 --rungs 1"),
            expect![
                "error: --rungs 1: a ladder of 1 rung has nothing to climb (accepted: 2 to 64 rungs)"
            ],
        ),
        (
            format!("{agent} --values 0.1"),
            expect![
                "error: --values 0.1: a ladder of 1 rung has nothing to climb (accepted: 2 to 64 rungs)"
            ],
        ),
        (
            format!("{agent} --values 0.1,0.1"),
            expect![
                "error: --values 0.1,0.1: they must rise, and 0.1 follows 0.1: list them from the lowest up"
            ],
        ),
        (
            format!("{agent} --from 0.5 --rungs 3"),
            expect![[
                r#"error: agent "greedy(epsilon=2)": epsilon = "2" is out of range (accepted: 0 to 1)"#
            ]],
        ),
        (
            format!("{agent} --values a,b"),
            expect!["error: invalid value 'a' for '--values <LIST>': expected a number"],
        ),
        (
            format!("{agent} --values 0,1 --total-blocks 20"),
            expect![
                "error: --total-blocks 20: it is out of range (accepted: at least 30, 30 for each of 1 steps, since most verdicts need so many)"
            ],
        ),
        (
            format!("{agent} --values 0,1 --effect 0.6"),
            expect![
                "error: --effect 0.6: it is out of range: an equal share of 2 players is 0.5000, so less than 0.5000 can be gained"
            ],
        ),
    ] {
        refused(&args, &complaint);
    }
    let (code, _, stderr) = caesar(&format!("ladder {agent}"));
    assert_eq!(code, 2);
    assert!(stderr.contains("--from <E>") && stderr.lines().count() == 1, "{stderr}");
}

#[test]
fn what_has_no_number_left_open_is_refused_by_its_name() {
    for (args, complaint) in [
        (
            "--game pig --agent greedy(epsilno=?) --values 0,1",
            expect![[
                r#"error: agent "greedy(epsilno=?)": unknown parameter "epsilno" (nearest: epsilon)"#
            ]],
        ),
        (
            "--game pig --agent greedy --values 0,1",
            expect![[
                r#"error: agent "greedy": no number is left open: put ? in place of one, as in mcts(iterations=?)"#
            ]],
        ),
        (
            "--game pig --agent mcts(final_move=?) --values 0,1",
            expect![[
                r#"error: agent "mcts(final_move=?)": final_move takes no numbers (accepted: auto, visits, value, halving): leave a number open, as in mcts(iterations=?)"#
            ]],
        ),
    ] {
        refused(args, &complaint);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_and_saves_what_is_known_and_exits_with_3() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let run =
        format!("{LEVEL} --effect 0.00001 --max-blocks 1000000000 --json --out {}", out.display());
    let output = interrupted(&mut command(&run));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(
        stderr.contains("stopped early: these are interim results, and they are saved in"),
        "{stderr}"
    );
    let result: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["undecided"], 3);
    assert!(result["blocks"].as_u64().unwrap() > 0, "{result}");
    assert_eq!(read(&out, "ladder.json").as_bytes(), output.stdout);
}
