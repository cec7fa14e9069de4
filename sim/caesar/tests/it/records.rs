//! Records of every game: they replay, and every kind of damage is found, with its line.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::{Value as Json, json};
use sim::catalogue::{NAMES, about};
use sim::record::Fault;
use sim::record::stream::{Telling, check};

use crate::shared::{command, command_at, done_at, ended, ran, ran_with};

/// Returns records of `blocks` blocks of random play.
fn records(game: &str, players: usize, blocks: u32) -> Vec<String> {
    let mut command = command("");
    command.args(["tournament", "--game", game, "--players", &players.to_string(), "--quiet"]);
    for _ in 0..players {
        command.args(["--agent", "random"]);
    }
    command.args(["--blocks", &blocks.to_string(), "--records", "-"]);
    String::from_utf8_lossy(&ended(0, &mut command).stdout).lines().map(str::to_owned).collect()
}

/// Returns records of imperium with one piece for each player, in which most rounds have no choice.
fn records_of_few_choices(players: usize) -> Vec<String> {
    let mut command = command("");
    command.args(["tournament", "--game", "imperium", "--players", &players.to_string()]);
    command.args(["--set", "players.influence_per_player=1", "--set", "max-rounds=30", "--quiet"]);
    command.args(["--agent", "random"].repeat(players));
    command.args(["--blocks", "4", "--records", "-"]);
    String::from_utf8_lossy(&ended(0, &mut command).stdout).lines().map(str::to_owned).collect()
}

fn faults(lines: &[String]) -> Vec<Fault> {
    let mut faults = Vec::new();
    let text = lines.join("\n");
    check(&mut text.as_bytes(), &Telling::default(), &mut |checked| {
        faults.extend(checked.fault);
        Ok::<(), std::io::Error>(())
    })
    .unwrap();
    faults
}

/// Changes one line and asserts that the error names exactly this line.
fn spoil(lines: &[String], place: usize, change: impl Fn(&mut Json), complaint: &str) {
    let mut line: Json = serde_json::from_str(&lines[place]).unwrap();
    change(&mut line);
    let mut spoilt = lines.to_vec();
    spoilt[place] = line.to_string();
    assert_fault(&spoilt, place, complaint);
}

fn assert_fault(spoilt: &[String], place: usize, complaint: &str) {
    let faults = faults(spoilt);
    assert_eq!(faults.len(), 1, "{complaint}: {faults:?}");
    assert_eq!(faults[0].line, place as u64 + 1, "{complaint}: {faults:?}");
    assert!(faults[0].message.contains(complaint), "{complaint}: {faults:?}");
}

fn places(lines: &[String], start: &str) -> Vec<usize> {
    (0..lines.len()).filter(|&i| lines[i].starts_with(start)).collect()
}

/// Changes the first number or text inside `value`; returns true if there is one.
fn change_a_leaf(value: &mut Json) -> bool {
    match value {
        Json::Number(n) => {
            *value = json!(n.as_f64().unwrap_or(0.0) as i64 + 1);
            true
        }
        Json::String(text) => {
            text.push('x');
            true
        }
        Json::Bool(b) => {
            *b = !*b;
            true
        }
        Json::Array(list) => list.iter_mut().any(change_a_leaf),
        Json::Object(map) => map.values_mut().any(change_a_leaf),
        Json::Null => false,
    }
}

#[test]
fn records_of_every_game_and_table_replay() {
    for game in NAMES {
        for players in about(game).unwrap().players {
            let lines = records(game, players, 5);
            assert_eq!(faults(&lines), [], "{game} for {players}");
            assert_eq!(places(&lines, "{\"format\"").len(), 5 * players);
        }
    }
}

#[test]
fn spoilt_plies_and_draws_are_found() {
    for game in NAMES {
        let players = about(game).unwrap().default_players;
        let lines = records(game, players, 1);
        let plies = places(&lines, "{\"player\"");
        for place in [plies[0], plies[plies.len() / 2], plies[plies.len() - 1]] {
            spoil(&lines, place, |l| l["action"] = json!("castle long"), "illegal action");
            let other = |l: &Json| (l["player"].as_u64().unwrap() + 1) % players as u64;
            spoil(&lines, place, |l| l["player"] = json!(other(l)), "not the turn of seat");
            spoil(
                &lines,
                place,
                |l| l["player"] = json!(77),
                "not the turn of seat 78 (\"player\":77)",
            );
            let more = |l: &Json| l["legal"].as_u64().unwrap() + 1;
            spoil(&lines, place, |l| l["legal"] = json!(more(l)), "legal");
            spoil(&lines, place, |l| l["extra"] = json!(1), "unknown field");
        }
        for place in places(&lines, "{\"chance\"").into_iter().take(3) {
            spoil(&lines, place, |l| l["value"] = json!("a miracle"), "impossible draw");
            spoil(&lines, place, |l| l["chance"] = json!("weather"), "impossible draw");
        }
    }
}

