//! The greedy agent of imperium: the best stack against the others' stacks by the rollout policy.

use engine::games::imperium::{Action, Imperium};
use engine::{Randomness, Stream, View, rng};

use super::one_ply::OnePlyPolicy;
use crate::agent::Agent;

/// Number of guesses of the others' stacks for one decision. It is a budget of time, so it is no weight for a tuner.
const GUESSES: u32 = 8;

/// The greedy agent.
#[derive(Debug)]
pub struct GreedyImperium {
    epsilon: f64,
    policy: OnePlyPolicy,
    scratch: Vec<Action>,
}

impl GreedyImperium {
    /// Creates an agent that decides at random with probability `epsilon`.
    pub(super) const fn new(epsilon: f64, policy: OnePlyPolicy) -> Self {
        Self { epsilon, policy, scratch: Vec::new() }
    }
}

impl Agent<Imperium> for GreedyImperium {
    fn choose(&mut self, view: View<'_, Imperium>, rng: &mut Stream) -> Action {
        if self.epsilon > 0.0 && rng.unit() < self.epsilon {
            return view.random_action(rng, &mut self.scratch);
        }
        let mut fast = rng::fast(rng);
        self.policy.best_reply(view.game(), view.state(), view.observer(), GUESSES, &mut fast)
    }
}
