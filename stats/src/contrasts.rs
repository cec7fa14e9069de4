//! Critical values for several contrasts of one fitted linear model at once: all of a space, or some of a list.
//!
//! An analyst who looks at all differences between places of a curve and reports the largest has selected a contrast.
//! Intervals `estimate ± c·error` of *all* contrasts in a space of q dimensions hold together in 95 of 100 cases with
//! `c² = q·d/(d − q + 1)·F(0.95; q, d − q + 1)`. Here the covariance is estimated with d degrees of freedom (Hotelling
//! 1931, doi:10.1214/aoms/1177732979; with a known shape of the covariance it is Scheffé 1953,
//! doi:10.1093/biomet/40.1-2.87). For a short list of contrasts Bonferroni's inequality is sharper.
//!
//! **Valid** for nearly normal errors; q = 1 gives Student's t. Coverage is measured by `just tune-proofs`.

use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use super::family::Family;
use super::quantiles::t_quantile_at;

/// The level at which all intervals hold together.
const LEVEL: f64 = 0.95;
/// The degrees of freedom above which more make no difference.
const MOST_DEGREES: f64 = 10_000.0;

/// Returns the critical value for all contrasts in a space of `dimensions`, whose covariance has `degrees` degrees of
/// freedom; `None` where these are too few for any interval.
///
/// ```
/// let one = stats::contrasts::all_of_a_space(1, 20.0).unwrap();
/// assert!((one - 2.086).abs() < 1e-3);
/// ```
#[must_use]
pub fn all_of_a_space(dimensions: usize, degrees: f64) -> Option<f64> {
    let (q, degrees) = (dimensions.max(1) as f64, degrees.min(MOST_DEGREES));
    let rest = degrees - q + 1.0;
    let f = FisherSnedecor::new(q, rest).ok().filter(|_| rest >= 1.0)?;
    Some((q * degrees / rest * f.inverse_cdf(LEVEL)).sqrt())
}

/// Returns the critical value for `contrasts` contrasts that were listed before the data were seen.
///
/// `None` where `degrees` are too few for any interval.
#[must_use]
pub fn some_of_a_list(contrasts: usize, degrees: f64) -> Option<f64> {
    (degrees >= 1.0).then(|| t_quantile_at(degrees, Family::of(contrasts).tail()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn critical_values_are_those_of_the_tables() {
        // F(0.95; 2, 20) = 3.4928, F(0.95; 3, 30) = 2.9223; t(0.975; 10) = 2.2281, t(0.995; 10) = 3.1693.
        let all = |q, d| all_of_a_space(q, d).unwrap();
        assert!((all(2, 21.0) - f64::sqrt(2.0 * 21.0 / 20.0 * 3.4928)).abs() < 1e-3);
        assert!((all(3, 32.0) - f64::sqrt(3.0 * 32.0 / 30.0 * 2.9223)).abs() < 1e-3);
        assert!((all(1, 10.0) - 2.2281).abs() < 1e-3);
        assert!((some_of_a_list(1, 10.0).unwrap() - 2.2281).abs() < 1e-3);
        assert!((some_of_a_list(5, 10.0).unwrap() - 3.1693).abs() < 1e-3);
        assert!(all_of_a_space(4, 3.0).is_none() && some_of_a_list(2, 0.5).is_none());
    }
}
