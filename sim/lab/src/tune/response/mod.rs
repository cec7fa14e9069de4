//! A quadratic response surface (Box and Wilson 1951): the value of a point as a polynomial of its places, fitted to
//! all results.
//!
//! With `z = 2 place − 1` for an ordered dimension, the terms are a constant, `z` and `z² − ⅓` of each dimension, and
//! the products of pairs. A word has its own column, which is 1 if the word is chosen. Coefficients are shrunk as in a
//! Bayesian linear model with normal priors. Each class of terms (linear, quadratic, pairs, words) has one variance,
//! estimated from the data by the evidence (`MacKay` 1992). Only few pairs matter, so each pair then gets its own
//! variance: irrelevant pairs cost nothing, and relevant ones are hardly shrunk.
//!
//! Pairs with words are only in the surface that is [fitted](Played::fit) for output. They are so many that their
//! doubt would hide the best word from a search. A relevant pair becomes an effect of one word once the other is
//! chosen most of the time. Squares are shrunk towards their common part. A curvature is hard to estimate in one
//! dimension, and an estimate that is too small moves the top to an end of the range. The noise is the variance of a
//! block.
//!
//! **Valid** for searching, where model errors only cost games: rows are assumed independent here. Printed surfaces
//! have their own errors (`surface`).

mod fitted;
mod sparse;
mod surface;

use nalgebra::{Cholesky, DMatrix, DVector};

use super::space::{Point, Space};
use sparse::{Seen, Sparse};

pub use fitted::{Fitted, climb};
pub use surface::{Along, Contrast, FittedSurface, Played};

/// The largest number of columns; beyond it pairs are omitted.
const MOST_COLUMNS: usize = 700;
/// The number of points that are summed together, so that each column of the sums is read once for all of them.
const SUMMED_AT_ONCE: usize = 64;
/// The number of columns up to which a fit takes milliseconds.
const QUICK: usize = 100;
/// The number of rounds that estimate the variances of classes.
const ROUNDS: usize = 4;
/// The number of further rounds, in which every pair gets its own variance.
const SPARSE_ROUNDS: usize = 3;
/// The smallest number of pairs for which the fraction that matters can be estimated.
const FEW_PAIRS: usize = 6;
/// The initial standard deviation of a coefficient, in points of share.
const FIRST_SPREAD: f64 = 0.1;
/// The number of coefficients known from the data below which the size of a class cannot be estimated.
const LEAST_KNOWN: f64 = 1e-6;
/// The smallest and largest standard deviation of a coefficient.
const SPREADS: [f64; 2] = [1e-4, 0.5];
/// The standard deviation of the constant, which has a wide prior.
const CONSTANT: f64 = 1.0;
/// The mean of `z²` for evenly spread places.
const MEAN_SQUARE: f64 = 1.0 / 3.0;

/// The meaning of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// The constant.
    Constant,
    /// The place in a dimension.
    Linear(usize),
    /// The square of the place in a dimension.
    Square(usize),
    /// The sum of all squares: the common curvature.
    Bowl,
    /// A word of a dimension.
    Word(usize, usize),
    /// The product of two columns of the terms above: their indices, and their dimensions.
    Pair([usize; 2], [usize; 2]),
}

/// The number of classes of terms, each with coefficients of similar size.
const CLASSES: usize = 4;
/// The index of the class of pairs.
const PAIRS: usize = 3;

impl Term {
    const fn class(self) -> Option<usize> {
        match self {
            Self::Constant | Self::Bowl => None,
            Self::Linear(_) => Some(0),
            Self::Square(_) => Some(1),
            Self::Word(..) => Some(2),
            Self::Pair(..) => Some(PAIRS),
        }
    }
}

/// The sums of all results, from which a surface is fitted.
#[derive(Clone, Debug)]
pub struct Response {
    terms: Vec<Term>,
    /// The number of words by dimension; 0 for an ordered one.
    words: Vec<usize>,
    /// The number of columns, from the first, that a search fits.
    searched: usize,
    /// The summed products of columns: the upper half.
    gram: DMatrix<f64>,
    moment: DVector<f64>,
    /// Points that are added but not yet summed.
    observations: Vec<Observation>,
    /// The number of blocks, and the sums of values and squares.
    n: f64,
    sum: f64,
    squares: f64,
    /// The prior standard deviation of each column's coefficient.
    spreads: Vec<f64>,
}

/// A point that was played.
#[derive(Clone, Debug)]
struct Observation {
    /// The columns of the point.
    row: Vec<f64>,
    /// The number of blocks, and the sum of their values.
    n: f64,
    sum: f64,
}

