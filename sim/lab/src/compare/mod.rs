//! Comparisons: two agents, or two rule sets, compared by a test over blocks.
//!
//! The input is a [`Request`]; [`Comparison`] is its validated form and plays it. Either one candidate meets a
//! baseline in all other seats, or one line-up plays under two rule sets. Blocks are tested in order
//! ([`sequential_test`]), so that the result depends on the seed and not on threads.

pub mod arms;
pub mod block_stats;
pub mod fixed_test;
pub mod forecast;
mod hypotheses;
pub mod manifest;
pub mod metric;
pub mod panel;
pub mod reference_games;
mod request;
pub mod sequential_test;
pub mod study;
pub mod trace;
pub mod verdict;

use std::ops::ControlFlow;
use std::slice::from_ref;
use std::sync::atomic::AtomicBool;

use agents::AgentSpec;
use engine::{Purpose, Randomness, RuleSource, rng};

use arms::Block;
use fixed_test::FixedTest;
use forecast::PILOT_BLOCKS;
use metric::{Metric, Namespace};
use sequential_test::SequentialTest;
use sim::branch::Branch;
use sim::catalogue::about;
use sim::config::{DEFAULT_GAME, DEFAULT_SEED, Plan, Played, RuleSet, TournamentConfig};
use sim::document::ReadFile;
use sim::error::{Arm, Error};
use sim::schedule::Timetable;
use sim::starts::Starts;
use sim::stats::{Null, Question, Sides};
use sim::tournament::{Facts, facts};

pub use hypotheses::{DEFAULT_EFFECT, LEAST_EFFECT, LEAST_FIXED};
pub use request::number;
pub use request::{ArmRules, Request};

/// The default error probabilities α and β.
pub const DEFAULT_ERROR: f64 = 0.05;
/// The default number of blocks after which a comparison ends undecided.
pub const DEFAULT_MOST_BLOCKS: u64 = 20_000;
/// The default metric of a [`Comparison`] of rule sets: the share of the first seat. The command tests a [`panel`]
/// instead.
pub const DEFAULT_METRIC: &str = "seat-0";

/// A validated comparison that can be played.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The tournaments: one for agents, two (A, B) for rule sets.
    pub plans: Vec<Plan>,
    /// The compared metric.
    pub metric: Metric,
    /// The test.
    pub design: Design,
    request: Request,
}

/// The test of a comparison and its stopping rule.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Design {
    /// A sequential test: it ends when H0 or H1 is accepted.
    Sequential(Question),
    /// A test after a fixed number of blocks; with the effect above which a difference counts, if one is stated.
    Fixed(Null, Option<f64>),
}

impl Design {
    /// Returns the mean at which the effect is 0.
    #[must_use]
    pub const fn zero(&self) -> f64 {
        match self {
            Self::Sequential(question) => question.zero,
            Self::Fixed(null, _) => null.zero,
        }
    }
}

impl Comparison {
    /// Validates `request`; `read` reads the files that it names.
    ///
    /// # Errors
    /// At the first invalid value.
    pub fn new(request: &Request, read: ReadFile<'_>) -> Result<Self, Error> {
        hypotheses::check(request)?;
        let (game, players) = table(request, read)?;
        let game = game.as_str();
        if request.arms.are_empty() {
            Self::of_agents(request, game, players, read)
        } else {
            Self::of_rules(request, game, players, read)
        }
    }

    fn of_agents(
        request: &Request,
        game: &str,
        players: usize,
        read: ReadFile<'_>,
    ) -> Result<Self, Error> {
        if let Some(metric) = &request.metric {
            let message = "it is for two rule sets: agents are compared by their share";
            return Err(Error::value("metric", metric, message));
        }
        let [candidate, baseline] = &request.agents[..] else {
            return Err(Error::Candidates { given: request.agents.len() });
        };
        let others = std::iter::repeat_n(baseline, players.saturating_sub(1));
        let lineup = std::iter::once(candidate).chain(others).cloned().collect();
        let plan = plan(request, game, players, Some(lineup), &request.rules, read)?;
        let design = hypotheses::of_agents(request, plan.players)?;
        let agents = &plan.lineup[..plan.lineup.len().min(2)];
        let request = Request { metric: None, ..with_defaults(request, &plan, agents, &design) };
        Ok(Self { plans: vec![plan], metric: Metric::candidate(), design, request })
    }

    fn of_rules(
        request: &Request,
        game: &str,
        players: usize,
        read: ReadFile<'_>,
    ) -> Result<Self, Error> {
        let (plans, facts) = rule_sets(request, game, players, read)?;
        let names = Namespace {
            specs: &plans[0].specs(),
            names: &plans[0].names(),
            extras: &facts[0].extras,
            has_scores: facts.iter().all(|facts| facts.has_scores),
        };
        let metric = Metric::parse(request.metric.as_deref().unwrap_or(DEFAULT_METRIC), names)?;
        let design = hypotheses::of_rules(request, &metric)?;
        if request.luck == Some(true) && metric.luck().is_none() {
            return Err(luckless(&metric));
        }
        let request = Request {
            metric: Some(metric.name().to_owned()),
            ..with_defaults(request, &plans[0], &plans[0].lineup, &design)
        };
        Ok(Self { plans, metric, design, request })
    }

