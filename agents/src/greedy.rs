//! One-ply greedy search on the score: the general fallback for games without an evaluation.
//!
//! The agent tries each legal action in one determinized world. It takes the action with the largest *own score − best
//! rival's score* immediately after it. Ties are broken at random, and with probability ε the action is random. The
//! agent looks at no chance event and no reply, so it misses every later gain. In games without scores and in
//! simultaneous turns it plays at random.

use engine::{ByPlayer, Game, Player, Randomness, Stream, Turn, View};

use crate::agent::Agent;
use crate::param::{Param, number};

/// Probability of a random action.
pub const EPSILON: Param = Param {
    name: "epsilon",
    domain: number(0.0..=1.0, false),
    default: "0",
    is_games: false,
    unit: "probability",
    meaning: "how often it plays a random action instead",
};

/// The general greedy agent.
#[derive(Debug)]
pub struct Greedy<G: Game> {
    epsilon: f64,
    actions: Vec<G::Action>,
    best: Vec<G::Action>,
}

impl<G: Game> Greedy<G> {
    /// Creates an agent that explores with probability `epsilon`.
    #[must_use]
    pub const fn new(epsilon: f64) -> Self {
        Self { epsilon, actions: Vec::new(), best: Vec::new() }
    }

    /// Stores the best of `self.actions` in `self.best`.
    fn keep_best(&mut self, game: &G, world: &G::State, seat: Player) {
        let mut best_lead = i32::MIN;
        self.best.clear();
        for &action in &self.actions {
            let mut after = *world;
            game.apply(&mut after, action);
            let lead =
                game.scores(&after).map_or(0, |scores| lead(&scores, seat, game.n_players()));
            if lead > best_lead {
                best_lead = lead;
                self.best.clear();
            }
            if lead == best_lead {
                self.best.push(action);
            }
        }
    }
}

/// Returns the own score minus the best rival's score.
fn lead(scores: &ByPlayer<i32>, seat: Player, n_players: usize) -> i32 {
    let rivals = Player::all(n_players).filter(|&p| p != seat).map(|p| scores[p]);
    scores[seat] - rivals.max().unwrap_or(0)
}

impl<G: Game> Agent<G> for Greedy<G> {
    fn choose(&mut self, view: View<'_, G>, rng: &mut Stream) -> G::Action {
        if view.scores().is_none() || rng.unit() < self.epsilon {
            return view.random_action(rng, &mut self.actions);
        }
        let world = view.determinization(rng);
        let seat = view.observer();
        if view.game().turn(&world) != Turn::Player(seat) {
            return view.random_action(rng, &mut self.actions);
        }
        self.actions.clear();
        view.actions(&mut self.actions);
        self.keep_best(view.game(), &world, seat);
        *rng.pick(&self.best)
    }
}
