//! Messages that do not mislead: the source of changed numbers, the wrong option or line, and the reason why a foreign
//! file is refused.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod manual;

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::shared::{command, ran};

/// Runs `caesar` with `args` in `dir`: exit code, stdout, stderr.
fn caesar(dir: &Path, args: &[&str]) -> (i32, String, String) {
    ran(command("").current_dir(dir).args(args))
}

/// Runs `caesar` in `dir` with `args` separated by blanks.
fn run(dir: &Path, args: &str) -> (i32, String, String) {
    caesar(dir, &args.split_whitespace().collect::<Vec<_>>())
}

fn printed(dir: &Path, args: &str) -> String {
    let (code, stdout, stderr) = run(dir, args);
    assert_eq!(code, 0, "{args}: {stderr}");
    stdout
}

fn document(dir: &Path, args: &str) -> Json {
    serde_json::from_str(&printed(dir, args)).unwrap()
}

fn files(texts: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    texts.iter().for_each(|(name, text)| fs::write(dir.path().join(name), text).unwrap());
    dir
}

/// Asserts that `caesar` refuses `args` in one or two lines, which begin with `complaint`.
fn refused(dir: &Path, args: &str, complaint: &str) {
    let args: Vec<&str> =
        args.split(' ').map(|word| if word == "''" { "" } else { word }).collect();
    let (code, stdout, stderr) = caesar(dir, &args);
    assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}: {stderr}");
    assert!(stderr.lines().count() <= 2 && stderr.len() < 800, "{args:?}: {stderr}");
    assert!(stderr.starts_with(&format!("error: {complaint}")), "{args:?}:\n{stderr}{complaint}");
}

/// Runs `caesar` in any directory.
fn anywhere(args: &str) -> (i32, String, String) {
    run(Path::new("."), args)
}

#[test]
fn a_single_weight_is_told_and_is_refused_by_its_game() {
    let dir = files(&[("w.toml", "vote = 3\n")]);
    let printed_text =
        printed(dir.path(), "agents conquest2 --agent greedy(persona=senate,weights.city=5)");
    for row in [["persona", "senate", "(spec)"], ["weights.city", "5", "(spec)"]] {
        let mut rows = printed_text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        assert!(rows.any(|words| words.starts_with(&row)), "{printed_text}");
    }
    let over = |spec: &str| {
        let printed_text = printed(dir.path(), &format!("agents conquest2 --agent {spec}"));
        let printed_text = printed_text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (_, after) =
            printed_text.rsplit_once("; over ").expect("a single weight overrules somebody");
        after.trim_end_matches(']').to_owned()
    };
    assert_eq!(
        over("greedy(weights=w.toml,persona=senate,preset=2026-11-22,weights.vote=1.5)"),
        "weights=w.toml 3, persona=senate 0.6, preset=2026-11-22 0.1125, default 0.1125"
    );
    assert_eq!(
        over("greedy(persona=senate,weights.vote=1.5)"),
        "persona=senate 0.6, default 0.1125"
    );
    for (agent, complaint) in [
        ("greedy(weights.city=51)", "weights.city = \"51\" is out of range (accepted: 0 to 50)"),
        ("mcts(weights.cty=5)", "unknown weight \"cty\" (nearest: city)"),
        ("greedy(weights.march=1)", "unknown weight \"march\" of conquest2 ("),
        ("random(weights.city=5)", "unknown parameter \"weights.city\" (there is none)"),
    ] {
        let complaint = format!("agent \"{agent}\": {complaint}");
        refused(dir.path(), &format!("agents conquest2 --agent {agent}"), &complaint);
    }
}

