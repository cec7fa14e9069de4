//! Estimates from the values of blocks: means of paired differences, with intervals and p-values.

use serde_json::{Value as Json, json};

use crate::stats::{Family, Interval, Moments};

/// A mean over blocks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The mean.
    pub value: f64,
    /// Its 95 % interval, if there is one.
    pub interval: Option<Interval>,
    /// The two-sided p-value of zero, if there is one; below 0.05 exactly where the interval leaves zero out.
    pub p: Option<f64>,
    /// Number of blocks.
    pub n: u64,
}

/// The sums of values.
#[must_use]
pub fn moments(values: &[f64]) -> Moments {
    let mut moments = Moments::default();
    values.iter().for_each(|&value| moments.add(value));
    moments
}

impl Estimate {
    /// The mean of values that lie between `low` and `high`, by the interval of shares.
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

    /// The mean of values that lie between `low` and `high`, with an interval that holds together with those of the other
    /// statements of a family. The p-value is its own.
    #[must_use]
    pub fn together(low: f64, high: f64, values: &[f64], family: Family) -> Option<Self> {
        let moments = moments(values);
        let interval = (values.len() > 1).then(|| moments.together_within(low, high, family));
        Self::within(low, high, moments).map(|alone| Self { interval, ..alone })
    }

    /// The mean effect on the share of one seat of `players`, whose values are differences to an equal share.
    #[must_use]
    pub fn of_share(values: &[f64], players: usize) -> Option<Self> {
        let equal = 1.0 / players as f64;
        Self::within(-equal, 1.0 - equal, moments(values))
    }

    /// The mean of differences of shares.
    #[must_use]
    pub fn of_difference(values: &[f64]) -> Option<Self> {
        Self::within(-1.0, 1.0, moments(values))
    }

    /// The mean of values without bounds, by Student's t; without interval where all agree.
    #[must_use]
    pub fn of_numbers(values: &[f64]) -> Option<Self> {
        let moments = moments(values);
        let half = moments.half_width().filter(|&half| half > 0.0);
        let value = moments.mean();
        (moments.n() > 0).then(|| Self {
            value,
            interval: half.map(|half| Interval { low: value - half, high: value + half }),
            p: moments.t_tails(0.0).map(|[a, b]| (2.0 * a.min(b)).min(1.0)),
            n: moments.n(),
        })
    }

    /// Whether the interval leaves zero out.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.interval.is_some_and(|interval| !interval.contains(0.0))
    }

    /// The document of an estimate, with null for a bound that does not exist.
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
