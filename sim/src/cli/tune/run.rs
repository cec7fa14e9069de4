//! A search run, kept in a directory, and told.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::Options;
use super::log::Log;
use super::plan::plan;
use crate::cli::directory::{self, refuse_differences, remove_from, unfinished};
use crate::cli::entered::Entered;
use crate::cli::files::{self, refuse_one_file_twice, write_aside};
use crate::cli::live::Live;
use crate::cli::tournament::{stop_on_signal, threads};
use crate::cli::{Ending, look, note, print};
use crate::error::Error;
use crate::export::manifest::FILE as MANIFEST;
use crate::export::summary::FILE as SUMMARY;
use crate::report::format::csv;
use crate::report::tune as report;
use crate::runner::start_threads;
use crate::tune::desk::{Desk, Halt};
use crate::tune::journal::{FILE as LOG, Journal, LogCsv, Memory};
use crate::tune::manifest::Manifest;
use crate::tune::playground::Playground;
use crate::tune::pools::Looks;
use crate::tune::request::Study;
use crate::tune::run::Outcome;
use crate::tune::table::{WithTable, with_table};
use crate::units;

/// The spec of the winner.
const WINNER: &str = "winner.txt";
/// The weights of the winner, where some were tuned.
const WEIGHTS: &str = "weights.toml";

pub(in crate::cli) fn run(options: &Options) -> Result<Ending, Error> {
    options.one.check(&options.form, &report::TABLES, &[])?;
    let study = Study::new(&options.request, &files::text)?;
    let n_threads = threads(options.threads);
    if options.plan {
        plan(&study, n_threads, options.form.is_json())?;
        return Ok(Ending::Done);
    }
    let manifest = Manifest::new(&study);
    refuse_overwriting(options, &study)?;
    let mut kept = match &options.out {
        Some(dir) => Some(Kept::at(dir, &manifest, options.resume)?),
        None => None,
    };
    let mut log = kept.as_mut().map(|kept| kept.log(&study)).transpose()?;
    let mut memory = Memory::default();
    let stop = stop_on_signal()?;
    let mut live = Live::new(options.quiet);
    let journal: &mut dyn Journal = match &mut log {
        Some(log) => log,
        None => &mut memory,
    };
    let looks = Looks::after(kept.as_ref().map_or(0, |kept| kept.earlier_looks));
    let task =
        Task { study: &study, looks, journal, threads: n_threads, stop: &stop, live: &mut live };
    let outcome = with_table(&study.setup, &study.entrants, task)?;
    live.finish();
    // Rows first, whatever else failed: all the rest can be made again from them.
    let saved = log.as_mut().map_or(Ok(()), Log::save);
    let outcome = match (outcome, saved) {
        (Err(Halt::Stopped), Ok(())) => return Ok(stopped(options)),
        (Err(Halt::Failed(error)), _) | (_, Err(error)) => {
            log.iter().for_each(|log| note(&log.what_is_left()));
            return Err(error);
        }
        (Ok(outcome), Ok(())) => outcome,
    };
    if let Some(dir) = &options.out {
        sum_up(dir, &study, &outcome)?;
    }
    tell(options, &study, &outcome, live.seconds())
}

/// The search itself, at a table.
struct Task<'a> {
    study: &'a Study,
    looks: Looks,
    journal: &'a mut dyn Journal,
    threads: usize,
    stop: &'a AtomicBool,
    live: &'a mut Live,
}

impl WithTable for Task<'_> {
    type Output = Result<Outcome, Halt>;

    fn run(mut self, table: &dyn Playground) -> Self::Output {
        let pool = start_threads(self.threads)?;
        let per_block = table.games_per_block();
        let of = units::count(self.study.games());
        let live = self.live;
        let mut look = |blocks: u64, best: &dyn Fn() -> String| {
            live.look(|| {
                let best = best();
                let best = if best.is_empty() { best } else { format!("; best so far {best}") };
                format!("{} of {of} games{best}", units::count(blocks * per_block))
            });
        };
        let mut desk = Desk::new(table, self.journal, self.stop, Some(&pool), &mut look);
        self.study.search.run(&mut desk, &mut self.looks)
    }
}

