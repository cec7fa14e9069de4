//! The command `tune`: its output, refusals and files.

use std::fs;
use std::path::Path;
use std::time::Instant;

use expect_test::{Expect, expect, expect_file};
use serde_json::Value as Json;

use crate::shared::{self, command_at, done_at, json, killed_until_it_ends, prints, rows};

/// A search in pig: greedy stops after every roll, and a random agent continues a little, which is better.
const EPSILON: &str =
    "tune --game pig --agent greedy(epsilon=?0..1=0.8) --against random --games 1200 --confirm 400";

pub(super) fn refused(args: &str, complaint: &Expect) {
    shared::refused(&format!("tune {args}"), complaint);
}

#[test]
fn help_and_results_are_as_they_were_read_and_approved() {
    prints("tune --help", &expect_file!["../../golden/help-tune.txt"]);
    prints(&format!("{EPSILON} --quiet --verbose"), &expect_file!["../../golden/tune.txt"]);
}

#[test]
fn what_is_better_is_found_and_confirmed() {
    let document = json(&format!("{EPSILON} --held-out greedy(epsilon=0.5)"));
    assert_eq!(document["verdict"], "better", "{document}");
    assert_eq!(document["start"], "greedy(epsilon=0.8)");
    assert_eq!(document["winner"], document["candidate"]);
    let effect = &document["confirmation"]["effect"];
    assert!(effect["low"].as_f64().unwrap() > 0.0 && effect["n"] == 200, "{document}");
    assert_eq!(document["held_out"][0]["opponent"], "greedy(epsilon=0.5)");
    for key in ["estimate", "low", "high", "n"] {
        assert!(
            document["winners_curse"][key].is_number() && document["duel"][key].is_number(),
            "{document}"
        );
    }
    assert_eq!(document["held_out"][0]["verdict"], "better");
    assert_eq!(
        (&document["worse_against"], &document["confirmation"]["verdict"]),
        (&serde_json::json!([]), &"better".into())
    );
    // The printed winner is a spec that other commands accept.
    let winner = document["winner"].as_str().unwrap();
    let again = json(&format!(
        "tournament --game pig --agent {} --agent random --games 20",
        winner.replace(' ', "")
    ));
    assert_eq!(again["agents"][0]["games"], 20);
}

/// A weight that beats a random agent, and loses against a better one.
const POOL_ONLY: &str = "tune --game hannibal --agent greedy(weights.group=?0..30=1.75) --against random --held-out greedy \
                         --games 2000 --confirm 1000";

#[test]
fn who_beats_the_pool_alone_is_not_called_better_in_the_document_the_table_and_the_page() {
    let document = json(POOL_ONLY);
    assert_eq!(document["verdict"], "better against the pool only", "{document}");
    assert_eq!(
        document["worse_against"],
        serde_json::json!(["greedy", "greedy(weights.group=1.75)"])
    );
    assert_eq!(
        (&document["winner"], &document["confirmation"]["verdict"]),
        (&document["start"], &"better".into())
    );
    let dir = tempfile::tempdir().unwrap();
    let text = done_at(&format!("{POOL_ONLY} --quiet --color always --out {{}}/run"), dir.path());
    // Worse is red, and so is the verdict.
    assert!(
        text.contains("\u{1b}[31mbetter against the pool only, worse against greedy and"),
        "{text}"
    );
    assert!(
        text.lines().any(|line| line.contains("held out: greedy") && line.contains("worse")),
        "{text}"
    );
    done_at("report {}/run --out {}/page.html --quiet", dir.path());
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert!(page.contains("Better against the pool only, worse against greedy"), "{page}");
}

#[test]
fn the_command_to_run_next_runs_in_a_shell() {
    let document = json(EPSILON);
    let command = document["next_command"].as_str().unwrap();
    assert!(command.starts_with("caesar compare --game pig "), "{command}");
    let line = command.replacen("caesar", shared::CAESAR, 1) + " --quiet";
    let ended = shared::ended(0, std::process::Command::new("sh").args(["-c", &line]));
    let stdout = String::from_utf8(ended.stdout).unwrap();
    assert!(stdout.contains("greedy(epsilon=1)") && stdout.contains("--seed 2"), "{stdout}");
}