#[test]
fn agents_in_json_have_the_weights_of_a_game() {
    let dir = files(&[]);
    let json = |args: &str| document(dir.path(), args);
    let kinds = json("agents --json");
    assert_eq!(kinds[0]["agent"], "random");
    let of_game = json("agents conquest2 --json");
    let keys: Vec<&String> = of_game.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["game", "lineup", "agents", "weights"]);
    let weight = of_game["weights"][0].as_object().unwrap();
    let keys: Vec<&String> = weight.keys().collect();
    let expected =
        ["name", "default", "of_greedy", "of_searches", "low", "high", "scale", "unit", "meaning"];
    assert_eq!(keys, expected);
    for weight in of_game["weights"].as_array().unwrap() {
        let number = |key: &str| weight[key].as_f64().unwrap();
        assert!((number("low")..=number("high")).contains(&number("default")), "{weight}");
    }
    assert_eq!(json("agents pig --json")["weights"], Json::Array(Vec::new()));
    // Searches of hannibal have their own weights, those of conquest2 use the weights of greedy.
    let other = |game: &str, name: &str| {
        let all = json(&format!("agents {game} --json"));
        let weights = all["weights"].as_array().unwrap().clone();
        weights.iter().find(|weight| weight["name"] == name).unwrap()["of_searches"].clone()
    };
    assert_eq!(other("hannibal", "hand"), 7.812);
    assert_eq!(other("hannibal", "legion"), 0.0);
    assert_eq!(other("conquest2", "token"), Json::Null);
    // Greedy of conquest2 plays differently at a table of three.
    let three = json("agents conquest2 --players 3 --json");
    let token = three["weights"].as_array().unwrap().iter().find(|one| one["name"] == "token");
    assert!(token.unwrap()["of_greedy"].is_number() && token.unwrap()["of_searches"].is_null());
}

#[test]
fn a_changed_value_is_never_called_one_of_the_rulebook() {
    let dir = files(&[(
        "my.toml",
        "[options]\nseasons = 7  # rulebook\n[[province]]\nid = \"asia\"\nvp = [9]\n",
    )]);
    let text = printed(dir.path(), "rules conquest2 --rules my.toml");
    let has = |line: &str| assert!(text.lines().any(|l| l == line), "{line}\n{text}");
    has("seasons = 7                # changed (was 4; rulebook; 5 as an option)");
    has("vp = [9]    # changed (was [10,5]; reconstructed)");
    has("rounds = 4                 # rulebook, per season");
    // Printed rules can be edited and given again, also by hand.
    fs::write(dir.path().join("again.toml"), &text).unwrap();
    assert_eq!(printed(dir.path(), "rules conquest2 --rules again.toml"), text);
    fs::write(dir.path().join("back.toml"), text.replace("seasons = 7", "seasons = 4")).unwrap();
    let back =
        printed(dir.path(), "rules conquest2 --rules back.toml --set province.asia.vp=[10,5]");
    assert_eq!(back, printed(dir.path(), "rules conquest2"));
    let json = document(dir.path(), "rules conquest2 --rules my.toml --json");
    let seasons = json!({"key": "options.seasons", "was": 4, "now": 7, "sources": ["rulebook"]});
    assert_eq!((&json["changed_rules"][0], &json["options"]["seasons"]), (&seasons, &json!(7)));
    assert_eq!(document(dir.path(), "rules conquest2 --json").get("changed_rules"), None);
}

/// The changed rule of pig with `target=30`.
const CHANGED: &str = "target = 30, changed (was 100); all else: Neller and Presser, ";

fn change() -> Json {
    json!([{"key": "target", "was": 100, "now": 30, "sources": []}])
}

/// Returns a text with one line for each paragraph: a line that begins with blanks continues the one before.
fn unwrapped(text: &str) -> String {
    let mut joined = String::new();
    for line in text.lines() {
        joined += if line.starts_with("  ") { " " } else { "\n" };
        joined += line.trim_start();
    }
    joined
}

#[test]
fn every_footer_says_what_was_changed() {
    let dir = files(&[]);
    let at = dir.path();
    let run = "tournament --game pig --blocks 4 --set target=30";
    let line = format!("rules: {CHANGED}");
    let text = unwrapped(&printed(at, &format!("{run} --out all --records all.jsonl --quiet")));
    assert!(text.contains(&format!("\n{line}")), "{text}");
    let shown = printed(at, "show all.jsonl --game 1");
    assert!(shown.contains("\n  rules: target = 30, changed (was 100)\n"), "{shown}");
    for (args, line) in [
        ("replay all --game 4", line.as_str()),
        ("perft pig --set target=30 --depth 2", &line),
        ("speed pig --players 2 --seconds 0.001 --set target=30", &line),
        (
            "odds --attacker 2i --defender 2i --set battle.dice=4",
            "rules: battle.dice = 4, changed (was 3; rulebook); all else: rulebook; map",
        ),
        (
            "compare --game pig --agent random --set target=30 --set-b faces=5 --metric seat=1 --effect 0.9",
            &format!("rules A  {CHANGED}"),
        ),
        (
            "compare --game pig --agent random --set target=30 --set-b faces=5 --metric seat=1 --effect 0.9",
            "rules B  faces = 5, changed (was 6); target = 30, changed (was 100); all",
        ),
        (
            "compare --game pig --agent random --agent random --set target=30 --effect 0.4",
            &format!("rules    {CHANGED}"),
        ),
    ] {
        let text = unwrapped(&printed(at, args));
        assert!(text.lines().any(|l| l.starts_with(line)), "{args}: {line}\n{text}");
    }
    for shard in ["1/2", "2/2"] {
        printed(at, &format!("{run} --shard {shard} --out {} --quiet", &shard[..1]));
    }
    let merged = unwrapped(&printed(at, "merge 1 2 --out whole --quiet"));
    assert!(merged.contains(&format!("\n{line}")), "{merged}");
    let usual = printed(at, "tournament --game pig --blocks 4 --set target=100");
    assert!(!usual.contains("rules:"), "{usual}");
}

