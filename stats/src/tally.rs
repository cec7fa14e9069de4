//! A tally: block values as counts, and the log-likelihood ratio of the best distribution against one with a fixed
//! mean.
//!
//! **Log-likelihood ratio.** Let `x_i` be the distinct values in `[low, high]` and `n_i` their counts. Among all
//! distributions on `[low, high]` with mean s, the likelihood of the values is largest for
//! `p_i = n_i / (n (1 + θ (x_i − s)))`. The Lagrange multiplier θ maximises `L(s) = max_θ Σ n_i ln(1 + θ (x_i − s))`
//! over `−1/(high − s) ≤ θ ≤ 1/(s − low)` (Owen 1988, doi:10.1093/biomet/75.2.237; Van den Bergh's notes on the
//! generalised SPRT of chess engines solve the same equation). `L(s)` is the log-likelihood of the best distribution
//! minus that of the best distribution with mean s: 0 at the sample mean, growing to both sides. Where θ ends on its
//! bound, the missing mass lies at an end of the range that was never observed. This is the limit of putting ε into
//! empty cells, so values that are all 0 or all 1 give a finite number for every s inside the range.
//!
//! **Values without bounds** are taken as normal: `L(s) = n (x̄ − s)²/2v`, with the sample variance times `1 + 6/n` as
//! v. This holds for means of many blocks with any distribution. The 6 allows for the uncertainty of few blocks about
//! the variance of skewed values (without it a test rejected 6.25 instead of 5 of 100 effects in lengths of games).
//! Fitting the variance under s also, as `n/2 · ln(1 + (x̄ − s)²/v)`, would make a test of a small effect slow if the
//! true effect is far larger.
//!
//! Memory is bounded: values are counted in cells that keep the mean of their members. A cell is 2⁻²⁴ of the range
//! wide, so that only rounding is ignored. Beyond [`MOST_CELLS`] cells are joined in pairs, and the log-likelihood
//! ratio becomes that of values rounded to less than a hundredth of the range. Each cell also keeps its smallest and
//! its largest member, for callers that must not gain by rounding ([`Tally::spread_out`]).

use std::collections::BTreeMap;

use super::moments::Moments;

/// The largest number of cells that are kept.
pub const MOST_CELLS: usize = 1_000;
/// The number of cells in the finest division of a range.
const FINEST: f64 = (1_u32 << 24) as f64;
/// The relative increase of the variance of values without bounds, times their number.
const UNSURE_OF_VARIANCE: f64 = 6.0;
/// The standard deviations, relative to the mean and absolute, below which values without bounds differ only by
/// rounding.
const ROUNDING: (f64, f64) = (1e-9, 1e-12);
/// The smallest variance of values without bounds; it keeps logarithms finite if all blocks agree.
const LEAST_VARIANCE: f64 = 1e-100;

/// The range of block values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Range {
    /// From the first number to the second.
    Within(f64, f64),
    /// Anywhere.
    Anywhere,
}

impl Range {
    /// The range of shares of points.
    pub const SHARES: Self = Self::Within(0.0, 1.0);
    /// The range of differences of two shares.
    pub const DIFFERENCES: Self = Self::Within(-1.0, 1.0);

