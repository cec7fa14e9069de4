//! Programs that play over standard input and output: a good one, and bad ones of every kind.
//!
//! Where `python3` cannot be started, the tests say so and do nothing.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value as Json;

/// The example of the experiments.
const BUYER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../experiments/agents/buyer.py");

fn has_python() -> bool {
    let mut python = Command::new("python3");
    python.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    let has = python.status().is_ok_and(|status| status.success());
    if !has {
        eprintln!("skipped: python3 cannot be started");
    }
    has
}

/// The spec of a Python program.
fn python(script: &Path, settings: &str) -> String {
    format!("external(command=\"python3 '{}'\"{settings})", script.display())
}

/// A tournament with its results in a directory.
struct Run {
    stdout: String,
    stderr: String,
    /// The forfeit column of every game.
    forfeits: Vec<String>,
    /// Records, games.csv and summary.json.
    files: [String; 3],
}

fn tournament(arguments: &[&str], agents: &[&str]) -> Run {
    let dir = tempfile::tempdir().unwrap();
    let records = dir.path().join("records.jsonl");
    let mut caesar = cargo_bin_cmd!("caesar");
    caesar.args(["tournament", "--quiet", "--seed", "3"]).args(arguments);
    agents.iter().for_each(|agent| {
        caesar.args(["--agent", agent]);
    });
    let output =
        caesar.arg("--out").arg(dir.path()).arg("--records").arg(&records).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(0), "{stdout}{stderr}");
    let check = cargo_bin_cmd!("caesar").arg("check").arg(&records).output().unwrap();
    assert_eq!(check.status.code(), Some(0), "{}", text(check.stdout));
    let games = dir.path().join("games.csv");
    let mut rows = csv::Reader::from_path(&games).unwrap();
    let column = rows.headers().unwrap().iter().position(|name| name == "forfeit").unwrap();
    let forfeits = rows.records().map(|row| row.unwrap()[column].to_owned());
    let forfeits = forfeits.collect();
    let files = [records, games, dir.path().join("summary.json")];
    Run { stdout, stderr, forfeits, files: files.map(|file| fs::read_to_string(file).unwrap()) }
}

fn share(run: &Run, agent: &str) -> f64 {
    let summary: Json = serde_json::from_str(&run.files[2]).unwrap();
    let lines = summary["agents"].as_array().unwrap();
    let line = lines.iter().find(|line| line["spec"].as_str().unwrap().starts_with(agent));
    line.unwrap()["share"].as_f64().unwrap()
}

#[test]
fn the_example_plays_every_kind_of_game_without_a_fault() {
    if !has_python() {
        return;
    }
    let buyer = python(Path::new(BUYER), "");
    for (game, players, agents) in [
        ("goofspiel", "3", vec!["random", &buyer, &buyer]),
        ("kuhn-poker", "2", vec!["random", &buyer]),
        ("conquest2", "4", vec!["random", "random", "random", &buyer]),
    ] {
        let play = |threads| {
            let blocks = ["--blocks", "2", "--game", game, "--players", players];
            tournament(&[&blocks[..], &["--threads", threads]].concat(), &agents)
        };
        let (one, two) = (play("1"), play("2"));
        assert_eq!(one.stderr, "", "{game}");
        assert!(one.forfeits.iter().all(String::is_empty), "{game}: {:?}", one.forfeits);
        assert!(one.files == two.files, "{game}: the number of threads changes the bytes");
    }
}

#[test]
fn a_program_is_told_game_table_and_rules_and_sees_its_own_card_only() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let script = dir.path().join("scribe.py");
    let text = "import sys\nfor line in sys.stdin:\n  open(sys.argv[1], 'a').write(line)\n  if 'choose' in line: print('{\"index\": 0}', flush=True)\n";
    fs::write(&script, text).unwrap();
    let spec = format!(
        "external(command=\"python3 '{}' '{}'\", seconds=60)",
        script.display(),
        log.display()
    );
    let arguments = ["--game", "kuhn-poker", "--set", "cards=4", "--blocks", "2"];
    let run = tournament(&[&arguments[..], &["--threads", "1"]].concat(), &["random", &spec]);
    assert!(run.forfeits.iter().all(String::is_empty), "{:?}", run.forfeits);
    let log = fs::read_to_string(log).unwrap();
    let lines: Vec<Json> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let starts: Vec<&Json> = lines.iter().filter(|line| line["type"] == "start").collect();
    assert_eq!(starts.len(), 4, "one process plays all games");
    let start = r#"{"type":"start","caesar":1,"game":"kuhn-poker","players":2,"seat":1,"rules":{"cards":4}}"#;
    assert_eq!(log.lines().next(), Some(start));
    for line in lines.iter().filter(|line| line["type"] == "choose") {
        let seat = line["seat"].as_u64().unwrap() as usize;
        let cards = line["view"]["cards"].as_array().unwrap();
        assert!(cards[seat].is_u64() && cards[1 - seat].is_null(), "{line}");
        assert_eq!(line["actions"], serde_json::json!(["pass", "bet"]));
        assert!(line["seed"].is_u64() && line["choice"].as_u64() >= Some(1));
    }
}

