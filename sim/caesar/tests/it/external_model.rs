//! Protocol 3 of programs: rules at the start, the result at the end, clocks, logs, and the model.
//!
//! Without `python3` the tests of programs print a note and do nothing.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::external::has_python;
use crate::shared::{caesar, command, ran, ran_with};

/// The example that looks ahead.
const LOOKAHEAD: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/agents/lookahead.py");

/// Answers with the first action; `X` stands where a test puts its own.
const FIRST: &str = "import json, sys, time\nfor line in sys.stdin:\n  request = json.loads(line)\n  if request['type'] == 'start': continue\n  X\n  print('{\"request\":%d,\"index\":0}' % request['request'], flush=True)\n";

fn program(dir: &Path, own: &str, settings: &str) -> String {
    let script = dir.join("bot.py");
    fs::write(&script, FIRST.replace('X', own)).unwrap();
    format!("external(command=\"python3 '{}'\"{settings})", script.display())
}

/// Plays a tournament against `random` and returns the lines of the program's log.
fn logged(dir: &Path, arguments: &str, own: &str, settings: &str) -> Vec<Json> {
    let log = dir.join("log.jsonl");
    let spec = program(dir, own, &format!(", log=\"{}\"{settings}", log.display()));
    let mut tournament = command(&format!("tournament --quiet --threads 1 --blocks 2 {arguments}"));
    let (code, _, error) = ran(tournament.args(["--agent", "random", "--agent", &spec]));
    assert_eq!((code, error.as_str()), (0, ""));
    let log = fs::read_to_string(log).unwrap();
    log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of_kind<'a>(log: &'a [Json], kind: &str) -> Vec<&'a Json> {
    let requests = log.iter().map(|line| &line["request"]);
    requests.filter(|request| request["type"] == kind).collect()
}

#[test]
fn a_program_is_told_the_whole_rules_and_the_result_but_of_what_was_hidden_only_on_request() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let log = logged(dir.path(), "--game kuhn-poker --set cards=4", "pass", "");
    let starts = of_kind(&log, "start");
    assert_eq!(starts.len(), 4);
    assert_eq!((&starts[0]["caesar"], &starts[0]["rules"]), (&json!(3), &json!({"cards": 4})));
    assert_eq!(starts[0]["configuration"]["cards"], 4);
    for end in of_kind(&log, "end") {
        let points: Vec<f64> =
            end["points"].as_array().unwrap().iter().filter_map(Json::as_f64).collect();
        assert!((points.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{end}");
        let winner = points.iter().position(|&points| points > 0.9);
        assert!(winner.is_none_or(|seat| end["ranks"][seat] == 1), "{end}");
        assert!(end["forfeit"].is_null() && end.get("state").is_none(), "{end}");
    }
    fs::remove_file(dir.path().join("log.jsonl")).unwrap();
    let log = logged(dir.path(), "--game kuhn-poker", "pass", ", reveal=on");
    for end in of_kind(&log, "end") {
        assert!(end["state"]["cards"].as_array().unwrap().iter().all(Json::is_u64), "{end}");
    }
    assert!(log.iter().all(|line| line["milliseconds"].as_f64() >= Some(0.0)), "{log:?}");
}

#[test]
fn a_program_of_protocol_2_reads_the_lines_of_protocol_2() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let log = logged(dir.path(), "--game kuhn-poker --set cards=4", "pass", ", protocol=2");
    let start = r#"{"type":"start","request":1,"caesar":2,"game":"kuhn-poker","players":2,"seat":1,"rules":{"cards":4}}"#;
    assert_eq!(of_kind(&log, "start")[0].to_string(), start);
    for end in of_kind(&log, "end") {
        assert_eq!(end.as_object().unwrap().len(), 2, "{end}");
    }
    // Its answers cannot ask a model.
    let own = "print('{\"request\":%d,\"ask\":[]}' % request['request'], flush=True); continue";
    let spec = program(dir.path(), own, ", protocol=2");
    let mut tournament = command("tournament --game kuhn-poker --quiet --games 2");
    let (_, text, _) = ran(tournament.args(["--agent", "random", "--agent", &spec]));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("the answer has neither an"), "{text}");
}

#[test]
fn a_clock_that_runs_out_forfeits_the_game() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let play = |clock: &str| {
        let spec = program(dir.path(), "time.sleep(0.2)", &format!(", clock={clock}"));
        let mut tournament = command("tournament --game goofspiel --quiet --games 2");
        let text = ran(tournament.args(["--agent", "random", "--agent", &spec])).1;
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let short = play("0.7");
    assert!(short.contains("its clock of 0.7+0 s ran out"), "{short}");
    let long = play("30+1");
    assert!(!long.contains("ran out"), "{long}");
    // Each choice takes at least 0.2 s, and the line on time says so.
    let (_, rest) = long.split_once("time of a choice of external(").unwrap();
    let median = rest.split("median ").nth(1).and_then(|rest| rest.split(' ').next());
    assert!(median.unwrap().parse::<f64>().unwrap() >= 200.0, "{rest}");
    let refused = play("soon");
    assert!(refused.is_empty(), "{refused}");
}

