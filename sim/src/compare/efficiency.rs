//! What the shared chance of a comparison was worth: how many times the games independent chance would have needed.
//!
//! **Formula.** Each block gives two numbers: what it contributes to the variance that independent games would have,
//! and to the variance that was seen. The relative efficiency is the sum of the first over that of the second. Its
//! logarithm has the variance `Σ (xᵢ/x̄ − yᵢ/ȳ)² / n(n − 1)` (the delta method for a ratio; Cochran, Sampling
//! Techniques, 1977, chapter 6), and the interval is Student's t with n − 1 degrees of freedom on that scale.
//!
//! Valid for some dozen blocks or more; for a number of blocks that was fixed before, and nearly for a test that stopped
//! by itself, since it stops by means and not by variances.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::stats::Interval;

/// Variances below this are rounding.
const LEAST_VARIANCE: f64 = 1e-12;

/// How many times the games something is worth, with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Efficiency {
    /// The ratio of the variances.
    pub ratio: f64,
    /// Where it lies.
    pub interval: Interval,
}

impl Efficiency {
    /// From what each block contributes to the variance without sharing and to that with it; `None` for fewer than two
    /// blocks, and where nothing varies.
    #[must_use]
    pub fn of(parts: &[(f64, f64)]) -> Option<Self> {
        let n = parts.len() as f64;
        let sum = |f: &dyn Fn(&(f64, f64)) -> f64| parts.iter().map(f).sum::<f64>();
        let (without, with) = (sum(&|part| part.0) / n, sum(&|part| part.1) / n);
        if parts.len() < 2 || without < LEAST_VARIANCE || with < LEAST_VARIANCE {
            return None;
        }
        let ratio = without / with;
        let error = sum(&|(x, y)| (x / without - y / with).powi(2)) / (n * (n - 1.0));
        let t = StudentsT::new(0.0, 1.0, n - 1.0).map_or(2.0, |t| t.inverse_cdf(0.975));
        let factor = (t * error.sqrt()).exp();
        Some(Self { ratio, interval: Interval { low: ratio / factor, high: ratio * factor } })
    }
}

#[cfg(test)]
mod tests {
    use engine::{Purpose, Randomness, Stream, rng};

    use super::*;

    fn normal(rng: &mut Stream) -> f64 {
        (-2.0 * (1.0 - rng.unit()).ln()).sqrt() * (std::f64::consts::TAU * rng.unit()).cos()
    }

    #[test]
    fn intervals_of_the_efficiency_hold_the_truth() {
        // Two arms a = z + x, b = z + y with Var z = 3 and Var x = Var y = 1: (4 + 4)/2 = 4.
        const RUNS: u64 = 1_000;
        let held = (0..RUNS).filter(|&run| {
            let mut rng = rng::stream(23, run, Purpose::Analysis);
            let mut arms = [(); 60].map(|()| {
                let z = 3_f64.sqrt() * normal(&mut rng);
                (z + normal(&mut rng), z + normal(&mut rng))
            });
            let mean = |f: &dyn Fn(&(f64, f64)) -> f64| arms.iter().map(f).sum::<f64>() / 60.0;
            let (a, b) = (mean(&|arm| arm.0), mean(&|arm| arm.1));
            arms.iter_mut().for_each(|(x, y)| (*x, *y) = (*x - a, *y - b));
            let parts = arms.map(|(x, y)| (x * x + y * y, (y - x).powi(2)));
            Efficiency::of(&parts).unwrap().interval.contains(4.0)
        });
        let coverage = held.count() as f64 / RUNS as f64;
        assert!((0.92..=0.97).contains(&coverage), "{coverage}");
    }

    #[test]
    fn nothing_that_varies_has_no_efficiency() {
        assert_eq!(Efficiency::of(&[(1.0, 0.0), (1.0, 0.0)]), None);
        assert_eq!(Efficiency::of(&[(0.0, 1.0), (0.0, 1.0)]), None);
        assert_eq!(Efficiency::of(&[(1.0, 1.0)]), None);
        let equal = Efficiency::of(&[(2.0, 1.0), (4.0, 2.0)]).unwrap();
        assert!(
            (equal.ratio - 2.0).abs() < 1e-12 && equal.interval.high - equal.interval.low < 1e-9
        );
    }
}
