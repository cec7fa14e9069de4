//! `caesar speed [GAME]`.

use std::time::Duration;

use clap::Args;
use serde_json::json;

use super::{Ending, RulesArgs, print, seats};
use crate::catalogue::{NAMES, Setup, about, with_game};
use crate::error::Error;
use crate::report::{json::document, table};
use crate::speed::{Measure, Speed};
use crate::units;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Measure this game at every number of players [default: all games at their default table]
    game: Option<String>,
    /// Measure this number of players only
    #[arg(long, value_name = "N", requires = "game", value_parser = seats)]
    players: Option<usize>,
    /// Number of threads of the second measurement [default: all cores]; with --json of the only one
    /// [default: 1]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Time of each measurement
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = seconds)]
    seconds: f64,
    #[command(flatten)]
    rules: RulesArgs,
    /// Print one JSON document; rates are per core unless --threads is given
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    let accepted = text.parse().ok().filter(|s| (0.001..=3600.0).contains(s));
    accepted.ok_or_else(|| "accepted: 0.001 to 3600".to_owned())
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let setups = setups(options)?;
    let time = Duration::from_secs_f64(options.seconds);
    if options.json {
        let threads = options.threads.map_or(1, usize::from);
        let mut games = Vec::new();
        for setup in &setups {
            games.push(line(&setup.game, &with_game(setup, Measure { threads, time })?));
        }
        print(&document(&json!({"threads": threads, "games": games, "search": []})))?;
        return Ok(Ending::Done);
    }
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.map_or(all, usize::from);
    let mut rows = Vec::new();
    for setup in &setups {
        let one = with_game(setup, Measure { threads: 1, time })?;
        let many = with_game(setup, Measure { threads, time })?;
        rows.push(row(&setup.game, &one, &many));
    }
    let on_all = format!("on {threads} threads");
    let header = [
        "game",
        "players",
        "state bytes",
        "plies a game",
        "chances a game",
        "plies/s per core",
        "games/s per core",
        &on_all,
        "times",
    ];
    print(&table::plain(&header, 1, rows))?;
    print(&format!(
        "uniformly random play, {} s each measurement; \"{on_all}\" is games/s\n",
        options.seconds
    ))?;
    Ok(Ending::Done)
}

/// The games and tables to measure.
fn setups(options: &Options) -> Result<Vec<Setup>, Error> {
    let Some(game) = &options.game else {
        if options.rules.rules.is_some() || !options.rules.set.is_empty() {
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
    let setup = options.rules.setup(game, None)?;
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

fn row(game: &str, one: &Speed, many: &Speed) -> Vec<String> {
    let per_game = |n: u64| units::mean(n as f64 / one.games.max(1) as f64);
    vec![
        game.to_owned(),
        one.players.to_string(),
        one.state_bytes.to_string(),
        per_game(one.plies),
        per_game(one.chances),
        units::rate(one.plies_per_second()),
        units::rate(one.games_per_second),
        units::rate(many.games_per_second),
        format!("{:.2}", many.games_per_second / one.games_per_second),
    ]
}
