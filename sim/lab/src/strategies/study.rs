//! A validated population that is ready to run.

use agents::OfGame;

use super::archive::{BLOCKS, LEAST, Niche};
use super::descriptors::Descriptor;
use super::game_seats::{open_seats, spec};
use super::personas::personas;
use super::portraits::WATCHED;
use super::request::Request;
use super::run::{COPY, Plan};
use super::seats::{Seats, Strategy};
use crate::compare::{ArmRules, of_side};
use crate::tune::entrants::{Entrants, population};
use crate::tune::journal::LogCsv;
use crate::tune::methods::Kind;
use crate::tune::request::Request as Tuning;
use crate::tune::space::Space;
use crate::tune::study::{LEAST_CONFIRM, Opened, POWER};
use sim::catalogue::{Setup, checked_rules};
use sim::config::{DEFAULT_SEED, Played, RuleSet};
use sim::document::ReadFile;
use sim::error::{Arm, Error};
use sim::stats::meta_game::Solver;
use sim::stats::quantiles::normal_quantile;

/// The default of `--epsilon`.
const EPSILON: f64 = 0.05;
/// The default number of responses.
const ROUNDS: u64 = 6;
/// The default number of random corners.
const CORNERS: u64 = 2;
/// The default number of games of a search.
const GAMES: u64 = 4_000;
/// The default number of games of a table in the report.
const TABLE_GAMES: u64 = 200;
/// The default number of games of an archive.
const NICHE_GAMES: u64 = 10_000;
/// The blocks whose games show the names of descriptors.
const NAMED: u64 = 8;
/// The least number of blocks of a table in the report: with fewer, a bootstrap has no meaning.
const LEAST_REPORT: u64 = 20;
/// The largest number of blocks of an acceptance: beyond it, a response takes days.
const MOST_CONFIRM: u64 = 1_000_000;
/// The largest number of tables: beyond it, a report takes days.
pub(super) const MOST_TABLES: u64 = 2_000;

/// A validated population that can be run.
#[derive(Clone, Debug)]
pub struct StrategiesStudy {
    /// The game, table and rules; those of A for two rule sets.
    pub setup: Setup,
    /// The game, table and rules of B; `None` for one rule set.
    pub changed: Option<Setup>,
    /// Number of players.
    pub players: usize,
    /// The open agent, its space, and the agents of the start.
    pub entrants: Entrants,
    /// The run to make.
    pub plan: Plan,
    /// The request with all defaults filled in.
    pub request: Request,
}

impl StrategiesStudy {
    /// Validates `request`; `read` reads the files that it names.
    ///
    /// # Errors
    /// At the first invalid value.
    pub fn new(request: &Request, read: ReadFile<'_>) -> Result<Self, Error> {
        let tuning = |rules: RuleSet| Tuning {
            played: request.played.clone(),
            agent: request.agent.clone(),
            weights: request.weights.clone(),
            space: request.space.clone(),
            against: request.against.clone(),
            rules,
            ..Tuning::default()
        };
        refuse_open_rules(request)?;
        refuse_runs_of_sides(request)?;
        let has_sides = !request.arms.are_empty();
        let tuning_of = |side: Arm| tuning(request.arms.over(&request.rules, side));
        let of_side = |error: Error, side: Arm| match has_sides {
            true => of_side(error, side, &request.arms.of(side)),
            false => error,
        };
        let a = tuning_of(Arm::A);
        let opened = Opened::of(&a, read).map_err(|error| of_side(error, Arm::A))?;
        let Opened { setup, players, of_game } = opened;
        let mut entrants = population(&a, &of_game, read)?;
        let personas = with_personas(request, &mut entrants, &of_game, read)?;
        let seats = open_seats(&setup, &entrants).map_err(|error| of_side(error, Arm::A))?;
        let other = || {
            let Opened { setup: other, .. } = Opened::of(&tuning_of(Arm::B), read)?;
            open_seats(&other, &entrants)?;
            if checked_rules(&setup)?.overrides() == checked_rules(&other)?.overrides() {
                return Err(Error::SameRules);
            }
            Ok(other)
        };
        let changed = has_sides.then(other).transpose();
        let changed = changed.map_err(|error| of_side(error, Arm::B))?;
        let plan = plan(request, &entrants.space, entrants.against.len(), players)?;
        let plan = Plan { niche: niche(request, &*seats, &plan)?, ..plan };
        drop(seats);
        let n = players as u64;
        let request = Request {
            played: Played::new(request.played.name(), players),
            solver: Some(plan.solver.name().to_owned()),
            method: Some(plan.method.name().to_owned()),
            personas: Some(personas),
            corners: Some(request.corners.unwrap_or(CORNERS)),
            epsilon: Some(plan.epsilon),
            rounds: Some(plan.rounds),
            runs: (plan.runs > 1).then_some(plan.runs),
            games: Some(plan.train * n),
            confirm: Some(plan.confirm * n),
            table_games: Some(plan.report * n),
            niche_games: plan.niche.as_ref().map(|niche| niche.candidates * BLOCKS * n),
            seed: Some(plan.seed),
            ..request.clone()
        };
        Ok(Self { setup, changed, players, entrants, plan, request })
    }

