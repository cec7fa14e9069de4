//! What a test will need, from the spread of a short pilot: blocks for a fixed number, and on average for the
//! sequential test without and with an effect.
//!
//! **Fixed number.** `(z_{1−α} + z_{1−β})² (σ/E)²`, with α/2 for two sides.
//! **Sequential.** The test itself, run on 400 simulated series of normal values with the pilot's standard deviation:
//! this counts the least number of blocks and the overshoot over the bounds, which Wald's formula leaves out. A test
//! that is much longer than its least number scales with (σ/E)², so small effects are simulated larger and scaled.

use engine::{Purpose, Randomness, Stream, rng};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::stats::{Gsprt, Question, Range, Verdict};

/// Blocks of a pilot.
pub const PILOT_BLOCKS: u64 = 40;
/// Simulated tests for each hypothesis.
const TESTS: u64 = 400;
/// The smallest effect, in standard deviations, that is simulated as it is.
const LEAST_SIMULATED: f64 = 0.2;
/// Spread that stands for none, in units of the effect.
const LEAST_SPREAD: f64 = 0.01;

/// Numbers of blocks that a test needs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Forecast {
    /// With a fixed number of blocks.
    pub fixed: f64,
    /// On average by the sequential test, without an effect.
    pub without_effect: f64,
    /// On average by the sequential test, with an effect of the size asked for.
    pub with_effect: f64,
}

/// The forecast for `question` where block values have the standard deviation `spread`.
#[must_use]
pub fn forecast(question: &Question, spread: f64) -> Forecast {
    let size = question.effect / spread.max(LEAST_SPREAD * question.effect);
    let simulated = size.max(LEAST_SIMULATED);
    let scale = (simulated / size).powi(2);
    let unit = Question { range: Range::Anywhere, null: 0.0, effect: simulated, ..*question };
    Forecast {
        fixed: (quantiles(question) / size).powi(2).max(2.0),
        without_effect: mean_blocks(&unit, 0.0) * scale,
        with_effect: mean_blocks(&unit, simulated) * scale,
    }
}

/// The smallest effect that `blocks` blocks can find with the errors of `question`.
#[must_use]
pub fn detectable(question: &Question, spread: f64, blocks: u64) -> f64 {
    quantiles(question) * spread / (blocks as f64).sqrt()
}

/// The sum of the normal quantiles of both errors.
fn quantiles(question: &Question) -> f64 {
    let z = |p: f64| Normal::standard().inverse_cdf(1.0 - p);
    z(question.alpha_of_side()) + z(question.beta)
}

fn mean_blocks(question: &Question, mean: f64) -> f64 {
    let blocks = |address| {
        let mut rng = rng::stream(0, address, Purpose::Analysis);
        let mut test = Gsprt::new(*question);
        while test.add(mean + normal(&mut rng)) == Verdict::Undecided {}
        test.tally().moments().n()
    };
    (0..TESTS).map(blocks).sum::<u64>() as f64 / TESTS as f64
}

/// A standard normal number (Box and Muller 1958).
fn normal(rng: &mut Stream) -> f64 {
    (-2.0 * (1.0 - rng.unit()).ln()).sqrt() * (std::f64::consts::TAU * rng.unit()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Sides;

    const QUESTION: Question = Question {
        range: Range::SHARES,
        null: 0.25,
        effect: 0.05,
        sides: Sides::Above,
        alpha: 0.05,
        beta: 0.05,
    };

    #[test]
    fn the_forecast_agrees_with_known_sample_sizes() {
        // Four independent games with p = 0.25 to 0.3: a fixed number needs about 812 to 860 games one-sided, the
        // sequential test 400 to 470.
        let forecast = forecast(&QUESTION, (0.25_f64 * 0.75 / 4.0).sqrt());
        assert!((4.0 * forecast.fixed - 811.7).abs() < 1.0, "{forecast:?}");
        for blocks in [forecast.without_effect, forecast.with_effect] {
            assert!((90.0..135.0).contains(&blocks), "{forecast:?}");
        }
    }

    #[test]
    fn small_effects_scale_and_large_ones_need_the_least_number() {
        let at = |effect| forecast(&Question { effect, ..QUESTION }, 0.2);
        let ratio = at(0.01).with_effect / at(0.02).with_effect;
        assert!((ratio - 4.0).abs() < 1e-9, "{ratio}");
        assert!((at(0.4).with_effect - 30.0).abs() < 0.5);
        let both = forecast(&Question { sides: Sides::Both, ..QUESTION }, 0.2);
        assert!(both.without_effect > at(0.05).without_effect && both.fixed > at(0.05).fixed);
        assert!((forecast(&QUESTION, 0.0).with_effect - 30.0).abs() < 0.5);
    }

    #[test]
    fn what_can_be_found_needs_the_blocks_that_it_needs() {
        let blocks = forecast(&QUESTION, 0.2).fixed;
        assert!((detectable(&QUESTION, 0.2, blocks.round() as u64) - 0.05).abs() < 0.001);
    }
}
