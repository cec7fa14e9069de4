//! Long runs: killed at any moment, resumed, divided into shards and merged, with the same bytes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(target_os = "linux")]
mod disk;
mod joining;
#[cfg(unix)]
mod record_files;
mod replacing;
mod replaying;
#[cfg(unix)]
mod stopping;
mod traces;
mod watching;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use engine::{Purpose, Randomness, rng};

use crate::shared::{self, Ran, command_at as command, done_at as done, killed_until_it_ends, ran};

/// Runs `caesar` with `args` separated by blanks; `{}` stands for `dir`.
fn caesar(args: &str, dir: &Path) -> Ran {
    ran(&mut command(args, dir))
}

fn refused(args: &str, dir: &Path) -> String {
    let (code, stdout, stderr) = caesar(args, dir);
    assert_eq!((code, stdout.as_str()), (2, ""), "{args}: {stderr}");
    assert!(stderr.lines().count() <= 2, "{stderr}");
    stderr
}

fn bytes(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
}

fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (bytes(one), bytes(other));
    let names = |files: &[(String, Vec<u8>)]| {
        files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&one), names(&other));
    for ((name, one), (_, other)) in one.iter().zip(&other) {
        assert!(one == other, "{name} differs");
    }
}

fn rows(dir: &Path) -> usize {
    shared::rows(&dir.join("games.csv"))
}

/// The default agents of pig.
const AGENTS: [&str; 2] = ["greedy", "random"];

const RUN: &str = "tournament --game conquest2 --players 3 --agent greedy --agent random --agent \
                   mcts(iterations=4,horizon=turn,rollout=fast) --seed 11 --quiet --export parquet,seats,ratings,ratings-csv \
                   --out {}/run --records {}/run/records.jsonl";

/// A run killed by signal 9 at random moments, again and again, ends with the bytes of an undisturbed one.
#[test]
fn a_run_that_is_killed_and_gone_on_with_ends_with_the_same_bytes() {
    let (alone, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let run = format!("{RUN} --blocks 30");
    let began = Instant::now();
    done(&run, alone.path());
    let took = began.elapsed();
    let again = || command(&format!("{run} --resume --threads 2"), killed.path());
    killed_until_it_ends(took, 1, again, || rows(&killed.path().join("run")));
    done(&format!("{run} --resume"), killed.path());
    assert_same(&alone.path().join("run"), &killed.path().join("run"));
}

/// Any files that a kill leaves are repaired by resuming: here they are cut at every kind of place.
#[test]
fn files_that_were_cut_anywhere_are_gone_on_with() {
    let whole = tempfile::tempdir().unwrap();
    let run = "tournament --game pig --players 2 --blocks 30 --seed 3 --quiet --out {}/run \
               --records {}/run/records.jsonl";
    done(run, whole.path());
    let games = fs::read(whole.path().join("run/games.csv")).unwrap();
    let records = fs::read(whole.path().join("run/records.jsonl")).unwrap();
    let manifest = fs::read(whole.path().join("run/manifest.json")).unwrap();
    let mut rng = rng::stream(2, 0, Purpose::Analysis);
    for case in 0..25 {
        let cut = tempfile::tempdir().unwrap();
        let dir = cut.path().join("run");
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join("manifest.json"), &manifest).unwrap();
        // The first cases: an empty file, half a header, a header alone.
        let end = match case {
            0 => 0,
            1 => 10,
            2 => games.iter().position(|&byte| byte == b'\n').unwrap() + 1,
            _ => rng.below(games.len() as u32) as usize,
        };
        fs::write(dir.join("games.csv"), &games[..end]).unwrap();
        // Records are written before rows, but a power cut may lose either.
        let torn = rng.below(records.len() as u32 + 1) as usize;
        fs::write(dir.join("records.jsonl"), &records[..torn]).unwrap();
        done(&format!("{run} --resume"), cut.path());
        assert_same(&whole.path().join("run"), &dir);
    }
}

#[test]
fn a_run_goes_on_only_with_the_same_game_rules_lineup_and_version() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 2 --blocks 5 --quiet --out {}";
    done(run, dir);
    let complaint = |changed: &str| refused(&format!("{run} --resume {changed}"), dir);
    assert!(complaint("--seed 2").contains("holds another run (seed: 1 there, 2 here)"));
    assert!(complaint("--set target=50").contains("overrides: {} there, {\"target\":50} here"));
    assert!(
        complaint("--agent random --agent random")
            .contains(r#"agents: ["greedy","random"] there, ["random","random"] here"#)
    );
    assert!(complaint("--schedule fixed").contains("schedule: \"balanced\" there, \"fixed\" here"));
    assert!(complaint("--shard 1/2").contains("shard: none there"));
    let place = dir.join("manifest.json");
    let manifest = fs::read_to_string(&place).unwrap();
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(manifest.contains(&version));
    fs::write(&place, manifest.replace(&version, "\"version\":\"0.0.0\"")).unwrap();
    assert!(complaint("").contains("version: \"0.0.0\" there"));
    fs::write(&place, "{}").unwrap();
    assert!(complaint("").contains("manifest.json: it is no manifest of a tournament"));
}

#[test]
fn an_unfinished_run_is_not_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 2 --blocks 5 --quiet --out {}";
    done(run, dir);
    let before = bytes(dir);
    // A finished run is replaced on request, and the same run gives the same bytes.
    done(&format!("{run} --force"), dir);
    assert_eq!(bytes(dir), before);
    fs::remove_file(dir.join("summary.json")).unwrap();
    let complaint = refused(run, dir);
    assert!(
        complaint.contains("holds an unfinished run (caesar tournament --game pig"),
        "{complaint}"
    );
    assert!(complaint.contains("--resume continues it"), "{complaint}");
    done(&format!("{run} --resume"), dir);
    assert_eq!(bytes(dir), before);
}

