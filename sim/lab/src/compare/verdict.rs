//! The word that a comparison comes to: better, worse, no difference above the stated effect, undecided, or none.

use sim::stats::Interval;

/// The largest part of the games of an arm that may have been forfeited: beyond it crashes decide, and there is no
/// verdict.
pub const MOST_FORFEITS: f64 = 0.05;

/// The word. Of two rule sets neither is better, so there the same words speak of the metric: larger, smaller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// The candidate is better; the metric is larger under B.
    Better,
    /// The candidate is worse; the metric is smaller under B.
    Worse,
    /// There is no difference above the stated effect.
    NoDifference,
    /// Nothing is decided, which does not mean equal.
    Undecided,
    /// There can be no verdict: too many games were forfeited, or all blocks are one game.
    None,
}

impl Word {
    /// Returns the word that an interval of the effect stands for: better or worse where it leaves 0 out, no difference
    /// where it lies between `-effect` and `effect`, and otherwise undecided.
    #[must_use]
    pub fn of_interval(Interval { low, high }: Interval, effect: Option<f64>) -> Self {
        if low > 0.0 {
            return Self::Better;
        }
        if high < 0.0 {
            return Self::Worse;
        }
        match effect {
            Some(effect) if -effect < low && high < effect => Self::NoDifference,
            _ => Self::Undecided,
        }
    }

    /// Returns the word in documents, for a comparison of so many arms: one of agents, two of rule sets.
    #[must_use]
    pub const fn name(self, n_arms: usize) -> &'static str {
        match (self, n_arms) {
            (Self::Better, 1) => "better",
            (Self::Better, _) => "larger",
            (Self::Worse, 1) => "worse",
            (Self::Worse, _) => "smaller",
            (Self::NoDifference, _) => "no difference",
            (Self::Undecided, _) => "undecided",
            (Self::None, _) => "none",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_never_says_more_than_its_interval() {
        for (low, high, effect, word) in [
            (0.01, 0.3, Some(0.05), Word::Better),
            (0.01, 0.04, Some(0.05), Word::Better),
            (-0.3, -0.01, None, Word::Worse),
            (-0.04, 0.04, Some(0.05), Word::NoDifference),
            (-0.04, 0.05, Some(0.05), Word::Undecided),
            (-0.06, 0.04, Some(0.05), Word::Undecided),
            (-0.04, 0.04, None, Word::Undecided),
            (0.0, 0.04, Some(0.05), Word::NoDifference),
        ] {
            assert_eq!(Word::of_interval(Interval { low, high }, effect), word, "{low} {high}");
        }
    }
}
