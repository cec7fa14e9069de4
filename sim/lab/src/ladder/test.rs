//! The test of a ladder's steps; blocks go to the undecided steps.
//!
//! Steps are played in rounds. In each round every step without a verdict plays some more blocks, in the order of the
//! rungs. The ladder ends when all steps have ended, each step has its most blocks, or all together have theirs. The
//! last remaining blocks are divided evenly. The blocks of a round depend on verdicts alone, so results do not depend
//! on threads. A step can be stopped because others took long. Their games are independent of its own, so its interval
//! is valid like that of any stopped test.

use std::ops::ControlFlow;
use std::slice::from_ref;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Comparison, Ladder};
use crate::compare::arms;
use crate::compare::sequential_test::SequentialTest;
use crate::compare::verdict::Word;
use sim::error::Error;
use sim::stats::elo::{self, EloDifference};
use sim::stats::learning_curve::learning_curve;
use sim::stats::power::{Endings, endings};
use sim::stats::{Interval, Stopped, Verdict, multiple};

/// The number of blocks of a step in a round.
const ROUND: u64 = 32;
/// The effects for which the power is reported, in units of h1 − h0 above h0.
const EFFECTS: [f64; 5] = [0.0, 0.5, 1.0, 1.5, 2.0];

/// The tests of the steps so far.
#[derive(Clone, Debug)]
pub struct LadderTest {
    tests: Vec<SequentialTest>,
    players: usize,
    most_blocks: u64,
    total_blocks: u64,
}

/// The probabilities of a step's verdicts for a given effect.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Power {
    /// The effect, in points per game.
    pub effect: f64,
    /// The effect in Elo.
    pub elo: f64,
    /// The probabilities of the verdicts.
    pub endings: Endings,
}

/// The next blocks of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Next {
    /// The index of the step.
    pub step: usize,
    /// The number of blocks.
    pub blocks: u64,
}

/// A callback that gets the tests after each block, and true if the block was the last of its step.
type Progress<'a> = &'a mut dyn FnMut(&LadderTest, bool) -> Result<ControlFlow<()>, Error>;

impl Ladder {
    /// Plays until all steps have ended, no block is left, or `stop` is raised. `look` gets the tests after each
    /// block, and true if it was the last of its step. Its `Break` ends the ladder.
    ///
    /// # Errors
    /// If a game cannot be built, threads cannot be started, or `look` fails.
    pub fn play(
        &self,
        threads: usize,
        stop: &AtomicBool,
        look: Progress<'_>,
    ) -> Result<LadderTest, Error> {
        let mut test = LadderTest::new(self);
        loop {
            let round = test.round();
            if round.is_empty() || stop.load(Ordering::Relaxed) {
                return Ok(test);
            }
            for next in round {
                if self.play_some(next, threads, stop, &mut test, look)?.is_break() {
                    return Ok(test);
                }
            }
        }
    }

    /// Plays the next blocks of a step, fewer if they decide it.
    fn play_some(
        &self,
        next: Next,
        threads: usize,
        stop: &AtomicBool,
        test: &mut LadderTest,
        look: Progress<'_>,
    ) -> Result<ControlFlow<()>, Error> {
        let Next { step, blocks } = next;
        let Comparison { plans, metric, .. } = &self.steps[step];
        let first = test.tests[step].blocks();
        let mut seen = Ok(ControlFlow::Continue(()));
        arms::play_blocks(
            plans,
            first..first + blocks,
            from_ref(metric),
            threads,
            stop,
            &mut |blocks| {
                let goes_on = test.tests[step].add(blocks);
                seen = look(test, goes_on.is_break());
                let is_over = !matches!(seen, Ok(ControlFlow::Continue(())));
                if is_over { ControlFlow::Break(()) } else { goes_on }
            },
        )?;
        seen
    }
}

impl LadderTest {
    /// Creates the tests of `ladder`, without blocks.
    #[must_use]
    pub fn new(ladder: &Ladder) -> Self {
        let tests = ladder.steps.iter().map(|step| step.sequential_test(*ladder.question()));
        Self {
            tests: tests.collect(),
            players: ladder.players(),
            most_blocks: ladder.steps[0].most_blocks(),
            total_blocks: ladder.total_blocks.unwrap_or(u64::MAX),
        }
    }

