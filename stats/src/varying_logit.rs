//! A conditional logit whose weights move in time: which of several alternatives is taken, where a count is worth more
//! or less as a game goes on.
//!
//! **Model.** Alternative `i` has the utility `Σ_f β_f(t) x_if + α_i(t)` and is taken with probability `e^{u_i} / Σ_j
//! e^{u_j}` (`McFadden` 1974). The weights β and the terms α of all alternatives but the first are piecewise linear in the
//! time t, so each has one number for each knot.
//!
//! **Estimate.** The likelihood of what was taken, shared outcomes as shares, with a Gaussian prior on each number:
//! strictly concave, so that Newton's method ends at the one optimum ([`super::newton`]). A case is looked at several
//! times; its looks share its weight, since they are not independent.

use nalgebra::{DMatrix, DVector};

use super::conditional_logit::softmax;
use super::newton::{self, Slope, maximise};

/// An observation of a case.
#[derive(Clone, Copy, Debug)]
pub struct Observation<'a> {
    /// The knot before it; there is one behind it.
    pub knot: usize,
    /// The part of the way to the next knot.
    pub part: f64,
    /// Feature by feature the count of each alternative.
    pub counts: &'a [f64],
}

/// Something that came out.
#[derive(Clone, Debug)]
pub struct Case<'a> {
    /// The looks that were taken before.
    pub looks: Vec<Observation<'a>>,
    /// What each alternative got of one point.
    pub points: &'a [f64],
}

/// What is to be fitted.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    /// What was seen.
    pub cases: Vec<Case<'a>>,
    /// What counts are divided by, feature by feature.
    pub scales: &'a [f64],
    /// Number of alternatives.
    pub alternatives: usize,
    /// Number of knots.
    pub knots: usize,
    /// The standard deviation of the prior of a number.
    pub prior: f64,
}

