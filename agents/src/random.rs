//! Uniformly random play: the baseline of every measurement.

use engine::{Game, Stream, View};

use crate::agent::Agent;

/// An agent that plays every legal action with the same probability.
#[derive(Debug)]
pub struct Random<G: Game> {
    scratch: Vec<G::Action>,
}

impl<G: Game> Default for Random<G> {
    fn default() -> Self {
        Self { scratch: Vec::new() }
    }
}

impl<G: Game> Agent<G> for Random<G> {
    fn choose(&mut self, view: View<'_, G>, rng: &mut Stream) -> G::Action {
        view.random_action(rng, &mut self.scratch)
    }
}