impl Response {
    /// Creates the sums without results.
    #[must_use]
    pub fn new(space: &Space) -> Self {
        let words: Vec<usize> =
            space
                .dimensions()
                .iter()
                .map(|one| {
                    if one.range.is_ordered() { 0 } else { one.range.size().unwrap_or(0) as usize }
                })
                .collect();
        let mut terms = vec![Term::Constant];
        let mut singles = Vec::new();
        for (i, &words) in words.iter().enumerate() {
            match words {
                0 => {
                    singles.push((terms.len(), i));
                    terms.extend([Term::Linear(i), Term::Square(i)]);
                }
                words => {
                    singles.extend((0..words).map(|word| (terms.len() + word, i)));
                    terms.extend((0..words).map(|word| Term::Word(i, word)));
                }
            }
        }
        terms.push(Term::Bowl);
        // Pairs without words come first: a search fits the front of the columns.
        let mut pairs = [Vec::new(), Vec::new()];
        for (at, &(a, i)) in singles.iter().enumerate() {
            for &(b, j) in singles[at + 1..].iter().filter(|(_, j)| *j != i) {
                pairs[usize::from(words[i] + words[j] > 0)].push(Term::Pair([a, b], [i, j]));
            }
        }
        let mut searched = terms.len();
        for (is_with_words, pairs) in pairs.into_iter().enumerate() {
            if terms.len() + pairs.len() <= MOST_COLUMNS {
                terms.extend(pairs);
                searched = if is_with_words == 0 { terms.len() } else { searched };
            }
        }
        let n = terms.len();
        Self {
            terms,
            words,
            searched,
            gram: DMatrix::zeros(n, n),
            moment: DVector::zeros(n),
            observations: Vec::with_capacity(SUMMED_AT_ONCE),
            n: 0.0,
            sum: 0.0,
            squares: 0.0,
            spreads: Vec::new(),
        }
    }

    /// Returns the number of blocks so far.
    #[must_use]
    pub const fn blocks(&self) -> f64 {
        self.n
    }

    /// Returns true if a fit takes no noticeable time.
    #[must_use]
    pub fn is_quick(&self) -> bool {
        self.terms.len() <= QUICK
    }

    /// Adds the results of a point, a value for each block.
    pub fn add(&mut self, point: &Point, values: &[f64]) {
        self.add_in_part(point, values, 1.0);
    }

    /// Adds the results of a point, with each block weighted by `part`.
    pub fn add_in_part(&mut self, point: &Point, values: &[f64], part: f64) {
        let row = columns(&self.terms, &self.words, point.places());
        let (n, sum) = (part * values.len() as f64, part * values.iter().sum::<f64>());
        self.observations.push(Observation { row, n, sum });
        if self.observations.len() == SUMMED_AT_ONCE {
            self.sum_up();
        }
        self.n += n;
        self.sum += sum;
        self.squares += part * values.iter().map(|value| value * value).sum::<f64>();
    }

    /// Adds pending points to the sums, one after the other, so that the timing does not matter.
    fn sum_up(&mut self) {
        let columns = self.gram.as_mut_slice().chunks_exact_mut(self.terms.len());
        for (i, column) in columns.enumerate() {
            for Observation { row, n, sum } in
                self.observations.iter().filter(|one| one.row[i] != 0.0)
            {
                self.moment[i] += row[i] * sum;
                let part = n * row[i];
                for (entry, y) in column.iter_mut().zip(&row[..=i]) {
                    *entry += part * y;
                }
            }
        }
        self.observations.clear();
    }

    /// Returns the variance of a block, pooled over points.
    fn noise(&self) -> f64 {
        let mean = self.sum / self.n.max(1.0);
        (self.squares / self.n.max(1.0) - mean * mean).max(1e-9)
    }

    /// Returns the surface of best fit; `None` without results.
    pub fn fit(&mut self) -> Option<Fitted> {
        if self.n < 1.0 {
            return None;
        }
        self.sum_up();
        let noise = self.noise();
        let mut classes = [FIRST_SPREAD; CLASSES];
        self.spreads = self.spreads_of(classes);
        let mut fitted = self.solve(noise, self.searched)?;
        for _ in 0..ROUNDS {
            classes = self.evidence(&fitted, classes);
            self.spreads = self.spreads_of(classes);
            fitted = self.solve(noise, self.searched)?;
        }
        let pairs: Vec<usize> =
            (0..self.searched).filter(|&i| self.terms[i].class() == Some(PAIRS)).collect();
        if pairs.len() < FEW_PAIRS {
            return Some(fitted);
        }
        let mut sparse = Sparse::of_which_half_are_there(classes[PAIRS]);
        for _ in 0..SPARSE_ROUNDS {
            let variances = fitted.variances();
            let see = |&i: &usize| {
                Seen::of(fitted.coefficients[i], variances[i], self.spreads[i].powi(2))
            };
            let seen: Vec<Seen> = pairs.iter().map(see).collect();
            sparse.learn(&seen, SPREADS);
            for (&i, seen) in pairs.iter().zip(&seen) {
                self.spreads[i] = sparse.spread(seen).clamp(SPREADS[0], SPREADS[1]);
            }
            fitted = self.solve(noise, self.searched)?;
        }
        Some(fitted)
    }