#[test]
fn a_damaged_row_is_named_and_nothing_is_thrown_away() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 2 --blocks 5 --quiet --out {}";
    done(run, dir);
    let place = dir.join("games.csv");
    let good = fs::read_to_string(&place).unwrap();
    let damaged = good.replacen(",1,", ",2,", 1);
    assert_ne!(good, damaged);
    fs::write(&place, &damaged).unwrap();
    let complaint = refused(&format!("{run} --resume"), dir);
    assert!(complaint.contains("games.csv:") && complaint.contains("checksum"), "{complaint}");
    assert_eq!(fs::read_to_string(&place).unwrap(), damaged);
    fs::write(&place, good.replacen("game,block", "block,game", 1)).unwrap();
    let complaint = refused(&format!("{run} --resume"), dir);
    assert!(
        complaint.contains("games.csv:1: these are not the columns of this run"),
        "{complaint}"
    );
}

#[test]
fn a_directory_that_cannot_be_written_is_refused_before_the_first_game() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("file"), "").unwrap();
    let complaint = refused("tournament --game pig --players 2 --quiet --out {}/file/run", dir);
    assert!(complaint.contains("/file/run: "), "{complaint}");
    fs::create_dir_all(dir.join("run/games.csv")).unwrap();
    let complaint = refused("tournament --game pig --players 2 --quiet --out {}/run", dir);
    assert!(complaint.contains("games.csv: Is a directory"), "{complaint}");
    fs::remove_dir(dir.join("run/games.csv")).unwrap();
    fs::write(dir.join("run/games.csv"), "mine\n").unwrap();
    let complaint = refused("tournament --game pig --players 2 --quiet --out {}/run", dir);
    assert!(complaint.contains("games.csv exists and belongs to no run of caesar"), "{complaint}");
    let complaint = refused("tournament --game pig --players 2 --quiet --out {}/file", dir);
    assert!(complaint.contains("it exists and is not a directory"), "{complaint}");
}

/// A refused command leaves no directory that looks like a run.
#[test]
fn what_is_refused_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 2 --blocks 2 --quiet --out {}/run";
    for wrong in ["--records /", "--records {}/run/games.csv"] {
        refused(&format!("{run} {wrong}"), dir);
        assert!(!dir.join("run").exists(), "{wrong}");
    }
    // A run without games has nothing to lose.
    done(run, dir);
    fs::write(dir.join("run/games.csv"), "").unwrap();
    fs::remove_file(dir.join("run/summary.json")).unwrap();
    done(&format!("{run} --seed 2"), dir);
}

#[test]
fn a_manifest_of_an_older_format_and_a_table_with_other_line_ends_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 2 --blocks 2 --quiet --out {}/run";
    done(run, dir);
    let rows = fs::read_to_string(dir.join("run/games.csv")).unwrap();
    fs::write(dir.join("run/games.csv"), rows.replace('\n', "\r\n")).unwrap();
    let complaint = refused(&format!("{run} --resume"), dir);
    assert!(complaint.contains("games.csv:1: its lines end in CR LF"), "{complaint}");
    fs::write(dir.join("run/games.csv"), rows.clone() + rows.lines().last().unwrap()).unwrap();
    done(&format!("{run} --resume"), dir);
    assert_eq!(fs::read_to_string(dir.join("run/games.csv")).unwrap(), rows);
    let manifest = fs::read_to_string(dir.join("run/manifest.json")).unwrap();
    let older =
        manifest.replace("caesar-manifest/3", "caesar-manifest/1").replace(",\"records\":null", "");
    assert_ne!(older, manifest);
    fs::write(dir.join("run/manifest.json"), older).unwrap();
    for command in [&format!("{run} --resume"), run, "replay {}/run --game 1", "check {}/run"] {
        let complaint = refused(command, dir);
        assert!(
            complaint.contains("its format is caesar-manifest/1, and this version"),
            "{complaint}"
        );
    }
}

#[test]
fn two_runs_never_write_to_one_directory() {
    let dir = tempfile::tempdir().unwrap();
    let run = "tournament --game pig --players 2 --blocks 100000000 --quiet --out {} --resume";
    let mut first = command(run, dir.path()).stdout(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while rows(dir.path()) == 0 && began.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let complaint = refused(run, dir.path());
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(complaint.contains("another run is writing to it"), "{complaint}");
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let complaint = |args: &str| refused(&format!("tournament --game pig {args}"), dir.path());
    assert!(complaint("--resume").contains("--out <DIR>"));
    assert!(complaint("--shard 1/2").contains("--out <DIR>"));
    assert!(complaint("--shard 0/2 --out {}").contains("expected I/N, shard I from 1 to N"));
    assert!(
        complaint("--shard 1/9 --blocks 3 --out {}/a")
            .contains("3 blocks are too few for 9 shards")
    );
    assert!(complaint("--export parquet").contains("name the directory of games.parquet"));
    let unknown = complaint("--export csv,seats --out {}/run");
    assert!(unknown.contains("'csv' for '--export <FORMAT>': known: seats, ratings"), "{unknown}");
    assert!(complaint("--resume --out {} --records -").contains("--records - and --resume"));
}
