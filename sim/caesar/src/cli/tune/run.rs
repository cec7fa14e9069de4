//! Run of a search: played, stored in a directory, and reported.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde_json::json;

use super::Options;
use super::log::Log;
use super::plan::plan;
use crate::cli::files::{self, refuse_one_file_twice, write_aside};
use crate::cli::kept::{Entry, Kept, Stored, tables_of};
use crate::cli::live::Live;
use crate::cli::output::{Form, OneTable};
use crate::cli::outputs::{Existing, Output};
use crate::cli::rows::Blocks;
use crate::cli::running::{stop_on_signal, threads};
use crate::cli::shards;
use crate::cli::sums;
use crate::cli::{Ending, look, note, print};
use crate::report::format::csv;
use crate::report::tune as report;
use lab::tune::agent_objective::open_table;
use lab::tune::evaluator::{Evaluator, Halt};
use lab::tune::history;
use lab::tune::journal::{FILE as LOG, Journal, Memory};
use lab::tune::manifest::Manifest;
use lab::tune::objective::Objective;
use lab::tune::pools::Looks;
use lab::tune::request::Request;
use lab::tune::run::Outcome;
use lab::tune::space::Point;
use lab::tune::study::TuningStudy;
use lab::tune::subject::Subject;
use sim::document::document;
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::export::on_completion;
use sim::export::summary::FILE as SUMMARY;
use sim::manifest::Shard;
use sim::runner::start_threads;
use sim::units;

/// The spec of the winner.
const WINNER: &str = "winner.txt";
/// The weights of the winner, where some were tuned.
const WEIGHTS: &str = "weights.toml";
/// The rules of the winner, where they were tuned.
const RULES: &str = "rules.toml";

pub(in crate::cli) fn run(options: &Options) -> Result<Ending, Error> {
    options.one.check(&options.form, &report::TABLES, &[])?;
    options.export.iter().try_for_each(|path| on_completion::Form::of(path).map(drop))?;
    let runs = shards::runs(options.shard, options.request.runs)?;
    let request = Request { runs, ..options.request.clone() };
    let study = TuningStudy::new(&request, &files::text)?;
    if let Some(shard) = options.shard.filter(|shard| shard.of != study.search.runs) {
        let message = format!("{} is one search and cannot be divided", study.search.how.name());
        return Err(Error::value("shard", shard.to_string(), message));
    }
    let n_threads = threads(options.threads);
    if options.plan {
        plan(&study, n_threads, options.form.is_json())?;
        return Ok(Ending::Done);
    }
    let manifest = Manifest::new(&study, options.shard);
    refuse_overwriting(options, &study)?;
    let exported = |path: &PathBuf| Output::of("export", path, options.again.force);
    let exported = options.export.as_ref().map(exported).transpose()?;
    exported.as_ref().map_or(Ok(()), Output::check)?;
    let mut kept = match &options.out {
        Some(dir) => {
            let existing = options.again.existing();
            Some(Home::at(dir, &manifest, existing)?)
        }
        None => None,
    };
    let log = kept.as_mut().map(|kept| kept.log(&study)).transpose()?;
    let telling = Telling {
        form: &options.form,
        one: Some(&options.one),
        quiet: options.quiet,
        threads: n_threads,
        shard: options.shard,
    };
    let ending = telling.search(&study, kept.as_ref(), log)?;
    if let Some(((path, output), kept)) = options.export.as_ref().zip(exported).zip(kept) {
        export(path, &output, &study, kept.kept.dir())?;
    }
    Ok(ending)
}

/// Exports the current log as a table for other tools.
fn export(path: &Path, output: &Output, study: &TuningStudy, dir: &Path) -> Result<(), Error> {
    let space = &study.search.space;
    let rows = Blocks::open(dir, &study.log_csv(), 0)?.rest()?;
    let (columns, rows) = history::table(space, &rows);
    let mut bytes = Vec::new();
    let written =
        on_completion::write(on_completion::Form::of(path)?, "block", &columns, rows, &mut bytes);
    written.map_err(Error::output(path.display().to_string()))?;
    output.write(&bytes)
}

