//! The contract of an agent ([`Agent`]) and its report of a decision ([`SearchReport`]).

use std::ops::AddAssign;

use engine::{Game, Player, Stream, View};

use crate::game_end::GameEnd;

/// The reason why an agent cannot play on, in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A failure of the agent. The agent forfeits the game, and a new agent replaces it.
    Agent(String),
    /// A shortage of the machine: descriptors, memory, processes or threads. No player loses, the game does not count,
    /// and the run should stop.
    Host {
        /// The resource that is missing.
        reason: String,
        /// The remedy, if the reason does not name it.
        remedy: Option<&'static str>,
    },
}

/// A policy for one seat of one game at a time.
pub trait Agent<G: Game>: Send {
    /// Receives the number of the game in its run, before [`Agent::start`]. It serves agents that name the game in
    /// messages. The number carries no information about the game and should change no choice.
    fn announce(&mut self, _index: u64) {}

    /// Prepares for a new game, before its first event.
    fn start(&mut self, _game: &G, _seat: Player) {}

    /// Returns one of the observer's legal actions. `rng` is the only source of randomness.
    fn choose(&mut self, view: View<'_, G>, rng: &mut Stream) -> G::Action;

    /// Ends a game that was started, after its last event. It is also called for aborted games, but not after a fault
    /// or a panic of this agent.
    fn end(&mut self, _end: GameEnd<'_, G>) {}

    /// Returns the reason why the agent cannot play on, if there is one. An agent may fail if it depends on something
    /// outside the process. The caller checks this after every start, choice and end. After a fault the choice means
    /// nothing.
    fn fault(&mut self) -> Option<Fault> {
        None
    }

    /// Returns whether the agent needs views that reveal the hidden state ([`View::revealing`]). Results note such
    /// agents.
    fn cheats(&self) -> bool {
        false
    }

    /// Sets how the iterations of all later searches are spread over the options of the root. Returns whether the agent
    /// is a search that supports this.
    fn visit_root(&mut self, _visits: RootVisits) -> bool {
        false
    }

    /// Returns the searches since the last call and resets the count. It is empty for agents that do not search.
    fn tally(&mut self) -> SearchTally {
        SearchTally::default()
    }

    /// Returns a report of the last decision; `None` if the agent did not search.
    fn report(&self, _game: &G) -> Option<SearchReport> {
        None
    }
}

/// A rule for how iterations are spread over the options of the root. Below the root the search is unchanged. So
/// options can be compared that the search itself would hardly visit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum RootVisits {
    /// The options that the search prefers.
    #[default]
    Preferred,
    /// All options in turn, with equal visits.
    Equal,
    /// Two options in turn, by their [numbers](SearchedOption::number).
    Pair([u16; 2]),
}

impl RootVisits {
    /// Returns the option for iteration `n`, counted from 0, among this number of `options`; `None` if the search
    /// selects it.
    #[must_use]
    pub fn option(self, n: u64, options: usize) -> Option<u16> {
        match self {
            Self::Preferred => None,
            Self::Equal => Some((n % options as u64) as u16),
            Self::Pair(pair) => Some(pair[(n % 2) as usize]),
        }
    }
}

/// Returns the view that `agent` gets of `state` in `seat`. It reveals the hidden state if the agent cheats.
#[must_use]
pub fn view_for<'a, G: Game>(
    agent: &dyn Agent<G>,
    game: &'a G,
    state: &'a G::State,
    seat: Player,
) -> View<'a, G> {
    if agent.cheats() { View::revealing(game, state, seat) } else { View::new(game, state, seat) }
}

/// Totals over searches, as whole numbers: the order of addition does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SearchTally {
    /// Searched decisions.
    pub decisions: u64,
    /// Iterations of all searches.
    pub iterations: u64,
    /// Choices from the root to the leaf, over all iterations.
    pub choices: u64,
    /// Decisions with macro-actions among the options.
    pub with_macros: u64,
    /// Decisions with macro-actions in which a single ply was preferred.
    pub left_macros: u64,
    /// Decisions whose search used its whole node limit and needed more.
    pub limited: u64,
}

impl SearchTally {
    /// Returns the mean number of choices from the root to the leaf.
    #[must_use]
    pub fn mean_depth(&self) -> f64 {
        self.choices as f64 / self.iterations.max(1) as f64
    }

    /// Returns the mean number of iterations per decision.
    #[must_use]
    pub fn mean_iterations(&self) -> f64 {
        self.iterations as f64 / self.decisions.max(1) as f64
    }

    /// Returns the share of the decisions with macro-actions in which a single ply was preferred; `None` without such
    /// decisions.
    #[must_use]
    pub fn share_left(&self) -> Option<f64> {
        (self.with_macros > 0).then(|| self.left_macros as f64 / self.with_macros as f64)
    }
}

impl AddAssign for SearchTally {
    fn add_assign(&mut self, other: Self) {
        self.decisions += other.decisions;
        self.iterations += other.iterations;
        self.choices += other.choices;
        self.with_macros += other.with_macros;
        self.left_macros += other.left_macros;
        self.limited += other.limited;
    }
}

/// The result of the search for one decision.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SearchReport {
    /// Iterations of this decision.
    pub iterations: u64,
    /// Mean number of choices from the root to the leaf.
    pub depth: f64,
    /// Greatest number of choices from the root to the leaf.
    pub deepest: u32,
    /// Nodes in memory.
    pub nodes: usize,
    /// True if the search used its whole node limit and needed more.
    pub is_limited: bool,
    /// Bytes of the tree.
    pub bytes: usize,
    /// The options, most visits first.
    pub options: Vec<SearchedOption>,
    /// The most visited choices from the root down (principal variation).
    pub line: Vec<String>,
    /// True if a single ply was preferred to all macro-actions; `None` without macro-actions.
    pub left_macros: Option<bool>,
}

/// An option of a searched decision.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchedOption {
    /// The place of the option, from 0, in the order of the game and its guide. It is equal in every search of this
    /// decision.
    pub number: u16,
    /// The action or macro-action, as text.
    pub text: String,
    /// The first action of the option.
    pub action: String,
    /// True if the option is a macro-action.
    pub is_macro: bool,
    /// Iterations that took the option, with those of a reused tree.
    pub visits: u64,
    /// The probability of the option, if a mixed strategy is played.
    pub probability: Option<f64>,
    /// Mean utility of each player, in `[0, 1]`.
    pub values: Vec<f64>,
    /// The prior probability; 0 in a search without priors.
    pub prior: f64,
    /// True if the result of the option is proven.
    pub is_proven: bool,
    /// True if the option was played.
    pub is_chosen: bool,
}