#[test]
fn a_report_stops_early_where_the_candidate_is_behind() {
    // Fewer errors are better, and the best of a few random points is not zero errors.
    let args = "tune --game kuhn-poker --agent greedy(epsilon=?0..1) --against random --method random --games 700 \
                --confirm 4000 --seed 3";
    let document = json(args);
    let confirmation = &document["confirmation"];
    assert_eq!(
        (&document["verdict"], &document["winner"]),
        (&"no better".into(), &"greedy".into())
    );
    assert_eq!(
        (&confirmation["is_early"], &confirmation["effect"]["n"]),
        (&true.into(), &500.into())
    );
    assert!(document["duel"].is_null() && document["winners_curse"].is_null(), "{document}");
    // One sentence states it.
    let (_, text, _) = shared::caesar(&format!("{args} --quiet"));
    assert_eq!(text.matches("no better: ").count(), 1, "{text}");
    assert!(text.contains("The report stopped after 500 of 2 000 blocks"), "{text}");
}

#[test]
fn a_list_is_raced() {
    let document = json(
        "tune --game pig --candidate greedy --candidate greedy(epsilon=0.1) --candidate best=greedy(epsilon=1) \
         --against random --games 1500",
    );
    assert_eq!(
        (document["method"].as_str(), document["verdict"].as_str()),
        (Some("racing"), Some("better"))
    );
    assert_eq!(document["winner"], "greedy(epsilon=1)");
}

#[test]
fn a_plan_says_what_it_costs_and_what_it_sees() {
    let plan = json(&format!("{EPSILON} --plan"));
    let whole = |key: &str| plan[key].as_u64().unwrap();
    let number = |key: &str| plan[key].as_f64().unwrap();
    assert_eq!(whole("search_games") + whole("play_off_games"), 1_200);
    assert_eq!(whole("report_games"), 3 * 400);
    assert_eq!(whole("games"), 2_400);
    assert!(number("smallest_gain") > 0.05 && number("smallest_gain") < 0.2, "{plan}");
}

#[test]
fn threads_and_kills_change_no_byte() {
    let files = |dir: &Path| -> Vec<(String, Vec<u8>)> {
        let mut files: Vec<_> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.file_name().unwrap().display().to_string(), fs::read(&path).unwrap()))
            .collect();
        files.sort();
        files
    };
    let args = "tune --game pig --agent greedy(epsilon=?0..1=0.8) --against random --against greedy --games 3000 \
                --method cma-es --quiet --out {}";
    let whole = tempfile::tempdir().unwrap();
    let began = Instant::now();
    done_at(&format!("{args} --threads 1"), whole.path());
    let took = began.elapsed();
    let killed = tempfile::tempdir().unwrap();
    let log = killed.path().join("log.csv");
    let again = || command_at(&format!("{args} --threads 2 --resume"), killed.path());
    killed_until_it_ends(took, 17, again, || rows(&log));
    let (whole, killed) = (files(whole.path()), files(killed.path()));
    let names: Vec<&str> = whole.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "checksums.json",
        "effects.csv",
        "log.csv",
        "manifest.json",
        "play-off.csv",
        "summary.json",
        "verdict.csv",
        "winner.txt",
    ];
    assert_eq!(names, expected);
    assert!(whole == killed);
}

#[test]
fn long_specs_have_short_names_and_a_legend_in_tables_and_their_length_in_files() {
    let dir = tempfile::tempdir().unwrap();
    let args = "tune --game hannibal --agent greedy --weights * --against random --games 1400 --method random --quiet \
                --verbose --out {}";
    let document = done_at(args, dir.path());
    let widest = document.lines().max_by_key(|line| line.chars().count()).unwrap();
    assert!(widest.chars().count() <= 120, "{widest}");
    assert!(
        document.contains("\ngreedy#1 ") && document.contains("greedy#1 = greedy("),
        "{document}"
    );
    let table = fs::read_to_string(dir.path().join("play-off.csv")).unwrap();
    assert!(!table.contains('#') && table.lines().nth(1).unwrap().len() > 150, "{table}");
}

