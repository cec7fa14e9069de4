//! What `balance game` and `balance win-model` have in common: options, checks, plans, files.

use std::fs;
use std::path::Path;

use agents::{AgentSpec, Playable};
use clap::Args;
use engine::Rules;
use serde_json::{Map, Value as Json, json};

use crate::arc::study::Study;
use crate::cli::tournament::threads;
use crate::cli::{RulesArgs, files, ranged, seats, whole};
use crate::config::{DEFAULT_GAME, DEFAULT_SEED, supply_files};
use crate::error::Error;
use crate::report::format::csv;
use crate::report::table::{Cell, Column, Content, Note, Page, Scale, Table};
use crate::report::win_model::document;
use crate::runner::start_threads;
use crate::units;
use crate::watched::{self, Deal};
use crate::win_model::audit::FEWEST_GAMES;
use crate::win_model::{Subject, WinModel, features_of};

/// The agent that is quick and no child.
const AGENT: &str = "greedy(epsilon=0.1)";
/// Games that a model is fitted to, and games that are told of, unless said otherwise; and the same of `--quick`.
const GAMES: [u64; 2] = [4_000, 2_000];
const QUICK: [u64; 2] = [3_000, 600];
/// Games for each count and seat, at least, and for any model: fewer say nothing of a weight.
const GAMES_A_FEATURE: u64 = 20;
/// Games by which the time of others is guessed.
const PROBED: u64 = 8;

/// What is asked for of both.
#[derive(Clone, Debug, Args)]
pub(super) struct Watching {
    /// The game [default: conquest2]
    #[arg(long)]
    game: Option<String>,
    /// Number of players [default: that of the game]
    #[arg(long, value_name = "N", value_parser = seats)]
    pub(super) players: Option<usize>,
    /// The agent in all seats
    #[arg(long, value_name = "SPEC", default_value = AGENT)]
    agent: String,
    /// Held-out games that are told of; with one agent in all seats a block is one game
    /// [default: 2000; 600 with --quick]
    #[arg(long, visible_alias = "blocks", value_name = "N", value_parser = whole)]
    games: Option<u64>,
    /// Games that the model is fitted to [default: 4000; 3000 with --quick]
    #[arg(long, value_name = "N", value_parser = whole)]
    fit_games: Option<u64>,
    /// Fewer games, the same number on every machine
    #[arg(long)]
    pub(super) quick: bool,
    /// Only say what would be played, how long it takes and what it could see
    #[arg(long)]
    pub(super) plan: bool,
    /// Seed of all games
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = whole)]
    seed: u64,
    /// Number of threads; changes nothing but the time [default: all cores]
    #[arg(long, value_name = "T", value_parser = ranged::<u16>(1, 1024))]
    threads: Option<u16>,
    #[command(flatten)]
    pub(super) rules: RulesArgs,
    /// No notes
    #[arg(long)]
    pub(super) quiet: bool,
}

impl Watching {
    pub(super) fn game(&self) -> &str {
        self.game.as_deref().unwrap_or(DEFAULT_GAME)
    }

    pub(super) fn spec(&self, text: &str) -> Result<AgentSpec, Error> {
        let mut spec: AgentSpec = text.parse()?;
        supply_files(&mut spec, &files::text, &mut Vec::new())?;
        if spec.is_timed() || spec.is_external() {
            return Err(Error::value(
                "agent",
                text,
                "it may play otherwise by itself, and nothing would come out the same again: give it iterations",
            ));
        }
        Ok(spec)
    }

    /// The study as far as both commands ask for the same.
    pub(super) fn study<G: Playable>(&self, game: &G, rules: &Rules) -> Result<Study, Error> {
        let mut spec = self.spec(&self.agent)?;
        spec.supply_rules(rules.overrides());
        spec.build(game)?;
        let usual = if self.quick { QUICK } else { GAMES };
        let study = Study {
            subject: Subject {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                game: G::about().name.to_owned(),
                players: game.n_players(),
                rules: rules.overrides(),
                agent: spec.to_string(),
            },
            spec,
            seed: self.seed,
            fitted: self.fit_games.unwrap_or(usual[0]),
            games: self.games.unwrap_or(usual[1]),
            deals: 0,
            rungs: Vec::new(),
            steps: 0,
        };
        Ok(study)
    }

    /// A model that was fitted before, if `path` names one.
    pub(super) fn model<G: Playable>(
        path: Option<&Path>,
        study: &Study,
    ) -> Result<Option<WinModel>, Error> {
        let Some(path) = path else { return Ok(None) };
        let name = path.display().to_string();
        let text = files::text(&name).map_err(|e| Error::value("model", &*name, e.to_string()))?;
        WinModel::read(&name, &text, &study.subject, &features_of::<G>()).map(Some)
    }

