//! The contract of an agent, and what it can tell of a decision.

use std::ops::AddAssign;

use engine::{Game, Player, Stream, View};

/// Why an agent cannot play on, in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The agent failed: it forfeits the game, and a new agent takes its place.
    Agent(String),
    /// The machine failed the agent, being out of descriptors, memory, processes or threads: nobody has lost, the
    /// game does not count, and there is no point in playing on.
    Host {
        /// What it is short of.
        reason: String,
        /// What helps, where the reason does not say it.
        remedy: Option<&'static str>,
    },
}

/// A policy for one seat of one game at a time.
pub trait Agent<G: Game>: Send {
    /// Called before [`Agent::start`] with the number of the game in its run, for agents that must name a game to
    /// somebody. It says nothing about the game and should change no choice.
    fn announce(&mut self, _index: u64) {}

    /// Called before the first event of every game.
    fn start(&mut self, _game: &G, _seat: Player) {}

    /// Chooses one of the observer's legal actions; `rng` is the only source of randomness.
    fn choose(&mut self, view: View<'_, G>, rng: &mut Stream) -> G::Action;

    /// Called after the last event of every game that was started, however it ended, unless by a fault or a panic of
    /// this agent.
    fn end(&mut self) {}

    /// Why the agent cannot play on, if it cannot: an agent that depends on something outside may fail. Whoever runs
    /// agents asks after every start, every choice and every end; after a fault the choice means nothing.
    fn fault(&mut self) -> Option<Fault> {
        None
    }

    /// Whether the agent wants views that give the state away ([`View::revealing`]). Results say so.
    fn cheats(&self) -> bool {
        false
    }

    /// Says which options of the decision that is due the iterations of searches take from now on, as long as the agent
    /// exists; whether it is a search that can be told so.
    fn visit_root(&mut self, _visits: RootVisits) -> bool {
        false
    }

    /// What was searched since this was asked last; nothing for agents that do not search.
    fn tally(&mut self) -> SearchTally {
        SearchTally::default()
    }

    /// How the last decision came about; `None` for agents that do not search, and where nothing was searched.
    fn report(&self, _game: &G) -> Option<SearchReport> {
        None
    }
}

/// Which options of the decision that is due the iterations of a search take. What is below them is searched as ever,
/// so that options can be compared that the search would hardly look at by itself.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum RootVisits {
    /// Those that the search prefers.
    #[default]
    Preferred,
    /// All of them in turn, each as often as any other.
    Equal,
    /// Two of them in turn, by their [numbers](SearchedOption::number).
    Pair([u16; 2]),
}

impl RootVisits {
    /// The option that iteration `n`, counted from 0, takes of so many `options`; `None` where the search prefers one.
    #[must_use]
    pub fn option(self, n: u64, options: usize) -> Option<u16> {
        match self {
            Self::Preferred => None,
            Self::Equal => Some((n % options as u64) as u16),
            Self::Pair(pair) => Some(pair[(n % 2) as usize]),
        }
    }
}

/// The view that `agent` gets of `state` in `seat`: one that gives the state away if the agent is a cheat.
#[must_use]
pub fn view_for<'a, G: Game>(
    agent: &dyn Agent<G>,
    game: &'a G,
    state: &'a G::State,
    seat: Player,
) -> View<'a, G> {
    if agent.cheats() { View::revealing(game, state, seat) } else { View::new(game, state, seat) }
}

/// Searches added up: whole numbers, so that it does not matter in which order.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SearchTally {
    /// Decisions that were searched.
    pub decisions: u64,
    /// Iterations of all searches.
    pub iterations: u64,
    /// Choices from the root to the leaf, over all iterations.
    pub choices: u64,
    /// Decisions where macro-actions were among the options.
    pub with_macros: u64,
    /// Those of them where a single ply was preferred to all of these.
    pub left_macros: u64,
    /// Decisions whose search had all the nodes that it may have, and could have used more.
    pub limited: u64,
}

impl SearchTally {
    /// Choices from the root to the leaf, on average.
    #[must_use]
    pub fn mean_depth(&self) -> f64 {
        self.choices as f64 / self.iterations.max(1) as f64
    }

    /// Iterations of a decision, on average.
    #[must_use]
    pub fn mean_iterations(&self) -> f64 {
        self.iterations as f64 / self.decisions.max(1) as f64
    }

    /// The share of the decisions with macro-actions in which a single ply was preferred; `None` without such decisions.
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
    /// Whether these were all that it may have, and it could have used more.
    pub is_limited: bool,
    /// Bytes that the tree takes.
    pub bytes: usize,
    /// The options, most visits first.
    pub options: Vec<SearchedOption>,
    /// The most visited choices, from the root down.
    pub line: Vec<String>,
    /// Whether a single ply was preferred to all macro-actions; `None` where there were none.
    pub left_macros: Option<bool>,
}

/// An option of a searched decision.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchedOption {
    /// Its place in the order in which the game and its guide list the options of this decision, from 0: the same in
    /// every search of it.
    pub number: u16,
    /// The action, or the macro-action.
    pub text: String,
    /// The action that it begins with.
    pub action: String,
    /// Whether it is a macro-action rather than a single ply.
    pub is_macro: bool,
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
    /// Whether it was played.
    pub is_chosen: bool,
}
