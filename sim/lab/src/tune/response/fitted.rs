//! A fitted surface: values of places, differences, and the search for its top.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::{Term, columns};
use crate::tune::space::Space;

/// A small number added to variances so that one of them may be 0.
const NOT_SINGULAR: f64 = 1e-12;
/// The largest number of sweeps over all dimensions.
const SWEEPS: usize = 30;
/// The number of intervals along a dimension that is searched.
const STEPS: u32 = 32;

/// A fitted surface.
#[derive(Clone, Debug)]
pub struct Fitted {
    pub(super) terms: Vec<Term>,
    pub(super) words: Vec<usize>,
    pub(super) coefficients: DVector<f64>,
    pub(super) factor: Cholesky<f64, Dyn>,
}

impl Fitted {
    /// Returns the variance of each coefficient: the squared lengths of the columns of the factor's inverse.
    pub(super) fn variances(&self) -> Vec<f64> {
        let n = self.terms.len();
        let lower: Vec<&[f64]> = self.factor.l_dirty().as_slice().chunks_exact(n).collect();
        let mut x = vec![0.0; n];
        let variance = |i: usize| {
            x[i..].fill(0.0);
            x[i] = 1.0;
            for j in i..n {
                let column = lower[j];
                x[j] /= column[j];
                let known = x[j];
                for (entry, l) in x[j + 1..].iter_mut().zip(&column[j + 1..]) {
                    *entry -= known * l;
                }
            }
            x[i..].iter().map(|entry| entry * entry).sum()
        };
        (0..n).map(variance).collect()
    }

    /// Returns the value of the places.
    #[must_use]
    pub fn value(&self, places: &[f64]) -> f64 {
        let row = columns(&self.terms, &self.words, places);
        row.iter().zip(self.coefficients.iter()).map(|(x, b)| x * b).sum()
    }

    /// Returns the value of the first places less that of the second, with its standard error.
    #[must_use]
    pub fn difference(&self, places: &[f64], others: &[f64]) -> (f64, f64) {
        let [a, b] = [places, others].map(|at| columns(&self.terms, &self.words, at));
        let row = DVector::from_iterator(a.len(), a.iter().zip(&b).map(|(a, b)| a - b));
        let variance = row.dot(&self.factor.solve(&row));
        (row.dot(&self.coefficients), variance.max(0.0).sqrt())
    }

    /// Returns the value of each of `all` less that of `places`, and a matrix that maps independent standard normal
    /// numbers to the correlated errors of these differences.
    #[must_use]
    pub(in crate::tune) fn joint(
        &self,
        all: &[Vec<f64>],
        places: &[f64],
    ) -> (DVector<f64>, DMatrix<f64>) {
        let here = columns(&self.terms, &self.words, places);
        let rows: Vec<Vec<f64>> =
            all.iter().map(|at| columns(&self.terms, &self.words, at)).collect();
        let rows = DMatrix::from_fn(here.len(), all.len(), |i, k| rows[k][i] - here[i]);
        let solved = self.factor.solve(&rows);
        let of = |a: usize, b: usize| rows.column(a).dot(&solved.column(b));
        let covariance = DMatrix::from_fn(all.len(), all.len(), |a, b| {
            of(a.max(b), a.min(b)) + if a == b { NOT_SINGULAR } else { 0.0 }
        });
        let gains = rows.tr_mul(&self.coefficients);
        let errors = Cholesky::new(covariance).map(|factor| factor.l());
        (gains, errors.unwrap_or_else(|| DMatrix::zeros(all.len(), all.len())))
    }

    /// Returns the curvature at a top: minus the second derivatives by `z` of each two dimensions, 0 if one of them
    /// has words.
    #[must_use]
    pub fn curvature(&self) -> DMatrix<f64> {
        let mut curvature = DMatrix::zeros(self.words.len(), self.words.len());
        for (term, &coefficient) in self.terms.iter().zip(self.coefficients.iter()) {
            match *term {
                Term::Square(i) => curvature[(i, i)] -= 2.0 * coefficient,
                Term::Bowl => {
                    for (i, _) in self.words.iter().enumerate().filter(|(_, words)| **words == 0) {
                        curvature[(i, i)] -= 2.0 * coefficient;
                    }
                }
                Term::Pair(_, [i, j]) if self.words[i] + self.words[j] == 0 => {
                    curvature[(i, j)] -= coefficient;
                    curvature[(j, i)] -= coefficient;
                }
                Term::Pair(..) | Term::Constant | Term::Linear(_) | Term::Word(..) => {}
            }
        }
        curvature
    }
}

/// Returns the best places by `value` that a search along one dimension after the other finds from `from`.
#[must_use]
pub fn climb(space: &Space, from: &[f64], value: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let mut places = from.to_vec();
    let mut here = value(&places);
    for _ in 0..SWEEPS {
        let before = here;
        for (i, one) in space.dimensions().iter().enumerate() {
            let levels = match one.range.is_ordered() {
                true => (0..=STEPS).map(|k| f64::from(k) / f64::from(STEPS)).collect(),
                false => one.range.levels(one.range.size().unwrap_or(1) as usize),
            };
            for place in levels {
                let old = std::mem::replace(&mut places[i], place);
                let there = value(&places);
                if there > here {
                    here = there;
                } else {
                    places[i] = old;
                }
            }
        }
        if here - before < 1e-9 {
            break;
        }
    }
    places
}
