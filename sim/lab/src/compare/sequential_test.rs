//! The sequential test of a comparison, with its intervals after each block.

use std::ops::ControlFlow;

use super::arms::Block;
use super::block_stats::BlockStats;
use super::verdict::Word;
use sim::stats::confidence_sequence::confidence_sequence_at;
use sim::stats::{Gsprt, Interval, Question, Range, Sides, Stopped, Verdict, confidence_sequence};

/// A verdict with its estimate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Answer {
    /// The verdict.
    pub word: Word,
    /// Estimate, interval at the level of the verdict, and p-value; `None` if the spread is unknown or there is no
    /// verdict.
    pub stopped: Option<Stopped>,
}

/// A sequential test of one metric and its blocks so far.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    gsprt: Gsprt,
    block_stats: BlockStats,
    most_blocks: u64,
}

impl SequentialTest {
    /// Creates a test of `question` for `n_arms` arms, with `games_per_block` games in a block of each.
    #[must_use]
    pub fn new(question: Question, n_arms: usize, games_per_block: u64, most_blocks: u64) -> Self {
        let block_stats = BlockStats::new(n_arms, games_per_block);
        Self { gsprt: Gsprt::new(question), block_stats, most_blocks }
    }

    /// Adds a regression on luck if blocks have a luck value: [`BlockStats::with_luck`].
    #[must_use]
    pub fn with_luck(self, has_luck: bool) -> Self {
        Self { block_stats: self.block_stats.with_luck(has_luck), ..self }
    }

    /// Adds a block of each arm; returns `Break` if there is a verdict or no block is left.
    pub fn add(&mut self, blocks: &[Block]) -> ControlFlow<()> {
        self.add_metric(blocks, 0)
    }

