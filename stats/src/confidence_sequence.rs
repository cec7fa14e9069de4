//! Anytime-valid 95 % intervals of a mean: the truth is ever missed in at most 5 of 100 runs, whenever one looks or
//! stops.
//!
//! **Values within a range**, here 0 to 1. A bettor stakes `λ` on each block against the mean m and multiplies their
//! wealth by `1 + λ (x − m)`. If m is the truth, they gain nothing on average. Their wealth starts at 1, so it ever
//! reaches 1/α with probability at most α (Ville 1939). The confidence sequence holds all m against which no bettor has
//! become so rich (Waudby-Smith and Ramdas 2024, doi:10.1093/jrsssb/qkad009). The best λ is known only afterwards. So
//! the bettor divides their money: half on means above m, half below, and each half among the stakes
//!
//! ```text
//! λ_u = ± min(e^(−u)/√(m (1 − m)), the stake at which one block can cause ruin),   u = −1, −3/4, …, 9
//! ```
//!
//! with the weights `1/(1 + ((u − 1.5)/1.8)⁴)`. After n blocks of g independent games the best stake has `u` near
//! `½ ln(n/10g)`. So the weights favour a hundred to ten thousand blocks, and reach to a thousand million. The wealth
//! itself is computed, instead of a bound on its distance from the best constant stake. The interval is 1.65 to 1.75
//! times as wide as that for a fixed number of blocks, from 300 to 10,000 blocks. The bound for the universal portfolio
//! (Orabona and Jun 2021, arXiv:2110.14099) gave 1.8 to 2.1.
//!
//! As m moves away from the values, each stake gains. (Its wealth falls in m where it bets on more: with
//! `λ ∝ 1/√(m (1 − m))` the slope of `ln(1 + λ (x − m))` has the sign of `−λ` for every x in the range.) So the means
//! that are left form an interval, and bisection finds its ends. If a tally has put several values into one cell, the
//! lowest wealth that they can have made counts ([`Tally::spread_out`]). So rounding never narrows the interval.
//!
//! **Values without bounds** have no such sequence for all distributions; theirs holds in the limit of many blocks
//! (Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, arXiv:2103.06476): Robbins' normal mixture with the measured standard
//! deviation. The interval is infinite before [`LEAST_BLOCKS`].

use super::gsprt::LEAST_BLOCKS;
use super::interval::Interval;
use super::tally::{Range, Tally};

/// The probability ever to miss the truth.
const ALPHA: f64 = 0.05;
/// The number of blocks for which the sequence of values without bounds is narrowest.
const NARROWEST_AT: f64 = 200.0;
/// Number of stakes on each side, from [`FIRST_STAKE`] in steps of [`STEP`].
const STAKES: usize = 41;
/// The smallest u of a stake.
const FIRST_STAKE: f64 = -1.0;
/// The distance of two stakes in u.
const STEP: f64 = 0.25;

/// Returns the confidence sequence after the values of `tally`; it is the whole range while nothing is known.
#[must_use]
pub fn confidence_sequence(tally: &Tally) -> Interval {
    confidence_sequence_at(tally, ALPHA)
}

/// Returns the confidence sequence with the probability `alpha` ever to miss the truth.
#[must_use]
pub fn confidence_sequence_at(tally: &Tally, alpha: f64) -> Interval {
    match tally.range() {
        Range::Within(low, high) => within(tally, low, high, alpha),
        Range::Anywhere => anywhere(tally, alpha),
    }
}

/// Returns the log wealth of the bettors on a mean of `tally` above `mean` and below it; their wealth starts at 1.
///
/// If `mean` is the truth and blocks are independent, the mean of both wealths ever exceeds 1/α with probability at
/// most α. So does each wealth. The result is 0 for values without bounds, and infinite if `mean` is an end of the
/// range and the values refute it.
#[must_use]
pub fn log_wealths(tally: &Tally, mean: f64) -> [f64; 2] {
    match tally.range() {
        Range::Within(low, high) => {
            Bettor::new(tally, low, high).log_wealths((mean - low) / (high - low))
        }
        Range::Anywhere => [0.0; 2],
    }
}

/// The side of the mean on which the bisection searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Above,
    Below,
}

/// A bettor against means.
struct Bettor {
    /// Counts and values, with the range mapped to 0..1.
    points: Vec<(f64, f64)>,
    /// u of each stake, and the logarithm of its part of the money.
    stakes: [(f64, f64); STAKES],
}

