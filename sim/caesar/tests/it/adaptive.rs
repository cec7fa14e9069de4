//! Tests of `caesar tournament --adaptive` for people and scripts: pairs, files, resuming, wrong input, threads.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use expect_test::{expect, expect_file};
use serde_json::Value as Json;

use crate::shared::{caesar, command, interrupted, json, prints, refused};

/// A pool in pig: random play, like a coin toss, continues a little and wins against greedy, which always stops.
const POOL: &str = "tournament --adaptive --game pig --agent greedy --agent greedy(epsilon=0.5) --agent random \
                    --agent level=random";
/// A pool at tables of three.
const TABLE: &str = "tournament --adaptive --game pig --players 3 --agent greedy --agent greedy(epsilon=0.5) \
                     --agent random --agent greedy(epsilon=0.1) --agent level=random --blocks 1500";

fn pair<'a>(result: &'a Json, a: &str, b: &str) -> &'a Json {
    let pairs = result["pairs"].as_array().unwrap();
    pairs.iter().find(|pair| pair["a"] == a && pair["b"] == b).unwrap()
}

#[test]
fn pairs_are_as_they_were_read_and_approved() {
    prints(POOL, &expect_file!["../golden/tournament-adaptive.txt"]);
}

#[test]
fn undecided_pairs_get_the_blocks_and_nothing_is_ranked() {
    let result = json(POOL);
    let blocks = |a: &str, b: &str| pair(&result, a, b)["blocks"].as_u64().unwrap();
    assert_eq!(pair(&result, "greedy", "random")["order"], "behind", "{result}");
    // Equal agents stay undecided, and get the rest of 100 blocks for each pair.
    assert_eq!(pair(&result, "random", "level")["order"], "undecided", "{result}");
    assert!(blocks("random", "level") > 100 && blocks("greedy", "random") < 100, "{result}");
    assert_eq!((&result["blocks"], &result["games"]), (&600.into(), &1200.into()));
    for pair in result["pairs"].as_array().unwrap() {
        let (low, high) = (pair["low"].as_f64().unwrap(), pair["high"].as_f64().unwrap());
        let order = if low > 0.5 {
            "before"
        } else if high < 0.5 {
            "behind"
        } else {
            "undecided"
        };
        assert_eq!(pair["order"], order, "{pair}");
        // The entry has no estimate that the choice of games would bias.
        let keys: Vec<&String> = pair.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["a", "b", "low", "high", "order", "blocks"]);
    }
    // Without equal agents it ends by itself.
    let two = "tournament --adaptive --game pig --agent greedy --agent random --blocks 5000";
    let ended = json(two);
    assert_eq!((&ended["complete"], &ended["undecided"]), (&true.into(), &0.into()));
    assert!(ended["blocks"].as_u64().unwrap() <= 128, "{ended}");
}

#[test]
fn who_finishes_first_at_a_larger_table_is_a_pair_of_it() {
    let result = json(TABLE);
    assert_eq!(result["pairs"].as_array().unwrap().len(), 10);
    assert_eq!(pair(&result, "greedy", "random")["order"], "behind", "{result}");
    let games = result["games"].as_u64().unwrap();
    assert_eq!(games, 3 * result["blocks"].as_u64().unwrap());
}

#[test]
fn an_adaptive_run_depends_on_the_seed_and_never_on_threads() {
    for args in [POOL, TABLE] {
        let with = |more: &str| caesar(&format!("{args} --json --quiet {more}"));
        let one = with("--threads 1");
        assert_eq!(one.0, 0, "{}", one.2);
        assert_eq!(with("--threads 2"), one);
        assert_eq!(with("--threads 7"), one);
        assert_ne!(with("--seed 2").1, one.1);
    }
}

fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap()
}

/// Plays `TABLE` into `out`; returns stdout.
fn played(out: &Path, more: &str) -> String {
    let (code, stdout, stderr) =
        caesar(&format!("{TABLE} --json --quiet --out {} {more}", out.display()));
    assert_eq!(code, 0, "{stderr}");
    stdout
}

