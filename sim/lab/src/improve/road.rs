//! The steps of a road, each as the words of a command.

use std::marker::PhantomData;

use agents::param::{Param, Value, WEIGHT};
use agents::{AgentSpec, OfGame, Playable};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::compare;
use crate::tune::methods::Kind as Method;
use crate::tune::pools::{Report, Select, Train, Use};
use crate::tune::request::Request as TuningRequest;
use crate::tune::run::Budget;
use crate::tune::study::{LEAST_CONFIRM, TuningStudy};
use crate::tune::subject::Subject;
use sim::catalogue::{WithType, about, with_type};
use sim::config::{DEFAULT_SEED, Played, RuleSet, options_text, options_words};
use sim::document::{ReadFile, object};
use sim::error::Error;
use sim::observed_play::seed_of_part;

/// The parameters of a search that are tuned.
const OF_A_SEARCH: [&str; 3] = ["c", "fpu", "temperature"];
/// The parameter that is tuned in an agent without weights, or where it is set.
const NOISE: &str = "epsilon";
/// The parameter that names the file of weights.
const WEIGHTS: &str = "weights";
/// Games of a search that suffice for any number of dimensions.
const ENOUGH: u64 = 100_000_000;

/// The smallest effect worth finding, in points of share.
pub const EFFECT: f64 = 0.05;

/// The options of a road.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, clap::Args)]
#[serde(rename_all = "kebab-case")]
pub struct Request {
    /// Game and players.
    #[serde(flatten)]
    #[command(flatten)]
    pub played: Played,
    /// Agent to improve
    #[arg(long, value_name = "SPEC", default_value = "greedy")]
    pub agent: String,
    /// Opponent of the search, beside the agent itself (repeatable) [default: mcts(iterations=20); for a search greedy]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long, value_name = "SPEC")]
    pub against: Vec<String>,
    /// Held-out opponent: nothing is tuned against it, and the agent must not become worse against it (repeatable)
    /// [default: mcts(iterations=50); for a search greedy(epsilon=0.1)]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long, value_name = "SPEC")]
    pub held_out: Vec<String>,
    /// Play few games, to find large improvements only
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[arg(long, conflicts_with = "full")]
    pub quick: bool,
    /// Play five times as many games
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[arg(long)]
    pub full: bool,
    /// Seed of the run; the same seed gives the same games [default: 1]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_parser = sim::config::numbers::whole)]
    pub seed: Option<u64>,
    /// Rules and settings.
    #[serde(flatten)]
    #[command(flatten)]
    pub rules: RuleSet,
}

impl Request {
    /// Returns the command that makes this request.
    #[must_use]
    pub fn command(&self) -> String {
        format!("caesar improve {}", options_text(object(self)))
    }

    /// Returns the games of a fit, the most blocks of a test, the games of a search, and those of each side in a report.
    const fn sizes(&self) -> (u64, u64, u64, u64) {
        match (self.quick, self.full) {
            (true, _) => (400, 400, 3_000, 600),
            (_, true) => (10_000, 20_000, 100_000, 20_000),
            _ => (2_000, 4_000, 20_000, 4_000),
        }
    }
}

/// A seed for games of one use.
#[derive(Clone, Copy, Debug)]
struct Seed<U>(u64, PhantomData<U>);

impl<U: Use> Seed<U> {
    /// Returns the seed number `part` of a run.
    fn of(seed: u64, part: u64) -> Self {
        Self(seed_of_part(seed, (U::TAG << 32) + part), PhantomData)
    }
}

/// A command of a road, without the places of its results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The name: that of its directory.
    pub name: String,
    /// The words after `caesar`.
    pub words: Vec<String>,
}

impl Step {
    fn of(name: impl Into<String>, instrument: &str, request: &impl Serialize) -> Self {
        let words = instrument.split(' ').map(str::to_owned);
        Self { name: name.into(), words: words.chain(options_words(object(request))).collect() }
    }
}

