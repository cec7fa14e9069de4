//! Comparisons of rule sets by several metrics at once.

use expect_test::expect;

use super::{compare, json, refused};

#[test]
fn rule_sets_without_a_metric_are_compared_by_a_panel_that_says_what_moved() {
    let result = json("--game pig --players 3 --agent greedy --set-b target=60 --max-blocks 1000");
    let names = |key: &str| -> Vec<&str> {
        result[key].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
    };
    let moved = names("moved");
    assert!(moved.contains(&"plies") && moved.contains(&"score"), "{result}");
    let members = result["members"].as_array().unwrap();
    assert_eq!(members.len(), 6, "three seats, length, score, lead: {result}");
    let named = names("moved").len() + names("no_difference").len() + names("undecided").len();
    assert_eq!(named, members.len(), "{result}");
    assert_eq!(result["verdict"], "moved", "{result}");
    let mut parts = 0.0;
    for member in members {
        let number = |key: &str| member[key].as_f64().unwrap();
        parts += number("alpha");
        assert!(number("low") <= number("effect") && number("effect") <= number("high"));
        let is_moved = matches!(member["verdict"].as_str().unwrap(), "larger" | "smaller");
        let is_out = number("low") > 0.0 || number("high") < 0.0;
        // Every "moved" has an interval that is simultaneous over all metrics.
        assert!(!is_moved || (is_out && number("p") < 0.05), "{member}");
        // Every "no difference" has an interval within the stated effect, at the level of that verdict.
        let is_small = number("low") > -number("h1") && number("high") < number("h1");
        let level = if member["verdict"] == "no difference" { 0.9 } else { 1.0 - number("alpha") };
        assert!(member["verdict"] != "no difference" || is_small, "{member}");
        assert!((number("level") - level).abs() < 1e-9, "{member}");
        // The difference is that of the printed means.
        let mean = |arm: usize| member["means"][arm].as_f64().unwrap();
        assert!((mean(1) - mean(0) - number("effect")).abs() < 1e-9, "{member}");
    }
    assert!((parts - 0.05).abs() < 1e-12, "the parts of alpha add up to it: {result}");
    // A named metric is tested as before.
    let one =
        json("--game pig --players 3 --agent greedy --set-b target=60 --metric plies --effect 2");
    assert_eq!((&one["verdict"], &one["design"]), (&"smaller".into(), &"sequential".into()));
    // In a zero-sum game the mean score is 0, and so is 2 % of it.
    let kuhn = json("--game kuhn-poker --agent random --set-b cards=5 --max-blocks 200");
    assert_eq!(kuhn["left_out"][0]["metric"], "score", "{kuhn}");
    // Games without scores have no leader.
    let board = json("--game hannibal --agent random --set-b map=mirror --max-blocks 60");
    assert_eq!(board["members"].as_array().unwrap().len(), 2, "one seat and the length: {board}");
}

#[test]
fn what_is_about_one_metric_is_refused_for_a_panel() {
    for (option, name) in
        [("--effect 0.1", "effect"), ("--h0 0.1 --h1 0.2", "h0"), ("--fixed 100", "fixed")]
    {
        let (code, stdout, stderr) = compare(&format!("--game pig --set-b target=90 {option}"));
        assert_eq!((code, stdout.as_str()), (2, ""), "{option}");
        assert!(stderr.starts_with(&format!("error: --{name} ")), "{stderr}");
        assert!(stderr.ends_with("name one, as in metric seat=1\n"), "{stderr}");
    }
    let (code, _, stderr) = compare("--game pig --set-b target=90 --plan");
    assert_eq!((code, stderr.lines().count()), (2, 1), "{stderr}");
    refused(
        "--game hannibal --set-b map=mirror --metric lead-changes --effect 1",
        &expect![
            "error: --metric lead-changes: this game has no scores, so no seat leads (nearest: plies)"
        ],
    );
}