/// Settings of a search and its output.
pub(super) struct Telling<'a> {
    pub(super) form: &'a Form,
    pub(super) one: Option<&'a OneTable>,
    pub(super) quiet: bool,
    pub(super) threads: usize,
    pub(super) shard: Option<Shard>,
}

impl Telling<'_> {
    /// Runs the rest of a search, stores it and reports it.
    ///
    /// # Errors
    /// If it cannot be played or written.
    pub(super) fn search(
        &self,
        study: &TuningStudy,
        kept: Option<&Home>,
        mut log: Option<Log>,
    ) -> Result<Ending, Error> {
        let mut memory = Memory::default();
        let stop = stop_on_signal()?;
        let mut live = Live::new(self.quiet);
        let journal: &mut dyn Journal = match &mut log {
            Some(log) => log,
            None => &mut memory,
        };
        let looks = Looks::after(kept.map_or(0, |kept| kept.earlier_looks));
        let (shard, threads) = (self.shard, self.threads);
        let task = Task { study, looks, journal, threads, shard, stop: &stop, live: &mut live };
        let came = task.run(&*open_table(&study.setup, &study.subject)?);
        live.finish();
        // Rows come first: all other files can be derived from them.
        let saved = log.as_mut().map_or(Ok(()), |log| log.rows.save());
        let came = match (came, saved) {
            (Err(Halt::Stopped), Ok(())) => return Ok(stopped(kept.is_some())),
            (Err(Halt::Failed(error)), _) | (_, Err(error)) => {
                log.iter().for_each(|log| note(&log.rows.what_is_left()));
                return Err(error);
            }
            (Ok(came), Ok(())) => came,
        };
        match came {
            RunOutcome::Part(found) => self.tell_part(study, kept, &found),
            RunOutcome::Whole(outcome) => {
                if let Some(kept) = kept {
                    sum_up(kept.kept.dir(), study, &outcome)?;
                }
                self.tell(study, &outcome, live.seconds())
            }
        }
    }

    /// Stores and reports the result of one of several searches.
    fn tell_part(
        &self,
        study: &TuningStudy,
        kept: Option<&Home>,
        found: &[Point],
    ) -> Result<Ending, Error> {
        let shard = self.shard.map_or_else(String::new, |shard| shard.to_string());
        let found = found.iter().map(|point| study.subject.spelled(point));
        let found = found.collect::<Result<Vec<_>, Error>>()?;
        let text = document(&json!({"shard": shard, "found": found}));
        if let Some(kept) = kept {
            let place = kept.kept.dir().join(SUMMARY);
            let written = write_aside(&place, text.as_bytes());
            written.map_err(Error::output(place.display().to_string()))?;
        }
        if self.form.is_json() {
            print(&text)?;
            return Ok(Ending::Done);
        }
        let found =
            if found.is_empty() { "nothing but the start".to_owned() } else { found.join("\n") };
        print(&format!(
            "{found}\nfound by search {shard}, not yet tested: caesar merge joins the searches, and plays the \
             play-off and the report\n"
        ))?;
        Ok(Ending::Done)
    }

    fn tell(&self, study: &TuningStudy, outcome: &Outcome, seconds: f64) -> Result<Ending, Error> {
        let text = match self.form.is_json() {
            true => report::json(study, outcome)?,
            false => {
                // Invalid agents were refused above.
                report::page(study, outcome, usize::MAX)?;
                let page = |longest| report::page(study, outcome, longest).unwrap_or_default();
                self.form.write(look(), self.one, &page)
            }
        };
        print(&text)?;
        if self.form.is_table() && !self.quiet {
            let games = units::count(outcome.blocks * study.games_per_block());
            note(&format!("{games} games ({})", units::seconds(seconds)));
        }
        Ok(Ending::Done)
    }
}

/// Result of a search: the whole run, or the findings of one of its searches.
enum RunOutcome {
    Whole(Box<Outcome>),
    Part(Vec<Point>),
}

/// Runs the search itself, at a table.
struct Task<'a> {
    study: &'a TuningStudy,
    looks: Looks,
    journal: &'a mut dyn Journal,
    threads: usize,
    shard: Option<Shard>,
    stop: &'a AtomicBool,
    live: &'a mut Live,
}

