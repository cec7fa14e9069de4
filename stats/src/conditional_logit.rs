//! Conditional logit: which of several alternatives is chosen, by what is counted of each.
//!
//! **Model.** Alternative a of a choice has the utility `u_a = o_a + x_a·w` and the probability `e^{u_a} / Σ_b e^{u_b}`
//! (McFadden 1974). Alternatives may be seats, one of which wins, or options, one of which is played; targets may be
//! shares. With two alternatives it is the logistic model.
//!
//! **Fit.** The likelihood of the targets with a Gaussian prior of its own for each weight, found by Newton's method
//! ([`super::newton`]).
//!
//! **Errors** are robust to dependence within clusters: `A⁻¹ B A⁻¹ · g/(g − 1)` with the curvature A at the end, prior
//! included, and the sum B of the squared scores of the g clusters (Liang & Zeger 1986). They are those of the shrunk
//! weights around what these are on average: with a tight prior, that is not the truth. **Valid** for clusters by the
//! dozen more than weights; coverage is measured in `sim/tests/it/fit.rs`.

use nalgebra::{Cholesky, DMatrix, DVector};

use super::interval::Interval;
use super::newton::{self, Slope, maximise};
use super::proportion::t_quantile;

/// A choice that was made.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Choice {
    /// What it depends on: choices of one cluster are not independent.
    pub cluster: u64,
    /// By alternative, what is counted of it, a number for each weight.
    pub design: Vec<f32>,
    /// By alternative, the utility that it has without the weights.
    pub offsets: Vec<f64>,
    /// By alternative, the share in which it was chosen.
    pub targets: Vec<f64>,
}

/// A Gaussian prior.
#[derive(Clone, PartialEq, Debug)]
pub struct Prior {
    /// Where weights are without choices.
    pub centre: Vec<f64>,
    /// One over the variance of each.
    pub tightness: Vec<f64>,
}

impl Prior {
    /// A prior around 0 that is as tight for all of `n` weights.
    #[must_use]
    pub fn even(n: usize, tightness: f64) -> Self {
        Self { centre: vec![0.0; n], tightness: vec![tightness; n] }
    }
}

/// The weights that fit `choices` best.
#[must_use]
pub fn fit(choices: &[&Choice], prior: &Prior) -> Vec<f64> {
    let start = DVector::from_column_slice(&prior.centre);
    let size = choices.len().max(1) as f64;
    maximise(start, size, |weights| slope(choices, prior, weights)).as_slice().to_vec()
}

/// The same, of weights that are steps from where things stand: the search begins at 0.
#[must_use]
pub fn fit_from_zero(choices: &[Choice], prior: &Prior) -> Vec<f64> {
    let choices: Vec<&Choice> = choices.iter().collect();
    let size = choices.len().max(1) as f64;
    let start = DVector::zeros(prior.centre.len());
    maximise(start, size, |weights| slope(&choices, prior, weights)).as_slice().to_vec()
}

/// The penalised likelihood with its derivatives.
fn slope(choices: &[&Choice], prior: &Prior, weights: &DVector<f64>) -> Slope {
    let n = weights.len();
    let mut all = newton::sum(choices, n, |choice, slope| add(choice, weights, slope));
    for i in 0..n {
        let (away, tightness) = (weights[i] - prior.centre[i], prior.tightness[i]);
        all.value -= 0.5 * tightness * away * away;
        all.gradient[i] -= tightness * away;
        all.curvature[(i, i)] += tightness;
    }
    all
}

/// The chances of the alternatives.
#[must_use]
pub fn chances(choice: &Choice, weights: &[f64]) -> Vec<f64> {
    let n = weights.len();
    let mut all = choice.offsets.clone();
    for (alternative, utility) in all.iter_mut().enumerate() {
        let row = &choice.design[alternative * n..(alternative + 1) * n];
        *utility += row.iter().zip(weights).map(|(x, w)| f64::from(*x) * w).sum::<f64>();
    }
    softmax(&mut all);
    all
}

/// Utilities turned into chances.
pub fn softmax(utilities: &mut [f64]) {
    let most = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    utilities.iter_mut().for_each(|u| *u = (*u - most).exp());
    let sum: f64 = utilities.iter().sum();
    utilities.iter_mut().for_each(|u| *u /= sum);
}

