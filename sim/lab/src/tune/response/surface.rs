//! The reported surface: values of places with standard errors that account for the shared chance of a block's games.
//!
//! **Model.** The columns are those of [`Response`], including pairs with words, with almost no shrinkage. A
//! coefficient has a normal prior as wide as the differences between blocks, so that the data determine the width of
//! an interval. All points of a batch play the same blocks, and the dice of a block affect neighbouring points alike.
//! A block therefore has random effects in addition to the noise of rows: a constant, a slope for each dimension and
//! word, and a bend for each dimension. Each of these three kinds has a variance, estimated from products of residuals
//! of a block. The surface is fitted by generalised least squares (Henderson 1975, doi:10.2307/2529430).
//!
//! **Errors.** The variance of a contrast is that of this model, or the sandwich over blocks if this is larger (Liang
//! and Zeger 1986, doi:10.1093/biomet/73.1.13), which is valid for any dependence within a block. The degrees of
//! freedom are those of the blocks.
//!
//! **Choices.** A report of a parameter's best place less its worst, or of steps from a point chosen by the same
//! games, has looked at all differences along it. Critical values are therefore simultaneous over all of these
//! ([`sim::stats::contrasts`]).
//!
//! **Valid** if the surface is nearly quadratic. A search plays where earlier results were lucky, so its rows are not
//! a fixed design; `docs/tuning-methods.md` has the measured cost for each method.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::{CONSTANT, Response, SPREADS, Term, columns};
use crate::tune::space::{Point, Space};
use sim::stats::Interval;
use sim::stats::contrasts::{all_of_a_space, some_of_a_list};

/// The prior standard deviation of a coefficient, in standard deviations of blocks: almost no shrinkage.
const WIDE: f64 = 2.0;
/// The smallest variance of a row.
const LEAST_NOISE: f64 = 1e-9;
/// The smallest fraction of a row's variance that is not its block's: games of a block are never exactly on a line.
const LEAST_PART: f64 = 0.02;

/// All results of searches, batch by batch.
#[derive(Clone, Debug)]
pub struct Played {
    terms: Vec<Term>,
    words: Vec<usize>,
    batches: Vec<Batch>,
}

/// Points that were played on the same blocks.
#[derive(Clone, Debug)]
struct Batch {
    places: Vec<Vec<f64>>,
    /// Values by point and block.
    values: Vec<Vec<f64>>,
}

impl Batch {
    fn blocks(&self) -> usize {
        self.values[0].len()
    }
}

/// A difference between places by the surface.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Contrast {
    /// The difference.
    pub estimate: f64,
    /// Its standard error.
    pub error: f64,
}

impl Contrast {
    /// Returns the interval for a critical value; `None` without one.
    #[must_use]
    pub fn interval(self, critical: Option<f64>) -> Option<Interval> {
        let half = critical? * self.error;
        Some(Interval { low: self.estimate - half, high: self.estimate + half })
    }
}

/// A surface fitted to all results.
#[derive(Clone, Debug)]
pub struct FittedSurface {
    played: Played,
    coefficients: DVector<f64>,
    factor: Cholesky<f64, Dyn>,
    /// The inverse prior variances of the coefficients.
    before: Vec<f64>,
    /// The score of each block for the coefficients.
    scores: Vec<Vec<f64>>,
}

/// The variance of a row, and the ratios of the variances of block effects to it: constant, slopes, bends.
#[derive(Clone, Copy, Debug)]
struct Noise {
    row: f64,
    ratios: [f64; EFFECTS],
}

/// The number of kinds of block effects.
const EFFECTS: usize = 3;

/// The results along one dimension.
#[derive(Clone, Debug)]
pub struct Along {
    /// The value of each level less that of the first, with its scores by block.
    levels: Vec<Seen>,
    /// The critical value for all differences along the dimension.
    pub critical: Option<f64>,
}

/// A contrast with its scores by block.
#[derive(Clone, Debug)]
struct Seen {
    estimate: f64,
    by_block: Vec<f64>,
    /// The contrast, and its solution by the model: their product is the variance.
    contrast: Vec<f64>,
    solved: Vec<f64>,
    /// The prior part of the variance, by coefficient, in standard deviations of the prior.
    before: Vec<f64>,
}

impl Seen {
    fn less(&self, other: &Self) -> Contrast {
        let squares =
            |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
        let n = self.by_block.len() as f64;
        let sandwich = squares(&self.by_block, &other.by_block) * n / (n - 1.0).max(1.0)
            + squares(&self.before, &other.before);
        let (own, others) =
            (self.contrast.iter().zip(&self.solved), other.contrast.iter().zip(&other.solved));
        let model: f64 = own.zip(others).map(|((c, s), (d, t))| (c - d) * (s - t)).sum();
        let error = sandwich.max(model);
        Contrast { estimate: self.estimate - other.estimate, error: error.sqrt() }
    }
}

