//! The value of a position of conquest2 by the linear value function and a net beside it.

use std::sync::Arc;

use engine::ByPlayer;
use engine::games::conquest2::Situation;

use super::inputs::{count, inputs};
use super::value::{Features, ValueFunction};
use super::weights::Weights;
use crate::net::{Inputs, Net};

/// A net, with the memory that it takes to ask it.
#[derive(Clone, Debug)]
pub(super) struct NetValue {
    net: Arc<Net>,
    inputs: Inputs,
}

impl NetValue {
    pub(super) fn new(net: Arc<Net>) -> Self {
        Self { net, inputs: inputs() }
    }

    /// Returns the expectation of each player at a phase of the game, in the unit of the linear value, up to a common number.
    pub(super) fn expect(
        &mut self,
        w: &Weights,
        linear: &ValueFunction,
        situation: &Situation<'_>,
        phase: usize,
    ) -> ByPlayer<f32> {
        let features = Features::of(w, situation);
        count(situation, phase, &features, &mut self.inputs);
        let (values, logits) =
            (linear.expect_by(&features, situation), self.net.logits(&self.inputs));
        let (trust, scale) = (self.net.trust(phase), linear.softmax_scale(situation));
        ByPlayer::from_fn(|q| values[q] * trust + logits[q] * scale)
    }
}
