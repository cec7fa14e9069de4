//! Programs that fail in comparisons and tournaments: no verdict if crashes decide, the end at the first fault, and
//! copies of one game.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;

use crate::external::has_python;
use crate::shared::{Ran, command, ran, rows};

/// A program that always takes the action at one place. It exits at the choice with this number, in the games whose
/// number is divisible by its second argument.
const PROGRAM: &str = "\
import json, sys
place, every = sys.argv[1], int(sys.argv[2])
games = choices = 0
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'start':
        games, choices = games + 1, 0
    elif message['type'] == 'choose':
        choices += 1
        if every and games % every == 0 and choices == 2:
            sys.exit(1)
        index = {'first': 0, 'last': len(message['actions']) - 1}[place]
        print(json.dumps({'request': message['request'], 'index': index}), flush=True)
    else:
        print(json.dumps({'request': message['request']}), flush=True)
";

/// Returns a directory with the program.
fn with_program() -> Option<tempfile::TempDir> {
    let dir = has_python().then(|| tempfile::tempdir().unwrap())?;
    fs::write(dir.path().join("program.py"), PROGRAM).unwrap();
    Some(dir)
}

/// Returns the spec of the program, with a label.
fn program(label: &str, place: &str, every: u32) -> String {
    format!("{label}=external(command=\"python3 program.py {place} {every}\",seconds=60)")
}

/// Returns `caesar` with `args` separated by blanks and these agents, in a directory.
fn caesar(dir: &Path, args: &str, agents: &[&str]) -> Command {
    let mut caesar = command(args);
    caesar.current_dir(dir).args(["--quiet", "--threads", "1"]);
    agents.iter().for_each(|agent| {
        caesar.args(["--agent", agent]);
    });
    caesar
}

fn json(ran: &Ran) -> Json {
    serde_json::from_str(&ran.1).unwrap()
}

const GOOFSPIEL: &str = "--game goofspiel --players 2 --set cards=4";

#[test]
fn a_comparison_that_crashes_decide_has_no_verdict_and_fails() {
    let Some(dir) = with_program() else { return };
    let (dying, also) = (program("dying", "first", 1), program("also", "last", 1));
    let compare = format!("compare {GOOFSPIEL} --json");
    for (args, agents) in [
        (format!("{compare} --max-blocks 30"), ["random", &*dying]),
        (format!("{compare} --fixed 5"), [&*dying, "random"]),
        (format!("{compare} --fixed 5"), [&*dying, &*also]),
        (format!("{compare} --set-b cards=5 --metric seat=1 --fixed 5"), [&*dying, "random"]),
    ] {
        let ran = ran(&mut caesar(dir.path(), &args, &agents));
        let document = json(&ran);
        assert_eq!(
            (ran.0, &document["verdict"]),
            (1, &"none".into()),
            "{args} {agents:?}: {document}"
        );
        let sentence = document["sentence"].as_str().unwrap();
        assert!(sentence.starts_with("no verdict: "), "{sentence}");
        assert!(sentence.contains("were forfeited, more than 5 %; the first in game 1, seat "));
        assert!(document["p"].is_null() && document["effect"].is_null(), "{document}");
    }
    // The reason is the first line, and no number that looks like a verdict follows.
    let args = format!("compare {GOOFSPIEL} --fixed 5");
    let (code, text, _) = ran(&mut caesar(dir.path(), &args, &["random", &dying]));
    assert!(code == 1 && text.starts_with("verdict  no verdict: "), "{text}");
    assert!(!text.contains("p =") && !text.contains("elo "), "{text}");
}

