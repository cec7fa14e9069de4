//! Runs that are stopped, or lose their directory or their reader: what they say is true.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use sim::units::{count, counted};

use super::{command, done, rows};

/// Starts a run whose output is heard.
fn start(args: &str, dir: &Path) -> Child {
    command(args, dir).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Presses Ctrl-C and hears what comes.
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
    assert!(stderr.contains("the same command with --resume goes on"), "{stderr}");
    let summary = fs::read_to_string(dir.path().join("summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let rows = rows(dir.path());
    assert_eq!(summary["games"], rows);
    // The command names all blocks, so it is said how many were played.
    let of = format!("of {} blocks: these are saved and counted", 100_000_000);
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
    // Time to play; if it is too short, nothing was played, and the same must hold.
    std::thread::sleep(Duration::from_millis(700));
    let (output, stdout, stderr) = interrupt(child);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(
        stderr.contains("these are counted and not saved, but for their records in "),
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
    assert!(stderr.contains("these are counted and not saved; the same command plays"), "{stderr}");
}

fn interrupt_soon(child: Child) -> (Output, String, String) {
    std::thread::sleep(Duration::from_millis(300));
    interrupt(child)
}

/// With a directory of results a run whose reader has gone is stopped early, and not done.
#[test]
fn a_reader_of_records_who_goes_stops_a_run_with_a_directory_early() {
    let dir = tempfile::tempdir().unwrap();
    let run = "tournament --game pig --players 2 --blocks 20000 --quiet --out {}/run";
    let mut child = start(&format!("{run} --records -"), dir.path());
    child.stdout.take().unwrap().read_exact(&mut [0; 100]).unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("with --resume and without --records - goes on"), "{stderr}");
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
    assert!(stderr.contains("is not what this run has written any more"), "{stderr}");
    assert!(!stderr.contains("intact") && !stderr.contains("saved"), "{stderr}");
}
