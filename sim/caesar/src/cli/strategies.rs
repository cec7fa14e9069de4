//! `caesar strategies`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use super::files::{self, write_aside};
use super::kept::{Kept, Stored, tables_of};
use super::live::Live;
use super::output::{Form, OneTable};
use super::outputs::{Again, Force, Output};
use super::running::{Threads, stop_on_signal, threads};
use super::tune::Log;
use super::{Ending, look, note, print, sums};
use crate::report::format::csv;
use crate::report::strategies as report;
use crate::report::strategies_change as change;
use crate::report::table::Page;
use lab::strategies::change::{Change, Effects};
use lab::strategies::export::{self, Exported};
use lab::strategies::findings::Findings;
use lab::strategies::game_seats::open_seats;
use lab::strategies::manifest::Manifest;
use lab::strategies::population::PopulationTables;
use lab::strategies::portraits::Portraits;
use lab::strategies::request::Request;
use lab::strategies::run::Outcome;
use lab::strategies::seats::{Seats, Strategy};
use lab::strategies::study::StrategiesStudy;
use lab::tune::evaluator::{Evaluator, Halt};
use lab::tune::journal::{FILE as LOG, Journal, Memory};
use sim::error::Error;
use sim::export::summary::FILE as SUMMARY;
use sim::population::FILE as POPULATION;
use sim::runner::start_threads;
use sim::units;

/// The records of games of the survivors in a directory.
const GAMES: &str = "games.jsonl";
/// Blocks of the probe that measures the time.
const PROBE: u64 = 8;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
Strategies are the settings of --agent, with ? for each open value as in `caesar tune`. The population begins with \
the agent's own values, random corners of the space, the personas of the game and the agents of --against. Each round plays all mixtures of \
the strategies at a table and solves the game between them. Then it searches a best response to the solution, \
whose opponents are draws from it. A response enters if the 95 % interval of its gain on fresh games lies above 0; \
the first that does not ends the loop.
All results come from further games that chose nothing. For portraits, 20 blocks of them are played again and \
watched. Exploitability is a lower bound: a better response may \
exist outside of what was searched. Strategies whose games all take the same course are merged.
An export has the strategies that survive, as population:DIR in --against of `caesar tune` and in --agent of \
`caesar balance`. There it needs the same game, players and version.
With --set-b or --rules-b (also --set-a, --rules-a) the loop runs under both rule sets. The survivors of both then \
play under both, on the same fresh games: which die, and which come? Tables: panel (effective number of strategies, \
top weight), weights.
Tables of one rule set: strategies (weight, gain against the mixture, best answer), duels (each strategy among copies of another), \
rounds; with --niche also archive (the best strategy of each cell of behaviour).";

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    request: Request,
    /// Take few games where no numbers are given: for a first look
    #[arg(long)]
    quick: bool,
    /// Estimate games and time from a short trial run, then exit
    #[arg(long, conflicts_with = "out")]
    plan: bool,
    #[command(flatten)]
    threads: Threads,
    /// Write manifest.json, log.csv, all tables, summary.json and games.jsonl into a directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the strategies that survive into a directory, as files of weights and population.json
    #[arg(long, value_name = "DIR", conflicts_with = "plan")]
    export: Option<PathBuf>,
    #[command(flatten)]
    again: Again,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
    /// Suppress progress and notes
    #[arg(long)]
    quiet: bool,
}

impl Stored for Manifest {
    const ROWS: &'static [&'static str] = &[LOG];

    fn finished(&self) -> Vec<String> {
        let tables = if self.has_sides() { &change::TABLES[..] } else { &report::TABLES[..] };
        let games = (!self.has_sides()).then(|| GAMES.to_owned());
        [SUMMARY.to_owned()].into_iter().chain(games).chain(tables_of(tables)).collect()
    }
}

/// The directory of an export, which is empty unless its files are replaced.
struct Export {
    dir: PathBuf,
    /// The document, which is written last.
    document: Output,
}

