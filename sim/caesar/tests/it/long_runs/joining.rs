//! Joined shards: the same bytes as a whole run, and only files of one run.

use std::fs;

use sim::export::row_file::RowFile as _;

use super::{AGENTS, assert_same, caesar, done, refused};

#[test]
fn shards_merged_are_the_whole_run() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 3 --agent greedy --agent random --agent \
               greedy(epsilon=0.5) --agent greedy(epsilon=0.1) --schedule round-robin \
               --blocks 23 --seed 5 --quiet";
    let export = "--export seats,parquet --export seats-parquet --ratings";
    let whole =
        done(&format!("{run} {export} --out {{}}/whole --records {{}}/whole/records.jsonl"), dir);
    for shard in [3, 1, 4, 2] {
        let out = format!("{{}}/shard-{shard}");
        let text = done(
            &format!("{run} --shard {shard}/4 --out {out} --records {out}/records.jsonl"),
            dir,
        );
        assert!(text.contains(&format!("shard {shard}/4: blocks ")), "{text}");
    }
    let merged = done(
        "merge {}/shard-4 {}/shard-1 {}/shard-2 {}/shard-3 --out {}/merged --export seats-parquet,seats,parquet --ratings",
        dir,
    );
    assert_same(&dir.join("whole"), &dir.join("merged"));
    let table = |text: &str| -> Vec<String> {
        let is_same = |line: &&str| !line.contains("games/s") && !line.contains("shards merged");
        text.lines().filter(is_same).map(str::to_owned).collect()
    };
    assert_eq!(table(&whole), table(&merged));
}

/// The long format agrees with the rows of games for every seat.
#[test]
fn the_long_format_agrees_with_the_rows_of_games() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let agents = "--agent greedy --agent random --agent fast=mcts(iterations=5,c=0.5)";
    done(
        &format!(
            "tournament --game conquest2 --players 3 {agents} --blocks 4 --quiet --out {{}}/run --export seats"
        ),
        dir,
    );
    let table = |name: &str| {
        let mut reader = csv::Reader::from_path(dir.join("run").join(name)).unwrap();
        reader.deserialize::<Row>().map(Result::unwrap).collect::<Vec<_>>()
    };
    type Row = std::collections::BTreeMap<String, String>;
    let (games, seats) = (table("games.csv"), table("seats.csv"));
    assert_eq!((games.len(), seats.len()), (12, 36));
    for (i, row) in seats.iter().enumerate() {
        let (game, seat) = (&games[i / 3], i % 3);
        for name in ["game", "block", "seed", "plies", "rules"] {
            assert_eq!(row[name], game[name], "{name}");
        }
        for (long, wide) in [("share", "points"), ("score", "score"), ("chaos", "chaos")] {
            assert_eq!(row[long], game[&format!("{wide}_{seat}")], "{long} of {row:?}");
        }
        let wide = &game[&format!("agent_{seat}")];
        let label = wide.strip_suffix(&row["spec"]).unwrap();
        assert_eq!(row["agent"], if label == "fast=" { "fast" } else { wide }, "{row:?}");
        assert_eq!(row["seat"], seat.to_string());
        assert_eq!(row["entrant"], game["seating"].split(' ').nth(seat).unwrap());
        assert_eq!(row["iterations"] != "0", row["agent"] == "fast", "{row:?}");
    }
    for game in seats.chunks(3) {
        let sum =
            |name: &str| game.iter().map(|row| row[name].parse::<f64>().unwrap()).sum::<f64>();
        assert!((sum("share") - 1.0).abs() < 1e-6 && (sum("rank") - 6.0).abs() < 1e-6);
        assert!(sum("win") <= 1.0);
    }
}

/// The options that read records outside of the shards' directories, by name.
const READ: &str = "--read-records {}/1.jsonl --read-records {}/3.jsonl";

