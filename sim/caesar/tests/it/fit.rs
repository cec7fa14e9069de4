//! Fits: planted weights are found, results do not depend on threads or stops, and impossible fits are refused.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use agents::fitting::PhaseWeights;
use engine::{Purpose, Randomness, Stream, rng};
use expect_test::{Expect, expect};
use lab::fit::Unknown;
use lab::fit::settle::settle;
use lab::fit::texel::{Case, Frame, Point, Texel};
use lab::fit::value::{Row, ValueFit, ValueScale};
use lab::fit::weights::cross_entropy;
use serde_json::Value as Json;
use sim::stats::conditional_logit::{Choice, softmax};
use sim::stats::newton::ANYWHERE;

use crate::shared::{caesar, command_at, done_at, ran};

/// Draws a number with mean 0 and variance 1, nearly normal.
pub(crate) fn noise(rng: &mut Stream) -> f64 {
    (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0
}

pub(crate) fn winner(utilities: &[f64], rng: &mut Stream) -> Vec<f64> {
    let mut chances = utilities.to_vec();
    softmax(&mut chances);
    let mut left = rng.unit();
    let found = chances.iter().position(|p| {
        left -= p;
        left < 0.0
    });
    let found = found.unwrap_or(chances.len() - 1);
    (0..chances.len()).map(|seat| f64::from(u8::from(seat == found))).collect()
}

/// Returns games of three seats, won by `weights` at one position; the other positions of a game resemble it, so that
/// positions of a game depend on each other.
fn synthetic(games: u64, weights: &[f64], run: u64) -> Vec<Choice> {
    const SEATS: usize = 3;
    let mut choices = Vec::new();
    for cluster in 0..games {
        let mut rng = rng::stream(run, cluster, Purpose::Analysis);
        let n = weights.len();
        let design: Vec<f64> = (0..SEATS * n).map(|_| noise(&mut rng)).collect();
        let utility = |seat: usize| (0..n).map(|i| weights[i] * design[seat * n + i]).sum::<f64>();
        let targets = winner(&(0..SEATS).map(utility).collect::<Vec<f64>>(), &mut rng);
        // The same position three times adds information only once.
        for _ in 0..3 {
            choices.push(Choice {
                cluster,
                design: design.iter().map(|x| *x as f32).collect(),
                offsets: vec![0.0; SEATS],
                targets: targets.clone(),
            });
        }
    }
    choices
}

/// Returns positions of one moment, won by a value function with these weights in log odds.
fn rows(games: u64, weights: &[f64]) -> Vec<Row> {
    synthetic(games, weights, 77)
        .into_iter()
        .step_by(3)
        .map(|choice| Row {
            cluster: choice.cluster,
            moment: 0,
            section: 0,
            features: choice.design,
            points: choice.targets,
        })
        .collect()
}

#[test]
fn a_planted_value_function_is_found_and_says_more_than_the_one_before() {
    let planted = [0.9, -0.5, 0.0];
    let rows = rows(3_000, &planted);
    // The current one is wrong about the second and third feature, and has another unit.
    let today =
        [PhaseWeights { weights: vec![9.0, 0.0, 4.0], logistic_scale: 10.0, softmax_scale: 10.0 }];
    let fitting = ValueFit::new(&rows, &today);
    let held_out = fitting.held_out(5, &[1e-5, 1e-3, 1.0], ValueScale::Softmax(1.0));
    assert!(held_out.validated.strength < 1.0, "{:?}", held_out.validated.tried);
    let mean = |losses: &[f64]| losses.iter().sum::<f64>() / losses.len() as f64;
    let [new, softmax, even] =
        [&held_out.validated.losses, &held_out.today_softmax, &held_out.even].map(|l| mean(l));
    assert!(new < softmax - 0.02 && softmax < even - 0.02, "{new} {softmax} {even}");
    let names = (["a", "b", "c"], ["m".to_owned()]);
    let (values, fitted) = (fitting.values(1e-5), fitting.fitted(&names.0, &names.1, &[1e-5]));
    let scale = values[0].softmax_scale;
    for (weight, planted) in fitted.iter().zip(planted) {
        // The unit is the current one: planted weights are in log odds.
        let at = weight.interval.unwrap();
        assert!(at.contains(planted * scale), "{weight:?} {planted} × {scale}");
        assert!((weight.now / scale - planted).abs() < 0.1, "{weight:?}");
    }
    // With a strong prior nothing else is known: the current weights stay.
    let held = fitting.fitted(&names.0, &names.1, &[1e6]);
    let same = |one: &lab::fit::Fitted| {
        (one.now - one.today).abs() < 0.01 && one.interval == Err(Unknown::Prior)
    };
    assert!(held.iter().all(same), "{held:?}");
}

/// Correct values are valued as the search transforms them, so that no gain appears.
#[test]
fn values_of_today_are_read_as_the_search_takes_them() {
    let planted = [0.9, -0.5, 0.0];
    let rows = rows(3_000, &planted);
    let weights = planted.iter().map(|w| 10.0 * w).collect();
    let today = [PhaseWeights { weights, logistic_scale: 10.0, softmax_scale: 10.0 }];
    let fitting = ValueFit::new(&rows, &today);
    let mean = |losses: &[f64]| losses.iter().sum::<f64>() / losses.len() as f64;
    let printed =
        [ValueScale::Softmax(1.0), ValueScale::Softmax(4.0), ValueScale::Leads(1.0)].map(|taken| {
            let held_out = fitting.held_out(5, &[1.0], taken);
            mean(&held_out.today) - mean(&held_out.validated.losses)
        });
    assert!(printed[0].abs() < 0.001, "{printed:?}");
    assert!(printed[1] > 0.01 && printed[2] > 0.01, "{printed:?}");
}

/// Returns a case of an evaluation that is not linear: `w0 · x + e^(w1 · y)`.
fn curved(weights: &[f64], x: &[f64]) -> Vec<f64> {
    x.chunks_exact(2).map(|seat| weights[0] * seat[0] + (weights[1] * seat[1]).exp()).collect()
}

#[test]
fn weights_of_a_curved_evaluation_are_found_by_its_derivatives() {
    let planted = [1.5, 0.6];
    let (today, odds) = ([0.5, 0.1], 0.7);
    let mut all = Vec::new();
    let mut cases = Vec::new();
    for cluster in 0..3_000 {
        let mut rng = rng::stream(9, cluster, Purpose::Analysis);
        let x: Vec<f64> = (0..6).map(|_| noise(&mut rng)).collect();
        let utilities: Vec<f64> = curved(&planted, &x).iter().map(|value| odds * value).collect();
        cases.push(Case { cluster, targets: winner(&utilities, &mut rng), ..Case::default() });
        all.push(x);
    }
    let take = |weights: &[f64]| -> Vec<Case> {
        let with = |(case, x): (&Case, &Vec<f64>)| {
            let slopes = x
                .chunks_exact(2)
                .flat_map(|seat| [seat[0] as f32, (seat[1] * (weights[1] * seat[1]).exp()) as f32]);
            Case { values: curved(weights, x), slopes: slopes.collect(), ..case.clone() }
        };
        cases.iter().zip(&all).map(with).collect()
    };
    let first = take(&today);
    let start = Point { weights: today.to_vec(), odds: vec![1.0] };
    let frame = Frame::new(&first, start, false, vec![ANYWHERE; 2]);
    let values = |weights: &[f64], places: &[usize]| -> Vec<Vec<f64>> {
        places.iter().map(|&place| curved(weights, &all[place])).collect()
    };
    let texel = Texel { cases: &first, frame: &frame, values: &values, loss: cross_entropy };
    let settled = settle(&texel, 1e-6, &take);
    let (point, found) = (&settled.point, settled.halves(&texel));
    // No weights have a smaller loss than the fitted ones, not even the planted ones.
    let places: Vec<usize> = (0..first.len()).collect();
    let lost = |point: &Point| texel.lost(point, &places).iter().sum::<f64>();
    let truth = Point { weights: planted.to_vec(), odds: vec![odds] };
    assert!(lost(point) < lost(&truth) && lost(&truth) < lost(&frame.today) - 50.0, "{point:?}");
    // The unit trades with the curved weight. The second weight is near its planted value, but the loss along it is no
    // parabola, so it has no interval.
    assert!((point.weights[1] - planted[1]).abs() < 0.15, "{found:?} {point:?}");
    assert_eq!(found[1], Err(Unknown::Rough));
    // The unit trades with the bend of the exponential; next to it the first weight is well determined.
    let [seen, there] = [point, &truth].map(|point| point.odds[0] * point.weights[0]);
    assert!((seen - there).abs() < 0.1, "{seen} {there}");
}

fn document(args: &str, dir: &Path) -> Json {
    serde_json::from_str(&done_at(&format!("{args} --json"), dir)).unwrap()
}

fn refused(args: &str, dir: &Path, complaint: &Expect) {
    let (code, stdout, stderr) = ran(&mut command_at(args, dir));
    let stderr = stderr.replace(&dir.display().to_string(), "DIR");
    complaint.assert_eq(stderr.trim_end());
    assert_eq!((code, stdout.as_str()), (2, ""), "{args}");
}

#[test]
fn a_fitted_value_function_is_one_that_searches_take_and_is_the_same_on_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let fit = |threads: u32, rest: &str| {
        let args = "fit value --players 2 --games 40 --folds 2 --per-game 6 --strength 0.01";
        done_at(&format!("{args} --threads {threads} {rest}"), dir)
    };
    let one = fit(1, "--out {}/one.toml --export {}/one.csv --json");
    assert_eq!(one, fit(3, "--out {}/two.toml --export {}/two.parquet --json"));
    let read = |name: &str| fs::read(dir.join(name)).unwrap();
    assert_eq!(read("one.toml"), read("two.toml"));
    let printed: Json = serde_json::from_str(&one).unwrap();
    assert!(printed["held_out"].as_array().unwrap().len() > 10, "{printed}");
    assert_eq!(printed["fitted"].as_array().unwrap().len(), 16 * 23);
    let csv = String::from_utf8(read("one.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 2 * printed["positions"].as_u64().unwrap() as usize);
    assert!(
        csv.starts_with("game,position,stage,round,turn,seat,points,evaluation,points"),
        "{csv}"
    );
    assert_eq!(&read("two.parquet")[..4], b"PAR1");
    let agents = "--agent mcts(iterations=3,value={}/one.toml) --agent mcts(iterations=3,utility=points,value={}/one.toml)";
    done_at(&format!("tournament --players 2 {agents} --games 2 --quiet"), dir);
}

#[test]
fn records_are_fitted_to_and_those_of_others_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let play = "--agent greedy --agent greedy(epsilon=0.3) --games 40 --quiet";
    done_at(&format!("tournament --game hannibal {play} --records {{}}/h.jsonl"), dir);
    done_at("tournament --game pig --games 4 --quiet --records {}/pig.jsonl", dir);
    let printed = document(
        "fit weights --records {}/h.jsonl --folds 2 --weights legion,group,logistic_scale --out {}/w.toml",
        dir,
    );
    assert_eq!(printed["game"], "hannibal");
    assert_eq!(printed["games"], 40);
    let fitted: Vec<&str> = printed["fitted"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["weight"].as_str().unwrap())
        .collect();
    assert_eq!(fitted, ["legion", "group", "logistic_scale"]);
    let weights = "--agent greedy(weights={}/w.toml) --agent greedy";
    done_at(&format!("tournament --game hannibal {weights} --games 2 --quiet"), dir);
    let records = "fit weights --game hannibal --records";
    refused(
        &format!("{records} {{}}/pig.jsonl"),
        dir,
        &expect!["error: DIR/pig.jsonl:1: game 1: the record is of pig, but hannibal is wanted"],
    );
    refused(
        &format!("{records} {{}}/h.jsonl --set max-turns=200"),
        dir,
        &expect![[
            r#"error: DIR/h.jsonl:1: game 1: the record's rules differ from the default in {}, the wanted ones in {"max-turns":200}"#
        ]],
    );
    refused(
        &format!("{records} {{}}/none.jsonl"),
        dir,
        &expect!["error: DIR/none.jsonl: No such file or directory (os error 2)"],
    );
    fs::write(dir.join("empty.jsonl"), "").unwrap();
    refused(
        &format!("{records} {{}}/empty.jsonl"),
        dir,
        &expect!["error: DIR/empty.jsonl:1: no record: it is empty"],
    );
    let text = fs::read_to_string(dir.join("h.jsonl")).unwrap();
    fs::write(dir.join("cut.jsonl"), &text[..text.len() - 40]).unwrap();
    refused(
        &format!("{records} {{}}/cut.jsonl"),
        dir,
        &expect![
            "error: DIR/cut.jsonl:1674: game 40: the line is cut off (EOF while parsing a string)"
        ],
    );
}

#[test]
fn what_cannot_be_fitted_is_refused_before_a_game_is_played() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    for (args, complaint) in [
        (
            "value --game pig",
            expect![
                "error: --game pig: it has no value function beside its evaluation: fit weights"
            ],
        ),
        (
            "value --game circus",
            expect![
                "error: --game circus: it has no value function beside its evaluation: fit weights"
            ],
        ),
        (
            "weights --game pig",
            expect!["error: --game pig: it has no evaluation with weights that could be fitted"],
        ),
        (
            "weights --weights tokn",
            expect![[
                r#"error: --weights tokn: unknown weight "tokn" of conquest2 (nearest: token)"#
            ]],
        ),
        (
            "weights --weights strong",
            expect![
                "error: --weights strong: it is a whole number, which has no derivative: tune it by games"
            ],
        ),
        (
            "weights --hold infantri",
            expect![[
                r#"error: --hold infantri: unknown weight "infantri" of conquest2 (nearest: infantry)"#
            ]],
        ),
        (
            "value --games 30",
            expect![
                "error: --games 30: 30 games are too few to hold out 5 parts of: at least 50 are needed"
            ],
        ),
    ] {
        refused(&format!("fit {args}"), dir, &complaint);
    }
    let (code, ..) = caesar("fit");
    assert_eq!(code, 2);
}

