//! Means over blocks with 95 % intervals.
//!
//! **Shares of points.** Each block b gives a mean `y_b` in `[0, 1]`; blocks are independent. [`super::proportion`]
//! turns mean and variance of the `y_b` into an interval. With strongly skewed shares these intervals keep their
//! coverage where the normal interval fails (Brown, Cai, `DasGupta` 2001, doi:10.1214/ss/1009213286);
//! `stats/tests/it/coverage.rs` measures it.
//!
//! **Differences** of two shares lie in `[−1, 1]` and are treated as `(d + 1)/2`, block by block, so that common dice
//! cancel. If several seats have one agent, or blocks are of several tables, see [`super::stratified`].
//!
//! **Means without bounds** get Student's t interval over block means. It is undefined for one block. Where all blocks
//! agree its width is zero, which is no valid interval: callers must check before they print it.
//!
//! **Not** for sequential looks: stopping when the interval looks good needs another test.

use serde::{Deserialize, Serialize};

use super::family::Family;
use super::interval::Interval;
use super::proportion::{Evidence, Sample};
use super::quantiles::{t_quantile, t_quantile_at, t_tail};

/// Running sums of block values, shifted by the first value so that equal values have variance zero exactly.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Moments {
    n: u64,
    first: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    /// Adds the value of one block.
    pub fn add(&mut self, value: f64) {
        if self.n == 0 {
            self.first = value;
        }
        let shifted = value - self.first;
        self.n += 1;
        self.sum += shifted;
        self.squares += shifted * shifted;
    }

    /// Adds all blocks of `other`.
    pub(super) fn merge(&mut self, other: &Self) {
        if self.n == 0 {
            *self = *other;
            return;
        }
        let (n, apart) = (other.n as f64, other.first - self.first);
        self.n += other.n;
        self.sum += other.sum + n * apart;
        self.squares += other.squares + apart * (2.0 * other.sum + n * apart);
    }

    /// Returns the moments of the values with their sign changed.
    pub(super) fn negated(&self) -> Self {
        Self { first: -self.first, sum: -self.sum, ..*self }
    }

    /// Returns the number of blocks.
    #[must_use]
    pub const fn n(&self) -> u64 {
        self.n
    }

    /// Returns the mean; 0 without blocks.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.n == 0 { 0.0 } else { self.first + self.sum / self.n as f64 }
    }

    /// Returns the unbiased variance between blocks; 0 for fewer than two.
    #[must_use]
    pub fn variance(&self) -> f64 {
        if self.n < 2 {
            return 0.0;
        }
        let n = self.n as f64;
        ((self.squares - self.sum * self.sum / n) / (n - 1.0)).max(0.0)
    }

    /// Returns the interval of a mean of values in `[0, 1]`; `[0, 1]` without blocks.
    #[must_use]
    pub fn share_interval(&self) -> Interval {
        self.within(0.0, 1.0).interval()
    }

    /// Returns the confidence, in `[0, 1]`, that the mean of values in `[0, 1]` is above one half; one half without
    /// blocks.
    ///
    /// It is one minus the one-sided p-value of the test that belongs to [`Self::share_interval`]. So it exceeds 0.975
    /// exactly when that interval lies above ½.
    #[must_use]
    pub fn superiority(&self) -> f64 {
        superiority(self.within(0.0, 1.0).tails(0.5))
    }

    /// Returns the interval of a mean of values in `[−1, 1]`.
    #[must_use]
    pub fn difference_interval(&self) -> Interval {
        self.within(-1.0, 1.0).interval().stretched(-1.0, 1.0)
    }

    /// Returns the interval of a mean of values in `[low, high]`.
    #[must_use]
    pub fn interval_within(&self, low: f64, high: f64) -> Interval {
        self.within(low, high).interval().stretched(low, high)
    }

    /// Returns the simultaneous interval of a mean of values in `[low, high]` for a family of statements.
    #[must_use]
    pub fn together_within(&self, low: f64, high: f64, family: Family) -> Interval {
        self.within(low, high).interval_at(family.tail()).stretched(low, high)
    }

    /// Returns the one-sided p-values, in (0, 1], of "the mean of values in `[low, high]` is not above `at`" and "not
    /// below".
    ///
    /// They are below 0.025 exactly where [`Self::interval_within`] leaves `at` out.
    #[must_use]
    pub fn tails_within(&self, low: f64, high: f64, at: f64) -> [f64; 2] {
        self.within(low, high).tails((at - low) / (high - low))
    }

    /// Returns the one-sided p-values of a mean without bounds at `at`, by Student's t.
    ///
    /// `None` for fewer than two blocks, or if all agree.
    #[must_use]
    pub fn t_tails(&self, at: f64) -> Option<[f64; 2]> {
        let error = (self.variance() / self.n.max(1) as f64).sqrt();
        let t = (self.mean() - at) / error;
        (self.n >= 2 && error > 0.0).then(|| [t_tail(t, self.n - 1), t_tail(-t, self.n - 1)])
    }

    /// Returns half the width of Student's t interval of the mean; `None` for fewer than two blocks.
    #[must_use]
    pub fn half_width(&self) -> Option<f64> {
        let error = || self.variance() / self.n as f64;
        (self.n >= 2).then(|| t_quantile((self.n - 1) as f64) * error().sqrt())
    }

    /// Returns half the width of the simultaneous t interval for a family of statements; `None` for fewer than two
    /// blocks.
    #[must_use]
    pub fn half_width_together(&self, family: Family) -> Option<f64> {
        let error = || (self.variance() / self.n as f64).sqrt();
        (self.n >= 2).then(|| t_quantile_at((self.n - 1) as f64, family.tail()) * error())
    }

    /// Returns the evidence on values between `low` and `high`, mapped to 0..1.
    fn within(&self, low: f64, high: f64) -> Evidence {
        let size = high - low;
        let variance = self.variance() / (size * size);
        let sample = Sample {
            blocks: self.n,
            mean: (self.mean() - low) / size,
            error: variance / self.n as f64,
            degrees: self.n.saturating_sub(1) as f64,
            widest: 1.0,
            is_alike: variance < ALIKE,
        };
        sample.evidence()
    }
}

/// The variance, relative to the squared range, below which values differ only by rounding.
pub(super) const ALIKE: f64 = 1e-12;

/// Returns the confidence that belongs to the p-values of both sides.
pub(super) fn superiority([above, below]: [f64; 2]) -> f64 {
    // The smaller p-value has the digits; the larger may be 1, since its test is conservative.
    if above <= below { (1.0 - above).max(0.5) } else { below.min(0.5) }
}
