//! Long runs: killed at any moment, gone on with, divided into shards and merged; the bytes stay the same.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use engine::{Purpose, Randomness, rng};

/// `caesar` with `args` separated by blanks; `{}` stands for `dir`.
fn command(args: &str, dir: &Path) -> Command {
    let mut command = Command::new(cargo_bin("caesar"));
    let dir = dir.display().to_string();
    command.args(args.split_whitespace().map(|arg| arg.replace("{}", &dir)));
    command
}

/// Exit code, stdout, stderr.
fn caesar(args: &str, dir: &Path) -> (i32, String, String) {
    let output = command(args, dir).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn done(args: &str, dir: &Path) -> String {
    let (code, stdout, stderr) = caesar(args, dir);
    assert_eq!(code, 0, "{args}: {stderr}");
    stdout
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
    fs::read_to_string(dir.join("games.csv")).unwrap_or_default().lines().count().saturating_sub(1)
}

const RUN: &str = "tournament --game conquest2 --players 3 --agent greedy --agent random --agent \
                   mcts(iterations=4,cut=turn,rollout=reflex) --seed 11 --quiet --format parquet \
                   --out {}/run --records {}/run/records.jsonl";

/// Killed by signal 9 again and again at random moments, the run ends with the bytes of one that was let alone.
#[test]
fn a_run_that_is_killed_and_gone_on_with_ends_with_the_same_bytes() {
    let (alone, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let run = format!("{RUN} --blocks 60");
    let began = Instant::now();
    done(&run, alone.path());
    let took = began.elapsed();
    let mut rng = rng::stream(1, 0, Purpose::Analysis);
    let (mut kills, mut progress) = (0, Vec::new());
    // Each try gets a part of the time that a whole run takes, longer from try to try, so that it ends.
    for attempt in 1..=200 {
        let mut child = command(&format!("{run} --resume --threads 2"), killed.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let patience = took.mul_f64(rng.unit() * f64::from(attempt) / 10.0);
        let ended = wait(&mut child, patience);
        progress.push(rows(&killed.path().join("run")));
        if ended {
            break;
        }
        kills += 1;
    }
    assert!(kills > 0, "it was never killed");
    let different = progress.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(different > 0, "no kill ever found it half way: {progress:?}");
    done(&format!("{run} --resume"), killed.path());
    assert_same(&alone.path().join("run"), &killed.path().join("run"));
}

/// Waits for `patience`; whether the child ended well by itself. If not it is killed.
fn wait(child: &mut std::process::Child, patience: Duration) -> bool {
    let began = Instant::now();
    while began.elapsed() < patience {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "{status}");
            return true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    false
}

/// Whatever a kill leaves of the files, going on mends it: here they are cut at every kind of place.
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
        // The first cases: nothing yet, half a header, a header alone.
        let end = match case {
            0 => 0,
            1 => 10,
            2 => games.iter().position(|&byte| byte == b'\n').unwrap() + 1,
            _ => rng.below(games.len() as u32) as usize,
        };
        fs::write(dir.join("games.csv"), &games[..end]).unwrap();
        // Records are written before rows, so there is at least as much of them.
        let torn = records.len() * end / games.len() + rng.below(9_000) as usize;
        let least = records_of(&records, games[..end].iter().filter(|&&b| b == b'\n').count());
        fs::write(dir.join("records.jsonl"), &records[..torn.clamp(least, records.len())]).unwrap();
        done(&format!("{run} --resume"), cut.path());
        assert_same(&whole.path().join("run"), &dir);
    }
}

/// The length of the first `n` records.
fn records_of(records: &[u8], n: usize) -> usize {
    let text = std::str::from_utf8(records).unwrap();
    let ends = text.lines().scan(0, |length, line| {
        *length += line.len() + 1;
        Some((*length, line.starts_with(r#"{"end""#)))
    });
    let ends: Vec<usize> = ends.filter(|(_, is_end)| *is_end).map(|(length, _)| length).collect();
    if n == 0 { 0 } else { ends[(n - 1).min(ends.len() - 1)] }
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
    assert!(complaint("").contains("manifest.json: it is no manifest of a run"));
}

#[test]
fn an_unfinished_run_is_not_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 2 --blocks 5 --quiet --out {}";
    done(run, dir);
    let before = bytes(dir);
    // A finished run gives way, and the same run gives the same bytes.
    done(run, dir);
    assert_eq!(bytes(dir), before);
    fs::remove_file(dir.join("summary.json")).unwrap();
    let complaint = refused(run, dir);
    assert!(
        complaint.contains("holds an unfinished run (caesar tournament --game pig"),
        "{complaint}"
    );
    assert!(complaint.contains("--resume goes on with it"), "{complaint}");
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
fn shards_merged_are_the_whole_run() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 3 --agent greedy --agent random --agent \
               greedy(epsilon=0.5) --agent greedy(epsilon=0.1) --schedule round-robin \
               --blocks 23 --seed 5 --quiet";
    let whole = done(&format!("{run} --out {{}}/whole --records {{}}/whole/records.jsonl"), dir);
    for shard in [3, 1, 4, 2] {
        let out = format!("{{}}/shard-{shard}");
        let text = done(
            &format!("{run} --shard {shard}/4 --out {out} --records {out}/records.jsonl"),
            dir,
        );
        assert!(text.contains(&format!("shard {shard}/4: blocks ")), "{text}");
    }
    let merged = done("merge {}/shard-4 {}/shard-1 {}/shard-2 {}/shard-3 --out {}/merged", dir);
    assert_same(&dir.join("whole"), &dir.join("merged"));
    let table = |text: &str| -> Vec<String> {
        let is_same = |line: &&str| !line.contains("games/s") && !line.contains("shards merged");
        text.lines().filter(is_same).map(str::to_owned).collect()
    };
    assert_eq!(table(&whole), table(&merged));
}

#[test]
fn merge_refuses_what_is_not_one_run() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 2 --blocks 12 --quiet";
    for shard in 1..=3 {
        done(&format!("{run} --shard {shard}/3 --out {{}}/{shard}"), dir);
    }
    done(&format!("{run} --seed 2 --shard 3/3 --out {{}}/other"), dir);
    done(&format!("{run} --shard 2/2 --out {{}}/half"), dir);
    done(&format!("{run} --out {{}}/all"), dir);
    let complaint = |args: &str| refused(&format!("merge {args} --out {{}}/merged"), dir);
    assert!(complaint("{}/1 {}/3").contains("1 shard of 3 missing: 2/3"));
    assert!(complaint("{}/1 {}/2 {}/other").contains("seed: 1 in the latter, 2 in the former"));
    assert!(complaint("{}/1 {}/half").contains("divide the run differently"));
    assert!(complaint("{}/1 {}/1 {}/2 {}/3").contains("are the same"));
    assert!(complaint("{}/all").contains("it holds a whole run and no shard"));
    assert!(complaint("{}/nothing").contains("there is no manifest.json of a shard"));
    assert!(!dir.join("merged").exists());
    let rows = fs::read_to_string(dir.join("2/games.csv")).unwrap();
    let cut: String = rows.lines().take(5).map(|line| format!("{line}\n")).collect();
    fs::write(dir.join("2/games.csv"), cut).unwrap();
    let short = complaint("{}/1 {}/2 {}/3");
    assert!(short.contains("shard 2/3 (") && short.contains("--resume completes it"), "{short}");
}

/// A row with a good checksum and a wrong result, as a machine with bad memory writes it.
#[test]
fn a_shard_of_a_machine_that_computes_something_else_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 2 --blocks 2 --quiet";
    for shard in 1..=2 {
        done(&format!("{run} --shard {shard}/2 --out {{}}/{shard}"), dir);
    }
    let place = dir.join("2/games.csv");
    let rows = fs::read_to_string(&place).unwrap();
    let ledger = sim::ledger::Ledger::new(2, 1, &[] as &[&str]);
    let spoil = |row: &str| {
        let mut game = ledger.parse(&format!("{row}\n")).unwrap();
        game.points.swap(0, 1);
        ledger.row(&game)
    };
    let spoilt: String = rows.lines().skip(1).map(spoil).collect();
    fs::write(&place, ledger.header() + &spoilt).unwrap();
    let (code, stdout, stderr) = caesar("merge {}/1 {}/2 --out {}/merged", dir);
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(
        stderr.contains("shard 2/2 (") && stderr.contains("comes out differently here"),
        "{stderr}"
    );
    // Not looked at, it is believed.
    done("merge {}/1 {}/2 --out {}/merged --sample 0", dir);
}

#[test]
fn any_game_is_played_again_from_the_manifest() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("w.toml"), "chaos = 1.0\n").unwrap();
    let run = "tournament --players 3 --agent greedy --agent greedy(weights={}/w.toml) --agent random \
               --blocks 4 --seed 9 --set options.seasons=2 --quiet --out {}/run --records {}/all.jsonl";
    done(run, dir);
    // The manifest has all that is needed, files that were named included.
    fs::remove_file(dir.join("w.toml")).unwrap();
    let all = fs::read_to_string(dir.join("all.jsonl")).unwrap();
    for (at, id) in [("{}/run", 0), ("{}/run/manifest.json", 7), ("{}/run", 11)] {
        let (code, record, stderr) =
            caesar(&format!("replay {at} --game-id {id} --records -"), dir);
        assert_eq!(code, 0, "{stderr}");
        assert!(all.contains(&record) && record.contains(&format!("\"seed\":\"9/{id}\"")));
        assert!(stderr.contains("; as in games.csv"), "{stderr}");
    }
    let json = done("replay {}/run --game-id 5 --json", dir);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["game_id"], &json["as_in_games_csv"]), (&5.into(), &true.into()));
    let complaint = refused("replay {}/run --game-id 12", dir);
    assert!(complaint.contains("--game-id 12: the run has games 0 to 11"), "{complaint}");
    assert!(refused("replay {}/nothing --game-id 1", dir).contains("nothing"));
}

