//! The contract of a learner with what it trains.

use std::ops::Range;

/// Weights in training.
pub trait Parameters: Clone + Send + Sync {
    /// Returns all weights.
    fn all(&self) -> &[f32];

    /// Returns all weights for writing.
    fn all_mut(&mut self) -> &mut [f32];

    /// Returns the ranges of the weights that decay, in order.
    fn decaying(&self) -> Vec<Range<usize>>;
}

/// The gradient of a part of a batch, with the buffers for its computation.
pub trait Shard: Clone + Send + Sync {
    /// The kind of examples.
    type Example: Sync;
    /// The weights in training.
    type Weights: Parameters;

    /// Computes loss and gradient of `examples`.
    fn learn(&mut self, weights: &Self::Weights, examples: &[&Self::Example]);

    /// Returns the loss of an example.
    fn loss(&mut self, weights: &Self::Weights, example: &Self::Example) -> f64;

    /// Returns the sums over the examples of the last call of [`Shard::learn`]: the loss and its gradient.
    fn sum(&self) -> (f64, &Self::Weights);
}
