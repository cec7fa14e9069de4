//! The measure of what a search gains, and its intervals.

use sim::stats::{Family, Interval, Moments};

/// The measure in which a gain is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gain {
    /// The share of the points of an agent, which meets the start in a duel, too.
    Share,
    /// The loss of rules, which has no bounds; what it is made of is measured, too.
    Loss,
}

impl Gain {
    /// Returns the 95 % interval of a gain: of a difference of shares, in `[−1, 1]`, or Student's.
    #[must_use]
    pub fn interval(self, gain: &Moments) -> Interval {
        self.together(gain, Family::of(1))
    }

    /// Returns the same interval, wide enough to hold together with those of the other statements of a family.
    #[must_use]
    pub fn together(self, gain: &Moments, family: Family) -> Interval {
        match (self, gain.half_width_together(family)) {
            (Self::Share, _) => gain.together_within(-1.0, 1.0, family),
            (Self::Loss, Some(half)) => Interval { low: -half, high: half }.plus(gain.mean()),
            (Self::Loss, None) => Interval { low: f64::NEG_INFINITY, high: f64::INFINITY },
        }
    }
}
