//! Linear regression of a number of each block on covariates, with intervals and a held-out coefficient of determination.
//!
//! **Estimate.** Ordinary least squares with an intercept, `b = (X'X)⁻¹X'y`, on centred columns.
//!
//! **Intervals.** The variance of `b` is the sandwich `(X'X)⁻¹ (Σ x x' e²/(1 − h)²) (X'X)⁻¹` with the leverages `h` (HC3:
//! `MacKinnon` and White 1985, doi:10.1016/0304-4076(85)90158-7). It holds if the spread differs from block to block.
//! Student's t with n − p − 1 degrees of freedom gives the interval.
//!
//! **Held-out R².** The blocks are divided into [`FOLDS`] folds, block after block. Each fold is predicted by the others.
//! With the squared errors `a` of the mean of the other folds and `e` of their regression, `R² = Σ(a − e)/Σa`. Its
//! interval is that of a ratio over blocks ([`super::clustered`]), which takes the predictions as given. It is negative
//! where the covariates explain nothing.
//!
//! **Valid** for independent blocks, at least [`BLOCKS_A_COVARIATE`] for each covariate. Coverage and power are measured
//! below.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::clustered::ClusteredRatio;
use super::interval::Interval;
use super::quantiles::{t_quantile, upper_tail};

/// The number of folds of the held-out predictions.
pub const FOLDS: usize = 5;
/// The smallest number of blocks for each covariate.
pub const BLOCKS_A_COVARIATE: usize = 20;
/// The smallest part of its variance that a covariate must have beside the others.
const LEAST_OWN: f64 = 1e-9;

/// A fitted regression.
#[derive(Clone, PartialEq, Debug)]
pub struct Regression {
    /// The coefficients, in the order of the covariates.
    pub coefficients: Vec<Coefficient>,
    /// The held-out coefficient of determination, with its 95 % interval.
    pub held_out: (f64, Interval),
}

/// The coefficient of a covariate: the change of the number with a unit more of it, all others held.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Coefficient {
    /// The estimate.
    pub estimate: f64,
    /// Its 95 % interval.
    pub interval: Interval,
    /// The two-sided p-value of zero.
    pub p: f64,
}

impl Regression {
    /// Fits `y`, a number for each block, to the covariates of each block in `x`. Returns `None` if there are too few
    /// blocks, if a covariate is determined by the others, or if all numbers are equal.
    #[must_use]
    pub fn fit(x: &[Vec<f64>], y: &[f64]) -> Option<Self> {
        let (n, p) = (y.len(), x.first()?.len());
        if p == 0 || n < BLOCKS_A_COVARIATE * p.max(FOLDS) {
            return None;
        }
        let all: Vec<usize> = (0..n).collect();
        let line = Line::fit(x, y, &all)?;
        let mut middle = DMatrix::zeros(p, p);
        for (row, &y) in x.iter().zip(y) {
            let own = line.centred(row);
            let solved = line.factor.solve(&own);
            let leverage = (1.0 / n as f64 + own.dot(&solved)).min(1.0 - LEAST_OWN);
            let error = (y - line.at(row)) / (1.0 - leverage);
            middle += &own * own.transpose() * (error * error);
        }
        let inverse = line.factor.inverse();
        let variance = &inverse * middle * &inverse;
        let degrees = (n - p - 1) as f64;
        let quantile = t_quantile(degrees);
        let coefficient = |i: usize| {
            let (estimate, error) = (line.slopes[i], variance[(i, i)].max(0.0).sqrt());
            let half = quantile * error;
            let interval = Interval { low: estimate - half, high: estimate + half };
            Coefficient { estimate, interval, p: two_sided(estimate / error, degrees) }
        };
        let held_out = held_out(x, y)?;
        Some(Self { coefficients: (0..p).map(coefficient).collect(), held_out })
    }

    /// Returns true if the covariates explain something of blocks that the fit has not seen: the interval of the
    /// held-out R² lies above zero.
    #[must_use]
    pub fn explains(&self) -> bool {
        self.held_out.1.low > 0.0
    }
}

/// Returns the two-sided p-value of a value of Student's t.
fn two_sided(t: f64, degrees: f64) -> f64 {
    if t.is_nan() { 1.0 } else { 2.0 * upper_tail(t.abs(), Some(degrees)) }
}

/// A line through the means of the covariates and of the number.
struct Line {
    means: DVector<f64>,
    mean: f64,
    slopes: DVector<f64>,
    factor: Cholesky<f64, Dyn>,
}

impl Line {
    /// Fits a line to these blocks.
    fn fit(x: &[Vec<f64>], y: &[f64], blocks: &[usize]) -> Option<Self> {
        let (n, p) = (blocks.len() as f64, x[0].len());
        let zero = || DVector::zeros(p);
        let means = blocks.iter().fold(zero(), |sum, &i| sum + vector(&x[i])) / n;
        let mean = blocks.iter().map(|&i| y[i]).sum::<f64>() / n;
        let (mut square, mut product) = (DMatrix::zeros(p, p), zero());
        for &i in blocks {
            let own = vector(&x[i]) - &means;
            product += &own * (y[i] - mean);
            square += &own * own.transpose();
        }
        let diagonal = square.diagonal();
        let factor = Cholesky::new(square)?;
        // The square of a diagonal of the factor is the variance of a covariate beside those before it.
        let own = factor.l().diagonal();
        let is_own = |(own, all): (&f64, &f64)| own * own > LEAST_OWN * all;
        if !own.iter().zip(diagonal.iter()).all(is_own) {
            return None;
        }
        let slopes = factor.solve(&product);
        Some(Self { means, mean, slopes, factor })
    }

