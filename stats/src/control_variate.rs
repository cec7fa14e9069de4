//! A control variate: a mean made more precise by a covariate of each block.
//!
//! **Formula.** Each block has a value y and a covariate x. The mean of x is known from another source as M, with
//! standard error e (0 if it is known exactly). With the regression slope `b = cov(x, y)/var(x)` the adjusted mean is
//! `ȳ + b (M − x̄)`, and its variance is
//!
//! ```text
//! s²_y (1 − R²) (n − 1)/(n − 2) · (1/n + (M − x̄)² / Σ(x_i − x̄)²) + b² e²
//! ```
//!
//! with the correlation R (Lavenberg and Welch 1981, doi:10.1287/mnsc.27.3.322; with e > 0 it is the double sampling of
//! Cochran, Sampling Techniques, 1977, chapter 12). For n beyond a few dozen and e = 0 it is worth `1/(1 − R²)` times
//! the blocks. The interval is Student's t with n − 2 degrees of freedom. Like every interval with an estimated slope,
//! it needs a number of blocks fixed in advance.
//!
//! A mean of x that is estimated from the same blocks would adjust nothing: M − x̄ would be 0.
//!
//! **Several tables.** If a schedule fixed several tables ([`super::stratified`]), values and covariates differ between
//! tables for reasons other than chance. Slope, residual variance and the sum of squares of the covariates are then
//! those within tables, pooled, with one degree of freedom less for each table ([`Regression::pooled`]; Cochran,
//! section 7.10, the combined regression estimate).
//!
//! **The saving** is itself uncertain: the interval of `1/(1 − R²)` is Fisher's, `atanh R ± 1.96/√(n − 3)`
//! ([`efficiency_interval`]).

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::interval::Interval;
use super::moments::Moments;

/// The smallest number of blocks for a regression.
const LEAST_PAIRS: u64 = 10;

/// The known mean of a covariate, with its error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Known {
    /// The mean.
    pub mean: f64,
    /// Its standard error; 0 if it is known exactly.
    pub error: f64,
}

impl Known {
    /// Returns the mean and standard error of a sample that is independent of the blocks.
    #[must_use]
    pub fn from_sample(sample: &Moments) -> Self {
        let error = (sample.variance() / sample.n().max(1) as f64).sqrt();
        Self { mean: sample.mean(), error }
    }
}

/// Values and covariates of blocks, as running sums.
#[derive(Clone, Copy, Debug, Default)]
pub struct Regression {
    values: Moments,
    covariates: Moments,
    /// The sum of the products of values and covariates, each minus its first.
    products: f64,
    first: (f64, f64),
    sums: (f64, f64),
}

/// A mean after the adjustment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adjusted {
    /// The mean.
    pub mean: f64,
    /// Its 95 % interval for a number of blocks fixed before.
    pub interval: Interval,
    /// The squared correlation of values and covariates.
    pub r_squared: f64,
    /// The variance of the plain mean divided by that of this mean: the factor by which it multiplies the blocks.
    pub relative_efficiency: f64,
}

impl Regression {
    /// Adds a block.
    pub fn add(&mut self, value: f64, covariate: f64) {
        if self.values.n() == 0 {
            self.first = (covariate, value);
        }
        let (x, y) = (covariate - self.first.0, value - self.first.1);
        self.products += x * y;
        self.sums = (self.sums.0 + x, self.sums.1 + y);
        self.values.add(value);
        self.covariates.add(covariate);
    }

    /// Returns the squared correlation; 0 where one of the two does not vary.
    #[must_use]
    pub fn r_squared(&self) -> f64 {
        let spread = self.values.variance() * self.covariates.variance();
        if spread <= 0.0 { 0.0 } else { (self.covariance().powi(2) / spread).min(1.0) }
    }

    fn covariance(&self) -> f64 {
        let n = self.values.n() as f64;
        (self.products - self.sums.0 * self.sums.1 / n) / (n - 1.0)
    }

    /// Returns number, mean and variance of the values.
    #[must_use]
    pub const fn values(&self) -> &Moments {
        &self.values
    }