fn add(choice: &Choice, weights: &DVector<f64>, slope: &mut Slope) {
    let n = weights.len();
    let chances = chances(choice, weights.as_slice());
    let mut mean = vec![0.0; n];
    for (row, p) in choice.design.chunks_exact(n.max(1)).zip(&chances) {
        mean.iter_mut().zip(row).for_each(|(mean, x)| *mean += p * f64::from(*x));
    }
    let mut away = vec![0.0; n];
    for (alternative, p) in chances.iter().enumerate() {
        let row = &choice.design[alternative * n..(alternative + 1) * n];
        let target = choice.targets[alternative];
        slope.value += target * p.max(f64::MIN_POSITIVE).ln();
        for (away, (x, mean)) in away.iter_mut().zip(row.iter().zip(&mean)) {
            *away = f64::from(*x) - mean;
        }
        for i in (0..n).filter(|&i| away[i] != 0.0) {
            slope.gradient[i] += target * away[i];
            let scaled = p * away[i];
            // The lower triangle, which is all that is read of it.
            for (j, other) in away.iter().enumerate().take(i + 1) {
                slope.curvature[(i, j)] += scaled * other;
            }
        }
    }
}

/// The 95 % intervals of weights that [`fit`] has found; `None` where the clusters say nothing of one.
#[must_use]
pub fn intervals(choices: &[&Choice], prior: &Prior, weights: &[f64]) -> Vec<Option<Interval>> {
    let n = weights.len();
    let at = DVector::from_column_slice(weights);
    let curvature = slope(choices, prior, &at).curvature;
    let nothing = vec![None; n];
    let (squares, clusters) = squared_scores(choices, &at);
    let Some(factor) = Cholesky::new(curvature).filter(|_| clusters > 2) else { return nothing };
    let half_way = factor.solve(&squares);
    let variance = factor.solve(&half_way.transpose());
    let size = clusters as f64 / (clusters - 1) as f64;
    let quantile = t_quantile((clusters - 1) as f64);
    let of = |i: usize| {
        let half = quantile * (size * variance[(i, i)]).max(0.0).sqrt();
        let is_known = half > 0.0 && half.is_finite();
        is_known.then(|| Interval { low: weights[i] - half, high: weights[i] + half })
    };
    (0..n).map(of).collect()
}

/// The sum over clusters of their squared scores, and how many there are; choices of a cluster come one after the other.
fn squared_scores(choices: &[&Choice], at: &DVector<f64>) -> (DMatrix<f64>, usize) {
    let n = at.len();
    let mut squares = DMatrix::zeros(n, n);
    let of_one = choices.chunk_by(|a, b| a.cluster == b.cluster);
    let mut clusters = 0;
    for cluster in of_one {
        clusters += 1;
        let mut score = DVector::zeros(n);
        for choice in cluster {
            let chances = chances(choice, at.as_slice());
            for (alternative, p) in chances.iter().enumerate() {
                let row = &choice.design[alternative * n..(alternative + 1) * n];
                let rest = choice.targets[alternative] - p;
                for (sum, x) in score.iter_mut().zip(row) {
                    *sum += rest * f64::from(*x);
                }
            }
        }
        squares.ger(1.0, &score, &score, 1.0);
    }
    (squares, clusters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_alternatives_are_a_logistic_model() {
        // 30 of 40 against 10 of 40: log 3.
        let choice = |won: f64| Choice {
            cluster: 0,
            design: vec![1.0, 0.0],
            offsets: vec![0.0; 2],
            targets: vec![won, 1.0 - won],
        };
        let choices: Vec<Choice> = (0..40).map(|i| choice(f64::from(u8::from(i < 30)))).collect();
        let found = fit(&choices.iter().collect::<Vec<_>>(), &Prior::even(1, 0.0));
        assert!((found[0] - 3f64.ln()).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn where_nothing_is_seen_weights_stay_at_their_centre() {
        let prior = Prior { centre: vec![0.7], tightness: vec![2.0] };
        let alike = Choice {
            design: vec![1.0, 1.0],
            offsets: vec![0.0; 2],
            targets: vec![1.0, 0.0],
            cluster: 0,
        };
        assert_eq!(fit(&[&alike], &prior), [0.7]);
        assert_eq!(intervals(&[&alike], &prior, &[0.7]), [None]);
    }
}
