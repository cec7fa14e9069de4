//! Ladders with planted strengths: coverage of the curves, false gains and missed gains.

use engine::Randomness;
use stats::elo::{EloDifference, lead};
use stats::learning_curve::learning_curve;
use stats::power::endings;
use stats::{Gsprt, Interval, Stopped, Verdict};

use super::{MOST_BLOCKS, World, agents_question, bound, play};

/// Returns a candidate that is `elo` stronger than equal others at a table without luck.
const fn stronger(players: usize, elo: f64) -> World {
    World { players, luck: 0.0, edge: elo * std::f64::consts::LN_10 / 400.0 }
}

/// Returns the step that a test adds to a curve: its interval with half of the tails of 5 %.
fn difference(players: usize, test: &Gsprt) -> Option<EloDifference> {
    let Stopped { estimate, interval: Interval { low, high }, .. } =
        Stopped::with_tail(test, 0.025)?;
    let zero = test.question().zero;
    let shares = Interval { low: zero + low, high: zero + high };
    Some(lead(zero + estimate, shares, test.tally().moments().n(), players))
}

/// The results of ladders.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    /// The part of ladders with a step of no gain that was called a gain.
    false_gain: f64,
    /// The part of steps with a gain worth finding that were not called a gain.
    missed: f64,
    /// The part of places of the curves, over all ladders, that hold the truth.
    held: f64,
    /// The mean error of the top of the curve, in Elo.
    error: f64,
}

/// Climbs `n` ladders whose steps gain `gains` Elo.
fn climb(players: usize, gains: &[f64], n: u64) -> Ends {
    let question = agents_question(players);
    let mut ends = Ends::default();
    for ladder in 0..n {
        let tests: Vec<Gsprt> = gains
            .iter()
            .enumerate()
            .map(|(step, &gain)| {
                let address = ladder * gains.len() as u64 + step as u64;
                let world = stronger(players, gain);
                play(question, (71, address), MOST_BLOCKS, &mut |rng| world.block(rng))
            })
            .collect();
        let found = |step: usize| tests[step].verdict() == Verdict::H1;
        let steps = || 0..gains.len();
        ends.false_gain += f64::from(steps().any(|i| gains[i] <= 0.0 && found(i))) / n as f64;
        let missed = steps().filter(|&i| gains[i] >= 50.0 && !found(i)).count();
        ends.missed += missed as f64 / (n as f64 * gains.len() as f64);
        let steps: Vec<_> = tests.iter().map(|test| difference(players, test)).collect();
        let curve = learning_curve(&steps);
        assert_eq!(curve.len(), gains.len());
        let mut truth = 0.0;
        for (gain, at) in gains.iter().zip(&curve) {
            truth += gain;
            let part = 1.0 / (n as f64 * gains.len() as f64);
            ends.held += f64::from(at.interval.contains(truth)) * part;
        }
        ends.error += (curve[gains.len() - 1].elo - truth) / n as f64;
    }
    println!("ladder of {players} players, gains {gains:?}: {ends:?}");
    ends
}

fn check(n: u64, settings: &[(usize, &[f64])]) -> [f64; 2] {
    let mut sums = [0.0; 2];
    let alpha_of_all = |steps: usize| 1.0 - 0.95_f64.powi(steps as i32);
    for &(players, gains) in settings {
        let ends = climb(players, gains, n);
        assert!(ends.false_gain <= bound(alpha_of_all(gains.len()), n), "{gains:?}: {ends:?}");
        // At two players 50 Elo are 0.071 of a share; at four, 60 are 0.071.
        let steps = n * gains.len() as u64;
        assert!(ends.missed <= bound(0.05, steps), "{gains:?}: {ends:?}");
        assert!(ends.held >= 0.89 - 3.0 * f64::sqrt(0.9 * 0.1 / n as f64), "{gains:?}: {ends:?}");
        assert!(ends.error.abs() < 10.0 * gains.len() as f64, "{gains:?}: {ends:?}");
        sums[0] += ends.held * steps as f64;
        sums[1] += steps as f64;
    }
    sums
}

/// Settings as the number of players and the gains in Elo: none, decreasing, mixed and equal gains.
const SETTINGS: [(usize, &[f64]); 6] = [
    (2, &[0.0; 4]),
    (2, &[70.0, 50.0, 20.0, 0.0]),
    (4, &[120.0, 60.0, 60.0, 0.0]),
    (4, &[0.0, -60.0, 60.0, 10.0]),
    (2, &[50.0; 8]),
    (3, &[30.0; 8]),
];

#[test]
fn ladders_hold_a_planted_scale() {
    crate::measured(
        "ladder: share, Elo",
        "planted: three scales of four steps: places of the curve (of 90 %)",
        check(60, &SETTINGS[..3]),
        "ladders_hold_a_planted_scale",
    );
}

#[test]
#[ignore = "slow: 1,000 ladders of four or eight steps in each of six worlds take many minutes: `just sequential` runs it"]
fn ladders_hold_a_planted_scale_in_full() {
    check(1_000, &SETTINGS);
}

/// The computed power for shares of blocks, compared with simulated tests of them.
#[test]
fn power_is_what_tests_of_shares_have() {
    let question = agents_question(2);
    for (effect, blocks) in [(0.0, 400), (0.025, 400), (0.05, 200), (0.1, 100)] {
        // Blocks of two games without luck: the share varies by p (1 − p) / 2.
        let share = 0.5 + effect;
        let deviation = f64::sqrt(share * (1.0 - share) / 2.0);
        let planned = endings(&question, deviation, effect, u64::from(blocks));
        let n = 600_u32;
        let found = (0..n).filter(|&address| {
            let won = |rng: &mut engine::Stream| f64::from(u8::from(rng.unit() < share));
            let mut draw = |rng: &mut engine::Stream| f64::midpoint(won(rng), won(rng));
            let test = play(question, (73, u64::from(address)), blocks, &mut draw);
            test.verdict() == Verdict::H1
        });
        let seen = found.count() as f64 / f64::from(n);
        // Shares of few blocks are lumpy, and large effects are found somewhat later than with normal values.
        let most = if effect > question.h1 { 0.1 } else { 0.06 };
        assert!((planned.h1 - seen).abs() < most, "{effect} {blocks}: {planned:?} {seen}");
    }
}