#[test]
fn every_document_says_what_was_changed() {
    let dir = files(&[]);
    let at = dir.path();
    let run = "tournament --game pig --blocks 4 --set target=30";
    printed(at, &format!("{run} --out all --quiet"));
    for name in ["manifest.json", "summary.json"] {
        let text = fs::read_to_string(at.join("all").join(name)).unwrap();
        let json: Json = serde_json::from_str(&text).unwrap();
        assert_eq!(json["changed_rules"], change(), "{name}");
    }
    let rows = fs::read_to_string(at.join("all/games.csv")).unwrap();
    let mut rows = csv::Reader::from_reader(rows.as_bytes());
    let column = rows.headers().unwrap().iter().position(|name| name == "rules").unwrap();
    for row in rows.records() {
        assert_eq!(&row.unwrap()[column], "target = 30, changed (was 100)");
    }
    for args in [
        &format!("{run} --json"),
        "replay all --game 4 --json",
        "perft pig --set target=30 --depth 2 --json",
        "speed pig --players 2 --seconds 0.001 --set target=30 --json",
    ] {
        assert_eq!(document(at, args)["changed_rules"], change(), "{args}");
    }
    let arms = document(
        at,
        "compare --game pig --agent random --set-b target=30 --metric seat=1 --effect 0.9 --json",
    );
    assert_eq!(arms["changed_rules"], json!([[], change()]));
    let odds = document(at, "odds --attacker 2i --defender 2i --set battle.dice=4 --json");
    assert_eq!(odds["changed_rules"][0]["sources"], json!(["rulebook"]));
    // The default value is no change.
    let usual = document(at, "tournament --game pig --blocks 4 --set target=100 --json");
    assert_eq!(usual.get("changed_rules"), None);
}

/// Wrong options, and the beginning of each error.
const WRONG_OPTIONS: &[(&str, &str)] = &[
    (
        "tournament --game pig --players -1",
        "invalid value '-1' for '--players <N>': it is below 0, the least that is accepted",
    ),
    (
        "tournament --game pig --games 18446744073709551615",
        "--games 18446744073709551615: too many: the most are ",
    ),
    (
        "tournament --game pig --blocks 18446744073709551615",
        "--blocks 18446744073709551615: too many: the most are ",
    ),
    (
        "tournament --game pig --blocks 99999999999999999999",
        "invalid value '99999999999999999999' for '--blocks <N>': it is out of range (0 to 18446744073709551615)",
    ),
    (
        "tournament --game pig --threads x",
        "invalid value 'x' for '--threads <T>': expected a whole number",
    ),
    (
        "tournament --game pig --out o --shard -1/2",
        "invalid value '-1/2' for '--shard <I/N>': expected I/N",
    ),
    ("tournament --game pig --rules ''", "--rules '': No such file"),
    ("tournament --game pig --set ''", "--set '': expected KEY=VALUE, as in target=100"),
    (
        "tournament --game pig --set TARGET=5",
        "--set TARGET=5: unknown key \"TARGET\" (nearest: target)",
    ),
    (
        "tournament --game pig --set target=nan",
        "--set target=nan: target = nan: expected a whole number as in 100",
    ),
    (
        "tournament --set province.italia.vp=[]",
        "--set 'province.italia.vp=[]': province.italia.vp: tokens lie in key provinces only: give it both",
    ),
    ("tournament --game PIG", "unknown game \"PIG\" (nearest: pig; "),
    (
        "compare --game pig --agent greedy --agent random --max-blocks 18446744073709551615",
        "--max-blocks 18446744073709551615: too many",
    ),
    (
        "compare --game pig --agent greedy --agent random --players 99999999999",
        "--players 99999999999: pig is for 2 to 6 players",
    ),
    (
        "compare --game pig --agent greedy --agent random --effect -inf",
        "invalid value '-inf' for '--effect <E>': expected a number",
    ),
    (
        "compare --game pig --agent greedy --agent random --effect 1e300",
        "--effect 1e300: it is out of range: an equal share of 2 players is 0.5000, so less",
    ),
    (
        "compare --game pig --agent greedy --agent random --effect 1e-300",
        "--effect 1e-300: it is out of range (accepted: from 0.000000001)",
    ),
    (
        "compare --game pig --agent greedy --set-b target=50 --metric plies --effect 1e300",
        "--effect 1e300: it is out of range: values of this metric differ by less than 4294967296",
    ),
    (
        "compare --game pig --agent greedy --set-b target=50 --metric score --effect 1e300",
        "--effect 1e300: it is out of range: values of this metric differ by less than 1000000000",
    ),
    (
        "compare --game pig --agent greedy --set-b target=50 --metric share=",
        "--metric share=: no agent is named, as in share=greedy",
    ),
    (
        "show /dev/null --game 0",
        "invalid value '0' for '--game <N>': it is below 1, the least that is accepted",
    ),
    ("show /dev/null --ply -3", "invalid value '-3' for '--ply <N>': expected a number from 1"),
    ("check ''", "\"\": No such file"),
    ("odds --attacker -3i --defender 3i", "--attacker \"-3i\": "),
    (
        "agents gredy",
        "\"gredy\" is neither a kind of agent nor a game (nearest: greedy; kinds: random, ",
    ),
    (
        "tournament --game pig --agent random --agent greedy(weights=a,b.toml)",
        "agent \"greedy(weights=a,b.toml)\": expected NAME=VALUE instead of \"b.toml\"; a text with a comma stands in double quotes, as in weights=\"a,b.toml\"",
    ),
];

