//! `caesar replay`: plays one game of a tournament again, from the manifest and its number.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::counting::GameNumber;
use super::files::refuse_one_file_twice;
use super::history::row_of;
use super::output::{Form, note_painted};
use super::outputs::{Force, Output};
use super::{Ending, files, look, look_of_stderr, print};
use crate::report::names::Names;
use crate::report::rules;
use crate::report::table::{Cell, Column, Content, Mark, Note, Page, Readers, Scale, Table};
use sim::changes::with_changes;
use sim::config::Plan;
use sim::config::numbers::{ranged, whole};
use sim::document::document;
use sim::error::Error;
use sim::event::GameResult;
use sim::export;
use sim::export::games_csv::FILE as GAMES;
use sim::export::manifest::FILE as MANIFEST;
use sim::export::row_file::RowFile as _;
use sim::manifest::{Manifest, RunManifest as _};
use sim::tournament::{self, play_game};
use sim::units;

#[derive(Debug, Args)]
#[command(override_usage = "caesar replay [OPTIONS] --game <N> <MANIFEST>")]
pub(super) struct Options {
    /// Directory of a tournament, or its manifest.json
    manifest: PathBuf,
    /// Number of the game, from 1 (the first column of games.csv counts from 0)
    #[arg(long, value_name = "N", value_parser = ranged::<u64>(1, u64::MAX), required_unless_present = "game_id")]
    game: Option<u64>,
    /// Number of the game, from 0 (older spelling of --game)
    #[arg(long, value_name = "N", value_parser = whole, conflicts_with = "game", hide = true)]
    game_id: Option<u64>,
    /// Write the record of the game to a file; - for stdout (the result then goes to stderr)
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    form: Form,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let output = |path| Output::of("records", path, options.force);
    let output = options.records.as_deref().map(output).transpose()?;
    let to_stdout = output.as_ref().is_some_and(Output::is_stdout);
    if !options.form.is_table() && to_stdout {
        return Err(Error::Usage(
            "--records - and --format or --json: stdout takes only one of them; name a file"
                .to_owned(),
        ));
    }
    let (place, manifest) = read(&options.manifest)?;
    let n_games = manifest.blocks().saturating_mul(manifest.games_per_block);
    let named = options.game.map(GameNumber::FromOne);
    let named = named.or(options.game_id.map(GameNumber::FromZero));
    let named = named.expect("one of the two spellings is required");
    let index = named.index(n_games, "--game-id", |game| format!("--game {game}"))?;
    if let Some(output) = &output {
        refuse_overwriting(output, &place, &manifest)?;
        output.check()?;
    }
    let plan = dealt(manifest.plan(&place.display().to_string())?, &place, &manifest, index)?;
    let records = output.is_some() || manifest.records.is_some();
    let wanted = tournament::Options { threads: 1, records, extras: true };
    let game = play_game(&plan, index, wanted)?;
    if let (Some(output), Some(record)) = (&output, &game.record) {
        output.write(record.text().unwrap_or_default().as_bytes())?;
    }
    let agrees = agrees(&place, &manifest, &plan, &game)?;
    let look = if to_stdout { look_of_stderr() } else { look() };
    let text = match options.form.is_json() {
        true => json(&plan, &game, agrees),
        false => options
            .form
            .write(look, None, &|longest| page(&plan, &game, agrees, &Names::of(&plan, longest))),
    };
    if to_stdout {
        note_painted(text.trim_end());
    } else {
        print(&text)?;
    }
    Ok(Ending::Done)
}

/// Returns the plan. For a run whose tables were dealt it includes the table of the game, which only its row holds.
fn dealt(plan: Plan, place: &Path, manifest: &Manifest, game: u64) -> Result<Plan, Error> {
    if !plan.timetable.schedule().is_dealt() {
        return Ok(plan);
    }
    let (rows, games_csv) = (place.with_file_name(GAMES), manifest.games_csv());
    let row = if rows.exists() { row_of(&rows, &games_csv, game)? } else { None };
    let refuse = |what: String| {
        Error::Usage(format!(
            "--game {}: the seating of a run with schedule {} is in {}, where {what}",
            game + 1,
            plan.timetable.schedule().name(),
            rows.display()
        ))
    };
    let row = row.ok_or_else(|| refuse("there is no such row".to_owned()))?;
    let recorded = games_csv.parse(&row).map_err(refuse)?;
    let mut table = recorded.seating;
    table[..plan.players].rotate_left((game % plan.games_per_block()) as usize);
    let timetable = plan.timetable.dealt(game / plan.games_per_block(), vec![table]);
    Ok(Plan { timetable, ..plan })
}

