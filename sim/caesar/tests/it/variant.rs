//! `caesar variant`, and pages with results under several rule sets.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use engine::{Purpose, rng};
use lab::balance::effect_accumulator::EffectAccumulator;
use lab::balance::request::What;
use lab::balance::seats::SeatStudy;
use lab::balance::statements::{FARTHEST, Statement, differences};
use lab::balance::verdict::Verdict;
use serde_json::Value as Json;

use crate::balance_seats::{block, validated_for, weight_of};
use crate::shared::{caesar, done_inside, inside, json};

/// The variant that most tests play: half of the points win.
const SHORT: &str = "variant --game pig --set-b target=50 --quick";

fn sentence<'a>(said: &'a Json, about: &str) -> &'a str {
    let all = said["sentences"].as_array().unwrap();
    let one = all.iter().find(|one| one["about"] == about);
    one.unwrap_or_else(|| panic!("{about}: {said}"))["text"].as_str().unwrap()
}

#[test]
fn a_shorter_game_is_called_shorter_and_each_number_is_that_of_a_printed_command() {
    let said = json(SHORT);
    assert!(sentence(&said, "answer").contains("games are shorter"), "{said}");
    let length = sentence(&said, "length");
    assert!(length.starts_with("shorter by ") && length.contains(" s a choice"), "{length}");
    assert!(sentence(&said, "new").starts_with("target = 50, changed (was 100"), "{said}");
    assert_eq!(said["format"], "caesar-variant/1");
    let commands = said["commands"].as_array().unwrap();
    assert_eq!(commands.len(), 4);
    for (run, side) in [("seats-old", "old"), ("seats-new", "new")] {
        let told = commands.iter().find(|command| command["run"] == run).unwrap();
        let command = told["command"].as_str().unwrap().strip_prefix("caesar ").unwrap();
        let again = json(command);
        let rows = said["rules"].as_array().unwrap();
        let row = rows.iter().find(|row| row["statement"] == "choices in a game").unwrap();
        assert_eq!(row[side], again["plies"], "{command}");
    }
    assert_eq!(json(&format!("{SHORT} --threads 1")), said, "threads change nothing");
}

#[test]
fn what_is_no_variant_is_refused_in_a_line() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("h.toml"), "[rome]\nlegions = 7\n").unwrap();
    fs::write(dir.path().join("p.toml"), "target = 100\n").unwrap();
    for (args, complaint) in [
        ("variant --game pig", "both rule sets are the same"),
        ("variant p.toml --game pig", "both rule sets are the same"),
        ("variant h.toml --game pig", "h.toml: these are rules of hannibal and not of pig"),
        ("variant --game pig --set-b targt=50", "--set-b targt=50: unknown key"),
        ("variant --game pig --set-b target=50 --pace 0", "--pace 0: a choice takes some time"),
        ("variant none.toml --game pig", "none.toml"),
        ("variant --game pig --set-b target=50 --quick --full", "cannot be used"),
        ("variant --game pig --set-b target=50 --format csv", "sentences are no table"),
    ] {
        let (code, stdout, stderr) = inside(args, dir.path());
        assert_eq!((code, stdout.as_str()), (2, ""), "{args}: {stderr}");
        assert!(stderr.contains(complaint) && stderr.lines().count() <= 2, "{args}: {stderr}");
    }
}

fn page(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap()
}