#[test]
fn the_option_that_is_wrong_is_the_one_that_is_named() {
    let dir = files(&[]);
    WRONG_OPTIONS.iter().for_each(|(args, complaint)| refused(dir.path(), args, complaint));
}

#[test]
fn what_a_configuration_file_says_is_named_by_its_line() {
    for (text, complaint) in [
        ("players = 9\n", "t.toml:2: players = 9: pig is for 2 to 6 players"),
        (
            "\nset = [\"target=1\"]\n",
            "t.toml:3: set \"target=1\": target: 1 is out of range (2 to 1000)",
        ),
        ("games = 0\n", "t.toml:2: games = 0: at least 1 game is needed"),
        ("blocks = 1\ngames = 2\n", "t.toml:3: games = 2: blocks are also given: keep one"),
        ("blocks = -1\n", "t.toml:2: invalid value: integer `-1`, expected a whole number from 0"),
        ("rules = \"no.toml\"\n", "t.toml:2: rules = no.toml: No such file"),
        (
            "agents = [\"gredy\", \"random\"]\n",
            "t.toml:2: agent \"gredy\": unknown kind \"gredy\" (nearest: greedy)",
        ),
    ] {
        let dir = files(&[("t.toml", &format!("game = \"pig\"\n{text}"))]);
        refused(dir.path(), "tournament --config t.toml", complaint);
    }
    // An error in an option's value still names the option.
    let dir = files(&[("t.toml", "game = \"pig\"\nplayers = 3\nset = [\"target=50\"]\n")]);
    refused(dir.path(), "tournament --config t.toml --players 9", "--players 9: pig is for");
    refused(
        dir.path(),
        "tournament --config t.toml --set target=1",
        "--set target=1: target: 1 is",
    );
}

#[test]
fn an_agent_of_that_name_is_printed_alone() {
    let dir = files(&[]);
    let text = printed(dir.path(), "agents greedy");
    assert!(text.starts_with("greedy: ") && text.contains("\n  epsilon "), "{text}");
    assert!(!text.contains("mcts:") && !text.contains("as in "), "{text}");
    let pimc = printed(dir.path(), "agents pimc");
    assert!(pimc.contains("\n  iterations ") && !pimc.contains("as in mcts"), "{pimc}");
    assert_eq!(document(dir.path(), "agents greedy --json")["agent"], "greedy");
}

#[test]
fn a_place_that_stands_twice_in_a_file_is_refused_with_both_lines() {
    let twice =
        "[[province]]\nid = \"egypt\"\nvp = [5]\n\n[[province]]\nid = \"egypt\"\ntokens = 3\n";
    let dir = files(&[("r.toml", twice)]);
    let complaint = "r.toml:5: [[province]] \"egypt\" stands twice, first at r.toml:1: keep one";
    refused(dir.path(), "tournament --rules r.toml", complaint);
}

