//! Tests of a fixed number of blocks.

use expect_test::expect;
use serde_json::Value as Json;

use super::{compare, json, refused};

#[test]
fn a_test_of_fixed_length_plays_its_blocks_and_tells_one_interval() {
    let agents = "--game pig --players 3 --agent random --agent greedy(epsilon=1)";
    let result = json(&format!("{agents} --fixed 300"));
    let number = |key: &str| result[key].as_f64().unwrap();
    assert_eq!((result["blocks"].as_u64(), result["games"].as_u64()), (Some(300), Some(900)));
    assert_eq!((&result["design"], &result["h1"]), (&"fixed".into(), &Json::Null));
    assert!((number("effect") - number("mean_effect")).abs() < 1e-12);
    assert!(number("p") > 0.0 && (number("level") - 0.95).abs() < 1e-12);
    assert_eq!(number("p") < 0.05, number("low") > 0.0 || number("high") < 0.0, "{result}");
    // Elo of a share among three: an effect of 0 is 0, and the limits are those of the interval.
    let elo = |effect: f64| {
        let share = 1.0 / 3.0 + effect;
        400.0 * (2.0 * share / (1.0 - share)).log10()
    };
    for (key, effect) in [("elo", "effect"), ("elo_low", "low"), ("elo_high", "high")] {
        assert!((number(key) - elo(number(effect))).abs() < 1e-6, "{key}: {result}");
    }
    let again = result["command"].as_str().unwrap();
    assert!(again.contains(" --fixed 300 --seed 1") && !again.contains("alpha"), "{again}");
    assert_eq!(result["verdict"], "no difference", "{result}");
    let finer = json(&format!("{agents} --fixed 300 --effect 0.001"));
    assert_eq!(finer["verdict"], "undecided", "{finer}");
    assert!(finer["command"].as_str().unwrap().contains("--effect 0.001 --fixed 300"), "{finer}");
    // Not worse by 0.1, and a clear difference between rules.
    let not_worse = json(&format!("{agents} --fixed 300 --h0 -0.1"));
    let words = (&not_worse["verdict"], &not_worse["test"]);
    assert_eq!(words, (&"no difference".into(), &"above".into()), "{not_worse}");
    let rules = json("--game pig --set-b target=50 --metric plies --fixed 100");
    assert_eq!((&rules["verdict"], &rules["test"]), (&"smaller".into(), &"below".into()));
    assert_eq!(rules["elo"], Json::Null);
    let small = json("--game pig --set-b target=101 --metric plies --fixed 300 --h0 50");
    assert_eq!((&small["verdict"], &small["test"]), (&"no difference".into(), &"within".into()));
}

#[test]
fn what_belongs_to_a_sequential_test_is_refused_with_a_fixed_length() {
    let agents = "--game pig --agent greedy --agent random --fixed 100";
    for (option, name) in [
        ("--max-blocks 500", "max-blocks"),
        ("--h0 0 --h1 0.1", "h1"),
        ("--alpha 0.01", "alpha"),
        ("--beta 0.1", "beta"),
        ("--plan", "plan"),
    ] {
        let (code, stdout, stderr) = compare(&format!("{agents} {option}"));
        assert_eq!((code, stdout.as_str()), (2, ""), "{option}");
        assert!(stderr.starts_with("error: --fixed 100: "), "{stderr}");
        let remedy = format!("give either fixed or {name}\n");
        assert!(stderr.ends_with(&remedy) && stderr.lines().count() == 1, "{stderr}");
    }
    refused(
        "--game pig --agent greedy --agent random --fixed 4",
        &expect![
            "error: --fixed 4: it is out of range (accepted: at least 5, since fewer do not show their spread)"
        ],
    );
    refused(
        "--game pig --agent greedy --agent random --fixed 100 --h0 0.5",
        &expect![
            "error: --h0 0.5: it is out of range: an equal share of 2 players is 0.5000, so less than 0.5000 can be gained"
        ],
    );
}
