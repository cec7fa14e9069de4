//! Conditional logit whose utilities are ratios of what is linear in the weights: evaluations divided by a scale that is
//! itself fitted.
//!
//! **Model.** Around a point, alternative a of a case has the utility `u_a = b · (v_a + j_a·x) / (s + k·x)` after steps x of
//! the weights, with the value v, the scale s and their derivatives j and k at the point; b is known (1) or fitted, one
//! for each group of cases. The probability is `e^{u_a} / Σ_c e^{u_c}` (McFadden 1974).
//!
//! Whoever multiplies values and scale by the same factor changes no probability. As a linear model of u that is true at
//! the point only, and where the prior is weak weights drift along the factor, with errors that are wrong; as a ratio it is
//! true everywhere.
//!
//! **Fit.** The likelihood of the targets with a Gaussian prior of its own for each weight, by Newton's method within the
//! range of each weight ([`super::newton`]). Curvatures are exact, the bend of the ratio included, which steps leave out where
//! the whole is not that of a maximum.
//!
//! **Errors** are those of a jackknife over clusters, each left out by one step of Newton's method: the weights move by
//! `−(A − A_c)⁻¹ s_c` with the curvature A at the optimum, prior included, and score `s_c` and curvature `A_c` of the cluster
//! ([`super::influence`]). Weights that an end of their range stops are constants for the others; the error of such a
//! weight is the one that it had without its own end.
//!
//! **Valid** for clusters by the dozen more than weights, at a point that is the optimum.

use nalgebra::{Cholesky, DMatrix, DVector};

use super::conditional_logit::{Prior, softmax};
use super::influence::{half_width, moving};
use super::newton::{self, Slope, maximise_within};

/// A scale falls to this part of itself at the least: below, the ratio around the point is no model of anything.
const LEAST_SCALE: f64 = 0.1;

/// A case: alternatives of which one is chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// What it depends on: cases of one cluster are not independent.
    pub cluster: u64,
    /// The group that has one b.
    pub group: usize,
    /// By alternative, the value at the point.
    pub values: Vec<f64>,
    /// By alternative, the derivative of the value by each weight.
    pub slopes: Vec<f32>,
    /// The scale at the point.
    pub scale: f64,
    /// The derivative of the scale by each weight; empty if it is a constant.
    pub scale_slopes: Vec<f32>,
    /// By alternative, the share in which it was chosen.
    pub targets: Vec<f64>,
}

impl Default for Case {
    /// A case without alternatives, whose scale is 1.
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
    /// The derivatives of the values, alternative by alternative.
    pub fn rows(&self, n: usize) -> impl Iterator<Item = &[f32]> + Clone {
        (0..self.values.len()).map(move |a| &self.slopes[a * n..(a + 1) * n])
    }

    /// The values and the scale after steps `by` of the weights.
    fn moved(&self, by: &[f64]) -> (Vec<f64>, f64) {
        let value = |(value, slopes): (&f64, &[f32])| value + dot(slopes, by);
        let values = self.values.iter().zip(self.rows(by.len())).map(value).collect();
        (values, self.scale + dot(&self.scale_slopes, by))
    }

    /// The utilities of the alternatives after steps `by` of the weights, where a unit of the ratio is worth `odds`.
    #[must_use]
    pub fn utilities(&self, by: &[f64], odds: f64) -> Vec<f64> {
        let (values, scale) = self.moved(by);
        values.into_iter().map(|value| odds * value / scale).collect()
    }

    /// What is lost with these utilities where the scale is `scale`.
    fn lost(&self, utilities: &[f64], scale: f64) -> f64 {
        let is_near = scale >= LEAST_SCALE * self.scale;
        if is_near { surprise(utilities, &self.targets) } else { f64::INFINITY }
    }
}

fn dot(slopes: &[f32], by: &[f64]) -> f64 {
    slopes.iter().zip(by).map(|(slope, by)| f64::from(*slope) * by).sum()
}

/// `−Σ y ln p` over alternatives with these utilities, however unlikely what happened was.
#[must_use]
pub fn surprise(utilities: &[f64], targets: &[f64]) -> f64 {
    let most = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let all = most + utilities.iter().map(|u| (u - most).exp()).sum::<f64>().ln();
    utilities.iter().zip(targets).map(|(u, y)| y * (all - u)).sum()
}

/// Fewer clusters that pull at a weight one way, as a number that pull alike, say nothing of it.
pub const FEWEST: f64 = 5.0;

