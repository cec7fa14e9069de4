//! The greedy agent of imperium: the best stack against what the others would reveal by habit.

use engine::games::imperium::{Action, Imperium};
use engine::{Randomness, Stream, View, rng};

use super::choice::Chooser;
use crate::agent::Agent;

/// Guesses of the others' stacks for one decision.
const GUESSES: u32 = 8;

/// The greedy agent.
#[derive(Debug)]
pub struct GreedyImperium {
    epsilon: f64,
    chooser: Chooser,
    scratch: Vec<Action>,
}

impl GreedyImperium {
    /// The agent that decides at random with probability `epsilon`.
    pub(super) const fn new(epsilon: f64, chooser: Chooser) -> Self {
        Self { epsilon, chooser, scratch: Vec::new() }
    }
}

impl Agent<Imperium> for GreedyImperium {
    fn choose(&mut self, view: View<'_, Imperium>, rng: &mut Stream) -> Action {
        if self.epsilon > 0.0 && rng.unit() < self.epsilon {
            return view.random_action(rng, &mut self.scratch);
        }
        let mut fast = rng::fast(rng);
        self.chooser.best_reply(view.game(), view.state(), view.observer(), GUESSES, &mut fast)
    }
}
