//! Tests of `fit net`: files that searches accept, equal on any number of threads, and refusals.

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use serde_json::Value as Json;

use crate::shared::{command_at, done_at, ran};

const SMALL: &str = "fit net --players 2 --games 60 --parts 3 --per-game 6 --batch 32 --passes 3";

fn refused(args: &str, dir: &Path, complaint: &Expect) {
    let (code, stdout, stderr) = ran(&mut command_at(args, dir));
    let stderr = stderr.replace(&dir.display().to_string(), "DIR");
    complaint.assert_eq(stderr.trim_end());
    assert_eq!((code, stdout.as_str()), (2, ""), "{args}");
}

#[test]
fn a_net_is_one_that_searches_take_and_is_the_same_on_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let one = done_at(&format!("{SMALL} --threads 1 --out {{}}/one.net --json"), dir);
    assert_eq!(one, done_at(&format!("{SMALL} --threads 3 --out {{}}/two.net --json"), dir));
    let read = |name: &str| fs::read_to_string(dir.join(name)).unwrap();
    assert_eq!(read("one.net"), read("two.net"));
    assert!(read("one.net").len() < 500_000);
    let document: Json = serde_json::from_str(&one).unwrap();
    let head = |name: &str| {
        let text = read(name);
        let line = text.lines().find(|line| line.starts_with("command = ")).unwrap().to_owned();
        line["command = \"".len()..line.len() - 1].to_owned()
    };
    assert_eq!(head("one.net"), document["command"].as_str().unwrap());
    assert_eq!(document["passes"].as_array().unwrap().len(), 3);
    let all = document["held_out"].as_array().unwrap().last().unwrap();
    let loss = |by: &str| all[by].as_f64().unwrap();
    // At a table of two, even chances lose ln 2.
    assert!((loss("even") - 2_f64.ln()).abs() < 1e-9 && loss("net") < loss("even"), "{all}");
    let agents = "--agent mcts(iterations=3,value={}/one.net) --agent mcts(iterations=3)";
    done_at(&format!("tournament --players 2 {agents} --games 2 --quiet"), dir);
    // Learning continues from the net, on games of the search itself.
    let more = "fit net --players 2 --games 30 --parts 3 --per-game 2 --passes 1";
    let start = "--start mcts(value={}/one.net) --agent mcts(iterations=2,value={}/one.net)";
    done_at(&format!("{more} {start} --out {{}}/three.net"), dir);
    assert_ne!(read("three.net"), read("one.net"));
}

/// Root values change the targets and nothing else: a share of none is the fit to results.
#[test]
fn the_root_values_of_a_search_can_be_mixed_into_the_targets() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let weights = |name: &str, more: &str| {
        done_at(&format!("{SMALL} {more} --out {{}}/{name}.net"), dir);
        let text = fs::read_to_string(dir.join(format!("{name}.net"))).unwrap();
        text.split_once("weights = ").unwrap().1.to_owned()
    };
    let search = "--search mcts(iterations=4,net=off) --root-share";
    let results = weights("results", "");
    assert_eq!(weights("none", &format!("{search} 0")), results);
    let half = weights("half", &format!("{search} 0.5 --threads 1"));
    assert_eq!(weights("again", &format!("{search} 0.5 --threads 3")), half);
    assert!(half != results && weights("all", &format!("{search} 1")) != half);
    let head = fs::read_to_string(dir.join("half.net")).unwrap();
    assert!(head.contains("--search 'mcts(iterations=4, net=off)' --root-share 0.5"), "{head}");
    refused(
        "fit net --search greedy",
        dir,
        &expect![[
            "error: --search greedy: it is no search, and has no root values: name one, as mcts(iterations=100)"
        ]],
    );
    refused(
        "fit net --search mcts --root-share 1.5",
        dir,
        &expect![[
            "error: invalid value '1.5' for '--root-share <X>': expected a number from 0 to 1"
        ]],
    );
}

/// Searches of classic for four take the net of the package, and no fit begins with it unless it is told to.
#[test]
fn fits_leave_the_net_of_the_package_out_unless_it_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let small = "fit net --game classic --players 4 --games 30 --parts 3 --per-game 2 --passes 1";
    let [silent, off, on] = [("silent", "mcts"), ("off", "mcts(net=off)"), ("on", "mcts(net=on)")]
        .map(|(name, start)| {
            done_at(&format!("{small} --start {start} --out {{}}/{name}.net"), dir);
            let text = fs::read_to_string(dir.join(format!("{name}.net"))).unwrap();
            text.split_once("weights = ").unwrap().1.to_owned()
        });
    assert_eq!(silent, off);
    assert_ne!(silent, on);
    let value = "fit value --game classic --players 4 --games 30 --folds 3 --out {}/value.toml";
    done_at(value, dir);
    refused(
        "fit value --game classic --players 4 --games 30 --folds 3 --start mcts(net=on)",
        dir,
        &expect![
            "error: --start 'mcts(net=on)': it has a net beside its value function, which this fit leaves out: fit net"
        ],
    );
}