/// A query for the parameters of agents that a game declares.
struct GameParams;

impl WithType for GameParams {
    type Output = OfGame;
    fn run<G: Playable>(self) -> OfGame {
        OfGame::of::<G>()
    }
}

/// The way from an agent to a better one.
#[derive(Clone, Debug)]
pub struct Road {
    request: Request,
    played: Played,
    game: OfGame,
    start: AgentSpec,
    against: Vec<String>,
    held_out: Vec<String>,
    /// The number of open values of the search.
    dimensions: usize,
}

impl Road {
    /// Validates `request`; `read` reads the files that it names.
    ///
    /// # Errors
    /// If there is no such game, table or agent, or nothing of the agent can be improved.
    pub fn new(request: &Request, read: ReadFile<'_>) -> Result<Self, Error> {
        let name = request.played.name();
        let players = request.played.players.unwrap_or(about(name)?.default_players);
        let start: AgentSpec = request.agent.parse()?;
        let text = start.to_string();
        let refused = |message: &str| Error::value("agent", text.as_str(), message);
        if start.is_external() {
            let message = "a program has no weights: open its numbers with caesar tune, as in {risk:0..1=0.5}";
            return Err(refused(message));
        }
        if start.is_timed() {
            return Err(refused(
                "no two runs of it are alike: give it iterations instead of seconds",
            ));
        }
        let usual = |given: &[String], search: &str, other: &str| match given {
            [] if start.is_search() => vec![search.to_owned()],
            [] => vec![other.to_owned()],
            given => given.to_vec(),
        };
        let mut road = Self {
            request: request.clone(),
            played: Played::new(name, players),
            game: with_type(name, GameParams)?.at(players),
            against: usual(&request.against, "greedy", "mcts(iterations=20)"),
            held_out: usual(&request.held_out, "greedy(epsilon=0.1)", "mcts(iterations=50)"),
            start,
            dimensions: 0,
        };
        road.start.check_names(&road.game)?;
        if !road.has_weights() && road.open_params().next().is_none() {
            let message = format!(
                "nothing of it can be improved in {name}: neither weights nor numbers; caesar agents {name} lists \
                 what agents have"
            );
            return Err(refused(&message));
        }
        // The games that a search needs follow from its dimensions, which are counted here: any number is enough.
        let search = road.search(&road.start, Seed::of(road.seed(), 1));
        let search = TuningRequest { games: Some(ENOUGH), ..search };
        let study = TuningStudy::new(&search, read)?;
        road.dimensions = match &study.subject {
            Subject::Agent(entrants) => entrants.space.len(),
            Subject::Rules(_) => 0,
        };
        Ok(road)
    }

    /// Returns the agent to improve.
    #[must_use]
    pub const fn start(&self) -> &AgentSpec {
        &self.start
    }

    /// Returns the request.
    #[must_use]
    pub const fn request(&self) -> &Request {
        &self.request
    }

    /// Returns the number of players.
    #[must_use]
    pub fn players(&self) -> usize {
        self.played.players.unwrap_or_default()
    }

