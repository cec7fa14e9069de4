//! One game of a run, played again and compared with its row.

use std::fs;

use sim::export::row_file::RowFile as _;

use super::{AGENTS, caesar, done, refused};

#[test]
fn any_game_is_played_again_from_the_manifest() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("w.toml"), "chaos = 1.0\n").unwrap();
    let run = "tournament --players 3 --agent greedy --agent greedy(weights={}/w.toml) --agent random \
               --blocks 4 --seed 9 --set options.seasons=2 --quiet --out {}/run --records {}/all.jsonl";
    done(run, dir);
    // The manifest has all that is needed, including named files.
    fs::remove_file(dir.join("w.toml")).unwrap();
    let all = fs::read_to_string(dir.join("all.jsonl")).unwrap();
    for (at, id) in [("{}/run", 0), ("{}/run/manifest.json", 7), ("{}/run", 11)] {
        let (code, record, stderr) =
            caesar(&format!("replay {at} --game {} --records -", id + 1), dir);
        assert_eq!(code, 0, "{stderr}");
        assert!(all.contains(&record) && record.contains(&format!("\"seed\":\"9/{id}\"")));
        assert!(stderr.contains("; agrees with games.csv"), "{stderr}");
    }
    let json = done("replay {}/run --game 6 --json", dir);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["game_id"], &json["as_in_games_csv"]), (&5.into(), &true.into()));
    // The older option counts from 0, and a message states it.
    let (code, older, stderr) = caesar("replay {}/run --game-id 5 --json", dir);
    assert_eq!((code, serde_json::from_str(&older).ok()), (0, Some(json)));
    assert!(stderr.contains("--game-id 5 counts from 0") && stderr.contains("write --game 6"));
    let older = refused("replay {}/run --game-id 12", dir);
    assert!(older.contains("--game-id 12: the run has games 0 to 11"), "{older}");
    let complaint = refused("replay {}/run --game 13", dir);
    assert!(complaint.contains("--game 13: the run has games 1 to 12"), "{complaint}");
    assert!(refused("replay {}/nothing --game 2", dir).contains("nothing"));
}

/// A game that differs from its row in any column is a failure that names the column.
#[test]
fn a_row_that_differs_is_a_failure_that_names_the_column() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    done(
        "tournament --game pig --players 2 --blocks 3 --quiet --out {}/run --records {}/run/r.jsonl",
        dir,
    );
    let place = dir.join("run/games.csv");
    let good = fs::read_to_string(&place).unwrap();
    let rows: Vec<&str> = good.lines().collect();
    let names: Vec<&str> = rows[0].split(',').collect();
    let games_csv =
        sim::export::games_csv::GamesCsv::new(2, 1, &AGENTS, &[] as &[&str]).keeping_records(true);
    for (column, name) in names.iter().enumerate().skip(1) {
        let mut fields: Vec<String> = rows[4].split(',').map(str::to_owned).collect();
        fields[column].push('1');
        let spoilt = good.replace(rows[4], &fields.join(","));
        fs::write(&place, spoilt).unwrap();
        let (code, stdout, stderr) = caesar("replay {}/run --game 4 --json", dir);
        assert_eq!((code, stdout.as_str()), (1, ""), "{name}: {stderr}");
        assert!(stderr.contains("game 4 has another result here; the row is damaged"), "{stderr}");
        assert!(stderr.contains(&format!("  {name} is {} there and ", fields[column])), "{stderr}");
    }
    // A row with a correct checksum, as from a machine with faulty memory.
    for (spoil, name) in
        [("points", "points_0 is "), ("record", "record is 000000000000002a there")]
    {
        let mut game = games_csv.parse(&format!("{}\n", rows[4])).unwrap();
        if spoil == "points" {
            game.points.swap(0, 1);
        } else {
            game.record = Some(sim::record::Record::known_by(42));
        }
        fs::write(&place, good.replace(&format!("{}\n", rows[4]), &games_csv.row(&game))).unwrap();
        let (code, _, stderr) = caesar("replay {}/run --game 4", dir);
        assert_eq!(code, 1, "{stderr}");
        assert!(stderr.contains(name) && !stderr.contains("check is"), "{stderr}");
        // The other rows are unchanged.
        assert!(done("replay {}/run --game 3", dir).contains("; agrees with games.csv"));
    }
    // A partial row at the end, as after a kill, is not a row; other columns are not rows of the run.
    fs::write(&place, &good[..good.len() - 4]).unwrap();
    let text = done("replay {}/run --game 6", dir);
    assert!(!text.contains("games.csv"), "{text}");
    fs::write(&place, good.replacen("plies", "turns", 1)).unwrap();
    assert!(refused("replay {}/run --game 4", dir).contains("these are not the columns"));
}

/// The record of one game must not overwrite a file of the run.
#[test]
fn a_replay_writes_over_no_file_of_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    done("tournament --game pig --blocks 2 --quiet --out {}/run --records {}/all.jsonl", dir);
    let before = super::bytes(&dir.join("run"));
    let records = fs::read(dir.join("all.jsonl")).unwrap();
    for file in ["all.jsonl", "run/games.csv", "run/manifest.json", "run/summary.json"] {
        let complaint = refused(&format!("replay {{}}/run --game 2 --records {{}}/{file}"), dir);
        assert!(complaint.contains("are one file; name another"), "{complaint}");
    }
    assert_eq!(super::bytes(&dir.join("run")), before);
    assert_eq!(fs::read(dir.join("all.jsonl")).unwrap(), records);
}

#[test]
fn check_holds_a_directory_to_its_checksums_and_to_the_rules() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 2 --blocks 2 --quiet --out";
    done(&format!("{run} {{}}/run --records {{}}/all.jsonl"), dir);
    assert_eq!(done("check {}/run --records {}/all.jsonl", dir), "4 games, 0 with faults\n");
    done(&format!("{run} {{}}/bare"), dir);
    assert_eq!(done("check {}/bare", dir), "4 games, 0 with faults; the run keeps no records\n");
    // Another whole and legal game in its place: only the checksum shows it.
    let records = fs::read_to_string(dir.join("all.jsonl")).unwrap();
    let games: Vec<String> = records
        .split_inclusive("{\"format\"")
        .skip(1)
        .map(|game| format!("{{\"format\"{}", game.trim_end_matches("{\"format\"")))
        .collect();
    assert_eq!(games.concat(), records);
    let swapped = [&games[0], &games[2], &games[1], &games[3]].map(String::as_str).concat();
    fs::write(dir.join("all.jsonl"), swapped).unwrap();
    assert_eq!(done("check {}/all.jsonl", dir), "4 games, 0 with faults\n");
    let (code, _, stderr) = caesar("check {}/run --records {}/all.jsonl", dir);
    assert_eq!(code, 1);
    assert!(stderr.contains("the record of game 2 is not the one that games.csv"), "{stderr}");
}