impl Task<'_> {
    fn run(mut self, table: &dyn Objective) -> Result<RunOutcome, Halt> {
        let pool = start_threads(self.threads)?;
        let per_block = table.games_per_block();
        let search = &self.study.search;
        let of = match self.shard {
            None => self.study.games(),
            Some(shard) => search.budget.train / shard.of * per_block,
        };
        let (of, live) = (units::count(of), self.live);
        let mut look = |blocks: u64, best: &dyn Fn() -> String| {
            live.look(|| {
                let best = best();
                let best = if best.is_empty() { best } else { format!("; best so far {best}") };
                format!("{} of {of} games{best}", units::count(blocks * per_block))
            });
        };
        let mut evaluator = Evaluator::new(table, self.journal, self.stop, Some(&pool), &mut look);
        match self.shard {
            None => Ok(RunOutcome::Whole(Box::new(search.run(&mut evaluator, &mut self.looks)?))),
            Some(shard) => Ok(RunOutcome::Part(search.shard(&mut evaluator, shard.index - 1)?)),
        }
    }
}

/// Refuses outputs that are also inputs.
fn refuse_overwriting(options: &Options, study: &TuningStudy) -> Result<(), Error> {
    let Some(dir) = &options.out else { return Ok(()) };
    let name = |name: &str| (format!("{name} of --out {}", dir.display()), dir.join(name));
    let export =
        options.export.iter().map(|path| (format!("--export {}", path.display()), path.clone()));
    let own = [MANIFEST, LOG].map(str::to_owned).into_iter().chain(written());
    let written: Vec<_> = own.map(|own| name(&own)).chain(export).collect();
    let files = study.subject.files().iter();
    let read = files.map(|(path, _)| (format!("the input {path}"), path.into()));
    refuse_one_file_twice(&written, &read.collect::<Vec<_>>())
}

impl Stored for Manifest {
    const ROWS: &'static [&'static str] = &[LOG];

    fn finished(&self) -> Vec<String> {
        written()
    }
}

/// The directory of a search.
pub(super) struct Home {
    kept: Kept,
    earlier_looks: u64,
}

impl Home {
    /// Enters `--out`, and writes the manifest if the search is new.
    pub(super) fn at(dir: &Path, manifest: &Manifest, existing: Existing) -> Result<Self, Error> {
        let entry = Entry::enter(dir, manifest, existing)?;
        let begun = match (entry.going_on(), entry.before()) {
            (Some(there), _) => there.clone(),
            (None, Some(before)) => manifest.clone().in_place_of(before),
            (None, None) => manifest.clone(),
        };
        Ok(Self { kept: entry.begin(&begun)?, earlier_looks: begun.earlier_looks })
    }

    pub(super) fn log(&mut self, study: &TuningStudy) -> Result<Log, Error> {
        Log::of(&mut self.kept, study.log_csv())
    }
}

/// Returns the files that are written at the end of a search, the summary first.
fn written() -> Vec<String> {
    let own = [SUMMARY, WINNER, WEIGHTS, RULES].map(str::to_owned);
    own.into_iter().chain(tables_of(&report::TABLES)).collect()
}

/// Writes the winner, the tables and, at the end, the summary.
fn sum_up(dir: &Path, study: &TuningStudy, outcome: &Outcome) -> Result<(), Error> {
    let page = report::page(study, outcome, usize::MAX)?;
    let tables = page.tables.iter().filter(|table| table.readers.include(true));
    let tables = tables.map(|table| (format!("{}.csv", table.name), csv::write(table)));
    let winner = study.subject.spelled(outcome.winner())?;
    let name = if matches!(study.subject, Subject::Rules(_)) { RULES } else { WEIGHTS };
    let file = report::file(study, outcome.winner()).map(|text| (name.to_owned(), text));
    let all = tables
        .chain([(WINNER.to_owned(), format!("{winner}\n"))])
        .chain(file)
        .chain([(SUMMARY.to_owned(), report::json(study, outcome)?)]);
    sums::write_all(dir, all)
}

/// Prints the command that continues a stopped search.
pub(in crate::cli) fn stopped(is_kept: bool) -> Ending {
    let rest = match is_kept {
        true => "the rows are saved; the same command with --resume continues",
        false => "nothing is saved; use --out to keep results for --resume",
    };
    note(&format!("stopped early: {rest}"));
    Ending::Stopped
}