impl Along {
    /// Returns the best level, the worst level, and the best less the worst. The interval accounts for the selection:
    /// it reaches from the largest lower end to the largest upper end of all differences of two levels.
    #[must_use]
    pub fn range(&self) -> (usize, usize, f64, Option<Interval>) {
        let worth = |&i: &usize| self.levels[i].estimate;
        let by_worth = |a: &usize, b: &usize| worth(a).total_cmp(&worth(b));
        let best = (0..self.levels.len()).max_by(by_worth).unwrap_or(0);
        let worst = (0..self.levels.len()).min_by(by_worth).unwrap_or(0);
        let pairs = self.levels.iter().flat_map(|a| self.levels.iter().map(|b| a.less(b)));
        let all = pairs.map(|contrast| contrast.interval(self.critical));
        let interval = all.reduce(|a, b| {
            let (a, b) = (a?, b?);
            Some(Interval { low: a.low.max(b.low), high: a.high.max(b.high) })
        });
        (best, worst, worth(&best) - worth(&worst), interval.flatten())
    }
}

impl Played {
    /// Creates an empty set of results.
    #[must_use]
    pub fn new(space: &Space) -> Self {
        let Response { terms, words, .. } = Response::new(space);
        Self { terms, words, batches: Vec::new() }
    }

    /// Adds points that played the same blocks: for each a value for each block.
    pub fn add(&mut self, points: &[Point], values: Vec<Vec<f64>>) {
        if values.first().is_some_and(|values| !values.is_empty()) {
            let places = points.iter().map(|point| point.places().to_vec()).collect();
            self.batches.push(Batch { places, values });
        }
    }

    /// Returns the rows of a batch.
    fn rows(&self, batch: &Batch) -> Vec<Vec<f64>> {
        batch.places.iter().map(|places| columns(&self.terms, &self.words, places)).collect()
    }

    /// Returns the variance of all values.
    fn variance(&self) -> f64 {
        let all = || self.batches.iter().flat_map(|batch| batch.values.iter().flatten());
        let n = all().count().max(1) as f64;
        let mean = all().sum::<f64>() / n;
        (all().map(|value| (value - mean).powi(2)).sum::<f64>() / n).max(LEAST_NOISE)
    }

    /// Returns the kind of block effects that a column belongs to.
    const fn effect(term: Term) -> Option<usize> {
        match term {
            Term::Constant => Some(0),
            Term::Linear(_) | Term::Word(..) => Some(1),
            Term::Square(_) => Some(2),
            Term::Bowl | Term::Pair(..) => None,
        }
    }

    /// Returns the products of two rows, by kind of block effects.
    fn common(&self, a: &[f64], b: &[f64]) -> [f64; EFFECTS] {
        let mut common = [0.0; EFFECTS];
        for (term, (a, b)) in self.terms.iter().zip(a.iter().zip(b)) {
            if let Some(effect) = Self::effect(*term) {
                common[effect] += a * b;
            }
        }
        common
    }

    /// Returns the factor of the covariance of a block's rows.
    fn covariance(&self, rows: &[Vec<f64>], noise: Noise) -> Option<Cholesky<f64, Dyn>> {
        let m = rows.len();
        Cholesky::new(DMatrix::from_fn(m, m, |i, j| {
            let shared = dot(&self.common(&rows[i], &rows[j]), &noise.ratios);
            noise.row * (shared + f64::from(u8::from(i == j)))
        }))
    }

    /// Returns the coefficients and the factor of their precision.
    fn solve(&self, noise: Noise, before: &[f64]) -> Option<(DVector<f64>, Cholesky<f64, Dyn>)> {
        let p = self.terms.len();
        let mut precision = DMatrix::from_diagonal(&DVector::from_row_slice(before));
        let mut moment = DVector::zeros(p);
        for batch in &self.batches {
            let rows = self.rows(batch);
            let covariance = self.covariance(&rows, noise)?;
            // The columns of the rows, each divided by the covariance.
            let column =
                |i: usize| DVector::from_iterator(rows.len(), rows.iter().map(|row| row[i]));
            let weighed: Vec<DVector<f64>> = (0..p).map(|i| covariance.solve(&column(i))).collect();
            let sums: Vec<f64> = batch.values.iter().map(|values| values.iter().sum()).collect();
            for (j, weighed) in weighed.iter().enumerate() {
                moment[j] += dot(weighed.as_slice(), &sums);
                for (row, weight) in rows.iter().zip(weighed.iter()) {
                    let weight = weight * batch.blocks() as f64;
                    (j..p).for_each(|i| precision[(i, j)] += weight * row[i]);
                }
            }
        }
        precision.fill_upper_triangle_with_lower_triangle();
        let factor = Cholesky::new(precision)?;
        Some((factor.solve(&moment), factor))
    }