#[test]
fn a_ladder_step_that_crashes_decide_has_no_verdict_and_fails() {
    let Some(dir) = with_program() else { return };
    let open = "external(command=\"python3 program.py first 1\",seconds=?)";
    let args = format!("ladder {GOOFSPIEL} --values 50,60 --max-blocks 30 --json");
    let ran = ran(&mut caesar(dir.path(), &args, &[open]));
    let document = json(&ran);
    assert_eq!((ran.0, &document["steps"][0]["verdict"]), (1, &"none".into()), "{document}");
    assert!(
        document["steps"][0]["p"].is_null() && document["power"] == Json::Array(Vec::new()),
        "{document}"
    );
    assert_eq!(
        document["curve"].as_array().unwrap().len(),
        1,
        "nothing is known above: {document}"
    );
}

#[test]
fn a_few_forfeits_leave_the_verdict_and_are_said() {
    let Some(dir) = with_program() else { return };
    let rare = program("rare", "first", 50);
    let args = format!("compare {GOOFSPIEL} --fixed 30");
    let (code, text, _) = ran(&mut caesar(dir.path(), &args, &["random", &rare]));
    assert!(code == 0 && !text.contains("no verdict"), "{text}");
    assert!(text.contains("forfeits 1 game, the first in game 50, seat "), "{text}");
}

#[test]
fn shards_with_forfeits_are_judged_when_they_are_merged() {
    let Some(dir) = with_program() else { return };
    let dying = program("dying", "first", 1);
    for shard in ["1", "2"] {
        let args = format!("compare {GOOFSPIEL} --fixed 6 --shard {shard}/2 --out {shard}");
        let ran = ran(&mut caesar(dir.path(), &args, &["random", &dying]));
        assert_eq!(ran.0, 0, "{ran:?}");
        let args = format!("tournament {GOOFSPIEL} --blocks 4 --shard {shard}/2 --out t{shard}");
        assert_eq!(super::shared::ran(&mut caesar(dir.path(), &args, &["random", &dying])).0, 0);
    }
    let merged = |args: &str| {
        let mut merge = command(args);
        ran(merge.current_dir(dir.path()).args(["--quiet", "--sample", "0"]))
    };
    let ran = merged("merge 1 2 --out all --json");
    assert_eq!((ran.0, &json(&ran)["verdict"]), (1, &"none".into()), "{ran:?}");
    assert_eq!(merged("merge t1 t2 --out t").0, 1);
}

#[test]
fn a_tournament_of_many_forfeits_fails() {
    let Some(dir) = with_program() else { return };
    for (every, code) in [(1, 1), (50, 0)] {
        let agent = program("dying", "first", every);
        let args = format!("tournament {GOOFSPIEL} --blocks 30");
        let (ended, ..) = ran(&mut caesar(dir.path(), &args, &["random", &agent]));
        assert_eq!(ended, code, "{every}");
        let adaptive = format!("{args} --adaptive");
        let (ended, ..) = ran(&mut caesar(dir.path(), &adaptive, &["random", &agent]));
        assert_eq!(ended, code, "{every}");
    }
}

/// The run ends with the block of the first forfeit, names the agent, the place and the reason, and continues
/// afterwards.
#[test]
fn the_first_fault_ends_a_run_that_is_told_to_stop_there() {
    let Some(dir) = with_program() else { return };
    let dying = program("dying", "first", 7);
    for (args, table) in [
        (format!("compare {GOOFSPIEL} --fixed 10 --out c"), "c/trace.csv"),
        (format!("tournament {GOOFSPIEL} --blocks 10 --out t"), "t/games.csv"),
        (format!("tournament {GOOFSPIEL} --blocks 10 --adaptive --out a"), "a/games.csv"),
    ] {
        let agents = ["random", &*dying];
        let stopping = format!("{args} --stop-at-fault");
        let (code, _, stderr) = ran(&mut caesar(dir.path(), &stopping, &agents));
        assert_eq!(code, 1, "{args}: {stderr}");
        assert!(stderr.contains("ended at the first forfeit ("), "{stderr}");
        assert!(
            stderr.contains("game 7, seat ") && stderr.contains("the program ended"),
            "{stderr}"
        );
        assert!(stderr.contains("--resume continues"), "{stderr}");
        let blocks = if table.starts_with('c') { 4 } else { 8 };
        assert_eq!(rows(&dir.path().join(table)), blocks, "{args}");
        // It continues past the fault, to the requested end or to the next fault.
        let again = format!("{args} --resume");
        let (code, ..) = ran(&mut caesar(dir.path(), &again, &agents));
        assert!(code <= 1, "{args}");
        assert!(rows(&dir.path().join(table)) > blocks, "{args}");
    }
    let open = "external(command=\"python3 program.py first 3\",seconds=?)";
    let args = format!("ladder {GOOFSPIEL} --values 50,60 --stop-at-fault");
    let (code, _, stderr) = ran(&mut caesar(dir.path(), &args, &[open]));
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("ended at the first forfeit (the first in game "), "{stderr}");
}

