//! Fits of a game by its name: positions of games or records, one fit of them, and what is told of it.

use std::io::BufRead;

use agents::{AgentSpec, Observable, OfGame, Playable};
use engine::Rules;
use serde_json::{Map, Value as Json, json};

use super::folds::CrossValidation;
use super::positions::{self, Collected, Played, Recorded, Sectioned, Which};
use super::priors::{self, PriorOptions, Searches, Target, own_weights};
use super::value::{HeldOut, Row, Taken, ValueFit, rows};
use super::weights::{self, Subject, evaluation_of};
use super::{Fitted, Origin, Sections, export};
use sim::catalogue::{Setup, WithGame, with_game};
use sim::error::Error;
use sim::export::columns::{Cell, Column};

/// The table of a fit: a game and its seats.
#[derive(Clone, Copy, Debug)]
pub struct Seats {
    /// The name of the game.
    pub game: &'static str,
    /// Seats at the table.
    pub players: usize,
}

impl Seats {
    fn of<G: Playable>(game: &G) -> Self {
        Self { game: G::about().name, players: game.n_players() }
    }
}

/// The surroundings of a fit: agents by their specs, files, and the command that makes it again.
pub trait Surroundings: Sync {
    /// Reads the agent that the option `name` says, with its files.
    ///
    /// # Errors
    /// If there is no such agent or file, or the agent may play otherwise by itself.
    fn spec(&self, name: &'static str, text: &str) -> Result<AgentSpec, Error>;

    /// Opens a file of records.
    ///
    /// # Errors
    /// If it cannot be opened.
    fn open(&self, name: &str) -> Result<Box<dyn BufRead>, Error>;

    /// Refuses fewer games than the parts that are held out need; the option `name` asked for them.
    ///
    /// # Errors
    /// If there are too few.
    fn check_games(&self, games: u64, name: &'static str) -> Result<(), Error>;

    /// Tells of whom the fit `what` is; `more` are the options of its command alone.
    fn origin(&self, seats: Seats, source: &str, what: &str, more: Map<String, Json>) -> Origin;

    /// Writes the positions for other tools, where that is asked for.
    ///
    /// # Errors
    /// If `table` fails, or the file cannot be written.
    fn export(&self, table: &dyn Fn() -> Result<Table, Error>) -> Result<(), Error>;
}

/// A table of positions for other tools.
#[derive(Debug)]
pub struct Table {
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows.
    pub rows: Vec<Vec<Cell>>,
}

/// The games of a fit.
#[derive(Clone, Debug)]
pub enum Games {
    /// Games that are played.
    Played {
        /// The agents, who take the seats in turn.
        agents: Vec<String>,
        /// Number of games.
        games: u64,
        /// Whether most begin with play that is random to a degree.
        mixed: bool,
    },
    /// Games of records.
    Recorded {
        /// The files.
        files: Vec<String>,
        /// Games of a block, which share their chance; as many as players if `None`.
        block: Option<u64>,
    },
}

/// A fit as it is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The games.
    pub games: Games,
    /// Positions of a game at most.
    pub per_game: usize,
    /// The seed of all games and draws.
    pub seed: u64,
    /// Parts into which games are dealt, each held out once.
    pub folds: usize,
    /// Strengths of the prior that are tried.
    pub strengths: Vec<f64>,
}

impl Request {
    fn plan(&self) -> CrossValidation<'_> {
        CrossValidation { folds: self.folds, strengths: &self.strengths }
    }

    /// Collects positions of the records, or of games that are played.
    fn collect<G: Playable + Observable>(
        &self,
        game: &G,
        rules: &Rules,
        which: Which,
        desk: &dyn Surroundings,
    ) -> Result<Collected<G::State>, Error> {
        let (per_game, seed) = (self.per_game, self.seed);
        let collected = match &self.games {
            Games::Played { agents, games, mixed } => {
                let (games, mixed) = (*games, *mixed);
                desk.check_games(games, "games")?;
                let agents = players(agents, desk, &|spec| {
                    spec.build(game)?;
                    Ok(())
                })?;
                positions::play(game, &Played { agents, games, seed, per_game, which, mixed })?
            }
            Games::Recorded { files, block } => {
                let mut inputs = opened(files, desk)?;
                let block = block.unwrap_or(game.n_players() as u64);
                let recorded = Recorded { per_game, which, seed, block };
                let found = positions::read(game, &rules.overrides(), &mut inputs, &recorded)?;
                desk.check_games(found.games, "records")?;
                found
            }
        };
        desk.export(&|| {
            let (columns, rows) = export::table(game, &collected, &agents::Settings::default())?;
            Ok(Table { columns, rows })
        })?;
        Ok(collected)
    }
}

/// Reads the agents that play, each of which `check` builds.
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
fn sections_of<S>(collected: &Collected<S>) -> Sections {
    Sections::of(collected.positions.iter().map(|one| one.progress).collect::<Vec<_>>())
}

/// Writes the lines at the head of a file that was fitted.
fn head(first: String, origin: &Origin) -> Vec<String> {
    vec![first, format!("Made by: {}", origin.command), format!("From: {}", origin.source)]
}

/// What is known of every fit.
#[derive(Debug)]
pub struct Common {
    /// Of whom it is.
    pub origin: Origin,
    /// The sections of the game.
    pub sections: Sections,
    /// Games that were played to their end.
    pub games: u64,
    /// Games that were broken off.
    pub broken_off: u64,
    /// The rules of the game.
    pub rules: Rules,
}

impl Common {
    fn of<S>(collected: &Collected<S>, origin: Origin, sections: Sections, rules: &Rules) -> Self {
        let (games, broken_off) = (collected.games, collected.broken_off);
        Self { origin, sections, games, broken_off, rules: rules.clone() }
    }
}