#[test]
fn spoilt_states_and_ends_are_found() {
    for game in NAMES {
        let lines = records(game, about(game).unwrap().default_players, 1);
        // Each change is found by replaying the whole game, so ten states, spread over it, are enough.
        let states = places(&lines, "{\"state\"");
        for &place in states.iter().step_by(states.len().div_ceil(10)) {
            spoil(
                &lines,
                place,
                |l| assert!(change_a_leaf(&mut l["state"])),
                "the state is another",
            );
            let mut missing = lines.clone();
            missing.remove(place);
            assert_eq!(faults(&missing)[0].line, place as u64 + 1, "{game}: a missing state");
            let mut twice = lines.clone();
            twice.insert(place, lines[place].clone());
            assert_fault(&twice, place + 1, "the same state stands twice");
        }
        let end = places(&lines, "{\"end\"")[0];
        spoil(&lines, end, |l| assert!(change_a_leaf(&mut l["end"]["scores"])), "scores");
        spoil(&lines, end, |l| l["end"]["winners"] = json!([]), "winners");
        spoil(&lines, end, |l| assert!(change_a_leaf(&mut l["end"]["plies"])), "plies");
        let forfeit_of_the_winner = |l: &mut Json| {
            l["end"]["forfeit"] = json!({"player": l["end"]["winners"][0], "reason": "tired"});
        };
        spoil(&lines, end, forfeit_of_the_winner, "the end is another: ");
    }
}

#[test]
fn cut_streams_are_found() {
    for game in NAMES {
        let players = about(game).unwrap().default_players;
        let lines = records(game, players, 1);
        let second = places(&lines, "{\"format\"")[1];
        for last in [0, 1, second / 2, second - 2] {
            let mut cut = lines[..=last].to_vec();
            assert_fault(&cut, last, "without an end line");
            let length = cut[last].len();
            cut[last].truncate(length - 3);
            assert_fault(&cut, last, "cut off");
        }
        let mut headless = lines.clone();
        headless.remove(0);
        assert_fault(&headless, 0, "expected the header");
        let mut doubled = lines.clone();
        doubled.insert(second, lines[second - 2].clone());
        assert_fault(&doubled, second, "the game ended above");
    }
}

#[test]
fn foreign_headers_are_refused() {
    let game = NAMES[0];
    let lines = records(game, about(game).unwrap().default_players, 1);
    let place = places(&lines, "{\"format\"")[1];
    spoil(
        &lines,
        place,
        |l| l["format"] = json!("caesar-record/2"),
        "unknown format \"caesar-record/2\"",
    );
    spoil(&lines, place, |l| l["game"] = json!("chess"), "unknown game \"chess\"");
    spoil(&lines, place, |l| l["seats"] = json!(7), "agents for 7 seats");
    spoil(&lines, place, |l| l["agents"] = json!(["a"]), "1 agents for");
    spoil(&lines, place, |l| l["rules"] = json!({"no": {"such": 1}}), "unknown key \"no\"");
    spoil(&lines, place, |l| l["rules"] = json!(3), "instead of an object");
    spoil(&lines, place, |l| l["more"] = json!(3), "unknown field");
    spoil(&lines, place, |l| drop(l.as_object_mut().unwrap().remove("seed")), "missing field");
    spoil(
        &lines,
        place,
        |l| {
            l["seats"] = json!(7);
            l["agents"] = json!(["a", "a", "a", "a", "a", "a", "a"]);
        },
        "a table of 7: conquest2 is for 2 to 6 players",
    );
}

