//! Records of every game replay, and every way to spoil one is found, with its line.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::{Value as Json, json};
use sim::catalogue::{NAMES, about};
use sim::record::Fault;
use sim::record::stream::check;

/// Records of `blocks` blocks of random play.
fn records(game: &str, players: usize, blocks: u32) -> Vec<String> {
    let mut command = cargo_bin_cmd!("caesar");
    command.args(["tournament", "--game", game, "--players", &players.to_string(), "--quiet"]);
    for _ in 0..players {
        command.args(["--agent", "random"]);
    }
    command.args(["--blocks", &blocks.to_string(), "--records", "-"]);
    let run = command.assert().success();
    String::from_utf8_lossy(&run.get_output().stdout).lines().map(str::to_owned).collect()
}

fn faults(lines: &[String]) -> Vec<Fault> {
    let mut faults = Vec::new();
    let text = lines.join("\n");
    check(&mut text.as_bytes(), false, &mut |checked| {
        faults.extend(checked.fault);
        Ok::<(), std::io::Error>(())
    })
    .unwrap();
    faults
}

/// Changes one line and asserts that exactly this line is complained of.
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

/// Changes the first number or text inside `value` to another; says whether it found one.
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
            spoil(&lines, place, |l| l["player"] = json!(other(l)), "not the turn of player");
            spoil(&lines, place, |l| l["player"] = json!(77), "not the turn of player 77");
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
        for place in places(&lines, "{\"state\"") {
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
        let forfeit = json!({"player": 0, "reason": "tired"});
        spoil(&lines, end, |l| l["end"]["forfeit"] = forfeit.clone(), "cannot be forfeited");
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
        "seats 7 is out of range",
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
    let run = cargo_bin_cmd!("caesar")
        .args(["tournament", "--game", "pig", "--set", "target=20", "--blocks", "2", "--quiet"])
        .args(["--records", "-"])
        .assert()
        .success();
    let text = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(text.starts_with(
        r#"{"format":"caesar-record/1","game":"pig","seats":2,"rules":{"target":20},"#
    ));
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!(faults(&lines), []);
    let without: Vec<String> = lines.iter().map(|l| l.replace(r#"{"target":20}"#, "{}")).collect();
    assert_eq!(faults(&without).len(), 4);
}

/// Any byte of a record may be damaged: the check says so or takes it, and never crashes. What it takes replays.
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
        check(&mut bytes.as_slice(), false, &mut |checked| {
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