    /// Returns number, mean and variance of the covariates.
    #[must_use]
    pub const fn covariates(&self) -> &Moments {
        &self.covariates
    }

    /// Returns the adjusted mean over the blocks of several tables.
    ///
    /// `None` for fewer than ten blocks beyond one for each table, or for a covariate that does not vary within tables.
    #[must_use]
    pub fn pooled<'a>(
        tables: impl IntoIterator<Item = &'a Self>,
        known: Known,
    ) -> Option<Adjusted> {
        let (mut n, mut strata, mut x, mut y) = (0.0, 0.0, 0.0, 0.0);
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for table in tables.into_iter().filter(|table| table.values.n() > 0) {
            let blocks = table.values.n() as f64;
            strata += 1.0;
            n += blocks;
            x += blocks * table.covariates.mean();
            y += blocks * table.values.mean();
            if blocks > 1.0 {
                xx += (blocks - 1.0) * table.covariates.variance();
                yy += (blocks - 1.0) * table.values.variance();
                xy += (blocks - 1.0) * table.covariance();
            }
        }
        let degrees = n - strata - 1.0;
        if n - strata < LEAST_PAIRS as f64 - 1.0 || xx <= 0.0 {
            return None;
        }
        let slope = xy / xx;
        let miss = known.mean - x / n;
        let r_squared = if yy > 0.0 { (xy * xy / (xx * yy)).min(1.0) } else { 0.0 };
        let leverage = 1.0 / n + miss * miss / xx;
        let variance = yy * (1.0 - r_squared) / degrees * leverage + (slope * known.error).powi(2);
        let plain = yy / (n - strata) / n;
        Some(Adjusted::new(y / n + slope * miss, variance, degrees, r_squared, plain))
    }

    /// Returns the adjusted mean; `None` for fewer than ten blocks or a covariate that does not vary.
    #[must_use]
    pub fn adjusted(&self, known: Known) -> Option<Adjusted> {
        let (n, spread) = (self.values.n() as f64, self.covariates.variance());
        if self.values.n() < LEAST_PAIRS || spread <= 0.0 {
            return None;
        }
        let slope = self.covariance() / spread;
        let miss = known.mean - self.covariates.mean();
        let r_squared = self.r_squared();
        let residual = self.values.variance() * (1.0 - r_squared) * (n - 1.0) / (n - 2.0);
        let leverage = 1.0 / n + miss * miss / (spread * (n - 1.0));
        let variance = residual * leverage + (slope * known.error).powi(2);
        let mean = self.values.mean() + slope * miss;
        Some(Adjusted::new(mean, variance, n - 2.0, r_squared, self.values.variance() / n))
    }
}

impl Adjusted {
    /// Returns a mean with this variance; `plain` is the variance of the unadjusted mean.
    fn new(mean: f64, variance: f64, degrees: f64, r_squared: f64, plain: f64) -> Self {
        let t = StudentsT::new(0.0, 1.0, degrees).map_or(2.0, |t| t.inverse_cdf(0.975));
        let half = t * variance.sqrt();
        let relative_efficiency = if variance > 0.0 { plain / variance } else { 1.0 };
        let interval = Interval { low: mean - half, high: mean + half };
        Self { mean, interval, r_squared, relative_efficiency }
    }
}

