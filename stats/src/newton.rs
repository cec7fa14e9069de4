//! Newton's method for concave functions: penalised likelihoods of models that are linear in their weights.
//!
//! Steps are halved until the function grows, so that the end is the one optimum. What is added up is added in stretches
//! of a fixed length, and these in order, so that no result depends on threads ([`sum`]).

use nalgebra::{Cholesky, DMatrix, DVector};
use rayon::prelude::*;

/// Steps at most; a dozen is usual.
const MOST_STEPS: usize = 60;
/// Halvings of a step at most.
const MOST_HALVINGS: i32 = 30;
/// The largest slope, beside the weight of all observations, at which the search is at its end.
const FLAT: f64 = 1e-10;
/// Observations that are added up at a stretch.
const STRETCH: usize = 32;
/// Stretches that are in memory at once.
const BATCH: usize = 16;

/// A function with its first two derivatives.
#[derive(Clone, Debug)]
pub struct Slope {
    /// The value.
    pub value: f64,
    /// The first derivative.
    pub gradient: DVector<f64>,
    /// The negative second derivative.
    pub curvature: DMatrix<f64>,
}

impl Slope {
    /// Nothing, of a function of `n` weights.
    #[must_use]
    pub fn zero(n: usize) -> Self {
        Self { value: 0.0, gradient: DVector::zeros(n), curvature: DMatrix::zeros(n, n) }
    }

    /// The sum of both.
    #[must_use]
    pub fn plus(mut self, other: &Self) -> Self {
        self.value += other.value;
        self.gradient += &other.gradient;
        self.curvature += &other.curvature;
        self
    }
}

/// The sum over `items` of what `add` adds, a function of `n` weights.
pub fn sum<T: Sync>(items: &[T], n: usize, add: impl Fn(&T, &mut Slope) + Sync) -> Slope {
    let stretch = |items: &[T]| {
        items.iter().fold(Slope::zero(n), |mut slope, item| {
            add(item, &mut slope);
            slope
        })
    };
    let mut all = Slope::zero(n);
    for batch in items.chunks(STRETCH * BATCH) {
        let parts: Vec<Slope> = batch.par_chunks(STRETCH).map(stretch).collect();
        all = parts.iter().fold(all, Slope::plus);
    }
    all
}

/// The weights at which a concave function is largest, from `start` on; `size` is the weight of all observations.
#[must_use]
pub fn maximise(
    start: DVector<f64>,
    size: f64,
    slope: impl Fn(&DVector<f64>) -> Slope,
) -> DVector<f64> {
    let mut weights = start;
    let mut here = slope(&weights);
    for _ in 0..MOST_STEPS {
        if here.gradient.amax() <= FLAT * size {
            break;
        }
        let Some(factor) = Cholesky::new(here.curvature.clone()) else { break };
        let step = factor.solve(&here.gradient);
        // The first of the step, half of it, a quarter … that leads up.
        let climb = |halvings: i32| {
            let next = &weights + &step * 0.5f64.powi(halvings);
            let there = slope(&next);
            (there.value > here.value).then_some((next, there))
        };
        let Some((next, there)) = (0..MOST_HALVINGS).find_map(climb) else { break };
        (weights, here) = (next, there);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_of_a_parabola_is_found_in_a_step() {
        let top = DVector::from_vec(vec![1.5, -2.0]);
        let bend = DMatrix::from_row_slice(2, 2, &[2.0, 0.5, 0.5, 1.0]);
        let found = maximise(DVector::zeros(2), 1.0, |at| {
            let away = at - &top;
            let pull = &bend * &away;
            Slope { value: -0.5 * away.dot(&pull), gradient: -pull, curvature: bend.clone() }
        });
        assert!((found - top).amax() < 1e-12);
    }
}
