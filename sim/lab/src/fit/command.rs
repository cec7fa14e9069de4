//! The fits of a game by its name: positions from games or records, one fit to them, and its results.

use std::io::BufRead;

use agents::net::{AUTO, OFF, OWN_NET};
use agents::param::Value::Word;
use agents::{AgentSpec, Observable, OfGame, Playable};
use engine::Rules;
use serde_json::{Map, Value as Json, json};

use super::folds::CrossValidation;
use super::positions::{self, Collected, Keep, Played, Recorded, Sectioned, Which};
use super::priors::{self, PriorOptions, Searches, Target, own_weights};
use super::value::{HeldOut, Row, ValueFit, ValueScale, rows};
use super::weights::{self, Subject, evaluation_of};
use super::{Fitted, Origin, Sections, export};
use sim::catalogue::{Setup, WithGame, with_game};
use sim::error::Error;
use sim::export::columns::{Cell, Column};

/// The table of a fit: a game and its seats.
#[derive(Clone, Copy, Debug)]
pub struct FitSetup {
    /// The name of the game.
    pub game: &'static str,
    /// Seats at the table.
    pub players: usize,
}

impl FitSetup {
    pub(super) fn of<G: Playable>(game: &G) -> Self {
        Self { game: G::about().name, players: game.n_players() }
    }
}