/// Refuses to write into files that are read.
fn refuse_overwriting(options: &Options, study: &Study) -> Result<(), Error> {
    let Some(dir) = &options.out else { return Ok(()) };
    let name = |name: &str| (format!("{name} of --out {}", dir.display()), dir.join(name));
    let written = [MANIFEST, LOG, SUMMARY, WINNER, WEIGHTS].map(name);
    let files = study.entrants.files.iter();
    let read = files.map(|(path, _)| (format!("the input {path}"), path.into()));
    refuse_one_file_twice(&written, &read.collect::<Vec<_>>())
}

/// The directory of a search.
struct Kept<'a> {
    dir: &'a Path,
    file: Option<File>,
    /// What was made is taken away again, unless a run is begun.
    _entered: Entered,
    earlier_looks: u64,
}

impl<'a> Kept<'a> {
    /// Enters `--out`, and writes the manifest if the search is new.
    fn at(dir: &'a Path, manifest: &Manifest, resume: bool) -> Result<Self, Error> {
        let mut entered = Entered::enter(dir)?;
        let (file, found) = directory::enter(dir, &mut entered, LOG, Manifest::parse)?;
        let has_rows = file.metadata().is_ok_and(|meta| meta.len() > 0);
        let earlier_looks = match found {
            Some(there) if resume => {
                refuse_differences(dir, "search", &there.differences(manifest))?;
                there.earlier_looks
            }
            Some(there) if !dir.join(SUMMARY).is_file() && has_rows => {
                return Err(unfinished(dir, "search", &there.command));
            }
            before => {
                let manifest = match &before {
                    Some(before) => manifest.clone().in_place_of(before),
                    None => manifest.clone(),
                };
                [WINNER, WEIGHTS].iter().try_for_each(|name| remove_from(dir, name))?;
                directory::clear(dir, [SUMMARY], (&file, LOG))?;
                directory::fix(dir, MANIFEST, manifest.document().as_bytes())?;
                manifest.earlier_looks
            }
        };
        Ok(Self { dir, file: Some(file), _entered: entered, earlier_looks })
    }

    fn log(&mut self, study: &Study) -> Result<Log, Error> {
        let file = self.file.take().expect("a log is opened once");
        Log::go_on(self.dir, &self.dir.join(LOG), file, LogCsv::new(&study.search.space))
    }
}

/// Writes the winner, the tables and, at the end, the summary.
fn sum_up(dir: &Path, study: &Study, outcome: &Outcome) -> Result<(), Error> {
    let page = report::page(study, outcome)?;
    let tables = page.tables.iter().map(|table| (format!("{}.csv", table.name), csv::write(table)));
    let winner = study.entrants.agent(outcome.winner())?;
    let weights = report::weights(study, outcome.winner());
    let weights = weights.map(|text| (WEIGHTS.to_owned(), text));
    let all = tables
        .chain([(WINNER.to_owned(), format!("{winner}\n"))])
        .chain(weights)
        .chain([(SUMMARY.to_owned(), report::json(study, outcome)?)]);
    for (name, text) in all {
        let place = dir.join(name);
        let written = write_aside(&place, text.as_bytes());
        written.map_err(Error::output(place.display().to_string()))?;
    }
    Ok(())
}

fn tell(
    options: &Options,
    study: &Study,
    outcome: &Outcome,
    seconds: f64,
) -> Result<Ending, Error> {
    let text = match options.form.is_json() {
        true => report::json(study, outcome)?,
        false => {
            let page = report::page(study, outcome)?;
            options.form.write(look(), Some(&options.one), &|_| page.clone())
        }
    };
    print(&text)?;
    if options.form.is_table() && !options.quiet {
        let games = units::count(outcome.blocks * study.players as u64);
        note(&format!("{games} games ({})", units::seconds(seconds)));
    }
    Ok(Ending::Done)
}

/// Says how a search that was stopped goes on.
fn stopped(options: &Options) -> Ending {
    let rest = match options.out {
        Some(_) => "the rows are saved, and the same command with --resume goes on",
        None => "nothing is saved; with --out it would have been kept for --resume",
    };
    note(&format!("stopped early: {rest}"));
    Ending::Stopped
}
