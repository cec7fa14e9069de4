//! Means over positions and ratios of variances, with bootstrap intervals.
//!
//! Each position comes from its own game, so positions are independent and each is resampled individually
//! ([`Bootstrap`]). Two arms are compared by position: both see the same positions.

use serde_json::{Value as Json, json};

use super::spread::pooled;
use sim::stats::{Bootstrap, Interval};

/// The smallest number of positions for an interval: percentiles of fewer are unreliable.
const FEWEST: usize = 10;

/// A number with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Its interval, if there are enough positions.
    pub interval: Option<Interval>,
    /// Number of positions.
    pub n: usize,
}

impl Estimate {
    /// Returns `statistic` of `n` positions; its argument is the weight of each position. `None` without positions.
    #[must_use]
    pub fn of(n: usize, seed: u64, statistic: impl Fn(&[f64]) -> f64) -> Option<Self> {
        let interval = if n < FEWEST { None } else { Bootstrap::new(seed).interval(n, &statistic) };
        (n > 0).then(|| Self { value: statistic(&vec![1.0; n]), interval, n })
    }

    /// Returns the mean of `values`.
    #[must_use]
    pub fn mean(values: &[f64], seed: u64) -> Option<Self> {
        Self::of(values.len(), seed, |times| {
            let weighed: f64 = values.iter().zip(times).map(|(value, times)| value * times).sum();
            weighed / times.iter().sum::<f64>()
        })
    }

    /// Returns the spread of positions with these variances.
    #[must_use]
    pub fn spread(variances: &[f64], seed: u64) -> Option<Self> {
        Self::of(variances.len(), seed, |times| pooled(variances, times))
    }

    /// Returns the spread `before` divided by the spread `after`, over the same positions.
    #[must_use]
    pub fn fall(before: &[f64], after: &[f64], seed: u64) -> Option<Self> {
        Self::of(before.len(), seed, |times| pooled(before, times) / pooled(after, times))
    }

    /// Returns the JSON of an estimate.
    #[must_use]
    pub fn json(this: Option<Self>) -> Json {
        json!({
            "estimate": this.map(|this| this.value),
            "low": this.and_then(|this| this.interval).map(|interval| interval.low),
            "high": this.and_then(|this| this.interval).map(|interval| interval.high),
            "n": this.map_or(0, |this| this.n),
        })
    }
}

#[cfg(test)]
mod tests {
    use engine::{Purpose, Randomness, rng};

    use super::*;

    /// Of 100 samples of 60 losses, at least 90 intervals cover the truth. Most losses are 0 and some are large, as
    /// for real choices. A percentile interval of such a skewed mean is slightly too narrow.
    #[test]
    fn intervals_of_rare_large_losses_cover() {
        let mut draws = rng::stream(1, 0, Purpose::Analysis);
        let mut loss = || if draws.unit() < 0.2 { 0.1 * draws.unit() } else { 0.01 * draws.unit() };
        let truth = 0.2 * 0.05 + 0.8 * 0.005;
        let mut covers = |sample: u64| {
            let losses: Vec<f64> = (0..60).map(|_| loss()).collect();
            Estimate::mean(&losses, sample).unwrap().interval.unwrap().contains(truth)
        };
        let covered = (0..100).filter(|&sample| covers(sample)).count();
        println!(
            "measured | diagnose: losses and gains | planted: rare large losses | {covered} | 100 | intervals_of_rare_large_losses_cover"
        );
        assert!((90..=100).contains(&covered), "{covered} of 100");
    }

    #[test]
    fn few_positions_have_no_interval_and_none_no_value() {
        assert_eq!(Estimate::mean(&[], 1), None);
        assert_eq!(Estimate::mean(&[1.0; 9], 1).unwrap().interval, None);
        let fall = Estimate::fall(&[4.0; 10], &[1.0; 10], 1).unwrap();
        assert_eq!((fall.value, fall.n), (2.0, 10));
        assert_eq!(fall.interval, Some(Interval { low: 2.0, high: 2.0 }));
    }
}