#[test]
fn files_and_agents_that_are_of_no_use_are_refused_before_a_game_is_played() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("there.toml"), "mine").unwrap();
    fs::create_dir(dir.join("step-2")).unwrap();
    for (args, complaint) in [
        (
            "value --out {}/there.toml",
            expect![
                "error: --out DIR/there.toml: it exists already (1 kB): --force replaces it, or name a new file"
            ],
        ),
        (
            "value --export {}/positions.txt",
            expect![
                "error: --export DIR/positions.txt: its ending names no format (accepted: .csv, .parquet)"
            ],
        ),
        (
            "value --strength -1",
            expect![
                "error: invalid value '-1' for '--strength <E>': expected a number from 0 to 1000000"
            ],
        ),
        (
            "priors --search greedy --games 50",
            expect!["error: --search greedy: it does not search: name one that does, as mcts"],
        ),
        (
            "value --agent mcts(seconds=1)",
            expect![
                "error: --agent 'mcts(seconds=1)': it is not deterministic, so no result could be repeated: give it iterations"
            ],
        ),
        (
            "iterate --game pig --start greedy --out {}/pig",
            expect!["error: --start greedy: nothing of it can be fitted in pig"],
        ),
        (
            "iterate --out {} --start greedy",
            expect![
                "error: --out DIR: step-2 exists and belongs to no run of caesar; --force replaces it, or name another directory"
            ],
        ),
        (
            "iterate --out {}/x --games 20",
            expect!["error: --games 20: too few to hold out 5 parts of: at least 50 are needed"],
        ),
    ] {
        refused(&format!("fit {args}"), dir, &complaint);
    }
}

