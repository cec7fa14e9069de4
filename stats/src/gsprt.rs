//! A generalised sequential probability ratio test (GSPRT) of the mean of block values.
//!
//! **Hypotheses.** Under H0 the effect is `h0`; under H1 it is `h1`, which is larger. With two sides they concern the
//! size of the effect: H0 is `h0` or `−h0`, and H1 is `h1` or `−h1`.
//!
//! **The ratio.** `L(s)` of [`Tally`] is the log-likelihood ratio of the best distribution against the best with mean
//! s. So the ratio of mean `s1` against `s0` is `L(s0) − L(s1)`. Each hypothesis is a mean, and everything else about
//! the distribution is fitted under it (Wald 1945, doi:10.1214/aoms/1177731118; generalised: Li, Liu, Ying, Sequential
//! Analysis 33, 2014, and Van den Bergh's notes for pairs of chess games). From block [`LEAST_BLOCKS`] on the test
//! accepts H1 when the ratio reaches `ln((1 − b)/a)`, and H0 at `ln(b/(1 − a))`, with `a = 0.92 α` and `b = 0.92 β`.
//!
//! **Extremes.** The ratio grows in proportion to `h1 − h0`. So a small `h1 − h0` would make even a very large effect
//! slow to decide. From block [`EXTREME_BLOCKS`] on the test therefore also accepts H1 if the mean is at `s1` or beyond
//! and `L(s0) ≥ ln(n/α)`. It accepts H0 if the mean is at `s0` or beyond on its side and `L(s1) ≥ ln(n/β)`. A bettor
//! against the true mean of values in a range gets so rich with a probability of at most `α √(π/8)` (Ville 1939; a
//! universal portfolio is at most `ln √(πn)` behind, to a tenth, and exp L is the best bet: Cover and Ordentlich 1996,
//! doi:10.1109/18.485708). Under `h0` it happens in less than 0.06 α of the tests that the ratio would have ended
//! otherwise. The 8 % that the ratio leaves cover this: the total is at most α and β for every spread of values, as the
//! distribution of a normal walk between these bounds shows ([`super::walk`]).
//!
//! **Blocks as units.** A block of n rotated games has n + 1 win counts, and more with shared wins. Games of a block
//! share their chance, so the unit of the test is the block. Luck that the rotation cancels counts as the small
//! variance that it is.
//!
//! **Two sides.** Two tests, each at half of α, look for effects above and below. The first that accepts H1 decides; H0
//! is accepted only when both have accepted it (Sobel and Wald 1949, doi:10.1214/aoms/1177729944).
//!
//! **Valid** for independent blocks. Error rates are measured in `stats/tests/it/sequential.rs`.

use super::tally::{Range, Tally};

/// The number of blocks before the ratio gives a verdict, since the distribution is estimated.
pub const LEAST_BLOCKS: u64 = 30;
/// The number of blocks before an extreme mean of values in a range gives a verdict.
pub const EXTREME_BLOCKS: u64 = 8;
/// The part of the error probabilities that the ratio gets.
const RATIO_PART: f64 = 0.92;

/// The verdict of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// H1 is accepted: the effect is `h1` rather than `h0`.
    H1,
    /// H0 is accepted: the effect is `h0` rather than `h1`.
    H0,
    /// Not decided yet, which is not the same as equal.
    Undecided,
}

impl Verdict {
    /// Returns the name in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::H1 => "H1",
            Self::H0 => "H0",
            Self::Undecided => "undecided",
        }
    }
}

/// The side or sides of zero on which a test looks for an effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sides {
    /// Only above: h0 and h1 are effects.
    Above,
    /// Above and below: h0 and h1 are sizes of effects.
    Both,
}

/// The hypotheses of a test and its error probabilities.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Question {
    /// The range of block values.
    pub range: Range,
    /// The mean at which the effect is 0.
    pub zero: f64,
    /// The effect under H0, in the unit of the values; at least 0 with two sides.
    pub h0: f64,
    /// The effect under H1, above h0.
    pub h1: f64,
    /// The side or sides of the alternative.
    pub sides: Sides,
    /// The probability of accepting H1 where H0 holds, in (0, 0.5).
    pub alpha: f64,
    /// The probability of accepting H0 where H1 holds, in (0, 0.5).
    pub beta: f64,
}

