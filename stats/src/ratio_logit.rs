//! Conditional logit with utilities that are ratios of linear functions: evaluations divided by a scale that is also
//! fitted.
//!
//! **Model.** Around a point, alternative a of a case has the utility `u_a = b · (v_a + j_a·x) / (s + k·x)` after steps
//! x of the weights. Here v is the value, s the scale, and j and k are their derivatives at the point. The factor b is
//! known (1) or fitted, one for each group of cases. The probability is `e^{u_a} / Σ_c e^{u_c}` (McFadden 1974).
//!
//! A common factor of values and scale changes no probability. A linear model of u is right only at the point: where
//! the prior is weak, weights drift along the factor and their errors are wrong. The ratio is right everywhere.
//!
//! **Fit.** The likelihood of the targets, with a separate Gaussian prior for each weight, is maximised by Newton's
//! method within the range of each weight ([`super::newton`]). Curvatures are exact and include the bend of the ratio.
//! Steps leave the bend out where the whole curvature is not that of a maximum.
//!
//! **Errors** are those of a jackknife over clusters, each left out by one Newton step: the weights move by
//! `−(A − A_c)⁻¹ s_c` with the curvature A at the optimum, prior included, and score `s_c` and curvature `A_c` of the
//! cluster ([`super::influence`]). Weights at an end of their range are constants for the others. Such a weight gets
//! the error that it would have without its own end.
//!
//! **Valid** at a point that is the optimum, with dozens of clusters more than weights.

use nalgebra::{Cholesky, DMatrix, DVector};

use super::conditional_logit::{Prior, softmax};
use super::influence::{half_width, moving};
use super::newton::{self, Slope, maximise_within};

/// The smallest part of itself to which a scale may fall; below, the ratio around the point is no valid model.
const LEAST_SCALE: f64 = 0.1;

/// An observed case: alternatives of which one is chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// The cluster of the case: cases of one cluster are not independent.
    pub cluster: u64,
    /// The group of cases that share one b.
    pub group: usize,
    /// The value of each alternative at the point.
    pub values: Vec<f64>,
    /// The derivatives of the values by each weight, alternative by alternative.
    pub slopes: Vec<f32>,
    /// The scale at the point.
    pub scale: f64,
    /// The derivative of the scale by each weight; empty if it is a constant.
    pub scale_slopes: Vec<f32>,
    /// The share in which each alternative was chosen.
    pub targets: Vec<f64>,
}

impl Default for Case {
    /// Returns a case without alternatives, with the scale 1.
    fn default() -> Self {
        Self {
            cluster: 0,
            group: 0,
            values: Vec::new(),
            slopes: Vec::new(),
            scale: 1.0,
            scale_slopes: Vec::new(),
            targets: Vec::new(),
        }
    }
}

impl Case {
    /// Returns the derivatives of the values, alternative by alternative.
    pub fn rows(&self, n: usize) -> impl Iterator<Item = &[f32]> + Clone {
        (0..self.values.len()).map(move |a| &self.slopes[a * n..(a + 1) * n])
    }

    /// Returns the values and the scale after steps `by` of the weights.
    fn moved(&self, by: &[f64]) -> (Vec<f64>, f64) {
        let value = |(value, slopes): (&f64, &[f32])| value + dot(slopes, by);
        let values = self.values.iter().zip(self.rows(by.len())).map(value).collect();
        (values, self.scale + dot(&self.scale_slopes, by))
    }

    /// Returns the utilities of the alternatives after steps `by` of the weights; `odds` is the utility of a unit of
    /// the ratio.
    #[must_use]
    pub fn utilities(&self, by: &[f64], odds: f64) -> Vec<f64> {
        let (values, scale) = self.moved(by);
        values.into_iter().map(|value| odds * value / scale).collect()
    }

    /// Returns the log loss of these utilities, infinite if `scale` has fallen too far.
    fn lost(&self, utilities: &[f64], scale: f64) -> f64 {
        let is_near = scale >= LEAST_SCALE * self.scale;
        if is_near { surprise(utilities, &self.targets) } else { f64::INFINITY }
    }
}

fn dot(slopes: &[f32], by: &[f64]) -> f64 {
    slopes.iter().zip(by).map(|(slope, by)| f64::from(*slope) * by).sum()
}

