//! Tests of `fit policy`: heads that searches accept, equal on any number of threads, and refusals.

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use serde_json::Value as Json;

use crate::shared::{command_at, done_at, ran};

const SMALL: &str = "fit policy --players 2 --games 30 --parts 3 --per-game 6 --batch 8 --passes 3 \
                     --rate 0.005 --search mcts(iterations=20,value={}/value.net)";

fn refused(args: &str, dir: &Path, complaint: &Expect) {
    let (code, stdout, stderr) = ran(&mut command_at(args, dir));
    let stderr = stderr.replace(&dir.display().to_string(), "DIR");
    complaint.assert_eq(stderr.trim_end());
    assert_eq!((code, stdout.as_str()), (2, ""), "{args}");
}

/// Fits a net for a table of two, and returns its text.
fn fit_value(dir: &Path) -> String {
    let net = "fit net --players 2 --games 30 --parts 3 --per-game 2 --passes 1";
    done_at(&format!("{net} --out {{}}/value.net"), dir);
    read(dir, "value.net")
}

fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).expect("the fit has written it")
}

/// Returns the text without the line of the checksum and without the head.
fn below(text: &str) -> String {
    let net = text.split("\n[policy]\n").next().unwrap_or_default();
    let lines = net.lines().filter(|line| !line.starts_with("checksum"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_head_is_one_that_searches_take_and_is_the_same_on_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let net = fit_value(dir);
    let one = done_at(&format!("{SMALL} --threads 1 --out {{}}/one.net --json"), dir);
    assert_eq!(one, done_at(&format!("{SMALL} --threads 3 --out {{}}/two.net --json"), dir));
    let text = read(dir, "one.net");
    assert_eq!(text, read(dir, "two.net"));
    assert!(text.len() < 500_000);
    // The net below the head stays as it was.
    assert_eq!(below(&text), below(&net));
    let document: Json = serde_json::from_str(&one).unwrap();
    assert_eq!(document["passes"].as_array().unwrap().len(), 3);
    let all = document["held_out"].as_array().unwrap().last().unwrap();
    let loss = |by: &str| all[by].as_f64().unwrap();
    assert!(loss("entropy") < loss("head") && loss("head") < loss("even"), "{all}");
    // The search decides otherwise with the head, and a head takes the place of another.
    let records = |file: &str| {
        let agents = format!("--agent mcts(iterations=10,value={{}}/{file}) --agent greedy");
        let play = format!("tournament --players 2 {agents} --games 2 --quiet --records -");
        let records = done_at(&play, dir);
        records.lines().skip(1).map(str::to_owned).collect::<Vec<String>>()
    };
    assert_ne!(records("one.net"), records("value.net"));
    let again = SMALL.replace("value.net", "one.net");
    done_at(&format!("{again} --to values --out {{}}/three.net"), dir);
    let third = read(dir, "three.net");
    assert_eq!((third.matches("[policy]").count(), below(&third)), (1, below(&net)));
}

#[test]
fn what_cannot_be_learnt_or_taken_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fit_value(dir);
    done_at(&format!("{SMALL} --out {{}}/one.net"), dir);
    let text = read(dir, "one.net");
    let at = text.find("options = ").unwrap() + "options = \"".len();
    let other = format!("{}0123456789abcdef{}", &text[..at], &text[at + 16..]);
    fs::write(dir.join("other.net"), other).unwrap();
    let cases = [
        (
            "fit policy --game classic --players 4",
            expect![
                "error: --game classic: it counts no inputs of options (games that do: conquest2)"
            ],
        ),
        (
            "fit policy --players 4 --search mcts(net=off)",
            expect![
                "error: --search 'mcts(net=off)': it has no net that could get a policy head: name one by value=FILE (`fit net` makes them), or net=on"
            ],
        ),
        (
            "fit policy --players 2 --search mcts(iterations=20,value={}/value.net) --games 20",
            expect![
                "error: --games 20: 20 games are too few to hold out 10 parts of: at least 100 are needed"
            ],
        ),
        (
            "fit policy --players 4 --to values --spread 0",
            expect!["error: --spread 0: it is not above 0"],
        ),
        (
            "tournament --players 2 --agent mcts(value={}/other.net) --agent greedy --games 2",
            expect![[
                r#"error: agent "mcts(value=DIR/other.net)": checksum: the file was cut, damaged or changed since it was made"#
            ]],
        ),
    ];
    cases.iter().for_each(|(args, complaint)| refused(args, dir, complaint));
}
