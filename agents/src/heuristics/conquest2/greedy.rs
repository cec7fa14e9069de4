//! The greedy agent of conquest2: one whole action ahead.
//!
//! In its turn it tries every plan in a world drawn from what it knows and follows the plan whose result it values
//! most. Everything else it decides by habit. With probability ε a decision is random.

use engine::games::conquest2::{Action, Conquest2, Phase, State};
use engine::{Player, Randomness, Stream, View, rng};

use super::plans::Plan;
use super::trials::Trials;
use super::weights::Weights;
use crate::agent::Agent;

/// The greedy agent.
#[derive(Debug)]
pub struct GreedyConquest2 {
    epsilon: f64,
    trials: Trials,
    plan: Plan,
    plans: Vec<Plan>,
    scratch: Vec<Action>,
}

impl GreedyConquest2 {
    /// The agent that decides at random with probability `epsilon`.
    #[must_use]
    pub const fn new(epsilon: f64, weights: Weights) -> Self {
        Self::with_trials(epsilon, Trials::new(weights))
    }

    pub(super) const fn with_trials(epsilon: f64, trials: Trials) -> Self {
        Self { epsilon, trials, plan: Plan::Pass, plans: Vec::new(), scratch: Vec::new() }
    }

    /// Sets the plan of the next action.
    fn make_plan(&mut self, game: &Conquest2, world: &State, rng: &mut Stream) {
        let mut dice = rng::fast(rng);
        self.plans.clear();
        self.trials.list(game, world, &mut self.plans);
        if let [only] = self.plans[..] {
            self.plan = only;
            return;
        }
        self.plan = self.trials.best_of(game, world, &self.plans, &mut dice);
    }
}

impl Agent<Conquest2> for GreedyConquest2 {
    fn start(&mut self, _game: &Conquest2, _seat: Player) {
        self.plan = Plan::Pass;
    }

    fn choose(&mut self, view: View<'_, Conquest2>, rng: &mut Stream) -> Action {
        if self.epsilon > 0.0 && rng.unit() < self.epsilon {
            self.plan = Plan::Pass; // what follows a random word is decided by habit
            return view.random_action(rng, &mut self.scratch);
        }
        let game = view.game();
        let world = view.world(rng);
        if world.phase() == Phase::Top {
            self.make_plan(game, &world, rng);
        }
        self.trials.decide(&game.table(&world), &self.plan, view.observer())
    }
}
