//! `caesar check FILE`.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::history::History;
use super::output::stream;
use super::outside::named_file;
use super::rows::Blocks;
use super::trace::{Ear, replay};
use super::{Ending, directory, files, note, print};
use lab::compare::manifest::Manifest;
use lab::compare::trace::TraceCsv;
use sim::document::document;
use sim::error::Error;
use sim::export::games_csv::FILE as GAMES;
use sim::export::manifest::FILE as MANIFEST;
use sim::manifest::Manifest as Played;
use sim::record::Fault;
use sim::record::stream::{Checked, Telling, check};
use sim::units;
use sim::visible::visible;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// File of records (- for stdin), or a directory of results: checks its rows, checksums and records, or the
    /// trace and test of a comparison
    file: String,
    /// File of records, where the manifest of the directory names one elsewhere
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let dir = Path::new(&options.file);
    if dir.is_dir() && directory::is_of::<Manifest>(dir) {
        return check_trace(options, dir);
    }
    match rows(options, dir)? {
        None => check_records(options, &options.file),
        Some(Rows { records: Some(records), .. }) => check_records(options, &records),
        Some(Rows { games, records: None }) => {
            let none: [Fault; 0] = [];
            print(&if options.json {
                document(&json!({"games": games, "failed": 0, "faults": none}))
            } else {
                format!(
                    "{}, 0 with faults; the run keeps no records\n",
                    units::counted(games, "game")
                )
            })?;
            Ok(Ending::Done)
        }
    }
}

/// Checks the trace of a comparison: no row is damaged, and the test's state matches the blocks.
fn check_trace(options: &Options, dir: &Path) -> Result<Ending, Error> {
    let Some(manifest) = directory::found::<Manifest>(dir)? else { return Ok(Ending::Done) };
    let study = manifest.study(&dir.join(MANIFEST).display().to_string())?;
    let (csv, range) = (TraceCsv::new(&study), manifest.range());
    let mut ear = Ear::new(&study, manifest.shard.is_some());
    let mut rows = Blocks::open(dir, &csv, range.start).map_err(finding)?;
    replay(&mut rows, &range, &mut ear, &mut |_| {}).map_err(finding)?;
    let (blocks, games) = (ear.block_stats().blocks(), ear.block_stats().games());
    if !ear.has_ended(&range) {
        note(&format!(
            "the comparison is unfinished: {} are whole",
            units::counted(blocks, "block")
        ));
    }
    let none: [Fault; 0] = [];
    print(&if options.json {
        document(&json!({"games": games, "failed": 0, "faults": none}))
    } else {
        let (blocks, games) = (units::counted(blocks, "block"), units::counted(games, "game"));
        format!("{blocks} of {games}, 0 with faults; the test agrees with the blocks\n")
    })?;
    Ok(Ending::Done)
}

/// Turns an error about damaged input into a finding, because damage is not wrong usage here.
fn finding(error: Error) -> Error {
    match error {
        Error::Usage(text) => Error::Failed(text),
        other => other,
    }
}

/// Undamaged rows of a directory of results.
struct Rows {
    games: u64,
    /// The file of records, each of which has the checksum in its row.
    records: Option<String>,
}

/// Checks the rows in `dir`, and its records against them; `None` if it is no directory of results.
fn rows(options: &Options, dir: &Path) -> Result<Option<Rows>, Error> {
    let Some(manifest) =
        Some(dir).filter(|dir| dir.is_dir()).map(directory::found::<Played>).transpose()?.flatten()
    else {
        return Ok(None);
    };
    let file = |name: &String| named_file(dir, name, "--records", options.records.as_slice());
    let records = manifest.records.as_ref().map(file).transpose()?;
    let games_csv = manifest.games_csv();
    let first = manifest.first_game();
    let mut history =
        History::open(&dir.join(GAMES), records.as_deref(), &games_csv, first).map_err(finding)?;
    let mut games = 0;
    while history.next_game().map_err(finding)?.is_some() {
        games += 1;
    }
    if games < manifest.n_games() && !manifest.is_adaptive() {
        note(&format!("the run is unfinished: {games} of {} games are whole", manifest.n_games()));
    }
    Ok(Some(Rows { games, records: records.map(|path| path.display().to_string()) }))
}

fn check_records(options: &Options, file: &str) -> Result<Ending, Error> {
    let mut input = files::open(file)?;
    let mut games = 0;
    let mut faults: Vec<Fault> = Vec::new();
    let checked_all = check(&mut *input, &Telling::default(), &mut |checked: Checked| {
        games += 1;
        if let Some(fault) = checked.fault {
            if !options.json {
                stream(&fault_line(file, &fault))?;
            }
            faults.push(fault);
        }
        Ok::<(), Error>(())
    });
    match checked_all {
        // The printed line is a fault.
        Err(Error::ClosedPipe) => return Ok(Ending::FaultsFound),
        checked_all => checked_all.map_err(|error| at_input(error, file))?,
    }
    if games == 0 {
        return Err(Error::Usage(format!("{}: no record: it is empty", input_name(file))));
    }
    let failed = faults.len() as u64;
    print(&if options.json {
        document(&json!({"games": games, "failed": failed, "faults": faults}))
    } else {
        format!("{}, {} with faults\n", units::counted(games, "game"), units::count(failed))
    })?;
    Ok(if failed == 0 { Ending::Done } else { Ending::FaultsFound })
}

/// Returns an error while reading `file`, with its name.
pub(super) fn at_input(error: Error, file: &str) -> Error {
    match error {
        Error::Input(source) => Error::File { place: input_name(file).to_owned(), source },
        other => other,
    }
}

/// Returns the name of the input file for messages.
pub(super) fn input_name(file: &str) -> &str {
    match file {
        "-" => "stdin",
        "" => "\"\"",
        file => file,
    }
}

/// Returns a fault as compilers write them.
pub(super) fn fault_line(file: &str, fault: &Fault) -> String {
    let (file, message) = (visible(input_name(file)), visible(&fault.message));
    format!("{file}:{}: game {}: {message}\n", fault.line, fault.game)
}