    /// Adds a block of each arm by the metric at this index; returns `Break` like [`Self::add`].
    pub fn add_metric(&mut self, blocks: &[Block], place: usize) -> ControlFlow<()> {
        let value = self.block_stats.add(blocks, place);
        let verdict = self.gsprt.add(value);
        if verdict != Verdict::Undecided || self.blocks() >= self.most_blocks {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Returns the sums over the blocks.
    #[must_use]
    pub const fn block_stats(&self) -> &BlockStats {
        &self.block_stats
    }

    /// Returns the test statistic.
    #[must_use]
    pub const fn gsprt(&self) -> &Gsprt {
        &self.gsprt
    }

    /// Returns the number of blocks added.
    #[must_use]
    pub const fn blocks(&self) -> u64 {
        self.gsprt.tally().moments().n()
    }

    /// Returns true if it ended before a verdict and before its last block.
    #[must_use]
    pub fn was_stopped(&self) -> bool {
        self.gsprt.verdict() == Verdict::Undecided && self.blocks() < self.most_blocks
    }

    fn as_effect(&self, of_mean: Interval) -> Interval {
        let zero = self.gsprt.question().zero;
        Interval { low: of_mean.low - zero, high: of_mean.high - zero }
    }

    /// Returns the measured effect: the mean less the mean at which the effect is 0. After the test has stopped it is
    /// biased away from the rejected hypothesis.
    #[must_use]
    pub fn effect(&self) -> f64 {
        self.gsprt.effect()
    }

    /// Returns the effect above which "no difference" is excluded: h1, or with one side the larger size of h0 and h1.
    #[must_use]
    pub fn no_difference_above(&self) -> f64 {
        let question = self.gsprt.question();
        question.h1.abs().max(question.h0.abs())
    }

    /// Returns the verdict with its estimate, interval and p-value; these are missing only if the spread of the blocks
    /// is unknown.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let stopped = || Stopped::new(&self.gsprt);
        if let Some(word) = self.word_of_verdict() {
            let stopped = if word == Word::None { None } else { stopped() };
            return Answer { word, stopped };
        }
        let sides = self.gsprt.question().sides;
        match stopped() {
            Some(stopped) if self.was_stopped() => {
                Answer { word: Word::Undecided, stopped: Some(stopped) }
            }
            Some(stopped) if sides == Sides::Both => self.at_the_end(stopped),
            Some(stopped) => {
                let word = Word::of_interval(stopped.interval, Some(self.no_difference_above()));
                Answer { word, stopped: Some(stopped) }
            }
            None => Answer { word: Word::Undecided, stopped: None },
        }
    }

    /// Returns the verdict alone, which is cheap once the test has ended.
    #[must_use]
    pub fn word(&self) -> Word {
        self.word_of_verdict().unwrap_or_else(|| self.answer().word)
    }

    /// Returns the verdict if it needs no interval: if no verdict is possible, or from the verdict of a two-sided
    /// test.
    fn word_of_verdict(&self) -> Option<Word> {
        if self.block_stats.spoilt().is_some() || self.block_stats.are_copies() {
            return Some(Word::None);
        }
        match (self.gsprt.question().sides, self.gsprt.verdict()) {
            (Sides::Both, Verdict::H1) if self.effect() > 0.0 => Some(Word::Better),
            (Sides::Both, Verdict::H1) => Some(Word::Worse),
            (Sides::Both, Verdict::H0) => Some(Word::NoDifference),
            (_, Verdict::Undecided) if self.was_stopped() => Some(Word::Undecided),
            _ => None,
        }
    }

    /// Returns the result of a two-sided test that reaches its last block, fixed beforehand, without a verdict. The
    /// p-value accounts for every earlier look, so that this decision keeps the error probabilities.
    fn at_the_end(&self, stopped: Stopped) -> Answer {
        let Question { h0, h1, alpha, beta, .. } = *self.gsprt.question();
        if stopped.p <= alpha {
            if stopped.interval.low > h0 {
                return Answer { word: Word::Better, stopped: Some(stopped) };
            }
            if stopped.interval.high < -h0 {
                return Answer { word: Word::Worse, stopped: Some(stopped) };
            }
        }
        match Stopped::with_tail(&self.gsprt, beta) {
            Some(small) if -h1 < small.interval.low && small.interval.high < h1 => {
                Answer { word: Word::NoDifference, stopped: Some(small) }
            }
            _ => Answer { word: Word::Undecided, stopped: Some(stopped) },
        }
    }

    /// Returns the estimate, interval and p-value that belong to the verdict.
    #[must_use]
    pub fn stopped(&self) -> Option<Stopped> {
        self.answer().stopped
    }

    /// Returns the 95 % confidence sequence of the effect, valid at every block.
    #[must_use]
    pub fn sequence(&self) -> Interval {
        self.as_effect(confidence_sequence(self.gsprt.tally()))
    }

    /// Returns the confidence sequence that ever misses the effect with probability `alpha`.
    #[must_use]
    pub fn sequence_at(&self, alpha: f64) -> Interval {
        self.as_effect(confidence_sequence_at(self.gsprt.tally(), alpha))
    }

    /// Returns the 95 % interval of the effect by block, valid only for a number of blocks fixed beforehand. It is
    /// never wider than the confidence sequence, which is also valid then.
    #[must_use]
    pub fn naive(&self) -> Interval {
        let moments = self.gsprt.tally().moments();
        let fixed = self.as_effect(match self.gsprt.question().range {
            Range::Within(low, _) if low < 0.0 => moments.difference_interval(),
            Range::Within(..) => moments.share_interval(),
            Range::Anywhere if !self.gsprt.tally().knows_spread() => {
                Interval { low: f64::NEG_INFINITY, high: f64::INFINITY }
            }
            Range::Anywhere => {
                let half = moments.half_width().unwrap_or(f64::INFINITY);
                Interval { low: moments.mean() - half, high: moments.mean() + half }
            }
        });
        let sequence = self.sequence();
        Interval { low: fixed.low.max(sequence.low), high: fixed.high.min(sequence.high) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::arms::Value;
    use super::*;
    use sim::stats::Sides;

    fn question(range: Range) -> Question {
        let sides = Sides::Both;
        Question { range, zero: 0.0, h0: 0.0, h1: 0.05, sides, alpha: 0.05, beta: 0.05 }
    }

    fn of(mean: f64, square: f64) -> Block {
        Block { values: vec![Value { mean, square }], ..Block::default() }
    }

    fn block(value: f64) -> Block {
        of(value, value * value)
    }

    #[test]
    fn arms_that_move_together_gain() {
        let mut test = SequentialTest::new(question(Range::DIFFERENCES), 2, 1, 1_000);
        for i in 0..29 {
            let luck = f64::from(i % 2);
            let own = 0.1 * f64::from(i % 3);
            assert!(test.add(&[block(luck), block(0.8 * luck + own)]).is_continue());
        }
        // Variances 1/4 and about 1/6 against slightly more than 0.01.
        let ratio = test.block_stats().relative_efficiency().unwrap().ratio;
        assert!((20.0..30.0).contains(&ratio), "{ratio}");
        assert_eq!((test.blocks(), test.block_stats().games(), test.was_stopped()), (29, 58, true));
        assert!((test.effect() - (0.1 - 0.2 * 14.0 / 29.0)).abs() < 0.01, "{}", test.effect());
    }

    #[test]
    fn games_of_a_block_that_cancel_gain() {
        let shares = Question {
            range: Range::SHARES,
            zero: 0.5,
            sides: Sides::Above,
            ..question(Range::SHARES)
        };
        let mut test = SequentialTest::new(shares, 1, 2, 1_000);
        // Two games of a block, mostly one won and one lost: independent games would have variance 1/8.
        for i in 0..20 {
            let value = [0.5, 0.5, 0.5, 1.0, 0.0][i % 5];
            let _ = test.add(&[of(value, value)]);
        }
        let ratio = test.block_stats().relative_efficiency().unwrap().ratio;
        assert!((ratio - 0.125 / (2.0 / 19.0)).abs() < 1e-9, "{ratio}");
    }
}
