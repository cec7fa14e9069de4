//! The forecast of a test's length from the spread of a short pilot: the blocks of a fixed test, and the distribution
//! of the sequential test's length under H0 and H1.
//!
//! **Fixed test.** `(z_{1−α} + z_{1−β})² (σ/E)²` blocks, with `E = h1 − h0`, and α/2 for two sides.
//! **Sequential test.** The test itself runs on 400 simulated series of normal values with the pilot's standard
//! deviation. The simulation includes the minimum number of blocks and the overshoot over the bounds, which Wald's
//! formula omits. Lengths vary widely: their standard deviation is two thirds to nine tenths of their mean. The
//! forecast therefore has quantiles. A test much longer than its minimum scales with (σ/E)², so small effects are
//! simulated larger and then scaled.

use engine::{Purpose, Randomness, Stream, rng};
use statrs::distribution::{ContinuousCDF, Normal};

use sim::stats::{Gsprt, Question, Range, Verdict};

/// The number of blocks in a pilot.
pub const PILOT_BLOCKS: u64 = 40;
/// The number of simulated tests for each hypothesis.
const TESTS: u64 = 400;
/// The smallest effect, in standard deviations, that is simulated without scaling.
const LEAST_SIMULATED: f64 = 0.2;
/// The spread that replaces zero, in units of the effect.
const LEAST_SPREAD: f64 = 0.01;

/// The numbers of blocks that a test needs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Forecast {
    /// The tested hypotheses.
    pub question: Question,
    /// Blocks of a test of fixed length.
    pub fixed: f64,
    /// Blocks of the sequential test, if the effect is h0.
    pub at_h0: Lengths,
    /// Blocks of the sequential test, if the effect is h1.
    pub at_h1: Lengths,
}

/// Quantiles of the number of blocks of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lengths {
    /// The median.
    pub median: f64,
    /// The 80 % quantile.
    pub most: f64,
    /// The 95 % quantile.
    pub nearly_all: f64,
}

impl Lengths {
    /// Returns the quantiles with their probabilities, smallest first.
    #[must_use]
    pub const fn quantiles(&self) -> [(f64, f64); 3] {
        [(0.5, self.median), (0.8, self.most), (0.95, self.nearly_all)]
    }
}

/// Returns the forecast for `question` if block values have the standard deviation `spread`.
#[must_use]
pub fn forecast(question: &Question, spread: f64) -> Forecast {
    let effect = question.h1 - question.h0;
    let size = effect / spread.max(LEAST_SPREAD * effect);
    let simulated = size.max(LEAST_SIMULATED);
    let scale = (simulated / size).powi(2);
    // Both effects are in standard deviations of the simulated values.
    let in_unit = |x: f64| x / effect * simulated;
    let (h0, h1) = (in_unit(question.h0), in_unit(question.h1));
    let unit = Question { range: Range::Anywhere, zero: 0.0, h0, h1, ..*question };
    Forecast {
        question: *question,
        fixed: (quantiles(question) / size).powi(2).max(2.0),
        at_h0: lengths(&unit, h0, scale),
        at_h1: lengths(&unit, h1, scale),
    }
}

/// Returns the smallest h1 − h0 that `blocks` blocks can find with the error probabilities of `question`.
#[must_use]
pub fn detectable(question: &Question, spread: f64, blocks: u64) -> f64 {
    quantiles(question) * spread / (blocks as f64).sqrt()
}

/// Returns the sum of the normal quantiles of both errors.
fn quantiles(question: &Question) -> f64 {
    let z = |p: f64| Normal::standard().inverse_cdf(1.0 - p);
    z(question.alpha_of_side()) + z(question.beta)
}

fn lengths(question: &Question, mean: f64, scale: f64) -> Lengths {
    let blocks = |address| {
        let mut rng = rng::stream(0, address, Purpose::Analysis);
        let mut test = Gsprt::new(*question);
        while test.add(mean + normal(&mut rng)) == Verdict::Undecided {}
        test.tally().moments().n()
    };
    let mut all: Vec<u64> = (0..TESTS).map(blocks).collect();
    all.sort_unstable();
    let by = |part: f64| all[(part * TESTS as f64).ceil() as usize - 1] as f64 * scale;
    Lengths { median: by(0.5), most: by(0.8), nearly_all: by(0.95) }
}

/// Draws a standard normal number (Box and Muller 1958).
fn normal(rng: &mut Stream) -> f64 {
    (-2.0 * (1.0 - rng.unit()).ln()).sqrt() * (std::f64::consts::TAU * rng.unit()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::stats::Sides;

    const QUESTION: Question = Question {
        range: Range::SHARES,
        zero: 0.25,
        h0: 0.0,
        h1: 0.05,
        sides: Sides::Above,
        alpha: 0.05,
        beta: 0.05,
    };

    #[test]
    fn the_forecast_agrees_with_known_sample_sizes() {
        // Four independent games with p = 0.25 to 0.3: a fixed test needs about 812 to 860 games one-sided, the
        // sequential test 400 to 470.
        let forecast = forecast(&QUESTION, (0.25_f64 * 0.75 / 4.0).sqrt());
        assert!((4.0 * forecast.fixed - 811.7).abs() < 1.0, "{forecast:?}");
        for Lengths { median, most, nearly_all } in [forecast.at_h0, forecast.at_h1] {
            assert!((70.0..115.0).contains(&median), "{forecast:?}");
            assert!(1.3 * median < most && 1.3 * most < nearly_all, "{forecast:?}");
            assert!(nearly_all < 350.0, "{forecast:?}");
        }
    }

    #[test]
    fn small_effects_scale_and_large_ones_need_the_least_number() {
        let at = |h1| forecast(&Question { h1, ..QUESTION }, 0.2);
        let ratio = at(0.01).at_h1.median / at(0.02).at_h1.median;
        assert!((ratio - 4.0).abs() < 1e-9, "{ratio}");
        assert!((at(0.4).at_h1.nearly_all - 30.0).abs() < 0.5);
        let both = forecast(&Question { sides: Sides::Both, ..QUESTION }, 0.2);
        assert!(both.at_h0.most > at(0.05).at_h0.most && both.fixed > at(0.05).fixed);
        assert!((forecast(&QUESTION, 0.0).at_h1.median - 30.0).abs() < 0.5);
        // With one side, only the distance of the hypotheses matters.
        let moved = forecast(&Question { h0: -0.05, h1: 0.0, ..QUESTION }, 0.2);
        assert!((moved.fixed - at(0.05).fixed).abs() < 1e-9);
        assert!((moved.at_h1.median / at(0.05).at_h1.median - 1.0).abs() < 0.02);
    }

    #[test]
    fn what_can_be_found_needs_the_blocks_that_it_needs() {
        let blocks = forecast(&QUESTION, 0.2).fixed;
        assert!((detectable(&QUESTION, 0.2, blocks.round() as u64) - 0.05).abs() < 0.001);
    }
}
