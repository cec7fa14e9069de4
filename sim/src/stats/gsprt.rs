//! A generalised sequential probability ratio test of the mean of block values.
//!
//! **Formula.** With the deviance `D(s)` of [`Tally`] (how much worse the best distribution with mean s explains the
//! blocks than the best of all), the log-likelihood ratio of mean `s1` against `s0` is `D(s0) − D(s1)`: each
//! hypothesis is a mean, and everything else about the distribution is fitted under it (Wald 1945,
//! doi:10.1214/aoms/1177731118; generalised: Li, Liu, Ying, Sequential Analysis 33, 2014, and Van den Bergh's notes
//! for pairs of chess games). The test accepts `s1` when the ratio reaches `ln((1 − β)/α)`, rejects it at
//! `ln(β/(1 − α))`, and goes on between them.
//!
//! **A block of n rotated games has n + 1 win counts**, more with shared wins: games of a block share their chance, so
//! their number enters as blocks, and good luck that the rotation cancels counts as the small variance that it is.
//!
//! **At least [`LEAST_BLOCKS`] blocks** before a verdict, because the distribution is estimated. A test of blocks that
//! all agree, at 0, at 1 or in between, ends there or soon after, because the ratio is finite and grows with each.
//!
//! **Two sides.** Two tests at half of α each, of `s0 + effect` and of `s0 − effect`: the first that accepts decides,
//! and only when both have rejected is there no difference (Sobel and Wald 1949, doi:10.1214/aoms/1177729944).
//!
//! Valid for independent blocks. Error rates are those of Wald's approximation, measured in `sim/tests/sequential.rs`.

use super::tally::{Range, Tally};

/// Blocks before any verdict.
pub const LEAST_BLOCKS: u64 = 30;

/// What a test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// There is an effect: `s1` rather than `s0`.
    Accept,
    /// There is none: `s0` rather than `s1`.
    Reject,
    /// Not decided yet, which is not the same as equal.
    Undecided,
}

/// On which side of the null an effect is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sides {
    /// Only above it.
    Above,
    /// Above and below it.
    Both,
}

/// What is tested, and how often the answer may be wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Question {
    /// Where block values lie.
    pub range: Range,
    /// The mean without an effect.
    pub null: f64,
    /// The size of the effect that is worth finding, above 0, in the unit of the values.
    pub effect: f64,
    /// On which side.
    pub sides: Sides,
    /// The probability to accept where there is no effect, in (0, 0.5).
    pub alpha: f64,
    /// The probability to reject where there is an effect of this size, in (0, 0.5).
    pub beta: f64,
}

impl Question {
    /// The α of one side.
    #[must_use]
    pub fn alpha_of_side(&self) -> f64 {
        match self.sides {
            Sides::Above => self.alpha,
            Sides::Both => self.alpha / 2.0,
        }
    }

    /// The ratios at which a side rejects and accepts: `ln(β/(1 − α))`, `ln((1 − β)/α)`.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        let alpha = self.alpha_of_side();
        ((self.beta / (1.0 - alpha)).ln(), ((1.0 - self.beta) / alpha).ln())
    }
}

/// A test that is under way.
#[derive(Clone, Debug)]
pub struct Gsprt {
    question: Question,
    tally: Tally,
    /// The verdicts above and below; a side that is over stays so.
    sides: [Verdict; 2],
    verdict: Verdict,
}

impl Gsprt {
    /// A test before its first block.
    ///
    /// # Panics
    /// If a hypothesis lies outside of the range or on its end, or a probability outside of (0, 0.5).
    #[must_use]
    pub fn new(question: Question) -> Self {
        let is_inside = |mean: f64| match question.range {
            Range::Within(low, high) => low < mean && mean < high,
            Range::Anywhere => mean.is_finite(),
        };
        let Question { null, effect, sides, alpha, beta, range } = question;
        assert!(effect > 0.0 && is_inside(null) && is_inside(null + effect), "{question:?}");
        assert!(sides == Sides::Above || is_inside(null - effect), "{question:?}");
        assert!([alpha, beta].iter().all(|&p| p > 0.0 && p < 0.5), "{question:?}");
        let below = if sides == Sides::Both { Verdict::Undecided } else { Verdict::Reject };
        let sides = [Verdict::Undecided, below];
        Self { question, tally: Tally::new(range), sides, verdict: Verdict::Undecided }
    }

    /// The values so far.
    #[must_use]
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// What is tested.
    #[must_use]
    pub const fn question(&self) -> &Question {
        &self.question
    }

