//! Tuned rules: known results are found, wrong input is refused, and files are complete.

use std::fs;

use expect_test::expect;

use super::command::refused;
use crate::shared::{done_at, json};

/// A search in pig: a random agent ends a turn with probability one half, so games to fewer points are shorter.
const LENGTH: &str =
    "tune --game pig --agent random --set target=?20..100 --target length=30 --games 6000";

#[test]
fn a_length_is_met_and_told_with_its_interval() {
    let document = json(LENGTH);
    assert_eq!(document["verdict"], "better", "{document}");
    assert_eq!(document["start"], "target=100");
    let part = &document["parts"][0];
    assert_eq!(part["part"], "choices in a game");
    let number = |of: &str, key: &str| part[of][key].as_f64().unwrap();
    assert!(number("start", "low") > 45.0, "{document}");
    // A point of target is half a choice.
    assert!((number("chosen", "estimate") - 30.0).abs() < 1.5, "{document}");
    assert!(number("chosen", "low") < number("chosen", "estimate"));
    assert!(document["duel"].is_null());
}

#[test]
fn a_share_is_moved_towards_its_target_and_an_agent_held_out_is_asked_too() {
    let document = json(
        "tune --game pig --agent greedy --against random --held-out mcts(iterations=20) --set target=?5..100 --target 0.8 \
         --games 6000",
    );
    // It is farther from its target for an agent of another kind, so the old rules are kept.
    assert_eq!(document["verdict"], "better against the pool only", "{document}");
    assert_eq!(
        (&document["candidate"], &document["winner"]),
        (&"target=5".into(), &"target=100".into())
    );
    assert_eq!(document["held_out"][0]["opponent"], "mcts(iterations=20)");
    assert_eq!(document["held_out"][0]["verdict"], "worse");
    assert_eq!(document["worse_against"], serde_json::json!(["mcts(iterations=20)"]));
    assert!(document["next_command"].is_null(), "{document}");
}

#[test]
fn a_share_is_met_though_the_loss_is_steeper_on_one_side() {
    let document = json(
        "tune --game pig --agent greedy --against random --set target=?5..60=55 --target 0.25 --games 6000",
    );
    assert_eq!(document["verdict"], "better", "{document}");
    // It begins at 0.118, 17 has a quarter, and the parabola through the loss has its top at 27 to 33.
    let met: u32 =
        document["winner"].as_str().unwrap().trim_start_matches("target=").parse().unwrap();
    assert!((12..=23).contains(&met), "{document}");
}

#[test]
fn seats_that_are_equal_are_left_alone() {
    // The first seat has an edge in pig that no number of points removes.
    let document = json(
        "tune --game pig --agent random --set target=?90..100 --target seat-fairness --games 6000",
    );
    assert_ne!(document["verdict"], "better", "{document}");
    assert_eq!(document["winner"], "target=100");
}

#[test]
fn the_winner_is_a_file_of_rules_that_other_commands_take() {
    let dir = tempfile::tempdir().unwrap();
    done_at(&format!("{LENGTH} --quiet --out {{}}"), dir.path());
    let rules = fs::read_to_string(dir.path().join("rules.toml")).unwrap();
    assert!(rules.starts_with("target = "), "{rules}");
    assert!(
        fs::read_to_string(dir.path().join("parts.csv")).unwrap().contains("choices in a game")
    );
    let document = done_at(
        "tournament --game pig --agent random --agent random --games 200 --rules {}/rules.toml --quiet",
        dir.path(),
    );
    assert!(document.contains("target"), "{document}");
    done_at("report {}/ --out {}/page.html --quiet", dir.path());
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert!(page.contains("Course of the search") && page.contains(">loss</text>"), "{page}");
    assert!(page.contains("Better: target="), "{page}");
}

#[test]
fn a_report_of_rules_that_nothing_mends_says_that_the_start_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    done_at(
        "tune --game pig --agent random --set target=?90..100 --target seat-fairness --games 6000 --quiet --out {}",
        dir.path(),
    );
    done_at("report {}/ --out {}/page.html --quiet", dir.path());
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert!(page.contains("No better; the start is kept: target=100"), "{page}");
}

#[test]
fn what_no_rules_can_be_tuned_for_is_refused_before_a_game() {
    let pig = "--game pig --agent random --set target=?20..100";
    refused(
        pig,
        &expect!["error: rules are open, but no target is named: name one, as in seat-fairness"],
    );
    refused(
        "--game pig --agent random --set tarrget=?20..100 --target length=30",
        &expect![[r#"error: --set tarrget=20: unknown key "tarrget" (nearest: target)"#]],
    );
    refused(
        "--game pig --agent random --set target=? --target length=30",
        &expect!["error: target: its possible values are unknown: give some, as in ?5..30 or ?a|b"],
    );
    refused(
        "--game pig --agent random --set target=?1..100 --target length=30",
        &expect!["error: --set target=1: target: 1 is out of range (2 to 1000)"],
    );
    refused(
        &format!("{pig} --target 0.5"),
        &expect!["error: a share needs an opponent: name one, as in greedy or random"],
    );
    refused(
        &format!("{pig} --target length=30 --against greedy"),
        &expect!["error: length=30 is of games in which one agent has all seats: name no opponent"],
    );
}

#[test]
fn a_target_that_the_game_or_the_method_cannot_serve_is_refused() {
    let pig = "--game pig --agent random --set target=?20..100";
    refused(
        &format!("{pig} --target pick-rate:loot=0.5"),
        &expect![
            "error: --game pig: it declares no things that are taken for a price (games that do: conquest2, rise)"
        ],
    );
    refused(
        "--game conquest2 --agent random --set cards.loot.cost=?5..30 --target pick-rate:lot=0.5",
        &expect![
            "error: --target lot: conquest2 has nothing of this name that is taken for a price (nearest: loot)"
        ],
    );
    refused(
        &format!("{pig} --target length=30 --method spsa"),
        &expect![
            "error: --method spsa: its steps are made for shares of points, and the loss of rules is none: take surface or cma-es"
        ],
    );
    refused(
        &format!("{pig} --target length=30 --games 100"),
        &expect![
            "error: --games 100: too few for any statement: surface in 1 dimension needs at least 5344"
        ],
    );
    refused(
        "--game pig --agent random --against random --target length=30",
        &expect![
            "error: --target length=30: it is for open rules, and no rule is open, as in KEY=?5..30"
        ],
    );
}