    /// Returns the residual of each value of a batch, by block and point.
    fn residuals(rows: &[Vec<f64>], batch: &Batch, coefficients: &DVector<f64>) -> Vec<Vec<f64>> {
        let fitted: Vec<f64> = rows.iter().map(|row| dot(row, coefficients.as_slice())).collect();
        let of_block = |block: usize| {
            let each = batch.values.iter().zip(&fitted);
            each.map(|(values, fitted)| values[block] - fitted).collect()
        };
        (0..batch.blocks()).map(of_block).collect()
    }

    /// Returns the variances of rows and of block effects, by least squares on the products of residuals of the same
    /// block; negative ones become 0.
    fn noise(&self, coefficients: &DVector<f64>) -> Noise {
        let (mut left, mut right) = ([[0.0; EFFECTS]; EFFECTS], [0.0; EFFECTS]);
        let (mut total, mut own, mut n) = (0.0, [0.0; EFFECTS], 0.0);
        for batch in &self.batches {
            let rows = self.rows(batch);
            let all = Self::residuals(&rows, batch, coefficients);
            for (i, row) in rows.iter().enumerate() {
                let with_itself = self.common(row, row);
                own.iter_mut().zip(with_itself).for_each(|(sum, x)| *sum += x * all.len() as f64);
                total += all.iter().map(|residuals| residuals[i].powi(2)).sum::<f64>();
                n += all.len() as f64;
                for (j, other) in rows.iter().enumerate().skip(i + 1) {
                    let common = self.common(row, other);
                    let product: f64 =
                        all.iter().map(|residuals| residuals[i] * residuals[j]).sum();
                    for a in 0..EFFECTS {
                        right[a] += common[a] * product;
                        (0..EFFECTS).for_each(|b| {
                            left[a][b] += common[a] * common[b] * all.len() as f64;
                        });
                    }
                }
            }
        }
        let variances = not_below_zero(&left, &right);
        let of_blocks = dot(&variances, &own) / n;
        let row = (total / n - of_blocks).max(LEAST_PART * total / n).max(LEAST_NOISE);
        Noise { row, ratios: variances.map(|variance| variance / row) }
    }

    /// Fits the surface; `None` without results.
    #[must_use]
    pub fn fit(self) -> Option<FittedSurface> {
        if self.batches.is_empty() {
            return None;
        }
        let variance = self.variance();
        let wide = SPREADS[1].max(WIDE * variance.sqrt());
        let spread = |term: &Term| if *term == Term::Constant { CONSTANT.max(wide) } else { wide };
        let before: Vec<f64> = self.terms.iter().map(|term| spread(term).powi(-2)).collect();
        let alone = Noise { row: variance, ratios: [0.0; EFFECTS] };
        let (first, _) = self.solve(alone, &before)?;
        let noise = self.noise(&first);
        let (coefficients, factor) = self.solve(noise, &before)?;
        let scores = self.scores(noise, &coefficients)?;
        Some(FittedSurface { played: self, coefficients, factor, before, scores })
    }

    /// Returns the score of each block for the coefficients.
    fn scores(&self, noise: Noise, coefficients: &DVector<f64>) -> Option<Vec<Vec<f64>>> {
        let mut all = Vec::new();
        for batch in &self.batches {
            let rows = self.rows(batch);
            let covariance = self.covariance(&rows, noise)?;
            for residuals in Self::residuals(&rows, batch, coefficients) {
                let weighed = covariance.solve(&DVector::from_vec(residuals));
                let mut score = vec![0.0; self.terms.len()];
                for (row, weighed) in rows.iter().zip(weighed.iter()) {
                    score.iter_mut().zip(row).for_each(|(entry, x)| *entry += weighed * x);
                }
                all.push(score);
            }
        }
        Some(all)
    }
}

