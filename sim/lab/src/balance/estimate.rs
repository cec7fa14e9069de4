//! Estimates from block values: means of paired differences, with intervals and p-values.

use serde_json::{Value as Json, json};

use sim::stats::{Family, Interval, Moments, Ratio, Region};

/// The half width below which a spread is only rounding, relative to the mean (or to 1 if the mean is smaller).
pub(super) const ROUNDING: f64 = 1e-12;

/// A mean over blocks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The mean.
    pub value: f64,
    /// Its 95 % interval, if there is one.
    pub interval: Option<Interval>,
    /// The two-sided p-value of zero, if there is one. It is below 0.05 exactly if the interval excludes zero. If all
    /// blocks have the same value, there is no interval and the p-value is that of a sign test.
    pub p: Option<f64>,
    /// Number of blocks.
    pub n: u64,
}

/// Returns the sums of values.
#[must_use]
pub fn moments(values: &[f64]) -> Moments {
    let mut moments = Moments::default();
    values.iter().for_each(|&value| moments.add(value));
    moments
}

/// Returns the mean of `one` less the mean of `other`, where both are differences of shares and a block may lack a
/// value. Each mean is over the blocks that have it. The two depend on each other within a block, since they share its
/// seed. If all blocks have both values, it is the mean of the paired differences. Otherwise each mean is a ratio of
/// sums over all blocks, expanded to first order. Returns `None` if fewer than two blocks have one of the values.
#[must_use]
pub fn difference_of_means(one: &[Option<f64>], other: &[Option<f64>]) -> Option<Estimate> {
    let n_known = |values: &[Option<f64>]| values.iter().flatten().count();
    let fewest = n_known(one).min(n_known(other));
    if fewest < 2 {
        return None;
    }
    let paired: Option<Vec<f64>> =
        one.iter().zip(other).map(|(a, b)| Some((*a)? - (*b)?)).collect();
    if let Some(paired) = paired {
        return Estimate::of_difference(&paired);
    }
    let n = one.len() as f64;
    let parts = [one, other].map(|values| {
        let known = n_known(values) as f64;
        (values.iter().flatten().sum::<f64>() / known, n / known)
    });
    let value = parts[0].0 - parts[1].0;
    let beside =
        |x: Option<f64>, (mean, weight): (f64, f64)| x.map_or(0.0, |x| weight * (x - mean));
    let of_block =
        |(&a, &b): (&Option<f64>, &Option<f64>)| value + beside(a, parts[0]) - beside(b, parts[1]);
    let values: Vec<f64> = one.iter().zip(other).map(of_block).collect();
    let estimate = Estimate::of_numbers(&values)?;
    // If all blocks agree, the interval is what that many equal blocks cannot exclude.
    if estimate.interval.is_some() {
        Some(estimate)
    } else {
        Estimate::of_difference(&values[..fewest])
    }
}

impl Estimate {
    /// Returns the mean of values between `low` and `high`, with the interval for shares.
    #[must_use]
    pub fn within(low: f64, high: f64, moments: Moments) -> Option<Self> {
        let n = moments.n();
        let [above, below] = moments.tails_within(low, high, 0.0);
        (n > 0).then(|| Self {
            value: moments.mean(),
            interval: (n > 1).then(|| moments.interval_within(low, high)),
            p: (n > 1).then(|| (2.0 * above.min(below)).min(1.0)),
            n,
        })
    }

    /// Returns the mean of values between `low` and `high`, with an interval that is simultaneous over a family of
    /// statements. The p-value is unadjusted.
    #[must_use]
    pub fn together(low: f64, high: f64, values: &[f64], family: Family) -> Option<Self> {
        let moments = moments(values);
        let interval = (values.len() > 1).then(|| moments.together_within(low, high, family));
        Self::within(low, high, moments).map(|alone| Self { interval, ..alone })
    }

    /// Returns the mean effect on the share of one seat of `players`; the values are differences from an equal share.
    #[must_use]
    pub fn of_share(values: &[f64], players: usize) -> Option<Self> {
        let equal = 1.0 / players as f64;
        Self::within(-equal, 1.0 - equal, moments(values))
    }

    /// Returns the mean of differences of shares.
    #[must_use]
    pub fn of_difference(values: &[f64]) -> Option<Self> {
        Self::within(-1.0, 1.0, moments(values))
    }

    /// Returns the mean of unbounded values, by Student's t; without an interval if all values agree.
    #[must_use]
    pub fn of_numbers(values: &[f64]) -> Option<Self> {
        let moments = moments(values);
        let value = moments.mean();
        let half = moments.half_width().filter(|&half| half > ROUNDING * value.abs().max(1.0));
        let by_t = || moments.t_tails(0.0).map(|[a, b]| (2.0 * a.min(b)).min(1.0));
        let agreed = || (moments.n() > 1).then(|| sign_test(value, moments.n()));
        (moments.n() > 0).then(|| Self {
            value,
            interval: half.map(|half| Interval { low: value - half, high: value + half }),
            p: half.map_or_else(agreed, |_| by_t()),
            n: moments.n(),
        })
    }

    /// Returns true if at least two blocks have a value and all values agree, so that no spread is known.
    #[must_use]
    pub fn is_unanimous(&self) -> bool {
        self.interval.is_none() && self.p.is_some() && self.n > 1
    }

    /// Returns the mean alone: copies of one block give no evidence about others.
    #[must_use]
    pub fn untested(self) -> Self {
        Self { interval: None, p: None, ..self }
    }

