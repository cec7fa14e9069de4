//! The command line for people and scripts: help, lists, wrong input, exit codes.

use std::fs;
use std::io::Read;
use std::process::Stdio;

use expect_test::{ExpectFile, expect, expect_file};

use crate::shared::{Ran, caesar, command, ran_with, refused};

/// Runs `caesar` with input on stdin.
pub(super) fn caesar_with(args: &[&str], stdin: &str) -> Ran {
    ran_with(command("").args(args), stdin)
}

pub(super) fn prints(args: &str, text: &ExpectFile) {
    let (code, stdout, stderr) = caesar(args);
    assert_eq!((code, stderr.as_str()), (0, ""), "{args}");
    text.assert_eq(&stdout);
}

#[test]
fn help_is_as_it_was_read_and_approved() {
    prints("--help", &expect_file!["../golden/help.txt"]);
    prints("tournament --help", &expect_file!["../golden/help-tournament.txt"]);
    prints("leaks --help", &expect_file!["../golden/help-leaks.txt"]);
    prints("diagnose --help", &expect_file!["../golden/help-diagnose.txt"]);
    prints("balance --help", &expect_file!["../golden/help-balance.txt"]);
    prints("balance cards --help", &expect_file!["../golden/help-balance-cards.txt"]);
    prints("balance game --help", &expect_file!["../golden/help-balance-game.txt"]);
    prints("balance win-model --help", &expect_file!["../golden/help-balance-win-model.txt"]);
    prints("merge --help", &expect_file!["../golden/help-merge.txt"]);
    prints("replay --help", &expect_file!["../golden/help-replay.txt"]);
    prints("show --help", &expect_file!["../golden/help-show.txt"]);
    prints("report --help", &expect_file!["../golden/help-report.txt"]);
    prints("check --help", &expect_file!["../golden/help-check.txt"]);
    prints("perft --help", &expect_file!["../golden/help-perft.txt"]);
    prints("odds --help", &expect_file!["../golden/help-odds.txt"]);
    prints("speed --help", &expect_file!["../golden/help-speed.txt"]);
}

#[test]
fn a_preset_by_its_old_name_is_the_preset_and_its_new_name_is_told() {
    let (code, today, stderr) = caesar("agents pig --agent greedy(preset=2026-11-22)");
    assert_eq!((code, stderr.as_str()), (0, ""));
    let (code, old, stderr) = caesar("agents pig --agent greedy(preset=bf4a058)");
    assert_eq!((code, old), (0, today));
    assert!(stderr.contains("preset=bf4a058 is now called preset=2026-11-22"), "{stderr}");
}

#[test]
fn lists_are_as_they_were_read_and_approved() {
    prints("agents pig", &expect_file!["../golden/agents-pig.txt"]);
    let (_, agents, _) = caesar("agents conquest2");
    // The weights of a game are tuned from time to time.
    let (kinds, weights) = agents.split_at(agents.find("Weights of the evaluation in").unwrap());
    expect_file!["../golden/agents-conquest2.txt"].assert_eq(weights);
    let from_select = kinds.split("\n  select ").nth(1).unwrap();
    let select: Vec<&str> = from_select.split_whitespace().take(30).collect();
    let select = select.join(" ");
    assert!(select.contains(" (game)") && select.contains("[ucb1, tuned, puct, "), "{select}");
    assert!(kinds.starts_with("Precedence, highest first: spec, kind"), "{kinds}");
    assert!(kinds.contains("; over default ") && kinds.contains("; over game "), "{kinds}");
    assert!(agents.lines().all(|line| line.chars().count() <= 80), "{agents}");
    prints("perft tic-tac-toe --depth 3", &expect_file!["../golden/perft-tic-tac-toe.txt"]);
    let (_, games, _) = caesar("games");
    assert!(sim::catalogue::NAMES.iter().all(|name| games.contains(name)), "{games}");
}

#[test]
fn a_parameter_of_another_game_is_refused_with_those_of_this_one() {
    let (code, _, error) = caesar("agents pig --agent greedy(persona=raider)");
    assert_eq!(code, 2);
    let refusal = "agent \"greedy(persona=raider)\": pig has no parameter \"persona\" (";
    assert!(error.contains(refusal) && error.trim_end().ends_with("its own: none)"), "{error}");
}