#[cfg(unix)]
#[test]
fn a_run_whose_directory_was_taken_away_is_not_called_intact() {
    let dir = files(&[]);
    let child = command("")
        .args("tournament --game pig --blocks 100000000 --quiet --out run --threads 1".split(' '))
        .current_dir(dir.path())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let rows = dir.path().join("run/games.csv");
    while fs::metadata(&rows).map_or(0, |meta| meta.len()) < 10_000 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    fs::remove_dir_all(dir.path().join("run")).unwrap();
    let id = child.id().to_string();
    std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains("run has changed during the run: files were removed or replaced"),
        "{stderr}"
    );
    assert!(!stderr.contains("intact"), "{stderr}");
}

/// Asserts the refusal of a file that is too long or has no end.
#[cfg(unix)]
fn too_long(dir: &Path, args: &str, place: &str, limit: &str) {
    refused(dir, args, &format!("{place} has more than {limit}, the most that is read"));
}

#[cfg(unix)]
#[test]
fn files_that_are_none_of_ours_are_left_at_a_limit() {
    let dir = files(&[]);
    let at = dir.path();
    let sparse = fs::File::create(at.join("sparse")).unwrap();
    sparse.set_len(1_200_000_000).unwrap();
    let (text, line) = ("1 MiB (1 048 576 bytes)", "4 MiB (4 194 304 bytes)");
    let pig = "tournament --game pig --agent random --agent";
    for file in ["/dev/zero", "sparse"] {
        too_long(at, &format!("rules pig --rules {file}"), &format!("--rules {file}: it"), text);
        too_long(at, &format!("tournament --config {file}"), &format!("--config {file}: it"), text);
        let compare = "compare --game pig --agent greedy --rules-b";
        too_long(at, &format!("{compare} {file}"), &format!("--rules-b {file}: it"), text);
        for spec in [format!("greedy(weights={file})"), format!("mcts(value={file})")] {
            too_long(at, &format!("{pig} {spec}"), &format!("agent \"{spec}\": {file}: it"), text);
        }
        let command = format!("show {file} --analyse mcts(value={file})");
        too_long(at, &command, &format!("agent \"mcts(value={file})\": {file}: it"), text);
        for command in ["check", "show"] {
            too_long(at, &format!("{command} {file}"), &format!("{file}: line 1: the line"), line);
        }
    }
    let (code, _, stderr) = {
        let zeros = fs::File::open("/dev/zero").unwrap();
        let mut command = command("");
        let output = command.args(["check", "-"]).stdin(zeros).output().unwrap();
        (output.status.code(), (), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(code, Some(2));
    assert!(stderr.starts_with("error: stdin: line 1: the line has more than 4 MiB"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn results_that_are_none_of_ours_are_left_at_a_limit() {
    let dir = files(&[]);
    let at = dir.path();
    let run = "tournament --game pig --blocks 5 --quiet --out run";
    printed(at, run);
    let grow = |name: &str| {
        let file = fs::File::options().append(true).open(at.join("run").join(name)).unwrap();
        file.set_len(file.metadata().unwrap().len() + 1_200_000_000).unwrap();
    };
    grow("games.csv");
    let (code, _, stderr) = run_resumed(at, run);
    assert_eq!(code, 2, "{stderr}");
    assert!(
        stderr.contains("games.csv") && stderr.contains("the line has more than 4 MiB"),
        "{stderr}"
    );
    let document = "256 MiB (268 435 456 bytes)";
    grow("manifest.json");
    too_long(at, "replay run --game 1", "run/manifest.json: it", document);
    too_long(at, "replay /dev/zero --game 1", "/dev/zero: it", document);
    too_long(at, "merge run --out whole", "run/manifest.json: it", document);
}

#[cfg(unix)]
fn run_resumed(dir: &Path, args: &str) -> (i32, String, String) {
    run(dir, &format!("{args} --resume"))
}

#[test]
fn the_lines_of_one_game_have_a_limit_together() {
    let dir = files(&[]);
    let line = format!("{{\"x\":\"{}\"}}\n", "y".repeat(1_000_000));
    fs::write(dir.path().join("long.jsonl"), line.repeat(70)).unwrap();
    refused(
        dir.path(),
        "check long.jsonl",
        "long.jsonl: line 68: the record of game 1 has more than 64 MiB (67 108 864 bytes)",
    );
}