/// Returns the 95 % interval of `1/(1 − R²)` if `blocks` blocks have this R²; it starts at 1 where R may be 0.
#[must_use]
pub fn efficiency_interval(r_squared: f64, blocks: u64) -> Interval {
    const Z: f64 = 1.959_963_985;
    if blocks <= 3 || r_squared >= 1.0 {
        return Interval { low: 1.0, high: f64::INFINITY };
    }
    let (at, half) = (r_squared.sqrt().atanh(), Z / (blocks as f64 - 3.0).sqrt());
    // 1/(1 − tanh²) is cosh².
    let efficiency = |z: f64| z.cosh().powi(2);
    Interval { low: efficiency((at - half).max(0.0)), high: efficiency(at + half) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_follows_its_covariate_is_known_exactly() {
        let mut regression = Regression::default();
        (0..20).for_each(|i| regression.add(3.0 * f64::from(i) + 1.0, f64::from(i)));
        let adjusted = regression.adjusted(Known { mean: 10.0, error: 0.0 }).unwrap();
        assert!((adjusted.mean - 31.0).abs() < 1e-9 && (adjusted.r_squared - 1.0).abs() < 1e-12);
        assert!(adjusted.interval.high - adjusted.interval.low < 1e-5);
    }

    #[test]
    fn numbers_by_hand() {
        // x = 0..9, y = x plus 1 for odd x; x̄ = 4.5, ȳ = 5, Σ(x − x̄)² = 82.5, Σ(x − x̄)(y − ȳ) = 82.5 + 2.5 = 85.
        let mut regression = Regression::default();
        (0..10).for_each(|i| regression.add(f64::from(i + i % 2), f64::from(i)));
        let adjusted = regression.adjusted(Known { mean: 5.5, error: 0.0 }).unwrap();
        assert!((adjusted.mean - (5.0 + 85.0 / 82.5)).abs() < 1e-12);
        // Σ(y − ȳ)² = 82.5 + 2 · 2.5 + 2.5 = 90.
        assert!((adjusted.r_squared - 85.0 * 85.0 / (82.5 * 90.0)).abs() < 1e-12);
    }

    #[test]
    fn an_uncertain_mean_of_the_covariate_costs_its_share() {
        let mut regression = Regression::default();
        (0..50).for_each(|i| regression.add(f64::from(i % 7), f64::from(i % 7 + i % 3)));
        let of = |error| regression.adjusted(Known { mean: 4.0, error }).unwrap();
        assert!(
            of(0.0).relative_efficiency > of(0.1).relative_efficiency
                && of(0.1).relative_efficiency > of(1.0).relative_efficiency
                && of(1.0).relative_efficiency < 1.0
        );
    }

    #[test]
    fn one_table_pooled_is_one_table_and_differences_between_tables_do_not_count() {
        let (mut one, mut two) = (Regression::default(), [Regression::default(); 2]);
        for i in 0..40 {
            let (x, noise) = (f64::from(i % 7) - 3.0, f64::from(i % 5));
            one.add(0.5 * x + noise, x);
            // The second table is hard, and its covariate is as large as at the first.
            two[i as usize % 2].add(0.5 * x + noise - 100.0 * f64::from(i % 2), x);
        }
        let known = Known { mean: 0.0, error: 0.0 };
        let (alone, pooled) = (one.adjusted(known).unwrap(), Regression::pooled([&one], known));
        let pooled = pooled.unwrap();
        assert!((alone.mean - pooled.mean).abs() < 1e-12);
        assert!((alone.relative_efficiency - pooled.relative_efficiency).abs() < 1e-9);
        let apart = Regression::pooled(&two, known).unwrap();
        assert!((apart.mean - (alone.mean - 50.0)).abs() < 0.5, "{apart:?}");
        assert!(apart.interval.high - apart.interval.low < 2.0, "{apart:?}");
        assert_eq!(Regression::pooled(&two[..0], known), None);
    }

    #[test]
    fn an_efficiency_has_an_interval_that_begins_at_1() {
        let Interval { low, high } = efficiency_interval(0.0, 100);
        assert!((low - 1.0).abs() < 1e-12 && high < 1.05);
        let Interval { low, high } = efficiency_interval(0.5, 400);
        // Of a correlation of 0.7071 Fisher's z is 0.8814, with a standard error of 1 in the root of 397.
        assert!((low - 1.7491).abs() < 1e-4 && (high - 2.3091).abs() < 1e-4, "{low} {high}");
        assert!(efficiency_interval(1.0, 400).high.is_infinite());
    }

    #[test]
    fn nothing_to_adjust_by() {
        let mut regression = Regression::default();
        (0..50).for_each(|i| regression.add(f64::from(i), 1.0));
        assert_eq!(regression.adjusted(Known { mean: 1.0, error: 0.0 }), None);
        assert!(regression.r_squared().abs() < 1e-12);
    }
}
