//! The greedy agent of rise: macro-actions by the policy; with probability ε a decision is random.

use engine::games::rise::{Action, Rise};
use engine::{Randomness, Stream, View};

use super::policy::Policy;
use crate::agent::Agent;

/// The greedy agent.
#[derive(Debug)]
pub struct GreedyRise {
    epsilon: f64,
    policy: Policy,
    options: Vec<Action>,
}

impl GreedyRise {
    /// Creates an agent that decides at random with probability `epsilon`.
    pub(super) const fn new(epsilon: f64, policy: Policy) -> Self {
        Self { epsilon, policy, options: Vec::new() }
    }
}

impl Agent<Rise> for GreedyRise {
    fn choose(&mut self, view: View<'_, Rise>, rng: &mut Stream) -> Action {
        if self.epsilon > 0.0 && rng.unit() < self.epsilon {
            return view.random_action(rng, &mut self.options);
        }
        self.policy.choose(view.game(), view.state())
    }
}
