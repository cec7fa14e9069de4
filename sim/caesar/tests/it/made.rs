//! Positions made by hand: what `show --position` prints begins games, and what is wrong with one is named.

use std::fs;
use std::path::Path;

use expect_test::expect;
use serde_json::Value as Json;
use sim::catalogue::NAMES;

use crate::shared::{command_at, done_at, ran, ran_with};

/// Writes records of a game into `dir`.
fn records(game: &str, dir: &Path) {
    let agents = "--agent random --agent greedy";
    let run = format!("tournament --game {game} --players 2 {agents} --blocks 2 --seed 4 --quiet");
    done_at(&format!("{run} --records {{}}/{game}.jsonl"), dir);
}

#[test]
fn games_go_on_from_what_show_prints_as_from_the_ply_of_the_record() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    for &game in NAMES {
        records(game, dir);
        // Both choose at once in some games, and the second ply is in the middle of that.
        let ply = if ["imperium", "goofspiel"].contains(&game) { 3 } else { 2 };
        let shown = format!("show {{}}/{game}.jsonl --game 2 --ply {ply} --position");
        let position = done_at(&shown, dir);
        fs::write(dir.join(format!("{game}.json")), &position).unwrap();
        let go_on = |file: &str, threads: u32| {
            let agents = "--agent random --agent greedy --blocks 3 --seed 9 --quiet";
            let out = format!("of-{file}-{threads}.jsonl").replace(':', "-");
            let run = format!("tournament {agents} --threads {threads} --from {{}}/{file}");
            done_at(&format!("{run} --records {{}}/{out}"), dir);
            fs::read_to_string(dir.join(out)).unwrap()
        };
        let record = go_on(&format!("{game}.json"), 1);
        assert_eq!(record, go_on(&format!("{game}.json"), 2), "{game}: on any number of threads");
        assert_eq!(
            done_at(&format!("check {{}}/of-{game}.json-1.jsonl"), dir),
            "6 games, 0 with faults\n"
        );
        // The position of the record is the position that was shown, and it comes back.
        let state =
            |text: &str, key: &str| serde_json::from_str::<Json>(text).unwrap()[key].clone();
        let line = record.lines().nth(1).unwrap();
        assert_eq!(state(line, "position"), state(&position, "state"), "{game}");
        let again = format!("show {{}}/of-{game}.json-1.jsonl --game 1 --ply 1 --position");
        assert_eq!(done_at(&again, dir), position, "{game}");
        // What is drawn after it follows from another source: only the first choice has the same options.
        let source = go_on(&format!("{game}.jsonl:2:{ply}"), 1);
        let legal = |record: &str, n: usize| {
            let plies = record.lines().filter(|line| line.contains("\"player\""));
            plies.map(|ply| state(ply, "legal")).nth(n)
        };
        assert_eq!(legal(&record, 0), legal(&source, ply - 1), "{game}");
    }
}

#[test]
fn a_run_from_a_position_is_replayed_without_its_file_and_suites_and_people_take_it() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    records("hannibal", dir);
    let position = done_at("show {}/hannibal.jsonl --game 1 --ply 4 --position", dir);
    fs::write(dir.join("one.json"), &position).unwrap();
    fs::write(dir.join("suite.txt"), "# two\none.json\nhannibal.jsonl:1:4\n").unwrap();
    let agents = "--agent greedy --agent random --seed 2 --quiet";
    let run = format!("tournament {agents} --blocks 4 --from {{}}/one.json --out {{}}/run");
    done_at(&run, dir);
    done_at(&format!("{run} --resume"), dir);
    fs::rename(dir.join("one.json"), dir.join("gone.json")).unwrap();
    let replayed = done_at("replay {}/run --game 3 --records -", dir);
    assert!(replayed.lines().nth(1).unwrap().starts_with("{\"position\""), "{replayed}");
    fs::rename(dir.join("gone.json"), dir.join("one.json")).unwrap();
    let run =
        format!("tournament {agents} --blocks 4 --starts {{}}/suite.txt --records {{}}/s.jsonl");
    done_at(&run, dir);
    assert_eq!(done_at("check {}/s.jsonl", dir), "8 games, 0 with faults\n");
    let made = fs::read_to_string(dir.join("s.jsonl")).unwrap().matches("{\"position\"").count();
    assert_eq!(made, 4, "half of the blocks begin at the position");
    let mut play = command_at("play --from {}/one.json --records {}/p.jsonl --seed 1", dir);
    let (code, stdout, stderr) = ran_with(&mut play, &"#1\n".repeat(400));
    assert!(code == 0 && stdout.contains("The game is over"), "{stderr}");
    done_at("check {}/p.jsonl", dir);
    assert!(done_at("show {}/p.jsonl --full", dir).contains("moves a legion"), "a story is told");
}

#[test]
fn what_is_wrong_with_a_position_is_named_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    records("goofspiel", dir);
    let good: Json =
        serde_json::from_str(&done_at("show {}/goofspiel.jsonl --game 1 --ply 3 --position", dir))
            .unwrap();
    let complaint = |text: &str| {
        fs::write(dir.join("bad.json"), text).unwrap();
        let run = "tournament --from bad.json --agent random --agent greedy --blocks 1 --quiet";
        let (code, stdout, stderr) = ran(command_at(run, dir).current_dir(dir));
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        stderr
    };
    let changed = |pointer: &str, part: Json| {
        let mut json = good.clone();
        *json.pointer_mut(pointer).unwrap() = part;
        complaint(&json.to_string())
    };
    let complaints = [
        changed("/state/prize", 14.into()),
        changed("/state/hands/0", vec![1].into()),
        changed("/state/hands/1", vec![1, 1].into()),
        changed("/state/scores", 3.into()),
        changed("/state", Json::Null),
        changed("/seats", 3.into()),
        changed("/seats", 9.into()),
        changed("/game", "go".into()),
        changed("/format", "caesar-position/9".into()),
        changed("/rules", vec![1].into()),
        complaint("{\"format\":\"caesar-position/1\","),
        complaint("nothing"),
    ];
    expect![[r#"
        error: --from bad.json: prize: 14 is no card: the cards are 1 to 13
        error: --from bad.json: hands.0: 1 cards for 12 prizes
        error: --from bad.json: hands.1: [1,1] is not a list of different numbers from 0 to 15
        error: --from bad.json: scores: 3 is not a list of 6
        error: --from bad.json: state: null stands where an object is expected
        error: --from bad.json: hands.2: 0 cards for 12 prizes
        error: --players 9: goofspiel is for 2 to 6 players
        error: unknown game "go" (nearest: goofspiel; known: conquest2, classic, hannibal, imperium, circus, rise, connect-four, goofspiel, kuhn-poker, pig, tic-tac-toe)
        error: --from bad.json: unknown format "caesar-position/9" (this reads "caesar-position/1")
        error: --from bad.json: rules: [1] stands where an object is expected
        error: --from bad.json: no position in JSON: EOF while parsing a value at line 1 column 30
        error: --from bad.json: expected FILE:GAME:PLY, as in games.jsonl:3:120, or the file of a position
    "#]].assert_eq(&complaints.concat());
}

#[test]
fn a_position_that_is_printed_stands_before_one_ply_of_one_game() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    records("pig", dir);
    let complaint = |args: &str| ran(&mut command_at(args, dir)).2;
    let plies = complaint("show {}/pig.jsonl --game 1 --ply 3-4 --position");
    assert!(plies.contains("one ply is expected"), "{plies}");
    let none = complaint("show {}/pig.jsonl --game 9 --ply 3 --position");
    assert!(none.contains("has 4 games, no game 9"), "{none}");
}
