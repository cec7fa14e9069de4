//! Means over blocks with 95 % intervals.
//!
//! **Share of points.** Each block b gives a mean `y_b` in `[0, 1]`; blocks are independent. With mean p and
//! variance s² of `y_b` over B blocks, the *effective* number of yes-or-no trials is `n = B·p(1−p)/s²` (the number
//! of games divided by the design effect; Kish 1965), and the interval is Wilson's score interval (Wilson 1927,
//! doi:10.2307/2276774) with that n and the quantile of Student's t with B − 1 degrees of freedom, since s² is
//! estimated. For values in `[0, 1]` s² is at most p(1−p), so Wilson's interval with n = B and the normal quantile
//! is always valid too; the narrower of the two is taken. Where all blocks agree (s² = 0) only the second is left,
//! which never has width zero. With strongly skewed shares Wilson's interval keeps its coverage where the normal
//! one fails (Brown, Cai, `DasGupta` 2001, doi:10.1214/ss/1009213286); the tests below measure it.
//!
//! **Differences** of two shares lie in `[−1, 1]` and are treated as `(d + 1)/2`, block by block, so that common
//! dice cancel. **Scores and ranks** get Student's t interval over block means; it is undefined for one block, and
//! of width zero where all blocks agree.
//!
//! Not for sequential looks: whoever stops when the interval pleases needs another test.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The normal quantile of a two-sided 95 % interval.
const Z: f64 = 1.959_963_984_540_054;

/// A 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether `x` lies inside.
    #[must_use]
    pub fn contains(self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }
}

/// Running sums of block values, shifted by the first one so that equal values have variance zero exactly.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
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

    /// Number of blocks.
    #[must_use]
    pub const fn n(&self) -> u64 {
        self.n
    }

    /// The mean; 0 without blocks.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.n == 0 { 0.0 } else { self.first + self.sum / self.n as f64 }
    }

    /// The unbiased variance between blocks; 0 for fewer than two.
    #[must_use]
    pub fn variance(&self) -> f64 {
        if self.n < 2 {
            return 0.0;
        }
        let n = self.n as f64;
        ((self.squares - self.sum * self.sum / n) / (n - 1.0)).max(0.0)
    }

    /// The interval of a mean of values in `[0, 1]`; `[0, 1]` without blocks.
    #[must_use]
    pub fn share_interval(&self) -> Interval {
        if self.n == 0 {
            return Interval { low: 0.0, high: 1.0 };
        }
        self.judged().1
    }

    /// The mean as yes-or-no trials, and its interval: by spread or by blocks, whichever is narrower.
    fn judged(&self) -> (Trials, Interval) {
        let (p, blocks) = (self.mean().clamp(0.0, 1.0), self.n as f64);
        let by_blocks = Trials { n: blocks, degrees: None };
        let cautious = (by_blocks, wilson(p, blocks, Z));
        let spread = self.variance();
        if spread < 1e-12 {
            return cautious;
        }
        let by_spread = Trials { n: blocks * p * (1.0 - p) / spread, degrees: Some(self.n - 1) };
        let bold = (by_spread, wilson(p, by_spread.n, t_quantile(self.n - 1)));
        if width(bold.1) < width(cautious.1) { bold } else { cautious }
    }

    /// The probability, in `[0, 1]`, with which the mean of values in `[0, 1]` is shown to lie above one half: the
    /// score test against ½ with the trials and the distribution of [`Self::share_interval`], so that it lies
    /// outside `[0.025, 0.975]` exactly when that interval excludes ½. One half without blocks.
    #[must_use]
    pub fn superiority(&self) -> f64 {
        if self.n == 0 {
            return 0.5;
        }
        let trials = self.judged().0;
        let z = (self.mean().clamp(0.0, 1.0) - 0.5) * 2.0 * trials.n.sqrt();
        cdf(z, trials.degrees)
    }

    /// The interval of a mean of values in `[−1, 1]`.
    #[must_use]
    pub fn difference_interval(&self) -> Interval {
        let half = |x: f64| f64::midpoint(x, 1.0);
        let shifted = Self {
            n: self.n,
            first: half(self.first),
            sum: self.sum / 2.0,
            squares: self.squares / 4.0,
        };
        let interval = shifted.share_interval();
        Interval { low: 2.0 * interval.low - 1.0, high: 2.0 * interval.high - 1.0 }
    }

    /// Half the width of Student's t interval of the mean; `None` for fewer than two blocks.
    #[must_use]
    pub fn half_width(&self) -> Option<f64> {
        (self.n >= 2).then(|| t_quantile(self.n - 1) * (self.variance() / self.n as f64).sqrt())
    }
}

/// A share as so many independent yes-or-no trials.
#[derive(Clone, Copy)]
struct Trials {
    n: f64,
    /// Degrees of freedom of Student's t; `None` for the normal distribution.
    degrees: Option<u64>,
}

fn width(interval: Interval) -> f64 {
    interval.high - interval.low
}

/// Wilson's score interval of a proportion `p` in `[0, 1]` seen in `n > 0` independent yes-or-no trials, `n` not
/// necessarily whole, with quantile `z` of the normal (or Student's) distribution, 1.96 for 95 %.
///
/// `(p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n)`. Valid for single proportions of any size, also 0 and 1,
/// where it never has width zero; not for trials that depend on each other, for which see [`Moments`].
/// Source: Wilson 1927, <https://doi.org/10.2307/2276774>.
///
/// ```
/// let interval = sim::stats::wilson(0.8, 10.0, 1.96);
/// assert!((interval.low - 0.4902).abs() < 1e-4 && (interval.high - 0.9433).abs() < 1e-4);
/// ```
#[must_use]
pub fn wilson(p: f64, n: f64, z: f64) -> Interval {
    let z2 = z * z;
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    // At p = 0 and 1 an end is p itself, up to rounding.
    Interval { low: (centre - half).clamp(0.0, p), high: (centre + half).clamp(p, 1.0) }
}

/// The distribution function of Student's t with these degrees of freedom, or of the normal distribution.
fn cdf(x: f64, degrees: Option<u64>) -> f64 {
    let student = |degrees: u64| StudentsT::new(0.0, 1.0, degrees as f64).ok();
    match degrees.and_then(student) {
        Some(t) => t.cdf(x),
        None => Normal::standard().cdf(x),
    }
}

/// The two-sided 95 % quantile of Student's t.
pub(super) fn t_quantile(degrees: u64) -> f64 {
    if degrees > 10_000 {
        return Z;
    }
    StudentsT::new(0.0, 1.0, degrees as f64).map_or(Z, |t| t.inverse_cdf(0.975))
}