#[test]
fn a_small_tournament() {
    let (code, stdout, _) = caesar("tournament --game pig --players 3 --blocks 20 --threads 2");
    assert_eq!(code, 0);
    let table: String =
        stdout.lines().filter(|l| !l.contains("games/s")).map(|l| format!("{l}\n")).collect();
    expect_file!["../golden/tournament-pig.txt"].assert_eq(&table);
    let (_, json, _) = caesar("tournament --game pig --blocks 20 --json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["game", "players", "blocks", "games", "seed", "seconds", "agents"]);
    let keys: Vec<&String> = json["agents"][0].as_object().unwrap().keys().collect();
    let expected = ["spec", "games", "share", "low", "high", "mean_score", "mean_rank", "interval"];
    assert_eq!(keys[..8], expected);
    assert_eq!(keys[8..13], ["blocks", "wins", "draws", "losses", "seats"]);
    assert_eq!(keys[13..17], ["score_low", "score_high", "rank_low", "rank_high"]);
    assert_eq!(keys[17..20], ["low_together", "high_together", "next_p"]);
    assert_eq!(keys[20..], ["met_next", "next_difference"]);
    assert_eq!(json["agents"][0]["interval"], "korn-graubard");
}

#[test]
fn cheats_and_timed_searches_are_marked_wherever_results_are() {
    let cheat = "clairvoyant(iterations=20)";
    let timed = "mcts(seconds=0.001)";
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().display().to_string();
    let args = ["tournament", "--game", "kuhn-poker", "--blocks", "3", "--agent", cheat];
    let (code, table, _) =
        caesar_with(&[&args[..], &["--agent", timed, "--out", &out]].concat(), "");
    assert_eq!(code, 0);
    let has = |start: &str| table.lines().any(|line| line.starts_with(start));
    assert!(has("clairvoyant#1 (cheats)  "), "{table}");
    assert!(has("clairvoyant#1 = clairvoyant(iterations=20)"), "{table}");
    assert!(has("cheats: clairvoyant#1 sees"), "{table}");
    assert!(has("not reproducible: mcts"), "{table}");
    let read = |name: &str| -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(dir.path().join(name)).unwrap()).unwrap()
    };
    let manifest = read("manifest.json");
    assert_eq!(manifest["cheats"], serde_json::json!([cheat]));
    assert_eq!(manifest["timed"], serde_json::json!([timed]));
    for line in read("summary.json")["agents"].as_array().unwrap() {
        let is = |spec: &str| line["spec"] == spec;
        assert_eq!(line.get("cheats").is_some(), is(cheat), "{line}");
        assert_eq!(line.get("timed").is_some(), is(timed), "{line}");
    }
}

#[test]
fn what_searches_did_is_added_up() {
    let args = ["tournament", "--game", "goofspiel", "--blocks", "3", "--agent", "random"];
    let agents = ["--agent", "mcts(iterations=20)", "--search-stats"];
    let (code, table, _) = caesar_with(&[&args[..], &agents].concat(), "");
    assert_eq!(code, 0);
    let searches = table.split_once("decisions").unwrap().1;
    let line = searches.lines().find(|line| line.starts_with("mcts")).unwrap();
    let numbers: Vec<&str> = line.split("  ").map(str::trim).filter(|n| !n.is_empty()).collect();
    assert_eq!(numbers[1..5], ["72", "12.00", "1 440", "20.00"], "{table}");
    let (_, table, _) = caesar("tournament --game pig --blocks 2 --search-stats");
    assert!(table.contains("no agent searches\n"), "{table}");
}

