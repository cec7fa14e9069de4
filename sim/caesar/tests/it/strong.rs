//! `balance cards --strong`: the first rows are repeated with a stronger agent.

use std::fs;

use serde_json::Value as Json;

use crate::shared::{caesar, command_at, ran};

/// A small study: random games from the last stage on.
const SMALL: &str =
    "balance cards --name loot --stage 4 --agent random --blocks 20 --effect 0.5 --bans none";

#[test]
fn rows_are_repeated_with_the_stronger_agent_and_each_verdict_names_it() {
    let dir = tempfile::tempdir().unwrap();
    let again = "--strong greedy --top 1 --strong-blocks 20 --out {}/cards --json --quiet";
    let (code, text, error) = ran(&mut command_at(&format!("{SMALL} {again}"), dir.path()));
    assert_eq!(code, 0, "{error}");
    let told: Json = serde_json::from_str(&text).unwrap();
    let strong = &told["strong"];
    assert_eq!((&strong["agent"], &strong["blocks"]), (&"greedy".into(), &20.into()));
    let row = &strong["rows"][0];
    assert_eq!((&row["name"], &row["stage"]), (&"loot".into(), &4.into()));
    // The numbers are those of a study of the stronger agent, which has its own directory.
    let own = fs::read_to_string(dir.path().join("cards/strong-s4/summary.json")).unwrap();
    let own: Json = serde_json::from_str(&own).unwrap();
    assert_eq!(own["agents"][0], "greedy");
    assert_eq!(row["strong"]["estimate"], own["cards"][0]["surplus"]["estimate"], "{own}");
    assert_ne!(row["strong"]["estimate"], row["weak"]["estimate"]);
    let (code, text, _) = caesar(&format!("{SMALL} --strong greedy --top 1 --strong-blocks 20"));
    assert_eq!(code, 0);
    assert!(
        text.starts_with("First rows repeated with greedy: worth of a card less its price"),
        "{text}"
    );
    assert!(text.contains("1 rows hold for greedy"), "{text}");
    assert!(text.contains("in share of the points, by random"), "{text}");
}

#[test]
fn a_stronger_agent_that_cannot_be_asked_is_refused_before_the_first_game() {
    for (more, complaint) in [
        ("--strong gredy", "gredy"),
        ("--strong greedy --strong-blocks 5", "too few for any statement"),
        ("--strong greedy --top 0", "at least 1 row"),
        ("--top 3", "--strong"),
    ] {
        let (code, stdout, error) = caesar(&format!("{SMALL} {more}"));
        assert_eq!((code, stdout.as_str()), (2, ""), "{more}: {error}");
        assert!(error.contains(complaint), "{more}: {error}");
    }
    let (code, _, error) = caesar("balance seats --strong greedy");
    assert_eq!(code, 2, "{error}");
}
