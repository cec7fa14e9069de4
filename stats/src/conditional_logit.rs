//! Conditional logit: the choice among several alternatives, explained by features of each.
//!
//! **Model.** Alternative a of a choice has the utility `u_a = o_a + x_a·w` and the probability `e^{u_a} / Σ_b e^{u_b}`
//! (McFadden 1974). Alternatives may be seats, of which one wins, or options, of which one is played. Targets may be
//! shares. With two alternatives this is the logistic model.
//!
//! **Fit.** The likelihood of the targets, with a separate Gaussian prior for each weight, is maximised by Newton's
//! method ([`super::newton`]).

use nalgebra::{Cholesky, DVector};

use super::influence::moving;
use super::newton::{self, Slope, maximise};

/// An observed choice.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Choice {
    /// The cluster of the choice: choices of one cluster are not independent.
    pub cluster: u64,
    /// The features by alternative, with one number for each weight.
    pub design: Vec<f32>,
    /// The fixed part of the utility, by alternative.
    pub offsets: Vec<f64>,
    /// The share in which each alternative was chosen.
    pub targets: Vec<f64>,
}

/// A Gaussian prior of the weights.
#[derive(Clone, PartialEq, Debug)]
pub struct Prior {
    /// The prior mean of each weight.
    pub centre: Vec<f64>,
    /// The prior precision of each weight: one over its variance.
    pub tightness: Vec<f64>,
}

impl Prior {
    /// Returns a prior around 0 with the same tightness for all of `n` weights.
    #[must_use]
    pub fn even(n: usize, tightness: f64) -> Self {
        Self { centre: vec![0.0; n], tightness: vec![tightness; n] }
    }
}

/// Returns the weights that fit `choices` best.
#[must_use]
pub fn fit(choices: &[&Choice], prior: &Prior) -> Vec<f64> {
    let start = DVector::from_column_slice(&prior.centre);
    let size = choices.len().max(1) as f64;
    maximise(start, size, |weights| slope(choices, prior, weights)).as_slice().to_vec()
}

/// Returns the penalised log likelihood with its derivatives.
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

/// Returns the probabilities of the alternatives.
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

/// Turns utilities into probabilities, in place.
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
            // Only the lower triangle is read.
            for (j, other) in away.iter().enumerate().take(i + 1) {
                slope.curvature[(i, j)] += scaled * other;
            }
        }
    }
}

/// The support that the data give to a weight.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WeightSupport {
    /// The share of the choices in the weight, from 0 (the prior alone) to 1.
    ///
    /// It is `1 − t (A⁻¹)_ii` with the tightness t of the prior and the curvature A of the whole.
    pub share: f64,
    /// The effective number of clusters that pull the weight each way (Kish); the smaller of both directions.
    pub pulling: f64,
}

/// Returns the support of each weight that [`fit`] has found; choices of a cluster must be adjacent.
#[must_use]
pub fn places(choices: &[&Choice], prior: &Prior, weights: &[f64]) -> Vec<WeightSupport> {
    let n = weights.len();
    let curvature = slope(choices, prior, &DVector::from_column_slice(weights)).curvature;
    let inverse = Cholesky::new(curvature).map(|factor| factor.inverse());
    let flat = Prior { centre: weights.to_vec(), tightness: vec![0.0; n] };
    let score =
        |cluster: &[&Choice]| slope(cluster, &flat, &DVector::from_column_slice(weights)).gradient;
    let scores: Vec<DVector<f64>> =
        choices.chunk_by(|a, b| a.cluster == b.cluster).map(score).collect();
    let place = |i: usize| {
        let held = inverse.as_ref().map_or(1.0, |inverse| prior.tightness[i] * inverse[(i, i)]);
        let pulls: Vec<f64> = scores.iter().map(|score| score[i]).collect();
        WeightSupport { share: (1.0 - held).clamp(0.0, 1.0), pulling: moving(&pulls) }
    };
    (0..n).map(place).collect()
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
        let place = places(&[&alike], &prior, &[0.7])[0];
        assert!(place.share < 1e-12 && place.pulling <= 0.0, "{place:?}");
    }
}
