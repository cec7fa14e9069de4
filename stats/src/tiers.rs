//! Convergence: is a value equal for stronger agents? The difference between tiers is compared with a margin.
//!
//! Two one-sided tests at once (equivalence: Schuirmann 1987, <https://doi.org/10.1007/BF01068419>): the 95 % interval
//! of the difference, block by block under the same seeds, is compared with `± margin`. Inside it, the value has
//! *converged*; wholly outside, it has *not*; otherwise it is *undecided*. A wide interval is never convergence.

use serde::Serialize;

use super::interval::Interval;

/// The margin: two points of share.
pub const MARGIN: f64 = 0.02;

/// The decision on a difference between tiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Convergence {
    /// The interval lies within the margin.
    Converged,
    /// The interval lies outside the margin.
    NotConverged,
    /// The interval lies across an end of the margin.
    Undecided,
}

impl Convergence {
    /// Returns the decision for the interval of a difference.
    #[must_use]
    pub fn of(difference: Interval, margin: f64) -> Self {
        let Interval { low, high } = difference;
        if -margin <= low && high <= margin {
            Self::Converged
        } else if high < -margin || margin < low {
            Self::NotConverged
        } else {
            Self::Undecided
        }
    }

    /// Returns the decision in a word or two.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::NotConverged => "not converged",
            Self::Undecided => "undecided",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_narrow_interval_around_zero_is_convergence() {
        let of = |low, high| Convergence::of(Interval { low, high }, MARGIN);
        assert_eq!(of(-0.02, 0.01), Convergence::Converged);
        assert_eq!(of(0.021, 0.05), Convergence::NotConverged);
        assert_eq!(of(-0.3, -0.021), Convergence::NotConverged);
        assert_eq!(of(0.01, 0.03), Convergence::Undecided);
        assert_eq!(of(-0.5, 0.5), Convergence::Undecided);
    }
}
