//! The greedy agent of hannibal: one turn of lookahead, and exact mixed strategies in duels.
//!
//! With probability ε a decision is random.

use engine::games::hannibal::{Action, Hannibal};
use engine::{Randomness, Stream, View};

use super::one_ply::OnePlyPolicy;
use super::weights::Weights;
use crate::agent::Agent;

/// The greedy agent.
#[derive(Clone, Debug)]
pub struct GreedyHannibal {
    epsilon: f64,
    policy: OnePlyPolicy,
    scratch: Vec<Action>,
}

impl GreedyHannibal {
    /// Creates an agent for the rules of `game` that decides at random with probability `epsilon`.
    #[must_use]
    pub fn new(game: &Hannibal, epsilon: f64, weights: Weights) -> Self {
        Self { epsilon, policy: OnePlyPolicy::new(game, weights), scratch: Vec::new() }
    }
}

impl Agent<Hannibal> for GreedyHannibal {
    fn choose(&mut self, view: View<'_, Hannibal>, rng: &mut Stream) -> Action {
        if self.epsilon > 0.0 && rng.unit() < self.epsilon {
            return view.random_action(rng, &mut self.scratch);
        }
        self.policy.decide(view.game(), view.state(), view.observer(), rng)
    }
}