impl Export {
    /// Checks, before the games begin, that the directory can be written.
    fn check(dir: &Path, force: Force) -> Result<Self, Error> {
        let label = format!("--export {}", dir.display());
        if dir == Path::new("-") {
            let message = "a population needs a directory, not stdout; name one";
            return Err(Error::Usage(format!("{label}: {message}")));
        }
        let is_empty = fs::read_dir(dir).map_or(true, |mut entries| entries.next().is_none());
        if !is_empty && !force.is_given() {
            let message =
                "the directory is not empty: name a new one, or --force replaces files in it";
            return Err(Error::Usage(format!("{label}: {message}")));
        }
        let document = Output::of("export", &dir.join(POPULATION), force)?;
        document.check()?;
        Ok(Self { dir: dir.to_owned(), document })
    }

    fn write(&self, files: &[Exported]) -> Result<(), Error> {
        for Exported { name, text } in files {
            let place = self.dir.join(name);
            match name == POPULATION {
                true => self.document.write(text.as_bytes())?,
                false => write_aside(&place, text.as_bytes())
                    .map_err(Error::output(place.display().to_string()))?,
            }
        }
        Ok(())
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let has_sides = !options.request.arms.are_empty();
    let tables = if has_sides { &change::TABLES[..] } else { &report::TABLES[..] };
    options.one.check(&options.form, tables, &[])?;
    refuse_one_sided(options)?;
    let request = options.request.clone();
    let request = if options.quick { request.quick() } else { request };
    let study = StrategiesStudy::new(&request, &files::text)?;
    let n_threads = threads(options.threads);
    if options.plan {
        let minutes = minutes(&study, n_threads)?;
        print(&report::plan(&study, minutes, n_threads, options.form.is_json()))?;
        return Ok(Ending::Done);
    }
    let export = options.export.as_ref().map(|dir| Export::check(dir, options.again.force));
    let export = export.transpose()?;
    let enter = |dir: &PathBuf| Kept::at(dir, &Manifest::new(&study), options.again.existing());
    let mut kept = options.out.as_ref().map(enter).transpose()?;
    let mut log = kept.as_mut().map(|kept| Log::of(kept, study.log_csv())).transpose()?;
    let mut live = Live::new(options.quiet);
    let mut memory = Memory::default();
    let journal: &mut dyn Journal = match &mut log {
        Some(log) => log,
        None => &mut memory,
    };
    let came = play(&study, journal, n_threads, &mut live);
    live.finish();
    let saved = log.as_mut().map_or(Ok(()), |log| log.rows.save());
    let played = match (came, saved) {
        (Err(Halt::Stopped), Ok(())) => return Ok(super::tune::stopped(kept.is_some())),
        (Err(Halt::Failed(error)), _) | (_, Err(error)) => {
            log.iter().for_each(|log| note(&log.rows.what_is_left()));
            return Err(error);
        }
        (Ok(played), Ok(())) => played,
    };
    let results = Results::of(&study, &played)?;
    if let Some(kept) = &kept {
        write_tables(kept.dir(), &results, &played)?;
    }
    if let (Some(export), Played::Population { outcome, findings, .. }) = (&export, &played) {
        export.write(&export::files(&study, outcome, findings)?)?;
    }
    print(&match options.form.is_json() {
        true => results.json(),
        false => options.form.write(look(), Some(&options.one), &|longest| results.page(longest)),
    })?;
    if options.form.is_table() && !options.quiet {
        let games = units::count(played.blocks() * study.players as u64);
        note(&format!("{games} games ({})", units::seconds(live.seconds())));
        if let Some(kept) = kept.as_ref().filter(|_| !has_sides) {
            let games = kept.dir().join(GAMES);
            note(&format!(
                "a won and a lost game of each survivor: caesar show {}",
                games.display()
            ));
        }
    }
    Ok(Ending::Done)
}

/// Writes all tables, the document and, under one rule set, the records of a run.
fn write_tables(dir: &Path, results: &Results<'_>, played: &Played) -> Result<(), Error> {
    let page = results.page(usize::MAX);
    let tables = page.tables.iter().filter(|table| table.readers.include(true));
    let tables = tables.map(|table| (format!("{}.csv", table.name), csv::write(table)));
    let games = played.portraits().map(|portraits| {
        let games = portraits.all.iter().flat_map(|one| &one.shown);
        (GAMES.to_owned(), games.map(|game| game.record.as_str()).collect::<String>())
    });
    sums::write_all(dir, tables.chain(games).chain([(SUMMARY.to_owned(), results.json())]))
}

/// Refuses what only a run under one rule set has, beside two: an export and an archive.
fn refuse_one_sided(options: &Options) -> Result<(), Error> {
    if options.request.arms.are_empty() {
        return Ok(());
    }
    if let Some(dir) = &options.export {
        let message = "survivors of two rule sets have no weights in common: export them in a run under one of them";
        return Err(Error::Usage(format!("--export {}: {message}", dir.display())));
    }
    options.request.niche.as_ref().map_or(Ok(()), |niche| {
        let message = "an archive is of one rule set: ask for it in a run under one of them";
        Err(Error::value("niche", niche, message))
    })
}

/// A run with the statements about it.
enum Played {
    /// A population under one rule set.
    Population { outcome: Outcome, findings: Findings, portraits: Portraits },
    /// The populations of two rule sets.
    Change { change: Change, effects: Effects },
}

impl Played {
    const fn blocks(&self) -> u64 {
        match self {
            Self::Population { outcome, .. } => outcome.blocks,
            Self::Change { change, .. } => change.blocks,
        }
    }

