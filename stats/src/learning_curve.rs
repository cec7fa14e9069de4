//! A learning curve: strength by budget, as the sum of the steps of a ladder, each measured by its own games.
//!
//! With estimates `e_i` of the steps in Elo, and intervals `[l_i, u_i]`, the curve at rung n is `Σ e_i` over the steps
//! below it, and its interval
//!
//! ```text
//! [Σ e_i − √Σ (e_i − l_i)²,  Σ e_i + √Σ (u_i − e_i)²]
//! ```
//!
//! Distances on each side add up as standard errors do, and need not be symmetric (the method of variance estimates
//! recovery; Zou and Donner 2008, doi:10.1002/sim.3095). The interval would have the level of the steps if their
//! estimates were unbiased. Estimates of tests that stopped are median-unbiased, and their mean errors of some Elo a
//! step add up. So the steps enter with half of their tails: 95 % intervals for a curve of 90 %.
//!
//! **Valid** for independent steps, that is, games of different seeds, and where strength adds up. If B beats A by 100
//! Elo and C beats B by 100, C beats A by 200 only if no agent suits one opponent better than others. Rungs of one
//! agent are the usual case of this assumption; a game of the top rung against the bottom rung tests it. Coverage is
//! measured in `stats/tests/it/sequential/steps.rs`.

use super::elo::EloDifference;
use super::interval::Interval;

/// Returns the strength of each rung above the first, in Elo, from the steps between them.
///
/// The curve ends before the first step that has no estimate.
#[must_use]
pub fn learning_curve(steps: &[Option<EloDifference>]) -> Vec<EloDifference> {
    let (mut elo, mut below, mut above) = (0.0, 0.0, 0.0);
    let mut curve = Vec::with_capacity(steps.len());
    for step in steps.iter().map_while(|step| *step) {
        elo += step.elo;
        below += (step.elo - step.interval.low).powi(2);
        above += (step.interval.high - step.elo).powi(2);
        let interval = Interval { low: elo - below.sqrt(), high: elo + above.sqrt() };
        curve.push(EloDifference { elo, interval });
    }
    curve
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(elo: f64, low: f64, high: f64) -> Option<EloDifference> {
        Some(EloDifference { elo, interval: Interval { low, high } })
    }

    #[test]
    fn distances_add_up_in_squares_and_nothing_is_known_behind_a_gap() {
        let steps = [step(10.0, 7.0, 14.0), step(20.0, 16.0, 23.0), None, step(5.0, 4.0, 6.0)];
        let curve = learning_curve(&steps);
        assert_eq!(curve.len(), 2);
        let ends = |at: &EloDifference| (at.elo, at.interval.low, at.interval.high);
        assert_eq!(ends(&curve[0]), (10.0, 7.0, 14.0));
        assert_eq!(ends(&curve[1]), (30.0, 25.0, 35.0));
    }
}