#[test]
fn the_history_is_a_table_for_other_tools() {
    let dir = tempfile::tempdir().unwrap();
    let args =
        "tune --game pig --agent greedy(epsilon=?0..1=0.8) --against random --games 1000 --quiet";
    done_at(&format!("{args} --out {{}}/run --export {{}}/history.csv"), dir.path());
    let table = fs::read_to_string(dir.path().join("history.csv")).unwrap();
    assert!(table.starts_with("row,pool,field,block,value,epsilon\n"), "{table}");
    // 500 blocks of search and play-off, and those of the report: at most five sides.
    let blocks = table.lines().count() - 1;
    assert!((500..=500 + 5 * 125).contains(&blocks), "{blocks}");
    done_at(&format!("{args} --out {{}}/run --resume --export {{}}/history.parquet"), dir.path());
    let bytes = fs::read(dir.path().join("history.parquet")).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    refused(
        "--game pig --agent greedy(epsilon=?) --against random --out out --export history.xls",
        &expect![
            "error: --export history.xls: its ending names no format (accepted: .csv, .parquet)"
        ],
    );
}

#[test]
fn a_directory_keeps_to_its_search_and_counts_who_looks_again() {
    let dir = tempfile::tempdir().unwrap();
    let args = "tune --game pig --agent greedy(epsilon=?0..1=0.8) --against random --games 1000 --out {} --json --quiet";
    let first: Json = serde_json::from_str(&done_at(args, dir.path())).unwrap();
    assert_eq!(first["confirmation"]["look"], 1);
    let (code, _, stderr) =
        shared::ran(&mut command_at(&format!("{args} --resume --seed 2"), dir.path()));
    assert!(
        code == 2 && stderr.contains("holds another search (seed: 1 there, 2 here)"),
        "{stderr}"
    );
    // The result is printed again without a game; another search with the same seed uses the same report pool.
    let again: Json =
        serde_json::from_str(&done_at(&format!("{args} --resume"), dir.path())).unwrap();
    assert_eq!(again, first);
    let other = args.replace("=0.8", "=0.9") + " --force";
    let second: Json = serde_json::from_str(&done_at(&other, dir.path())).unwrap();
    assert_eq!(second["confirmation"]["look"], 2);
    let other = format!("{other} --seed 3");
    let third: Json = serde_json::from_str(&done_at(&other, dir.path())).unwrap();
    assert_eq!(third["confirmation"]["look"], 1);
}

#[test]
fn weights_and_files_of_spaces_are_searched() {
    let dir = tempfile::tempdir().unwrap();
    let space =
        "[parameters]\n\"weights.edge\" = { low = 0.1, high = 1 }\n[fixed]\nepsilon = 0.1\n";
    fs::write(dir.path().join("space.toml"), space).unwrap();
    let plan = |args: &str| -> Json {
        serde_json::from_str(&done_at(&format!("tune --json --quiet --plan {args}"), dir.path()))
            .unwrap()
    };
    let all = plan("--game hannibal --agent greedy --weights * --against greedy --games 3000");
    assert!(all["space"].as_array().unwrap().len() > 5, "{all}");
    let bad = "[parameters]\nepsilo = { low = 0, high = 1 }\n";
    fs::write(dir.path().join("bad.toml"), bad).unwrap();
    let (code, _, stderr) = shared::ran(&mut command_at(
        "tune --game pig --agent greedy --space {}/bad.toml --against random",
        dir.path(),
    ));
    assert!(
        code == 2 && stderr.contains("unknown parameter \"epsilo\" (nearest: epsilon)"),
        "{stderr}"
    );
}