impl Question {
    /// Returns the α of one side.
    #[must_use]
    pub fn alpha_of_side(&self) -> f64 {
        match self.sides {
            Sides::Above => self.alpha,
            Sides::Both => self.alpha / 2.0,
        }
    }

    /// Returns the log-likelihood ratios at which a side accepts H0 and H1.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        let (alpha, beta) = (RATIO_PART * self.alpha_of_side(), RATIO_PART * self.beta);
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// Returns the log-likelihood ratios against h1 and against h0 at which an extreme mean accepts H0 and H1.
    ///
    /// `n` is the number of blocks.
    #[must_use]
    pub fn extremes(&self, n: f64) -> (f64, f64) {
        ((n / self.beta).ln(), (n / self.alpha_of_side()).ln())
    }

    /// Returns the number of the first block after which there can be a verdict.
    #[must_use]
    pub const fn first_look(&self) -> u64 {
        match self.range {
            Range::Within(..) => EXTREME_BLOCKS,
            Range::Anywhere => LEAST_BLOCKS,
        }
    }

    fn is_sound(&self) -> bool {
        let is_inside = |effect: f64| match self.range {
            Range::Within(low, high) => low < self.zero + effect && self.zero + effect < high,
            Range::Anywhere => effect.is_finite(),
        };
        let are_inside = |sign: f64| is_inside(sign * self.h0) && is_inside(sign * self.h1);
        let is_both_sound = self.sides == Sides::Above || (self.h0 >= 0.0 && are_inside(-1.0));
        let is_error = |p: f64| p > 0.0 && p < 0.5;
        let are_errors = is_error(self.alpha) && is_error(self.beta);
        self.h0 < self.h1 && are_inside(1.0) && is_both_sound && are_errors
    }
}

/// The log-likelihood ratios of the best distribution against both hypotheses of one side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ratios {
    /// Against h0.
    pub at_h0: f64,
    /// Against h1.
    pub at_h1: f64,
}

impl Ratios {
    /// Returns the log-likelihood ratio of H1 against H0.
    fn of_h1(self) -> f64 {
        self.at_h0 - self.at_h1
    }
}

/// A running test.
#[derive(Clone, Debug)]
pub struct Gsprt {
    question: Question,
    tally: Tally,
    /// The verdicts above and below; a side that is decided stays so.
    sides: [Verdict; 2],
    /// The sides, above and below, that were undecided before the last block.
    went_on: [bool; 2],
    verdict: Verdict,
}

impl Gsprt {
    /// Returns a test before its first block.
    ///
    /// # Panics
    /// If h1 is not above h0, a hypothesis lies outside the range or on its end, h0 is below 0 for two sides, or a
    /// probability lies outside (0, 0.5).
    #[must_use]
    pub fn new(question: Question) -> Self {
        assert!(question.is_sound(), "{question:?}");
        let is_two_sided = question.sides == Sides::Both;
        let below = if is_two_sided { Verdict::Undecided } else { Verdict::H0 };
        Self {
            question,
            tally: Tally::new(question.range),
            sides: [Verdict::Undecided, below],
            went_on: [true, is_two_sided],
            verdict: Verdict::Undecided,
        }
    }

    /// Returns the values so far.
    #[must_use]
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Returns the hypotheses and error probabilities.
    #[must_use]
    pub const fn question(&self) -> &Question {
        &self.question
    }

    /// Returns the verdict so far; a verdict that is reached stays.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Returns true for each side, above and below, that was undecided before the last block.
    #[must_use]
    pub const fn went_on(&self) -> [bool; 2] {
        self.went_on
    }

    /// Returns true for each side, above and below, that is still undecided.
    #[must_use]
    pub fn goes_on(&self) -> [bool; 2] {
        self.sides.map(|side| side == Verdict::Undecided)
    }

    /// Returns the measured effect: the mean minus the mean at which the effect is 0.
    #[must_use]
    pub fn effect(&self) -> f64 {
        self.tally.moments().mean() - self.question.zero
    }