    /// The verdict so far; one that is reached stays.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The log-likelihood ratio of an effect above the null, and of one below.
    #[must_use]
    pub fn ratios(&self) -> [f64; 2] {
        let Question { null, effect, .. } = self.question;
        let at_null = self.tally.deviance(null);
        [effect, -effect].map(|shift| at_null - self.tally.deviance(null + shift))
    }

    /// Adds the value of a block and says what the test says now. After a verdict nothing is added.
    pub fn add(&mut self, value: f64) -> Verdict {
        if self.verdict != Verdict::Undecided {
            return self.verdict;
        }
        self.tally.add(value);
        if self.tally.moments().n() >= LEAST_BLOCKS {
            self.decide();
        }
        self.verdict
    }

    fn decide(&mut self) {
        let (reject, accept) = self.question.bounds();
        let Question { null, effect, .. } = self.question;
        let at_null = self.tally.deviance(null);
        for (side, shift) in self.sides.iter_mut().zip([effect, -effect]) {
            if *side == Verdict::Undecided {
                let ratio = at_null - self.tally.deviance(null + shift);
                *side = match ratio {
                    _ if ratio >= accept => Verdict::Accept,
                    _ if ratio <= reject => Verdict::Reject,
                    _ => Verdict::Undecided,
                };
            }
        }
        self.verdict = match self.sides {
            [Verdict::Accept, _] | [_, Verdict::Accept] => Verdict::Accept,
            [Verdict::Reject, Verdict::Reject] => Verdict::Reject,
            _ => Verdict::Undecided,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUARTER: Question = Question {
        range: Range::SHARES,
        null: 0.25,
        effect: 0.05,
        sides: Sides::Above,
        alpha: 0.05,
        beta: 0.05,
    };

    /// The verdict on blocks that all have `value`, and after how many.
    fn on_equal_blocks(question: Question, value: f64) -> (Verdict, u64) {
        let mut test = Gsprt::new(question);
        let end = (0..1_000).find(|_| test.add(value) != Verdict::Undecided);
        (test.verdict(), end.map_or(0, |last| last + 1))
    }

    #[test]
    fn blocks_that_all_agree_end_the_test() {
        assert_eq!(on_equal_blocks(QUARTER, 1.0), (Verdict::Accept, LEAST_BLOCKS));
        // ln(0.7 / 0.75) a block: 2.944 / 0.0690 = 42.7.
        assert_eq!(on_equal_blocks(QUARTER, 0.0), (Verdict::Reject, 43));
        assert_eq!(on_equal_blocks(QUARTER, 0.25), (Verdict::Reject, 43));
        let rules =
            Question { range: Range::DIFFERENCES, null: 0.0, sides: Sides::Both, ..QUARTER };
        let (verdict, blocks) = on_equal_blocks(rules, 0.0);
        assert!(verdict == Verdict::Reject && blocks <= 100, "{blocks}");
        for end in [-1.0, 1.0] {
            let (verdict, blocks) = on_equal_blocks(rules, end);
            assert!(verdict == Verdict::Accept && blocks <= 100, "{end} {blocks}");
        }
        let plies = Question { range: Range::Anywhere, effect: 3.0, ..rules };
        assert_eq!(on_equal_blocks(plies, 0.0), (Verdict::Reject, LEAST_BLOCKS));
        assert_eq!(on_equal_blocks(plies, -9.0), (Verdict::Accept, LEAST_BLOCKS));
    }

    #[test]
    fn bounds_are_those_of_wald() {
        let (reject, accept) = QUARTER.bounds();
        assert!((accept - 19_f64.ln()).abs() < 1e-12 && (reject + 19_f64.ln()).abs() < 1e-12);
        let both = Question { sides: Sides::Both, ..QUARTER };
        assert!((both.bounds().1 - 38_f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn a_verdict_stays() {
        let mut test = Gsprt::new(QUARTER);
        (0..100).for_each(|_| _ = test.add(1.0));
        (0..1_000).for_each(|_| _ = test.add(0.0));
        assert_eq!((test.verdict(), test.tally().moments().n()), (Verdict::Accept, LEAST_BLOCKS));
    }

    #[test]
    fn two_sides_accept_below_as_above() {
        let both = Question { range: Range::DIFFERENCES, null: 0.0, sides: Sides::Both, ..QUARTER };
        for sign in [1.0, -1.0] {
            let mut test = Gsprt::new(both);
            let values = [0.25, 0.0, 0.5, 0.25, -0.25].iter().cycle().map(|x| sign * x);
            let verdict = values.take(500).map(|x| test.add(x)).last();
            assert_eq!(verdict, Some(Verdict::Accept));
            let [above, below] = test.ratios();
            assert!((above - below) * sign > 0.0);
        }
    }
}