/// Records may be anywhere: the manifest of a shard has their place.
#[test]
fn records_of_shards_are_joined_wherever_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 2 --blocks 7 --quiet";
    done(&format!("{run} --out {{}}/whole --records {{}}/whole.jsonl"), dir);
    done(&format!("{run} --out {{}}/rows"), dir);
    for shard in 1..=3 {
        let records = ["{}/1.jsonl", "{}/2/inside.jsonl", "{}/3/records.jsonl"][shard - 1];
        done(&format!("{run} --shard {shard}/3 --out {{}}/{shard} --records {records}"), dir);
    }
    // The same run with records elsewhere has the same rows, and another manifest.
    done(
        &format!("merge {{}}/1 {{}}/2 {{}}/3 --out {{}}/merged --records {{}}/merged.jsonl {READ}"),
        dir,
    );
    for name in ["games.csv", "summary.json"] {
        let read = |run: &str| fs::read(dir.join(run).join(name)).unwrap();
        assert_eq!(read("whole"), read("merged"), "{name}");
    }
    let read = |name: &str| fs::read(dir.join(name)).unwrap();
    assert_eq!(read("whole.jsonl"), read("merged.jsonl"));
    let manifest = fs::read_to_string(dir.join("merged/manifest.json")).unwrap();
    assert!(manifest.contains(r#""records":"../merged.jsonl""#), "{manifest}");
    // Rows alone equal those of a run without records.
    done("merge {}/1 {}/2 {}/3 --out {}/alone --no-records", dir);
    assert_same(&dir.join("rows"), &dir.join("alone"));
    // A shard without records is refused among others with records.
    done(&format!("{run} --shard 2/3 --out {{}}/bare"), dir);
    let complaint = refused("merge {}/1 {}/bare {}/3 --out {}/no", dir);
    assert!(
        complaint.contains("keeps records and shard 2/3 (") && complaint.contains("--no-records")
    );
    done("merge {}/1 {}/bare {}/3 --out {}/mixed --no-records", dir);
    assert_same(&dir.join("rows"), &dir.join("mixed"));
    // An output must not be an input.
    for target in ["{}/1.jsonl", "{}/2/games.csv", "{}/no/summary.json"] {
        let command = format!("merge {{}}/1 {{}}/2 {{}}/3 --out {{}}/no --records {target} {READ}");
        assert!(refused(&command, dir).contains("are one file; name another"), "{target}");
        assert!(!dir.join("no").exists(), "{target}");
    }
    let complaint = refused(&format!("merge {{}}/1 {{}}/2 {{}}/3 --out {{}}/2 {READ}"), dir);
    assert!(complaint.contains("manifest.json of --out") && complaint.contains("shard 2/3"));
    // A flipped bit in a record is found, and so is a missing record.
    let good = fs::read(dir.join("2/inside.jsonl")).unwrap();
    let mut bad = good.clone();
    bad[good.len() / 2] ^= 1;
    fs::write(dir.join("2/inside.jsonl"), &bad).unwrap();
    let complaint = refused(&format!("merge {{}}/1 {{}}/2 {{}}/3 --out {{}}/no {READ}"), dir);
    assert!(
        complaint.contains("shard 2/3 (") && complaint.contains("the record of game"),
        "{complaint}"
    );
    fs::write(dir.join("2/inside.jsonl"), &good[..good.len() - 9]).unwrap();
    for sample in [0, 2] {
        let complaint = refused(
            &format!("merge {{}}/1 {{}}/2 {{}}/3 --out {{}}/no --sample {sample} {READ}"),
            dir,
        );
        assert!(
            complaint.contains("inside.jsonl: it holds 3 of 4 games; --resume completes it"),
            "{complaint}"
        );
        assert!(!dir.join("no").exists());
    }
}

#[test]
fn as_many_games_as_are_played_again_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 2 --blocks 7 --quiet";
    for shard in 1..=3 {
        done(&format!("{run} --shard {shard}/3 --out {{}}/{shard}"), dir);
    }
    for (i, (sample, printed)) in [
        ("", "6 games of 3 shards replayed: no difference\n"),
        ("--sample 1", "3 games of 3 shards replayed: no difference\n"),
        ("--sample 5", "13 games of 3 shards replayed: no difference\n"),
        ("--sample 6", "14 games of 3 shards replayed, all there are: no difference\n"),
        ("--sample 99999", "14 games of 3 shards replayed, all there are: no difference\n"),
        ("--sample 0", ""),
    ]
    .into_iter()
    .enumerate()
    {
        let (code, _, stderr) =
            caesar(&format!("merge {{}}/1 {{}}/2 {{}}/3 --out {{}}/all-{i} {sample}"), dir);
        assert_eq!((code, stderr.as_str()), (0, printed), "{sample}");
    }
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

/// A row with a correct checksum and a wrong result, as from a machine with faulty memory, is found.
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
    let games_csv = sim::export::games_csv::GamesCsv::new(2, 1, &AGENTS, &[] as &[&str]);
    let spoil = |row: &str| {
        let mut game = games_csv.parse(&format!("{row}\n")).unwrap();
        game.points.swap(0, 1);
        games_csv.row(&game)
    };
    let spoilt: String = rows.lines().skip(1).map(spoil).collect();
    fs::write(&place, games_csv.header() + &spoilt).unwrap();
    let (code, stdout, stderr) = caesar("merge {}/1 {}/2 --out {}/merged", dir);
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(
        stderr.contains("shard 2/2 (") && stderr.contains("has another result here"),
        "{stderr}"
    );
    // Without a check it is accepted.
    done("merge {}/1 {}/2 --out {}/merged --sample 0", dir);
}