    /// Returns the log-likelihood ratios of the best distribution against h0 and h1, above and below.
    #[must_use]
    pub fn against_hypotheses(&self) -> [Ratios; 2] {
        let Question { zero, h0, h1, .. } = self.question;
        let at = |effect: f64| self.tally.log_ratio(zero + effect);
        let above = Ratios { at_h0: at(h0), at_h1: at(h1) };
        if self.question.sides == Sides::Above {
            return [above, above];
        }
        // Where h0 is 0, the ratio is equal above and below.
        let null = if h0 > 0.0 { at(-h0) } else { above.at_h0 };
        [above, Ratios { at_h0: null, at_h1: at(-h1) }]
    }

    /// Returns the log-likelihood ratios of H1 against H0, above and below zero.
    #[must_use]
    pub fn ratios(&self) -> [f64; 2] {
        self.against_hypotheses().map(Ratios::of_h1)
    }

    /// Returns the ratios of the tested sides, above first.
    ///
    /// A ratio is `None` for values without bounds that all agree so far: nothing is known of their spread.
    #[must_use]
    pub fn known_ratios(&self) -> Vec<Option<f64>> {
        let is_known = self.tally.knows_spread();
        let sides = if self.question.sides == Sides::Both { 2 } else { 1 };
        self.ratios()[..sides].iter().map(|&ratio| Some(ratio).filter(|_| is_known)).collect()
    }

    /// Adds the value of a block and returns the verdict. After a verdict nothing is added.
    pub fn add(&mut self, value: f64) -> Verdict {
        if self.verdict != Verdict::Undecided {
            return self.verdict;
        }
        self.tally.add(value);
        if self.tally.moments().n() >= self.question.first_look() {
            self.decide();
        }
        self.verdict
    }

    fn decide(&mut self) {
        self.went_on = self.goes_on();
        let ratios = self.against_hypotheses();
        let effects = [self.effect(), -self.effect()];
        for (side, (ratios, effect)) in ratios.into_iter().zip(effects).enumerate() {
            if self.went_on[side] {
                self.sides[side] = self.side_says(ratios, effect);
            }
        }
        self.verdict = match self.sides {
            [Verdict::H1, _] | [_, Verdict::H1] => Verdict::H1,
            [Verdict::H0, Verdict::H0] => Verdict::H0,
            _ => Verdict::Undecided,
        };
    }

    /// Returns the verdict of one side, from its log-likelihood ratios and the mean effect in its direction.
    fn side_says(&self, ratios: Ratios, effect: f64) -> Verdict {
        if let Some(verdict) = self.extreme(ratios, effect) {
            return verdict;
        }
        let (low, high) = self.question.bounds();
        let ratio = ratios.of_h1();
        match self.tally.moments().n() {
            ..LEAST_BLOCKS => Verdict::Undecided,
            _ if ratio >= high => Verdict::H1,
            _ if ratio <= low => Verdict::H0,
            _ => Verdict::Undecided,
        }
    }

    /// Returns the verdict of an extreme mean, if it is extreme enough.
    fn extreme(&self, ratios: Ratios, effect: f64) -> Option<Verdict> {
        let (low, high) = self.question.extremes(self.tally.moments().n() as f64);
        if effect >= self.question.h1 && ratios.at_h0 >= high {
            Some(Verdict::H1)
        } else if effect <= self.question.h0 && ratios.at_h1 >= low {
            Some(Verdict::H0)
        } else {
            None
        }
    }