    /// Returns all numbers of players with an opponent, those of the request first.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn tables(&self) -> Result<Vec<usize>, Error> {
        let all = about(self.played.name())?.players;
        let others = all.filter(|players| *players >= 2 && *players != self.players());
        Ok(std::iter::once(self.players()).chain(others).collect())
    }

    /// Returns whether the agent has weights to fit.
    #[must_use]
    pub fn has_weights(&self) -> bool {
        !self.game.weights_of(self.start.kind()).params.is_empty()
    }

    fn seed(&self) -> u64 {
        self.request.seed.unwrap_or(DEFAULT_SEED)
    }

    /// Returns the parameters that a search opens.
    fn open_params(&self) -> impl Iterator<Item = &'static str> {
        let has_weights = self.has_weights();
        let is_open = move |name: &str| match self.start.is_search() {
            true => OF_A_SEARCH.contains(&name),
            false => name == NOISE && (!has_weights || self.start.settings().get(NOISE).is_some()),
        };
        let all = self.start.kind().params().iter().map(|param| param.name);
        all.filter(move |name| is_open(name))
    }

    /// Returns the step that fits the weights of the start to games, and writes them to `file`.
    #[must_use]
    pub fn fit(&self, file: &str) -> Step {
        let seed: Seed<Train> = Seed::of(self.seed(), 0);
        let Request { rules, .. } = &self.request;
        let mut options = object(&self.played);
        options.insert("start".to_owned(), json!(self.start.to_string()));
        options.insert("games".to_owned(), json!(self.request.sizes().0));
        options.insert("seed".to_owned(), json!(seed.0));
        options.insert("out".to_owned(), json!(file));
        options.extend(object(rules));
        Step::of("fit", "fit weights", &options)
    }

    /// Returns `agent` with the weights of `file` instead of its own.
    ///
    /// # Errors
    /// If the agent takes no file of that name.
    pub fn with_weights(&self, agent: &AgentSpec, file: &str) -> Result<AgentSpec, Error> {
        let params = agent.settings().iter().filter(|(param, _)| param.name != WEIGHTS);
        let params = params.map(|(param, value)| written(param, value));
        let params: Vec<String> = params.chain([format!("{WEIGHTS}=\"{file}\"")]).collect();
        Ok(format!("{}({})", self.start.kind().name(), params.join(", ")).parse::<AgentSpec>()?)
    }

    /// Returns the test that accepts `candidate` instead of the start.
    #[must_use]
    pub fn accept(&self, candidate: &AgentSpec) -> Step {
        let seed: Seed<Select> = Seed::of(self.seed(), 0);
        let request = compare::Request {
            played: self.played.clone(),
            agents: [candidate, &self.start].map(ToString::to_string).to_vec(),
            rules: self.request.rules.clone(),
            effect: Some(EFFECT),
            most_blocks: Some(self.request.sizes().1),
            seed: Some(seed.0),
            ..compare::Request::default()
        };
        Step::of("compare", "compare", &request)
    }

    /// Returns the test of `candidate` against the held-out opponents, before anything is tuned from it.
    #[must_use]
    pub fn held_out(&self, candidate: &AgentSpec) -> Step {
        let seed: Seed<Select> = Seed::of(self.seed(), 1);
        self.race("held-out", candidate, self.players(), seed)
    }

    /// Returns the search from `from`, which has its own games for searching, accepting and reporting.
    #[must_use]
    pub fn tune(&self, from: &AgentSpec) -> Step {
        Step::of("tune", "tune", &self.search(from, Seed::of(self.seed(), 1)))
    }

    fn search(&self, from: &AgentSpec, Seed(seed, _): Seed<Train>) -> TuningRequest {
        let players = self.players() as u64;
        let (_, _, games, confirm) = self.request.sizes();
        let blocks = Method::Surface.least_blocks(self.dimensions.max(1));
        let least = (2.0 * blocks as f64 / (1.0 - Budget::SELECT)) as u64 * players;
        let own = [from, &self.start].map(ToString::to_string);
        let mut against = own.to_vec();
        against.extend(self.against.iter().cloned());
        let mut seen = Vec::new();
        against.retain(|one| {
            !seen.contains(one) && {
                seen.push(one.clone());
                true
            }
        });
        TuningRequest {
            played: self.played.clone(),
            agent: Some(self.opened(from)),
            weights: self.has_more_weights(from).then(|| "*".to_owned()),
            against,
            held_out: self.held_out.clone(),
            games: Some(games.max(least)),
            confirm: Some(confirm.max(LEAST_CONFIRM * players)),
            seed: Some(seed),
            rules: self.request.rules.clone(),
            ..TuningRequest::default()
        }
    }

    /// Returns whether `from` reads weights that it does not set itself.
    fn has_more_weights(&self, from: &AgentSpec) -> bool {
        let all = self.game.weights_of(self.start.kind()).params.iter();
        let mut read = all.filter(|weight| self.game.reads(self.start.kind(), weight.name));
        read.any(|weight| from.settings().weight(weight.name).is_none())
    }

    /// Returns an agent with all its numbers open, each from its present value.
    fn opened(&self, from: &AgentSpec) -> String {
        let open: Vec<&str> = self.open_params().collect();
        let settings = from.settings();
        let fixed = settings.iter().filter(|(param, _)| !open.contains(&param.name));
        let fixed = fixed.map(|(param, value)| written(param, value));
        let numbers = open.iter().map(|name| {
            let start = settings.get(name).map_or_else(String::new, |value| format!("={value}"));
            format!("{name}=?{start}")
        });
        let weights = settings.weights().map(|(weight, value)| {
            let mark = if self.game.reads(from.kind(), weight.name) { "?=" } else { "" };
            format!("{WEIGHT}{}={mark}{value}", weight.name)
        });
        let all: Vec<String> = fixed.chain(numbers).chain(weights).collect();
        match all.is_empty() {
            true => from.kind().name().to_owned(),
            false => format!("{}({})", from.kind().name(), all.join(", ")),
        }
    }

    /// Returns the reports on the chosen agent, one for each number of players. The road ends here, so that nothing is
    /// chosen by a report.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn reports(self, chosen: &AgentSpec) -> Result<Vec<(usize, Step)>, Error> {
        let one = |players: usize| {
            let seed: Seed<Report> = Seed::of(self.seed(), players as u64);
            (players, self.race(&format!("report-{players}"), chosen, players, seed))
        };
        Ok(self.tables()?.into_iter().map(one).collect())
    }

    /// Returns the most games of each step by name, where the search plays `searched`.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn most_games(&self, searched: u64) -> Result<Vec<(String, u64)>, Error> {
        let (fitted, blocks, _, _) = self.request.sizes();
        let raced = |players: usize| {
            let request = self.race_request(&self.start, players, 0);
            let arms = 2 * (1 + request.held_out.len() as u64) + 1;
            request.games.unwrap_or_default() + arms * request.confirm.unwrap_or_default()
        };
        let mut all = Vec::new();
        if self.has_weights() {
            all.push(("fit".to_owned(), fitted));
            all.push(("compare".to_owned(), blocks * self.players() as u64));
            all.push(("held-out".to_owned(), raced(self.players())));
        }
        all.push(("tune".to_owned(), searched));
        let reports = self.tables()?.into_iter();
        all.extend(reports.map(|players| (format!("report-{players}"), raced(players))));
        Ok(all)
    }

    /// Returns the race of `chosen` and the start against the start, with the report against held-out opponents.
    fn race<U: Use>(
        &self,
        name: &str,
        chosen: &AgentSpec,
        players: usize,
        Seed(seed, _): Seed<U>,
    ) -> Step {
        Step::of(name, "tune", &self.race_request(chosen, players, seed))
    }

    fn race_request(&self, chosen: &AgentSpec, players: usize, seed: u64) -> TuningRequest {
        let per_block = players as u64;
        let least = (Budget::LEAST_SELECT as f64 / Budget::SELECT).ceil() as u64;
        TuningRequest {
            played: Played::new(self.played.name(), players),
            candidate: [&self.start, chosen].map(ToString::to_string).to_vec(),
            against: vec![self.start.to_string()],
            held_out: self
                .held_out
                .iter()
                .filter(|one| **one != self.start.to_string())
                .cloned()
                .collect(),
            games: Some(least * per_block),
            confirm: Some(self.request.sizes().3.max(LEAST_CONFIRM * per_block)),
            seed: Some(seed),
            rules: self.request.rules.clone(),
            ..TuningRequest::default()
        }
    }
}

/// Returns a setting as in a spec.
fn written(param: &Param, value: &Value) -> String {
    format!("{}={value}", param.name)
}
