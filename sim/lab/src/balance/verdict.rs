//! The verdict on a change between two runs: moved, no difference above a margin, or undecided.

use super::statements::Difference;

/// The smallest change of a share or a probability that matters.
pub const SHARE: f64 = 0.05;
/// The smallest change of another number that matters, as a part of the old value.
pub const PART: f64 = 0.05;

/// Returns the smallest change of a statement that matters, in its unit.
fn margin(difference: &Difference) -> f64 {
    if difference.is_share { SHARE } else { PART * difference.from.value.abs() }
}

/// The verdict on a difference.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Verdict {
    /// It moved: found at the false discovery rate of its study, and its interval excludes zero.
    Moved,
    /// There is no difference above this number, which is below the margin.
    NoDifference(f64),
    /// The interval is too wide for either.
    Undecided {
        /// The largest change that the interval allows.
        most: f64,
        /// The number of games that makes the interval as narrow as the margin: the half width falls with the root of
        /// the games. `None` if the margin is zero.
        games: Option<u64>,
    },
}

impl Verdict {
    /// Returns the verdict on a difference that `games` games measured. Returns `None` if it has no interval, as where
    /// all blocks are copies of one game.
    #[must_use]
    pub fn of(difference: &Difference, games: u64) -> Option<Self> {
        if difference.is_certain {
            let is_moved = difference.is_found();
            return Some(if is_moved {
                Self::Moved
            } else {
                Self::NoDifference(difference.value.abs())
            });
        }
        let at = difference.interval?;
        if difference.is_found() && !at.contains(0.0) {
            return Some(Self::Moved);
        }
        let (most, margin) = (at.low.abs().max(at.high.abs()), margin(difference));
        if most <= margin {
            return Some(Self::NoDifference(most));
        }
        let ratio = (at.high - at.low) / 2.0 / margin;
        let games = (margin > 0.0).then(|| (games as f64 * ratio * ratio).ceil() as u64);
        Some(Self::Undecided { most, games })
    }
}

#[cfg(test)]
mod tests {
    use super::super::estimate::Estimate;
    use super::*;
    use sim::stats::Interval;

    fn difference(value: f64, [low, high]: [f64; 2], adjusted_p: f64) -> Difference {
        let estimate = Estimate { value: 60.0, interval: None, p: None, n: 100 };
        Difference {
            name: "choices".to_owned(),
            from: estimate,
            to: estimate,
            value,
            interval: Some(Interval { low, high }),
            adjusted_p,
            is_certain: false,
            is_effect: false,
            is_share: false,
        }
    }

    #[test]
    fn a_verdict_needs_the_screen_and_the_interval() {
        let verdict = |value, at, p| Verdict::of(&difference(value, at, p), 400);
        assert_eq!(verdict(5.0, [2.0, 8.0], 0.01), Some(Verdict::Moved));
        // One of many, or an interval that holds zero, is not enough.
        let undecided = Some(Verdict::Undecided { most: 8.0, games: Some(400) });
        assert_eq!(verdict(5.0, [2.0, 8.0], 0.3), undecided);
        let wide = Some(Verdict::Undecided { most: 8.0, games: Some(1_112) });
        assert_eq!(verdict(3.0, [-2.0, 8.0], 0.09), wide);
        assert_eq!(verdict(0.5, [-1.0, 2.0], 0.6), Some(Verdict::NoDifference(2.0)));
        let none = Difference { interval: None, ..difference(0.0, [0.0, 0.0], 1.0) };
        assert_eq!(Verdict::of(&none, 400), None);
        let certain = Difference { is_certain: true, ..none };
        assert_eq!(Verdict::of(&certain, 9), Some(Verdict::NoDifference(0.0)));
        let share = Difference { is_share: true, ..difference(0.0, [-0.04, 0.04], 1.0) };
        assert_eq!(Verdict::of(&share, 9), Some(Verdict::NoDifference(0.04)));
        let zero = Estimate { value: 0.0, interval: None, p: None, n: 100 };
        let zero = Difference { from: zero, ..difference(0.0, [-1.0, 1.0], 1.0) };
        assert_eq!(Verdict::of(&zero, 9), Some(Verdict::Undecided { most: 1.0, games: None }));
    }
}