/// What is known of a weight.
#[derive(Clone, PartialEq, Debug)]
pub struct Known {
    /// The half width of its 95 % interval, in steps.
    pub half: f64,
    /// The share of the cases in what places it, from 0, where it is the prior alone, to 1; as if no weight had an end.
    pub share: f64,
    /// How many clusters pull it each way, as a number of clusters that pull alike: the smaller of both.
    pub pulling: f64,
    /// By how much all steps move beside a step of this one, where the likelihood falls least.
    pub path: Vec<f64>,
}

/// Cases around the point at which they were taken.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// The cases, those of a cluster one after the other.
    pub cases: &'a [&'a Case],
    /// By weight, the steps in a unit of it.
    pub units: &'a [f64],
    /// By group, b at the point.
    pub odds: &'a [f64],
    /// Whether b is fitted.
    pub fits_odds: bool,
    /// The prior of the steps: of the weights, then of the logarithms of b if they are fitted.
    pub prior: &'a Prior,
    /// The ends of the steps.
    pub ends: &'a [(f64, f64)],
}

impl Around<'_> {
    /// The steps to the optimum; none stay at 0.
    #[must_use]
    pub fn fit(&self) -> Vec<f64> {
        let start = DVector::zeros(self.prior.centre.len());
        let size = self.cases.len().max(1) as f64;
        maximise_within(start, size, self.ends, |steps| self.slope(steps)).as_slice().to_vec()
    }

    /// The penalised likelihood after `steps`.
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

    /// The steps of the weights in their own units.
    fn natural(&self, steps: &[f64]) -> Vec<f64> {
        steps.iter().zip(self.units).map(|(x, unit)| x / unit).collect()
    }

    fn odds_of(&self, case: &Case, steps: &[f64]) -> f64 {
        let more = if self.fits_odds { steps[self.units.len() + case.group].exp() } else { 1.0 };
        self.odds[case.group] * more
    }

    /// The penalised likelihood after `steps` with its derivatives.
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

    /// What is known of each step if the optimum is at the point, weights first; `None` where the cases say nothing.
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
        // A weight of which few clusters say anything is a constant for the others.
        let ranging: Vec<usize> = (0..size).filter(|i| !held(i) && pulling[*i] >= FEWEST).collect();
        let free: Vec<usize> = ranging.iter().copied().filter(|i| !stopped(i)).collect();
        let inner = Leaving::new(&curvature, free.clone(), None);
        // The weights as if none had an end, then those that an end stops, each with the free ones.
        let all = Leaving::new(&convex, ranging.clone(), None);
        let own = (0..size).filter(|i| !held(i) && !free.contains(i)).filter_map(|i| {
            let with = (0..size).filter(|own| free.contains(own) || *own == i);
            let with: Vec<usize> = with.collect();
            // Beyond an end the point is no optimum, where the whole may bend the wrong way.
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

    /// By cluster, its score at the point and its curvature but for the bend.
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

/// The whole curvature of a slope.
fn whole(mut slope: Slope) -> DMatrix<f64> {
    if let Some(bend) = slope.bend.take() {
        slope.curvature += bend;
    }
    slope.curvature
}

/// Some of the weights, from which clusters are left out.
struct Leaving {
    some: Vec<usize>,
    /// The one weight of which it is; all of them where there is none.
    of: Option<usize>,
    curvature: DMatrix<f64>,
    inverse: DMatrix<f64>,
}

impl Leaving {
    /// `None` where the point is no optimum of these weights.
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

    /// By how much the weights move without a cluster.
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
    /// The places of its derivatives among the steps.
    n: usize,
    odds_at: Option<usize>,
    units: &'a [f64],
    scale: f64,
    utilities: Vec<f64>,
    chances: Vec<f64>,
    /// By alternative, the derivatives of the utility by the steps of the weights, then by ln b.
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

    /// The place among the steps of the derivative at `i`.
    fn place(&self, i: usize) -> Option<usize> {
        if i < self.n { Some(i) } else { self.odds_at }
    }

    fn of(&self, alternative: usize) -> &[f64] {
        &self.gradients[alternative * (self.n + 1)..(alternative + 1) * (self.n + 1)]
    }

    /// What was chosen less what was likely, by alternative.
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
                // The lower triangle, which is all that is read of it.
                for (j, other) in away.iter().enumerate().take(i + 1) {
                    let column = if j < self.n { j } else { row };
                    slope.curvature[(row, column)] += scaled * other;
                }
            }
        }
        self.add_bend(slope);
    }

    /// The second derivatives of the utilities, weighted by what was chosen less what was likely:
    /// `∂²u/∂x_i∂x_j = −(u_i k_j + u_j k_i)/s` with first derivatives `u_i`, and `∂²u/∂x_i∂ln b = u_i`, `∂²u/∂(ln b)² = u`.
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