    /// Returns the verdict of an extreme mean on the side of `sign`, from that side's log-likelihood ratios.
    pub(super) fn end_of(&self, sign: f64, ratios: Ratios) -> Option<Verdict> {
        let is_ended = self.tally.moments().n() >= self.question.first_look();
        is_ended.then(|| self.extreme(ratios, sign * self.effect())).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUARTER: Question = Question {
        range: Range::SHARES,
        zero: 0.25,
        h0: 0.0,
        h1: 0.05,
        sides: Sides::Above,
        alpha: 0.05,
        beta: 0.05,
    };

    /// Returns the verdict on blocks that all have `value`, and their number.
    fn on_equal_blocks(question: Question, value: f64) -> (Verdict, u64) {
        let mut test = Gsprt::new(question);
        let end = (0..1_000).find(|_| test.add(value) != Verdict::Undecided);
        (test.verdict(), end.map_or(0, |last| last + 1))
    }

    #[test]
    fn blocks_that_all_agree_end_the_test() {
        assert_eq!(on_equal_blocks(QUARTER, 1.0), (Verdict::H1, EXTREME_BLOCKS));
        // ln(1 / 0.7) a block against ln(20 n): 6.06 and 5.83 after 17.
        assert_eq!(on_equal_blocks(QUARTER, 0.0), (Verdict::H0, 17));
        // ln(0.7 / 0.75) a block: 3.032 / 0.0690 = 43.9.
        assert_eq!(on_equal_blocks(QUARTER, 0.25), (Verdict::H0, 44));
        let rules =
            Question { range: Range::DIFFERENCES, zero: 0.0, sides: Sides::Both, ..QUARTER };
        let (verdict, blocks) = on_equal_blocks(rules, 0.0);
        assert!(verdict == Verdict::H0 && blocks <= 100, "{blocks}");
        for end in [-1.0, 1.0] {
            // ln 2 a block against ln(40 n).
            assert_eq!(on_equal_blocks(rules, end), (Verdict::H1, 9));
        }
        let plies = Question { range: Range::Anywhere, h1: 3.0, ..rules };
        assert_eq!(on_equal_blocks(plies, 0.0), (Verdict::H0, LEAST_BLOCKS));
        assert_eq!(on_equal_blocks(plies, -9.0), (Verdict::H1, LEAST_BLOCKS));
    }

    #[test]
    fn values_without_bounds_that_all_agree_have_no_ratio() {
        let plies = Question { range: Range::Anywhere, sides: Sides::Both, h1: 3.0, ..QUARTER };
        let mut test = Gsprt::new(plies);
        (0..20).for_each(|_| _ = test.add(-3.0));
        assert_eq!(test.known_ratios(), [None, None]);
        let _ = test.add(-2.0);
        assert!(test.known_ratios().iter().all(|r| r.is_some_and(|r| r.abs() < 1e6)));
        assert_eq!(Gsprt::new(QUARTER).known_ratios(), [Some(0.0)]);
    }

    #[test]
    fn hypotheses_can_lie_anywhere() {
        // Not worse by 0.05: a mean at an equal share accepts H1.
        let not_worse = Question { h0: -0.05, h1: 0.0, ..QUARTER };
        assert_eq!(on_equal_blocks(not_worse, 0.25).0, Verdict::H1);
        assert_eq!(on_equal_blocks(not_worse, 0.2).0, Verdict::H0);
        // A difference of 0.5 in either direction rather than of 0.3.
        let sizes = Question { range: Range::DIFFERENCES, zero: 0.0, ..QUARTER };
        let sizes = Question { h0: 0.3, h1: 0.5, sides: Sides::Both, ..sizes };
        for (value, verdict) in [(0.6, Verdict::H1), (-0.6, Verdict::H1), (0.2, Verdict::H0)] {
            assert_eq!(on_equal_blocks(sizes, value).0, verdict, "{value}");
        }
    }

    #[test]
    fn bounds_are_those_of_wald_for_most_of_the_errors() {
        let (at_h0, at_h1) = QUARTER.bounds();
        let expected = (0.954_f64 / 0.046).ln();
        assert!((at_h1 - expected).abs() < 1e-12 && (at_h0 + expected).abs() < 1e-12);
        let both = Question { sides: Sides::Both, ..QUARTER };
        assert!((both.bounds().1 - (0.954_f64 / 0.023).ln()).abs() < 1e-12);
    }

    #[test]
    fn a_verdict_stays() {
        let mut test = Gsprt::new(QUARTER);
        (0..100).for_each(|_| _ = test.add(1.0));
        (0..1_000).for_each(|_| _ = test.add(0.0));
        assert_eq!((test.verdict(), test.tally().moments().n()), (Verdict::H1, EXTREME_BLOCKS));
    }

    #[test]
    fn two_sides_accept_below_as_above() {
        let both = Question { range: Range::DIFFERENCES, zero: 0.0, sides: Sides::Both, ..QUARTER };
        for sign in [1.0, -1.0] {
            let mut test = Gsprt::new(both);
            let values = [0.25, 0.0, 0.5, 0.25, -0.25].iter().cycle().map(|x| sign * x);
            let verdict = values.take(500).map(|x| test.add(x)).last();
            assert_eq!(verdict, Some(Verdict::H1));
            let [above, below] = test.ratios();
            assert!((above - below) * sign > 0.0);
        }
    }
}
