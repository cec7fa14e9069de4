//! Searches divided between several machines.

use std::fs;
use std::path::Path;

use expect_test::expect;

use super::command::refused;
use crate::shared::{self, command_at, done_at};

const ARGS: &str = "tune --game pig --agent greedy(epsilon=?0..1=0.8) --against random --games 3000 --confirm 400 \
                    --method cma-es --quiet";

fn file(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap()
}

#[test]
fn joined_shards_are_the_run_that_nobody_divided() {
    let dir = tempfile::tempdir().unwrap();
    done_at(&format!("{ARGS} --runs 3 --out {{}}/whole"), dir.path());
    for shard in 1..=3 {
        done_at(&format!("{ARGS} --shard {shard}/3 --out {{}}/{shard}"), dir.path());
    }
    let joined = done_at("merge {}/2 {}/1 {}/3 --out {}/joined --quiet", dir.path());
    assert!(joined.contains("against"), "{joined}");
    let (whole, joined) = (dir.path().join("whole"), dir.path().join("joined"));
    for name in ["manifest.json", "log.csv", "summary.json", "verdict.csv", "winner.txt"] {
        assert!(file(&whole, name) == file(&joined, name), "{name}");
    }
}

#[test]
fn shards_that_are_cut_missing_or_changed_are_not_joined() {
    let dir = tempfile::tempdir().unwrap();
    for shard in 1..=2 {
        done_at(&format!("{ARGS} --shard {shard}/2 --out {{}}/{shard}"), dir.path());
    }
    let merge = |args: &str| {
        let (code, _, stderr) = shared::ran(&mut command_at(args, dir.path()));
        (code, stderr)
    };
    let (code, stderr) = merge("merge {}/1 --out {}/joined");
    assert!(code == 2 && stderr.contains("1 shard of 2 missing: 2/2"), "{stderr}");
    // A forged value with a matching checksum is found when its row is played again.
    let log = file(&dir.path().join("2"), "log.csv");
    let line = log.lines().nth(1).unwrap();
    let (row, _) = line.rsplit_once(',').unwrap();
    let mut cells: Vec<&str> = row.split(',').collect();
    (cells[5], cells[6]) = ("0.25", "0.25");
    let changed = cells.join(",");
    assert_ne!(row, changed);
    let sum = blake3::hash(changed.as_bytes()).to_hex();
    let check = line.rsplit(',').next().unwrap().len();
    let forged = log.replace(line, &format!("{changed},{}", &sum[..check]));
    fs::write(dir.path().join("2/log.csv"), forged).unwrap();
    let (code, stderr) = merge("merge {}/1 {}/2 --sample 100000 --out {}/joined");
    assert!(code == 1 && stderr.contains("row 0 has another result here"), "{stderr}");
    fs::write(dir.path().join("2/log.csv"), log).unwrap();
    fs::remove_file(dir.path().join("2/summary.json")).unwrap();
    let (code, stderr) = merge("merge {}/1 {}/2 --out {}/joined");
    assert!(code == 2 && stderr.contains("it is unfinished"), "{stderr}");
}

#[test]
fn what_is_no_shard_is_refused() {
    let pig = "--game pig --agent greedy(epsilon=?) --against random --games 3000 --out out";
    refused(
        &format!("{pig} --shard 2/3 --runs 2"),
        &expect![
            "error: --shard 2/3: --runs is 2: each shard is one search, so that both are the same number"
        ],
    );
    refused(
        "--game pig --candidate greedy --candidate random --against random --games 3000 --out out --shard 1/2",
        &expect!["error: --shard 1/2: racing is one search and cannot be divided"],
    );
}
