//! The verdict of a comparison: better, worse, no difference above the stated effect, undecided, or none.

use sim::stats::Interval;

/// The largest fraction of forfeited games in an arm for a verdict; beyond it crashes would decide.
pub const MOST_FORFEITS: f64 = 0.05;

/// The verdict. For two rule sets it describes the metric: larger or smaller, since neither rule set is better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// The candidate is better; the metric is larger under B.
    Better,
    /// The candidate is worse; the metric is smaller under B.
    Worse,
    /// There is no difference above the stated effect.
    NoDifference,
    /// No decision, which does not mean equality.
    Undecided,
    /// No verdict is possible: too many games were forfeited, or all blocks are one game.
    None,
}

impl Word {
    /// Returns the verdict of an interval of the effect: better or worse if it excludes 0, no difference if it lies
    /// between `-effect` and `effect`, and otherwise undecided.
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

    /// Returns the word for documents, for a comparison of `n_arms` arms: one of agents, two of rule sets.
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