impl Problem<'_> {
    /// The numbers: a row for each feature and each alternative but the first, with one for each knot.
    ///
    /// # Panics
    /// If a look does not hold a count for each feature and alternative, or stands at the last knot.
    #[must_use]
    pub fn solve(&self) -> Vec<f64> {
        let start = DVector::zeros(self.rows() * self.knots);
        let found = maximise(start, self.cases.len() as f64, |weights| self.slope(weights));
        found.as_slice().to_vec()
    }

    const fn rows(&self) -> usize {
        self.scales.len() + self.alternatives - 1
    }

    /// The slope at `weights`; of its curvature the half from the diagonal down, which is all that is read.
    fn slope(&self, weights: &DVector<f64>) -> Slope {
        let n = weights.len();
        let mut all =
            newton::sum(&self.cases, n, |case, slope| self.add_case(case, weights, slope));
        let tightness = 1.0 / (self.prior * self.prior);
        all.value -= 0.5 * tightness * weights.norm_squared();
        all.gradient -= weights * tightness;
        for i in 0..n {
            all.curvature[(i, i)] += tightness;
        }
        all
    }

    fn add_case(&self, case: &Case<'_>, weights: &DVector<f64>, slope: &mut Slope) {
        let share = 1.0 / case.looks.len().max(1) as f64;
        for look in &case.looks {
            self.add_look(look, case.points, share, weights, slope);
        }
    }

    /// Adds a look with the weight `share`.
    fn add_look(
        &self,
        look: &Observation<'_>,
        points: &[f64],
        share: f64,
        weights: &DVector<f64>,
        slope: &mut Slope,
    ) {
        let (rows, n) = (self.rows(), self.alternatives);
        let hats = [(look.knot, 1.0 - look.part), (look.knot + 1, look.part)];
        let mut counts = self.counts(look);
        let mut chances = vec![0.0; n];
        for row in 0..rows {
            let weight: f64 =
                hats.iter().map(|&(knot, hat)| hat * weights[row * self.knots + knot]).sum();
            let counts = &counts[row * n..(row + 1) * n];
            chances.iter_mut().zip(counts).for_each(|(u, count)| *u += weight * count);
        }
        softmax(&mut chances);
        for (p, y) in chances.iter().zip(points) {
            slope.value += share * y * p.max(f64::MIN_POSITIVE).ln();
        }
        // From here on counts are less their mean under the chances.
        for row in 0..rows {
            let counts = &mut counts[row * n..(row + 1) * n];
            let mean: f64 = counts.iter().zip(&chances).map(|(count, p)| count * p).sum();
            counts.iter_mut().for_each(|count| *count -= mean);
            let slant: f64 = counts.iter().zip(points).map(|(count, y)| count * y).sum();
            for (knot, hat) in hats {
                slope.gradient[row * self.knots + knot] += share * hat * slant;
            }
        }
        self.add_curvature(&counts, &chances, share, hats, &mut slope.curvature);
    }

    /// What each row counts of each alternative.
    fn counts(&self, look: &Observation<'_>) -> Vec<f64> {
        let n = self.alternatives;
        let mut counts = vec![0.0; self.rows() * n];
        for (row, scale) in self.scales.iter().enumerate() {
            for alternative in 0..n {
                counts[row * n + alternative] = look.counts[row * n + alternative] / scale;
            }
        }
        for alternative in 1..n {
            counts[(self.scales.len() + alternative - 1) * n + alternative] = 1.0;
        }
        counts
    }

    fn add_curvature(
        &self,
        counts: &[f64],
        chances: &[f64],
        share: f64,
        hats: [(usize, f64); 2],
        curvature: &mut DMatrix<f64>,
    ) {
        let n = self.alternatives;
        for (a, of_a) in counts.chunks_exact(n).enumerate() {
            for (b, of_b) in counts.chunks_exact(n).take(a + 1).enumerate() {
                let both: f64 =
                    of_a.iter().zip(of_b).zip(chances).map(|((a, b), p)| a * b * p).sum();
                for (knot_a, hat_a) in hats {
                    for (knot_b, hat_b) in hats {
                        let (i, j) = (a * self.knots + knot_a, b * self.knots + knot_b);
                        curvature[(i, j)] += share * hat_a * hat_b * both;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::{Purpose, Randomness, rng};

    use super::*;

    /// The chances of three alternatives by one count whose weight goes from 2 to -1, with terms of 0, 0.5 and -0.5.
    fn chances(part: f64, counts: &[f64]) -> Vec<f64> {
        let weight = 2.0 * (1.0 - part) - part;
        let terms = [0.0, 0.5, -0.5];
        let mut chances: Vec<f64> = counts.iter().zip(terms).map(|(x, a)| weight * x + a).collect();
        softmax(&mut chances);
        chances
    }

    #[test]
    fn weights_that_move_in_time_are_found() {
        let mut rng = rng::stream(5, 0, Purpose::Analysis);
        let made: Vec<(f64, Vec<f64>, Vec<f64>)> = (0..4_000)
            .map(|_| {
                let part = rng.unit();
                let counts: Vec<f64> = (0..3).map(|_| 4.0 * rng.unit()).collect();
                let (chances, mut dart) = (chances(part, &counts), rng.unit());
                let hit = chances.iter().position(|p| {
                    dart -= p;
                    dart < 0.0
                });
                let mut points = vec![0.0; 3];
                points[hit.unwrap_or(2)] = 1.0;
                (part, counts, points)
            })
            .collect();
        // The same look twice is worth no more than once.
        let twice = |part, counts| vec![Observation { knot: 0, part, counts }; 2];
        let cases = made
            .iter()
            .map(|(part, counts, points)| Case { looks: twice(*part, &counts[..]), points })
            .collect();
        let problem = Problem { cases, scales: &[2.0], alternatives: 3, knots: 2, prior: 5.0 };
        let found = problem.solve();
        for (found, truth) in found.iter().zip([4.0, -2.0, 0.5, 0.5, -0.5, -0.5]) {
            assert!((found - truth).abs() < 0.4, "{found} for {truth}");
        }
    }
}
