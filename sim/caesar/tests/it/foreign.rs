//! Untrusted text: no output of it controls the terminal.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use crate::shared::{Ran, command_at, done_at, ran};

/// A text that sets the title, clears the screen, paints red, rings, reverses the writing direction, and begins a new
/// line.
const EVIL: &str =
    "evil\u{1b}]0;pwned\u{7}\u{1b}[2J\u{1b}[31m\u{9b}2J\u{202e}\u{2066}\u{7f}\rx\nforged line";

fn at(args: &str, dir: &Path) -> Ran {
    ran(&mut command_at(args, dir))
}

/// Refuses output with a character that controls a terminal, or with a forged line.
fn assert_clean(what: &str, text: &str) {
    let is_bad = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert_eq!(text.find(is_bad), None, "{what}: {text:?}");
    assert!(!text.lines().any(|line| line.starts_with("forged line")), "{what}: {text}");
}

/// Runs a command and checks both of its streams, with and without colours.
fn clean(args: &str, dir: &Path, code: i32) -> String {
    let (ended, stdout, stderr) = at(args, dir);
    assert_eq!(ended, code, "{args}: {stderr}");
    assert_clean(args, &stdout);
    assert_clean(args, &stderr);
    let coloured = at(&format!("{args} --color always"), dir);
    for text in [coloured.1, coloured.2] {
        assert!(!text.contains("\u{1b}[2J") && !text.contains("\u{1b}]0"), "{args}: {text:?}");
        assert!(!text.contains("\u{1b}[31m\u{9b}"), "{args}: {text:?}");
    }
    stdout + &stderr
}

/// Returns the records of two games of tic-tac-toe.
fn records(dir: &Path) -> String {
    done_at("tournament --game tic-tac-toe --blocks 1 --records {}/r.jsonl --quiet", dir);
    fs::read_to_string(dir.join("r.jsonl")).unwrap()
}

/// Returns `text` as it is between the quotes of a document.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap().trim_matches('"').to_owned()
}

#[test]
fn nothing_of_a_foreign_record_commands_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let good = records(dir);
    let evil = quoted(EVIL);
    let write = |text: String| {
        assert_ne!(text, good, "nothing is planted");
        fs::write(dir.join("e.jsonl"), text).unwrap();
    };
    write(good.replace("\"agents\":[\"random\"", &format!("\"agents\":[\"{evil}\"")));
    let printed = clean("show {}/e.jsonl", dir, 0);
    assert!(
        printed.contains("1 evil\\u{1b}]0;pwned\\u{7}") && printed.contains("\\u{a}forged"),
        "{printed}"
    );
    clean("check {}/e.jsonl", dir, 0);
    let seed = good.split("\"seed\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    write(good.replace(&format!("\"seed\":\"{seed}\""), &format!("\"seed\":\"{evil}\"")));
    clean("show {}/e.jsonl --full", dir, 0);
    write(good.replace("tic-tac-toe", &evil));
    for command in ["show {}/e.jsonl", "check {}/e.jsonl"] {
        let printed_by = clean(command, dir, 1);
        assert!(
            printed_by.contains("unknown game") && printed_by.contains("\\u{1b}"),
            "{printed_by}"
        );
    }
    let from = "tournament --game tic-tac-toe --blocks 1 --agent random --from {}/e.jsonl:1:2";
    clean(from, dir, 2);
    let action = good.split("\"action\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    write(good.replacen(&format!("\"action\":\"{action}\""), &format!("\"action\":\"{evil}\""), 1));
    clean("check {}/e.jsonl", dir, 1);
    clean("show {}/e.jsonl", dir, 1);
    clean(from, dir, 2);
    let json = at("check {}/e.jsonl --json", dir).1;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let message = json["faults"][0]["message"].as_str().unwrap();
    assert!(message.contains(EVIL), "documents keep every character: {message:?}");
}

#[test]
fn nothing_of_a_foreign_directory_commands_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    done_at(
        "tournament --game tic-tac-toe --blocks 2 --out {}/run --records {}/run/r.jsonl --quiet",
        dir,
    );
    let place = dir.join("run/manifest.json");
    let good = fs::read_to_string(&place).unwrap();
    let evil = quoted(EVIL);
    for (what, with) in [("\"r.jsonl\"", format!("\"{evil}\"")), ("tic-tac-toe", evil.clone())] {
        let text = good.replace(what, &with);
        assert_ne!(text, good);
        fs::write(&place, text).unwrap();
        for command in ["report {}/run --out {}/p.html", "check {}/run", "replay {}/run --game 1"] {
            let (_, stdout, stderr) = at(command, dir);
            assert_clean(command, &stdout);
            assert_clean(command, &stderr);
        }
    }
}

#[test]
fn nothing_of_foreign_settings_commands_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let toml = EVIL.chars().map(|c| format!("\\U{:08X}", u32::from(c))).collect::<String>();
    fs::write(dir.join("c.toml"), format!("game = \"{toml}\"\n")).unwrap();
    clean("tournament --config {}/c.toml", dir, 2);
    fs::write(dir.join("c.toml"), format!("game = \"pig\"\nagents = [\"{toml}\"]\n")).unwrap();
    clean("tournament --config {}/c.toml", dir, 2);
    fs::write(dir.join("r.toml"), format!("\"{toml}\" = 1\n")).unwrap();
    clean("rules pig --rules {}/r.toml", dir, 2);
    let mut command = command_at("tournament --game pig --blocks 1 --agent random --agent", dir);
    let (code, stdout, stderr) = ran(command.arg(EVIL));
    assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
    assert!(!stderr.contains('\u{1b}') && !stderr.contains('\u{202e}'), "{stderr:?}");
    let mut command = command_at("check", dir);
    let (code, _, stderr) = ran(command.arg(EVIL));
    assert!(code == 2 && !stderr.contains('\u{1b}') && !stderr.contains('\u{7}'), "{stderr:?}");
}