/// A value function that was fitted.
#[derive(Debug)]
pub struct OfValue {
    /// What is known of every fit.
    pub common: Common,
    /// What is lost on held-out games.
    pub held_out: HeldOut,
    /// The cluster and the section of each position.
    pub places: Vec<(u64, usize)>,
    /// What was fitted.
    pub fitted: Vec<Fitted>,
    /// The file.
    pub text: String,
}

/// Fits the value function of the agent `start` to who won.
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

struct ValueTask<'a> {
    request: &'a Request,
    start: &'a str,
    desk: &'a dyn Surroundings,
}

impl WithGame for ValueTask<'_> {
    type Output = Result<OfValue, Error>;

    fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Self::Output {
        let Self { request, start, desk } = self;
        let start = desk.spec("start", start)?;
        start.build(&game)?;
        let table = game.value_table(start.settings()).map_err(Error::Usage)?;
        let table = table.ok_or_else(|| {
            let message = "it has no value function beside its evaluation: fit weights";
            Error::value("game", G::about().name, message)
        })?;
        let collected = request.collect(&game, rules, Which::Beginnings, desk)?;
        let sections = sections_of(&collected);
        let rows: Vec<Row> = rows(&game, &*table, &collected, &sections);
        let taken = Taken::by(start.config(Some(&OfGame::at_table_of(&game))).as_ref());
        let more = Map::from_iter([("start".to_owned(), json!(start.to_string()))]);
        let origin = desk.origin(Seats::of(&game), &collected.source, "value", more);
        let common = Common::of(&collected, origin, sections, rules);
        let moments = table.phases();
        let today: Vec<_> = (0..moments.len()).map(|moment| table.at(moment)).collect();
        let fit = ValueFit::new(&rows, &today);
        let held_out = fit.held_out(request.folds, &request.strengths, taken);
        let values = fit.values(held_out.validated.strength);
        let fitted = fit.told(table.features(), &moments, &held_out.validated.strengths());
        let first = format!(
            "What a position is worth to {} players: weights of features, by moment; fitted to who won.",
            common.origin.players
        );
        let text = table.write(&head(first, &common.origin), &values);
        let places = rows.iter().map(|row| (row.cluster, row.section)).collect();
        Ok(OfValue { common, held_out, places, fitted, text })
    }
}

/// Weights that were fitted.
#[derive(Debug)]
pub struct OfWeights {
    /// What is known of every fit.
    pub common: Common,
    /// What the fit came to.
    pub outcome: weights::Outcome,
}

/// Which weights of whom are fitted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The agent whose weights are today's.
    pub start: &'a str,
    /// The weights; all that are no whole numbers if there are none.
    pub weights: &'a [String],
    /// Weights that stay as they are.
    pub hold: &'a [String],
}

/// Fits the weights of an evaluation to who won.
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
    fn origin(&self, seats: Seats, source: &str, start: &AgentSpec) -> Origin {
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
        let subject = Subject::new::<G>(start.settings(), wanted.weights, wanted.hold)?;
        let collected = request.collect(&game, rules, Which::Beginnings, desk)?;
        let sections = sections_of(&collected);
        let origin = self.origin(Seats::of(&game), &collected.source, &start);
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

/// Priors that were fitted.
#[derive(Debug)]
pub struct OfPriors {
    /// What is known of every fit.
    pub common: Common,
    /// What the fit came to.
    pub outcome: priors::Outcome,
}

/// Which priors are fitted, and to what.
#[derive(Clone, Copy, Debug)]
pub struct WantedPriors<'a> {
    /// The search whose priors are today's.
    pub search: &'a str,
    /// The weights; those that only priors take if there are none, all with [`ALL`].
    pub weights: &'a [String],
    /// What is fitted to.
    pub asked: PriorOptions,
}

/// All weights that are numbers, as [`WantedPriors::weights`].
pub const ALL: &str = "*";

/// Fits the priors of a search to what it visits or finds worth.
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
    fn origin(&self, seats: Seats, source: &str, search: &AgentSpec) -> Origin {
        let mut more = Map::new();
        more.insert("search".to_owned(), json!(search.to_string()));
        if !self.wanted.weights.is_empty() {
            more.insert("weights".to_owned(), json!(self.wanted.weights.join(",")));
        }
        if let Target::Values { spread } = self.wanted.asked.target {
            more.insert("to".to_owned(), json!("values"));
            more.insert("spread".to_owned(), json!(spread));
        }
        if self.wanted.asked.only_macro {
            more.insert("only-macro".to_owned(), json!(true));
        }
        self.desk.origin(seats, source, "priors", more)
    }

    /// Returns the weights that are fitted.
    fn subject<G: Playable>(&self, search: &AgentSpec) -> Result<Subject, Error> {
        let of = |wanted: &[String]| Subject::new::<G>(search.settings(), wanted, &[]);
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
        let subject = self.subject::<G>(&search)?;
        let collected = request.collect(&game, rules, Which::Decisions, desk)?;
        let sections = sections_of(&collected);
        let origin = self.origin(Seats::of(&game), &collected.source, &search);
        let what = match wanted.asked.target {
            Target::Visits => "the visits of",
            Target::Values { .. } => "what options are worth by",
        };
        let first = format!(
            "The weights of {} for {} players, those of priors fitted to {what} {search}.",
            origin.game, origin.players
        );
        let searches = Searches { spec: &search, seed: request.seed, asked: wanted.asked };
        let positions = Sectioned { collected: &collected, sections: &sections };
        let head = head(first, &origin);
        let outcome = priors::fit(&game, searches, positions, subject, request.plan(), &head)?;
        Ok(OfPriors { common: Common::of(&collected, origin, sections, rules), outcome })
    }
}