    /// Returns the request with all defaults filled in: everything that the result depends on, and no more.
    #[must_use]
    pub const fn request(&self) -> &Request {
        &self.request
    }

    /// Returns the command that reproduces this comparison.
    #[must_use]
    pub fn command(&self) -> String {
        self.request.command()
    }

    /// Returns the game that both arms play.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.plans[0].setup.game
    }

    /// Returns true if the luck of the dice is reported.
    #[must_use]
    pub fn tells_luck(&self) -> bool {
        self.plans[0].luck
    }

    /// Returns the metrics of a block, in order: the compared metric, and the luck behind it if luck is reported.
    #[must_use]
    pub fn metrics(&self) -> Vec<Metric> {
        let luck = if self.tells_luck() { self.metric.luck() } else { None };
        std::iter::once(self.metric.clone()).chain(luck).collect()
    }

    /// Returns the largest number of blocks; in a test of fixed length, their number.
    #[must_use]
    pub fn most_blocks(&self) -> u64 {
        self.plans[0].blocks
    }

    /// Returns the number of games in a block, over all arms.
    #[must_use]
    pub fn games_per_block(&self) -> u64 {
        self.plans.iter().map(Plan::games_per_block).sum()
    }

    /// Returns the seed of the test.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.plans[0].seed
    }

    /// Returns the seed of the pilot, whose games play no part in the test.
    #[must_use]
    pub fn pilot_seed(&self) -> u64 {
        pilot_seed(self.seed())
    }

    /// Creates a sequential test of `question` without blocks.
    #[must_use]
    pub fn sequential_test(&self, question: Question) -> SequentialTest {
        let per_block = self.plans[0].games_per_block();
        SequentialTest::new(question, self.plans.len(), per_block, self.most_blocks())
            .with_luck(self.tells_luck())
    }

    /// Creates a test of `null` without blocks; a difference counts if it exceeds `effect`.
    #[must_use]
    pub fn fixed_test(&self, null: Null, effect: Option<f64>) -> FixedTest {
        let per_block = self.plans[0].games_per_block();
        FixedTest::new(null, effect, self.plans.len(), per_block, self.most_blocks())
            .with_luck(self.tells_luck())
    }

    /// Plays until `on_blocks` breaks, the last block is played, or `stop` is raised.
    ///
    /// # Errors
    /// If a game cannot be built or threads cannot be started.
    pub fn play(
        &self,
        threads: usize,
        stop: &AtomicBool,
        on_blocks: &mut dyn FnMut(&[Block]) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        arms::play(&self.plans, &self.metrics(), threads, stop, on_blocks)
    }

    /// Plays [`PILOT_BLOCKS`] blocks on the pilot's seed, or fewer if `stop` is raised; `look` gets the number played
    /// so far.
    ///
    /// # Errors
    /// If a game cannot be built or threads cannot be started.
    pub fn pilot(
        &self,
        threads: usize,
        stop: &AtomicBool,
        look: &mut dyn FnMut(usize),
    ) -> Result<Vec<Vec<Block>>, Error> {
        let seed = self.pilot_seed();
        let short = |plan: &Plan| Plan { seed, blocks: PILOT_BLOCKS, luck: false, ..plan.clone() };
        let plans: Vec<Plan> = self.plans.iter().map(short).collect();
        let mut pilot = Vec::new();
        arms::play(&plans, from_ref(&self.metric), threads, stop, &mut |blocks| {
            pilot.push(blocks.to_vec());
            look(pilot.len());
            ControlFlow::Continue(())
        })?;
        Ok(pilot)
    }
}

/// Returns `request` with the table's defaults filled in, and the hypotheses of `design`.
fn with_defaults(request: &Request, plan: &Plan, agents: &[AgentSpec], design: &Design) -> Request {
    let filled = with_table(request, plan, agents);
    match *design {
        Design::Sequential(Question { h0, h1, alpha, beta, sides, .. }) => {
            // For agents an effect means a two-sided test; h0 and h1 are about gains alone.
            let is_effect = h0 == 0.0 && sides == Sides::Both;
            let (effect, bounds) = match is_effect {
                true => (Some(h1), [None; 2]),
                false => (None, [Some(h0), Some(h1)]),
            };
            let [h0, h1] = bounds;
            let (alpha, beta) = (Some(alpha), Some(beta));
            Request { effect, h0, h1, alpha, beta, most_blocks: Some(plan.blocks), ..filled }
        }
        Design::Fixed(null, _) => {
            let h0 = Some(null.h0).filter(|h0| *h0 != 0.0);
            Request { effect: request.effect, h0, fixed: Some(plan.blocks), ..filled }
        }
    }
}

