//! The greedy driver, with a lookahead to the end of a turn. It tries every way to finish the turn of its chariot and
//! takes the one with the highest value. With probability ε a decision is random. As an option its chariots start on
//! random cells. Then the value of a cell can be separated from the choices of the greedy driver.

use engine::games::circus::{Action, Circus, State};
use engine::{Game, Randomness, Stream, View};

use super::evaluation::Weights;
use crate::agent::Agent;

/// The greedy agent.
#[derive(Debug)]
pub struct GreedyCircus {
    epsilon: f64,
    weights: Weights,
    places_at_random: bool,
    /// Options of the decisions in the tried turn, one list per card.
    options: Vec<Vec<Action>>,
    best: Vec<Action>,
}

impl GreedyCircus {
    /// Creates an agent that decides at random with probability `epsilon`.
    #[must_use]
    pub const fn new(epsilon: f64, weights: Weights) -> Self {
        Self { epsilon, weights, places_at_random: false, options: Vec::new(), best: Vec::new() }
    }

    /// Returns the same driver with random placing: each chariot starts on any free start cell with equal probability.
    ///
    /// If all drivers of a race do this, the start cells depend on nothing else, not even on the order of placing.
    #[must_use]
    pub fn placing_at_random(self) -> Self {
        Self { places_at_random: true, ..self }
    }

    /// Returns the best value of `state` for `seat` that is reachable by the end of the turn.
    fn look_ahead(
        &mut self,
        game: &Circus,
        state: &State,
        seat: usize,
        turn: ChariotTurn,
        depth: usize,
    ) -> f32 {
        if ChariotTurn::of(state) != turn || turn.driver.is_none() {
            return self.weights.lead(game, state, seat);
        }
        let options = self.list(game, state, depth);
        let mut best = f32::MIN;
        for &action in &options {
            let mut after = *state;
            game.apply(&mut after, action);
            best = best.max(self.look_ahead(game, &after, seat, turn, depth + 1));
        }
        self.options[depth] = options;
        best
    }

    /// Returns the options of a decision, in the reusable list of this depth.
    fn list(&mut self, game: &Circus, state: &State, depth: usize) -> Vec<Action> {
        if self.options.len() <= depth {
            self.options.resize_with(depth + 1, Vec::new);
        }
        let mut options = std::mem::take(&mut self.options[depth]);
        options.clear();
        game.actions(state, engine::Player::new(0), &mut options);
        options
    }
}

/// A turn of a chariot.
#[derive(Clone, Copy, PartialEq, Debug)]
struct ChariotTurn {
    round: u32,
    driver: Option<(usize, usize)>,
}

impl ChariotTurn {
    fn of(state: &State) -> Self {
        Self { round: state.rounds(), driver: state.driver() }
    }
}

impl Agent<Circus> for GreedyCircus {
    fn choose(&mut self, view: View<'_, Circus>, rng: &mut Stream) -> Action {
        let is_blind = self.places_at_random && view.state().is_placing();
        if is_blind || self.epsilon > 0.0 && rng.unit() < self.epsilon {
            return view.random_action(rng, &mut self.best);
        }
        let (game, state, seat) = (view.game(), view.state(), view.observer().idx());
        let turn = ChariotTurn::of(state);
        let options = self.list(game, state, 0);
        let mut best = f32::MIN;
        self.best.clear();
        for &action in &options {
            let mut after = *state;
            game.apply(&mut after, action);
            let value = self.look_ahead(game, &after, seat, turn, 1);
            if value > best {
                best = value;
                self.best.clear();
            }
            if value >= best {
                self.best.push(action);
            }
        }
        self.options[0] = options;
        *rng.pick(&self.best)
    }
}