#[test]
fn wrong_names_get_the_nearest_right_one() {
    refused(
        "tournament --game pgi",
        &expect![[
            r#"error: unknown game "pgi" (known: conquest2, classic, hannibal, imperium, circus, rise, connect-four, goofspiel, kuhn-poker, pig, tic-tac-toe)"#
        ]],
    );
    refused(
        "tournament --game pig --agent radnom --agent random",
        &expect![[r#"error: agent "radnom": unknown kind "radnom" (nearest: random)"#]],
    );
    refused(
        "tournament --game pig --agent greedy(epsilom=1) --agent random",
        &expect![[
            r#"error: agent "greedy(epsilom=1)": unknown parameter "epsilom" (nearest: epsilon)"#
        ]],
    );
    refused(
        "tournament --game pig --set tagret=5",
        &expect![[r#"error: --set tagret=5: unknown key "tagret" (nearest: target)"#]],
    );
    refused(
        "tournament --gmae pig",
        &expect![[r#"error: unexpected argument '--gmae' found
  tip: a similar argument exists: '--game'"#]],
    );
    refused(
        "tuornament",
        &expect![[r#"
            error: unrecognized subcommand 'tuornament'
              tip: some similar subcommands exist: 'tune', 'tournament'"#]],
    );
    refused(
        "rules conquest3",
        &expect![[
            r#"error: unknown game "conquest3" (nearest: conquest2; known: conquest2, classic, hannibal, imperium, circus, rise, connect-four, goofspiel, kuhn-poker, pig, tic-tac-toe)"#
        ]],
    );
}

#[test]
fn wrong_tables_and_lineups_get_the_right_number() {
    refused(
        "tournament --game pig --players 7",
        &expect!["error: --players 7: pig is for 2 to 6 players"],
    );
    refused(
        "tournament --game pig --players 1",
        &expect!["error: --players 1: pig is for 2 to 6 players"],
    );
    refused(
        "tournament --game connect-four --players 3",
        &expect!["error: --players 3: connect-four is for 2 players"],
    );
    refused(
        "tournament --game pig --agent random",
        &expect!["error: 1 agent given, but schedule balanced at tables of 2 needs 2, one a seat"],
    );
    refused(
        "tournament --game pig --agent random --agent random --agent random",
        &expect![
            "error: 3 agents given, but schedule balanced at tables of 2 needs 2, one a seat; schedule round-robin takes more"
        ],
    );
}

#[test]
fn wrong_numbers_get_the_range() {
    refused(
        "tournament --game pig --agent greedy(epsilon=2) --agent random",
        &expect![[
            r#"error: agent "greedy(epsilon=2)": epsilon = "2" is out of range (accepted: 0 to 1)"#
        ]],
    );
    refused(
        "tournament --game pig --games 0",
        &expect!["error: --games 0: at least 1 game is needed"],
    );
    refused(
        "tournament --game pig --blocks 0",
        &expect!["error: --blocks 0: at least 1 block is needed"],
    );
    refused(
        "tournament --game pig --blocks many",
        &expect!["error: invalid value 'many' for '--blocks <N>': expected a whole number"],
    );
    refused(
        "tournament --game pig --threads 0",
        &expect!["error: invalid value '0' for '--threads <T>': it is out of range (1 to 1024)"],
    );
    refused(
        "tournament --game pig --blocks 1 --games 2",
        &expect!["error: the argument '--blocks <N>' cannot be used with '--games <N>'"],
    );
    refused(
        "tournament --game pig --set target=1",
        &expect!["error: --set target=1: target: 1 is out of range (2 to 1000)"],
    );
    refused(
        "tournament --game pig --set target=soon",
        &expect![[
            r#"error: --set target=soon: target = "soon": expected a whole number as in 100"#
        ]],
    );
    refused(
        "tournament --game pig --schedule ladder",
        &expect![
            "error: invalid value 'ladder' for '--schedule <NAME>' [possible values: balanced, round-robin, gauntlet, exhaustive, fixed, adaptive, swiss, knock-out]"
        ],
    );
    refused("perft pig --players 9", &expect!["error: --players 9: pig is for 2 to 6 players"]);
    refused(
        "speed pig --seconds 0",
        &expect!["error: invalid value '0' for '--seconds <S>': accepted: 0.001 to 3600"],
    );
}

#[test]
fn files_that_cannot_be_used_are_refused_before_playing() {
    refused(
        "tournament --game pig --rules /no/such.toml",
        &expect!["error: --rules /no/such.toml: No such file or directory (os error 2)"],
    );
    refused(
        "tournament --game pig --config /no/such.toml",
        &expect!["error: --config /no/such.toml: No such file or directory (os error 2)"],
    );
    refused(
        "tournament --game pig --agent greedy(weights=/no/w.toml) --agent random",
        &expect![[
            r#"error: agent "greedy(weights=/no/w.toml)": /no/w.toml: No such file or directory (os error 2)"#
        ]],
    );
    refused(
        "tournament --game pig --out /dev/null/out",
        &expect!["error: --out /dev/null/out: Not a directory (os error 20)"],
    );
    refused(
        "tournament --game pig --records /dev/null/r.jsonl",
        &expect!["error: --records /dev/null/r.jsonl: Not a directory (os error 20)"],
    );
    refused("tournament --game pig --records /", &expect!["error: --records /: it is a directory"]);
    refused(
        "tournament --game pig --records - --json",
        &expect![
            "error: --records - and --format or --json: stdout takes only one of them; name a file"
        ],
    );
    refused(
        "check /no/such.jsonl",
        &expect!["error: /no/such.jsonl: No such file or directory (os error 2)"],
    );
    refused("check /", &expect!["error: /: it is a directory"]);
    refused("show /dev/null", &expect!["error: /dev/null: no record: it is empty"]);
}

#[test]
fn a_rules_file_is_refused_with_its_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("r.toml").display().to_string();
    for (text, complaint) in [
        ("target = 50\nfaces = = 6\n", ":2: not TOML"),
        ("target = 50\nfacse = 6\n", ":2: unknown key \"facse\" (nearest: faces)"),
        ("\ntarget = -5\n", ":2: target: -5 is out of range"),
    ] {
        fs::write(&path, text).unwrap();
        let (code, _, stderr) = caesar_with(&["rules", "pig", "--rules", &path], "");
        assert_eq!(code, 2);
        assert!(stderr.contains(complaint), "{stderr}");
    }
    fs::write(&path, "target = 50\n").unwrap();
    let (code, stdout, _) =
        caesar_with(&["rules", "pig", "--rules", &path, "--set", "faces=8"], "");
    assert_eq!(code, 0);
    assert!(stdout.contains("target = 50 ") && stdout.contains("faces = 8 "), "{stdout}");
}

#[test]
fn a_pool_meets_in_cycles_and_it_is_said_how_long_one_is() {
    let agents = "--agent greedy --agent random --agent greedy(epsilon=0.5) --agent random";
    let run = format!("tournament --game pig --players 3 {agents} --schedule");
    let (code, stdout, stderr) = caesar(&format!("{run} round-robin"));
    assert_eq!((code, stderr.as_str()), (0, ""));
    let cycle = "schedule round-robin: a full cycle is 4 blocks of 3 games, 12 games";
    assert!(stdout.contains(cycle) && stdout.contains("in 500 blocks"), "{stdout}");
    let (_, stdout, stderr) = caesar(&format!("{run} gauntlet --blocks 4"));
    assert!(stdout.contains("a full cycle is 3 blocks of 3 games, 9 games"), "{stdout}");
    assert!(stderr.starts_with("the candidate does not meet everybody equally often"), "{stderr}");
    let (_, _, stderr) = caesar(&format!("{run} gauntlet --blocks 6"));
    assert_eq!(stderr, "");
}

#[test]
fn games_are_rounded_up_and_it_is_said() {
    let (code, stdout, stderr) = caesar("tournament --game pig --players 4 --games 9");
    assert_eq!(code, 0);
    assert!(stderr.contains("9 games are rounded up to 12"), "{stderr}");
    assert!(stdout.contains("12 games of pig"), "{stdout}");
    let (_, stdout, stderr) = caesar("tournament --game pig --schedule fixed --games 9");
    assert!(stderr.starts_with("the seats are not balanced: "), "{stderr}");
    assert!(stdout.contains("9 games of pig"), "{stdout}{stderr}");
}

#[test]
fn a_config_file_and_options_over_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.toml").display().to_string();
    fs::write(&path, "# why?\ngame = \"pig\"\nagents = [\"random\", \"greedy\"]\ngames = 4\n")
        .unwrap();
    let (_, stdout, _) = caesar_with(&["tournament", "--config", &path, "--seed", "5"], "");
    // The command is wrapped like every line, so that a shell accepts it unchanged.
    let words = stdout.replace('\\', " ");
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("--game pig --players 2 --agent random --agent greedy --schedule balanced --blocks 2 --seed 5"),
        "{stdout}"
    );
}

#[test]
fn check_reads_stdin_and_counts_faults() {
    let (_, records, table) = caesar("tournament --game kuhn-poker --blocks 2 --records - --quiet");
    assert!(table.contains("4 games of kuhn-poker"), "the table goes to stderr: {table}");
    let (code, stdout, _) = caesar_with(&["check", "-", "--json"], &records);
    assert_eq!((code, stdout.as_str()), (0, "{\"games\":4,\"failed\":0,\"faults\":[]}\n"));
    let (code, shown, _) = caesar_with(&["show", "-"], &records);
    assert_eq!(code, 0);
    assert_eq!(shown.matches("end after").count(), 4, "{shown}");
    let spoilt = records.replacen("\"winners\":[0]", "\"winners\":[0,1]", 1);
    let (code, stdout, _) = caesar_with(&["check", "-"], &spoilt);
    assert_eq!(code, 1);
    assert!(stdout.contains("stdin:") && stdout.contains("4 games, 1 with faults"), "{stdout}");
    let (code, stdout, _) = caesar_with(&["check", "-", "--json"], &spoilt);
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &json["failed"]), (1, &serde_json::json!(1)));
    assert!(json["faults"][0]["line"].is_u64() && json["faults"][0]["message"].is_string());
}

#[test]
fn speed_and_perft_in_json() {
    let (_, stdout, _) = caesar("speed pig --players 2 --seconds 0.01 --json");
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(json["threads"], 1);
    let keys: Vec<&String> = json["games"][0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["game", "players", "state_bytes", "plies_per_second", "games_per_second"]);
    assert_eq!(json["search"], serde_json::json!([]));
    let (_, stdout, _) = caesar("perft connect-four --depth 4 --json");
    let expected =
        "{\"game\":\"connect-four\",\"players\":2,\"seed\":1,\"nodes\":[1,7,49,343,2401]}\n";
    assert_eq!(stdout, expected);
}

#[test]
fn the_speed_of_searches() {
    let args = ["speed", "pig", "--players", "3", "--search", "--agent", "mcts(iterations=40)"];
    let (code, stdout, _) = caesar_with(&[&args[..], &["--seconds", "0.001"]].concat(), "");
    assert_eq!(code, 0);
    let words: Vec<&str> = stdout.lines().nth(2).unwrap().split_whitespace().collect();
    assert_eq!(words[..4], ["pig", "mcts(iterations=40)", "3", "40"], "{stdout}");
    let (code, stdout, _) =
        caesar_with(&[&args[..], &["--seconds", "0.001", "--json"]].concat(), "");
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &json["games"]), (0, &serde_json::json!([])));
    let keys: Vec<&String> = json["search"][0].as_object().unwrap().keys().collect();
    let promised = ["game", "players", "agent", "iterations_per_second"];
    assert_eq!(keys[..4], promised);
    assert_eq!(keys[4..], ["iterations", "depth", "nodes", "bytes_per_node"]);
    assert_eq!(json["search"][0]["iterations"], 40.0);
    refused(
        "speed pig --search --agent greedy",
        &expect![[
            r#"error: agent "greedy" does not search, so it has no iterations to count (mcts does)"#
        ]],
    );
    refused(
        "speed pig --agent mcts",
        &expect!["error: the following required arguments were not provided: --search"],
    );
}

#[test]
fn a_reader_of_records_who_goes_stops_a_run_early_and_is_no_error() {
    let mut child = command("tournament --game pig --blocks 1000000 --records - --quiet")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdout.take().unwrap().read_exact(&mut [0; 100]).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let stderr_text = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr_text.contains("stopped early after ") && !stderr_text.contains("error"),
        "{stderr_text}"
    );
}

/// An error about an argument that is not UTF-8 names its option.
#[cfg(unix)]
#[test]
fn a_name_that_is_no_utf8_is_told_with_its_option() {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.toml");
    let mut command = command("tournament --game pig --rules");
    let (code, _, stderr_text) = crate::shared::ran(command.arg(name));
    assert_eq!((code, stderr_text.lines().count()), (2, 1), "{stderr_text}");
    assert!(
        stderr_text.contains("--rules caf\u{fffd}.toml: the name is not UTF-8"),
        "{stderr_text}"
    );
}