/// Returns the log loss `−Σ y ln p` over alternatives with these utilities; it stays finite for unlikely outcomes.
#[must_use]
pub fn surprise(utilities: &[f64], targets: &[f64]) -> f64 {
    let most = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let all = most + utilities.iter().map(|u| (u - most).exp()).sum::<f64>().ln();
    utilities.iter().zip(targets).map(|(u, y)| y * (all - u)).sum()
}

/// The effective number of clusters, pulling one way, below which a weight is not estimated.
pub const FEWEST: f64 = 5.0;

/// The estimated precision of a weight.
#[derive(Clone, PartialEq, Debug)]
pub struct Known {
    /// The half width of its 95 % interval, in steps.
    pub half: f64,
    /// The share of the cases in the weight's position, from 0 (the prior alone) to 1; ends of ranges are ignored.
    pub share: f64,
    /// The effective number of clusters that pull the weight each way (Kish); the smaller of both directions.
    pub pulling: f64,
    /// The moves of all steps for a unit step of this weight, along the path where the likelihood falls least.
    pub path: Vec<f64>,
}

/// Cases around the point of their linearisation.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// The cases; those of a cluster are adjacent.
    pub cases: &'a [&'a Case],
    /// The number of steps in a unit of each weight.
    pub units: &'a [f64],
    /// The value of b at the point, by group.
    pub odds: &'a [f64],
    /// True if b is fitted.
    pub fits_odds: bool,
    /// The prior of the steps: of the weights, then of the logarithms of b if they are fitted.
    pub prior: &'a Prior,
    /// The ranges of the steps.
    pub ends: &'a [(f64, f64)],
}

impl Around<'_> {
    /// Returns the steps to the optimum; they are 0 if the point is the optimum.
    #[must_use]
    pub fn fit(&self) -> Vec<f64> {
        let start = DVector::zeros(self.prior.centre.len());
        let size = self.cases.len().max(1) as f64;
        maximise_within(start, size, self.ends, |steps| self.slope(steps)).as_slice().to_vec()
    }

    /// Returns the penalised log likelihood after `steps`.
    #[must_use]
    pub fn value(&self, steps: &[f64]) -> f64 {
        let by = self.natural(steps);
        let one =
            |case: &&Case| surprise(&case.utilities(&by, self.odds_of(case, steps)), &case.targets);
        -self.cases.iter().map(one).sum::<f64>() - self.penalty(steps)
    }

    fn penalty(&self, steps: &[f64]) -> f64 {
        let prior = steps.iter().zip(&self.prior.centre).zip(&self.prior.tightness);
        0.5 * prior.map(|((x, centre), t)| t * (x - centre).powi(2)).sum::<f64>()
    }

    /// Returns the steps in the units of the weights.
    fn natural(&self, steps: &[f64]) -> Vec<f64> {
        steps.iter().zip(self.units).map(|(x, unit)| x / unit).collect()
    }

    fn odds_of(&self, case: &Case, steps: &[f64]) -> f64 {
        let more = if self.fits_odds { steps[self.units.len() + case.group].exp() } else { 1.0 };
        self.odds[case.group] * more
    }

    /// Returns the penalised log likelihood after `steps`, with its derivatives.
    fn slope(&self, steps: &DVector<f64>) -> Slope {
        let steps = steps.as_slice();
        let by = self.natural(steps);
        let mut all = newton::sum(self.cases, steps.len(), |case, slope| {
            let bend = Bend::new(self, case, &by, self.odds_of(case, steps));
            bend.add_to(slope);
        });
        all.value -= self.penalty(steps);
        for (i, step) in steps.iter().enumerate() {
            let tightness = self.prior.tightness[i];
            all.gradient[i] -= tightness * (step - self.prior.centre[i]);
            all.curvature[(i, i)] += tightness;
        }
        all
    }

    /// Returns the precision of each step, weights first, if the point is the optimum.
    ///
    /// It is `None` where the cases contain no information.
    #[must_use]
    pub fn known(&self) -> Vec<Option<Known>> {
        let size = self.prior.centre.len();
        let scores = self.scores();
        let pulls = |i: usize| -> Vec<f64> { scores.iter().map(|(score, _)| score[i]).collect() };
        let pulling: Vec<f64> = (0..size).map(|i| moving(&pulls(i))).collect();
        let here = self.slope(&DVector::zeros(size));
        let (convex, curvature) = (here.curvature.clone(), whole(here));
        let is = |of: fn(f64, f64) -> bool| move |i: &usize| of(self.ends[*i].0, self.ends[*i].1);
        let stopped = is(|low, high| low >= 0.0 || high <= 0.0);
        let held = is(|low, high| low >= 0.0 && high <= 0.0);
        // A weight about which few clusters contain information is a constant for the others.
        let ranging: Vec<usize> = (0..size).filter(|i| !held(i) && pulling[*i] >= FEWEST).collect();
        let free: Vec<usize> = ranging.iter().copied().filter(|i| !stopped(i)).collect();
        let inner = Leaving::new(&curvature, free.clone(), None);
        // First all weights as if without ends; then each weight that an end stops, together with the free ones.
        let all = Leaving::new(&convex, ranging.clone(), None);
        let own = (0..size).filter(|i| !held(i) && !free.contains(i)).filter_map(|i| {
            let with = (0..size).filter(|own| free.contains(own) || *own == i);
            let with: Vec<usize> = with.collect();
            // Beyond an end the point is no optimum, and the whole curvature may have the wrong sign.
            let whole = Leaving::new(&curvature, with.clone(), Some(i));
            whole.or_else(|| Leaving::new(&convex, with, Some(i)))
        });
        let leaving: Vec<Leaving> = inner.into_iter().chain(own).collect();
        let of = |i: usize| {
            let from = leaving.iter().find(|leaving| leaving.is_of(i))?;
            let at = from.place(i)?;
            let inverse = all.as_ref().filter(|all| all.is_of(i)).unwrap_or(from);
            let bend = inverse.inverse[(inverse.place(i)?, inverse.place(i)?)];
            let mut path = vec![0.0; size];
            let row = from.inverse.column(at);
            from.some.iter().zip(row.iter()).for_each(|(&j, x)| path[j] = x / row[at]);
            let moves: Vec<f64> = scores
                .iter()
                .map(|(score, curvature)| from.left_out(score, curvature)[at])
                .collect();
            Some(Known {
                half: half_width(&moves)?,
                share: (1.0 - self.prior.tightness[i] * bend).clamp(0.0, 1.0),
                pulling: pulling[i],
                path,
            })
        };
        (0..size).map(of).collect()
    }

    /// Returns, by cluster, its score at the point and its curvature without the bend.
    fn scores(&self) -> Vec<(DVector<f64>, DMatrix<f64>)> {
        let (by, size) = (vec![0.0; self.units.len()], self.prior.centre.len());
        let one = |cluster: &[&Case]| {
            let mut slope = Slope::zero(size);
            for case in cluster {
                Bend::new(self, case, &by, self.odds[case.group]).add_to(&mut slope);
            }
            (slope.gradient, slope.curvature)
        };
        self.cases.chunk_by(|a, b| a.cluster == b.cluster).map(one).collect()
    }
}