#[test]
fn priors_are_fitted_to_visits() {
    let dir = tempfile::tempdir().unwrap();
    let args =
        "fit priors --game hannibal --search mcts(iterations=40) --games 30 --folds 2 --per-game 4";
    let printed = document(args, dir.path());
    let all = printed["held_out"].as_array().unwrap().last().unwrap().clone();
    let loss = |key: &str| all[key].as_f64().unwrap();
    // No priors have a smaller loss than the visits themselves.
    assert!(loss("entropy") < loss("fitted") && loss("fitted") <= loss("today") + 0.02, "{all}");
    assert_eq!(printed["fitted"][0]["weight"], "temperature");
}

/// A weight planted far from the search's values is drawn back, and the new choices are worth more.
#[test]
fn priors_are_fitted_to_what_options_are_worth() {
    let dir = tempfile::tempdir().unwrap();
    let args = "fit priors --game circus --to values --spread 0.05 --search mcts(iterations=150,weights.card=2) --games 100 \
                --folds 2 --per-game 4 --strength 0.001 --weights card";
    let printed = document(args, dir.path());
    let weight = |name: &str| {
        let all = printed["fitted"].as_array().unwrap();
        all.iter().find(|row| row["weight"] == name).unwrap()["fitted"]["estimate"]
            .as_f64()
            .unwrap()
    };
    assert!(weight("card") < 1.5, "{}", printed["fitted"]);
    let choices = printed["choices"].as_array().unwrap();
    assert_eq!(choices[2]["priors"], "gain");
    let gain = &choices[2]["forgone"];
    assert!(gain["low"].as_f64().unwrap() > 0.0, "{gain}");
    // Circus has no macro-actions.
    refused(
        "fit priors --game circus --to values --only-macro --games 50 --search mcts(iterations=10)",
        dir.path(),
        &expect!["error: --search 'mcts(iterations=10)': 0 decisions are too few: take more games"],
    );
    refused(
        "fit priors --game circus --to values --spread 0 --search mcts --games 50",
        dir.path(),
        &expect!["error: --spread 0: it is not above 0"],
    );
}

