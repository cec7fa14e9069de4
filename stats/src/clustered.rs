//! A ratio of two sums over blocks: means per decision, shares of looks, parts of a total.
//!
//! **Estimate.** Each block gives a numerator `a` and a denominator `b`, and `R = Σa/Σb`. With b = 1 this is a mean
//! over blocks. With counts it is a mean over things that come in clusters, as decisions come in games.
//!
//! **Interval.** By linearisation: with the residuals `e = a − R b` the variance of R is `n/(n − 1) Σe²/(Σb)²` over the
//! n groups of blocks. Student's t with n − 1 degrees of freedom gives the interval (Cochran, Sampling Techniques,
//! 1977, section 6.3 and chapter 9A; groups as in [`super::bootstrap`], so memory is constant). A share, whose `a` lies
//! between 0 and `b`, gets the interval of shares on the same variance ([`super::proportion`]).
//!
//! **Valid** for ten or more groups and a denominator that varies by less than its mean: the bias of R is of the order
//! of its squared error. Coverage is measured in `sim/caesar/tests/it/dynamics.rs`.

use super::bootstrap::group;
use super::interval::Interval;
use super::moments::ALIKE;
use super::proportion::Sample;
use super::quantiles::t_quantile;

/// The smallest number of groups that give an interval.
pub const FEWEST: usize = 5;

/// Running sums of numerators and denominators over blocks, and their ratio.
#[derive(Clone, Debug, Default)]
pub struct ClusteredRatio {
    /// Sums of numerators and denominators by group.
    groups: Vec<[f64; 2]>,
    /// The number of blocks with a denominator, and the last of them.
    held: u64,
    last: Option<u64>,
}

impl ClusteredRatio {
    /// Adds `a` and `b` to the sums of a block. The parts of a block may come in several calls, block after block.
    pub fn add(&mut self, block: u64, a: f64, b: f64) {
        let place = usize::from(group(block));
        if self.groups.len() <= place {
            self.groups.resize(place + 1, [0.0; 2]);
        }
        self.groups[place][0] += a;
        self.groups[place][1] += b;
        if b > 0.0 && self.last != Some(block) {
            self.held += 1;
            self.last = Some(block);
        }
    }

    fn sums(&self) -> [f64; 2] {
        self.groups.iter().fold([0.0; 2], |[a, b], group| [a + group[0], b + group[1]])
    }

    /// Returns the sum of the denominators: the number of things of which the ratio is the mean.
    #[must_use]
    pub fn weight(&self) -> f64 {
        self.sums()[1]
    }

    /// Returns the ratio; `None` without a denominator.
    #[must_use]
    pub fn estimate(&self) -> Option<f64> {
        let [a, b] = self.sums();
        (b != 0.0).then(|| a / b)
    }

    /// Returns the variance of the ratio and its number of groups; `None` for fewer than [`FEWEST`].
    fn variance(&self) -> Option<(f64, usize)> {
        let ratio = self.estimate()?;
        let known: Vec<&[f64; 2]> =
            self.groups.iter().filter(|[a, b]| *a != 0.0 || *b != 0.0).collect();
        let n = known.len();
        let squares: f64 = known.iter().map(|[a, b]| (a - ratio * b).powi(2)).sum();
        let size = n as f64 / (n as f64 - 1.0).max(1.0);
        (n >= FEWEST).then(|| (size * squares / self.weight().powi(2), n))
    }

    /// Returns the standard error; `None` for fewer than [`FEWEST`] groups.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        self.variance().map(|(variance, _)| variance.sqrt())
    }

    /// Returns the 95 % interval; `None` for fewer than [`FEWEST`] groups, or if they all agree.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        let (ratio, (variance, n)) = (self.estimate()?, self.variance()?);
        let half = t_quantile((n - 1) as f64) * variance.sqrt();
        (variance > 0.0).then_some(Interval { low: ratio - half, high: ratio + half })
    }

    /// Returns the 95 % interval of a share; `[0, 1]` without blocks.
    #[must_use]
    pub fn share_interval(&self) -> Interval {
        // Blocks of different sizes count as fewer blocks of equal size (Kish); the groups show by how much.
        let sizes = self.groups.iter().map(|[_, b]| *b).filter(|b| *b > 0.0);
        let (n, sum, squares) =
            sizes.fold((0.0, 0.0, 0.0), |(n, sum, squares), b| (n + 1.0, sum + b, squares + b * b));
        let worth: f64 = if n > 0.0 { sum * sum / squares / n } else { 1.0 };
        let blocks = (self.held as f64 * worth).floor().max(self.held.min(1) as f64) as u64;
        let (variance, n) = self.variance().unwrap_or((0.0, 1));
        let sample = Sample {
            blocks,
            mean: self.estimate().unwrap_or(0.0),
            error: variance,
            degrees: (n as f64 - 1.0).max(1.0),
            widest: 1.0,
            is_alike: variance * (blocks as f64) < ALIKE,
        };
        sample.evidence().interval()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the ratio with one number of each block as numerator and 1 as denominator.
    fn mean_of(values: impl IntoIterator<Item = f64>) -> ClusteredRatio {
        let mut ratio = ClusteredRatio::default();
        for (block, value) in values.into_iter().enumerate() {
            ratio.add(block as u64, value, 1.0);
        }
        ratio
    }

    #[test]
    fn a_ratio_is_one_of_sums_and_no_mean_of_ratios() {
        let mut ratio = ClusteredRatio::default();
        for (block, (a, b)) in
            [(1.0, 1.0), (0.0, 3.0), (2.0, 4.0), (1.0, 2.0), (3.0, 5.0)].into_iter().enumerate()
        {
            ratio.add(block as u64, a, b);
        }
        assert!((ratio.estimate().unwrap() - 7.0 / 15.0).abs() < 1e-12);
        let residuals =
            [1.0 - 7.0 / 15.0, -1.4, 2.0 - 28.0 / 15.0, 1.0 - 14.0 / 15.0, 3.0 - 7.0 / 3.0];
        let squares: f64 = residuals.iter().map(|e| e * e).sum();
        assert!((ratio.error().unwrap() - (1.25 * squares).sqrt() / 15.0).abs() < 1e-12);
        assert!(mean_of([1.0, 2.0]).interval().is_none(), "too few to say anything");
        assert!(ClusteredRatio::default().estimate().is_none());
    }

    #[test]
    fn a_mean_is_that_of_student() {
        let values = [3.0, 4.0, 8.0, 1.0, 0.5, 2.5];
        let ratio = mean_of(values);
        let mut moments = super::super::Moments::default();
        values.iter().for_each(|&value| moments.add(value));
        let interval = ratio.interval().unwrap();
        assert!((interval.high - moments.mean() - moments.half_width().unwrap()).abs() < 1e-9);
    }

    #[test]
    fn what_was_never_seen_is_not_impossible() {
        let never = mean_of([0.0; 100]).share_interval();
        assert!(never.low == 0.0 && (0.02..0.05).contains(&never.high), "{never:?}");
        assert!(mean_of([0.0; 100]).interval().is_none());
    }
}