/// Returns the whole curvature of a slope.
fn whole(mut slope: Slope) -> DMatrix<f64> {
    if let Some(bend) = slope.bend.take() {
        slope.curvature += bend;
    }
    slope.curvature
}

/// A set of weights from which clusters are left out.
struct Leaving {
    some: Vec<usize>,
    /// The single weight that this set serves; all its weights if `None`.
    of: Option<usize>,
    curvature: DMatrix<f64>,
    inverse: DMatrix<f64>,
}

impl Leaving {
    /// Returns the set; `None` if the point is no optimum of these weights.
    fn new(curvature: &DMatrix<f64>, some: Vec<usize>, of: Option<usize>) -> Option<Self> {
        let curvature = curvature.select_rows(&some).select_columns(&some);
        let inverse = Cholesky::new(curvature.clone())?.inverse();
        Some(Self { some, of, curvature, inverse })
    }

    fn is_of(&self, weight: usize) -> bool {
        self.of.map_or_else(|| self.some.contains(&weight), |own| own == weight)
    }

    fn place(&self, weight: usize) -> Option<usize> {
        self.some.iter().position(|own| *own == weight)
    }

    /// Returns the moves of the weights without a cluster.
    fn left_out(&self, score: &DVector<f64>, curvature: &DMatrix<f64>) -> DVector<f64> {
        let score = score.select_rows(&self.some);
        let left = &self.curvature - curvature.select_rows(&self.some).select_columns(&self.some);
        let moves = Cholesky::new(left).map(|factor| factor.solve(&score));
        -moves.unwrap_or_else(|| &self.inverse * score)
    }
}

/// A case with the derivatives of its utilities.
struct Bend<'a> {
    case: &'a Case,
    /// The number of weights, and the place of ln b among the steps.
    n: usize,
    odds_at: Option<usize>,
    units: &'a [f64],
    scale: f64,
    utilities: Vec<f64>,
    chances: Vec<f64>,
    /// The derivatives of each utility by the steps of the weights, then by ln b.
    gradients: Vec<f64>,
}

