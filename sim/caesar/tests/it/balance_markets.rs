//! Games with several markets, places without cities, and a turn order without bids.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value as Json;

use crate::shared::caesar;

fn run(args: &str) -> (i32, String, String) {
    caesar(args)
}

/// Returns the results of a study of rise, with games of two random players.
fn document(study: &str) -> Json {
    let args = format!(
        "balance {study} --game rise --players 2 --agent random --effect 0.4 --json --quiet"
    );
    let (code, json, error) = run(&args);
    assert_eq!((code, error.as_str()), (0, ""), "{study}");
    serde_json::from_str(&json).unwrap()
}

#[test]
fn each_market_sells_its_own_things_at_the_price_of_the_stage() {
    let of = |more: &str| {
        let json = document(&format!("cards --blocks 20 {more}"));
        let lines = json["cards"].as_array().unwrap().clone();
        // Later it may be gone from the display.
        assert!(lines[0]["pick_rate"]["estimate"].as_f64() > Some(0.0), "{}", lines[0]);
        lines
            .into_iter()
            .map(|line| (line["season"].as_u64().unwrap(), line["printed_price"].as_i64().unwrap()))
    };
    let prices = |more: &str| of(more).collect::<Vec<_>>();
    // A tile of the first era costs more in each era.
    let tile = "--market progress --name iron_weapons --stage 1 --stage 3 --stage 5 --bans none";
    assert_eq!(prices(tile), [(1, 0), (3, 1), (5, 2)]);
    assert_eq!(prices("--market territory --name plain --stage 1"), [(1, 0)]);
    assert_eq!(
        prices("--name memphis --stage 1"),
        prices("--market cities --name memphis --stage 1")
    );
}

#[test]
fn regions_are_given_from_the_turn_on_in_which_they_open() {
    let json = document(
        "provinces --blocks 20 --name north_africa --name india --stage 1 --stage 5 --sweep",
    );
    let lines = json["provinces"].as_array().unwrap();
    let given = |line: &Json| {
        assert_eq!(line["token"]["n"], 20);
        assert!(line["contest"]["estimate"].as_f64().is_some(), "{line}");
        (line["province"].as_str().unwrap().to_owned(), line["season"].as_u64().unwrap())
    };
    let mut given: Vec<(String, u64)> = lines.iter().map(given).collect();
    given.sort();
    assert_eq!(
        given,
        [("india", 5), ("north_africa", 1), ("north_africa", 5)].map(|(n, s)| (n.to_owned(), s))
    );
    let steps =
        json["sweeps"].as_array().unwrap().iter().map(|one| one["change"].as_i64().unwrap());
    assert!(steps.clone().count() >= 6 && steps.clone().all(|step| step.abs() == 1));
}

#[test]
fn places_in_an_order_that_is_chosen_are_told_without_an_auction() {
    let json = document("seats --blocks 100 --stage 2");
    let order = json["order"].as_array().unwrap();
    assert_eq!(order.len(), 2);
    let sum: f64 = order.iter().map(|one| one["effect"]["estimate"].as_f64().unwrap()).sum();
    assert!(sum.abs() < 1e-9, "{order:?}");
    assert!(json["auction"].as_array().unwrap().is_empty());
}

#[test]
fn markets_and_sweeps_that_are_not_there_are_refused() {
    for (args, expected) in [
        ("cards --game rise --market tiles", "known: cities, progress, territory"),
        ("cards --market cities", "conquest2 has no such market (known: cards)"),
        (
            "cards --game rise --market progress --sweep",
            "--sweep true: these things have no prices",
        ),
        ("alliances --game rise", "declares no turn order that players bid for"),
    ] {
        let (code, stdout, stderr) = run(&format!("balance {args}"));
        assert_eq!((code, stdout.as_str()), (2, ""), "{args}");
        assert!(stderr.contains(expected) && stderr.lines().count() <= 2, "{args}: {stderr}");
    }
}
