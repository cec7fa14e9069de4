//! Newton's method for penalised likelihoods, with free weights or with weights in a box.
//!
//! Steps are halved until the function grows, so the search for the maximum of a concave function ends at its only
//! optimum. Sums are added in stretches of a fixed length, in a fixed order, so that no result depends on the number of
//! threads ([`sum`]).

use nalgebra::{Cholesky, DMatrix, DVector};
use rayon::prelude::*;

/// The largest number of steps; a dozen is usual.
const MOST_STEPS: usize = 200;
/// The largest number of halvings of a step.
const MOST_HALVINGS: i32 = 30;
/// The largest slope, relative to the weight of all observations, at which the search ends.
const FLAT: f64 = 1e-10;
/// The number of observations in a stretch.
const STRETCH: usize = 32;
/// The number of stretches in memory at once.
const BATCH: usize = 16;

/// A function with its first two derivatives.
#[derive(Clone, Debug)]
pub struct Slope {
    /// The value.
    pub value: f64,
    /// The first derivative.
    pub gradient: DVector<f64>,
    /// The negative second derivative, or the part of it that a concave function has.
    pub curvature: DMatrix<f64>,
    /// The rest of the negative second derivative; steps use it where the sum is that of a maximum.
    pub bend: Option<DMatrix<f64>>,
}

impl Slope {
    /// Returns the zero function of `n` weights.
    #[must_use]
    pub fn zero(n: usize) -> Self {
        let (gradient, curvature) = (DVector::zeros(n), DMatrix::zeros(n, n));
        Self { value: 0.0, gradient, curvature, bend: None }
    }

    /// Returns the rest of the second derivative, for additions.
    pub fn bend_mut(&mut self) -> &mut DMatrix<f64> {
        let n = self.gradient.len();
        self.bend.get_or_insert_with(|| DMatrix::zeros(n, n))
    }

    /// Returns the sum of both functions.
    #[must_use]
    pub fn plus(mut self, other: &Self) -> Self {
        self.value += other.value;
        self.gradient += &other.gradient;
        self.curvature += &other.curvature;
        if let Some(more) = &other.bend {
            *self.bend_mut() += more;
        }
        self
    }
}

/// Returns the sum over `items` of the terms that `add` adds, as a function of `n` weights.
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

/// Returns the weights that maximise a concave function, from `start` on; `size` is the weight of all observations.
#[must_use]
pub fn maximise(
    start: DVector<f64>,
    size: f64,
    slope: impl Fn(&DVector<f64>) -> Slope,
) -> DVector<f64> {
    let anywhere = vec![ANYWHERE; start.len()];
    maximise_within(start, size, &anywhere, slope)
}

/// The range of an unbounded weight.
pub const ANYWHERE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// Returns the weights within `ends` that maximise a concave function; `start` must lie within `ends`.
///
/// Weights at an end stay there, and the others continue without them (Bertsekas, Projected Newton methods, 1982).
#[must_use]
pub fn maximise_within(
    start: DVector<f64>,
    size: f64,
    ends: &[(f64, f64)],
    slope: impl Fn(&DVector<f64>) -> Slope,
) -> DVector<f64> {
    let mut weights = start;
    let mut here = slope(&weights);
    for _ in 0..MOST_STEPS {
        let Some(step) = step(&weights, &here, size, ends) else { break };
        // Tries the full step, then a half, a quarter …, and takes the first that leads up.
        let climb = |halvings: i32| {
            let mut next = &weights + &step * 0.5f64.powi(halvings);
            next.iter_mut().zip(ends).for_each(|(x, (low, high))| *x = x.clamp(*low, *high));
            let there = slope(&next);
            (there.value > here.value).then_some((next, there))
        };
        let Some((next, there)) = (0..MOST_HALVINGS).find_map(climb) else { break };
        (weights, here) = (next, there);
    }
    weights
}

/// Returns the step of the weights that no end stops; `None` if no weight can move.
fn step(
    weights: &DVector<f64>,
    here: &Slope,
    size: f64,
    ends: &[(f64, f64)],
) -> Option<DVector<f64>> {
    let is_out = |i: usize, way: f64| {
        let (low, high) = ends[i];
        weights[i] <= low && way < 0.0 || weights[i] >= high && way > 0.0
    };
    let mut free: Vec<usize> = (0..ends.len()).filter(|&i| !is_out(i, here.gradient[i])).collect();
    loop {
        let gradient = here.gradient.select_rows(&free);
        if free.is_empty() || gradient.amax() <= FLAT * size {
            return None;
        }
        // The factorisation reads only the lower triangle; a selection in order keeps it lower.
        let of_free = |all: &DMatrix<f64>| all.select_rows(&free).select_columns(&free);
        let safe = of_free(&here.curvature);
        let whole = here.bend.as_ref().map(|bend| &safe + of_free(bend));
        let factor = whole.and_then(Cholesky::new).or_else(|| Cholesky::new(safe))?;
        let found = factor.solve(&gradient);
        let mut step = DVector::zeros(ends.len());
        free.iter().zip(found.iter()).for_each(|(&i, by)| step[i] = *by);
        let before = free.len();
        free.retain(|&i| !is_out(i, step[i]));
        if free.len() == before {
            return Some(step);
        }
    }
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
            Slope {
                value: -0.5 * away.dot(&pull),
                gradient: -pull,
                curvature: bend.clone(),
                bend: None,
            }
        });
        assert!((found - top).amax() < 1e-12);
    }

    #[test]
    fn the_top_within_a_box_is_found_where_the_others_have_their_own() {
        // Without ends the maximum is at (1, 2); at the end x = 0 the other weight has its maximum at 2 + 0.5 · (1 − 0)
        // / 1.
        let top = DVector::from_vec(vec![1.0, 2.0]);
        let bend = DMatrix::from_row_slice(2, 2, &[2.0, 0.5, 0.5, 1.0]);
        let slope = |at: &DVector<f64>| {
            let away = at - &top;
            let pull = &bend * &away;
            Slope {
                value: -0.5 * away.dot(&pull),
                gradient: -pull,
                curvature: bend.clone(),
                bend: None,
            }
        };
        let ends = [(f64::NEG_INFINITY, 0.0), (0.0, 10.0)];
        let found = maximise_within(DVector::zeros(2), 1.0, &ends, slope);
        assert!((found - DVector::from_vec(vec![0.0, 2.5])).amax() < 1e-12);
        // Both ends.
        let found = maximise_within(DVector::zeros(2), 1.0, &[(-1.0, 0.0), (0.0, 1.0)], slope);
        assert!((found - DVector::from_vec(vec![0.0, 1.0])).amax() < 1e-12);
    }
}