#[test]
fn a_fault_does_not_hide_the_games_after_it() {
    let lines = records("pig", 2, 3);
    let ends = places(&lines, "{\"end\"");
    let mut spoilt = lines.clone();
    for &end in &ends[1..3] {
        spoilt[end] = lines[ends[0]].replace("plies\":", "plies\":9");
    }
    let faults = faults(&spoilt);
    assert_eq!(faults.iter().map(|f| f.game).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn overrides_of_the_rules_travel_with_the_record() {
    let run = "tournament --game pig --set target=20 --blocks 2 --quiet --records -";
    let text = String::from_utf8_lossy(&ended(0, &mut command(run)).stdout).into_owned();
    assert!(text.starts_with(
        r#"{"format":"caesar-record/1","game":"pig","seats":2,"rules":{"target":20},"#
    ));
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!(faults(&lines), []);
    let without: Vec<String> = lines.iter().map(|l| l.replace(r#"{"target":20}"#, "{}")).collect();
    assert_eq!(faults(&without).len(), 4);
}

/// Any byte of a record may be damaged: the check reports it or accepts the record, and never crashes. Accepted
/// records replay.
#[test]
fn damage_anywhere_is_survived() {
    use engine::{Purpose, Randomness, rng};
    let text = records("conquest2", 3, 1).join("\n");
    let mut dice = rng::stream(4, 0, Purpose::Analysis);
    let mut found = 0;
    for _ in 0..150 {
        let mut bytes = text.clone().into_bytes();
        let at = dice.below(bytes.len() as u32) as usize;
        match dice.below(3) {
            0 => bytes[at] = b' ' + dice.below(95) as u8,
            1 => drop(bytes.remove(at)),
            _ => bytes.truncate(at),
        }
        let mut faults = 0;
        check(&mut bytes.as_slice(), &Telling::default(), &mut |checked| {
            faults += u32::from(checked.fault.is_some());
            Ok::<(), std::io::Error>(())
        })
        .unwrap();
        found += u32::from(faults > 0);
    }
    assert!(
        found > 120,
        "only {found} of 150 damages were found; few bytes of a record say nothing"
    );
}

/// Runs `caesar show` with `args` on `records`: exit code, stdout, stderr.
fn show(records: &str, args: &[&str]) -> (i32, String, String) {
    ran_with(command("show -").args(args), records)
}

fn records_of(game: &str) -> String {
    let mut command = command("");
    command.args(["tournament", "--game", game, "--blocks", "2", "--records", "-", "--quiet"]);
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

#[test]
fn an_analysis_says_where_the_played_action_stands() {
    let records = records_of("connect-four");
    let analyse = ["--analyse", "mcts(iterations=60)", "--game", "2"];
    let (code, all, stderr) = show(&records, &[&analyse[..], &["--ply", "1-3"]].concat());
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.starts_with("3 decisions analysed: 180 iterations in "), "{stderr}");
    assert!(all.starts_with("game 2: connect-four for 2, seed 1/1\n"), "{all}");
    assert_eq!(all.matches("~ 60 iterations, depth ").count(), 3, "{all}");
    assert_eq!(all.matches("~ line: ").count(), 3, "{all}");
    assert_eq!(all.matches(" of 7, ").count(), 3, "{all}");
    assert!(!all.contains("end after"), "other plies are left out: {all}");
    // The output for a ply does not depend on other plies.
    let (_, third, _) = show(&records, &[&analyse[..], &["--ply", "3"]].concat());
    let from = |text: &str| text[text.find("     3  seat").unwrap()..].to_owned();
    assert_eq!(from(&all), from(&third));
    let (_, other, _) = show(&records, &[&analyse[..], &["--ply", "3", "--seed", "9"]].concat());
    assert_ne!(from(&third), from(&other));
}

#[test]
fn an_analysis_in_json_is_a_document_a_decision() {
    for game in ["kuhn-poker", "goofspiel", "conquest2"] {
        let records = records_of(game);
        let args = ["--analyse", "mcts(iterations=20)", "--ply", "1-2", "--json", "--best", "2"];
        let (code, documents, stderr) = show(&records, &args);
        assert_eq!(code, 0, "{stderr}");
        let mut n_documents = 0;
        for line in documents.lines() {
            let json: Json = serde_json::from_str(line).unwrap();
            let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
            let promised =
                "game ply player played place iterations depth deepest nodes options line";
            assert_eq!(keys, promised.split(' ').collect::<Vec<_>>());
            assert!(json["options"].as_array().unwrap().len() <= 2, "{line}");
            assert!(json["place"].is_u64(), "{game}: every action is an option here: {line}");
            n_documents += 1;
        }
        assert!(stderr.starts_with(&format!("{n_documents} decisions")), "{stderr}");
    }
}

#[test]
fn a_whole_game_of_conquest2_can_be_analysed() {
    let records = records_of("conquest2");
    let args = ["--analyse", "mcts(iterations=4, rollout=heuristic)", "--game", "1"];
    let (code, text, stderr) = show(&records, &args);
    assert_eq!(code, 0, "{stderr}");
    assert!(text.contains("played: ") && text.contains("it begins the "), "{stderr}");
}

#[test]
fn wrong_wishes_of_show_are_refused() {
    let records = records_of("kuhn-poker");
    for (args, complaint) in [
        (&["--analyse", "greedy"][..], "--analyse \"greedy\": it does not search"),
        (&["--analyse", "external(command=cat)"], "it does not search"),
        (&["--analyse", "mcts", "--ply", "0"], "expected a number from 1 or a range"),
        (&["--analyse", "mcts", "--ply", "5-2"], "expected a number from 1 or a range"),
        (&["--game", "9"], "stdin: no game 9"),
        (&["--best", "3"], "--analyse"),
    ] {
        let (code, stdout, stderr) = show(&records, args);
        assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}");
        assert!(stderr.contains(complaint), "{args:?}: {stderr}");
    }
    let (code, _, stderr) = show(&records, &["--analyse", "mcts(horizon=leaf)"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("needs an evaluation"), "{stderr}");
}

#[test]
fn a_turn_without_a_choice_has_no_line_but_the_state_after_it_has() {
    for players in [2, 3] {
        let lines = records_of_few_choices(players);
        assert_eq!(faults(&lines), [], "for {players}");
        let header: Json = serde_json::from_str(&lines[0]).unwrap();
        assert_eq!(header["rules"]["max-rounds"], 30);
        let plies = places(&lines, "{\"player\"");
        let states = places(&lines, "{\"state\"");
        let rounds: Vec<Json> =
            states.iter().map(|&at| serde_json::from_str(&lines[at]).unwrap()).collect();
        for pair in rounds.windows(2) {
            let (before, after) = (&pair[0]["state"]["round"], &pair[1]["state"]["round"]);
            assert!(*after == 1 || after.as_u64().unwrap() == before.as_u64().unwrap() + 1);
        }
        let follow = states.windows(2).filter(|pair| pair[0] + 1 == pair[1]).count();
        assert!(follow > 10, "rounds without plies: {follow}");
        assert!(plies.iter().all(|&at| !lines[at].contains("\"legal\":1,")));
        let ends = places(&lines, "{\"end\"");
        let stderr: u64 = ends
            .iter()
            .map(|&at| {
                serde_json::from_str::<Json>(&lines[at]).unwrap()["end"]["plies"].as_u64().unwrap()
            })
            .sum();
        assert_eq!(stderr, plies.len() as u64);
        // A missing state, or a ply without a choice, is found.
        let at = states[states.windows(2).position(|pair| pair[0] + 1 == pair[1]).unwrap() + 1];
        let mut spoilt = lines.clone();
        spoilt.remove(at);
        assert_eq!(faults(&spoilt).len(), 1);
        let mut spoilt = lines.clone();
        spoilt.insert(at, "{\"player\":0,\"legal\":1,\"action\":\"stack\"}".to_owned());
        assert_fault(&spoilt, at, "expected the state of the milestone");
    }
}

/// Records with a compressed ending are compressed, and every command that reads records reads them.
#[test]
fn compressed_records_are_written_and_read_by_their_ending() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 2 --blocks 40 --quiet --seed 5";
    for threads in [1, 2] {
        for ending in ["jsonl", "jsonl.gz", "jsonl.zst"] {
            done_at(&format!("{run} --threads {threads} --records {{}}/{threads}.{ending}"), dir);
        }
    }
    let bytes = |name: &str| std::fs::read(dir.join(name)).unwrap();
    let plain = bytes("1.jsonl");
    for (ending, begins) in
        [("jsonl.gz", &[0x1f, 0x8b][..]), ("jsonl.zst", &[0x28, 0xb5, 0x2f, 0xfd])]
    {
        let packed = bytes(&format!("1.{ending}"));
        assert!(packed.starts_with(begins) && packed.len() < plain.len() / 2, "{ending}");
        assert_eq!(packed, bytes(&format!("2.{ending}")), "{ending}: on any number of threads");
        assert_eq!(done_at(&format!("check {{}}/1.{ending}"), dir), "80 games, 0 with faults\n");
        let show = |name: &str| done_at(&format!("show {{}}/{name} --game 7 --full"), dir);
        assert_eq!(show(&format!("1.{ending}")), show("1.jsonl"));
        let from = |name: &str| {
            let go_on = "tournament --game pig --players 2 --blocks 3 --format csv --quiet --from";
            done_at(&format!("{go_on} {{}}/{name}:7:5"), dir)
        };
        assert_eq!(from(&format!("1.{ending}")), from("1.jsonl"), "{ending}");
        // A run that can be resumed keeps plain text.
        let (code, _, stderr) = ran(&mut command_at(
            &format!("{run} --out {{}}/run --records {{}}/run/r.{ending}"),
            dir,
        ));
        assert!(code == 2 && stderr.contains("compress them afterwards"), "{stderr}");
        assert!(!dir.join("run").exists());
        // A truncated file is an error.
        std::fs::write(dir.join(format!("cut.{ending}")), &packed[..packed.len() / 2]).unwrap();
        let (code, _, stderr) = ran(&mut command_at(&format!("check {{}}/cut.{ending}"), dir));
        assert!(code != 0 && stderr.lines().count() <= 2, "{code} {stderr}");
    }
}