    /// Refuses numbers of games that say nothing.
    pub(super) fn check<G: Playable>(study: &Study, has_model: bool) -> Result<(), Error> {
        let too_few = |name: &'static str, games: u64, least: u64, why: &str| {
            let message = format!("too few {why}: at least {least} are needed");
            (games < least).then(|| Error::value(name, games.to_string(), message))
        };
        let weights = (G::FEATURES.len() + study.subject.players - 1) as u64;
        let least = FEWEST_GAMES + GAMES_A_FEATURE * weights;
        let fitted = if has_model { least } else { study.fitted };
        too_few("fit-games", fitted, least, "to fit a model to")
            .or_else(|| too_few("games", study.games, FEWEST_GAMES, "to say anything of a model"))
            .map_or(Ok(()), Err)
    }

    /// What a document says of the study before its tables.
    pub(super) fn facts(&self, study: &Study, model: &WinModel) -> Map<String, Json> {
        let subject = &study.subject;
        let facts = json!({
            "game": subject.game,
            "players": subject.players,
            "agents": [subject.agent],
            "seed": self.seed,
            "games": study.games,
            "fitted": model.games,
        });
        let Json::Object(facts) = facts else { unreachable!("it is written as an object") };
        facts
    }

    pub(super) fn pool(&self) -> Result<rayon::ThreadPool, Error> {
        start_threads(threads(self.threads))
    }
}

/// A part of a plan: what is played, how many games, and the smallest difference of a share that they can see.
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) games: u64,
    /// Independent observations of a share of one over the number of players; 0 where nothing is compared.
    pub(super) observations: u64,
}

/// Quantiles of the normal distribution for 95 % and for 80 % power.
const POWERED: f64 = 1.96 + 0.842;

/// The plan as a page: nothing in it was measured, so that it is the same everywhere.
pub(super) fn plan_page(study: &Study, parts: &[Part]) -> Page {
    let columns = vec![
        Column::plain("part", Content::Key),
        Column::plain("games", Content::Number(Scale::Count)),
        Column::new("smallest", "smallest effect", Content::Number(Scale::SHARE)),
    ];
    let even = 1.0 / study.subject.players as f64;
    let smallest = |n: u64| POWERED * (even * (1.0 - even) / n as f64).sqrt();
    let rows = parts.iter().filter(|part| part.games > 0).map(|part| {
        let seen = match part.observations {
            0 => Cell::Nothing,
            n => Cell::Number(smallest(n)),
        };
        vec![Cell::text(part.name), Cell::Count(part.games), seen]
    });
    let table = Table::new("plan", "What would be played", columns).with(rows).noted(Note::new(
        "smallest effect: the difference of a share from an equal share that is found in 80 of 100 runs",
    ));
    Page::of(table)
}

/// Guesses how long `games` take from a few of them, on stderr: a matter of this machine, and no result.
pub(super) fn guess_time<G: Playable>(
    common: &Watching,
    game: &G,
    study: &Study,
    games: u64,
) -> Result<(), Error> {
    let specs = vec![study.spec.clone(); game.n_players()];
    let since = std::time::Instant::now();
    common.pool()?.install(|| {
        watched::blocks(game, &specs, PROBED, |seats, index| {
            seats.play(Deal::game(study.seed, index), &mut ()).map(|_| ())
        })
    })?;
    let seconds = since.elapsed().as_secs_f64() * games as f64 / PROBED as f64;
    crate::cli::note(&format!(
        "about {} on this machine, if all agents are as fast",
        units::seconds(seconds)
    ));
    Ok(())
}

/// Writes the document, the model and every table into a directory.
pub(super) fn save(
    dir: &Path,
    name: &str,
    facts: Map<String, Json>,
    page: &Page,
    model: &WinModel,
) -> Result<(), Error> {
    let place = format!("--out {}", dir.display());
    if fs::metadata(dir).is_ok_and(|meta| !meta.is_dir()) {
        return Err(Error::Usage(format!(
            "{place}: it is there and no directory; name another one"
        )));
    }
    let is_empty = |dir: &Path| fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none());
    if dir.is_dir() && !is_empty(dir) && !dir.join(name).is_file() {
        let text = format!("it holds files, and no {name}; name another directory");
        return Err(Error::Usage(format!("{place}: {text}")));
    }
    fs::create_dir_all(dir).map_err(Error::opening(place))?;
    let text = crate::document::document(&document(facts, &page.tables));
    let tables = page.tables.iter().map(|table| (format!("{}.csv", table.name), csv::write(table)));
    let first = [(name.to_owned(), text), ("model.json".to_owned(), model.document())];
    for (name, text) in first.into_iter().chain(tables) {
        let place = dir.join(name);
        let written = files::write_aside(&place, text.as_bytes());
        written.map_err(Error::output(place.display().to_string()))?;
    }
    Ok(())
}
