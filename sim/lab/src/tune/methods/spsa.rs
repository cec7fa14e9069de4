//! Simultaneous perturbation stochastic approximation (Spall 1992, doi:10.1109/9.119632): all dimensions move at once,
//! and two points give the slope in one direction.
//!
//! Step k moves by `a / (A + k)^0.602` times the slope, measured at a distance of `c / k^0.101` on both sides (the
//! exponents of Spall 1998). The result is the mean of the last half of the points (Polyak and Juditsky 1992), which
//! is less noisy than the last point. Words are placed along the edge like numbers, in their given order. If words
//! matter, another method is better.

use engine::{Randomness, Stream};

use super::{Batch, Method, Terms};
use crate::tune::pools::{Evidence, Train};
use crate::tune::space::Point;

/// Pairs of points in a step: their slopes are averaged, and they are played at once.
const PAIRS: usize = 4;
/// The exponent of the steps.
const ALPHA: f64 = 0.602;
/// The exponent of the distances.
const GAMMA: f64 = 0.101;
/// The first distance on both sides, as a fraction of the range: games only separate distant points.
const DISTANCE: f64 = 0.35;
/// The smallest distance, at the ends of a range.
const NEAREST: f64 = 0.12;
/// The total movement of a point over all steps, in ranges, for each point of share across a range. The scale of
/// shares is known, so this does not depend on the game: a slope of 0.1 along a range moves the point by 0.6 of it.
const REACH: f64 = 6.0;
/// The fraction of the steps before they begin to shrink.
const STABILITY: f64 = 0.1;
/// The largest movement of one step in a dimension.
const FARTHEST: f64 = 0.15;

/// A search by SPSA.
pub(super) struct Spsa {
    terms: Terms,
    stream: Stream,
    place: Vec<f64>,
    /// The sum of the points of the last half, and their number.
    sum: Vec<f64>,
    summed: u32,
    step: u32,
    steps: u32,
    gain: f64,
    signs: Vec<Vec<f64>>,
    distance: f64,
}

impl Spsa {
    pub(super) fn new(terms: Terms) -> Self {
        let place = terms.space.start().places().to_vec();
        let steps = (terms.blocks / (2 * PAIRS as u64)) as u32;
        let stable = STABILITY * f64::from(steps);
        let total: f64 = (1..=steps).map(|k| 1.0 / libm::pow(stable + f64::from(k), ALPHA)).sum();
        Self {
            stream: terms.stream(),
            sum: vec![0.0; place.len()],
            place,
            summed: 0,
            step: 0,
            steps,
            gain: REACH / total.max(f64::MIN_POSITIVE),
            signs: Vec::new(),
            distance: DISTANCE,
            terms,
        }
    }

    /// Returns the places on one side of the point.
    fn side(&self, signs: &[f64], side: f64) -> Vec<f64> {
        let each = self.place.iter().zip(signs);
        let place = |(&place, sign): (&f64, &f64)| {
            let distance = inside(place, self.distance);
            place.clamp(distance, 1.0 - distance) + side * sign * distance
        };
        each.map(place).collect()
    }
}

/// Returns the distance of both sides from the point, so that they are within the range. Near its ends the point is
/// not exactly between them.
fn inside(place: f64, distance: f64) -> f64 {
    distance.min(place.min(1.0 - place).max(NEAREST))
}

impl Method for Spsa {
    fn ask(&mut self) -> Option<Batch> {
        if self.step == self.steps {
            return None;
        }
        self.step += 1;
        self.distance = DISTANCE / libm::pow(f64::from(self.step), GAMMA);
        let n = self.place.len();
        let mut signs = |_| -> Vec<f64> {
            (0..n).map(|_| if self.stream.below(2) == 0 { -1.0 } else { 1.0 }).collect()
        };
        self.signs = (0..PAIRS).map(&mut signs).collect();
        let sides =
            self.signs.iter().flat_map(|signs| [self.side(signs, 1.0), self.side(signs, -1.0)]);
        let points = sides.map(|places| self.terms.space.at(&places)).collect();
        Some(Batch { points, blocks: 1 })
    }

    fn tell(&mut self, batch: &Batch, evidence: &[Evidence<Train>]) {
        let mut slope = vec![0.0; self.place.len()];
        for (pair, signs) in self.signs.iter().enumerate() {
            let rise = evidence[2 * pair].mean() - evidence[2 * pair + 1].mean();
            let (up, down) = (&batch.points[2 * pair], &batch.points[2 * pair + 1]);
            for (i, sign) in signs.iter().enumerate() {
                // Integers and words are where they were played, not where they were requested.
                let run = up.places()[i] - down.places()[i];
                let run = if run == 0.0 { 2.0 * self.distance * sign } else { run };
                slope[i] += rise / run / PAIRS as f64;
            }
        }
        let stable = STABILITY * f64::from(self.steps);
        let gain = self.gain / libm::pow(stable + f64::from(self.step), ALPHA);
        for (place, slope) in self.place.iter_mut().zip(&slope) {
            *place = (*place + (gain * slope).clamp(-FARTHEST, FARTHEST)).clamp(0.0, 1.0);
        }
        if 2 * self.step > self.steps {
            self.summed += 1;
            self.sum.iter_mut().zip(&self.place).for_each(|(sum, place)| *sum += place);
        }
    }

    fn finalists(&self) -> Vec<Point> {
        let n = f64::from(self.summed.max(1));
        let mean: Vec<f64> = self.sum.iter().map(|sum| sum / n).collect();
        let mean = if self.summed == 0 { self.place.clone() } else { mean };
        vec![self.terms.space.at(&mean)]
    }
}
