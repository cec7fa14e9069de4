//! `caesar speed [GAME]`.

use std::time::Duration;

use agents::AgentSpec;
use clap::Args;
use engine::rules::Change;
use serde_json::{Value as Json, json};

use super::output::Form;
use super::{Ending, files, look, overrides, print, setup};
use crate::report::rules;
use crate::report::table::{Cell, Column, Content, Note, Page, Readers, Scale, Table};
use lab::speed::search::{self, SearchSpeed};
use lab::speed::{Measure, Speed, measure};
use sim::catalogue::{NAMES, Setup, about, rules_of};
use sim::changes::with_changes;
use sim::config::numbers::{ranged, seats};
use sim::config::{RuleSet, supply_files};
use sim::document::document;
use sim::error::Error;
use sim::units;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Game to measure, at every number of players [default: all games, with their default number of players]
    game: Option<String>,
    /// Number of players to measure [default: every number]
    #[arg(long, value_name = "N", requires = "game", value_parser = seats)]
    players: Option<usize>,
    /// Measure iterations per second of searches from the start of each game (conquest2: from its first action
    /// round)
    #[arg(long)]
    search: bool,
    /// Search to measure, as in 'mcts(iterations=500)' (repeatable) [default: the game's]
    #[arg(long, value_name = "SPEC", requires = "search", requires = "game")]
    agent: Vec<String>,
    /// Threads of the second measurement [default: all cores; with --json or --search 1, for the only measurement]
    #[arg(long, value_name = "T", value_parser = ranged::<u16>(1, 1024))]
    threads: Option<u16>,
    /// Time of each measurement, in seconds
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = seconds, allow_hyphen_values = true)]
    seconds: f64,
    #[command(flatten)]
    rules: RuleSet,
    #[command(flatten)]
    form: Form,
}

fn seconds(text: &str) -> Result<f64, String> {
    let accepted = text.parse().ok().filter(|s| (0.001..=3600.0).contains(s));
    accepted.ok_or_else(|| "accepted: 0.001 to 3600".to_owned())
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let time = Duration::from_secs_f64(options.seconds);
    let threads = options.threads.map_or(1, usize::from);
    if options.search {
        return searches(options, threads, time);
    }
    let setups = setups(options)?;
    if options.form.is_json() {
        let mut games = Vec::new();
        for setup in &setups {
            games.push(line(&setup.game, &measure(setup, Measure { threads, time })?));
        }
        let rates = json!({"threads": threads, "games": games, "search": []});
        print(&document(&with_changes(rates, &changes(options)?)))?;
        return Ok(Ending::Done);
    }
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.map_or(all, usize::from);
    let mut rows = Vec::new();
    for setup in &setups {
        let one = measure(setup, Measure { threads: 1, time })?;
        let many = measure(setup, Measure { threads, time })?;
        rows.push(row(&setup.game, &one, &many, threads));
    }
    let note = Note::new(format!(
        "uniformly random play, {} s for each measurement on {}, then games on {}; chances: chance events",
        options.seconds,
        units::counted(1, "core"),
        units::counted(threads as u64, "thread")
    ));
    let table = Table::new("speed", "Uniformly random play", columns(threads));
    print_table(options, table.with(rows).noted(note))
}

/// Returns the columns of random play.
fn columns(threads: usize) -> Vec<Column> {
    let count = Content::Number(Scale::Count);
    let (mean, rate) = (Content::Number(Scale::MEAN), Content::Number(Scale::Rate));
    vec![
        Column::plain("game", Content::Key),
        Column::plain("players", count),
        Column::new("state_bytes", "bytes", count),
        Column::new("plies_per_game", "plies", mean),
        Column::new("chances_per_game", "chances", mean),
        Column::new("plies_per_second", "plies/s", rate),
        Column::new("games_per_second", "games/s", rate),
        Column::new("threads", "threads", count).only(Readers::Programs),
        Column::new("games_per_second_on_threads", format!("on {threads}"), rate),
        Column::plain("times", mean),
    ]
}

fn print_table(options: &Options, table: Table) -> Result<Ending, Error> {
    let game = options.game.as_deref().unwrap_or_default();
    let footer = rules::note(game, &changes(options)?).into_iter().collect();
    let page = Page { tables: vec![table], footer };
    print(&options.form.write(look(), None, &|_| page.clone()))?;
    Ok(Ending::Done)
}

/// Returns the changes of the default rules of the only game that can have other rules.
fn changes(options: &Options) -> Result<Vec<Change>, Error> {
    let Some(game) = &options.game else { return Ok(Vec::new()) };
    Ok(rules_of(game, &overrides(&options.rules)?)?.changes())
}

