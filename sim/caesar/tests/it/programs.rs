//! Changed programs are other players, in every kind of run that plays them, resumed or joined from shards.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::Value as Json;

use crate::shared::{Ran, command_at, ran};

/// A shell program that plays the first action, and starts no process for an answer.
const FIRST: &str = "#!/bin/sh\nwhile read -r line; do\n  n=${line#*\\\"request\\\":}; n=${n%%[!0-9]*}\n  case $line in\n    \
                     *'\"type\":\"choose\"'*) echo \"{\\\"request\\\":$n,\\\"index\\\":0}\";;\n    \
                     *'\"type\":\"end\"'*) echo \"{\\\"request\\\":$n}\";;\n  esac\ndone\n";

/// Writes an executable program, which differs for each `remark`.
fn program(place: &Path, remark: &str) {
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(place, format!("{FIRST}# {remark}\n")).unwrap();
    fs::set_permissions(place, fs::Permissions::from_mode(0o755)).unwrap();
}

fn manifest(dir: &Path) -> Json {
    let text = fs::read_to_string(dir.join("manifest.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Runs the command with `{bot}` for the agent, and with programs found in `places` first.
fn played(args: &str, dir: &Path, places: &[&str]) -> Ran {
    let mut caesar = command_at("", dir);
    let text = dir.display().to_string();
    let bot = format!("external(command=\"{text}/bot\")");
    caesar.args(args.split_whitespace().map(|arg| match arg {
        "{named}" => "external(command=\"some-bot\")".to_owned(),
        _ => arg.replace("{bot}", &bot).replace("{}", &text),
    }));
    let own = places.iter().map(|place| dir.join(place).display().to_string());
    let path: Vec<String> = own.chain(std::env::var("PATH")).collect();
    ran(caesar.env("PATH", path.join(":")))
}

#[test]
fn a_program_that_path_finds_is_hashed_and_another_of_its_name_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    program(&dir.join("here/some-bot"), "one");
    let run = "tournament --game kuhn-poker --blocks 3 --quiet --agent random --agent {named} --out {}/run --resume";
    let (code, _, stderr) = played(run, dir, &["here"]);
    assert_eq!(code, 0, "{stderr}");
    let hash = blake3::hash(&fs::read(dir.join("here/some-bot")).unwrap()).to_hex().to_string();
    assert_eq!(manifest(&dir.join("run"))["programs"]["some-bot"], hash.as_str());
    // The same bytes elsewhere are the same program.
    program(&dir.join("there/some-bot"), "one");
    assert_eq!(played(run, dir, &["there", "here"]).0, 0);
    program(&dir.join("there/some-bot"), "another");
    let (code, _, stderr) = played(run, dir, &["there", "here"]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("the program file some-bot has changed"), "{stderr}");
    assert_eq!(played(run, dir, &["here"]).0, 0);
    let (code, _, stderr) = played(&format!("{run} --accept-changed"), dir, &["there"]);
    assert_eq!(code, 0, "{stderr}");
    let accepted = &manifest(&dir.join("run"))["accepted_changes"];
    assert_eq!(accepted[0], "the program file some-bot has changed");
}

/// Small runs of every kind that plays programs, without their directory.
const RUNS: [(&str, &str); 4] = [
    (
        "compare",
        "compare --game kuhn-poker --fixed 20 --threads 1 --quiet --agent random --agent {bot}",
    ),
    (
        "balance",
        "balance seats --game kuhn-poker --blocks 300 --effect 0.2 --threads 1 --quiet --agent {bot}",
    ),
    (
        "tune",
        "tune --game kuhn-poker --agent greedy(epsilon=?0..1=0.5) --against {bot} --method random --games 700 \
         --confirm 200 --threads 1 --quiet",
    ),
    (
        "held out",
        "tune --game kuhn-poker --agent greedy(epsilon=?0..1=0.5) --against random --held-out {bot} --method random \
         --games 700 --confirm 200 --threads 1 --quiet",
    ),
];

#[test]
fn every_run_of_a_program_that_was_changed_is_refused_or_keeps_what_was_accepted() {
    for (name, run) in RUNS {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        let bot = dir.join("bot");
        program(&bot, "one");
        let play = |more: &str| played(&format!("{run} {more}"), dir, &[]);
        let done = |more: &str| {
            let (code, _, stderr) = play(more);
            assert_eq!(code, 0, "{name} {more}: {stderr}");
        };
        let refused = |args: &str| {
            let (code, _, stderr) = played(args, dir, &[]);
            assert_eq!(code, 2, "{name}: {stderr}");
            let has_notice =
                stderr.contains("bot has changed") && stderr.contains(dir.to_str().unwrap());
            assert!(has_notice, "{name}: {stderr}");
        };
        let has_accepted = |of: &str| {
            let all = manifest(&dir.join(of))["accepted_changes"].clone();
            let is_one = all.as_array().is_some_and(|all| all.len() == 1);
            let is_it = all[0].as_str().is_some_and(|line| line.ends_with("/bot has changed"));
            assert!(is_one && is_it, "{name}, {of}: {all}");
        };
        done("--out {}/run");
        done("--out {}/run --resume");
        assert!(manifest(&dir.join("run"))["accepted_changes"].is_null(), "{name}");
        done("--out {}/s1 --shard 1/2");
        program(&bot, "another");
        refused(&format!("{run} --out {{}}/run --resume"));
        done("--out {}/run --resume --accept-changed");
        has_accepted("run");
        // Accepting twice is recorded once.
        done("--out {}/run --resume --accept-changed");
        has_accepted("run");
        done("--out {}/s2 --shard 2/2");
        let merge = "merge {}/s2 {}/s1 --out {}/all --quiet";
        refused(&format!("{merge} --run-programs"));
        let merge = format!("{merge} --accept-changed");
        if name != "compare" {
            // It continues, with programs that no user has typed.
            let (code, _, stderr) = played(&merge, dir, &[]);
            let has_question = stderr.contains("this would start the program") && code == 2;
            assert!(has_question && stderr.contains("--run-programs"), "{name}: {code}: {stderr}");
        }
        assert!(!dir.join("all/manifest.json").exists(), "{name}");
        let (code, _, stderr) = played(&format!("{merge} --run-programs"), dir, &[]);
        assert_eq!(code, 0, "{name}: {stderr}");
        has_accepted("all");
        // Changes that a shard accepted are reported for the whole, although both have the same programs now.
        done("--out {}/s1 --shard 1/2 --resume --accept-changed");
        done("--out {}/t2 --shard 2/2");
        let merge = "merge {}/s1 {}/t2 --out {}/again --quiet --accept-changed --run-programs";
        assert_eq!(played(merge, dir, &[]).0, 0, "{name}");
        has_accepted("again");
        // Reading results needs no program.
        let (code, _, stderr) = played("report {}/run --out {}/page.html", dir, &[]);
        assert_eq!(code, 0, "{name}: {stderr}");
    }
}

#[test]
fn studies_and_fits_that_play_every_game_again_play_no_programs() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    program(&dir.join("bot"), "one");
    for run in [
        "balance game --game pig --agent {bot}",
        "balance win-model --game pig --agent {bot}",
        "fit iterate --game pig --out {}/fit --start {bot}",
    ] {
        let (code, _, stderr) = played(run, dir, &[]);
        assert_eq!(code, 2, "{run}: {stderr}");
        assert!(stderr.contains("it is not deterministic"), "{run}: {stderr}");
    }
}

#[test]
fn a_file_that_a_manifest_names_outside_is_refused_also_where_it_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "tournament --game pig --players 2 --blocks 2 --quiet";
    for (shard, out) in [("", "run"), ("--shard 1/2", "s1"), ("--shard 2/2", "s2")] {
        let args = format!("{run} {shard} --out {{}}/{out} --records {{}}/{out}.jsonl");
        assert_eq!(played(&args, dir, &[]).0, 0);
        fs::remove_file(dir.join(format!("{out}.jsonl"))).unwrap();
    }
    let all = [("check {}/run", "--records"), ("merge {}/s1 {}/s2 --out {}/all", "--read-records")];
    for (args, option) in all {
        let (code, stdout, stderr) = played(args, dir, &[]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{args}: {stderr}");
        // The error does not reveal if the file exists, which would disclose this machine's files to a foreign
        // directory.
        assert!(stderr.contains("its manifest names a file outside of it, "), "{args}: {stderr}");
        let remedy = format!("it is read only if you name it also: {option} ");
        assert!(stderr.contains(&remedy) && !stderr.contains("o such file"), "{args}: {stderr}");
    }
    let page = "report {}/run --out {}/page.html";
    let (code, _, stderr) = played(page, dir, &[]);
    let html = fs::read_to_string(dir.join("page.html")).unwrap();
    assert!(code == 0 && html.contains("names a file outside of it"), "{stderr}");
    // A file named on the command line is searched for, and the error has its name.
    let (code, _, stderr) = played("check {}/run --records {}/run.jsonl", dir, &[]);
    assert!(code != 0 && stderr.contains("run.jsonl"), "{code}: {stderr}");
    assert!(!stderr.contains("outside"), "{stderr}");
    let (code, _, stderr) = played(&format!("{page} --force --records {{}}/run.jsonl"), dir, &[]);
    let html = fs::read_to_string(dir.join("page.html")).unwrap();
    assert!(code == 0 && html.contains("run.jsonl: the records are missing"), "{stderr}");
}