#[test]
fn a_run_that_was_cut_anywhere_goes_on_to_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, cut) = (dir.path().join("whole"), dir.path().join("cut"));
    let printed = played(&whole, "");
    assert_eq!(read(&whole, "summary.json"), printed);
    assert_eq!(fs::read_dir(&whole).unwrap().count(), 3, "nothing else is left behind");
    let rows = read(&whole, "games.csv");
    for part in [0, 3, 40, 95] {
        // The cut is within a row, a block and a batch.
        let length = rows.len() * part / 100 + usize::from(part > 0) * 7;
        fs::create_dir(&cut).unwrap();
        fs::write(cut.join("manifest.json"), read(&whole, "manifest.json")).unwrap();
        fs::write(cut.join("games.csv"), &rows[..length]).unwrap();
        assert_eq!(played(&cut, "--resume"), printed);
        assert!(read(&cut, "games.csv") == rows, "{part}");
        assert_eq!(read(&cut, "summary.json"), printed);
        fs::remove_dir_all(&cut).unwrap();
    }
    // A run is replaced only on request.
    fs::create_dir(&cut).unwrap();
    fs::write(cut.join("manifest.json"), read(&whole, "manifest.json")).unwrap();
    fs::write(cut.join("games.csv"), &rows[..rows.len() / 2]).unwrap();
    let (code, _, stderr) = caesar(&format!("{TABLE} --out {}", cut.display()));
    assert_eq!(code, 2);
    assert!(stderr.contains("holds an unfinished run") && stderr.contains("--resume"), "{stderr}");
    let (code, _, stderr) = caesar(&format!("{TABLE} --out {}", whole.display()));
    assert!(code == 2 && stderr.contains("holds a finished run"), "{stderr}");
    assert_eq!(played(&whole, "--resume"), printed);
    let forced = caesar(&format!("{TABLE} --json --quiet --force --out {}", whole.display()));
    assert_eq!((forced.0, forced.1), (0, printed));
}

#[test]
fn any_game_is_played_again_from_its_row() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    played(&out, "");
    for game in [0, 1, 5, 700] {
        let (code, stdout, stderr) =
            caesar(&format!("replay {} --game {} --json", out.display(), game + 1));
        assert_eq!(code, 0, "{stderr}");
        let replayed: Json = serde_json::from_str(&stdout).unwrap();
        assert_eq!(replayed["game_id"], game);
    }
    let (code, _, stderr) = caesar(&format!("check {}", out.display()));
    assert_eq!(code, 0, "{stderr}");
    fs::remove_file(out.join("games.csv")).unwrap();
    let (code, _, stderr) = caesar(&format!("replay {} --game 6", out.display()));
    assert_eq!((code, stderr.lines().count()), (2, 1), "{stderr}");
    assert!(stderr.contains("the seating of a run with schedule adaptive is in"), "{stderr}");
}

#[test]
fn what_contradicts_it_is_refused_before_a_game() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out").display().to_string();
    for (option, word) in [
        (format!("--shard 1/2 --out {out}"), "--shard"),
        (format!("--export seats --out {out}"), "--export"),
        ("--ratings".to_owned(), "--ratings"),
        ("--outcomes".to_owned(), "--outcomes"),
        ("--by-seat".to_owned(), "--by-seat"),
        ("--head-to-head".to_owned(), "--head-to-head"),
        ("--search-stats".to_owned(), "--search-stats"),
        ("--together".to_owned(), "--together"),
        ("--records r.jsonl".to_owned(), "--records"),
    ] {
        let (code, stdout, stderr) = caesar(&format!("{POOL} {option}"));
        assert_eq!((code, stdout.as_str()), (2, ""), "{option}");
        assert!(stderr.starts_with(&format!("error: --adaptive and {word}: ")), "{stderr}");
        assert!(stderr.ends_with("; leave one of them out\n") && stderr.lines().count() == 1);
    }
    assert!(!Path::new(&out).exists(), "nothing is left behind");
    refused(
        "tournament --adaptive --game pig --agent greedy",
        &expect![
            "error: 1 agent given, but schedule adaptive at tables of 2 needs a pool of at least 2"
        ],
    );
    refused(
        "tournament --adaptive --game pig --agent greedy --agent greedy --agent random",
        &expect![[
            r#"error: agent "greedy": it is in the pool twice, and pairs are of different agents: leave one out, or give it a label"#
        ]],
    );
    refused(
        &format!("{POOL} --table standings"),
        &expect!["error: --table standings: these options give no such table (available: pairs)"],
    );
    let (code, _, stderr) = caesar(&format!("{POOL} --schedule round-robin"));
    assert_eq!((code, stderr.lines().count()), (2, 1), "{stderr}");
    assert!(stderr.contains("--adaptive") && stderr.contains("--schedule"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_played_and_exits_with_3() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let run = format!("{POOL} --blocks 100000000 --json --out {}", out.display());
    let output = interrupted(&mut command(&run));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("the same command with --resume continues"), "{stderr}");
    assert_eq!(read(&out, "summary.json").as_bytes(), output.stdout);
    let result: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["complete"], false);
    let rows = read(&out, "games.csv").lines().count() as u64 - 1;
    assert_eq!(result["games"].as_u64(), Some(rows));
}