/// Returns the non-negative numbers that solve `left · numbers = right` best: those that would be negative are
/// omitted.
fn not_below_zero(left: &[[f64; EFFECTS]; EFFECTS], right: &[f64; EFFECTS]) -> [f64; EFFECTS] {
    let mut is_in = [true; EFFECTS];
    for _ in 0..=EFFECTS {
        let places: Vec<usize> = (0..EFFECTS).filter(|&i| is_in[i]).collect();
        let n = places.len();
        if n == 0 {
            break;
        }
        let matrix = DMatrix::from_fn(n, n, |i, j| left[places[i]][places[j]]);
        let solved = matrix.lu().solve(&DVector::from_fn(n, |i, _| right[places[i]]));
        let mut found = [0.0; EFFECTS];
        // If two effects cannot be separated, the constant alone is estimated.
        let Some(solved) = solved else {
            is_in[places[n - 1]] = false;
            continue;
        };
        places.iter().zip(solved.iter()).for_each(|(&i, x)| found[i] = *x);
        let least = (0..EFFECTS).min_by(|&a, &b| found[a].total_cmp(&found[b])).unwrap_or(0);
        if found[least] >= 0.0 {
            return found;
        }
        is_in[least] = false;
    }
    [0.0; EFFECTS]
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl FittedSurface {
    fn seen(&self, contrast: &[f64]) -> Seen {
        let solved = self.factor.solve(&DVector::from_row_slice(contrast));
        let solved = solved.as_slice();
        Seen {
            estimate: dot(contrast, self.coefficients.as_slice()),
            by_block: self.scores.iter().map(|score| dot(score, solved)).collect(),
            before: solved.iter().zip(&self.before).map(|(a, before)| a * before.sqrt()).collect(),
            contrast: contrast.to_vec(),
            solved: solved.to_vec(),
        }
    }

    /// Returns the degrees of freedom of variances: blocks less those used by the block effects.
    fn degrees(&self) -> f64 {
        self.scores.len().saturating_sub(EFFECTS) as f64
    }

    fn row(&self, places: &[f64]) -> Vec<f64> {
        columns(&self.played.terms, &self.played.words, places)
    }

    fn between(&self, places: &[f64], others: &[f64]) -> Vec<f64> {
        self.row(places).iter().zip(self.row(others)).map(|(a, b)| a - b).collect()
    }

    /// Returns the values of `levels` along a dimension; an ordered dimension has a quadratic shape. There is at least
    /// one level, and each is a complete list of places.
    #[must_use]
    pub fn along(&self, levels: &[Vec<f64>], is_ordered: bool) -> Along {
        let seen = |places: &Vec<f64>| self.seen(&self.between(places, &levels[0]));
        let (n, last) = (levels.len(), levels.len() - 1);
        let degrees = self.degrees();
        let freedom = if is_ordered { last.min(2) } else { last };
        let all = all_of_a_space(freedom, degrees);
        let critical = if is_ordered {
            all
        } else {
            let list = some_of_a_list(n * last / 2, degrees);
            all.map_or(list, |all| list.map(|list| list.min(all)))
        };
        Along { levels: levels.iter().map(seen).collect(), critical }
    }

    /// Returns the value of `places` less that of `others`.
    #[must_use]
    pub fn difference(&self, places: &[f64], others: &[f64]) -> Contrast {
        let none = vec![0.0; self.before.len()];
        self.seen(&self.between(places, others)).less(&self.seen(&none))
    }

    /// Returns the interaction of two dimensions as a contrast, with the number of candidates: the contrast is the one
    /// of largest size among the parts of the joint value that are not the sum of both. There is one candidate if both
    /// are ordered, otherwise one for each word or pair of words, relative to the mean of the words. `None` if there
    /// are too many dimensions for pairs.
    #[must_use]
    pub fn interaction(&self, i: usize, j: usize) -> Option<(Vec<f64>, usize)> {
        let words = &self.played.words;
        let terms = self.played.terms.iter().enumerate();
        let theirs: Vec<usize> = terms
            .filter(|(_, term)| matches!(term, Term::Pair(_, of) if *of == [i, j]))
            .map(|(at, _)| at)
            .collect();
        let (rows, across) = (words[i].max(1), words[j].max(1));
        if theirs.is_empty() || theirs.len() != rows * across {
            return None;
        }
        // The part above the mean of the words, if there are any.
        let part = |n: usize, at: usize, of: usize| {
            f64::from(u8::from(at == of)) - if n > 1 { 1.0 / n as f64 } else { 0.0 }
        };
        let contrast = |which: usize| {
            let mut contrast = vec![0.0; self.before.len()];
            for (k, &at) in theirs.iter().enumerate() {
                contrast[at] = part(rows, k / across, which / across)
                    * part(across, k % across, which % across);
            }
            contrast
        };
        let size = |contrast: &Vec<f64>| self.value(contrast).abs();
        let all = (0..theirs.len()).map(contrast);
        let largest = all.max_by(|a, b| size(a).total_cmp(&size(b)))?;
        Some((largest, theirs.len()))
    }

    /// Returns the estimate of a contrast of the coefficients.
    #[must_use]
    pub fn value(&self, contrast: &[f64]) -> f64 {
        dot(contrast, self.coefficients.as_slice())
    }

    /// Returns a contrast of the coefficients with its interval, simultaneous over `of` contrasts.
    #[must_use]
    pub fn contrast(&self, contrast: &[f64], of: usize) -> (f64, Option<Interval>) {
        let none = vec![0.0; self.before.len()];
        let found = self.seen(contrast).less(&self.seen(&none));
        (found.estimate, found.interval(some_of_a_list(of, self.degrees())))
    }
}

#[cfg(test)]
mod tests {
    use engine::{Purpose, rng};

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

    /// Returns the surface of batches of 16 points on two blocks with effects as large as the noise; `truth` is the
    /// value of a point.
    fn fitted(address: u64, truth: impl Fn(&Point) -> f64) -> FittedSurface {
        let (space, mut stream) = (space(), rng::stream(13, address, Purpose::Analysis));
        let mut played = Played::new(&space);
        for _ in 0..40 {
            let points: Vec<Point> = (0..16).map(|_| space.draw(&mut stream)).collect();
            let blocks = [normal(&mut stream), normal(&mut stream)];
            let mut value =
                |point: &Point, block: f64| truth(point) + 0.3 * block + 0.3 * normal(&mut stream);
            let values = points.iter().map(|point| blocks.map(|b| value(point, b)).to_vec());
            played.add(&points, values.collect());
        }
        played.fit().unwrap()
    }

    fn levels(at: usize) -> Vec<Vec<f64>> {
        let space = space();
        let one = &space.dimensions()[at];
        let levels = one.range.levels(if one.range.is_ordered() { 9 } else { 3 });
        levels
            .iter()
            .map(|&place| space.with(&space.start(), at, place).places().to_vec())
            .collect()
    }

    #[test]
    fn what_is_worth_nothing_is_told_to_be_worth_something_in_five_of_a_hundred_fits_at_most() {
        let (mut false_ranges, mut false_pairs, mut n) = (0, 0, 0);
        for address in 0..60 {
            let fitted = fitted(address, |_| 0.0);
            for at in 0..3 {
                let along = fitted.along(&levels(at), at < 2);
                let (_, _, range, interval) = along.range();
                let interval = interval.unwrap();
                assert!(range > 0.0 && interval.contains(range), "{range} {interval:?}");
                false_ranges += u32::from(interval.low > 0.0);
                let pair = [(0, 1), (0, 2), (1, 2)][at];
                let (largest, of) = fitted.interaction(pair.0, pair.1).unwrap();
                let (_, interval) = fitted.contrast(&largest, of);
                false_pairs += u32::from(!interval.unwrap().contains(0.0));
                n += 1;
            }
        }
        // Three standard errors above 5 % of 180 are 17.8.
        assert!(
            n == 180 && false_ranges <= 17 && false_pairs <= 17,
            "{false_ranges} {false_pairs}"
        );
    }

    #[test]
    fn a_planted_surface_is_told_with_its_slopes_pairs_and_words() {
        let truth = |point: &Point| {
            let [x, y] = [point.places()[0], point.places()[1]];
            0.4 * x + 0.3 * (x - 0.5) * (y - 0.5) + if point.texts()[2] == "c" { 0.2 } else { 0.0 }
        };
        let (mut found, mut held) = (0, 0);
        for address in 0..20 {
            let fitted = fitted(100 + address, truth);
            let mut hears = |truth: f64, interval: Option<Interval>, is_found: bool| {
                let interval = interval.unwrap();
                held += u32::from(interval.contains(truth));
                found += u32::from(!is_found || !interval.contains(0.0));
            };
            let (_, _, _, slope) = fitted.along(&levels(0), true).range();
            hears(0.4, slope, true);
            let (best, _, _, words) = fitted.along(&levels(2), false).range();
            assert_eq!(best, 2);
            hears(0.2, words, true);
            let (pair, of) = fitted.interaction(0, 1).unwrap();
            // 0.3 x y is 0.075 in z.
            let (_, interval) = fitted.contrast(&pair, of);
            hears(0.075, interval, false);
        }
        assert!(held >= 54 && found >= 54, "{held} {found}");
    }
}
