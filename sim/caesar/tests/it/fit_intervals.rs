//! Intervals of fits. The search ends at the optimum, and intervals cover the results on other games, also at the ends
//! of ranges. Weights that games do not determine have no interval.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use engine::{Purpose, rng};
use lab::fit::Unknown;
use lab::fit::settle::{Settled, settle};
use lab::fit::texel::{Case, Frame, Point, Texel};
use lab::fit::weights::cross_entropy;
use serde_json::Value as Json;

use super::fit::{noise, winner};
use crate::shared::{done_at, measured};

/// The weights of a simulated evaluation `(w0·x + w1·y + w2·z + w3·rare + jump(w4)·t) / scale`, the scale last.
const PLANTED: [f64; 6] = [0.8, 0.5, 0.0, 1.0, 1.0, 1.0];
const NAMES: usize = PLANTED.len();
/// The number of games for each game that uses the fourth weight.
const RARE: u64 = 40;

/// The features of the seats at a position, five numbers each.
type Seats = Vec<f64>;

fn values(weights: &[f64], seats: &Seats) -> Vec<f64> {
    let jump = if weights[4] >= 1.0 { 0.05 } else { 0.0 };
    let value = |x: &[f64]| (0..4).map(|i| weights[i] * x[i]).sum::<f64>() + jump * x[4];
    seats.chunks_exact(5).map(value).collect()
}

/// Returns games between two seats, each with three positions: the features, and the result. Unless they are `odd`, no
/// game uses the fourth and fifth weight.
fn games(run: u64, number: u64, odd: bool) -> Vec<(u64, Seats, Vec<f64>)> {
    let game = |cluster: u64| {
        let mut rng = rng::stream(4_000 + run, cluster, Purpose::Analysis);
        let mut seats: Seats = (0..10).map(|_| noise(&mut rng)).collect();
        if !odd || !cluster.is_multiple_of(RARE) {
            (seats[3], seats[8]) = (0.0, 0.0);
        }
        if !odd {
            (seats[4], seats[9]) = (0.0, 0.0);
        }
        let utilities: Vec<f64> = values(&PLANTED, &seats);
        (cluster, seats, winner(&utilities, &mut rng))
    };
    (0..number).map(game).flat_map(|game| std::iter::repeat_n(game, 3)).collect()
}