#[test]
fn an_iteration_goes_on_where_it_stood_and_comes_to_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let run = |name: &str, steps: u32, rest: &str| {
        let work = dir.path().join(name);
        fs::create_dir_all(&work).unwrap();
        let args = format!(
            "fit iterate --game hannibal --start greedy --games 20 --folds 2 --per-game 6 --max-blocks 30 --steps {steps} \
             --out run --quiet --json {rest}"
        );
        let (code, stdout, stderr) = ran(command_at(&args, &work).current_dir(&work));
        assert_eq!((code, stderr.as_str()), (0, ""), "{args}");
        (stdout, fs::read_to_string(work.join("run/iterate.jsonl")).unwrap())
    };
    let whole = run("whole", 2, "--threads 2");
    run("parts", 1, "--threads 1");
    // A kill in the middle of a line.
    let log = dir.path().join("parts/run/iterate.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    fs::write(&log, format!("{text}{{\"check\":\"01")).unwrap();
    assert_eq!(run("parts", 2, "--resume --threads 1"), whole);
    assert_eq!(whole.1.lines().count(), 3);
    fs::write(&log, text.replacen("greedy", "random", 1)).unwrap();
    // No file names its directory: a directory of another name has the same bytes, and a moved run continues.
    let all = |work: &Path| {
        let names = ["iterate.jsonl", "step-1/weights.toml", "step-2/weights.toml"];
        names.map(|name| fs::read_to_string(work.join(name)).unwrap())
    };
    fs::rename(dir.path().join("whole/run"), dir.path().join("moved")).unwrap();
    let moved = all(&dir.path().join("moved"));
    for (out, rest) in [("moved", "--resume"), ("fresh", "--force"), ("moved", "--force")] {
        let args = format!(
            "fit iterate --game hannibal --start greedy --games 20 --folds 2 --per-game 6 --max-blocks 30 --steps 2 --out \
             {{}}/{out} --json {rest}"
        );
        let (code, stdout, stderr) = ran(&mut command_at(&args, dir.path()));
        assert_eq!(code, 0, "{stderr}");
        assert_eq!(stderr.contains("--force: "), (out, rest) == ("moved", "--force"), "{stderr}");
        let kept: Json = serde_json::from_str(&stdout).unwrap();
        let agent = kept["agent"].as_str().unwrap();
        assert!(agent == "greedy" || agent.contains(&format!("/{out}/step-")), "{agent}");
        assert_eq!(all(&dir.path().join(out)), moved, "{out}");
    }
    let args = "fit iterate --game hannibal --start greedy --out {}/parts/run --resume";
    let (code, _, stderr) = ran(&mut command_at(args, dir.path()));
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("iterate.jsonl:1: its checksum does not fit"), "{stderr}");
}