/// The surroundings of a fit: agent specs, files, and the command that reproduces it.
pub trait Surroundings: Sync {
    /// Parses the agent given by the option `name`, and reads its files.
    ///
    /// # Errors
    /// If there is no such agent or file, or the agent's play is not reproducible.
    fn spec(&self, name: &'static str, text: &str) -> Result<AgentSpec, Error>;

    /// Opens a file of records.
    ///
    /// # Errors
    /// If it cannot be opened.
    fn open(&self, name: &str) -> Result<Box<dyn BufRead>, Error>;

    /// Refuses too few games for the held-out parts; the option `name` sets their number.
    ///
    /// # Errors
    /// If there are too few games.
    fn check_games(&self, games: u64, name: &'static str) -> Result<(), Error>;

    /// Returns the origin of the fit `what`; `more` are the additional options of its command.
    fn origin(&self, seats: FitSetup, source: &str, what: &str, more: Map<String, Json>) -> Origin;

    /// Writes the positions for other tools, if requested.
    ///
    /// # Errors
    /// If `table` fails, or the file cannot be written.
    fn export(&self, table: &dyn Fn() -> Result<PositionTable, Error>) -> Result<(), Error>;
}

/// A table of positions for other tools.
#[derive(Debug)]
pub struct PositionTable {
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows.
    pub rows: Vec<Vec<Cell>>,
}

/// The games of a fit.
#[derive(Clone, Debug)]
pub enum Games {
    /// Newly played games.
    Played {
        /// The agents, which take the seats in turn.
        agents: Vec<String>,
        /// Number of games.
        games: u64,
        /// True if most begin with partly random play.
        mixed: bool,
    },
    /// Recorded games.
    Recorded {
        /// The files.
        files: Vec<String>,
        /// Games of a block, which share their chance; as many as players if `None`.
        block: Option<u64>,
    },
}

/// The request of a fit.
#[derive(Clone, Debug)]
pub struct Request {
    /// The games.
    pub games: Games,
    /// The largest number of positions of a game.
    pub per_game: usize,
    /// The seed of all games and draws.
    pub seed: u64,
    /// The number of folds into which games are dealt; each is held out once.
    pub folds: usize,
    /// The strengths of the prior that are tried.
    pub strengths: Vec<f64>,
}

impl Request {
    fn plan(&self) -> CrossValidation<'_> {
        CrossValidation { folds: self.folds, strengths: &self.strengths }
    }

    /// Collects positions from records, or from newly played games.
    fn collect<G: Playable + Observable>(
        &self,
        game: &G,
        rules: &Rules,
        which: Which,
        desk: &dyn Surroundings,
    ) -> Result<Collected<G::State>, Error> {
        let collected = self.collect_and_keep(game, rules, which, desk, &Some)?;
        desk.export(&|| {
            let (columns, rows) = export::table(game, &collected, &agents::Settings::default())?;
            Ok(PositionTable { columns, rows })
        })?;
        Ok(collected)
    }

    /// Collects positions like [`Self::collect`], and stores the result of `keep` for each.
    pub(super) fn collect_and_keep<G: Playable + Observable, T: Send>(
        &self,
        game: &G,
        rules: &Rules,
        which: Which,
        desk: &dyn Surroundings,
        keep: &Keep<'_, G::State, T>,
    ) -> Result<Collected<T>, Error> {
        let (per_game, seed) = (self.per_game, self.seed);
        match &self.games {
            Games::Played { agents, games, mixed } => {
                let (games, mixed) = (*games, *mixed);
                desk.check_games(games, "games")?;
                let agents = players(agents, desk, &|spec| {
                    spec.build(game)?;
                    Ok(())
                })?;
                let played = Played { agents, games, seed, per_game, which, mixed };
                positions::play_and_keep(game, &played, keep)
            }
            Games::Recorded { files, block } => {
                let mut inputs = opened(files, desk)?;
                let block = block.unwrap_or(game.n_players() as u64);
                let recorded = Recorded { per_game, which, seed, block };
                let rules = rules.overrides();
                let found = positions::read_and_keep(game, &rules, &mut inputs, &recorded, keep)?;
                desk.check_games(found.games, "records")?;
                Ok(found)
            }
        }
    }
}

/// Parses the agents that play; `check` builds each.
fn players(
    texts: &[String],
    desk: &dyn Surroundings,
    check: &dyn Fn(&AgentSpec) -> Result<(), Error>,
) -> Result<Vec<AgentSpec>, Error> {
    let built = texts.iter().map(|text| {
        let spec = desk.spec("agent", text)?;
        check(&spec)?;
        Ok(spec)
    });
    built.collect()
}

/// A file of records by its name.
type NamedInput = (String, Box<dyn BufRead>);

/// Opens files of records.
fn opened(files: &[String], desk: &dyn Surroundings) -> Result<Vec<NamedInput>, Error> {
    files.iter().map(|name| Ok((name.clone(), desk.open(name)?))).collect()
}

/// Splits a game into sections by the progress of its positions.
pub(super) fn sections_of<S>(collected: &Collected<S>) -> Sections {
    Sections::of(collected.positions.iter().map(|one| one.progress).collect::<Vec<_>>())
}

/// Returns the first lines of a fitted file.
fn head(first: String, origin: &Origin) -> Vec<String> {
    vec![first, format!("Made by: {}", origin.command), format!("From: {}", origin.source)]
}

/// The results common to all fits.
#[derive(Debug)]
pub struct Common {
    /// The origin of the fit.
    pub origin: Origin,
    /// The sections of the game.
    pub sections: Sections,
    /// The number of games played to their end.
    pub games: u64,
    /// The number of forfeited games.
    pub broken_off: u64,
    /// The rules of the game.
    pub rules: Rules,
}

impl Common {
    pub(super) fn of<S>(
        collected: &Collected<S>,
        origin: Origin,
        sections: Sections,
        rules: &Rules,
    ) -> Self {
        let (games, broken_off) = (collected.games, collected.broken_off);
        Self { origin, sections, games, broken_off, rules: rules.clone() }
    }
}

/// A fitted value function.
#[derive(Debug)]
pub struct OfValue {
    /// The results common to all fits.
    pub common: Common,
    /// The losses on held-out games.
    pub held_out: HeldOut,
    /// The cluster and the section of each position.
    pub places: Vec<(u64, usize)>,
    /// The fitted numbers.
    pub fitted: Vec<Fitted>,
    /// The text of the file.
    pub text: String,
}

/// Fits the value function of the agent `start` to the winners of games.
///
/// # Errors
/// If the game or an agent cannot be built, the game has no value function, or games or records fail.
pub fn fit_value(
    setup: &Setup,
    request: &Request,
    start: &str,
    desk: &dyn Surroundings,
) -> Result<OfValue, Error> {
    with_game(setup, ValueTask { request, start, desk })?
}

/// Returns the agent that a fit begins with: `said` without the net that it takes from the package only because nothing
/// else is said, so that what is fitted does not depend on what was fitted before.
///
/// # Errors
/// If a file of the agent is unusable.
pub(super) fn without_own_net<G: Playable>(
    game: &G,
    said: &AgentSpec,
    desk: &dyn Surroundings,
) -> Result<AgentSpec, Error> {
    let settings = said.settings();
    let is_auto = [None, Some(&Word(AUTO))].contains(&settings.get(OWN_NET));
    if is_auto
        && settings.get("value").is_none()
        && game.net(settings).map_err(Error::Usage)?.is_some()
    {
        return desk.spec("start", &said.saying(OWN_NET, OFF)?.to_string());
    }
    Ok(said.clone())
}

struct ValueTask<'a> {
    request: &'a Request,
    start: &'a str,
    desk: &'a dyn Surroundings,
}

