//! The power of a sequential test: the probability of each verdict for a known effect.
//!
//! Block values are taken as normal with one standard deviation for every effect, as for the intervals of a stopped
//! test ([`super::stopped`]). The probabilities are those of a [`Walk`] between the lines and extremes of the test, up
//! to its last block. At h0 the test accepts H1 with at most α; at h1 it accepts H0 with at most β. The rest up to 1
//! are tests that reach the last block without a verdict.
//!
//! **Valid** for tests of means of many blocks. With shares of very uneven games the standard deviation moves with the
//! effect, and large effects are found somewhat sooner or later than estimated.

use super::gsprt::Question;
use super::stopped::Fitted;
use super::walk::Walk;

/// The smallest standard deviation of a block, as a part of h1 − h0.
const LEAST_DEVIATION: f64 = 1e-3;

/// The probabilities of the verdicts of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Endings {
    /// The probability of accepting H1 above: the power to find a gain.
    pub h1: f64,
    /// The probability of accepting H1 below; 0 with one side.
    pub h1_below: f64,
    /// The probability of accepting H0.
    pub h0: f64,
}

impl Endings {
    /// Returns the probability that the test reaches its last block without a verdict.
    #[must_use]
    pub fn undecided(&self) -> f64 {
        (1.0 - self.h1 - self.h1_below - self.h0).max(0.0)
    }
}

/// Returns the probabilities of the verdicts of a test of `question` after at most `blocks` blocks.
///
/// The block values have the standard deviation `deviation`, and the effect is `effect`.
#[must_use]
pub fn endings(question: &Question, deviation: f64, effect: f64, blocks: u64) -> Endings {
    if blocks < question.first_look() {
        return Endings { h1: 0.0, h1_below: 0.0, h0: 0.0 };
    }
    let deviation = deviation.max(LEAST_DEVIATION * (question.h1 - question.h0));
    let walk = Walk::new(&Fitted::normal(*question, deviation), effect / deviation, blocks);
    let [h1, h1_below, h0] = walk.ended();
    Endings { h1, h1_below, h0: h0.min(1.0 - h1 - h1_below) }
}

#[cfg(test)]
mod tests {
    use engine::{Purpose, Randomness, Stream, rng};

    use super::*;
    use crate::{Gsprt, Range, Sides, Verdict};

    const QUESTION: Question = Question {
        range: Range::Anywhere,
        zero: 0.0,
        h0: 0.0,
        h1: 0.05,
        sides: Sides::Above,
        alpha: 0.05,
        beta: 0.05,
    };

    fn normal(rng: &mut Stream) -> f64 {
        (-2.0 * (1.0 - rng.unit()).ln()).sqrt() * (std::f64::consts::TAU * rng.unit()).cos()
    }

    /// Returns the parts of simulated tests that accept H1 and H0.
    fn simulated(question: Question, effect: f64, blocks: u64) -> Endings {
        const TESTS: u64 = 800;
        let (mut h1, mut h1_below, mut h0) = (0.0, 0.0, 0.0);
        for address in 0..TESTS {
            let mut rng = rng::stream(61, address, Purpose::Analysis);
            let mut test = Gsprt::new(question);
            let values = (0..blocks).map(|_| 0.3 * normal(&mut rng) + effect);
            match values.map(|x| test.add(x)).find(|v| *v != Verdict::Undecided) {
                Some(Verdict::H1) if test.effect() > 0.0 => h1 += 1.0 / TESTS as f64,
                Some(Verdict::H1) => h1_below += 1.0 / TESTS as f64,
                Some(Verdict::H0) => h0 += 1.0 / TESTS as f64,
                _ => {}
            }
        }
        Endings { h1, h1_below, h0 }
    }

    #[test]
    fn it_is_what_simulated_tests_do() {
        // Three standard errors of half of 800 tests are 0.053; the variance is also estimated.
        let both = Question { sides: Sides::Both, ..QUESTION };
        for (question, effect, blocks) in [
            (QUESTION, 0.0, 4_000),
            (QUESTION, 0.05, 4_000),
            (QUESTION, 0.025, 150),
            (QUESTION, 0.05, 150),
            (QUESTION, 0.08, 60),
            (both, 0.0, 300),
            (both, 0.05, 300),
            (both, -0.07, 200),
        ] {
            let expected = endings(&question, 0.3, effect, blocks);
            let seen = simulated(question, effect, blocks);
            let of = |ends: Endings| [ends.h1, ends.h1_below, ends.h0];
            for (expected, seen) in of(expected).into_iter().zip(of(seen)) {
                assert!(
                    (expected - seen).abs() < 0.06,
                    "{question:?} {effect}: {expected:?} {seen:?}"
                );
            }
        }
    }

    #[test]
    fn it_keeps_the_errors_and_rises_with_effect_and_blocks() {
        let power = |effect, blocks| endings(&QUESTION, 0.3, effect, blocks).h1;
        assert!(power(0.0, 20_000) <= 0.05 && endings(&QUESTION, 0.3, 0.05, 20_000).h0 <= 0.05);
        let by_effect = [-0.05, 0.0, 0.025, 0.05, 0.1].map(|effect| power(effect, 500));
        assert!(by_effect.windows(2).all(|two| two[0] < two[1]), "{by_effect:?}");
        let by_blocks = [20, 50, 200, 800, 3_200].map(|blocks| power(0.04, blocks));
        assert!(by_blocks.windows(2).all(|two| two[0] <= two[1]), "{by_blocks:?}");
        let all = endings(&QUESTION, 0.3, 0.05, 20_000);
        assert!(all.undecided() < 0.01 && endings(&QUESTION, 0.3, 0.05, 7).undecided() > 0.99);
        // All blocks agree: there is no standard deviation, but still a verdict.
        assert!(endings(&QUESTION, 0.0, 0.1, 100).h1 > 0.99);
    }
}
