//! Bootstrap by block: intervals of statistics that have no formula.
//!
//! **Resampling.** From `n` groups of blocks, `n` are drawn with replacement. The statistic is computed with every
//! group counted as often as it was drawn. This is repeated [`RESAMPLES`] times (Efron 1979,
//! <https://doi.org/10.1214/aos/1176344552>; for clusters Field & Welsh 2007,
//! <https://doi.org/10.1111/j.1467-9868.2007.00593.x>). Games of a block depend on each other, so blocks stay whole.
//!
//! **Groups.** A run may have millions of blocks, so block `b` belongs to group `b mod` [`GROUPS`], and groups are
//! drawn. Up to 200 blocks, each block is a group. Beyond that, independent blocks give independent groups, and 200
//! groups estimate a variance to about a tenth of its value, as 200 blocks would.
//!
//! **Interval.** The plain percentile interval of few groups is too narrow: it behaves as if Student's t were the
//! normal distribution and `n − 1` were `n`. So the percentiles are `Φ(±√(n/(n−1))·t)` instead of 2.5 % and 97.5 %,
//! with the 97.5 % quantile `t` of Student's t with `n − 1` degrees of freedom (expanded percentiles: Hesterberg 2015,
//! <https://doi.org/10.1080/00031305.2015.1089789>). Percentiles follow any monotone change of scale, so a logarithm or
//! an Elo scale needs no correction. There is no acceleration (`BCa`): ratings are nearly symmetric, and the coverage
//! tests pass without it.
//!
//! **Valid** for smooth statistics of ten or more groups. **Not** for extremes, for statistics on a boundary of their
//! range (an agent that never lost), or for sequential looks.
//!
//! Every resample has its own stream, addressed by *(seed, number of the resample, analysis)*. So results are the same
//! on every machine, and statistics drawn with one seed share their resamples.

use engine::Randomness;
use engine::rng::{self, Purpose};
use statrs::distribution::{ContinuousCDF, Normal};

use super::interval::Interval;
use super::quantiles::t_quantile;

/// The default number of resamples of an interval.
pub const RESAMPLES: u32 = 2_000;

/// The largest number of groups that blocks are put into.
pub const GROUPS: u64 = 200;

/// The source of resamples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bootstrap {
    /// The seed of the streams.
    pub seed: u64,
    /// Number of resamples.
    pub resamples: u32,
}

impl Bootstrap {
    /// Returns a bootstrap of [`RESAMPLES`] resamples at `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed, resamples: RESAMPLES }
    }

    /// Returns the value of `statistic` on every resample of `groups` groups.
    ///
    /// `statistic` receives the number of times that each group was drawn.
    pub fn draws<T>(self, groups: usize, mut statistic: impl FnMut(&[f64]) -> T) -> Vec<T> {
        let mut times = vec![0.0; groups];
        let mut draw = |i: u32| {
            let mut rng = rng::stream(self.seed, u64::from(i), Purpose::Analysis);
            times.fill(0.0);
            (0..groups).for_each(|_| times[rng.below(groups as u32) as usize] += 1.0);
            statistic(&times)
        };
        (0..self.resamples).map(&mut draw).collect()
    }

    /// Returns the 95 % interval of `statistic`, as [`percentile`] computes it.
    pub fn interval(self, groups: usize, statistic: impl FnMut(&[f64]) -> f64) -> Option<Interval> {
        percentile(self.draws(groups, statistic), groups)
    }
}

/// Returns the group of block `block`.
#[must_use]
pub const fn group(block: u64) -> u16 {
    (block % GROUPS) as u16
}

/// Returns the expanded 95 % percentile interval of `draws` from resamples of `groups` groups; draws that are no
/// numbers are left out.
///
/// `None` for fewer than two groups, or if most draws are no numbers.
#[must_use]
pub fn percentile(mut draws: Vec<f64>, groups: usize) -> Option<Interval> {
    let n_draws = draws.len();
    draws.retain(|x| x.is_finite());
    if groups < 2 || draws.len() * 2 <= n_draws {
        return None;
    }
    draws.sort_by(f64::total_cmp);
    let n = groups as f64;
    let tail = Normal::standard().cdf(-(n / (n - 1.0)).sqrt() * t_quantile(n - 1.0));
    Some(Interval { low: quantile(&draws, tail), high: quantile(&draws, 1.0 - tail) })
}

/// Returns the quantile `q` of sorted values, linear between neighbours (Hyndman & Fan 1996, type 7).
pub(super) fn quantile(sorted: &[f64], q: f64) -> f64 {
    let place = q * (sorted.len() - 1) as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    let next = sorted[(below + 1).min(sorted.len() - 1)];
    sorted[below] + part * (next - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_resample_draws_as_many_groups_as_there_are_and_has_its_address() {
        let plan = Bootstrap { seed: 3, resamples: 50 };
        let totals = plan.draws(17, |times| times.iter().sum::<f64>());
        assert!(totals.iter().all(|total| (total - 17.0).abs() < 1e-12));
        let all = plan.draws(17, <[f64]>::to_vec);
        let fewer = Bootstrap { seed: 3, resamples: 10 }.draws(17, <[f64]>::to_vec);
        assert_eq!(all[..10], fewer[..]);
        assert_ne!(all, Bootstrap { seed: 4, resamples: 50 }.draws(17, <[f64]>::to_vec));
    }

    #[test]
    fn percentiles_of_known_draws() {
        let draws: Vec<f64> = (0..=1000).map(f64::from).collect();
        assert!((quantile(&draws, 0.025) - 25.0).abs() < 1e-9);
        assert!((quantile(&[1.0, 2.0], 0.25) - 1.25).abs() < 1e-12);
        // Many groups: 2.5 % and 97.5 %. Ten groups: Φ(−√(10/9)·2.262) = 0.86 %.
        let wide = percentile(draws.clone(), 1_000_000).unwrap();
        assert!((wide.low - 25.0).abs() < 0.1 && (wide.high - 975.0).abs() < 0.1, "{wide:?}");
        let few = percentile(draws.clone(), 10).unwrap();
        assert!((few.low - 8.6).abs() < 0.1, "{few:?}");
        assert_eq!(percentile(draws, 1), None);
        assert_eq!(percentile(vec![f64::NAN; 9], 10), None);
    }
}