    /// Returns the factor by which the log-likelihood ratio increases the measured variance after `n` values.
    #[must_use]
    pub fn unsure(self, n: f64) -> f64 {
        match self {
            Self::Within(..) => 1.0,
            Self::Anywhere => 1.0 + UNSURE_OF_VARIANCE / n,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Bin {
    n: f64,
    sum: f64,
    least: f64,
    most: f64,
}

impl Bin {
    const EMPTY: Self = Self { n: 0.0, sum: 0.0, least: f64::INFINITY, most: f64::NEG_INFINITY };

    fn join(&mut self, other: &Self) {
        self.n += other.n;
        self.sum += other.sum;
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
    }
}

/// The values of blocks, counted.
#[derive(Clone, Debug)]
pub struct Tally {
    range: Range,
    moments: Moments,
    cells: BTreeMap<u64, Bin>,
    /// The number of times that cells were joined in pairs.
    coarseness: u32,
}

impl Tally {
    /// Returns an empty tally of values in `range`.
    ///
    /// # Panics
    /// If the range is empty.
    #[must_use]
    pub fn new(range: Range) -> Self {
        if let Range::Within(low, high) = range {
            assert!(low < high, "a range has an inside");
        }
        Self { range, moments: Moments::default(), cells: BTreeMap::new(), coarseness: 0 }
    }

    /// Returns the range of the values.
    #[must_use]
    pub const fn range(&self) -> Range {
        self.range
    }

    /// Returns number, mean and variance of the values.
    #[must_use]
    pub const fn moments(&self) -> &Moments {
        &self.moments
    }

    /// Returns whether the spread of the values is known: always within a range, elsewhere only if they differ by more
    /// than rounding.
    #[must_use]
    pub fn knows_spread(&self) -> bool {
        let (part, least) = ROUNDING;
        let is_bounded = matches!(self.range, Range::Within(..));
        is_bounded
            || self.moments.variance().sqrt() > part.mul_add(self.moments.mean().abs(), least)
    }

    /// Returns the number of cells in use; 0 for values without bounds, which need only their moments.
    #[must_use]
    pub fn n_cells(&self) -> usize {
        self.cells.len()
    }

    /// Adds the value of a block; a value outside the range counts as the nearer end.
    pub fn add(&mut self, value: f64) {
        let Range::Within(low, high) = self.range else { return self.moments.add(value) };
        let value = value.clamp(low, high);
        self.moments.add(value);
        let place = ((value - low) / (high - low) * FINEST).round() as u64 >> self.coarseness;
        let cell = self.cells.entry(place).or_insert(Bin::EMPTY);
        cell.join(&Bin { n: 1.0, sum: value, least: value, most: value });
        while self.cells.len() > MOST_CELLS {
            self.join_cells();
        }
    }

    fn join_cells(&mut self) {
        self.coarseness += 1;
        for (place, cell) in std::mem::take(&mut self.cells) {
            self.cells.entry(place >> 1).or_insert(Bin::EMPTY).join(&cell);
        }
    }

    /// Returns counts and values of at most two points a cell, with the same number, mean and range.
    ///
    /// No set of values in these cells has a smaller sum of any concave function. In a cell with one value, that is the
    /// point. Empty for values without bounds.
    #[must_use]
    pub fn spread_out(&self) -> Vec<(f64, f64)> {
        let mut points = Vec::with_capacity(self.cells.len());
        for &Bin { n, sum, least, most } in self.cells.values() {
            if least < most {
                let above = ((sum - n * least) / (most - least)).clamp(0.0, n);
                points.extend([(n - above, least), (above, most)]);
            } else {
                points.push((n, least));
            }
        }
        points
    }

    /// Returns the log-likelihood ratio `L(mean)` of the best distribution against the best with this mean, at least 0.
    ///
    /// It is infinite at an end of the range unless all values lie there.
    #[must_use]
    pub fn log_ratio(&self, mean: f64) -> f64 {
        match self.range {
            Range::Within(low, high) => self.log_ratio_within(mean, low, high),
            Range::Anywhere => {
                let miss = self.moments.mean() - mean;
                let n = self.moments.n() as f64;
                let variance = self.moments.variance() * self.range.unsure(n);
                n * miss * miss / (2.0 * variance.max(LEAST_VARIANCE))
            }
        }
    }

    fn log_ratio_within(&self, mean: f64, low: f64, high: f64) -> f64 {
        if self.cells.is_empty() || self.is_mean(mean, high - low) {
            return 0.0;
        }
        if mean <= low || mean >= high {
            return f64::INFINITY;
        }
        let theta = self.multiplier(mean, self.limit(mean, low, high));
        self.steps(mean).map(|(n, d)| n * (theta * d).ln_1p()).sum::<f64>().max(0.0)
    }

    /// Returns the variance of the best distribution with mean `mean`; 0 for fewer than two values.
    ///
    /// It is unbiased if `mean` is the mean of the values. For values without bounds it is their variance.
    #[must_use]
    pub fn variance_at(&self, mean: f64) -> f64 {
        let n = self.moments.n() as f64;
        match self.range {
            Range::Within(low, high) if n >= 2.0 && !self.is_mean(mean, high - low) => {
                self.variance_within(mean, low, high) * n / (n - 1.0)
            }
            _ => self.moments.variance(),
        }
    }

    fn variance_within(&self, mean: f64, low: f64, high: f64) -> f64 {
        let limit = self.limit(mean, low, high);
        let theta = self.multiplier(mean, limit);
        let (mut seen, mut variance) = (0.0, 0.0);
        for (n, d) in self.steps(mean) {
            let weight = n / self.moments.n() as f64 / theta.mul_add(d, 1.0).max(1e-15);
            seen += weight;
            variance += weight * d * d;
        }
        // The missing mass lies at the end of the range towards which the values are moved.
        let end = if limit > 0.0 { mean - low } else { high - mean };
        variance + (1.0 - seen).max(0.0) * end * end
    }

    fn is_mean(&self, mean: f64, width: f64) -> bool {
        (self.moments.mean() - mean).abs() <= f64::EPSILON * width
    }

    /// Returns the largest multiplier that leaves all weights positive, towards the mean of the values.
    fn limit(&self, mean: f64, low: f64, high: f64) -> f64 {
        if self.moments.mean() > mean { 1.0 / (mean - low) } else { -1.0 / (high - mean) }
    }

    /// Returns the counts of all cells and their distances from `mean`.
    fn steps(&self, mean: f64) -> impl Iterator<Item = (f64, f64)> {
        self.cells.values().map(move |cell| (cell.n, cell.sum / cell.n - mean))
    }

    /// Returns the θ between 0 and `limit` where the slope `Σ n_i d_i / (1 + θ d_i)` is 0, or `limit` if there is none.
    ///
    /// It uses Newton's method, kept inside a bracket.
    fn multiplier(&self, mean: f64, limit: f64) -> f64 {
        let slope = |theta: f64| {
            self.steps(mean).fold((0.0, 0.0), |(slope, bend), (n, d)| {
                let step = d / theta.mul_add(d, 1.0).max(1e-15);
                (slope + n * step, bend - n * step * step)
            })
        };
        let away = limit.signum();
        if slope(limit).0 * away >= 0.0 {
            return limit;
        }
        let (mut near, mut far) = (0.0, limit);
        let mut theta = 0.0_f64;
        for _ in 0..200 {
            let (here, bend) = slope(theta);
            if here * away > 0.0 {
                near = theta;
            } else {
                far = theta;
            }
            let newton = theta - here / bend;
            let is_inside = (newton - near) * away > 0.0 && (far - newton) * away > 0.0;
            let next = if is_inside { newton } else { f64::midpoint(near, far) };
            if (next - theta).abs() <= 1e-9 * limit.abs() {
                return next;
            }
            theta = next;
        }
        theta
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(range: Range, values: &[(f64, u32)]) -> Tally {
        let mut tally = Tally::new(range);
        for &(value, n) in values {
            (0..n).for_each(|_| tally.add(value));
        }
        tally
    }

    #[test]
    fn wins_and_losses_give_the_log_likelihood_ratio_of_a_coin() {
        let coin = counted(Range::SHARES, &[(1.0, 30), (0.0, 70)]);
        for p in [0.01_f64, 0.2, 0.3, 0.5, 0.99] {
            let expected = 30.0 * (0.3 / p).ln() + 70.0 * (0.7 / (1.0 - p)).ln();
            assert!((coin.log_ratio(p) - expected).abs() < 1e-9, "{p}");
        }
    }

    #[test]
    fn the_multiplier_solves_its_equation_for_three_values() {
        // Values 0, 1/2, 1 with counts 5, 3, 2 and mean 1/2: weights q, 1 − 2q, q on the constraint; the likelihood
        // 7 ln q + 3 ln(1 − 2q) is largest at q = 7/20.
        let three = counted(Range::SHARES, &[(0.0, 5), (0.5, 3), (1.0, 2)]);
        let best = 5.0 * 0.5_f64.ln() + 3.0 * 0.3_f64.ln() + 2.0 * 0.2_f64.ln();
        let fixed = 7.0 * 0.35_f64.ln() + 3.0 * 0.3_f64.ln();
        assert!((three.log_ratio(0.5) - (best - fixed)).abs() < 1e-9);
    }

    #[test]
    fn values_that_all_agree_stay_finite() {
        let lost = counted(Range::SHARES, &[(0.0, 50)]);
        assert!((lost.log_ratio(0.3) - 50.0 * (1.0_f64 / 0.7).ln()).abs() < 1e-9);
        let won = counted(Range::SHARES, &[(1.0, 50)]);
        assert!((won.log_ratio(0.3) - 50.0 * (1.0_f64 / 0.3).ln()).abs() < 1e-9);
        // All values are a quarter: a mean of 0.3 needs 1/15 of the mass at 1.
        let quarter = counted(Range::SHARES, &[(0.25, 50)]);
        assert!((quarter.log_ratio(0.3) - 50.0 * (15.0_f64 / 14.0).ln()).abs() < 1e-9);
        assert!(quarter.log_ratio(0.25).abs() < 1e-12);
        let level = counted(Range::Anywhere, &[(7.0, 50)]);
        assert!(level.log_ratio(7.0).abs() < 1e-12);
        assert!(level.log_ratio(8.0) > 1e3 && level.log_ratio(8.0).is_finite());
    }

    #[test]
    fn joined_cells_keep_the_mean_and_nearly_the_log_likelihood_ratio() {
        let mut fine = Tally::new(Range::Within(-1e-9, 1.0 + 1e-9));
        let values: Vec<f64> = (0..5_000).map(|i| f64::from(i * 7919 % 5_000) / 5_000.0).collect();
        values.iter().for_each(|&x| fine.add(x));
        assert!(
            fine.n_cells() <= MOST_CELLS && fine.n_cells() > MOST_CELLS / 4,
            "{}",
            fine.n_cells()
        );
        let normal_form = 5_000.0 * 0.01_f64.powi(2) / (2.0 / 12.0);
        let mean = fine.moments().mean();
        assert!((fine.log_ratio(mean + 0.01) / normal_form - 1.0).abs() < 0.01);
        assert!(fine.log_ratio(mean).abs() < 1e-9);
    }

    #[test]
    fn spreading_a_cell_out_never_adds_to_a_concave_sum() {
        let mut tally = Tally::new(Range::SHARES);
        let values: Vec<f64> = (0..5_000).map(|i| f64::from(i * 7919 % 5_000) / 5_000.0).collect();
        values.iter().for_each(|&x| tally.add(x));
        let points = tally.spread_out();
        let sum = |f: fn(f64) -> f64| points.iter().map(|(n, x)| n * f(*x)).sum::<f64>();
        assert!((sum(|_| 1.0) - 5_000.0).abs() < 1e-6);
        assert!((sum(|x| x) - values.iter().sum::<f64>()).abs() < 1e-6);
        let concave = |x: f64| (1.2 * x).mul_add(-1.0, 1.25).ln();
        let exact: f64 = values.iter().map(|&x| concave(x)).sum();
        assert!(sum(concave) < exact && sum(concave) > exact - 0.1, "{} {exact}", sum(concave));
        let few = counted(Range::SHARES, &[(1.0 / 3.0, 9), (1.0, 2)]);
        assert_eq!(few.spread_out(), [(9.0, 1.0 / 3.0), (2.0, 1.0)]);
    }

    #[test]
    fn scale_and_place_of_a_range_do_not_matter() {
        let shares = counted(Range::SHARES, &[(0.0, 9), (0.25, 20), (0.5, 7), (1.0, 1)]);
        let moved = counted(Range::DIFFERENCES, &[(-1.0, 9), (-0.5, 20), (0.0, 7), (1.0, 1)]);
        for p in [0.1, 0.3, 0.6] {
            assert!((shares.log_ratio(p) - moved.log_ratio(2.0 * p - 1.0)).abs() < 1e-9);
        }
    }
}