/// Returns the cases of games at `weights`, with the derivatives of the evaluation.
fn taken(games: &[(u64, Seats, Vec<f64>)], weights: &[f64]) -> Vec<Case> {
    let case = |(cluster, seats, points): &(u64, Seats, Vec<f64>)| {
        let slopes = seats.chunks_exact(5).flat_map(|x| [x[0], x[1], x[2], x[3], 0.05 * x[4], 0.0]);
        Case {
            cluster: *cluster,
            values: values(weights, seats),
            slopes: slopes.map(|x| x as f32).collect(),
            scale: weights[5],
            scale_slopes: vec![0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            targets: points.clone(),
            ..Case::default()
        }
    };
    games.iter().map(case).collect()
}

/// Fits to `games` from a `start`, and returns the result of `look`.
fn fitted<T>(
    games: &[(u64, Seats, Vec<f64>)],
    (start, strength): (&[f64; NAMES], f64),
    look: impl FnOnce(&Texel<'_>, &Settled) -> T,
) -> T {
    let first = taken(games, start);
    let mut ends = vec![(0.0, 10.0); NAMES - 1];
    ends.push((0.01, 10.0));
    let today = Point { weights: start.to_vec(), odds: vec![1.0] };
    let frame = Frame::new(&first, today, true, ends);
    let ratios = |weights: &[f64], places: &[usize]| -> Vec<Vec<f64>> {
        let one = |&place: &usize| {
            values(weights, &games[place].1).iter().map(|value| value / weights[5]).collect()
        };
        places.iter().map(one).collect()
    };
    let texel = Texel { cases: &first, frame: &frame, values: &ratios, loss: cross_entropy };
    let settled = settle(&texel, strength, &|weights| taken(games, weights));
    look(&texel, &settled)
}

/// The current scale is right, since it is kept if all weights may grow together.
const START: [f64; NAMES] = [0.2, 0.2, 0.4, 1.0, 1.0, 1.0];

#[test]
fn no_weights_near_those_that_were_found_lose_less() {
    for run in 0..8 {
        let games = games(run, 120, false);
        let start = [2.0, 0.0, 3.0, 1.0, 1.0, 4.0];
        fitted(&games, (&start, 1e-4), |texel, settled| {
            let least = texel.cost(&settled.point, 1e-4);
            for (i, step) in (0..NAMES).flat_map(|i| [(i, -0.02), (i, 0.02), (i, 0.3)]) {
                let mut other = settled.point.clone();
                other.weights[i] += step * other.weights[i].max(0.1);
                let other = texel.frame.within(other);
                assert!(texel.cost(&other, 1e-4) > least - 1e-4, "{run}: {i} {step} {settled:?}");
            }
        });
    }
}

/// Returns, by weight, how many intervals of `runs` runs cover the planted value, and the number of intervals.
fn held(runs: u64, number: u64) -> Vec<[u64; 2]> {
    let mut all = vec![[0; 2]; NAMES];
    for run in 0..runs {
        fitted(&games(run, number, false), (&START, 1e-5), |texel, settled| {
            for (i, half) in settled.halves(texel).into_iter().enumerate() {
                let Ok(half) = half else { continue };
                all[i][1] += 1;
                all[i][0] += u64::from((settled.point.weights[i] - PLANTED[i]).abs() <= half);
            }
        });
    }
    all
}

#[test]
fn intervals_of_weights_hold_what_was_planted_also_at_the_end_of_a_range() {
    let all = held(40, 150);
    // 95 of 100, less four standard errors; positions of a game are alike, and if they counted as independent it would
    // be 74.
    for [held, reported] in &all[..3] {
        assert!(*reported >= 36 && *held * 100 >= reported * 81, "{all:?}");
    }
}

#[test]
fn what_games_do_not_place_has_no_interval_and_says_why() {
    fitted(&games(1, 150, true), (&START, 1e-5), |texel, settled| {
        // Four games use the fourth weight, and the jump never keeps the promise of its derivative.
        let halves = settled.halves(texel);
        assert!(halves[..2].iter().all(Result::is_ok), "{halves:?}");
        assert_eq!(halves[3], Err(Unknown::FewGames), "{halves:?}");
        assert_eq!(halves[4], Err(Unknown::Rough), "{halves:?}");
    });
    fitted(&games(1, 150, false), (&START, 1e-5), |texel, settled| {
        // All weights may grow with the scale.
        assert_eq!(settled.halves(texel)[5], Err(Unknown::Prior));
    });
    fitted(&games(1, 150, false), (&START, 100.0), |texel, settled| {
        assert_eq!(settled.halves(texel)[0], Err(Unknown::Prior));
    });
}

#[test]
#[ignore = "slow: 1,000 fits: `just fit-proofs` runs it"]
fn intervals_of_simulated_weights_cover_as_often_as_they_say() {
    for number in [100, 400] {
        let all = held(500, number);
        for (i, [held, reported]) in all.iter().enumerate().take(3) {
            let what = format!("weight {i} of a simulated evaluation, {number} games");
            measured(
                "fit weights: fitted",
                &what,
                [*held, *reported],
                "intervals_of_simulated_weights_cover_as_often_as_they_say",
            );
            assert!(*held * 100 >= reported * 93, "{number}: {all:?}");
        }
    }
}

/// An estimate, with the limits of its interval.
type Estimate = (f64, Option<[f64; 2]>);

/// Returns how many intervals of `runs` seeds cover the mean of their estimates, and their number.
fn over_seeds(args: &str, runs: u64) -> [u64; 2] {
    let dir = tempfile::tempdir().unwrap();
    let mut rows: BTreeMap<String, Vec<Estimate>> = BTreeMap::new();
    for run in 0..runs {
        let text = done_at(&format!("fit {args} --seed {} --json", 77_300 + run), dir.path());
        let reported: Json = serde_json::from_str(&text).unwrap();
        for row in reported["fitted"].as_array().unwrap() {
            let key = format!("{} {}", row["moment"], row["weight"]);
            let of = |end: &str| row["fitted"][end].as_f64();
            let interval = of("low").zip(of("high")).map(|(low, high)| [low, high]);
            rows.entry(key).or_default().push((of("estimate").unwrap(), interval));
        }
    }
    let mut all = [0; 2];
    for seen in rows.values() {
        let mean = seen.iter().map(|(x, _)| x).sum::<f64>() / seen.len() as f64;
        for [low, high] in seen.iter().filter_map(|(_, interval)| *interval) {
            all[0] += u64::from((low..=high).contains(&mean));
            all[1] += 1;
        }
    }
    all
}

#[test]
#[ignore = "slow: 130 fits to games of real evaluations, value functions and priors: `just fit-proofs` runs it"]
fn intervals_of_real_fits_hold_the_mean_over_seeds() {
    let name = "intervals_of_real_fits_hold_the_mean_over_seeds";
    for (row, args, runs) in [
        (
            "fit weights: fitted",
            "weights --game hannibal --games 200 --unmixed --strength 0.00001",
            40,
        ),
        ("fit weights: fitted", "weights --game hannibal --games 200 --strength 0.001", 40),
        ("fit weights: fitted", "weights --game hannibal --games 200", 30),
        ("fit weights: fitted", "weights --game imperium --games 200 --strength 0.001", 20),
        ("fit value: fitted", "value --players 2 --games 200 --per-game 8 --strength 0.01", 20),
        (
            "fit priors: fitted",
            "priors --game hannibal --search mcts(iterations=40) --games 100 --per-game 4 --weights legion,hand,tempo --strength 0.1",
            20,
        ),
    ] {
        let [held, reported] = over_seeds(args, runs);
        measured(row, &format!("the mean over seeds, `{args}`"), [held, reported], name);
        assert!(reported > 0 && held * 100 >= reported * 93, "{args}: {held} of {reported}");
    }
}
