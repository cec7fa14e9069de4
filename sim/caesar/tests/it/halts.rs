//! Commands that play: they end at a signal during a decision of any length, and keep everything written.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::shared::{command_at, ran};

/// Interrupts a run after a while, and waits for its end. No decision of the games below ends within this time.
fn interrupted_at(args: &str, dir: &Path, after: Duration) -> Output {
    interrupted(&mut command_at(args, dir), |passed| passed >= after)
}

/// Interrupts a run once `is_time` holds for the time since its start, and waits for its end.
fn interrupted(command: &mut Command, is_time: impl Fn(Duration) -> bool) -> Output {
    let mut child: Child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while !is_time(began.elapsed()) && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(10));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
            panic!("it did not end: {command:?}");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

const SLOW: &str = "mcts(iterations=100000000,nodes=1000)";

#[test]
fn every_command_that_plays_ends_at_a_signal_however_slow_a_search_is() {
    let two = format!("--game goofspiel --agent {SLOW} --agent greedy --threads 1 --quiet");
    let one = format!("--game goofspiel --agent {SLOW} --threads 1 --quiet");
    let commands = [
        format!("tournament {two} --out {{}}/tournament"),
        format!("compare {two} --out {{}}/compare"),
        format!("leaks --game kuhn-poker --agent {SLOW} --threads 1 --quiet"),
        "ladder --game goofspiel --agent mcts(iterations=?) --values 50000000,100000000 --threads 1 --quiet"
            .to_owned(),
        "tune --game goofspiel --agent mcts(iterations=100000000,nodes=1000,c=?) --against random --threads 1 --quiet --out {}/tune"
            .to_owned(),
        format!("balance seats {one} --out {{}}/seats"),
        format!("balance game {one} --out {{}}/game"),
        format!("balance win-model {one} --out {{}}/model"),
        format!("balance rules {one} --study seats --set cards=12 --effect 0.2 --out {{}}/rules"),
        format!("compare --game goofspiel --agent {SLOW} --set-b cards=12 --threads 1 --quiet"),
        format!(
            "balance provinces --game conquest2 --name egypt --agent {SLOW} --effect 0.3 --threads 1 --quiet"
        ),
    ];
    let dir = tempfile::tempdir().unwrap();
    for args in commands {
        let output = interrupted_at(&args, dir.path(), Duration::from_millis(600));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{args}: {stderr}");
        assert!(stderr.contains("stopped early"), "{args}: {stderr}");
        assert!(!stderr.contains("forfeit"), "{args}: {stderr}");
    }
}

#[test]
fn a_program_that_does_not_answer_is_not_waited_for_after_a_signal() {
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("bot.sh");
    fs::write(&script, "sleep 1000\n").unwrap();
    let before = "tournament --game pig --agent random --quiet --out {}/run";
    let agent = format!("external(command=\"sh {}\", seconds=900)", script.display());
    let mut child = command_at(before, dir.path())
        .args(["--agent", &agent])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(600));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_secs(60), "it waits for the program");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

/// A shell program that plays the first action; from its second game on it does not answer while the file in `$STALL`
/// exists.
const STALLS: &str = "#!/bin/sh\ngames=0\nwhile read -r line; do\n  n=${line#*\\\"request\\\":}; n=${n%%[!0-9]*}\n  case $line in\n    \
                      *'\"type\":\"choose\"'*)\n      if [ $games -ge 1 ] && [ -e \"$STALL\" ]; then : > \"$STALL.reached\"; sleep 1000; fi\n      \
                      echo \"{\\\"request\\\":$n,\\\"index\\\":0}\";;\n    \
                      *'\"type\":\"end\"'*) games=$((games + 1)); echo \"{\\\"request\\\":$n}\";;\n  esac\ndone\n";

#[test]
fn games_that_were_dropped_at_a_signal_come_out_alike_after_resume() {
    for (run, files) in [
        ("tournament --agent {bot} --agent random --blocks 6", ["games.csv", "summary.json"]),
        ("compare --agent {bot} --agent random --fixed 6", ["trace.csv", "summary.json"]),
        ("balance seats --agent {bot} --effect 0.4 --blocks 20", ["cells.csv", "summary.json"]),
        (
            "tune --agent greedy(epsilon=?0..1=0.5) --against {bot} --method random --games 700 --confirm 200",
            ["log.csv", "summary.json"],
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        let (bot, stall) = (dir.join("bot.sh"), dir.join("stall"));
        fs::write(&bot, STALLS).unwrap();
        let agent = format!("external(command=\"sh {}\",seconds=900)", bot.display());
        let started = |out: &str| {
            let mut command = command_at("", dir);
            let text = dir.display().to_string();
            let fixed =
                format!("{run} --game kuhn-poker --threads 1 --quiet --out {{}}/{out} --resume");
            let args = fixed
                .split_whitespace()
                .map(|arg| arg.replace("{bot}", &agent).replace("{}", &text));
            command.args(args).env("STALL", &stall);
            command
        };
        let done = |out: &str| {
            let (code, _, stderr) = ran(&mut started(out));
            assert_eq!(code, 0, "{run}: {stderr}");
        };
        done("whole");
        // The signal comes during a game that can only be dropped.
        fs::write(&stall, "").unwrap();
        let reached = dir.join("stall.reached");
        let output = interrupted(&mut started("half"), |_| reached.exists());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{run}: {stderr}");
        fs::remove_file(&stall).unwrap();
        done("half");
        for file in files {
            let bytes = |run: &str| fs::read(dir.join(run).join(file)).unwrap();
            assert!(bytes("whole") == bytes("half"), "{run}: {file} differs");
        }
    }
}

#[test]
fn a_search_without_memory_for_its_tree_ends_the_run_and_names_what_to_lower() {
    let dir = tempfile::tempdir().unwrap();
    let caesar = command_at("games", dir.path()).get_program().to_str().unwrap().to_owned();
    let run = "tournament --game connect-four --agent 'mcts(iterations=100000000,nodes=30000000,solver=off)' \
               --agent random --blocks 1 --threads 1 --quiet";
    let (code, _, stderr) =
        ran(Command::new("sh").args(["-c", &format!("ulimit -v 300000; exec {caesar} {run}")]));
    assert_eq!(code, 1, "{stderr}");
    assert!(
        stderr.contains("there is no memory for the tree of a search (nodes=30000000"),
        "{stderr}"
    );
    assert!(stderr.contains("no agent is to blame") && !stderr.contains("ulimit"), "{stderr}");
}