#[test]
fn what_is_no_search_is_refused_before_a_game() {
    let pig = "--game pig --against random";
    refused(
        &format!("{pig} --agent greedy"),
        &expect![
            "error: no value is open: put ? instead of a value, as in mcts(c=?), or name weights"
        ],
    );
    refused(
        "--game pig --agent greedy(epsilon=?)",
        &expect![
            "error: no opponent is named: at least one has to sit at the table, as the start itself, greedy, or random"
        ],
    );
    refused(
        &format!("{pig} --agent greedy(epsilo=?)"),
        &expect![[
            r#"error: agent "greedy(epsilo=?)": unknown parameter "epsilo" (nearest: epsilon)"#
        ]],
    );
    refused(
        &format!("{pig} --agent greedy(epsilon=?0.5..0.2)"),
        &expect!["error: epsilon: the range 0.5..0.2 is reversed: the least value stands first"],
    );
    refused(
        &format!("{pig} --agent greedy(epsilon=?0.5..0.5)"),
        &expect![
            "error: epsilon: the range 0.5..0.5 is one point: fix it in the spec, or widen it"
        ],
    );
    refused(
        &format!("{pig} --agent greedy(epsilon=?0..2)"),
        &expect!["error: epsilon: 2 is out of its range (accepted: 0 to 1)"],
    );
}