impl Bettor {
    fn new(tally: &Tally, low: f64, high: f64) -> Self {
        let place = |(n, x): (f64, f64)| (n, ((x - low) / (high - low)).clamp(0.0, 1.0));
        let points = tally.spread_out().into_iter().map(place).collect();
        let weight = |u: f64| 1.0 / (1.0 + ((u - 1.5) / 1.8).powi(4));
        let u: [f64; STAKES] = std::array::from_fn(|i| STEP.mul_add(i as f64, FIRST_STAKE));
        let total: f64 = u.iter().map(|&u| weight(u)).sum();
        Self { points, stakes: u.map(|u| (u, (weight(u) / total).ln())) }
    }

    fn log_wealths(&self, mean: f64) -> [f64; 2] {
        [Side::Above, Side::Below].map(|side| self.log_wealth(mean, side))
    }

    fn log_wealth(&self, mean: f64, side: Side) -> f64 {
        // A bet on a smaller mean counts from the other end.
        let seen = |x: f64| if side == Side::Above { x } else { 1.0 - x };
        let mean = seen(mean);
        let points = self.points.iter().filter(|&&(n, _)| n > 0.0).map(|&(n, x)| (n, seen(x)));
        if mean <= 0.0 {
            let is_refuted = points.into_iter().any(|(_, x)| x > 0.0);
            return if is_refuted { f64::INFINITY } else { 0.0 };
        }
        let usual = 1.0 / (mean * (1.0 - mean).max(0.0)).sqrt();
        let mut logs = self.stakes;
        for (u, log) in &mut logs {
            let stake = (usual * (-*u).exp()).min(1.0 / mean);
            // A bettor who stakes everything is ruined at the end of the range.
            let factor = |x: f64| stake.mul_add(x - mean, 1.0).max(f64::MIN_POSITIVE);
            *log += points.clone().map(|(n, x)| n * factor(x).ln()).sum::<f64>();
        }
        let most = logs.iter().map(|&(_, log)| log).fold(f64::NEG_INFINITY, f64::max);
        most + logs.iter().map(|&(_, log)| (log - most).exp()).sum::<f64>().ln()
    }
}

fn within(tally: &Tally, low: f64, high: f64, alpha: f64) -> Interval {
    let moments = tally.moments();
    if moments.n() == 0 {
        return Interval { low, high };
    }
    let bettor = Bettor::new(tally, low, high);
    let mean = ((moments.mean() - low) / (high - low)).clamp(0.0, 1.0);
    // Each side has half of the money; the other half is never worth less than nothing.
    let most = (2.0 / alpha).ln();
    let end = |outer: f64, side| last_inside(mean, outer, |m| bettor.log_wealth(m, side) < most);
    Interval { low: end(0.0, Side::Above), high: end(1.0, Side::Below) }.stretched(low, high)
}