/// Every figure stands once for each side, and the first screen has the changes.
#[test]
fn pages_have_old_and_new_side_by_side() {
    let dir = tempfile::tempdir().unwrap();
    let said = done_inside(&format!("{SHORT} --quiet --out v"), dir.path());
    let html = page(dir.path(), "v/variant.html");
    let sides = |side: &str| html.matches(&format!("<p class=\"side\">{side}</p>")).count();
    assert!(sides("Old rules") >= 6, "{}", sides("Old rules"));
    assert_eq!(sides("Old rules"), sides("New rules"));
    assert!(html.contains(" under the new rules"), "the first screen has the changes");
    assert!(html.contains("New rules: target = 50, changed (was 100"));
    // A directory of `report` and the run again give the same bytes.
    done_inside("report v --out again.html --quiet", dir.path());
    assert_eq!(page(dir.path(), "again.html"), html);
    assert_eq!(done_inside(&format!("{SHORT} --quiet --out v --resume"), dir.path()), said);

    let study = "balance rules --game pig --set target=50 --study seats --agent random --quick";
    done_inside(&format!("{study} --quiet --out b"), dir.path());
    done_inside("report b --out b.html --quiet", dir.path());
    let html = page(dir.path(), "b.html");
    assert!(html.contains("<p class=\"side\">Old rules, other seeds</p>"));

    let one = "tournament --game pig --blocks 20 --quiet --out";
    done_inside(&format!("{one} a"), dir.path());
    done_inside(&format!("{one} b50 --set target=50"), dir.path());
    done_inside("report a b50 --out two.html --quiet", dir.path());
    let html = page(dir.path(), "two.html");
    assert!(html.contains("<p class=\"side\">Rules 1</p>"), "{html}");
    assert!(html.contains("Rules 2: target = 50"), "{html}");
}

/// A seat is compensated by a file of rules.
#[test]
fn a_variant_file_can_compensate_a_seat() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("v.toml"), "[seat1]\nlegions = 2\n").unwrap();
    let args = "variant v.toml --game hannibal --quick --quiet --json";
    let said: Json = serde_json::from_str(&done_inside(args, dir.path())).unwrap();
    assert!(sentence(&said, "new").contains("gift.seat0.legions (seat 1) = 2"), "{said}");
    assert!(sentence(&said, "seats").starts_with("seat 1 +"), "{said}");
}

/// The interval of the largest distance covers it, that of its change also, and a planted unfairness is found.
#[test]
fn the_farthest_seat_is_covered_and_a_change_of_it_is_found() {
    let study = SeatStudy::new(validated_for(What::Seats, 2, Vec::new())).unwrap();
    let experiment = &study.experiment;
    let farthest = |seed: u64, share: f64| {
        let mut rng = rng::stream(seed, 0, Purpose::Analysis);
        let mut effects = EffectAccumulator::new(experiment);
        for _ in 0..120 {
            let weight = |at: &crate::balance_seats::At<'_>| {
                if at.seat == 2 { weight_of(share) } else { 1.0 }
            };
            effects.add(&block(experiment, &mut rng, "", &weight));
        }
        let estimate = study.farthest(&effects).unwrap();
        Statement { name: FARTHEST.to_owned(), estimate, is_effect: false, is_share: true }
    };
    let runs = 100;
    let (mut covered, mut nothing, mut found) = (0, 0, 0);
    for run in 0..runs {
        let [even, again, uneven] =
            [(0, 0.25), (1, 0.25), (2, 0.55)].map(|(arm, share)| farthest(3 * run + arm, share));
        covered += u64::from(even.estimate.interval.unwrap().contains(0.0));
        covered += u64::from(uneven.estimate.interval.unwrap().contains(0.30));
        let of = |to: Statement| differences(std::slice::from_ref(&even), &[to]).remove(0);
        nothing += u64::from(of(again).interval.unwrap().contains(0.0));
        let moved = of(uneven);
        found += u64::from(Verdict::of(&moved, 1_000) == Some(Verdict::Moved) && moved.value > 0.0);
    }
    assert!(covered >= 2 * runs * 95 / 100, "{covered}");
    assert!(nothing >= runs * 95 / 100, "{nothing}");
    assert!(found >= runs * 80 / 100, "{found}");
}

#[test]
fn the_answer_fits_a_screen() {
    let (code, text, _) = caesar(&format!("{SHORT} --quiet"));
    assert_eq!(code, 0);
    assert!(text.starts_with("answer   "), "{text}");
    assert!(text.lines().count() <= 30, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}