    fn centred(&self, row: &[f64]) -> DVector<f64> {
        vector(row) - &self.means
    }

    /// Returns the number on the line for these covariates.
    fn at(&self, row: &[f64]) -> f64 {
        self.mean + self.slopes.dot(&self.centred(row))
    }
}

fn vector(row: &[f64]) -> DVector<f64> {
    DVector::from_column_slice(row)
}

/// Returns the held-out R² with its interval. A fold whose complement determines no line is predicted by the mean.
fn held_out(x: &[Vec<f64>], y: &[f64]) -> Option<(f64, Interval)> {
    let mut ratio = ClusteredRatio::default();
    let mut errors = vec![[0.0; 2]; y.len()];
    for fold in 0..FOLDS {
        let others: Vec<usize> = (0..y.len()).filter(|i| i % FOLDS != fold).collect();
        let line = Line::fit(x, y, &others);
        let mean = others.iter().map(|&i| y[i]).sum::<f64>() / others.len() as f64;
        for i in (fold..y.len()).step_by(FOLDS) {
            let told = line.as_ref().map_or(mean, |line| line.at(&x[i]));
            errors[i] = [(y[i] - mean).powi(2), (y[i] - told).powi(2)];
        }
    }
    for (block, [all, left]) in (0..).zip(errors) {
        ratio.add(block, all - left, all);
    }
    let estimate = ratio.estimate()?;
    // Blocks without any error have no interval.
    let point = Interval { low: estimate, high: estimate };
    Some((estimate, ratio.interval().unwrap_or(point)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Purpose, Randomness, rng};

    /// Returns blocks with three covariates, of which the first moves the number by `slope`; the spread grows with the
    /// second.
    fn blocks(seed: u64, n: usize, slope: f64) -> (Vec<Vec<f64>>, Vec<f64>) {
        let mut rng = rng::stream(seed, 0, Purpose::Analysis);
        let mut unit = || rng.unit();
        let block = |_| {
            let first = f64::from(u8::from(unit() < 0.3));
            let (second, third) = (unit(), unit());
            let noise = (unit() + unit() + unit() - 1.5) * (0.5 + second);
            (vec![first, second + 0.3 * first, third], 10.0 + slope * first + noise)
        };
        (0..n).map(block).unzip()
    }

    /// The second covariate grows with the first, so that the slope beside it is the planted one.
    #[test]
    fn slopes_are_covered_and_nothing_is_explained_by_nothing() {
        let runs = 600;
        let (mut covered, mut false_alarms, mut explained) = (0, 0, 0);
        for seed in 0..runs {
            let (x, y) = blocks(seed, 200, 0.4);
            let found = Regression::fit(&x, &y).unwrap();
            covered += usize::from(found.coefficients[0].interval.contains(0.4));
            let (x, y) = blocks(10_000 + seed, 200, 0.0);
            let nothing = Regression::fit(&x, &y).unwrap();
            false_alarms += usize::from(nothing.coefficients[0].p < 0.05);
            explained += usize::from(nothing.explains());
            let is_outside = !nothing.coefficients[0].interval.contains(0.0);
            assert_eq!(is_outside, nothing.coefficients[0].p < 0.05);
        }
        let test = "slopes_are_covered_and_nothing_is_explained_by_nothing";
        for (what, held) in [
            ("planted: the slope is held", covered as u64),
            ("A/A: no cause is found", runs - false_alarms as u64),
            ("A/A: nothing is called explained", runs - explained as u64),
        ] {
            println!(
                "measured | balance game --explain: slopes | {what} | {held} | {runs} | {test}"
            );
        }
        let part = |n: usize| n as f64 / runs as f64;
        assert!((0.93..=0.975).contains(&part(covered)), "{}", part(covered));
        assert!(part(false_alarms) < 0.075, "{}", part(false_alarms));
        assert!(part(explained) < 0.05, "{}", part(explained));
    }

    #[test]
    fn a_planted_slope_is_found_and_explains_unseen_blocks() {
        let runs = 200;
        let (mut found, mut explained) = (0, 0);
        for seed in 0..runs {
            let (x, y) = blocks(20_000 + seed, 400, 0.5);
            let fit = Regression::fit(&x, &y).unwrap();
            found += usize::from(fit.coefficients[0].p < 0.05);
            explained += usize::from(fit.explains());
        }
        assert!(found as f64 > 0.95 * runs as f64, "{found}");
        assert!(explained as f64 > 0.80 * runs as f64, "{explained}");
    }

    #[test]
    fn covariates_that_determine_each_other_and_few_blocks_fit_nothing() {
        let (x, y) = blocks(1, 200, 1.0);
        let twice: Vec<Vec<f64>> = x.iter().map(|row| vec![row[0], 2.0 * row[0] + 1.0]).collect();
        assert_eq!(Regression::fit(&twice, &y), None);
        assert_eq!(Regression::fit(&x[..99], &y[..99]), None);
        assert_eq!(Regression::fit(&[], &[]), None);
        let exact: Vec<f64> = x.iter().map(|row| 3.0 * row[0] - row[1]).collect();
        let fit = Regression::fit(&x, &exact).unwrap();
        let slopes: Vec<f64> = fit.coefficients.iter().map(|one| one.estimate).collect();
        assert!((slopes[0] - 3.0).abs() < 1e-9 && (slopes[1] + 1.0).abs() < 1e-9, "{slopes:?}");
        assert!((fit.held_out.0 - 1.0).abs() < 1e-9, "{fit:?}");
    }
}