#[test]
fn records_of_anybody_teach_a_net() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let play = "--players 2 --agent greedy --agent greedy(epsilon=0.3) --games 60 --quiet";
    done_at(&format!("tournament {play} --records {{}}/games.jsonl"), dir);
    let fit = "fit net --records {}/games.jsonl --parts 3 --per-game 4 --passes 1 --json";
    let document: Json = serde_json::from_str(&done_at(fit, dir)).unwrap();
    assert_eq!((&document["games"], &document["players"]), (&Json::from(60), &Json::from(2)));
}

/// The net of a step learns from the games of the steps before it as well; after a restart these are played again, and
/// the result is the same. Whichever agent a step keeps, the next one goes on from it.
#[test]
fn expert_iteration_of_a_net_goes_on_where_it_stood_and_comes_to_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let run = |name: &str, rest: &str| {
        let work = dir.path().join(name);
        fs::create_dir_all(&work).unwrap();
        let args = format!(
            "fit iterate --game rise --players 2 --start mcts(iterations=2) --parts net --games 50 --per-game 4 --max-blocks 30 \
             --out run --quiet --json {rest}"
        );
        let (code, stdout, stderr) = ran(command_at(&args, &work).current_dir(&work));
        assert_eq!((code, stderr.as_str()), (0, ""), "{args}");
        let names = ["iterate.jsonl", "step-1/net.toml", "step-2/net.toml"];
        let read = |name: &str| fs::read_to_string(work.join("run").join(name)).unwrap_or_default();
        (stdout, names.map(read))
    };
    let whole = run("whole", "--window 2 --steps 2 --threads 2");
    run("parts", "--window 2 --steps 1 --threads 1");
    assert_eq!(run("parts", "--window 2 --steps 2 --threads 1 --resume"), whole);
    let (_, [log, first, second]) = whole;
    assert!(log.contains("value=OUT/step-1/net.toml") && log.contains("\"net\""), "{log}");
    let games =
        |text: &str| text.lines().find(|line| line.starts_with("games = ")).map(str::to_owned);
    assert_eq!([&first, &second].map(|text| games(text).unwrap()), ["games = 50", "games = 100"]);
    let (_, [_, rooted, _]) = run("rooted", "--window 1 --steps 1 --root-share 0.5");
    assert!(rooted != first && !rooted.is_empty());
    let (_, [_, _, alone]) = run("alone", "--window 1 --steps 2");
    assert_eq!(games(&alone).unwrap(), "games = 50");
    let both = "fit iterate --game rise --parts value,net --out {}/both";
    refused(
        both,
        dir.path(),
        &expect![
            "error: --parts value,net: both are value=FILE of the agent: fit the one, then the other from there"
        ],
    );
    let none = "fit iterate --game rise --start greedy --parts net --out {}/none";
    refused(none, dir.path(), &expect!["error: --parts net: greedy has no such part in rise"]);
    let none = "fit iterate --game circus --start mcts --parts net --out {}/none";
    refused(none, dir.path(), &expect!["error: --parts net: mcts has no such part in circus"]);
}

#[test]
fn what_cannot_be_learnt_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let cases = [
        (
            "fit net --game pig --out {}/x.net",
            expect![
                "error: --game pig: it declares no inputs of a net (games that do: conquest2, classic, hannibal, imperium, rise)"
            ],
        ),
        (
            "fit net --games 20",
            expect![
                "error: --games 20: 20 games are too few to hold out 10 parts of: at least 100 are needed"
            ],
        ),
        (
            "fit net --rate -1",
            expect!["error: invalid value '-1' for '--rate <X>': expected a number from 0 to 100"],
        ),
    ];
    cases.iter().for_each(|(args, complaint)| refused(args, dir, complaint));
}

#[test]
fn nets_that_are_cut_or_of_another_table_or_game_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let small = "fit net --players 2 --games 30 --parts 3 --per-game 2 --passes 1";
    done_at(&format!("{small} --out {{}}/two.net"), dir);
    let text = fs::read_to_string(dir.join("two.net")).unwrap();
    fs::write(dir.join("cut.net"), &text[..text.len() - 100]).unwrap();
    let cases = [
        (
            "tournament --players 2 --agent mcts(value={}/cut.net) --agent greedy --games 2",
            expect![[
                r#"error: agent "mcts(value=DIR/cut.net)": not TOML, or cut: invalid multi-line basic string, expected `"`"#
            ]],
        ),
        (
            "tournament --players 3 --agent mcts(value={}/two.net) --agent greedy --agent greedy --games 3",
            expect![[
                r#"error: agent "mcts(value=DIR/two.net)": players = 2: it is for a table of 2, and 3 play: name another"#
            ]],
        ),
        (
            "tournament --game classic --players 2 --agent mcts(value={}/two.net) --agent greedy --games 2",
            expect![[
                r#"error: agent "mcts(value=DIR/two.net)": game = "conquest2": it is for conquest2, and classic is played"#
            ]],
        ),
        (
            "fit value --players 2 --games 60 --folds 2 --start mcts(value={}/two.net)",
            expect![
                "error: --start 'mcts(value=DIR/two.net)': it has a net beside its value function, which this fit leaves out: fit net"
            ],
        ),
    ];
    cases.iter().for_each(|(args, complaint)| refused(args, dir, complaint));
}
