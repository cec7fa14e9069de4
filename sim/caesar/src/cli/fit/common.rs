//! What all fits have in common: which positions, how they are held out, and where results go.

use std::io::BufRead;
use std::path::PathBuf;

use agents::AgentSpec;
use clap::Args;
use engine::Rules;
use serde_json::{Map, Value as Json, json};

use crate::cli::output::{Form, OneTable};
use crate::cli::outputs::{Force, Output};
use crate::cli::running::{Threads, threads};
use crate::cli::{Ending, files, look, note, print, setup};
use crate::report::fit::FitReport;
use crate::report::win_model::document;
use crate::report::{fit as report, rules};
use lab::fit::Origin;
use lab::fit::command::{Games, Request, Seats, Surroundings, Table};
use lab::fit::folds::STRENGTHS;
use lab::fit::positions::PER_GAME;
use sim::catalogue::Setup;
use sim::changes::with_changes;
use sim::config::numbers::{games_kept, ranged, seats, whole};
use sim::config::{DEFAULT_GAME, DEFAULT_SEED, RuleSet, options_said, supply_files};
use sim::document::document as line;
use sim::error::Error;
use sim::export::on_completion;
use sim::record::stream::first_header;
use sim::runner::start_threads;

/// The agent whose games are played, unless said otherwise: quick and no child.
const AGENT: &str = "greedy(epsilon=0.02)";
/// Games that are played, unless said otherwise.
const GAMES: u64 = 2_000;
/// Fewest games of a fold.
const GAMES_A_FOLD: u64 = 10;

/// Which positions, and what becomes of them.
#[derive(Clone, Debug, Args)]
pub(super) struct Common {
    /// The game [default: that of the records, else conquest2]
    #[arg(long)]
    game: Option<String>,
    /// Number of players [default: that of the records, else of the game]
    #[arg(long, value_name = "N", value_parser = seats)]
    players: Option<usize>,
    /// Records of games to fit to, - for stdin (repeatable), in place of games that are played
    #[arg(long, value_name = "FILE", conflicts_with_all = ["agent", "games", "unmixed"])]
    records: Vec<String>,
    /// Games of a block in the records, which share their chance [default: as many as players]
    #[arg(long, value_name = "N", requires = "records", value_parser = ranged::<u64>(1, u64::from(u32::MAX)))]
    block: Option<u64>,
    /// An agent that plays (repeatable: they take the seats in turn) [default: greedy(epsilon=0.02)]
    #[arg(long, value_name = "SPEC")]
    agent: Vec<String>,
    /// Games that are played [default: 2000]
    #[arg(long, value_name = "N", value_parser = games_kept)]
    games: Option<u64>,
    /// Play all games from their start; otherwise most begin with play that is random to a degree, up
    /// to a moment that is drawn, so that rare things are seen without being earned
    #[arg(long)]
    unmixed: bool,
    /// Positions of a game at most
    #[arg(long, value_name = "N", default_value_t = PER_GAME as u32, value_parser = ranged::<u32>(1, 10_000))]
    per_game: u32,
    /// Seed of all games and draws
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = whole)]
    pub(super) seed: u64,
    /// Parts into which games are dealt, each held out once
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = ranged::<u32>(2, 100))]
    folds: u32,
    /// How strongly weights are drawn towards those of today, in place of the strength that loses least
    /// on held-out games (repeatable: of these)
    #[arg(long, value_name = "E", value_parser = strength)]
    strength: Vec<f64>,
    /// Write the positions into a table for other tools, .csv or .parquet
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
    /// Write what was fitted into a file; - for stdout (the tables then go to stderr)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    rules: RuleSet,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
}

/// A strength of a prior.
fn strength(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|x: &f64| (0.0..=1e6).contains(x));
    number.ok_or_else(|| "expected a number from 0 to 1000000".to_owned())
}

/// A spec whose files `read` reads, which always plays the same.
pub(super) fn spec_by(
    name: &'static str,
    text: &str,
    read: &dyn Fn(&str) -> std::io::Result<String>,
) -> Result<AgentSpec, Error> {
    let mut spec: AgentSpec = text.parse()?;
    supply_files(&mut spec, read, &mut Vec::new())?;
    if spec.is_timed() || spec.is_external() {
        let message = "it may play otherwise by itself, and nothing would come out the same again: give it iterations";
        return Err(Error::value(name, text, message));
    }
    Ok(spec)
}

impl Common {
    /// Refuses what cannot be, before a game is played, and says which game it is.
    pub(super) fn setup(&self) -> Result<Setup, Error> {
        self.one.check(&self.form, &report::TABLES, &[])?;
        if let Some(path) = &self.export {
            on_completion::Form::of(path)?;
        }
        self.check_outputs()?;
        let (game, players) = match self.records.first() {
            Some(first) if first != "-" && (self.game.is_none() || self.players.is_none()) => {
                let header = first_header(&mut *files::open(first)?)
                    .map_err(|message| Error::Usage(format!("{first}:1: {message}")))?;
                (header.game, Some(header.seats))
            }
            _ => (DEFAULT_GAME.to_owned(), None),
        };
        let is_same = self.game.as_ref().is_none_or(|own| *own == game);
        let game = self.game.clone().unwrap_or(game);
        setup(&game, self.players.or(players.filter(|_| is_same)), &self.rules)
    }

    /// The file that `option` names, if it names one.
    fn output(&self, option: &str, path: Option<&PathBuf>) -> Result<Option<Output>, Error> {
        path.map(|path| Output::of(option, path, self.force)).transpose()
    }