    /// Returns true if the interval excludes zero.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.interval.is_some_and(|interval| !interval.contains(0.0))
    }

    /// Returns the JSON of the estimate, with null for a missing bound.
    #[must_use]
    pub fn json(&self) -> Json {
        let bound = |end: fn(&Interval) -> f64| self.interval.as_ref().map(end);
        json!({
            "estimate": self.value,
            "low": bound(|i| i.low),
            "high": bound(|i| i.high),
            "n": self.n,
        })
    }
}

/// Returns the two-sided p-value of zero if `n` blocks all have `value`: `2 · 2⁻ⁿ`, as for `n` coins that fall alike
/// (sign test); 1 if the value is zero.
fn sign_test(value: f64, n: u64) -> f64 {
    if value.abs() <= ROUNDING {
        return 1.0;
    }
    (2.0 * 0.5_f64.powf(n as f64)).max(f64::MIN_POSITIVE)
}

/// Returns a price ratio cut at 0, since no player is paid for taking something. The flag is true if a part was cut
/// off.
#[must_use]
pub fn cut_at_zero(ratio: Ratio) -> (Ratio, bool) {
    let estimate = ratio.estimate.max(0.0);
    let (region, is_cut) = match ratio.region {
        Region::Within(Interval { low, high }) => {
            (Region::Within(Interval { low: low.max(0.0), high: high.max(0.0) }), low < 0.0)
        }
        other => (other, ratio.estimate < 0.0),
    };
    (Ratio { estimate, region }, is_cut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Purpose, Randomness, rng};

    /// Values depend on each other within a block and on being present: the intervals cover the difference of the two
    /// means, with and without an effect, and an effect of six points is found.
    #[test]
    fn differences_of_means_over_blocks_of_their_own_are_covered_and_found() {
        let mut rng = rng::stream(43, 0, Purpose::Analysis);
        let (samples, blocks) = (1_200, 150);
        let (mut covered, mut found) = ([0; 2], 0);
        for _ in 0..samples {
            for (which, effect) in [0.0, 0.06].into_iter().enumerate() {
                let (mut one, mut other) = (Vec::new(), Vec::new());
                for _ in 0..blocks {
                    let (common, is_late) = (0.3 * (rng.unit() - 0.5), rng.below(3) == 0);
                    // Late values are larger, and the second series has them more seldom.
                    let late = if is_late { 0.1 } else { 0.0 };
                    let mut noise = || common + late + 0.3 * (rng.unit() - 0.5);
                    let (a, b) = (noise() + effect, noise());
                    one.push((rng.below(10) < 8).then_some(a));
                    other.push((rng.below(10) < if is_late { 3 } else { 9 }).then_some(b));
                }
                // In the second series one value in seven is late: 0.3/3 of 0.3/3 + 0.9·2/3.
                let truth = effect + 0.1 / 3.0 - 0.1 / 7.0;
                let estimate = difference_of_means(&one, &other).unwrap();
                covered[which] += usize::from(estimate.interval.unwrap().contains(truth));
                found += usize::from(which == 1 && estimate.is_decided() && estimate.value > 0.0);
            }
        }
        let part = |n: usize| n as f64 / samples as f64;
        for covered in covered.map(part) {
            assert!((0.93..=0.97).contains(&covered), "{covered}");
        }
        assert!(part(found) > 0.8, "{}", part(found));
    }

    #[test]
    fn blocks_that_all_agree_are_certain_and_have_no_interval() {
        let estimate = |value: f64, n: usize| Estimate::of_numbers(&vec![value; n]).unwrap();
        assert!(estimate(-3.0, 30).p.unwrap() < 1e-8 && estimate(-3.0, 30).is_unanimous());
        assert_eq!((estimate(0.0, 30).p, estimate(0.0, 30).interval), (Some(1.0), None));
        assert!(estimate(2.0, 3).p.unwrap() > 0.05, "three blocks say little");
        assert!(estimate(5.0, 5_000).p.unwrap() > 0.0);
        assert_eq!((estimate(5.0, 1).p, estimate(5.0, 1).is_unanimous()), (None, false));
        // 0.1 + 0.2 is not 0.3: a rounding error is no spread.
        assert!(Estimate::of_numbers(&[0.1 + 0.2, 0.3, 0.3]).unwrap().is_unanimous());
        assert!(!Estimate::of_numbers(&[1.0, 2.0]).unwrap().is_unanimous());
    }

    #[test]
    fn prices_are_cut_at_nothing() {
        let ratio = |estimate, low, high| Ratio {
            estimate,
            region: Region::Within(Interval { low, high }),
        };
        assert_eq!(cut_at_zero(ratio(5.0, 2.0, 9.0)), (ratio(5.0, 2.0, 9.0), false));
        assert_eq!(cut_at_zero(ratio(5.0, -2.0, 9.0)), (ratio(5.0, 0.0, 9.0), true));
        assert_eq!(cut_at_zero(ratio(-16.0, -25.0, -12.0)), (ratio(0.0, 0.0, 0.0), true));
    }

    #[test]
    fn blocks_that_all_tell_both_are_paired() {
        let one = [Some(0.5), Some(0.25), Some(0.0)];
        let other = [Some(0.25), Some(0.25), Some(0.25)];
        let estimate = difference_of_means(&one, &other);
        assert_eq!(estimate, Estimate::of_difference(&[0.25, 0.0, -0.25]));
        assert_eq!(difference_of_means(&one, &[None, Some(0.1), None]), None);
        let same = [Some(0.5), None, Some(0.25)];
        let estimate = difference_of_means(&same, &same).unwrap();
        assert!(
            estimate.value.abs() < 1e-12 && estimate.interval.unwrap().high > 0.1,
            "{estimate:?}"
        );
    }
}
