//! `caesar replay`: one game of a tournament played again, from the manifest and its number.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::desk::Records;
use super::merge::compare;
use super::{Ending, files, note, print, whole};
use crate::bounded;
use crate::config::Plan;
use crate::error::Error;
use crate::event::GameResult;
use crate::ledger::Ledger;
use crate::manifest::Manifest;
use crate::report::rules::{footer, with_changes};
use crate::report::{json::document, table};
use crate::tournament::{self, play_game};
use crate::units;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The manifest.json of a tournament, or the directory where it is
    manifest: PathBuf,
    /// The number of the game, the first column of games.csv
    #[arg(long, value_name = "N", value_parser = whole)]
    game_id: u64,
    /// Write the record of the game to a file; - for stdout (the result then goes to stderr)
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Print a JSON document instead of the table
    #[arg(long)]
    json: bool,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let to_stdout = options.records.as_deref() == Some(Path::new("-"));
    if options.json && to_stdout {
        return Err(Error::Usage(
            "--records - and --json: stdout takes only one of them".to_owned(),
        ));
    }
    let (name, manifest) = read(&options.manifest)?;
    let n_games = manifest.blocks.saturating_mul(manifest.games_per_block);
    if options.game_id >= n_games {
        return Err(Error::Usage(format!(
            "--game-id {}: the run has games 0 to {}",
            options.game_id,
            n_games.saturating_sub(1)
        )));
    }
    let plan = manifest.plan(&name)?;
    let wanted =
        tournament::Options { threads: 1, records: options.records.is_some(), extras: true };
    let game = play_game(&plan, options.game_id, wanted)?;
    if let (Some(path), Some(record)) = (&options.records, &game.record) {
        let mut records = if to_stdout { Records::Stdout } else { Records::open(path)? };
        records.write(record)?;
        records.finish()?;
    }
    let agrees = agrees(&name, &manifest, &plan, &game)?;
    let text = if options.json { json(&plan, &game, agrees) } else { text(&plan, &game, agrees) };
    if to_stdout {
        note(text.trim_end());
    } else {
        print(&text)?;
    }
    Ok(Ending::Done)
}

fn read(path: &Path) -> Result<(String, Manifest), Error> {
    let path = if path.is_dir() { path.join("manifest.json") } else { path.to_owned() };
    let name = path.display().to_string();
    let text = files::document(&path).map_err(Error::file(name.as_str()))?;
    let manifest = Manifest::parse(&name, &text)?;
    Ok((name, manifest))
}

/// Compares the game with its row beside the manifest; `None` if there is no such row.
fn agrees(
    name: &str,
    manifest: &Manifest,
    plan: &Plan,
    game: &GameResult,
) -> Result<Option<bool>, Error> {
    let ledger = Ledger::new(manifest.players, manifest.seed, &manifest.extras);
    let Ok(file) = File::open(Path::new(name).with_file_name("games.csv")) else { return Ok(None) };
    let start = format!("{},", game.index);
    let (mut rows, mut line) = (BufReader::new(file), String::new());
    let found = loop {
        match bounded::read_line(&mut rows, &mut line, bounded::LINE) {
            Ok(0) | Err(_) => break None,
            Ok(_) if line.starts_with(&start) => break ledger.parse(&line).ok(),
            Ok(_) => {}
        }
    };
    let Some(row) = found else { return Ok(None) };
    if !plan.is_reproducible() {
        return Ok(Some(ledger.row(&row) == ledger.row(game)));
    }
    compare(plan, &ledger, &row).map(|()| Some(true))
}

fn json(plan: &Plan, game: &GameResult, agrees: Option<bool>) -> String {
    let n = plan.players;
    let specs = plan.specs();
    let agents: Vec<&String> =
        game.seating[..n].iter().map(|&entrant| &specs[usize::from(entrant)]).collect();
    let json = json!({
        "game": plan.setup.game,
        "game_id": game.index,
        "block": game.block,
        "agents": agents,
        "points": game.points[..n],
        "scores": game.scores[..n],
        "plies": game.plies,
        "forfeit": game.forfeit,
        "as_in_games_csv": agrees,
    });
    document(&with_changes(json, &plan.changes))
}

fn text(plan: &Plan, game: &GameResult, agrees: Option<bool>) -> String {
    let specs = plan.specs();
    let ranks = game.ranks(plan.players);
    let row = |seat: usize| {
        vec![
            seat.to_string(),
            specs[usize::from(game.seating[seat])].clone(),
            units::share(f64::from(game.points[seat])),
            units::mean(f64::from(game.scores[seat])),
            units::mean(ranks[seat]),
        ]
    };
    let mut text = table::plain(
        &["seat", "agent", "points", "score", "rank"],
        2,
        (0..plan.players).map(row).collect(),
    );
    if let Some(forfeit) = &game.forfeit {
        text += &format!("forfeit of seat {}: {}\n", forfeit.player, forfeit.reason);
    }
    let agrees = match agrees {
        Some(true) => "; as in games.csv",
        Some(false) => {
            "; not as in games.csv, since an agent thinks for a time or is another program"
        }
        None => "",
    };
    text + &format!(
        "game {} of {}, block {}, {} plies{agrees}\n",
        game.index,
        plan.setup.game,
        game.block,
        units::count(u64::from(game.plies))
    ) + &footer(&plan.setup.game, &plan.changes)
}
