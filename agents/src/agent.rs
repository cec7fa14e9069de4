//! The contract of an agent, and what it can tell of a decision.

use engine::{Game, Player, Stream, View};

/// A policy for one seat of one game at a time.
pub trait Agent<G: Game>: Send {
    /// Called before the first event of every game.
    fn start(&mut self, _game: &G, _seat: Player) {}

    /// Chooses one of the observer's legal actions; `rng` is the only source of randomness.
    fn choose(&mut self, view: View<'_, G>, rng: &mut Stream) -> G::Action;

    /// Why the agent cannot play on, in one line, if it cannot: an agent that depends on something outside may
    /// fail. Whoever runs agents asks after every start and every choice; after a fault the choice means nothing,
    /// the game is forfeited, and a new agent takes the place of this one.
    fn fault(&mut self) -> Option<String> {
        None
    }

    /// Whether the agent wants views that give the state away ([`View::revealing`]). Results say so.
    fn cheats(&self) -> bool {
        false
    }

    /// How the last decision came about; `None` for agents that do not search, and where nothing was searched.
    fn report(&self, _game: &G) -> Option<SearchReport> {
        None
    }
}

/// What a search found out for one decision.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SearchReport {
    /// Iterations of this decision.
    pub iterations: u64,
    /// Choices from the root to the leaf, on average.
    pub depth: f64,
    /// The same, at most.
    pub deepest: u32,
    /// Nodes in memory.
    pub nodes: usize,
    /// Bytes that the tree takes.
    pub bytes: usize,
    /// The options, most visits first.
    pub options: Vec<SearchedOption>,
    /// The most visited choices, from the root down.
    pub line: Vec<String>,
    /// Whether a single ply was preferred to all plans; `None` where there were no plans.
    pub left_plans: Option<bool>,
}

/// An option of a searched decision.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchedOption {
    /// The action, or the plan.
    pub text: String,
    /// Iterations that took it, older ones of a tree that was kept included.
    pub visits: u64,
    /// Its probability, where a mixed strategy is played.
    pub probability: Option<f64>,
    /// Mean utility of each player, in `[0, 1]`.
    pub values: Vec<f64>,
    /// Its prior probability; 0 in a search without priors.
    pub prior: f64,
    /// Whether its result is proven.
    pub is_proven: bool,
}