    /// Refuses, before the work begins, files that cannot be written or are not to be replaced.
    fn check_outputs(&self) -> Result<(), Error> {
        let all = [("out", &self.out), ("export", &self.export)];
        let outputs = all.map(|(option, path)| self.output(option, path.as_ref()));
        let outputs = outputs.into_iter().filter_map(Result::transpose);
        let outputs = outputs.collect::<Result<Vec<_>, Error>>()?;
        if outputs.iter().any(Output::is_stdout) && !self.form.is_table() {
            return Err(Error::Usage(
                "--out - and --format or --json: stdout takes only one of them; name a file"
                    .to_owned(),
            ));
        }
        let written: Vec<_> = outputs.iter().filter_map(Output::named).collect();
        let records = self.records.iter().map(|path| (format!("--records {path}"), path.into()));
        let rules = self.rules.file.iter().map(|path| (format!("--rules {path}"), path.into()));
        files::refuse_one_file_twice(&written, &records.chain(rules).collect::<Vec<_>>())?;
        outputs.iter().try_for_each(Output::check)
    }

    pub(super) fn pool(&self) -> Result<rayon::ThreadPool, Error> {
        start_threads(threads(self.threads))
    }

    /// What is fitted to, and how it is held out.
    pub(super) fn request(&self) -> Request {
        let games = if self.records.is_empty() {
            let agents =
                if self.agent.is_empty() { vec![AGENT.to_owned()] } else { self.agent.clone() };
            Games::Played { agents, games: self.games.unwrap_or(GAMES), mixed: !self.unmixed }
        } else {
            Games::Recorded { files: self.records.clone(), block: self.block }
        };
        let strengths =
            if self.strength.is_empty() { STRENGTHS.to_vec() } else { self.strength.clone() };
        let (per_game, folds) = (self.per_game as usize, self.folds as usize);
        Request { games, per_game, seed: self.seed, folds, strengths }
    }

    /// Writes what was fitted.
    pub(super) fn save(&self, text: &str) -> Result<(), Error> {
        self.output("out", self.out.as_ref())?
            .map_or(Ok(()), |output| output.write(text.as_bytes()))
    }

    /// Prints what a fit came to.
    pub(super) fn print(
        &self,
        told: &FitReport<'_>,
        origin: &Origin,
        more: Map<String, Json>,
        rules: &Rules,
    ) -> Result<Ending, Error> {
        let changes = rules.changes();
        let mut page = told.page();
        page.footer.extend(rules::note(&origin.game, &changes));
        let facts = json!({
            "game": origin.game,
            "players": origin.players,
            "source": origin.source,
            "command": origin.command,
            "positions": told.places.len(),
            "folds": told.validated.folds,
            "strength": told.validated.strength,
        });
        let Json::Object(mut facts) = facts else { unreachable!("it is written as an object") };
        facts.extend(more);
        let text = match self.form.is_json() {
            true => line(&with_changes(document(facts, &page.tables), &changes)),
            false => self.form.write(look(), Some(&self.one), &|_| page.clone()),
        };
        if self.output("out", self.out.as_ref())?.is_some_and(|output| output.is_stdout()) {
            note(text.trim_end());
        } else {
            print(&text)?;
        }
        Ok(Ending::Done)
    }
}

impl Surroundings for Common {
    fn spec(&self, name: &'static str, text: &str) -> Result<AgentSpec, Error> {
        spec_by(name, text, &files::text)
    }

    fn open(&self, name: &str) -> Result<Box<dyn BufRead>, Error> {
        files::open(name)
    }

    fn check_games(&self, games: u64, name: &'static str) -> Result<(), Error> {
        let least = GAMES_A_FOLD * u64::from(self.folds);
        if games >= least {
            return Ok(());
        }
        let message = format!(
            "{games} games are too few to hold out {} parts of: at least {least} are needed",
            self.folds
        );
        let value = if name == "games" { games.to_string() } else { self.records.join(" ") };
        Err(Error::value(name, value, message))
    }

    fn origin(&self, seats: Seats, source: &str, what: &str, more: Map<String, Json>) -> Origin {
        let mut said = Map::new();
        let mut say = |key: &str, value: Json| {
            said.insert(key.to_owned(), value);
        };
        say("game", json!(seats.game));
        say("players", json!(seats.players));
        if self.records.is_empty() {
            let agents =
                if self.agent.is_empty() { vec![AGENT.to_owned()] } else { self.agent.clone() };
            say("agents", json!(agents));
            say("games", json!(self.games.unwrap_or(GAMES)));
        } else {
            say("records", json!(self.records));
        }
        if self.unmixed {
            say("unmixed", json!(true));
        }
        self.block.iter().for_each(|block| say("block", json!(block)));
        say("per-game", json!(self.per_game));
        say("seed", json!(self.seed));
        say("folds", json!(self.folds));
        if !self.strength.is_empty() {
            say("strength", json!(self.strength));
        }
        self.rules.file.iter().for_each(|path| say("rules", json!(path)));
        if !self.rules.settings.is_empty() {
            say("set", json!(self.rules.settings));
        }
        said.extend(more);
        Origin {
            game: seats.game.to_owned(),
            players: seats.players,
            source: source.to_owned(),
            command: format!("caesar fit {what} {}", options_said(said)),
        }
    }

    fn export(&self, table: &dyn Fn() -> Result<Table, Error>) -> Result<(), Error> {
        let Some((path, output)) =
            self.export.as_ref().zip(self.output("export", self.export.as_ref())?)
        else {
            return Ok(());
        };
        let Table { columns, rows } = table()?;
        let mut bytes = Vec::new();
        on_completion::write(
            on_completion::Form::of(path)?,
            "position",
            &columns,
            rows,
            &mut bytes,
        )
        .map_err(Error::output(path.display().to_string()))?;
        output.write(&bytes)
    }
}