/// Returns the number farthest from `inner` towards `outer` that still `holds`, by bisection.
fn last_inside(inner: f64, outer: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut inside, mut outside) = (inner, outer);
    for _ in 0..48 {
        let middle = f64::midpoint(inside, outside);
        if holds(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    // Numbers that are not known to be inside count as inside.
    outside
}

fn anywhere(tally: &Tally, alpha: f64) -> Interval {
    let moments = tally.moments();
    // Values that all agree show nothing about their spread.
    if moments.n() < LEAST_BLOCKS || !tally.knows_spread() {
        return Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
    }
    let n = moments.n() as f64;
    let wide = -2.0 * alpha.ln();
    let prior = (wide + wide.ln_1p()) / NARROWEST_AT;
    let information = n.mul_add(prior, 1.0);
    let spread = 2.0 * information / (n * n * prior) * (information.sqrt() / alpha).ln();
    let half = (moments.variance() * spread).sqrt();
    Interval { low: moments.mean() - half, high: moments.mean() + half }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half_width(interval: Interval) -> f64 {
        (interval.high - interval.low) / 2.0
    }

    #[test]
    fn nothing_known_is_everything_possible() {
        let shares = confidence_sequence(&Tally::new(Range::SHARES));
        assert_eq!((shares.low, shares.high), (0.0, 1.0));
        for n in [0, 1, LEAST_BLOCKS, 400] {
            let mut plies = Tally::new(Range::Anywhere);
            (0..n).for_each(|_| plies.add(-3.0));
            let sequence = confidence_sequence(&plies);
            assert!(sequence.low.is_infinite() && sequence.high.is_infinite(), "{n}: {sequence:?}");
        }
    }

    /// Returns the width relative to the interval for a fixed number, for `n` blocks with these values in turn.
    fn width(range: Range, values: &[f64], n: usize) -> f64 {
        let mut tally = Tally::new(range);
        (0..n).for_each(|i| tally.add(values[i % values.len()]));
        half_width(confidence_sequence(&tally)) / tally.moments().half_width().unwrap()
    }

    #[test]
    fn it_is_five_thirds_as_wide_as_an_interval_for_a_fixed_number() {
        // Two players, one seat each; four players; a difference of two.
        let two = [0.0, 0.5, 0.5, 1.0];
        let four = [0.0, 0.25, 0.25, 0.5];
        for (n, most) in [(100, 1.72), (1_000, 1.66), (10_000, 1.74), (100_000, 1.93)] {
            for values in [two, four] {
                let ratio = width(Range::SHARES, &values, n);
                assert!((1.6..most).contains(&ratio), "{values:?} {n}: {ratio}");
            }
        }
        for (n, low, high) in [(100, 1.5, 1.9), (1_000, 1.5, 2.1), (10_000, 1.6, 2.2)] {
            let ratio = width(Range::Anywhere, &four, n);
            assert!((low..high).contains(&ratio), "{n}: {ratio}");
        }
    }

    #[test]
    fn all_lost_closes_on_zero_and_never_reaches_it() {
        let mut last = 1.0;
        let mut tally = Tally::new(Range::SHARES);
        for n in 1..=300 {
            tally.add(0.0);
            let interval = confidence_sequence(&tally);
            assert!(interval.low < 1e-12 && interval.high < last + 1e-12, "{n}: {interval:?}");
            // No bettor against m is richer than (1 − m)^−n.
            let least = 1.0 - (-(40_f64.ln()) / f64::from(n)).exp();
            assert!(interval.high > least && interval.high < 1.6 * least, "{n}: {interval:?}");
            last = interval.high;
        }
    }

    #[test]
    fn it_holds_the_interval_for_a_fixed_number_where_all_blocks_agree() {
        for value in [0.0, 0.25, 0.5, 0.9, 1.0] {
            let mut tally = Tally::new(Range::SHARES);
            for n in 1..=200 {
                tally.add(value);
                let (wide, narrow) =
                    (confidence_sequence(&tally), tally.moments().share_interval());
                let is_inside = wide.low <= narrow.low + 1e-12 && narrow.high <= wide.high + 1e-12;
                assert!(is_inside, "{value} {n}: {wide:?} {narrow:?}");
            }
        }
    }

    #[test]
    fn wealth_falls_from_the_end_of_the_range_to_the_mean() {
        let values = [0.0, 0.125, 0.5, 0.5, 1.0, 0.3, 0.0, 0.0];
        for n in [3, 8, 80, 4_000] {
            let mut tally = Tally::new(Range::SHARES);
            (0..n).for_each(|i| tally.add(values[i % values.len()]));
            let means: Vec<f64> = (1..200).map(|i| f64::from(i) / 200.0).collect();
            let wealths = means.iter().map(|&mean| log_wealths(&tally, mean));
            for two in wealths.collect::<Vec<_>>().windows(2) {
                assert!(two[0][0] >= two[1][0] && two[0][1] <= two[1][1], "{n}: {two:?}");
            }
            assert!(log_wealths(&tally, 0.0)[0].is_infinite());
        }
    }

    #[test]
    fn bets_on_a_coin_gain_nothing_on_average() {
        // All 2^10 sequences of a coin that falls with 0.3: the mean wealth at 0.3 is 1 on both sides.
        for side in [0, 1] {
            let mut mean = 0.0;
            for won in 0..=10_i32 {
                let mut tally = Tally::new(Range::SHARES);
                (0..10).for_each(|i| tally.add(f64::from(u8::from(i < won))));
                let ways =
                    (0..won).fold(1.0, |ways, i| ways * f64::from(10 - i) / f64::from(i + 1));
                let chance = ways * 0.3_f64.powi(won) * 0.7_f64.powi(10 - won);
                mean += chance * log_wealths(&tally, 0.3)[side].exp();
            }
            assert!((mean - 1.0).abs() < 1e-9, "{mean}");
        }
    }

    #[test]
    fn more_values_than_cells_never_narrow_the_interval() {
        let mut tally = Tally::new(Range::SHARES);
        let (mut points, mut n) = (Vec::new(), 0);
        while n < 6_000 {
            let value = f64::from(n * 7_919 % 6_000) / 6_000.0;
            tally.add(value);
            points.push((1.0, value));
            n += 1;
        }
        let rounded = confidence_sequence(&tally);
        let exact = Bettor { points, ..Bettor::new(&tally, 0.0, 1.0) };
        for (end, side) in [(rounded.low, Side::Above), (rounded.high, Side::Below)] {
            let at_end = exact.log_wealth(end, side);
            assert!(at_end >= 40_f64.ln() - 1e-9 && at_end < 40_f64.ln() + 0.01, "{at_end}");
        }
    }
}
