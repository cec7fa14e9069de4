//! The greedy agent of conquest2, which looks one macro-action ahead.
//!
//! In its turn it tries every macro-action in a determinized world and follows the one with the highest result. All
//! other decisions follow the rollout policy. With probability ε a decision is random.

use engine::games::conquest2::{Action, Conquest2, Phase, State};
use engine::{Player, Randomness, Stream, View, rng};

use super::lookahead::Lookahead;
use super::macro_actions::MacroAction;
use super::weights::Weights;
use crate::agent::Agent;

/// The greedy agent.
#[derive(Debug)]
pub struct GreedyConquest2 {
    epsilon: f64,
    lookahead: Lookahead,
    macro_action: MacroAction,
    /// The last determinized world. Its memory is reused.
    world: Option<State>,
    macros: Vec<MacroAction>,
    scratch: Vec<Action>,
}

impl GreedyConquest2 {
    /// Creates an agent that decides at random with probability `epsilon`.
    #[must_use]
    pub const fn new(epsilon: f64, weights: Weights) -> Self {
        Self::with_lookahead(epsilon, Lookahead::new(&weights))
    }

    pub(super) const fn with_lookahead(epsilon: f64, lookahead: Lookahead) -> Self {
        Self {
            epsilon,
            lookahead,
            macro_action: MacroAction::Pass,
            world: None,
            macros: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Chooses the macro-action of the next action.
    fn choose_macro_action(
        lookahead: &mut Lookahead,
        macros: &mut Vec<MacroAction>,
        game: &Conquest2,
        world: &State,
        rng: &mut Stream,
    ) -> MacroAction {
        let mut dice = rng::fast(rng);
        macros.clear();
        let gains = lookahead.list(game, world, macros);
        if let [only] = macros[..] {
            return only;
        }
        lookahead.best_of(game, world, macros, gains, &mut dice)
    }
}

impl Agent<Conquest2> for GreedyConquest2 {
    fn start(&mut self, _game: &Conquest2, _seat: Player) {
        self.macro_action = MacroAction::Pass;
    }

    fn choose(&mut self, view: View<'_, Conquest2>, rng: &mut Stream) -> Action {
        if self.epsilon > 0.0 && rng.unit() < self.epsilon {
            self.macro_action = MacroAction::Pass; // the rollout policy decides the plies after a random word
            return view.random_action(rng, &mut self.scratch);
        }
        let game = view.game();
        let world = view.determinization_in(&mut self.world, rng);
        if world.phase() == Phase::Top {
            let Self { lookahead, macros, .. } = self;
            self.macro_action = Self::choose_macro_action(lookahead, macros, game, world, rng);
        }
        self.lookahead.decide(&game.situation(world), &self.macro_action, view.observer())
    }
}
