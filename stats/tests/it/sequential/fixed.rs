//! Error rates, power and coverage of tests of fixed length, in points and in Elo.

use engine::{Purpose, Stream, rng};
use stats::elo::lead;
use stats::fixed_length::Shown;
use stats::{FixedLength, Interval, Moments, Null, Range, Sides};

use super::{World, bound, length_block, rules_block};
use crate::measured;

/// The results of tests of fixed length, as parts of all tests.
#[derive(Clone, Copy, Debug, Default)]
struct FixedTests {
    above: f64,
    below: f64,
    within: f64,
    held: f64,
    held_in_elo: f64,
}

/// Returns the results of `n` tests of `null` with 100 blocks each, for the effect `truth` at a table of `players`.
fn repeated(
    null: Null,
    truth: f64,
    n: u64,
    players: usize,
    mut draw: impl FnMut(&mut Stream) -> f64,
) -> FixedTests {
    let mut tests = FixedTests::default();
    let part = 1.0 / n as f64;
    for address in 0..n {
        let mut rng = rng::stream(37, address, Purpose::Analysis);
        let mut moments = Moments::default();
        (0..100).for_each(|_| moments.add(draw(&mut rng)));
        let result = FixedLength::new(&null, &moments).expect("blocks that differ");
        let is_refused = matches!(result.shown, Shown::Above | Shown::Below);
        assert_eq!(result.p < 0.05, is_refused, "{result:?}");
        match result.shown {
            Shown::Above => tests.above += part,
            Shown::Below => tests.below += part,
            Shown::Within => tests.within += part,
            Shown::Nothing => {}
        }
        tests.held += if result.interval.contains(truth) { part } else { 0.0 };
        let Interval { low, high } = result.interval;
        let shares = Interval { low: null.zero + low, high: null.zero + high };
        let elo = lead(null.zero + result.estimate, shares, 100, players);
        let share = null.zero + truth;
        let true_elo = 400.0 * ((players as f64 - 1.0) * share / (1.0 - share)).log10();
        tests.held_in_elo += if elo.interval.contains(true_elo) { part } else { 0.0 };
    }
    tests
}

#[test]
fn tests_of_fixed_length_on_agents_err_in_five_of_a_hundred_and_find_what_is_there() {
    const N: u64 = 1_000;
    let (mut equals, mut effects) = ([0.0; 2], [0.0; 2]);
    for (players, luck) in [(2, 0.0), (4, 0.0), (4, 2.0), (6, 1.0)] {
        let zero = 1.0 / players as f64;
        let null = Null { range: Range::SHARES, zero, h0: 0.0, sides: Sides::Above };
        let fair = World { players, luck, edge: 0.0 };
        let none = repeated(null, 0.0, N, players, |rng| fair.block(rng));
        let what = format!("{players} players, luck {luck}");
        assert!(none.above + none.below <= bound(0.05, N), "{what}: {none:?}");
        assert!(none.held >= 1.0 - bound(0.05, N) && none.within == 0.0, "{what}: {none:?}");
        assert!((none.held - none.held_in_elo).abs() < 1e-9, "{what}: {none:?}");
        // An effect of 0.15 is some four standard errors of 100 blocks.
        let better = World::with_share(players, luck, zero + 0.15);
        let planted = repeated(null, 0.15, N, players, |rng| better.block(rng));
        assert!(planted.above > 0.95 && planted.below == 0.0, "{what}: {planted:?}");
        assert!(planted.held >= 0.93 && planted.held_in_elo >= 0.93, "{what}: {planted:?}");
        for (sums, tests) in [(&mut equals, none), (&mut effects, planted)] {
            sums[0] += tests.held * N as f64;
            sums[1] += N as f64;
        }
    }
    let test = "tests_of_fixed_length_on_agents_err_in_five_of_a_hundred_and_find_what_is_there";
    let row = "compare --fixed: effect";
    measured(row, "A/A: four tables, 100 blocks", equals, test);
    measured(row, "planted: 15 points at four tables, 100 blocks: held", effects, test);
}

#[test]
fn tests_of_no_regression_err_in_five_of_two_hundred_and_pass_equals() {
    const N: u64 = 1_000;
    let null = Null { range: Range::SHARES, zero: 0.5, h0: -0.15, sides: Sides::Above };
    let worse = World::with_share(2, 0.0, 0.35);
    let of_worse = repeated(null, -0.15, N, 2, |rng| worse.block(rng));
    assert!(of_worse.above <= bound(0.025, N), "{of_worse:?}");
    let equal = World { players: 2, luck: 0.0, edge: 0.0 };
    assert!(repeated(null, 0.0, N, 2, |rng| equal.block(rng)).above > 0.95);
}

#[test]
fn tests_of_fixed_length_on_rules_err_in_five_of_a_hundred_and_find_what_is_there() {
    const N: u64 = 1_000;
    let shares = Null { range: Range::DIFFERENCES, zero: 0.0, h0: 0.0, sides: Sides::Both };
    let lengths = Null { range: Range::Anywhere, ..shares };
    let none = repeated(shares, 0.0, N, 2, |rng| rules_block(rng, 0.0));
    assert!(none.above + none.below <= bound(0.05, N), "{none:?}");
    // Skewed lengths: Student's t errs a little more often below than above.
    let plies = repeated(lengths, 0.0, N, 2, |rng| length_block(rng, 0.0));
    assert!(plies.above + plies.below <= 0.01 + bound(0.05, N), "{plies:?}");
    for sign in [1.0, -1.0] {
        let moved = repeated(shares, 0.2 * sign, N, 2, |rng| rules_block(rng, 0.2 * sign));
        let found = if sign > 0.0 { moved.above } else { moved.below };
        assert!(found > 0.95, "{sign}: {moved:?}");
        let longer = repeated(lengths, 12.0 * sign, N, 2, |rng| length_block(rng, 12.0 * sign));
        let found = if sign > 0.0 { longer.above } else { longer.below };
        assert!(found > 0.95, "{sign}: {longer:?}");
    }
    // A difference of 0.2 is called smaller than 0.2 in at most one of forty tests, and usually in none.
    let small = Null { h0: 0.2, ..shares };
    let at_edge = repeated(small, 0.2, N, 2, |rng| rules_block(rng, 0.2));
    assert!(at_edge.within <= bound(0.025, N) && at_edge.above <= bound(0.025, N), "{at_edge:?}");
    assert!(repeated(small, 0.0, N, 2, |rng| rules_block(rng, 0.0)).within > 0.95);
}
