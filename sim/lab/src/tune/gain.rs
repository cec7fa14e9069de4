//! The measure of a search's gain, with its intervals.

use sim::stats::{Family, Interval, Moments};

/// The measure of a gain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gain {
    /// The share of an agent, which also plays a duel against the start.
    Share,
    /// The loss of rules, which has no bounds; its parts are also measured.
    Loss,
}

impl Gain {
    /// Returns the 95 % interval of a gain: of a difference of shares, in `[−1, 1]`, or Student's.
    #[must_use]
    pub fn interval(self, gain: &Moments) -> Interval {
        self.together(gain, Family::of(1))
    }

    /// Returns the 95 % interval of a gain, simultaneous over the statements of a family.
    #[must_use]
    pub fn together(self, gain: &Moments, family: Family) -> Interval {
        match (self, gain.half_width_together(family)) {
            (Self::Share, _) => gain.together_within(-1.0, 1.0, family),
            (Self::Loss, Some(half)) => Interval { low: -half, high: half }.plus(gain.mean()),
            (Self::Loss, None) => Interval { low: f64::NEG_INFINITY, high: f64::INFINITY },
        }
    }
}