    /// Returns the steps to play next, with their numbers of blocks; empty at the end.
    #[must_use]
    pub fn round(&self) -> Vec<Next> {
        let open: Vec<usize> = (0..self.tests.len()).filter(|&step| self.is_open(step)).collect();
        let left = self.total_blocks.saturating_sub(self.blocks());
        let n = open.len() as u64;
        let share = |i: usize| left / n + u64::from((i as u64) < left % n);
        let more = |(i, step): (usize, usize)| {
            let room = self.most_blocks - self.tests[step].blocks();
            Next { step, blocks: ROUND.min(share(i)).min(room) }
        };
        open.into_iter().enumerate().map(more).filter(|next| next.blocks > 0).collect()
    }

    /// Returns true if a step has neither a verdict nor its most blocks.
    fn is_open(&self, step: usize) -> bool {
        let test = &self.tests[step];
        test.gsprt().verdict() == Verdict::Undecided && test.blocks() < self.most_blocks
    }

    /// Returns the tests of the steps, from the lowest up.
    #[must_use]
    pub fn steps(&self) -> &[SequentialTest] {
        &self.tests
    }

    /// Returns the number of blocks of all steps.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.tests.iter().map(SequentialTest::blocks).sum()
    }

    /// Returns the number of games of all steps.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.tests.iter().map(|test| test.block_stats().games()).sum()
    }

    /// Returns true if it ended before its verdicts and before its last block.
    #[must_use]
    pub fn was_stopped(&self) -> bool {
        !self.round().is_empty()
    }

    /// Returns the agent and reason of the first forfeit, in the lowest step that has one.
    #[must_use]
    pub fn first_forfeit(&self) -> Option<&str> {
        let arms = self.tests.iter().flat_map(|test| test.block_stats().arms());
        arms.filter_map(|arm| arm.first_forfeit.as_deref()).next()
    }

    /// Returns true if a step has too many forfeits for a verdict.
    #[must_use]
    pub fn is_spoilt(&self) -> bool {
        self.tests.iter().any(|test| test.block_stats().spoilt().is_some())
    }

    /// Returns estimate, interval and p-value of each step; `None` if they are not known yet.
    #[must_use]
    pub fn results(&self) -> Vec<Option<Stopped>> {
        self.tests.iter().map(SequentialTest::stopped).collect()
    }

    /// Returns p-values adjusted by Holm over all steps; a step without one counts as 1.
    #[must_use]
    pub fn p_of_all(results: &[Option<Stopped>]) -> Vec<f64> {
        multiple::holm(
            &results
                .iter()
                .map(|stopped| stopped.map_or(1.0, |stopped| stopped.p))
                .collect::<Vec<_>>(),
        )
    }

    /// Returns the lead of each rung over the one below, in Elo.
    #[must_use]
    pub fn leads(&self, stopped: &[Option<Stopped>]) -> Vec<Option<EloDifference>> {
        let lead = |(test, stopped): (&SequentialTest, &Option<Stopped>)| {
            let Stopped { estimate, interval: Interval { low, high }, .. } = (*stopped)?;
            let zero = test.gsprt().question().zero;
            let shares = Interval { low: zero + low, high: zero + high };
            Some(elo::lead(zero + estimate, shares, test.blocks(), self.players))
        };
        self.tests.iter().zip(stopped).map(lead).collect()
    }

    /// Returns the strength of each rung over the first, in Elo, as far as it is known. The intervals have the level
    /// of the steps: each step contributes one with half of its tails ([`learning_curve`]).
    #[must_use]
    pub fn curve(&self) -> Vec<EloDifference> {
        let stopped = |test: &SequentialTest| {
            let question = test.gsprt().question();
            if test.word() == Word::None {
                return None;
            }
            Stopped::with_tail(test.gsprt(), (question.alpha + question.beta) / 4.0)
        };
        learning_curve(&self.leads(&self.tests.iter().map(stopped).collect::<Vec<_>>()))
    }

    /// Returns the probabilities with which the test of a step finds effects of several sizes within its most blocks,
    /// from the spread of the played blocks. Empty with fewer than two blocks, or if no verdict is possible.
    #[must_use]
    pub fn power(&self, step: usize) -> Vec<Power> {
        let test = self.tests[step].gsprt();
        let question = test.question();
        let is_void = self.tests[step].word() == Word::None;
        if is_void || test.tally().moments().n() < 2 {
            return Vec::new();
        }
        let middle = question.zero + f64::midpoint(question.h0, question.h1);
        let deviation = test.tally().variance_at(middle).sqrt();
        let power = |part: f64| {
            let effect = part.mul_add(question.h1 - question.h0, question.h0);
            let elo = elo::of_share_among(question.zero + effect, self.players);
            Power { effect, elo, endings: endings(question, deviation, effect, self.most_blocks) }
        };
        let is_possible = |power: &Power| power.elo.is_finite();
        EFFECTS.into_iter().map(power).filter(is_possible).collect()
    }
}