/// Returns `request` with the defaults of game, agents and rules filled in.
fn with_table(request: &Request, plan: &Plan, agents: &[AgentSpec]) -> Request {
    Request {
        played: Played::new(&plan.setup.game, plan.players),
        agents: agents.iter().map(AgentSpec::with_label).collect(),
        rules: request.rules.clone(),
        arms: request.arms.clone(),
        seed: Some(plan.seed),
        from: request.from.clone(),
        starts: request.starts.clone(),
        draw_starts: request.draw_starts,
        luck: plan.luck.then_some(true),
        ..Request::default()
    }
}

/// Returns the tournaments of both rule sets, and the facts about their games.
fn rule_sets(
    request: &Request,
    game: &str,
    players: usize,
    read: ReadFile<'_>,
) -> Result<(Vec<Plan>, [Facts; 2]), Error> {
    let lineup = match &request.agents[..] {
        [] => None,
        [one] => Some(vec![one.clone(); players]),
        all => Some(all.to_vec()),
    };
    let arm = |side: Arm| {
        let set = request.arms.of(side);
        let rules = request.arms.over(&request.rules, side);
        let plan = plan(request, game, players, lineup.clone(), &rules, read);
        plan.map_err(|error| of_side(error, side, &set))
    };
    let mut plans = vec![arm(Arm::A)?, arm(Arm::B)?];
    plans.iter_mut().for_each(without_copies);
    let facts = [facts(&plans[0])?, facts(&plans[1])?];
    check_different(&facts)?;
    Ok((plans, facts))
}

/// Returns an error for luck with a metric of the whole game.
fn luckless(metric: &Metric) -> Error {
    let message = format!(
        "it adds up to 0 over the seats, so it cannot adjust {}: name a metric of a seat or an agent, as seat=1",
        metric.shown()
    );
    Error::value("luck", "true", message)
}

/// Returns the requested game and number of players.
fn table(request: &Request, read: ReadFile<'_>) -> Result<(String, usize), Error> {
    let starts = Starts::read(&request.from, &request.starts, request.draw_starts, read)?;
    let source = starts.as_ref().map(Starts::first);
    let own = source.map_or(DEFAULT_GAME, Branch::game);
    let game = request.played.game.clone().unwrap_or_else(|| own.to_owned());
    let about = about(&game)?;
    let usual = source.map_or(about.default_players, Branch::players);
    let players = request.played.players.unwrap_or(usual);
    // The line-up is built for the table before its rules are checked.
    about.check_players(players)?;
    Ok((game, players))
}

/// Returns the seed of the pilot of a run on `seed`; the pilot's games play no part in the test.
fn pilot_seed(seed: u64) -> u64 {
    u64::from(rng::stream(seed, 0, Purpose::Analysis).below(u32::MAX))
}

/// Assigns an error about rules to the side that alone has them.
pub(crate) fn of_side(error: Error, arm: Arm, set: &RuleSet) -> Error {
    match error {
        Error::Rules { bad, .. } => {
            let is_own =
                matches!(&bad.place, RuleSource::Setting(text) if set.settings.contains(text));
            Error::Rules { bad, arm: is_own.then_some(arm) }
        }
        Error::Value { name: "rules", value, message } if set.file.as_ref() == Some(&value) => {
            let name = if arm == Arm::A { "rules-a" } else { "rules-b" };
            Error::Value { name, value, message }
        }
        other => other,
    }
}

/// Builds the tournament of one arm.
fn plan(
    request: &Request,
    game: &str,
    players: usize,
    agents: Option<Vec<String>>,
    rules: &RuleSet,
    read: ReadFile<'_>,
) -> Result<Plan, Error> {
    Plan::new(
        TournamentConfig {
            game: Some(game.to_owned()),
            players: Some(players),
            agents,
            blocks: Some(request.fixed.or(request.most_blocks).unwrap_or(DEFAULT_MOST_BLOCKS)),
            seed: Some(request.seed.unwrap_or(DEFAULT_SEED)),
            luck: request.luck,
            rules: rules.file.clone(),
            set: rules.settings.clone(),
            from: request.from.clone(),
            starts: request.starts.clone(),
            draw_starts: request.draw_starts,
            ..TournamentConfig::default()
        },
        read,
    )
    .map_err(|error| match error {
        Error::Value { name: "blocks", value, message } => {
            let name = if request.fixed.is_some() { "fixed" } else { "max-blocks" };
            Error::Value { name, value, message }
        }
        other => other,
    })
}

/// Plays one game a block if every seat has the same agent. A rotation gives the same line-up, and its games under the
/// same chance would be near-copies.
fn without_copies(plan: &mut Plan) {
    let specs = plan.specs();
    if specs.iter().all(|spec| *spec == specs[0]) {
        plan.timetable = Timetable::fixed(plan.players);
    }
}

fn check_different([a, b]: &[Facts; 2]) -> Result<(), Error> {
    if a.rules == b.rules {
        return Err(Error::SameRules);
    }
    Ok(())
}