#[test]
fn an_iteration_goes_on_with_the_files_with_which_it_began_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let small = "--games 20 --folds 2 --per-game 6 --max-blocks 30 --steps 1 --quiet";
    let weights = "fit weights --game hannibal --games 20 --folds 2 --per-game 6 --out {}/w.toml";
    assert_eq!(ran(&mut command_at(weights, dir)).0, 0);
    fs::write(dir.join("r.toml"), "rome.legions = 7\n").unwrap();
    let run = format!(
        "fit iterate --game hannibal --start greedy(weights={{}}/w.toml) --rules {{}}/r.toml {small} --out {{}}/run"
    );
    let played = |more: &str| ran(&mut command_at(&format!("{run} {more}"), dir));
    let (code, _, stderr) = played("");
    assert_eq!(code, 0, "{stderr}");
    for file in ["w.toml", "r.toml"] {
        let text = fs::read_to_string(dir.join(file)).unwrap();
        fs::write(dir.join(file), format!("{text}# another\n")).unwrap();
        let (code, _, stderr) = played("--resume");
        assert_eq!(code, 2, "{stderr}");
        let message = format!("{file} has changed since its games were played");
        assert!(stderr.contains(&message), "{stderr}");
        fs::write(dir.join(file), text).unwrap();
        assert_eq!(played("--resume").0, 0);
    }
    let log = fs::read_to_string(dir.join("run/iterate.jsonl")).unwrap();
    assert!(log.contains("\"files\":{"), "{log}");
}
