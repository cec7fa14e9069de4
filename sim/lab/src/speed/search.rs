//! The speed of searches: one decision, made again and again.
//!
//! The position is [`search_position`] at a fixed seed. The agent is started before each decision, so that it inherits
//! no tree, and only its decision is timed.

use std::time::{Duration, Instant};

use agents::agent::view_for;
use agents::observable::search_position;
use agents::playable::decider;
use agents::{Agent, AgentSpec, Observable, Playable, SearchTally};
use engine::{Purpose, Rules, rng};

use sim::catalogue::{Setup, WithGame, WithType, with_game, with_type};
use sim::error::Error;

/// The seed of the position and of the agent.
pub const SEED: u64 = 1;

/// The settings of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Measure<'a> {
    /// The agent.
    pub spec: &'a AgentSpec,
    /// Number of threads, at least 1; each has its own agent.
    pub threads: usize,
    /// The time to measure.
    pub time: Duration,
}

/// The counts of a measurement, summed over the threads.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SearchSpeed {
    /// Number of players.
    pub players: usize,
    /// Decisions that were timed.
    pub decisions: u64,
    /// Iterations of these decisions.
    pub iterations: u64,
    /// Iterations per second.
    pub iterations_per_second: f64,
    /// Mean number of choices from the root to the leaf.
    pub depth: f64,
    /// The number of nodes of a tree.
    pub nodes: usize,
    /// Bytes of a tree for each of its nodes, including edges and index.
    pub bytes_per_node: f64,
}

impl SearchSpeed {
    /// Returns the mean number of iterations of a decision.
    #[must_use]
    pub fn iterations_per_decision(&self) -> f64 {
        self.iterations as f64 / self.decisions.max(1) as f64
    }

    fn add(&mut self, other: &Self) {
        self.decisions += other.decisions;
        self.iterations += other.iterations;
        self.iterations_per_second += other.iterations_per_second;
        (self.depth, self.nodes) = (other.depth, other.nodes);
        self.bytes_per_node = other.bytes_per_node;
    }
}

/// Lists the searches that the game called `name` measures by default.
///
/// # Errors
/// If there is no such game.
pub fn usual(name: &str) -> Result<&'static [&'static str], Error> {
    struct Ask;
    impl WithType for Ask {
        type Output = &'static [&'static str];
        fn run<G: Playable + Observable>(self) -> Self::Output {
            G::MEASURED
        }
    }
    with_type(name, Ask)
}

/// Measures a search in the game of `setup`.
///
/// # Errors
/// If the game or the agent cannot be built, the agent does not search, or threads cannot be started.
pub fn measure(setup: &Setup, measure: Measure<'_>) -> Result<SearchSpeed, Error> {
    with_game(setup, measure)?
}

impl WithGame for Measure<'_> {
    type Output = Result<SearchSpeed, Error>;

    fn run<G: Playable + Observable>(self, game: G, _rules: &Rules) -> Self::Output {
        let spec = self.spec;
        if !spec.is_search() {
            return Err(Error::Usage(format!(
                "agent \"{spec}\" does not search, so it has no iterations to count (mcts does)"
            )));
        }
        spec.build(&game)?;
        let mut total = SearchSpeed { players: game.n_players(), ..SearchSpeed::default() };
        let think = |thread| think_for(&game, spec, thread, self.time);
        for part in super::on_threads(self.threads, &think)? {
            total.add(&part);
        }
        Ok(total)
    }
}

/// A decision that is repeated and timed.
struct Stopwatch<'a, G: Playable> {
    game: &'a G,
    state: G::State,
    spec: &'a AgentSpec,
    agent: Box<dyn Agent<G>>,
    rng: engine::Stream,
    tally: SearchTally,
    took: Duration,
}

impl<G: Playable> Stopwatch<'_, G> {
    fn decide(&mut self) {
        if self.spec.remembers_games() {
            self.agent = build(self.spec, self.game);
        }
        let seat = decider(self.game, &self.state).expect("somebody decides there");
        self.agent.start(self.game, seat);
        let view = view_for(&*self.agent, self.game, &self.state, seat);
        let since = Instant::now();
        self.agent.choose(view, &mut self.rng);
        self.took += since.elapsed();
        self.tally += self.agent.tally();
    }
}

fn build<G: Playable>(spec: &AgentSpec, game: &G) -> Box<dyn Agent<G>> {
    spec.build(game).expect("the agent was built before")
}

fn think_for<G: Playable + Observable>(
    game: &G,
    spec: &AgentSpec,
    thread: u64,
    time: Duration,
) -> SearchSpeed {
    let mut stopwatch = Stopwatch {
        game,
        state: search_position(game, SEED),
        spec,
        agent: build(spec, game),
        rng: rng::stream(SEED, thread, Purpose::Analysis),
        tally: SearchTally::default(),
        took: Duration::ZERO,
    };
    let warm_until = Instant::now() + time / 10;
    stopwatch.decide();
    while Instant::now() < warm_until {
        stopwatch.decide();
    }
    (stopwatch.tally, stopwatch.took) = (SearchTally::default(), Duration::ZERO);
    let since = Instant::now();
    while stopwatch.tally.decisions == 0 || since.elapsed() < time {
        stopwatch.decide();
    }
    let report = stopwatch.agent.report(game).unwrap_or_default();
    let SearchTally { decisions, iterations, .. } = stopwatch.tally;
    SearchSpeed {
        players: game.n_players(),
        decisions,
        iterations,
        iterations_per_second: iterations as f64 / stopwatch.took.as_secs_f64(),
        depth: stopwatch.tally.mean_depth(),
        nodes: report.nodes,
        bytes_per_node: report.bytes as f64 / report.nodes.max(1) as f64,
    }
}
