//! A validated search that is ready to run.

use agents::{OfGame, Playable};

use super::agent_objective::open_table;
use super::entrants::Entrants;
use super::gain::Gain;
use super::journal::LogCsv;
use super::methods::Kind;
use super::request::Request;
use super::rule_set::is_open;
use super::run::{Budget, How, Search};
use super::space::{Dimension, Space};
use super::subject::Subject;
use sim::catalogue::{Overrides, Setup, WithType, about, with_type};
use sim::config::{DEFAULT_SEED, Played};
use sim::document::ReadFile;
use sim::error::Error;
use sim::stats::quantiles::normal_quantile;

/// The default number of games of search and play-off.
pub const DEFAULT_GAMES: u64 = 10_000;
/// The default fraction of these games that each side plays in the report.
const CONFIRM: f64 = 0.25;
/// The smallest number of blocks of each side in the report: with fewer, intervals are useless.
pub const LEAST_CONFIRM: u64 = 50;
/// The power for the smallest detectable gain.
pub const POWER: f64 = 0.8;

/// Parameters that buy strength with time.
const COSTS: [&str; 3] = ["iterations", "ply_budget", "nodes"];

/// A validated search that can be run.
#[derive(Clone, Debug)]
pub struct TuningStudy {
    /// The game, table and rules.
    pub setup: Setup,
    /// Number of players.
    pub players: usize,
    /// The tuned agent or rules, and the other agents.
    pub subject: Subject,
    /// The search to run.
    pub search: Search,
    /// The request with all defaults filled in.
    pub request: Request,
}

/// A query for the parameters of agents that a game declares.
struct GameParams;

impl WithType for GameParams {
    type Output = OfGame;
    fn run<G: Playable>(self) -> OfGame {
        OfGame::of::<G>()
    }
}

/// The game of a request, set up under its fixed rules.
pub(crate) struct Opened {
    pub(crate) setup: Setup,
    pub(crate) players: usize,
    pub(crate) of_game: OfGame,
}

impl Opened {
    /// Sets up the game of `request` for two or more players.
    ///
    /// # Errors
    /// If the game, its players or its rules are invalid.
    pub(crate) fn of(request: &Request, read: ReadFile<'_>) -> Result<Self, Error> {
        let game = request.played.name();
        let players = request.played.players.unwrap_or(about(game)?.default_players);
        if players < 2 {
            let message = "a table of 2 or more is needed: an opponent has to sit there";
            return Err(Error::value("players", players.to_string(), message));
        }
        let file = match &request.rules.file {
            None => None,
            Some(path) => {
                let text = read(path).map_err(|e| Error::unreadable("rules", path, &e))?;
                Some((path.clone(), text))
            }
        };
        let settings = request.rules.settings.iter();
        let fixed = settings.filter(|setting| !is_open(setting)).cloned().collect();
        let overrides = Overrides { file, settings: fixed, ..Overrides::default() };
        let setup = Setup { game: game.to_owned(), players: Some(players), overrides };
        let of_game = with_type(game, GameParams)?.at(players);
        Ok(Self { setup, players, of_game })
    }
}

impl TuningStudy {
    /// Validates `request`; `read` reads the files that it names.
    ///
    /// # Errors
    /// At the first invalid value.
    pub fn new(request: &Request, read: ReadFile<'_>) -> Result<Self, Error> {
        let Opened { setup, players, of_game } = Opened::of(request, read)?;
        let subject = Subject::read(request, &setup, &of_game, read)?;
        // Values that an agent or the rules refuse are reported first, before the needs of the search.
        open_table(&setup, &subject)?;
        let per_block = subject.games_per_block(players);
        let how = how(request, &subject)?;
        let runs = match how {
            How::By(kind) => request.runs.unwrap_or(kind.usual_runs()).max(1),
            How::Racing => 1,
        };
        let budget = budget(request, how, runs, subject.space(), per_block)?;
        let search = Search {
            aim: subject.aim(players),
            space: subject.space().clone(),
            how,
            runs,
            seed: request.seed.unwrap_or(DEFAULT_SEED),
            budget,
            held_out: subject.held_out().len(),
        };
        check_runs(request, &search, per_block)?;
        let request = Request {
            played: Played::new(request.played.name(), players),
            method: Some(how.name().to_owned()),
            games: Some((budget.train + budget.select) * per_block),
            confirm: Some(budget.confirm * per_block),
            runs: Some(search.runs),
            seed: Some(search.seed),
            ..request.clone()
        };
        Ok(Self { setup, players, subject, search, request })
    }

    /// Returns the largest number of games: of searches, play-off and report.
    #[must_use]
    pub fn games(&self) -> u64 {
        let Budget { train, select, confirm } = self.search.budget;
        (train + select + confirm * self.report_arms()) * self.games_per_block()
    }

    /// Returns the number of games in a block.
    #[must_use]
    pub const fn games_per_block(&self) -> u64 {
        self.subject.games_per_block(self.players)
    }

    /// Returns cautions for reading a result, as sentences.
    #[must_use]
    pub fn cautions(&self) -> Vec<String> {
        let costs = |one: &&Dimension| {
            matches!(self.subject, Subject::Agent(_)) && COSTS.contains(&one.name.as_str())
        };
        let caution = |one: &Dimension| {
            format!(
                "{} costs time, and no gain counts it: more of it wins by thinking longer; caesar ladder prices it step \
                 by step",
                one.name
            )
        };
        self.search.space.dimensions().iter().filter(costs).map(caution).collect()
    }

