//! Tests of `caesar compare` for people and scripts: results, plans, wrong input, threads, Ctrl-C.

mod fixed;
mod panel;

use std::fs;

use expect_test::{Expect, ExpectFile, expect, expect_file};
use serde_json::Value as Json;

use crate::shared::{self, Ran, caesar, command, interrupted};

/// Runs `caesar compare` with `args` separated by blanks.
fn compare(args: &str) -> Ran {
    caesar(&format!("compare {args}"))
}

fn json(args: &str) -> Json {
    shared::json(&format!("compare {args}"))
}

fn refused(args: &str, complaint: &Expect) {
    shared::refused(&format!("compare {args}"), complaint);
}

fn prints(args: &str, text: &ExpectFile) {
    shared::prints(&format!("compare {args}"), text);
}

#[test]
fn help_and_results_are_as_they_were_read_and_approved() {
    prints("--help", &expect_file!["../../golden/help-compare.txt"]);
    // Greedy rolls once and stops; random play, like a coin toss, continues a little and wins.
    let better = "--game pig --players 3 --agent random --agent greedy";
    prints(better, &expect_file!["../../golden/compare-accept.txt"]);
    let equal = "--game kuhn-poker --agent random --agent random";
    prints(equal, &expect_file!["../../golden/compare-reject.txt"]);
    let rules = "--game kuhn-poker --agent random --set-b cards=5 --metric seat=1";
    prints(rules, &expect_file!["../../golden/compare-rules.txt"]);
    let fixed = "--game pig --players 3 --agent random --agent greedy(epsilon=1) --fixed 200";
    prints(fixed, &expect_file!["../../golden/compare-fixed.txt"]);
    let panel = "--game pig --players 3 --agent greedy --set-b target=60 --max-blocks 1000 --quiet";
    prints(panel, &expect_file!["../../golden/compare-panel.txt"]);
    let few = "--game pig --agent greedy --agent greedy --effect 0.01 --max-blocks 50 --seed 5";
    prints(few, &expect_file!["../../golden/compare-undecided.txt"]);
}