fn read(path: &Path) -> Result<(PathBuf, Manifest), Error> {
    let is_dir = path.is_dir();
    let path = if is_dir { path.join(MANIFEST) } else { path.to_owned() };
    let name = path.display().to_string();
    // A pipe named by hand is waited for.
    let text = if is_dir { files::document(&path) } else { files::document_of(&path) };
    let text = text.map_err(Error::file(name.as_str()))?;
    let manifest = Manifest::parse(&name, &text)?;
    Ok((path, manifest))
}

/// Refuses to write a record over a file of the run.
fn refuse_overwriting(output: &Output, place: &Path, manifest: &Manifest) -> Result<(), Error> {
    let Some(file) = output.named() else { return Ok(()) };
    let names = export::files().map(str::to_owned).chain(manifest.records.clone());
    let of_run = names.map(|name| (format!("{name} of the run"), place.with_file_name(name)));
    let read = of_run.chain([("the manifest".to_owned(), place.to_owned())]).collect::<Vec<_>>();
    refuse_one_file_twice(&[file], &read)
}

/// Compares the game with its row beside the manifest; `None` if there is no such row.
///
/// # Errors
/// If the row is another one and need not be, or is damaged.
fn agrees(
    place: &Path,
    manifest: &Manifest,
    plan: &Plan,
    game: &GameResult,
) -> Result<Option<bool>, Error> {
    let rows = place.with_file_name(GAMES);
    if !rows.exists() {
        return Ok(None);
    }
    let games_csv = manifest.games_csv();
    let Some(there) = row_of(&rows, &games_csv, game.index)? else { return Ok(None) };
    let here = games_csv.row(game);
    if there == here {
        return Ok(Some(true));
    }
    let damage = games_csv.parse(&there).err();
    if damage.is_none() && !plan.is_reproducible() {
        return Ok(Some(false));
    }
    let damage =
        damage.map_or_else(String::new, |damage| format!("; the row is damaged: {damage}"));
    Err(Error::Failed(format!(
        "{}: game {} has another result here{damage}\n  {}",
        rows.display(),
        game.index + 1,
        games_csv.differences(&there, &here).join(", ")
    )))
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

fn page(plan: &Plan, game: &GameResult, agrees: Option<bool>, names: &Names) -> Page {
    let entrants = plan.names();
    let ranks = game.ranks(plan.players);
    let columns = vec![
        Column::plain("seat", Content::Key),
        Column::plain("agent", Content::Key),
        Column::plain("spec", Content::Text).only(Readers::Programs),
        Column::plain("points", Content::Number(Scale::SHARE)),
        Column::plain("score", Content::Number(Scale::MEAN)),
        Column::plain("rank", Content::Number(Scale::MEAN)),
    ];
    let row = |seat: usize| {
        let name = &entrants[usize::from(game.seating[seat])];
        vec![
            Cell::from_one(seat as u64),
            names.cell(name),
            Cell::text(names.spec(name)),
            Cell::Number(f64::from(game.points[seat])),
            Cell::Number(f64::from(game.scores[seat])),
            Cell::Number(ranks[seat]),
        ]
    };
    let caption = format!("Game {} of {}", game.index + 1, plan.setup.game);
    let mut table = Table::new("game", caption, columns).with((0..plan.players).map(row));
    table.notes.extend(names.legend());
    table.notes.extend(game.forfeit.as_ref().map(|forfeit| {
        let text = format!("forfeit of seat {}: {}", forfeit.player + 1, forfeit.reason);
        Note::new(text).marked(Mark::Caveat)
    }));
    let agrees = match agrees {
        Some(true) => "; agrees with games.csv",
        Some(false) => {
            "; differs from games.csv, because an agent has a time limit or is another program"
        }
        None => "",
    };
    table.notes.push(Note::new(format!(
        "game {} of {}, block {}, {} plies{agrees}",
        game.index + 1,
        plan.setup.game,
        game.block + 1,
        units::count(u64::from(game.plies))
    )));
    let footer = rules::note(&plan.setup.game, &plan.changes).into_iter().collect();
    Page { tables: vec![table], footer }
}