impl<'a> Bend<'a> {
    fn new(around: &Around<'a>, case: &'a Case, by: &[f64], odds: f64) -> Self {
        let n = by.len();
        let (values, scale) = case.moved(by);
        let utilities: Vec<f64> = values.iter().map(|value| odds * value / scale).collect();
        let mut chances = utilities.clone();
        softmax(&mut chances);
        let mut gradients = Vec::with_capacity(values.len() * (n + 1));
        for (utility, slopes) in utilities.iter().zip(case.rows(n)) {
            let k = |i: usize| case.scale_slopes.get(i).copied().map_or(0.0, f64::from);
            let one = |(i, slope): (usize, &f32)| {
                (odds * f64::from(*slope) - utility * k(i)) / (scale * around.units[i])
            };
            gradients.extend(slopes.iter().enumerate().map(one));
            gradients.push(*utility);
        }
        let odds_at = around.fits_odds.then_some(n + case.group);
        Self { case, n, odds_at, units: around.units, scale, utilities, chances, gradients }
    }

    /// Returns the place among the steps of the derivative at `i`.
    fn place(&self, i: usize) -> Option<usize> {
        if i < self.n { Some(i) } else { self.odds_at }
    }

    fn of(&self, alternative: usize) -> &[f64] {
        &self.gradients[alternative * (self.n + 1)..(alternative + 1) * (self.n + 1)]
    }

    /// Returns the residuals by alternative: the target minus the probability.
    fn rests(&self) -> impl Iterator<Item = f64> + '_ {
        self.case.targets.iter().zip(&self.chances).map(|(y, p)| y - p)
    }

    fn add_score(&self, score: &mut DVector<f64>) {
        for (a, rest) in self.rests().enumerate() {
            for (i, x) in self.of(a).iter().enumerate() {
                if let Some(at) = self.place(i) {
                    score[at] += rest * x;
                }
            }
        }
    }

    fn add_to(&self, slope: &mut Slope) {
        slope.value -= self.case.lost(&self.utilities, self.scale);
        self.add_score(&mut slope.gradient);
        let mut mean = vec![0.0; self.n + 1];
        for (a, p) in self.chances.iter().enumerate() {
            mean.iter_mut().zip(self.of(a)).for_each(|(mean, x)| *mean += p * x);
        }
        let mut away = vec![0.0; self.n + 1];
        for (a, p) in self.chances.iter().enumerate() {
            for (away, (x, mean)) in away.iter_mut().zip(self.of(a).iter().zip(&mean)) {
                *away = x - mean;
            }
            for i in (0..=self.n).filter(|&i| away[i] != 0.0) {
                let Some(row) = self.place(i) else { continue };
                let scaled = p * away[i];
                // Only the lower triangle is read.
                for (j, other) in away.iter().enumerate().take(i + 1) {
                    let column = if j < self.n { j } else { row };
                    slope.curvature[(row, column)] += scaled * other;
                }
            }
        }
        self.add_bend(slope);
    }

    /// Adds the second derivatives of the utilities, weighted by the residuals.
    ///
    /// They are `∂²u/∂x_i∂x_j = −(u_i k_j + u_j k_i)/s` with first derivatives `u_i`, `∂²u/∂x_i∂ln b = u_i` and
    /// `∂²u/∂(ln b)² = u`.
    fn add_bend(&self, slope: &mut Slope) {
        let mut sums = vec![0.0; self.n + 1];
        for (a, rest) in self.rests().enumerate() {
            sums.iter_mut().zip(self.of(a)).for_each(|(sum, x)| *sum += rest * x);
        }
        let k = self.case.scale_slopes.iter().zip(self.units);
        let k: Vec<f64> = k.map(|(k, unit)| f64::from(*k) / (unit * self.scale)).collect();
        let bend = slope.bend_mut();
        for i in (0..k.len()).filter(|&i| sums[i] != 0.0 || k[i] != 0.0) {
            for j in 0..=i {
                bend[(i, j)] += sums[i] * k[j] + sums[j] * k[i];
            }
        }
        if let Some(at) = self.odds_at {
            for (i, sum) in sums.iter().enumerate().take(self.n) {
                bend[(at, i)] -= sum;
            }
            bend[(at, at)] -= sums[self.n];
        }
    }
}