    /// Returns hints for a cheaper search, as sentences.
    #[must_use]
    pub fn hints(&self) -> Vec<String> {
        let Subject::Agent(Entrants { template, listed, .. }) = &self.subject else {
            return Vec::new();
        };
        let is_set = ["iterations", "seconds"].iter().any(|name| template.says(name))
            || self.search.space.dimensions().iter().any(|one| one.name == "iterations");
        if template.kind().search().is_none() || is_set || !listed.is_empty() {
            return Vec::new();
        }
        let text = "the search makes its default number of iterations: games are several times as fast with fewer, as \
                    with iterations=100 in the spec";
        vec![text.to_owned()]
    }

    /// Returns the number of sides in the report: two against the pool and against each held-out opponent and, for
    /// agents, one duel.
    #[must_use]
    pub const fn report_arms(&self) -> u64 {
        let duels = match self.search.gain() {
            Gain::Share => 1,
            Gain::Loss => 0,
        };
        2 * (1 + self.search.held_out as u64) + duels
    }

    /// Returns the format of the log.
    #[must_use]
    pub fn log_csv(&self) -> LogCsv {
        LogCsv::new(&self.search.space, self.search.aim.is_some())
    }

    /// Returns the smallest gain that the report finds with [`POWER`]. It is in points of share, or in the loss of
    /// rules near their target. It assumes games that one seat wins outright, and candidates that share only the
    /// seats; common chance lowers it. `None` if the variance of games is unknown before play, as for lengths.
    #[must_use]
    pub fn smallest_gain(&self) -> Option<f64> {
        let equal = 1.0 / self.players as f64;
        let block = match &self.subject {
            Subject::Agent(_) => equal * (1.0 - equal) / self.players as f64,
            Subject::Rules(rule_set) => rule_set.target.variance(self.players)?,
        };
        let quantiles = normal_quantile(0.025) + normal_quantile(1.0 - POWER);
        Some(quantiles * (2.0 * block / self.search.budget.confirm as f64).sqrt())
    }
}

fn check_runs(request: &Request, search: &Search, per_block: u64) -> Result<(), Error> {
    let How::By(kind) = search.how else { return Ok(()) };
    let each = search.budget.train / search.runs;
    let least = kind.least_blocks(search.space.len());
    if each >= least {
        return Ok(());
    }
    let needed = (least * search.runs) as f64 / (1.0 - Budget::SELECT);
    Err(Error::value(
        "games",
        request.games.unwrap_or(DEFAULT_GAMES).to_string(),
        format!(
            "too few for any statement: {} over {} of {} dimensions needs about {} (with {} games a block)",
            kind.name(),
            sim::units::counted(search.runs, "search"),
            search.space.len(),
            (needed * per_block as f64).ceil() as u64,
            per_block
        ),
    ))
}

fn how(request: &Request, subject: &Subject) -> Result<How, Error> {
    let named = request.method.as_deref();
    if named == Some("racing") {
        return match subject.space().size() {
            Some(2..=64) => Ok(How::Racing),
            _ => Err(Error::value(
                "method",
                "racing",
                "it is for a list: name 2 to 64 candidates, or leave that few points open",
            )),
        };
    }
    let usual = if subject.is_list() { Some(How::Racing) } else { None };
    match named {
        None => Ok(usual.unwrap_or(How::By(Kind::Surface))),
        Some(name) => {
            let kind =
                name.parse().map_err(|message: String| Error::value("method", name, message))?;
            if kind == Kind::Spsa && matches!(subject, Subject::Rules(_)) {
                let message = "its steps are made for shares of points, and the loss of rules is none: take surface or cma-es";
                return Err(Error::value("method", name, message));
            }
            Ok(How::By(kind))
        }
    }
}

fn budget(
    request: &Request,
    how: How,
    runs: u64,
    space: &Space,
    per_block: u64,
) -> Result<Budget, Error> {
    let games = request.games.unwrap_or(DEFAULT_GAMES);
    let blocks = games / per_block;
    let confirm = match request.confirm {
        Some(games) => games / per_block,
        None => (CONFIRM * blocks as f64) as u64,
    };
    let least = match how {
        How::By(kind) => kind.least_blocks(space.len()),
        How::Racing => 32 * space.size().unwrap_or(2),
    };
    let for_choosing = Budget::LEAST_SELECT as f64 / Budget::SELECT;
    let needed = (least as f64 / (1.0 - Budget::SELECT)).max(for_choosing).ceil() as u64;
    if blocks < needed {
        return Err(Error::value(
            "games",
            games.to_string(),
            format!(
                "too few for any statement: {} in {} needs at least {}",
                how.name(),
                sim::units::counted(space.len() as u64, "dimension"),
                needed * per_block
            ),
        ));
    }
    if confirm < LEAST_CONFIRM {
        let given = request.confirm.unwrap_or(confirm * per_block);
        let message = format!(
            "too few for any statement: at least {} of each side are needed",
            LEAST_CONFIRM * per_block
        );
        return Err(Error::value("confirm", given.to_string(), message));
    }
    Ok(Budget::of(how, runs, blocks, confirm))
}
