//! The ratio of two means over blocks, as in a price: one worth divided by the worth of a coin.
//!
//! **Fieller's interval** (1954, <https://doi.org/10.1111/j.2517-6161.1954.tb00159.x>) holds all ρ for which the mean
//! of `x_b − ρ y_b` is not significantly different from zero: `(x̄ − ρ ȳ)² ≤ t² (s_xx − 2 ρ s_xy + ρ² s_yy)/n`. Unlike
//! the delta method it keeps its coverage where the denominator is poorly known. Then it is no longer an interval: if ȳ
//! does not differ from zero, it is all numbers outside a gap, or all numbers. No bounded interval could hold the truth
//! in 95 of 100 cases there (Gleser and Hwang 1987, <https://doi.org/10.1214/aos/1176350597>).
//!
//! **Bootstrap**: the percentile interval of the ratio over resamples of blocks ([`super::bootstrap`]) is a check where
//! the denominator is well away from zero. Elsewhere it is too narrow.
//!
//! **Valid** for ten or more independent blocks.

use super::bootstrap::{Bootstrap, GROUPS, group};
use super::interval::Interval;
use super::quantiles::t_quantile;

/// The set of numbers that a ratio can be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Region {
    /// The numbers of an interval.
    Within(Interval),
    /// The numbers outside this gap: the denominator does not differ significantly from zero.
    Outside(Interval),
    /// All numbers: neither numerator nor denominator differs significantly from zero.
    Anything,
}

impl Region {
    /// Returns whether `x` is in the region.
    #[must_use]
    pub fn contains(self, x: f64) -> bool {
        match self {
            Self::Within(interval) => interval.contains(x),
            Self::Outside(gap) => x <= gap.low || x >= gap.high,
            Self::Anything => true,
        }
    }

    /// Returns the interval, if the region is an interval.
    #[must_use]
    pub const fn interval(self) -> Option<Interval> {
        if let Self::Within(interval) = self { Some(interval) } else { None }
    }
}

/// A ratio of means.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ratio {
    /// The first mean divided by the second.
    pub estimate: f64,
    /// Its 95 % region by Fieller's theorem.
    pub region: Region,
}

/// Returns the ratio of the mean of `x` to the mean of `y`, both by block.
///
/// `None` for fewer than two blocks, or if the mean of `y` is zero.
#[must_use]
pub fn fieller(x: &[f64], y: &[f64]) -> Option<Ratio> {
    let n = x.len().min(y.len()) as f64;
    let mean = |v: &[f64]| v.iter().sum::<f64>() / n;
    let (mx, my) = (mean(x), mean(y));
    if n < 2.0 || my == 0.0 {
        return None;
    }
    let t = t_quantile(n - 1.0);
    let product = |a: &[f64], ma: f64, b: &[f64], mb: f64| {
        let sum: f64 = a.iter().zip(b).map(|(a, b)| (a - ma) * (b - mb)).sum();
        t * t * sum / ((n - 1.0) * n)
    };
    let (sxx, sxy, syy) = (product(x, mx, x, mx), product(x, mx, y, my), product(y, my, y, my));
    // a ρ² − 2 b ρ + c ≤ 0
    let (a, b, c) = (my * my - syy, mx * my - sxy, mx * mx - sxx);
    let under_root = b * b - a * c;
    let region = if under_root < 0.0 || a == 0.0 {
        Region::Anything
    } else {
        let (one, other) = ((b - under_root.sqrt()) / a, (b + under_root.sqrt()) / a);
        let ends = Interval { low: one.min(other), high: one.max(other) };
        if a > 0.0 { Region::Within(ends) } else { Region::Outside(ends) }
    };
    Some(Ratio { estimate: mx / my, region })
}

/// Returns the bootstrap interval of the ratio of the mean of `x` to that of `y`, by groups of blocks.
#[must_use]
pub fn bootstrap(x: &[f64], y: &[f64], seed: u64) -> Option<Interval> {
    let n_groups = x.len().min(GROUPS as usize);
    let mut sums = vec![[0.0; 2]; n_groups];
    for (block, (x, y)) in x.iter().zip(y).enumerate() {
        let sum = &mut sums[usize::from(group(block as u64))];
        sum[0] += x;
        sum[1] += y;
    }
    Bootstrap::new(seed).interval(n_groups, |times| {
        let total = |i: usize| times.iter().zip(&sums).map(|(t, sum)| t * sum[i]).sum::<f64>();
        total(0) / total(1)
    })
}

#[cfg(test)]
mod tests {
    use engine::rng::{Purpose, stream};
    use engine::{Randomness, Stream};

    use super::*;

    fn noise(rng: &mut Stream) -> f64 {
        (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0
    }

    fn sample(n: usize, mean: [f64; 2], rng: &mut Stream) -> [Vec<f64>; 2] {
        let mut all = [Vec::new(), Vec::new()];
        for _ in 0..n {
            let common = noise(rng);
            all[0].push(mean[0] + common + noise(rng));
            all[1].push(mean[1] + 0.5 * common + 0.5 * noise(rng));
        }
        all
    }

    #[test]
    fn fieller_holds_the_ratio_whether_the_denominator_is_known_or_not() {
        let mut rng = stream(11, 0, Purpose::Analysis);
        for (mean, is_bounded) in [([6.0, 2.0], true), ([0.6, 0.2], false), ([0.3, 0.02], false)] {
            let (mut held, mut bounded) = (0, 0);
            for _ in 0..4_000 {
                let [x, y] = sample(25, mean, &mut rng);
                let ratio = fieller(&x, &y).unwrap();
                held += u32::from(ratio.region.contains(mean[0] / mean[1]));
                bounded += u32::from(ratio.region.interval().is_some());
            }
            assert!((3_720..=3_880).contains(&held), "{mean:?}: {held} of 4000");
            assert_eq!(bounded == 4_000, is_bounded, "{mean:?}: {bounded} bounded");
        }
    }

    #[test]
    fn the_region_is_where_the_difference_is_not_told_from_zero() {
        let mut rng = stream(12, 0, Purpose::Analysis);
        for mean in [[1.0, 1.0], [0.5, 0.1], [0.0, 0.05], [2.0, -1.0]] {
            let [x, y] = sample(20, mean, &mut rng);
            let ratio = fieller(&x, &y).unwrap();
            for rho in (-400..400).map(|i| f64::from(i) / 20.0 + 0.013) {
                let mut moments = crate::Moments::default();
                x.iter().zip(&y).for_each(|(x, y)| moments.add(x - rho * y));
                let differs = moments.mean().abs() > moments.half_width().unwrap();
                assert_eq!(ratio.region.contains(rho), !differs, "{mean:?} {rho} {ratio:?}");
            }
        }
    }

    #[test]
    fn where_the_denominator_is_known_the_bootstrap_agrees() {
        let [x, y] = sample(400, [6.0, 2.0], &mut stream(13, 0, Purpose::Analysis));
        let (fieller, other) = (fieller(&x, &y).unwrap(), bootstrap(&x, &y, 5).unwrap());
        let own = fieller.region.interval().unwrap();
        let width = own.high - own.low;
        assert!((own.low - other.low).abs() < 0.15 * width, "{own:?} {other:?}");
        assert!((own.high - other.high).abs() < 0.15 * width, "{own:?} {other:?}");
        assert_eq!(super::fieller(&[1.0], &[1.0]), None);
        assert_eq!(super::fieller(&[1.0, 2.0], &[1.0, -1.0]), None);
    }
}