/// A device that is always full stands in for a disk that is.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_run_with_exit_1_and_the_rest_intact() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 2 --blocks 4000 --quiet --out {}/run";
    std::os::unix::fs::symlink("/dev/full", dir.join("full.jsonl")).unwrap();
    let (code, _, stderr) = caesar(&format!("{run} --records {{}}/full.jsonl"), dir);
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("full.jsonl: No space left on device"), "{stderr}");
    assert!(stderr.contains("is intact: the same command with --resume goes on"), "{stderr}");
    let manifest = fs::read_to_string(dir.join("run/manifest.json")).unwrap();
    assert!(manifest.contains("\"blocks\":4000"), "{manifest}");
    // Without the records, what is there is gone on with.
    done(&format!("{run} --resume"), dir);
    assert_eq!(rows(&dir.join("run")), 8000);
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
    assert!(complaint.contains("games.csv is there without a manifest.json"), "{complaint}");
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
    assert!(complaint("--format parquet").contains("say with --out where games.parquet"));
    assert!(complaint("--resume --out {} --records -").contains("--records - and --resume"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_saves_what_is_done_and_exits_with_3() {
    let dir = tempfile::tempdir().unwrap();
    let child = command("tournament --game pig --blocks 100000000 --out {}", dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let id = child.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("stopped early after"), "{stderr}");
    assert!(stderr.contains("the same command with --resume goes on"), "{stderr}");
    let summary = fs::read_to_string(dir.path().join("summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let rows = rows(dir.path());
    assert_eq!(summary["games"], rows);
    assert!(rows > 0 && rows.is_multiple_of(2));
}
