//! The luck of dice, from games to reports: shares less luck have their coverage, find more, and save as much as
//! stated. Files and documents do not depend on how they came about.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use engine::{Purpose, Randomness, Stream, rng};
use serde_json::Value as Json;
use sim::stats::Interval;
use sim::stats::control_variate::{Adjusted, Regression, efficiency_interval};
use sim::stats::luck::{LEAST_EFFICIENCY, MEAN};

use crate::shared::{command_at, done_at as done, measured, ran};

/// Blocks of games that are won if the sum of dice and other influences exceeds a threshold.
#[derive(Clone, Copy, Debug)]
struct World {
    share: f64,
    /// The weight of the dice relative to everything else.
    dice: f64,
    games: u32,
    blocks: u32,
}

/// Returns the threshold that a standard normal number exceeds with probability `share`, by bisection.
fn threshold(share: f64) -> f64 {
    let above = |x: f64| 0.5 * statrs::function::erf::erfc(x / 2f64.sqrt());
    let (mut low, mut high) = (-8.0, 8.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if above(middle) > share { low = middle } else { high = middle }
    }
    low
}

fn normal(rng: &mut Stream) -> f64 {
    let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.unit()).cos()
}

/// Returns the regression after the blocks of a tournament: shares by luck.
fn tournament(world: &World, rng: &mut Stream) -> Regression {
    let at = threshold(world.share) * world.dice.hypot(1.0);
    let mut regression = Regression::default();
    for _ in 0..world.blocks {
        let (mut share, mut luck) = (0.0, 0.0);
        for _ in 0..world.games {
            let dice = normal(rng);
            let is_won = world.dice * dice + normal(rng) > at;
            share += f64::from(u8::from(is_won)) / f64::from(world.games);
            luck += dice / f64::from(world.games);
        }
        regression.add(share, luck);
    }
    regression
}

/// The results of many tournaments.
#[derive(Clone, Copy, Debug, Default)]
struct IntervalCoverage {
    /// The fraction of intervals of the share less luck that covered the share.
    held: f64,
    /// The fraction that covered it if the interval is used only if it saves enough, and the plain one otherwise.
    held_as_reported: f64,
    bias: f64,
    /// The variances of the plain mean and of the mean less luck.
    variances: [f64; 2],
    efficiency: f64,
    /// The fraction of intervals of the efficiency that covered it.
    held_efficiency: f64,
    /// The fraction of each kind of interval that excluded a share of `world.share - 0.05`.
    found: [f64; 2],
}

fn plain(regression: &Regression) -> (f64, Interval) {
    let (mean, half) = (regression.values().mean(), regression.values().half_width().unwrap());
    (mean, Interval { low: mean - half, high: mean + half })
}

fn coverage_in(world: &World, tournaments: u64) -> IntervalCoverage {
    let truth = {
        let long = World { blocks: 200_000, ..*world };
        1.0 / (1.0 - tournament(&long, &mut rng::stream(2, 0, Purpose::Analysis)).r_squared())
    };
    let part = 1.0 / tournaments as f64;
    let one = |holds: bool| if holds { part } else { 0.0 };
    let mut coverage = IntervalCoverage::default();
    for address in 0..tournaments {
        let regression = tournament(world, &mut rng::stream(1, address, Purpose::Analysis));
        let less: Adjusted = regression.adjusted(MEAN).unwrap();
        let (mean, interval) = plain(&regression);
        let useful =
            if less.relative_efficiency >= LEAST_EFFICIENCY { less.interval } else { interval };
        coverage.held += one(less.interval.contains(world.share));
        coverage.held_as_reported += one(useful.contains(world.share));
        coverage.bias += part * (less.mean - world.share);
        coverage.variances[0] += part * (mean - world.share).powi(2);
        coverage.variances[1] += part * (less.mean - world.share).powi(2);
        coverage.efficiency += part * less.relative_efficiency;
        let efficiency = efficiency_interval(less.r_squared, world.blocks.into());
        coverage.held_efficiency += one(efficiency.contains(truth));
        let other = world.share - 0.05;
        coverage.found[0] += one(!interval.contains(other));
        coverage.found[1] += one(!less.interval.contains(other));
    }
    coverage
}

#[test]
fn shares_less_luck_hold_the_truth_whatever_the_dice_weigh() {
    const TOURNAMENTS: u64 = 2_000;
    let mut sums = [0; 2];
    for (share, games) in [(0.5, 2), (0.25, 4), (0.1, 4)] {
        for (dice, blocks) in [(0.0, 30), (0.0, 400), (0.5, 100), (1.0, 30), (1.0, 400), (2.0, 100)]
        {
            let world = World { share, dice, games, blocks };
            let coverage = coverage_in(&world, TOURNAMENTS);
            println!("{world:?}: {coverage:?}");
            // Five standard errors of 95 % are .024; few, lumpy blocks lose a little.
            let least = if blocks == 30 { 0.915 } else { 0.926 };
            assert!((least..0.975).contains(&coverage.held), "{world:?} {coverage:?}");
            assert!((least..0.975).contains(&coverage.held_as_reported), "{world:?} {coverage:?}");
            let error = (coverage.variances[1] / TOURNAMENTS as f64).sqrt();
            assert!(coverage.bias.abs() < 4.0 * error, "{world:?} {coverage:?}");
            // The stated saving equals the true one.
            let saved = coverage.variances[0] / coverage.variances[1];
            assert!((coverage.efficiency / saved - 1.0).abs() < 0.12, "{world:?} {coverage:?}");
            assert!(dice > 0.0 || saved < 1.05, "{world:?} {coverage:?}");
            sums[0] += (coverage.held * TOURNAMENTS as f64).round() as u64;
            sums[1] += TOURNAMENTS;
        }
    }
    let row = "tournament --luck: share less luck";
    let test = "shares_less_luck_hold_the_truth_whatever_the_dice_weigh";
    measured(row, "planted: 18 worlds of 30 to 400 blocks: the share is held", sums, test);
}