/// Returns the games and tables to measure.
fn setups(options: &Options) -> Result<Vec<Setup>, Error> {
    let Some(game) = &options.game else {
        if !options.rules.is_empty() {
            return Err(Error::Usage(
                "--rules and --set need one GAME, as in speed pig".to_owned(),
            ));
        }
        return Ok(NAMES.iter().map(|name| Setup::new(name)).collect());
    };
    let players = match options.players {
        Some(n) => n..=n,
        None => about(game)?.players,
    };
    let setup = setup(game, None, &options.rules)?;
    Ok(players.map(|n| setup.clone().for_players(n)).collect())
}

fn line(game: &str, speed: &Speed) -> serde_json::Value {
    json!({
        "game": game,
        "players": speed.players,
        "state_bytes": speed.state_bytes,
        "plies_per_second": speed.plies_per_second().round(),
        "games_per_second": speed.games_per_second.round(),
    })
}

fn row(game: &str, one: &Speed, many: &Speed, threads: usize) -> Vec<Cell> {
    let per_game = |n: u64| Cell::Number(n as f64 / one.games.max(1) as f64);
    vec![
        Cell::text(game),
        Cell::Count(one.players as u64),
        Cell::Count(one.state_bytes as u64),
        per_game(one.plies),
        per_game(one.chances),
        Cell::Number(one.plies_per_second()),
        Cell::Number(one.games_per_second),
        Cell::Count(threads as u64),
        Cell::Number(many.games_per_second),
        Cell::Number(many.games_per_second / one.games_per_second),
    ]
}

/// Runs `speed --search`.
fn searches(options: &Options, threads: usize, time: Duration) -> Result<Ending, Error> {
    let mut rows = Vec::new();
    let mut lines = Vec::new();
    for (setup, spec) in searches_of(options)? {
        let speed = search::measure(&setup, search::Measure { spec: &spec, threads, time })?;
        if options.form.is_json() {
            lines.push(search_line(&setup.game, &spec, &speed));
        } else {
            rows.push(search_row(&setup.game, &spec, &speed, threads));
        }
    }
    if options.form.is_json() {
        let rates = json!({"threads": threads, "games": [], "search": lines});
        print(&document(&with_changes(rates, &changes(options)?)))?;
        return Ok(Ending::Done);
    }
    let rate = if threads == 1 { "iterations/s per core" } else { "iterations/s" };
    let count = Content::Number(Scale::Count);
    let columns = vec![
        Column::plain("game", Content::Key),
        Column::plain("agent", Content::Key),
        Column::plain("players", count),
        Column::new("iterations_per_decision", "iterations", count),
        Column::new("mean_depth", "depth", Content::Number(Scale::MEAN)),
        Column::plain("nodes", count),
        Column::new("bytes_per_node", "bytes per node", Content::Number(Scale::Fixed(0))),
        Column::new("threads", "threads", count).only(Readers::Programs),
        Column::new("iterations_per_second", rate, Content::Number(Scale::Rate)),
    ];
    let note = Note::new(format!(
        "one decision searched repeatedly, {} s each on {}; iterations per decision",
        options.seconds,
        units::counted(threads as u64, "thread")
    ));
    let table = Table::new("search", "Speed of searches", columns);
    print_table(options, table.with(rows).noted(note))
}

/// Returns the games and searches to measure.
fn searches_of(options: &Options) -> Result<Vec<(Setup, AgentSpec)>, Error> {
    let games = match &options.game {
        Some(game) => vec![setup(game, options.players, &options.rules)?],
        None => setups(options)?,
    };
    let mut searches = Vec::new();
    for setup in games {
        let specs: Vec<String> = if options.agent.is_empty() {
            search::usual(&setup.game)?.iter().map(|&spec| spec.to_owned()).collect()
        } else {
            options.agent.clone()
        };
        for text in specs {
            let mut spec: AgentSpec = text.parse()?;
            supply_files(&mut spec, &files::text, &mut Vec::new())?;
            searches.push((setup.clone(), spec));
        }
    }
    Ok(searches)
}

fn search_line(game: &str, spec: &AgentSpec, speed: &SearchSpeed) -> Json {
    json!({
        "game": game,
        "players": speed.players,
        "agent": spec.to_string(),
        "iterations_per_second": speed.iterations_per_second.round(),
        "iterations": speed.iterations_per_decision().round(),
        "depth": speed.depth,
        "nodes": speed.nodes,
        "bytes_per_node": speed.bytes_per_node.round(),
    })
}

fn search_row(game: &str, spec: &AgentSpec, speed: &SearchSpeed, threads: usize) -> Vec<Cell> {
    vec![
        Cell::text(game),
        Cell::text(spec.name()),
        Cell::Count(speed.players as u64),
        Cell::Number(speed.iterations_per_decision()),
        Cell::Number(speed.depth),
        Cell::Count(speed.nodes as u64),
        Cell::Number(speed.bytes_per_node),
        Cell::Count(threads as u64),
        Cell::Number(speed.iterations_per_second),
    ]
}
