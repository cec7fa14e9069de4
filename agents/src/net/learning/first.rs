//! Weights that training begins with.

use engine::rng::{self, Purpose};
use engine::{Randomness, Stream};

use super::weights::{Part, PolicyPart, PolicyWeights, Weights};
use crate::net::{HIDDEN, Layout, NARROW};

/// Returns initial weights: small and random, with the same last layer at all phases.
pub(super) fn first_weights(layout: &Layout, seed: u64) -> Weights {
    let mut rng = rng::stream(seed, 0, Purpose::Analysis);
    let mut weights = Weights::zero(layout);
    for part in [Part::Own, Part::Ally, Part::Enemy, Part::Table] {
        weights.part_mut(part).iter_mut().for_each(|x| *x = FIRST_SPREAD * normal(&mut rng));
    }
    weights.part_mut(Part::Bias).fill(FIRST_SPREAD);
    let spread = libm::sqrtf(2.0 / HIDDEN as f32);
    weights.part_mut(Part::Second).iter_mut().for_each(|x| *x = spread * normal(&mut rng));
    let last = weights.part_mut(Part::Last);
    let (one, others) = last.split_at_mut(NARROW);
    one.iter_mut().for_each(|x| *x = FIRST_SPREAD * normal(&mut rng));
    others.chunks_exact_mut(NARROW).for_each(|other| other.copy_from_slice(one));
    weights.part_mut(Part::Trust).fill(1.0);
    weights
}

/// Spread of the initial weights of the first and last layer.
const FIRST_SPREAD: f32 = 0.08;

/// Returns a number with mean 0 and variance 1, approximately normal.
fn normal(rng: &mut Stream) -> f32 {
    (0..12).map(|_| rng.unit() as f32).sum::<f32>() - 6.0
}

impl PolicyWeights {
    /// Returns initial weights: small and random, with the guide's logits as they are.
    #[must_use]
    pub fn first(layout: &Layout, seed: u64) -> Self {
        let mut rng = rng::stream(seed, 1, Purpose::Analysis);
        let mut weights = Self::zero(layout);
        for part in [PolicyPart::Rows, PolicyPart::Body, PolicyPart::Last] {
            weights.part_mut(part).iter_mut().for_each(|x| *x = FIRST_SPREAD * normal(&mut rng));
        }
        weights.part_mut(PolicyPart::Bias).fill(FIRST_SPREAD);
        weights.part_mut(PolicyPart::Trust).fill(1.0);
        weights
    }
}