#[test]
fn an_efficiency_is_in_its_interval_and_finds_more_with_the_same_blocks() {
    for dice in [0.5, 1.0] {
        let world = World { share: 0.5, dice, games: 2, blocks: 200 };
        let coverage = coverage_in(&world, 1_000);
        println!("{world:?}: {coverage:?}");
        assert!((0.92..0.985).contains(&coverage.held_efficiency), "{world:?} {coverage:?}");
        let least = if dice < 1.0 { 0.03 } else { 0.1 };
        assert!(coverage.found[1] > coverage.found[0] + least, "{world:?} {coverage:?}");
    }
}

const PIG: &str = "tournament --game pig --players 3 --agent greedy(epsilon=0.5) --agent random --agent random \
                   --blocks 120 --luck --quiet --export seats";

#[test]
fn rows_tell_luck_that_adds_up_to_zero_and_are_the_same_however_they_came_about() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path();
    done(&format!("{PIG} --threads 1 --out {{}}/one"), dir);
    done(&format!("{PIG} --threads 3 --out {{}}/three"), dir);
    let rows = fs::read_to_string(dir.join("one/games.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(rows.as_bytes());
    let header = reader.headers().unwrap().clone();
    let first = header.iter().position(|name| name == "luck_0").unwrap();
    let mut largest: f64 = 0.0;
    for record in reader.records() {
        let record = record.unwrap();
        let luck: Vec<f64> = (first..first + 3).map(|i| record[i].parse().unwrap()).collect();
        assert!(luck.iter().sum::<f64>().abs() < 1e-6, "{luck:?}");
        largest = luck.iter().fold(largest, |largest, luck| largest.max(luck.abs()));
    }
    assert!(largest > 0.2, "{largest}");
    assert!(fs::read_to_string(dir.join("one/seats.csv")).unwrap().starts_with("game,"));
    for part in ["1/2", "2/2"] {
        let name = part.replace('/', "-");
        done(
            &format!("{PIG} --shard {part} --out {{}}/{name}").replace(" --export seats", ""),
            dir,
        );
    }
    done("merge {}/1-2 {}/2-2 --export seats --quiet --out {}/merged", dir);
    // Cut in the middle of a row, and resumed.
    fs::create_dir(dir.join("cut")).unwrap();
    fs::write(dir.join("cut/games.csv"), &rows[..rows.len() / 2]).unwrap();
    fs::copy(dir.join("one/manifest.json"), dir.join("cut/manifest.json")).unwrap();
    done(&format!("{PIG} --resume --out {{}}/cut"), dir);
    for other in ["three", "merged", "cut"] {
        for file in ["games.csv", "seats.csv", "summary.json"] {
            let [a, b] = ["one", other].map(|run| fs::read(dir.join(run).join(file)).unwrap());
            assert!(a == b, "{file} of {other} differs");
        }
    }
    let replayed: Json = serde_json::from_str(&done("replay {}/one --game 8 --json", dir)).unwrap();
    assert_eq!(replayed["as_in_games_csv"], true);
}

#[test]
fn luck_is_a_table_of_a_tournament_and_a_part_of_its_document() {
    let dir = tempfile::tempdir().unwrap();
    let text = done(PIG.trim_end_matches(" --export seats"), dir.path());
    assert!(text.contains("share without luck [95 %]"), "{text}");
    assert!(text.contains("luck: results of rolls of the die minus their exact odds"), "{text}");
    assert!(text.contains(" --luck"), "the command says it: {text}");
    let json = done(&format!("{PIG} --json").replace(" --export seats", ""), dir.path());
    let document: Json = serde_json::from_str(&json).unwrap();
    let rows = document["luck"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for row in rows {
        let number = |key: &str| row[key].as_f64().unwrap();
        assert!(number("luck_low") < 0.0 + number("luck_high"), "{row}");
        assert!(number("relative_efficiency_low") <= number("relative_efficiency_high"), "{row}");
        let is_reported = !row["share_less_luck"].is_null();
        assert_eq!(is_reported, number("relative_efficiency") >= LEAST_EFFICIENCY, "{row}");
    }
    // Without the option no output mentions it.
    let plain = done(
        &format!("{PIG} --json").replace(" --export seats", "").replace(" --luck", ""),
        dir.path(),
    );
    assert!(!plain.contains("luck"), "{plain}");
    let csv = done(
        &format!("{PIG} --format csv --table luck").replace(" --export seats", ""),
        dir.path(),
    );
    assert!(csv.starts_with("agent,"), "{csv}");
}

const COMPARE: &str =
    "compare --game pig --agent greedy(epsilon=0.5) --agent random --fixed 100 --luck --quiet";

#[test]
fn a_comparison_less_luck_has_the_same_effect_with_less_around_it() {
    let dir = tempfile::tempdir().unwrap();
    let json = done(&format!("{COMPARE} --json --threads 1"), dir.path());
    assert_eq!(json, done(&format!("{COMPARE} --json --threads 3"), dir.path()));
    let document: Json = serde_json::from_str(&json).unwrap();
    assert!(document["command"].as_str().unwrap().ends_with(" --luck"));
    let luck = &document["luck"];
    let number = |of: &Json, key: &str| of[key].as_f64().unwrap();
    let efficiency = number(luck, "relative_efficiency");
    assert!(efficiency > LEAST_EFFICIENCY, "{luck}");
    let width = |of: &Json| number(of, "high") - number(of, "low");
    assert!(width(luck) < width(&document) && width(luck) > 0.0, "{document}");
    let apart = (number(luck, "effect") - number(&document, "effect")).abs();
    assert!(apart < width(&document), "{document}");
    let text = done(COMPARE, dir.path()).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("without the luck of rolls of the die"), "{text}");
    // The games equal those of a comparison without the option.
    let plain = done(&format!("{COMPARE} --json").replace(" --luck", ""), dir.path());
    let plain: Json = serde_json::from_str(&plain).unwrap();
    assert_eq!([&plain["effect"], &plain["p"]], [&document["effect"], &document["p"]]);
    assert_eq!(plain["luck"], Json::Null);
}

#[test]
fn a_trace_keeps_luck_so_that_a_comparison_goes_on_and_is_joined_as_if_it_had_never_stopped() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path();
    done(&format!("{COMPARE} --out {{}}/whole"), dir);
    let trace = fs::read_to_string(dir.join("whole/trace.csv")).unwrap();
    assert!(
        trace.starts_with("block,seed,share,share_square,luck,luck_square,print,forfeits,"),
        "{trace}"
    );
    fs::create_dir(dir.join("cut")).unwrap();
    fs::write(dir.join("cut/trace.csv"), &trace[..trace.len() / 2]).unwrap();
    fs::copy(dir.join("whole/manifest.json"), dir.join("cut/manifest.json")).unwrap();
    done(&format!("{COMPARE} --resume --out {{}}/cut"), dir);
    for part in ["1/2", "2/2"] {
        done(&format!("{COMPARE} --shard {part} --out {{}}/{}", part.replace('/', "-")), dir);
    }
    done("merge {}/1-2 {}/2-2 --quiet --out {}/merged", dir);
    for other in ["cut", "merged"] {
        for file in ["trace.csv", "summary.json"] {
            let [a, b] =
                ["whole", other].map(|run| fs::read_to_string(dir.join(run).join(file)).unwrap());
            assert_eq!(a, b, "{file} of {other}");
        }
    }
    let summary: Json =
        serde_json::from_str(&fs::read_to_string(dir.join("whole/summary.json")).unwrap()).unwrap();
    assert!(summary["luck"]["relative_efficiency"].as_f64().unwrap() > LEAST_EFFICIENCY);
}