    const fn portraits(&self) -> Option<&Portraits> {
        match self {
            Self::Population { portraits, .. } => Some(portraits),
            Self::Change { .. } => None,
        }
    }
}

/// The results of a run in words.
enum Results<'a> {
    Population(report::Results<'a>),
    Change(change::Results<'a>),
}

impl<'a> Results<'a> {
    fn of(study: &'a StrategiesStudy, played: &'a Played) -> Result<Self, Error> {
        Ok(match played {
            Played::Population { outcome, findings, portraits } => {
                Self::Population(report::Results::of(study, outcome, findings, portraits)?)
            }
            Played::Change { change, effects } => {
                Self::Change(change::Results::of(study, change, effects)?)
            }
        })
    }

    fn page(&self, longest: usize) -> Page {
        match self {
            Self::Population(results) => results.page(longest),
            Self::Change(results) => results.page(longest),
        }
    }

    fn json(&self) -> String {
        match self {
            Self::Population(results) => results.json(),
            Self::Change(results) => results.json(),
        }
    }
}

fn play(
    study: &StrategiesStudy,
    journal: &mut dyn Journal,
    n_threads: usize,
    live: &mut Live,
) -> Result<Played, Halt> {
    let stop = stop_on_signal()?;
    let seats = open_all(study)?;
    let tables: Vec<_> = seats.iter().map(|seats| PopulationTables::new(&**seats)).collect();
    let pool = start_threads(n_threads)?;
    let (of, n) = (units::count(study.games()), study.players as u64);
    let mut shown = |blocks: u64, best: &dyn Fn() -> String| {
        live.look(|| {
            let best = best();
            let best = if best.is_empty() { best } else { format!("; last response {best}") };
            format!("{} of at most {of} games{best}", units::count(blocks * n))
        });
    };
    let mut evaluator = Evaluator::new(&tables[0], journal, &stop, Some(&pool), &mut shown);
    let (solver, seed) = (study.plan.solver, study.plan.seed);
    if let [a, b] = &tables[..] {
        let change = Change::run(&study.plan, [a, b], &mut evaluator)?;
        let effects = Effects::of(&change, solver, seed);
        return Ok(Played::Change { change, effects });
    }
    let outcome = study.plan.run(&tables[0], study.players, &mut evaluator)?;
    let findings = Findings::of(&outcome, solver, seed);
    let survivors = findings.survivors();
    let portraits = Portraits::watch(&outcome, &survivors, &*seats[0], seed, &pool)?;
    Ok(Played::Population { outcome, findings, portraits })
}

/// Opens the tables under each rule set.
fn open_all(study: &StrategiesStudy) -> Result<Vec<Box<dyn Seats + '_>>, Error> {
    study.setups().map(|setup| open_seats(setup, &study.entrants)).collect()
}

/// Measures the minutes of the longest run.
fn minutes(study: &StrategiesStudy, n_threads: usize) -> Result<f64, Error> {
    let seats = open_all(study)?;
    let start = vec![Strategy::Point(study.plan.space.start()); study.players];
    let blocks: Vec<u64> = (0..PROBE).collect();
    let since = Instant::now();
    // No reported run has this seed.
    for seats in &seats {
        seats.play(&start, u64::MAX, &blocks, false)?;
    }
    let block = since.elapsed().as_secs_f64() / (PROBE * seats.len() as u64) as f64;
    let blocks = study.games() as f64 / study.players as f64;
    Ok(block * blocks / n_threads as f64 / 60.0)
}