impl WithGame for ValueTask<'_> {
    type Output = Result<OfValue, Error>;

    fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Self::Output {
        let Self { request, start, desk } = self;
        let said = desk.spec("start", start)?;
        said.build(&game)?;
        let start = without_own_net(&game, &said, desk)?;
        if game.net(start.settings()).map_err(Error::Usage)?.is_some() {
            let message =
                "it has a net beside its value function, which this fit leaves out: fit net";
            return Err(Error::value("start", start.to_string(), message));
        }
        let table = game.value_table(start.settings()).map_err(Error::Usage)?;
        let table = table.ok_or_else(|| {
            let message = "it has no value function beside its evaluation: fit weights";
            Error::value("game", G::about().name, message)
        })?;
        let collected = request.collect(&game, rules, Which::Beginnings, desk)?;
        let sections = sections_of(&collected);
        let rows: Vec<Row> = rows(&game, &*table, &collected, &sections);
        let scale = ValueScale::by(start.config(Some(&OfGame::at_table_of(&game))).as_ref());
        let more = Map::from_iter([("start".to_owned(), json!(said.to_string()))]);
        let origin = desk.origin(FitSetup::of(&game), &collected.source, "value", more);
        let common = Common::of(&collected, origin, sections, rules);
        let moments = table.phases();
        let today: Vec<_> = (0..moments.len()).map(|moment| table.at(moment)).collect();
        let fit = ValueFit::new(&rows, &today);
        let held_out = fit.held_out(request.folds, &request.strengths, scale);
        let values = fit.values(held_out.validated.strength);
        let fitted = fit.fitted(table.features(), &moments, &held_out.validated.strengths());
        let first = format!(
            "What a position is worth to {} players: weights of features, by moment; fitted to who won.",
            common.origin.players
        );
        let text = table.write(&head(first, &common.origin), &values);
        let places = rows.iter().map(|row| (row.cluster, row.section)).collect();
        Ok(OfValue { common, held_out, places, fitted, text })
    }
}

/// Fitted weights.
#[derive(Debug)]
pub struct OfWeights {
    /// The results common to all fits.
    pub common: Common,
    /// The result of the fit.
    pub outcome: weights::Outcome,
}

/// The choice of weights to fit.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The agent with the current weights.
    pub start: &'a str,
    /// The weights to fit; if empty, all that are not integers.
    pub weights: &'a [String],
    /// The weights that are held fixed.
    pub hold: &'a [String],
}

/// Fits the weights of an evaluation to the winners of games.
///
/// # Errors
/// If the game or an agent cannot be built, there is no such weight, or games or records fail.
pub fn fit_weights(
    setup: &Setup,
    request: &Request,
    wanted: Wanted<'_>,
    desk: &dyn Surroundings,
) -> Result<OfWeights, Error> {
    with_game(setup, WeightsTask { request, wanted, desk })?
}

struct WeightsTask<'a> {
    request: &'a Request,
    wanted: Wanted<'a>,
    desk: &'a dyn Surroundings,
}

impl WeightsTask<'_> {
    fn origin(&self, seats: FitSetup, source: &str, start: &AgentSpec) -> Origin {
        let mut more = Map::new();
        more.insert("start".to_owned(), json!(start.to_string()));
        for (key, names) in [("weights", self.wanted.weights), ("hold", self.wanted.hold)] {
            if !names.is_empty() {
                more.insert(key.to_owned(), json!(names.join(",")));
            }
        }
        self.desk.origin(seats, source, "weights", more)
    }
}