#[test]
fn luck_of_what_has_none_is_refused_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path();
    fs::write(path.join("run.toml"), "game = \"circus\"\nluck = true\n").unwrap();
    for (args, complaint) in [
        ("tournament --game circus --luck", "--luck true: circus has no dice whose exact odds"),
        ("tournament --game hannibal --luck", "(games that have: conquest2, pig)"),
        ("tournament --config {}/run.toml", "run.toml:2: luck = true: circus has no dice"),
        ("tournament --game pig --luck=perhaps", "perhaps"),
        ("compare --game imperium --agent greedy --agent random --luck", "imperium has no dice"),
        (
            "compare --game pig --agent greedy --set-b target=60 --metric plies --effect 5 --luck",
            "cannot adjust plies",
        ),
        ("compare --game pig --agent greedy --set-b target=60 --luck", "name one, as in"),
    ] {
        let (code, stdout, stderr) = ran(&mut command_at(args, path));
        assert_eq!((code, stdout.as_str()), (2, ""), "{args}: {stderr}");
        assert!(stderr.contains(complaint), "{args}: {stderr}");
        assert!(stderr.lines().count() <= 2 || args.contains("perhaps"), "{args}: {stderr}");
    }
    let two = "compare --game pig --agent greedy(epsilon=0.5) --set-b target=60 --metric seat=1 --fixed 100 --luck";
    let document: Json =
        serde_json::from_str(&done(&format!("{two} --json --quiet"), path)).unwrap();
    assert!(document["luck"]["relative_efficiency"].as_f64().unwrap() > 0.9, "{document}");
}