#[test]
fn what_no_search_can_do_is_refused_before_a_game() {
    let pig = "--game pig --against random";
    refused(
        &format!("{pig} --agent greedy(epsilon=?) --games 100"),
        &expect![
            "error: --games 100: too few for any statement: surface in 1 dimension needs at least 668"
        ],
    );
    refused(
        &format!("{pig} --agent greedy(epsilon=?) --confirm 10"),
        &expect![
            "error: --confirm 10: too few for any statement: at least 100 of each side are needed"
        ],
    );
    refused(
        &format!("{pig} --agent greedy(epsilon=?) --method spas"),
        &expect![[
            r#"error: --method spas: there is no such method (accepted: surface, cma-es, spsa, ntbea, halving, random, racing)"#
        ]],
    );
    refused(
        &format!("{pig} --agent greedy(epsilon=?) --method racing"),
        &expect![
            "error: --method racing: it is for a list: name 2 to 64 candidates, or leave that few points open"
        ],
    );
    refused(
        &format!("{pig} --agent greedy(epsilon=?) --held-out random"),
        &expect![
            "error: --held-out random: it is also in the pool: a held-out opponent is never tuned against"
        ],
    );
    refused(
        &format!("{pig} --agent greedy(epsilon=?) --candidate greedy"),
        &expect![[
            r#"error: candidates are listed and "greedy(epsilon=?)" is also given: keep one of the two"#
        ]],
    );
    refused(
        &format!("{pig} --agent greedy --weights *"),
        &expect![[r#"error: --weights '*': unknown weight of greedy in pig "*" (there is none)"#]],
    );
    refused(
        &format!("{pig} --agent mcts(c=?,iterations=?5..10,rollout=?uniform|gredy)"),
        &expect![
            "error: rollout: gredy is out of its range (accepted: uniform, epsilon, mast, heuristic, fast)"
        ],
    );
}

/// Returns the search space in a plan: range, scale and start of each dimension.
fn searched(args: &str) -> Vec<String> {
    let plan = json(&format!("tune {args} --plan"));
    let one = |one: &Json| {
        ["name", "range", "scale", "start"].map(|key| one[key].as_str().unwrap()).join(" ")
    };
    plan["space"].as_array().unwrap().iter().map(one).collect()
}

#[test]
fn a_question_mark_stands_for_the_values_that_are_worth_a_try() {
    let document =
        searched("--game pig --agent mcts(iterations=20,c=?,temperature=?,fpu=?) --against random");
    // A search that tries everything first starts outside of the range: there an untried option has a value.
    assert_eq!(document[0], "c 0.05..2 log 0.7");
    assert!(document[1].starts_with("temperature 0.1..30 log "), "{document:?}");
    assert_eq!(document[2], "fpu -0.5..1 linear 10");
    let document = searched("--game hannibal --agent greedy(weights.group=?) --against random");
    assert!(document[0].starts_with("weights.group 0..7 linear 1.75"), "{document:?}");
    // A given range is used.
    let document = searched("--game pig --agent mcts(iterations=20,c=?0..50=1) --against random");
    assert_eq!(document, ["c 0..50 linear 1"]);
}

#[test]
fn weights_that_the_agent_does_not_read_are_not_opened() {
    let is_scale = |one: &String| one.contains("logistic_scale");
    let greedy = searched("--game imperium --agent greedy --weights * --against random");
    assert!(greedy.len() > 5 && !greedy.iter().any(is_scale), "{greedy:?}");
    let search =
        searched("--game imperium --agent mcts(iterations=2) --weights * --against random");
    assert!(search.iter().any(is_scale), "{search:?}");
}

#[test]
fn a_best_value_at_the_end_of_its_range_is_said_to_be_there() {
    let document = json(&EPSILON.replace("?0..1=0.8", "?0.2..0.9=0.4"));
    assert_eq!(document["at_edge"], serde_json::json!(["epsilon"]), "{document}");
    // No probability exceeds 1.
    assert_eq!(json(EPSILON)["at_edge"], serde_json::json!([]));
}

#[test]
fn what_costs_time_and_what_saves_it_is_said_before_a_search() {
    let plan = |agent: &str| {
        let plan = json(&format!(
            "tune --game kuhn-poker --agent {agent} --against random --games 2000 --plan"
        ));
        plan["notes"].to_string()
    };
    assert!(plan("mcts(iterations=?2..20=10)").contains("iterations costs time"));
    assert!(plan("mcts(c=?)").contains("iterations=100"));
    assert_eq!(plan("mcts(iterations=10,c=?)"), "[]");
}

#[test]
fn equal_agents_and_equal_words_are_one() {
    let race = "--game pig --against random --games 2000";
    refused(
        &format!("{race} --candidate greedy --candidate x=greedy"),
        &expect![
            "error: --candidate x=greedy: greedy is listed before, and a label makes no other agent"
        ],
    );
    refused(
        &format!("{race} --candidate greedy --candidate random --candidate greedy(epsilon=0)"),
        &expect![
            "error: --candidate greedy: greedy is listed before, and a label makes no other agent"
        ],
    );
    let pig = "--game pig --agent greedy(epsilon=?) --games 2000";
    refused(
        &format!("{pig} --against random --against y=random"),
        &expect![
            "error: --against y=random: random is listed before, and a label makes no other agent"
        ],
    );
    refused(
        &format!("{pig} --against random --held-out greedy --held-out y=greedy"),
        &expect![
            "error: --held-out y=greedy: greedy is listed before, and a label makes no other agent"
        ],
    );
    refused(
        &format!("{pig} --against random --held-out y=random"),
        &expect![
            "error: --held-out random: it is also in the pool: a held-out opponent is never tuned against"
        ],
    );
    refused(
        "--game pig --agent mcts(iterations=5,select=?ucb1|puct|ucb1) --against random",
        &expect!["error: select: the range ucb1|puct|ucb1 names ucb1 twice: keep one of them"],
    );
}

#[test]
fn values_that_are_none_are_answered_with_the_reason() {
    let pig = "--game pig --against random";
    refused(
        &format!("{pig} --agent mcts(seconds=?0..1)"),
        &expect![
            "error: seconds: time is not tuned: more of it is better, and no two runs are alike; fix it, or tune iterations"
        ],
    );
    refused(
        &format!("{pig} --agent mcts(iterations=?4.5..12)"),
        &expect![
            "error: iterations: 4.5 is not a whole number, and only whole numbers are accepted"
        ],
    );
    refused(
        &format!("{pig} --agent mcts(iterations=?4..12=4.5)"),
        &expect!["error: iterations: it starts at 4.5, and only whole numbers are accepted"],
    );
    refused(
        "--game imperium --agent greedy(rival=?) --against random",
        &expect![[
            r#"error: agent "greedy(rival=?)": rival is a weight of the evaluation: write weights.rival"#
        ]],
    );
    refused(
        "--game pig --agent greedy(epsilon=?) --against greedy(epsilon=?)",
        &expect![
            "error: --against 'greedy(epsilon=?)': an opponent plays as it is: leave values open in the agent that is tuned"
        ],
    );
    let hannibal = "--game hannibal --agent greedy --target seat-fairness --games 200";
    refused(
        &format!("{hannibal} --set rome.legions=?4.5..12"),
        &expect![
            "error: rome.legions: 4.5 is not a whole number, and only whole numbers are accepted"
        ],
    );
    refused(
        &format!("{hannibal} --set rome.legions=?4..12=4.5"),
        &expect!["error: rome.legions: it starts at 4.5, and only whole numbers are accepted"],
    );
}