#[test]
fn details_are_printed_with_verbose_and_by_its_former_name() {
    let run = |more: &str| compare(&format!("--game pig --agent random --agent greedy {more}"));
    let words = |(_, stdout, _): &Ran| {
        let lines = stdout.lines().filter(|line| !line.starts_with("speed"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let [brief, long, old] = ["--quiet", "--quiet --verbose", "--quiet --details"].map(run);
    assert!(words(&long).iter().any(|line| line.starts_with("test ")), "{}", long.1);
    assert!(words(&brief).iter().all(|line| words(&long).contains(line)), "{}", brief.1);
    assert!(words(&brief).len() < words(&long).len() && words(&old) == words(&long));
    assert_eq!(long.2, "");
    assert!(old.2.contains("--details is now called --verbose"), "{}", old.2);
}

#[test]
fn the_document_begins_with_what_is_promised() {
    let result = json("--game pig --agent random --agent greedy");
    let keys: Vec<&String> = result.as_object().unwrap().keys().collect();
    let promised = ["verdict", "h0", "h1", "effect", "low", "high", "p", "blocks", "games"];
    assert_eq!(keys[..9], promised);
    assert_eq!(
        (&result["verdict"], &result["test"], &result["h0"], &result["h1"]),
        (&"better".into(), &"H1".into(), &0.0.into(), &0.05.into())
    );
    let number = |key: &str| result[key].as_f64().unwrap();
    assert!(number("low") < number("effect") && number("effect") <= number("high"));
    assert!(number("low") > 0.0 && number("p") < 0.05 && (number("level") - 0.95).abs() < 1e-9);
    assert!(number("sequence_low") <= number("naive_low"));
    assert!(number("naive_high") <= number("sequence_high"));
    assert!((number("games") - 2.0 * number("blocks")).abs() < 1e-9);
    // A share above nine in ten is found at once, for any effect under H1.
    assert!((8.0..=20.0).contains(&number("blocks")), "{result}");
    let small = json("--game pig --agent random --agent greedy --effect 0.001");
    assert!(small["blocks"].as_u64().unwrap() <= 20, "{small}");
    let swapped = json("--game pig --agent greedy --agent random");
    assert_eq!((&swapped["verdict"], &swapped["test"]), (&"worse".into(), &"H1".into()));
    assert!(swapped["high"].as_f64().unwrap() < 0.0, "{swapped}");
}

#[test]
fn hypotheses_can_be_given_in_place_of_an_effect() {
    let agents = "--game pig --agent random --agent greedy(epsilon=1) --max-blocks 3000";
    // An effect is tested in both directions; h0 and h1 are about gains alone.
    let both = json(&format!("{agents} --effect 0.06"));
    let gains = json(&format!("{agents} --h0 0 --h1 0.06"));
    assert_eq!((&both["verdict"], &both["is_two_sided"]), (&"no difference".into(), &true.into()));
    assert_eq!((&gains["test"], &gains["is_two_sided"]), (&"H0".into(), &false.into()));
    let again = gains["command"].as_str().unwrap();
    assert!(again.contains("--h0 0 --h1 0.06 ") && !again.contains("effect"), "{again}");
    // Equal agents are not worse by 0.06.
    let not_worse = json(&format!("{agents} --h0 -0.06 --h1 0"));
    assert_eq!(not_worse["test"], "H1");
    assert!(not_worse["low"].as_f64().unwrap() > -0.06, "{not_worse}");
    assert!(not_worse["command"].as_str().unwrap().contains("--h0 -0.06 --h1 0 "), "{not_worse}");
    // A difference of about twenty plies is more than five in either direction, and less than a hundred.
    let rules = "--game pig --set-b target=50 --metric plies";
    assert_eq!(json(&format!("{rules} --h0 5 --h1 8"))["verdict"], "smaller");
    assert_eq!(json(&format!("{rules} --h0 80 --h1 100"))["verdict"], "no difference");
}

#[test]
fn one_agent_for_all_seats_plays_one_game_a_block_under_each_rule_set() {
    let games_per_block = |args: &str| {
        let result = json(&format!(
            "--game pig --players 3 --set-b target=30 --metric seat=1 --effect 0.2 {args}"
        ));
        result["games"].as_u64().unwrap() / result["blocks"].as_u64().unwrap()
    };
    assert_eq!(games_per_block("--agent greedy(epsilon=0.2)"), 2);
    assert_eq!(games_per_block("--agent greedy --agent greedy --agent greedy(epsilon=0)"), 2);
    assert_eq!(games_per_block("--agent greedy --agent random --agent random"), 6);
}

#[test]
fn a_verdict_depends_on_the_seed_and_never_on_threads() {
    for args in [
        "--game pig --players 3 --agent greedy --agent greedy(epsilon=0.1)",
        "--game pig --set-b target=60 --metric plies --effect 2",
        "--game kuhn-poker --agent random --set-b cards=5 --metric seat=1",
        "--game pig --players 3 --agent greedy --set-b target=60 --max-blocks 400",
    ] {
        let with = |threads: usize| compare(&format!("{args} --json --threads {threads}"));
        let one = with(1);
        assert_eq!(one.0, 0, "{}", one.2);
        assert!([2, 3, 8].into_iter().all(|threads| with(threads) == one), "{args}");
        let other_seed = compare(&format!("{args} --json --seed 2"));
        assert_ne!(other_seed.1, one.1);
    }
}

#[test]
fn both_rule_sets_meet_the_same_dice() {
    // Random games are equal until a player is near the lower target.
    let paired = json("--game pig --agent random --set-a target=90 --metric score --effect 5");
    let efficiency = paired["relative_efficiency"].as_f64().unwrap();
    assert!(efficiency > 1.2, "{paired}");
    // Deals decide a game of Kuhn poker, so a game of random agents with the same deal is informative.
    let deals = json(
        "--game kuhn-poker --agent greedy(epsilon=0.5) --set-b cards=5 --metric seat=1 --max-blocks 2000 --effect 0.02",
    );
    let control = &deals["control_variate"];
    assert!(control["relative_efficiency"].as_f64().unwrap() > 1.3, "{deals}");
    let naive = deals["naive_high"].as_f64().unwrap() - deals["naive_low"].as_f64().unwrap();
    let sharp = control["high"].as_f64().unwrap() - control["low"].as_f64().unwrap();
    assert!(sharp < 0.9 * naive, "{deals}");
    // If the agent is the cheap one itself, its repeated games are no reference.
    let same =
        json("--game kuhn-poker --agent random --set-b cards=5 --metric seat=1 --effect 0.2");
    assert!(same["control_variate"].is_null(), "{same}");
}

#[test]
fn the_direction_of_a_difference_is_from_a_to_b() {
    let shorter = json("--game pig --set-b target=50 --metric plies --effect 2");
    assert_eq!(shorter["verdict"], "smaller");
    assert!(shorter["high"].as_f64().unwrap() < -2.0, "{shorter}");
    let longer = json("--game pig --set-a target=50 --metric plies --effect 2");
    assert!(longer["low"].as_f64().unwrap() > 2.0, "{longer}");
    let means = |result: &Json| [result["means"][0].clone(), result["means"][1].clone()];
    let [a, b] = means(&shorter);
    assert_eq!(means(&longer), [b, a]);
}

#[test]
fn a_plan_says_what_to_expect_from_games_that_are_not_of_the_test() {
    let plan = json("--game pig --players 3 --agent greedy --agent greedy(epsilon=0.1) --plan");
    assert_eq!(plan["pilot_blocks"], 40);
    assert_ne!(plan["pilot_seed"], 1);
    let number = |need: &Json, key: &str| need[key].as_f64().unwrap();
    let fixed = number(&plan["fixed"], "blocks");
    assert!((number(&plan["fixed"], "games") - 3.0 * fixed).abs() < 1e-9);
    for at in ["at_h0", "at_h1"] {
        let by = |key: &str| number(&plan[at][key], "blocks");
        assert!(30.0 <= by("median") && by("median") < by("by_80"), "{plan}");
        assert!(by("by_80") < by("by_95") && by("median") < fixed, "{plan}");
        assert!((number(&plan[at]["by_95"], "games") - 3.0 * by("by_95")).abs() < 1e-9);
    }
    assert!(plan["fixed"]["minutes"].as_f64().unwrap() > 0.0);
    let (code, text, _) =
        compare("--game pig --agent greedy --set-b target=50 --metric seat=1 --plan");
    let names = text.lines().map(|line| line.split(' ').next().unwrap());
    // Continued lines begin with blanks.
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    assert_eq!(
        (code, &names[..]),
        (0, &["pilot", "fixed", "at", "at", "most", "note", "rules", "seed"][..])
    );
}

#[test]
fn max_seat_is_gone_and_the_complaint_says_what_to_name() {
    refused(
        "--game pig --agent greedy --set-b target=50 --metric max-seat",
        &expect![
            "error: --metric max-seat: this metric was removed, since a short pilot cannot find the best seat: name a seat, from seat=1 to seat=2, or leave the metric out to test all of them"
        ],
    );
}

#[test]
fn every_kind_of_metric_can_be_compared() {
    for (metric, name) in [
        ("seat=3", "seat-2"),
        ("points=2", "points_1"),
        ("score", "score"),
        ("score=4", "score_3"),
        ("plies", "plies"),
        ("influence", "influence"),
        ("chaos=1", "chaos_0"),
    ] {
        let args = "--agent random --set-b options.seasons=1 --max-blocks 30 --effect 0.9";
        let result = json(&format!("{args} --metric {metric}"));
        assert_eq!(result["metric"], name);
    }
    let args = "--game pig --agent greedy --agent random --set-b target=30 --effect 0.3";
    let result = json(&format!("{args} --metric share=greedy"));
    assert!(result["means"][0].as_f64().unwrap() < 0.3, "{result}");
}

#[test]
fn what_a_rules_file_says_counts() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("short.toml").display().to_string();
    fs::write(&path, "target = 50\n").unwrap();
    let by_file = json(&format!("--game pig --rules-b {path} --metric plies --effect 2"));
    let by_setting = json("--game pig --set-b target=50 --metric plies --effect 2");
    assert_eq!(by_file["effect"], by_setting["effect"]);
    // Rules of another game are refused with their place.
    let (code, _, stderr) = compare(&format!("--game kuhn-poker --rules-b {path}"));
    assert_eq!(code, 2);
    assert!(stderr.contains(&format!("{path}:1: unknown key \"target\"")), "{stderr}");
    assert_eq!(stderr.lines().count(), 1);
}

#[test]
fn wrong_agents_get_the_right_words() {
    refused(
        "--game pig --agent greedy",
        &expect![
            "error: 1 --agent given: two are needed, the candidate and the baseline (or two rule sets, as in --set-b KEY=VALUE)"
        ],
    );
    refused(
        "--game pig",
        &expect![
            "error: 0 --agent given: two are needed, the candidate and the baseline (or two rule sets, as in --set-b KEY=VALUE)"
        ],
    );
    refused(
        "--game pig --agent greedy --agent gredy",
        &expect![[r#"error: agent "gredy": unknown kind "gredy" (nearest: greedy)"#]],
    );
    refused(
        "--game pgi --agent greedy --agent random",
        &expect![[
            r#"error: unknown game "pgi" (known: conquest2, classic, hannibal, imperium, circus, rise, connect-four, goofspiel, kuhn-poker, pig, tic-tac-toe)"#
        ]],
    );
    refused(
        "--game pig --players 9 --agent greedy --agent random",
        &expect!["error: --players 9: pig is for 2 to 6 players"],
    );
}

#[test]
fn wrong_rules_and_metrics_get_the_right_words() {
    refused(
        "--game pig --set-b target=100",
        &expect![
            "error: both rule sets are the same: change a rule of one side, as in --set-b KEY=VALUE"
        ],
    );
    refused(
        "--game pig --set-b tagret=90",
        &expect![[r#"error: --set-b tagret=90: unknown key "tagret" (nearest: target)"#]],
    );
    refused(
        "--game pig --rules-a /no/such.toml",
        &expect!["error: --rules-a /no/such.toml: No such file or directory (os error 2)"],
    );
    refused(
        "--game pig --players 4 --agent greedy --agent greedy --set-b target=90",
        &expect!["error: 2 agents given, but schedule balanced at tables of 4 needs 4, one a seat"],
    );
    refused(
        "--game pig --agent greedy --agent random --metric plies",
        &expect![
            "error: --metric plies: it is for two rule sets: agents are compared by their share"
        ],
    );
    refused(
        "--game pig --set-b target=90 --metric pleis",
        &expect![
            "error: --metric pleis: there is no such metric (nearest: plies; known: seat=1 to seat=2, plies, score, lead-changes, share=AGENT; with a seat as in score=2)"
        ],
    );
    refused(
        "--game pig --agent greedy --set-b target=90 --metric share=random",
        &expect![[
            r#"error: --metric share=random: no such agent in the line-up (greedy, greedy)"#
        ]],
    );
    refused(
        "--game pig --set-b target=90 --metric plies",
        &expect![
            "error: --metric plies: it needs an effect, the smallest difference that matters (unit: plies)"
        ],
    );
}

#[test]
fn wrong_numbers_get_the_range() {
    let agents = "--game pig --agent greedy --agent random";
    for (option, complaint) in [
        ("--effect 0", expect!["error: --effect 0: it is out of range (accepted: above 0)"]),
        ("--effect -0.1", expect!["error: --effect -0.1: it is out of range (accepted: above 0)"]),
        (
            "--effect 1.5",
            expect![
                "error: --effect 1.5: it is out of range: an equal share of 2 players is 0.5000, so less than 0.5000 can be gained"
            ],
        ),
        (
            "--effect big",
            expect!["error: invalid value 'big' for '--effect <E>': expected a number"],
        ),
        (
            "--effect nan",
            expect!["error: invalid value 'nan' for '--effect <E>': expected a number"],
        ),
        ("--alpha 0", expect!["error: --alpha 0: it is out of range (accepted: 0.0001 to 0.4)"]),
        (
            "--alpha 0.5",
            expect!["error: --alpha 0.5: it is out of range (accepted: 0.0001 to 0.4)"],
        ),
        ("--beta 1.2", expect!["error: --beta 1.2: it is out of range (accepted: 0.0001 to 0.4)"]),
        (
            "--max-blocks 10",
            expect![
                "error: --max-blocks 10: it is out of range (accepted: at least 30, since most verdicts need so many)"
            ],
        ),
        (
            "--threads 0",
            expect!["error: invalid value '0' for '--threads <T>': it is out of range (1 to 1024)"],
        ),
    ] {
        refused(&format!("{agents} {option}"), &complaint);
    }
}

#[test]
fn wrong_hypotheses_get_the_right_words() {
    let agents = "--game pig --agent greedy --agent random";
    for (option, complaint) in [
        (
            "--effect 0.1 --h1 0.2",
            expect![
                "error: --effect 0.1: it is short for h0 = 0 and h1 = 0.1: give either effect, or h0 and h1"
            ],
        ),
        ("--h0 0.1", expect!["error: --h0 0.1: it needs h1, the effect under H1, above it"]),
        ("--h0 0.1 --h1 0.1", expect!["error: --h1 0.1: it must be above h0, which is 0.1"]),
        ("--h1 -0.1", expect!["error: --h1 -0.1: it must be above h0, which is 0"]),
        (
            "--h0 0.1 --h1 0.5",
            expect![
                "error: --h1 0.5: it is out of range: an equal share of 2 players is 0.5000, so less than 0.5000 can be gained"
            ],
        ),
        (
            "--h0 -0.5 --h1 0.1",
            expect![
                "error: --h0 -0.5: it is out of range: an equal share of 2 players is 0.5000, so no more can be lost"
            ],
        ),
    ] {
        refused(&format!("{agents} {option}"), &complaint);
    }
    refused(
        "--game pig --set-b target=90 --metric seat=1 --effect 1",
        &expect!["error: --effect 1: it is out of range: shares differ by less than 1"],
    );
    refused(
        "--game pig --players 3 --agent random --agent greedy --agent greedy --set-b target=90 --metric share=greedy --effect 0.5",
        &expect!["error: --effect 0.5: it is out of range: shares differ by less than 0.5"],
    );
    refused(
        "--game pig --set-b target=90 --metric plies --h0 -1 --h1 1",
        &expect![
            "error: --h0 -1: it is out of range: between rule sets H0 and H1 are about the size of the difference, in either direction (accepted: at least 0)"
        ],
    );
    refused(
        "--game pig --agent greedy --set-b target=90 --metric share=greedy",
        &expect![
            "error: --metric share=greedy: this agent has every seat, so its share is 1/2 under any rules (nearest: seat=1)"
        ],
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_what_is_known_and_exits_with_3() {
    for more in
        ["--agent greedy --agent greedy", "--agent greedy --set-b target=101 --metric seat=1"]
    {
        let args = "compare --game pig --effect 0.00001 --max-blocks 1000000000 --json";
        let output = interrupted(&mut command(&format!("{args} {more}")));
        assert_eq!(output.status.code(), Some(3));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("stopped early: these are interim results"), "{stderr}");
        let result: Json = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(result["verdict"], "undecided");
        assert!(result["blocks"].as_u64().unwrap() > 0, "{result}");
    }
}