/// What a bad program does at its second choice in a process, and how the complaint about it starts.
const CRIMES: [(&str, &str, &str); 9] = [
    ("garbage", "print('what?', flush=True)", "the answer is not JSON: \"what?\""),
    ("empty", "print('{}', flush=True)", "the answer has neither an \"action\" (text)"),
    ("illegal", "print('{\"action\":\"bid 99\"}', flush=True)", "illegal action \"bid 99\""),
    ("beyond", "print('{\"index\":99}', flush=True)", "illegal index 99 of "),
    ("late", "time.sleep(60)", "no answer within 0.3 s"),
    ("dies", "sys.stderr.close(); sys.exit(3)", "the program ended (exit status: 3)"),
    ("breaks off", "os.write(1, b'{\"act'); os._exit(0)", "the program ended (exit status: 0)"),
    ("mute", "os.close(1); time.sleep(60)", "the program closed its standard output"),
    ("floods", "os.write(1, b'x' * (3 << 20)); time.sleep(60)", "an answer of more than 1048576"),
];

#[test]
fn whatever_a_program_does_wrong_costs_it_the_game_and_nothing_else() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for (name, crime, complaint) in CRIMES {
        let script = dir.path().join("bad.py");
        let text = format!(
            "import os, sys, time\nn = 0\nfor line in sys.stdin:\n  if 'choose' in line:\n    n += 1\n    if n == 2:\n      {crime}\n    else:\n      print('{{\"index\":0}}', flush=True)\n"
        );
        fs::write(&script, text).unwrap();
        // Only what is about time gets little of it: on a busy machine a start takes a while.
        let limit = if name == "late" { ", seconds=0.3" } else { ", seconds=30" };
        let arguments = ["--game", "goofspiel", "--blocks", "1", "--threads", "2"];
        let run = tournament(&arguments, &[&python(&script, limit), "random"]);
        assert_eq!(run.forfeits.len(), 2, "{name}: all games are played");
        for forfeit in &run.forfeits {
            assert!(forfeit.contains(complaint), "{name}: {forfeit}");
        }
        assert!(run.stdout.contains("forfeits: 2 of 2 games"), "{name}: {}", run.stdout);
        assert!(run.stdout.contains(complaint), "{name}: {}", run.stdout);
        assert!(run.files[0].contains(r#""forfeit":{"player":"#), "{name}");
        assert!(share(&run, "random") > 0.99, "{name}");
    }
}

#[test]
fn a_program_that_ends_at_once_forfeits_every_game() {
    if !has_python() {
        return;
    }
    let agents = ["random", "external(command=\"python3 /no/such/script.py\")"];
    let run = tournament(&["--game", "kuhn-poker", "--blocks", "2"], &agents);
    assert_eq!(run.forfeits.len(), 4);
    let reason = "the program ended (exit status: 2) and did not answer";
    assert!(run.forfeits.iter().all(|forfeit| forfeit.ends_with(reason)), "{:?}", run.forfeits);
}

#[cfg(unix)]
#[test]
fn an_executable_file_that_is_no_program_forfeits_every_game() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bot");
    fs::write(&file, [0, 1, 2, 3]).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    let spec = format!("external(command=\"'{}'\")", file.display());
    let run = tournament(&["--game", "pig", "--blocks", "2"], &[&spec, "random"]);
    assert_eq!(run.forfeits.len(), 4);
    assert!(run.forfeits.iter().all(|f| f.contains("cannot start \"")), "{:?}", run.forfeits);
}

#[test]
fn what_cannot_play_at_all_is_refused_before_the_first_game() {
    for (agent, complaint) in [
        (
            "external(command=no-such-program)",
            "agent \"external(command=no-such-program)\": there is no program \"no-such-program\" (accepted: the path of an executable file, or a name on PATH)",
        ),
        (
            "external(command=\"./no-such-program -x\")",
            "there is no program \"./no-such-program\" (accepted: ",
        ),
        (
            "external",
            "agent \"external\": command is missing, as in external(command=\"python3 bot.py\")",
        ),
        ("external(command=\"run 'it\")", "the closing ' is missing"),
        ("external(command=run \"it\" now)", "no double quotes inside"),
        (
            "external(command=sh, seconds=0)",
            "seconds = \"0\" is out of range (accepted: 0.001 to 3600)",
        ),
    ] {
        let mut caesar = cargo_bin_cmd!("caesar");
        caesar.args(["tournament", "--game", "pig", "--agent", agent, "--agent", "random"]);
        let output = caesar.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{agent}: {stderr}");
        assert!(stderr.contains(complaint), "{agent}: {stderr}");
        assert_eq!((output.stdout.len(), stderr.lines().count()), (0, 1), "{agent}: {stderr}");
    }
}