    /// Returns the largest number of games: if every response is accepted.
    #[must_use]
    pub fn games(&self) -> u64 {
        let (n, plan) = (self.players as u64, &self.plan);
        let one = plan.start.len() as u64 + plan.rounds;
        let (most, before) = match plan.runs {
            1 => (one, 0),
            runs => (plan.most(n), runs * self.grown(one)),
        };
        let archive = plan
            .niche
            .as_ref()
            .map_or(0, |niche| (most + niche.candidates) * BLOCKS + niche.cells() * plan.report);
        let blocks = match self.changed {
            None => {
                let report = mixed(most, n) * plan.report + most * (most - 1) * WATCHED;
                before + self.grown(most) + report + archive
            }
            Some(_) => {
                let common = plan.start.len() as u64 + 2 * plan.rounds;
                let tables = tables(common, n).min(MOST_TABLES);
                2 * (self.grown(one) + common * common * COPY + tables * plan.report)
            }
        };
        blocks * n
    }

    /// Returns the largest number of games of one independent loop.
    #[must_use]
    pub fn games_of_run(&self) -> u64 {
        self.grown(self.plan.start.len() as u64 + self.plan.rounds) * self.players as u64
    }

    /// Returns the largest number of blocks of a loop that ends with `most` strategies.
    fn grown(&self, most: u64) -> u64 {
        let plan = &self.plan;
        let search = plan.rounds * (plan.train + plan.confirm);
        search + most * most * COPY + mixed(most, self.players as u64) * plan.report
    }

    /// Returns the rules under which it plays: A, then B if there are two rule sets.
    pub fn setups(&self) -> impl Iterator<Item = &Setup> {
        std::iter::once(&self.setup).chain(&self.changed)
    }

    /// Returns the format of the log.
    #[must_use]
    pub fn log_csv(&self) -> LogCsv {
        LogCsv::new(&self.plan.space, true)
    }

    /// Returns true if repeated games have the same results.
    #[must_use]
    pub fn is_reproducible(&self) -> bool {
        self.entrants.is_reproducible()
    }

    /// Returns a strategy as the spec of an agent.
    ///
    /// # Errors
    /// If a value is refused.
    pub fn spelled(&self, strategy: &Strategy) -> Result<String, Error> {
        Ok(spec(&self.entrants, strategy)?.to_string())
    }
}

/// Refuses open values of the rules.
fn refuse_open_rules(request: &Request) -> Result<(), Error> {
    let ArmRules { set_a, set_b, .. } = &request.arms;
    let all = [("set", &request.rules.settings), ("set-a", set_a), ("set-b", set_b)];
    for (name, settings) in all {
        if let Some(open) = settings.iter().find(|one| crate::tune::rule_set::is_open(one)) {
            let message =
                "a strategy is an agent: leave values of the agent open, and none of the rules";
            return Err(Error::value(name, open, message));
        }
    }
    Ok(())
}

/// Refuses independent loops under two rule sets.
fn refuse_runs_of_sides(request: &Request) -> Result<(), Error> {
    match request.runs.filter(|&runs| runs > 1 && !request.arms.are_empty()) {
        None => Ok(()),
        Some(runs) => {
            let message = "under two rule sets one loop of each is compared: leave it out";
            Err(Error::value("runs", runs.to_string(), message))
        }
    }
}

/// Returns the blocks with which a gain of `epsilon` is accepted with [`POWER`].
///
/// It assumes games that one seat wins outright, as independent of each other.
fn needed(epsilon: f64, players: usize) -> u64 {
    let equal = 1.0 / players as f64;
    let spread = (equal * (1.0 - equal) / players as f64).sqrt();
    let quantiles = normal_quantile(0.025) + normal_quantile(1.0 - POWER);
    (quantiles * spread / epsilon).powi(2).ceil() as u64
}

/// Adds the personas of the game to the agents of the start; returns their number.
fn with_personas(
    request: &Request,
    entrants: &mut Entrants,
    game: &OfGame,
    read: ReadFile<'_>,
) -> Result<u64, Error> {
    let all = personas(entrants, game, read)?;
    let number = match request.personas {
        Some(number) if number as usize > all.len() => {
            let message = format!(
                "{} has {} for this agent that the start does not have already",
                game.name,
                sim::units::counted(all.len() as u64, "persona")
            );
            return Err(Error::value("personas", number.to_string(), message));
        }
        Some(number) => number as usize,
        None => {
            let given = entrants.against.len();
            let fits = |n: &usize| plan(request, &entrants.space, given + n, game.players).is_ok();
            (0..=all.len()).rev().find(fits).unwrap_or(0)
        }
    };
    entrants.against.extend(all.into_iter().take(number));
    Ok(number as u64)
}

