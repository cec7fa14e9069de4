//! Source of the games of a fit: records or played games, and the draw of their positions.

use std::io::BufRead;
use std::path::PathBuf;

use agents::AgentSpec;
use clap::Args;
use serde_json::{Map, Value as Json, json};

use crate::cli::running::{Threads, threads};
use crate::cli::{files, setup};
use lab::fit::Origin;
use lab::fit::command::{FitSetup, Games, Request};
use lab::fit::positions::PER_GAME;
use sim::catalogue::Setup;
use sim::config::numbers::{games_kept, ranged, seats, whole};
use sim::config::{DEFAULT_GAME, DEFAULT_SEED, RuleSet, options_text, supply_files};
use sim::error::Error;
use sim::record::stream::first_header;
use sim::runner::start_threads;

/// Default agent for played games: fast, and not weak.
const AGENT: &str = "greedy(epsilon=0.02)";
/// Default number of games to play.
const GAMES: u64 = 2_000;
/// Smallest number of games of a held-out part.
const GAMES_A_FOLD: u64 = 10;

/// Options for the games and their positions.
#[derive(Clone, Debug, Args)]
pub(super) struct Source {
    /// Game [default: the records' game, else conquest2]
    #[arg(long)]
    game: Option<String>,
    /// Number of players [default: the records' number, else the game's]
    #[arg(long, value_name = "N", value_parser = seats)]
    players: Option<usize>,
    /// Fit to the games of this file of records, instead of playing games; - for stdin (repeatable)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["agent", "games", "unmixed"])]
    records: Vec<String>,
    /// Games of a block in the records, which share their chance events [default: number of players]
    #[arg(long, value_name = "N", requires = "records", value_parser = ranged::<u64>(1, u64::from(u32::MAX)))]
    block: Option<u64>,
    /// Agent that plays the games; several take the seats in turn (repeatable) [default: greedy(epsilon=0.02)]
    #[arg(long, value_name = "SPEC")]
    agent: Vec<String>,
    /// Number of games to play [default: 2000]
    #[arg(long, value_name = "N", value_parser = games_kept)]
    games: Option<u64>,
    /// Play all games from their start. Without it, most games begin with partly random play up to a random moment,
    /// so that rare positions occur
    #[arg(long)]
    unmixed: bool,
    /// Most positions of one game
    #[arg(long, value_name = "N", default_value_t = PER_GAME as u32, value_parser = ranged::<u32>(1, 10_000))]
    per_game: u32,
    /// Seed of all games and draws
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = whole)]
    pub(super) seed: u64,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    rules: RuleSet,
}

/// Returns a spec whose files `read` reads, which always plays the same.
pub(super) fn spec_by(
    name: &'static str,
    text: &str,
    read: &dyn Fn(&str) -> std::io::Result<String>,
) -> Result<AgentSpec, Error> {
    let mut spec: AgentSpec = text.parse()?;
    supply_files(&mut spec, read, &mut Vec::new())?;
    if spec.is_timed() || spec.is_external() {
        let message = "it is not deterministic, so no result could be repeated: give it iterations";
        return Err(Error::value(name, text, message));
    }
    Ok(spec)
}

impl Source {
    /// Returns the game that it is of.
    pub(super) fn setup(&self) -> Result<Setup, Error> {
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

    /// Returns the input files, each with the option that names it.
    pub(super) fn read_files(&self) -> Vec<(String, PathBuf)> {
        let records = self.records.iter().map(|path| (format!("--records {path}"), path.into()));
        let rules = self.rules.file.iter().map(|path| (format!("--rules {path}"), path.into()));
        records.chain(rules).collect()
    }

    pub(super) fn pool(&self) -> Result<rayon::ThreadPool, Error> {
        start_threads(threads(self.threads))
    }

    fn agents(&self) -> Vec<String> {
        if self.agent.is_empty() { vec![AGENT.to_owned()] } else { self.agent.clone() }
    }

    /// Returns the positions for the fit; `folds` parts of the games are held out.
    pub(super) fn request(&self, folds: u32, strengths: Vec<f64>) -> Request {
        let games = if self.records.is_empty() {
            let (agents, games) = (self.agents(), self.games.unwrap_or(GAMES));
            Games::Played { agents, games, mixed: !self.unmixed }
        } else {
            Games::Recorded { files: self.records.clone(), block: self.block }
        };
        let (per_game, folds) = (self.per_game as usize, folds as usize);
        Request { games, per_game, seed: self.seed, folds, strengths }
    }

    /// Reads an agent with its files.
    pub(super) fn spec(name: &'static str, text: &str) -> Result<AgentSpec, Error> {
        spec_by(name, text, &files::text)
    }

    /// Opens a file of records.
    pub(super) fn open(name: &str) -> Result<Box<dyn BufRead>, Error> {
        files::open(name)
    }

    /// Refuses fewer games than `parts` held-out parts need; the option `name` asked for them.
    pub(super) fn check_games(
        &self,
        games: u64,
        name: &'static str,
        parts: u32,
    ) -> Result<(), Error> {
        let least = GAMES_A_FOLD * u64::from(parts);
        if games >= least {
            return Ok(());
        }
        let message = format!(
            "{games} games are too few to hold out {parts} parts of: at least {least} are needed"
        );
        let value = if name == "games" { games.to_string() } else { self.records.join(" ") };
        Err(Error::value(name, value, message))
    }

    /// Returns the origin of a fit. `own` are the options common to several commands, `more` those of this one alone.
    pub(super) fn origin(
        &self,
        seats: FitSetup,
        source: &str,
        what: &str,
        own: Map<String, Json>,
        more: Map<String, Json>,
    ) -> Origin {
        let mut options = Map::new();
        let mut say = |key: &str, value: Json| {
            options.insert(key.to_owned(), value);
        };
        say("game", json!(seats.game));
        say("players", json!(seats.players));
        if self.records.is_empty() {
            say("agents", json!(self.agents()));
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
        own.into_iter().for_each(|(key, value)| say(&key, value));
        self.rules.file.iter().for_each(|path| say("rules", json!(path)));
        if !self.rules.settings.is_empty() {
            say("set", json!(self.rules.settings));
        }
        options.extend(more);
        Origin {
            game: seats.game.to_owned(),
            players: seats.players,
            source: source.to_owned(),
            command: format!("caesar fit {what} {}", options_text(options)),
        }
    }
}
