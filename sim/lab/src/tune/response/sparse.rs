//! Selection of the non-zero coefficients among many: spike and slab (Mitchell and Beauchamp 1988).
//!
//! A coefficient is 0, or drawn from a normal distribution around 0, the slab. Expectation and maximisation over all
//! coefficients estimate the fraction that is drawn and the variance of the slab. The evidence of the data alone about
//! a coefficient is found by removing its prior (the cavity of expectation propagation, Minka 2001). A linear model
//! has normal priors only. Each coefficient therefore gets the normal prior that shrinks its estimate as much as the
//! mixture does.

/// The estimate of a coefficient by the data alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    estimate: f64,
    /// The variance of its error.
    variance: f64,
}

/// The largest fraction of its prior variance that a coefficient keeps; it means that nothing was learnt.
const NOTHING_LEARNT: f64 = 1.0 - 1e-9;

impl Seen {
    /// Creates the estimate from a fitted coefficient, and its variances `left` after and `before` the fit.
    pub(super) fn of(coefficient: f64, left: f64, before: f64) -> Self {
        let left = left.min(before * NOTHING_LEARNT);
        let variance = 1.0 / (1.0 / left - 1.0 / before);
        Self { estimate: coefficient / left * variance, variance }
    }
}

/// The distribution of coefficients.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sparse {
    /// The fraction that is not 0.
    part: f64,
    /// The variance of these.
    slab: f64,
}

/// The number of steps of expectation and maximisation on the same coefficients.
const STEPS: usize = 10;

impl Sparse {
    /// Creates the initial distribution: half of the coefficients are not 0, and the standard deviation of all is
    /// `spread`.
    pub(super) fn of_which_half_are_there(spread: f64) -> Self {
        Self { part: 0.5, slab: 2.0 * spread * spread }
    }

    /// Returns the probability that a coefficient is not 0.
    fn is_there(&self, seen: &Seen) -> f64 {
        let (without, with) = (seen.variance, seen.variance + self.slab);
        let square = seen.estimate * seen.estimate;
        let log = libm::log(self.part / (1.0 - self.part))
            + 0.5 * (libm::log(without / with) + square * (1.0 / without - 1.0 / with));
        1.0 / (1.0 + libm::exp(-log))
    }

    /// Fits the distribution to all estimates, plus one zero and one non-zero coefficient; the slab's standard
    /// deviation stays within `spreads`.
    pub(super) fn learn(&mut self, all: &[Seen], spreads: [f64; 2]) {
        for _ in 0..STEPS {
            let (mut there, mut squares) = (0.0, 0.0);
            for seen in all {
                let is_there = self.is_there(seen);
                let kept = self.slab / (self.slab + seen.variance);
                there += is_there;
                squares += is_there * ((kept * seen.estimate).powi(2) + kept * seen.variance);
            }
            self.part = (1.0 + there) / (2.0 + all.len() as f64);
            let slab = squares / there.max(f64::MIN_POSITIVE);
            self.slab = slab.clamp(spreads[0].powi(2), spreads[1].powi(2));
        }
    }

    /// Returns the standard deviation of the normal prior that shrinks the estimate as much as the mixture does.
    pub(super) fn spread(&self, seen: &Seen) -> f64 {
        let kept = self.is_there(seen) * self.slab / (self.slab + seen.variance);
        (seen.variance * kept / (1.0 - kept)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use engine::{Purpose, Randomness, rng};

    use super::*;
    use crate::tune::space::normal;

    /// Returns coefficients, each non-zero with probability `part`, with estimates of standard error 1.
    fn seen(part: f64, slab: f64, n: usize) -> Vec<(f64, Seen)> {
        let mut stream = rng::stream(3, 0, Purpose::Analysis);
        let mut one = || {
            let is_there = stream.unit() < part;
            let truth = if is_there { slab * normal(&mut stream) } else { 0.0 };
            (truth, Seen { estimate: truth + normal(&mut stream), variance: 1.0 })
        };
        (0..n).map(|_| one()).collect()
    }

    #[test]
    fn what_coefficients_are_like_is_learnt() {
        for (part, slab) in [(0.2, 5.0), (0.7, 4.0)] {
            let all = seen(part, slab, 4_000);
            let mut sparse = Sparse::of_which_half_are_there(1.0);
            for _ in 0..20 {
                sparse.learn(&all.iter().map(|(_, seen)| *seen).collect::<Vec<_>>(), [1e-4, 50.0]);
            }
            assert!((sparse.part - part).abs() < 0.04, "{sparse:?}");
            assert!((sparse.slab.sqrt() - slab).abs() < 0.3, "{sparse:?}");
        }
    }

    #[test]
    fn shrinking_each_by_its_own_spread_errs_less_than_shrinking_all_alike() {
        let all = seen(0.2, 5.0, 4_000);
        let mut sparse = Sparse::of_which_half_are_there(2.0);
        sparse.learn(&all.iter().map(|(_, seen)| *seen).collect::<Vec<_>>(), [1e-4, 50.0]);
        let error = |spread: &dyn Fn(&Seen) -> f64| {
            let square = |(truth, seen): &(f64, Seen)| {
                let before = spread(seen).powi(2);
                (seen.estimate * before / (before + seen.variance) - truth).powi(2)
            };
            all.iter().map(square).sum::<f64>() / all.len() as f64
        };
        let (own, alike) = (error(&|seen| sparse.spread(seen)), error(&|_| f64::sqrt(0.2) * 5.0));
        assert!(own < 0.6 * alike, "{own} {alike}");
    }

    #[test]
    fn a_prior_that_was_put_in_is_taken_out_again() {
        let (data, before) = (Seen { estimate: 0.4, variance: 0.3 }, 0.05);
        let left = 1.0 / (1.0 / data.variance + 1.0 / before);
        let seen = Seen::of(data.estimate / data.variance * left, left, before);
        assert!((seen.estimate - 0.4).abs() < 1e-9 && (seen.variance - 0.3).abs() < 1e-9);
        // An unchanged variance carries no information, and no estimate is kept.
        let nothing = Seen::of(0.0, before, before);
        let sparse = Sparse::of_which_half_are_there(1.0);
        assert!(nothing.variance > 1e6 && sparse.spread(&nothing).is_finite());
    }
}