fn plan(request: &Request, space: &Space, given: usize, players: usize) -> Result<Plan, Error> {
    let (n, space) = (players as u64, space.clone());
    let seed = request.seed.unwrap_or(DEFAULT_SEED);
    let corners = request.corners.unwrap_or(CORNERS);
    let start = Plan::start(&space, given, corners, seed);
    let rounds = request.rounds.unwrap_or(ROUNDS);
    let most = start.len() + rounds as usize;
    let usual = if players == 2 { Solver::Nash } else { Solver::ProjectedReplicator };
    let solver = request.solver.as_deref().map_or(Ok(usual), |name| {
        name.parse().map_err(|message: String| Error::value("solver", name, message))
    })?;
    if let Some(message) = solver.refusal(most, players) {
        return Err(Error::value("solver", solver.name(), message));
    }
    let tables = tables(most as u64, n);
    if tables > MOST_TABLES {
        let message = format!(
            "with {} at the start, {n} players have up to {tables} tables, more than {MOST_TABLES}: lower it, or \
             start with fewer",
            start.len()
        );
        return Err(Error::value("rounds", rounds.to_string(), message));
    }
    let method = request.method.as_deref().map_or(Ok(Kind::Surface), |name| {
        name.parse().map_err(|message: String| Error::value("method", name, message))
    })?;
    let games = request.games.unwrap_or(GAMES);
    let (train, least) = (games / n, method.least_blocks(space.len()));
    if train < least {
        let message = format!(
            "too few for any statement: {} in {} needs at least {}",
            method.name(),
            sim::units::counted(space.len() as u64, "dimension"),
            least * n
        );
        return Err(Error::value("games", games.to_string(), message));
    }
    let (epsilon, confirm) = acceptance(request, players)?;
    let table_games = request.table_games.unwrap_or(TABLE_GAMES);
    let report = table_games / n;
    if report < LEAST_REPORT {
        let message = format!("too few for an interval: at least {} are needed", LEAST_REPORT * n);
        return Err(Error::value("table-games", table_games.to_string(), message));
    }
    Ok(Plan {
        space,
        start,
        solver,
        method,
        rounds,
        train,
        confirm,
        report,
        epsilon,
        seed,
        corners,
        runs: request.runs.unwrap_or(1),
        niche: None,
    })
}

/// Returns the archive of a request. The names of its descriptors are those of a few games of the start, which no
/// reported run plays.
fn niche(request: &Request, seats: &dyn Seats, plan: &Plan) -> Result<Option<Niche>, Error> {
    let Some(text) = &request.niche else { return Ok(None) };
    let start = vec![Strategy::Point(plan.space.start()); seats.players()];
    let blocks: Vec<u64> = (0..NAMED).collect();
    let descriptors = Descriptor::list(text, &seats.watch(&start, u64::MAX, &blocks, false)?)?;
    let games = request.niche_games.unwrap_or(NICHE_GAMES);
    let block = BLOCKS * seats.players() as u64;
    let candidates = games / block;
    if candidates < LEAST {
        let message = format!(
            "too few: {LEAST} candidates of {block} games each are the least, {} in all",
            LEAST * block
        );
        return Err(Error::value("niche-games", games.to_string(), message));
    }
    Ok(Some(Niche { descriptors, candidates }))
}

/// Returns the smallest gain that matters, and the blocks of an acceptance.
fn acceptance(request: &Request, players: usize) -> Result<(f64, u64), Error> {
    let n = players as u64;
    let epsilon = request.epsilon.unwrap_or(EPSILON);
    if !(epsilon > 0.0 && epsilon < 1.0) {
        let message = "it is a gain in points, between 0 and 1".to_owned();
        return Err(Error::value("epsilon", epsilon.to_string(), message));
    }
    let needed = needed(epsilon, players).max(LEAST_CONFIRM);
    if needed > MOST_CONFIRM {
        let message = format!(
            "a gain so small needs {:.1e} games of each response: name a larger one",
            needed as f64 * n as f64
        );
        return Err(Error::value("epsilon", epsilon.to_string(), message));
    }
    let confirm = request.confirm.map_or(needed, |games| games / n);
    if confirm < needed {
        let message = format!(
            "{} games of acceptance cannot show such a gain with 80 % power: {} are needed (confirm)",
            confirm * n,
            needed * n
        );
        return Err(Error::value("epsilon", epsilon.to_string(), message));
    }
    Ok((epsilon, confirm))
}

/// Returns the number of tables of so many strategies that have two or more of them.
fn mixed(strategies: u64, players: u64) -> u64 {
    tables(strategies, players) - strategies
}

/// Returns the number of tables of so many strategies, `C(strategies + players − 1, players)`.
pub(super) fn tables(strategies: u64, players: u64) -> u64 {
    (0..players).fold(1_u64, |all, i| all.saturating_mul(strategies + i) / (i + 1))
}
