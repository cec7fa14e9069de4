//! `tournament --ratings`: what is printed, and that it depends on the games only.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value as Json;

fn tournament(words: &str) -> String {
    let mut command = cargo_bin_cmd!("caesar");
    command.args(["tournament", "--ratings", "--quiet", "--seed", "5"]);
    command.args(words.split_whitespace());
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

/// The document and its entries about ratings, by kind.
fn lines(text: &str) -> BTreeMap<String, Vec<Json>> {
    let document: Json = serde_json::from_str(text).unwrap();
    let mut lines = BTreeMap::<String, Vec<Json>>::new();
    for line in document["ratings"].as_array().unwrap() {
        lines.entry(line["kind"].as_str().unwrap().to_owned()).or_default().push(line.clone());
    }
    lines.insert("summary".to_owned(), vec![document]);
    lines
}

#[test]
fn ratings_do_not_depend_on_the_number_of_threads() {
    let game = "--game pig --players 3 --blocks 60 --agent random --agent greedy --agent random";
    let run = |threads: &str| {
        let text = tournament(&format!("{game} --threads {threads}"));
        text.lines().filter(|line| !line.contains("games/s")).collect::<Vec<_>>().join("\n")
    };
    let one = run("1");
    assert_eq!(one, run("4"));
    for part in
        ["rating [95 %]", "finishes before", "superiority", "cycles:", "Nash average", "seats, Elo"]
    {
        assert!(one.contains(part), "no {part} in {one}");
    }
}

#[test]
fn the_document_says_of_ratings_what_it_says_of_shares() {
    let text = tournament("--game tic-tac-toe --blocks 40 --json --agent random --agent greedy");
    let lines = lines(&text);
    let summary = &lines["summary"][0];
    assert_eq!((lines["summary"].len(), summary["games"].as_u64()), (1, Some(80)));
    assert_eq!(lines["ratings"][0]["groups"], 40);
    for rating in &lines["rating"] {
        let agents = summary["agents"].as_array().unwrap();
        let line = agents.iter().find(|line| line["spec"] == rating["agent"]).unwrap();
        assert_eq!(line["games"], rating["games"]);
    }
    let elo = |line: &Json| line["elo"].as_f64().unwrap();
    let sum = lines["rating"].iter().map(elo).sum::<f64>();
    assert!(sum.abs() < 1e-6 && lines["seat"].len() == 2);
    // Points of tic-tac-toe are those head to head, draws half, so the pair has the share of the summary.
    let pair = &lines["pair"][0];
    let spec = &pair["agent"];
    let shares = summary["agents"].as_array().unwrap();
    let share =
        shares.iter().find(|line| line["spec"] == *spec).unwrap()["share"].as_f64().unwrap();
    assert!((pair["share"].as_f64().unwrap() - share).abs() < 1e-9, "{pair}");
    assert_eq!(lines["alpha-rank"].len(), 8, "pairs and table at four intensities");
}

#[test]
fn an_agent_alone_has_no_relations() {
    let text = tournament("--game pig --players 2 --blocks 5 --agent random --agent random");
    assert!(text.contains("one agent alone"), "{text}");
}