    /// Returns the standard deviation of each coefficient, from those of the classes.
    fn spreads_of(&self, classes: [f64; CLASSES]) -> Vec<f64> {
        let spread = |term: &Term| term.class().map_or(CONSTANT, |class| classes[class]);
        self.terms.iter().map(spread).collect()
    }

    /// Returns the standard deviations of the classes, after a fit with the previous ones.
    fn evidence(&self, fitted: &Fitted, before: [f64; CLASSES]) -> [f64; CLASSES] {
        let variances = fitted.variances();
        let mut squares = [(0.0, 0.0); CLASSES];
        for (i, term) in self.terms[..self.searched].iter().enumerate() {
            let Some(class) = term.class() else { continue };
            // The fraction of the coefficient that the data determine, and not the prior.
            let known = 1.0 - variances[i] / before[class].powi(2);
            squares[class].0 += fitted.coefficients[i].powi(2);
            squares[class].1 += known.max(0.0);
        }
        squares.map(|(sum, known)| {
            let variance = if known > LEAST_KNOWN { sum / known } else { 0.0 };
            variance.sqrt().clamp(SPREADS[0], SPREADS[1])
        })
    }

    /// Returns the surface of the first `n` columns.
    fn solve(&self, noise: f64, n: usize) -> Option<Fitted> {
        let mut precision = DMatrix::zeros(n, n);
        for i in 0..n {
            for j in 0..=i {
                let value = self.gram[(j, i)] / noise;
                precision[(i, j)] = value;
                precision[(j, i)] = value;
            }
            precision[(i, i)] += 1.0 / self.spreads[i].powi(2);
        }
        let factor = Cholesky::new(precision)?;
        let coefficients = factor.solve(&(self.moment.rows(0, n) / noise));
        let (terms, words) = (self.terms[..n].to_vec(), self.words.clone());
        Some(Fitted { terms, words, coefficients, factor })
    }
}

/// Returns the columns of a point.
fn columns(terms: &[Term], words: &[usize], places: &[f64]) -> Vec<f64> {
    let mut row: Vec<f64> = Vec::with_capacity(terms.len());
    for term in terms {
        let z = |i: usize| 2.0 * places[i] - 1.0;
        let value = match *term {
            Term::Constant => 1.0,
            Term::Linear(i) => z(i),
            Term::Square(i) => z(i) * z(i) - MEAN_SQUARE,
            Term::Bowl => {
                let ordered = (0..places.len()).filter(|&i| words[i] == 0);
                ordered.map(|i| z(i) * z(i) - MEAN_SQUARE).sum()
            }
            Term::Word(i, word) => {
                let n = words[i];
                let level = ((places[i] * n as f64) as usize).min(n - 1);
                if level == word { 1.0 } else { 0.0 }
            }
            Term::Pair([a, b], _) => row[a] * row[b],
        };
        row.push(value);
    }
    row
}

#[cfg(test)]
mod tests {
    use engine::{Purpose, Randomness, rng};

    use super::*;
    use crate::tune::space::{Beyond, Dimension, Range, normal};

    fn space() -> Space {
        let dimension = |name: &str, range: Range, start: &str| Dimension {
            name: name.to_owned(),
            range,
            start: start.to_owned(),
            prior: None,
            beyond: Beyond::default(),
        };
        let number = || Range::Number { low: 0.0, high: 1.0, is_log: false };
        let words = Range::Words(["a", "b", "c"].map(str::to_owned).to_vec());
        Space::new(vec![
            dimension("x", number(), "0.5"),
            dimension("y", number(), "0.5"),
            dimension("w", words, "a"),
        ])
        .unwrap()
    }

    /// Returns a surface with a top at (0.7, 0.3, c) and an interaction.
    fn truth(point: &Point) -> f64 {
        let (x, y) = (point.places()[0] - 0.7, point.places()[1] - 0.3);
        0.1 - 0.4 * (x * x + y * y + x * y) + if point.texts()[2] == "c" { 0.05 } else { 0.0 }
    }

    #[test]
    fn a_planted_surface_is_found_with_its_top_and_its_errors() {
        let space = space();
        let mut stream = rng::stream(11, 0, Purpose::Analysis);
        let mut response = Response::new(&space);
        assert!(response.fit().is_none());
        for _ in 0..6_000 {
            let point = space.draw(&mut stream);
            response.add(&point, &[truth(&point) + 0.3 * normal(&mut stream)]);
        }
        let fitted = response.fit().unwrap();
        let top = space.at(&climb(&space, space.start().places(), |places| fitted.value(places)));
        assert!(truth(&top) > 0.14, "{top:?}: {}", truth(&top));
        // Differences are rarely wrong by more than three standard errors.
        let mut missed = 0;
        for _ in 0..300 {
            let (a, b) = (space.draw(&mut stream), space.draw(&mut stream));
            let (difference, error) = fitted.difference(a.places(), b.places());
            missed += u32::from((difference - truth(&a) + truth(&b)).abs() > 3.0 * error);
        }
        assert!(missed <= 9, "{missed}");
        let _ = stream.below(2);
    }
}