/// Two deterministic programs in a game without chance play copies of one block.
#[test]
fn copies_of_one_game_have_no_verdict_and_no_p_value() {
    let Some(dir) = with_program() else { return };
    let (first, last) = (program("first", "first", 0), program("last", "last", 0));
    for args in ["--fixed 20", "--max-blocks 60", "--h0 0 --h1 0.1"] {
        let args = format!("compare --game tic-tac-toe {args} --json");
        let ran = ran(&mut caesar(dir.path(), &args, &[&first, &last]));
        let document = json(&ran);
        assert_eq!((ran.0, &document["verdict"]), (0, &"none".into()), "{document}");
        assert!(document["p"].is_null() && document["elo"].is_null(), "{document}");
        assert!(
            document["sentence"].as_str().unwrap().contains("are the same games. "),
            "{document}"
        );
    }
    // An agent that loses every game with new dice is still worse.
    let args = "compare --game goofspiel --json --max-blocks 40";
    let document = json(&ran(&mut caesar(dir.path(), args, &["random", "mcts(iterations=2)"])));
    assert_ne!(document["verdict"], "none", "{document}");
}

/// A study of seats also plays blocks.
#[test]
fn seats_of_one_game_again_and_again_are_not_decided() {
    let Some(dir) = with_program() else { return };
    let args = "balance seats --game tic-tac-toe --blocks 300";
    let document = |agent: &str, more: &str| {
        let (code, text, stderr) = ran(&mut caesar(dir.path(), &format!("{args}{more}"), &[agent]));
        assert_eq!(code, 0, "{stderr}");
        text
    };
    let first = program("first", "first", 0);
    let text = document(&first, "");
    assert!(text.contains("all blocks are copies of one block"), "{text}");
    assert!(text.contains("undecided") && !text.contains("better"), "{text}");
    let json: Json = serde_json::from_str(&document(&first, " --json")).unwrap();
    assert!(json["seats"].as_array().unwrap().iter().all(|seat| seat["p"].is_null()), "{json}");
    // A random agent can be separated.
    let text = document("random", "");
    assert!(text.contains("better") && !text.contains("copies"), "{text}");
}

/// A candidate that forfeits loses its games, unless the search has the option to end there.
#[test]
fn a_search_ends_at_the_first_fault_of_a_candidate_where_that_is_asked_for() {
    let Some(dir) = with_program() else { return };
    let dir = dir.path();
    let args = "tune --game goofspiel --players 2 --games 1500 --confirm 200 --against random --out ended --stop-at-fault";
    let open = "external(command=\"python3 program.py first {every:1..2}\",seconds=60)";
    let (code, _, stderr) = ran(&mut caesar(dir, args, &[open]));
    assert_eq!(code, 1, "{stderr}");
    for part in ["ended at the first forfeit (game ", "seat ", "program.py first", "did not answer"]
    {
        assert!(stderr.contains(part), "{part}: {stderr}");
    }
    assert!(dir.join("ended/manifest.json").exists(), "what was played is kept");
}
