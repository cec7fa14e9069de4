//! Runs that are stopped, or lose their directory or their reader: their messages are true.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use sim::units::{count, counted};

use super::{command, done, rows};

/// Starts a run with captured output.
fn start(args: &str, dir: &Path) -> Child {
    command(args, dir).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Presses Ctrl-C and returns the output.
fn interrupt(child: Child) -> (Output, String, String) {
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    (output, stdout, stderr)
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn ctrl_c_saves_what_is_done_and_exits_with_3() {
    let dir = tempfile::tempdir().unwrap();
    let child = start("tournament --game pig --blocks 100000000 --out {}", dir.path());
    wait_until("it plays", || rows(dir.path()) > 0);
    let (output, stdout, stderr) = interrupt(child);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr.contains("stopped early after"), "{stderr}");
    assert!(stderr.contains("the same command with --resume continues"), "{stderr}");
    let summary = fs::read_to_string(dir.path().join("summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let rows = rows(dir.path());
    assert_eq!(summary["games"], rows);
    // The command names all blocks, so the message has the number played.
    let of = format!("of {} blocks: they are saved and counted", 100_000_000);
    assert!(stderr.contains(&of), "{stderr}");
    let of = format!(" of {} played: caesar tournament ", counted(100_000_000, "block"));
    assert!(stdout.contains(&of), "{stdout}");
    assert!(rows > 0 && rows.is_multiple_of(2));
}

#[test]
fn ctrl_c_without_a_directory_claims_that_nothing_is_saved() {
    let dir = tempfile::tempdir().unwrap();
    let run = "tournament --game pig --blocks 100000000 --records {}/r.jsonl";
    let child = start(run, dir.path());
    // The run gets time to play; if it is too short, nothing was played, and the same must hold.
    std::thread::sleep(Duration::from_millis(700));
    let (output, stdout, stderr) = interrupt(child);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(
        stderr.contains("they are counted but not saved, except their records in "),
        "{stderr}"
    );
    assert!(!stderr.contains("are saved"), "{stderr}");
    let of = format!(" of {} played: caesar tournament ", counted(100_000_000, "block"));
    assert!(stdout.contains(&of), "{stdout}");
    let records = fs::read_to_string(dir.path().join("r.jsonl")).unwrap();
    let ends = records.lines().filter(|line| line.starts_with("{\"end\"")).count();
    let played = format!("seed 1, {} of ", count(ends as u64 / 2));
    assert!(stdout.contains(&played), "{ends}: {stdout}");
    let child = start("tournament --game pig --blocks 100000000", dir.path());
    let (_, _, stderr) = interrupt_soon(child);
    assert!(stderr.contains("they are counted but not saved; the same command plays"), "{stderr}");
}

fn interrupt_soon(child: Child) -> (Output, String, String) {
    std::thread::sleep(Duration::from_millis(300));
    interrupt(child)
}

/// A run with a directory that loses its reader stops early, and is not complete.
#[test]
fn a_reader_of_records_who_goes_stops_a_run_with_a_directory_early() {
    let dir = tempfile::tempdir().unwrap();
    let run = "tournament --game pig --players 2 --blocks 20000 --quiet --out {}/run";
    let mut child = start(&format!("{run} --records -"), dir.path());
    child.stdout.take().unwrap().read_exact(&mut [0; 100]).unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("with --resume and without --records - continues"), "{stderr}");
    assert!(rows(&dir.path().join("run")) < 40_000);
    done(&format!("{run} --resume"), dir.path());
    done(&format!("{run} --resume").replace("/run", "/alone"), dir.path());
    super::assert_same(&dir.path().join("run"), &dir.path().join("alone"));
}

#[test]
fn a_directory_that_is_deleted_while_the_run_goes_on_is_not_called_intact() {
    let dir = tempfile::tempdir().unwrap();
    let run = dir.path().join("run");
    let child = start("tournament --game pig --blocks 100000000 --out {}/run", dir.path());
    wait_until("it plays", || rows(&run) > 0);
    fs::remove_dir_all(&run).unwrap();
    let (output, stdout, stderr) = interrupt(child);
    assert_eq!((output.status.code(), stdout.as_str()), (Some(1), ""), "{stderr}");
    assert!(stderr.contains("games.csv: it was removed or replaced"), "{stderr}");
    assert!(stderr.contains("has changed during the run"), "{stderr}");
    assert!(!stderr.contains("intact") && !stderr.contains("saved"), "{stderr}");
}

/// Returns exit code and errors of a command whose reader closes before any output.
fn unread(args: &str, dir: &Path) -> (Option<i32>, String) {
    let mut child = start(args, dir);
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The result decides the exit code, even if the reader closes early.
#[test]
fn whoever_reads_no_more_changes_no_exit_code() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 2 --blocks 20 --quiet";
    done(&format!("{run} --out {{}}/run --records {{}}/good.jsonl"), dir);
    let good = fs::read_to_string(dir.join("good.jsonl")).unwrap();
    let bad = good.replacen("\"roll\"", "\"jump\"", 1);
    assert_ne!(good, bad);
    fs::write(dir.join("bad.jsonl"), bad.repeat(40)).unwrap();
    // A game that differs: its row is from another game.
    let rows = fs::read_to_string(dir.join("run/games.csv")).unwrap();
    fs::create_dir(dir.join("other")).unwrap();
    done(&format!("{run} --seed 2 --out {{}}/other"), dir);
    fs::write(dir.join("other/games.csv"), rows).unwrap();
    for (args, code) in [
        ("check {}/good.jsonl", 0),
        ("check {}/run --records {}/good.jsonl", 0),
        ("check {}/bad.jsonl", 1),
        ("check {}/bad.jsonl --json", 1),
        ("show {}/bad.jsonl", 1),
        ("replay {}/other --game 1 --records -", 1),
        ("compare --game pig --agent random --agent greedy --quiet --out {}/compared", 0),
        ("tournament --game pig --players 2 --blocks 2000 --quiet --records -", 3),
        ("games", 0),
    ] {
        let (ended, stderr) = unread(args, dir);
        assert_eq!(ended, Some(code), "{args}: {stderr}");
    }
    assert!(dir.join("compared/summary.json").is_file());
}

/// An interrupted step starts again, so that no user waits for its end.
#[test]
fn a_fit_that_plays_for_long_stops_when_it_is_told_to_and_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let run =
        "fit iterate --game hannibal --start mcts(iterations=100) --games 100000 --out {}/run";
    let child = start(run, dir.path());
    let log = dir.path().join("run/iterate.jsonl");
    wait_until("it plays", || fs::metadata(&log).is_ok_and(|meta| meta.len() > 0));
    let (output, _, stderr) = interrupt_soon(child);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("0 of 3 steps are in ") && stderr.contains("--resume continues"));
    assert_eq!(fs::read_to_string(log).unwrap().lines().count(), 1);
}