#[test]
fn a_program_that_looks_ahead_by_the_model_beats_random_play_and_repeats_itself() {
    if !has_python() {
        return;
    }
    let spec = format!("me=external(command=\"python3 '{LOOKAHEAD}' 4\", seconds=60)");
    for (game, least) in [("tic-tac-toe", 0.8), ("kuhn-poker", 0.4), ("goofspiel", 0.0)] {
        let play = |threads: &str| {
            let arguments =
                format!("tournament --game {game} --quiet --blocks 6 --json --threads {threads}");
            let mut tournament = command(&arguments);
            let (code, text, error) = ran(tournament.args(["--agent", &spec, "--agent", "random"]));
            assert_eq!((code, error.as_str()), (0, ""), "{game}: {text}");
            serde_json::from_str::<Json>(&text).unwrap()["agents"].clone()
        };
        let (one, two) = (play("1"), play("2"));
        assert_eq!(one, two, "{game}");
        let line = one
            .as_array()
            .unwrap()
            .iter()
            .find(|line| line["spec"].as_str().unwrap().contains("lookahead"));
        let share = line.unwrap()["share"].as_f64().unwrap();
        assert!(share >= least, "{game}: {share}");
    }
}

#[test]
fn a_bad_question_to_the_model_costs_its_game_and_nothing_else() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for (question, complaint) in [
        ("[{\"op\":\"new\"}]", "is no operation at a table"),
        ("[{\"op\":\"look\",\"position\":0}]", "none of the 0 of this model"),
        ("{}", "a model is asked by a list"),
    ] {
        let own = format!(
            "if request['type'] == 'choose': print('{{\"request\":%d,\"ask\":{question}}}' % request['request'], flush=True); continue"
        );
        let spec = program(dir.path(), &own, "");
        let mut tournament = command("tournament --game kuhn-poker --quiet --games 2");
        let (_, text, _) = ran(tournament.args(["--agent", "random", "--agent", &spec]));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(complaint), "{question}: {text}");
    }
}

#[test]
fn the_model_of_a_game_answers_over_a_pipe() {
    let requests = r#"{"request":1,"ask":[{"op":"new"},{"op":"step","position":0,"seed":1}]}"#;
    let (code, text, error) =
        ran_with(&mut command("model --game kuhn-poker --set cards=5"), requests);
    assert_eq!((code, error.as_str()), (0, ""));
    let lines: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["configuration"]["cards"], 5);
    assert_eq!(lines[1]["answers"][1]["position"], 1);
    let (code, _, error) = caesar("model --game nothing");
    assert_eq!(code, 2, "{error}");
}

#[test]
fn a_program_is_checked_before_it_plays() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let check_at = |game: &str, spec: &str, arguments: &str| {
        let mut check = command("agents check");
        check.arg(spec).args(arguments.split(' ')).args(["--game", game, "--positions", "8"]);
        ran(&mut check)
    };
    let check = |spec: &str, arguments: &str| check_at("kuhn-poker", spec, arguments);
    let (code, text, error) = check(&program(dir.path(), "pass", ""), "--json");
    assert_eq!((code, error.as_str()), (0, ""), "{text}");
    let good: Json = serde_json::from_str(&text).unwrap();
    assert_eq!((&good["games"], &good["repeats_itself"]), (&json!(4), &json!(true)));
    assert_eq!(good["hidden_information"]["leaks"], false);
    assert!(good["milliseconds"]["median"].as_f64() > Some(0.0), "{good}");
    assert!(good["choices"].as_u64() >= Some(2), "{good}");
    // A program that answers wrongly fails, and one that is random otherwise does not repeat itself.
    let own = "print('hello', flush=True); continue";
    let (code, text, _) = check(&program(dir.path(), own, ""), "--format table");
    assert!(code == 1 && text.contains("is not JSON: \"hello\""), "{text}");
    let own = "import os; print('{\"request\":%d,\"index\":%d}' % (request['request'], os.urandom(1)[0] % len(request.get('actions', 'x'))), flush=True); continue";
    // In poker two random games are often the same.
    let (code, text, _) = check_at("goofspiel", &program(dir.path(), own, ""), "--format table");
    assert!(code == 0 && text.contains("went otherwise"), "{code}: {text}");
    let (code, _, error) = check("greedy", "--json");
    assert!(code == 2 && error.contains("it is no program"), "{error}");
}