impl WithGame for WeightsTask<'_> {
    type Output = Result<OfWeights, Error>;

    fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Self::Output {
        let Self { request, wanted, desk } = self;
        let start = desk.spec("start", wanted.start)?;
        start.build(&game)?;
        evaluation_of(&game, start.settings())?;
        let subject = Subject::new(&game, start.settings(), wanted.weights, wanted.hold)?;
        let collected = request.collect(&game, rules, Which::Beginnings, desk)?;
        let sections = sections_of(&collected);
        let origin = self.origin(FitSetup::of(&game), &collected.source, &start);
        let first = format!(
            "The weights of {} for {} players, fitted to who won.",
            origin.game, origin.players
        );
        let positions = Sectioned { collected: &collected, sections: &sections };
        let head = head(first, &origin);
        let outcome = weights::fit(&game, positions, subject, request.plan(), &head)?;
        Ok(OfWeights { common: Common::of(&collected, origin, sections, rules), outcome })
    }
}

/// Fitted priors.
#[derive(Debug)]
pub struct OfPriors {
    /// The results common to all fits.
    pub common: Common,
    /// The result of the fit.
    pub outcome: priors::Outcome,
}

/// The choice of priors to fit, and their target.
#[derive(Clone, Copy, Debug)]
pub struct WantedPriors<'a> {
    /// The search with the current priors.
    pub search: &'a str,
    /// The weights to fit; if empty, those used by priors only; all with [`ALL`].
    pub weights: &'a [String],
    /// The target of the fit.
    pub prior_options: PriorOptions,
}

/// The value of [`WantedPriors::weights`] that means all weights.
pub const ALL: &str = "*";

/// Fits the priors of a search to its visits or values.
///
/// # Errors
/// If the game or an agent cannot be built, there is no such weight, or games or records fail.
pub fn fit_priors(
    setup: &Setup,
    request: &Request,
    wanted: WantedPriors<'_>,
    desk: &dyn Surroundings,
) -> Result<OfPriors, Error> {
    with_game(setup, PriorsTask { request, wanted, desk })?
}

struct PriorsTask<'a> {
    request: &'a Request,
    wanted: WantedPriors<'a>,
    desk: &'a dyn Surroundings,
}

impl PriorsTask<'_> {
    fn origin(&self, seats: FitSetup, source: &str, search: &AgentSpec) -> Origin {
        let mut more = Map::new();
        more.insert("search".to_owned(), json!(search.to_string()));
        if !self.wanted.weights.is_empty() {
            more.insert("weights".to_owned(), json!(self.wanted.weights.join(",")));
        }
        more.extend(self.wanted.prior_options.target.options());
        if self.wanted.prior_options.only_macro {
            more.insert("only-macro".to_owned(), json!(true));
        }
        self.desk.origin(seats, source, "priors", more)
    }

    /// Returns the weights to fit.
    fn subject<G: Playable>(&self, game: &G, search: &AgentSpec) -> Result<Subject, Error> {
        let of = |wanted: &[String]| Subject::new(game, search.settings(), wanted, &[]);
        match self.wanted.weights {
            [all] if all == ALL => of(&[]),
            [] => {
                let own = own_weights::<G>();
                let mut subject = of(&own)?;
                if own.is_empty() {
                    subject.keep(|_| false);
                }
                Ok(subject)
            }
            wanted => of(wanted),
        }
    }
}

impl WithGame for PriorsTask<'_> {
    type Output = Result<OfPriors, Error>;

    fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Self::Output {
        let Self { request, wanted, desk } = self;
        let search = desk.spec("search", wanted.search)?;
        search.build(&game)?;
        let subject = self.subject(&game, &search)?;
        let collected = request.collect(&game, rules, Which::Decisions, desk)?;
        let sections = sections_of(&collected);
        let origin = self.origin(FitSetup::of(&game), &collected.source, &search);
        let what = match wanted.prior_options.target {
            Target::Visits => "the visits of",
            Target::Values { .. } => "what options are worth by",
        };
        let first = format!(
            "The weights of {} for {} players, those of priors fitted to {what} {search}.",
            origin.game, origin.players
        );
        let searches =
            Searches { spec: &search, seed: request.seed, prior_options: wanted.prior_options };
        let positions = Sectioned { collected: &collected, sections: &sections };
        let head = head(first, &origin);
        let outcome = priors::fit(&game, searches, positions, subject, request.plan(), &head)?;
        Ok(OfPriors { common: Common::of(&collected, origin, sections, rules), outcome })
    }
}