/// A command does not wait for a pipe that a manifest names as a file.
#[test]
fn a_pipe_in_the_place_of_results_keeps_nobody_waiting() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 2 --blocks 4 --quiet";
    done(&format!("{run} --out {{}}/run --records {{}}/run/r.jsonl"), dir);
    done(&format!("{run} --shard 1/1 --out {{}}/shard --records {{}}/shard/r.jsonl"), dir);
    for place in ["run/r.jsonl", "shard/r.jsonl"] {
        fs::remove_file(dir.join(place)).unwrap();
        assert!(Command::new("mkfifo").arg(dir.join(place)).status().unwrap().success());
    }
    for args in ["check {}/run", "merge {}/shard --out {}/whole"] {
        let (code, _, stderr) = super::caesar(args, dir);
        assert!(code != 0 && stderr.contains("r.jsonl: it is no regular file"), "{args}: {stderr}");
    }
    done("report {}/run --quiet --out {}/page.html", dir);
    let resumed = format!("{run} --resume --out {{}}/run --records {{}}/run/r.jsonl");
    assert_eq!(super::caesar(&resumed, dir).0, 2);
    fs::remove_file(dir.join("run/manifest.json")).unwrap();
    assert!(Command::new("mkfifo").arg(dir.join("run/manifest.json")).status().unwrap().success());
    for args in ["check {}/run", "replay {}/run --game 1"] {
        let (code, _, stderr) = super::caesar(args, dir);
        assert!(code != 0 && stderr.contains("it is no regular file"), "{args}: {stderr}");
    }
}
