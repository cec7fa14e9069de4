//! A conditional logit with weights that vary in time: a feature may count more or less as a game goes on.
//!
//! **Model.** Alternative `i` has the utility `Σ_f β_f(t) x_if + α_i(t)` and is taken with probability
//! `e^{u_i} / Σ_j e^{u_j}` (`McFadden` 1974). The weights β, and the terms α of all alternatives but the first, are
//! piecewise linear in the time t. So each has one parameter at each knot.
//!
//! **Estimate.** The likelihood of the outcomes, with shared outcomes as shares, has a Gaussian prior on each
//! parameter. It is strictly concave, so Newton's method ends at the only optimum ([`super::newton`]). A case has
//! several looks; they share its weight, since they are not independent.

use nalgebra::{DMatrix, DVector};

use super::conditional_logit::softmax;
use super::newton::{self, Slope, maximise};

/// A look at a case.
#[derive(Clone, Copy, Debug)]
pub struct Observation<'a> {
    /// The knot before the look; there is always a knot behind it.
    pub knot: usize,
    /// The position between this knot and the next, from 0 to 1.
    pub part: f64,
    /// The count of each alternative, feature by feature.
    pub counts: &'a [f64],
}

/// A case with a known outcome.
#[derive(Clone, Debug)]
pub struct Case<'a> {
    /// The looks before the outcome.
    pub looks: Vec<Observation<'a>>,
    /// The part of one point that each alternative got.
    pub points: &'a [f64],
}

/// A regression problem: cases, scales and prior.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    /// The observed cases.
    pub cases: Vec<Case<'a>>,
    /// The divisors of counts, by feature.
    pub scales: &'a [f64],
    /// The number of alternatives.
    pub alternatives: usize,
    /// The number of knots.
    pub knots: usize,
    /// The standard deviation of the prior of a parameter.
    pub prior: f64,
}

impl Problem<'_> {
    /// Returns the parameters: a row for each feature and each alternative but the first, with one for each knot.
    ///
    /// # Panics
    /// If a look does not hold a count for each feature and alternative, or is at the last knot.
    #[must_use]
    pub fn solve(&self) -> Vec<f64> {
        let start = DVector::zeros(self.rows() * self.knots);
        let found = maximise(start, self.cases.len() as f64, |weights| self.slope(weights));
        found.as_slice().to_vec()
    }

    const fn rows(&self) -> usize {
        self.scales.len() + self.alternatives - 1
    }

    /// Returns the slope at `weights`; of its curvature only the lower half, which is the only part that is read.
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
        // From here on each count is reduced by its mean under the probabilities.
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

    /// Returns the feature values of each row for each alternative.
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

    /// Returns the probabilities of three alternatives by one count whose weight goes from 2 to -1, with terms of 0,
    /// 0.5 and -0.5.
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
        // A repeated look counts no more than a single look.
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
