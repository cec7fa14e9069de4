//! Coverage of the intervals of relative efficiencies, measured on simulated comparisons.

use engine::{Purpose, Randomness, Stream, rng};
use stats::RelativeEfficiency;

use crate::measured;

fn normal(rng: &mut Stream) -> f64 {
    (-2.0 * (1.0 - rng.unit()).ln()).sqrt() * (std::f64::consts::TAU * rng.unit()).cos()
}

fn exponential(rng: &mut Stream) -> f64 {
    -(1.0 - rng.unit()).ln()
}

fn coin(rng: &mut Stream, chance: f64) -> f64 {
    f64::from(u8::from(rng.unit() < chance))
}

const RUNS: u32 = 1_500;

/// Returns the part of comparisons of `blocks` blocks whose interval holds `truth`, and the mean ratio of its ends.
fn coverage(
    blocks: u64,
    truth: f64,
    empty: &RelativeEfficiency,
    add: fn(&mut RelativeEfficiency, &mut Stream),
) -> (f64, f64) {
    let mut rng = rng::stream(23, blocks, Purpose::Analysis);
    let (mut held, mut width) = (0, 0.0);
    for _ in 0..RUNS {
        let mut efficiency = empty.clone();
        (0..blocks).for_each(|_| add(&mut efficiency, &mut rng));
        let interval = efficiency.estimate().and_then(|one| one.interval);
        held += u32::from(interval.is_none_or(|interval| interval.contains(truth)));
        width += interval.map_or(0.0, |interval| (interval.high / interval.low).ln());
    }
    (f64::from(held) / f64::from(RUNS), (width / f64::from(RUNS)).exp())
}

/// Adds two arms that share normal luck.
fn normal_pair(efficiency: &mut RelativeEfficiency, rng: &mut Stream) {
    let luck = 1.5 * normal(rng);
    efficiency.add_pair(luck + normal(rng), 3.0 + luck + normal(rng));
}

/// Adds two arms that share skewed luck.
fn skewed_pair(efficiency: &mut RelativeEfficiency, rng: &mut Stream) {
    let luck = exponential(rng);
    efficiency.add_pair(luck + 0.7 * exponential(rng), luck + 0.7 * exponential(rng));
}

/// Adds two arms in which a game is won or lost, mostly alike.
fn coins(efficiency: &mut RelativeEfficiency, rng: &mut Stream) {
    let luck = coin(rng, 0.4);
    let arm = |rng: &mut Stream| if rng.unit() < 0.7 { luck } else { coin(rng, 0.4) };
    efficiency.add_pair(luck, arm(rng));
}

/// Adds a block of two games: in six of ten blocks exactly one is won, otherwise both are random.
fn halves(efficiency: &mut RelativeEfficiency, rng: &mut Stream) {
    let first = coin(rng, 0.5);
    let second = if rng.unit() < 0.6 { 1.0 - first } else { coin(rng, 0.5) };
    let mean = f64::midpoint(first, second);
    efficiency.add_block(mean, mean);
}

#[test]
fn intervals_of_relative_efficiencies_hold_the_truth_in_95_of_100_comparisons() {
    let (pairs, blocks_of_two) = (RelativeEfficiency::of_pairs(), RelativeEfficiency::of_blocks(2));
    let mut sums = [0.0; 2];
    for blocks in [30, 100, 500] {
        for (name, truth, empty, add) in [
            // Variance 3.25 and covariance 2.25; 1.49 and 1; 0.24 and 0.7·0.24; 1/8 of independent games and 1/20.
            ("normal", 3.25, &pairs, normal_pair as fn(&mut RelativeEfficiency, &mut Stream)),
            ("skewed", 1.49 / 0.49, &pairs, skewed_pair),
            ("coins", 1.0 / 0.3, &pairs, coins),
            ("halves", 2.5, &blocks_of_two, halves),
        ] {
            let (held, width) = coverage(blocks, truth, empty, add);
            println!("{name}, {blocks} blocks: held {held:.3}, ends {width:.2} apart");
            sums[0] += held * f64::from(RUNS);
            sums[1] += f64::from(RUNS);
            assert!((0.92..=0.99).contains(&held), "{name}, {blocks} blocks: {held}");
            // The error of the logarithm of a variance is about √(2/n).
            assert!(blocks < 500 || width < 1.8, "{name}: {width}");
        }
    }
    measured(
        "compare: relative efficiency",
        "planted: four kinds of luck, 30, 100 and 500 blocks: the truth is held",
        sums,
        "intervals_of_relative_efficiencies_hold_the_truth_in_95_of_100_comparisons",
    );
}
