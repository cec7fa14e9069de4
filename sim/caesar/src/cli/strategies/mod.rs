//! `caesar strategies`.

mod joined;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use serde_json::{Value as Json, json};

use crate::cli::files::{self, write_aside};
use crate::cli::kept::{Kept, Stored, tables_of};
use crate::cli::live::Live;
use crate::cli::output::{Form, OneTable};
use crate::cli::outputs::{Again, Force, Output};
use crate::cli::running::{Threads, stop_on_signal, threads};
use crate::cli::shards;
use crate::cli::tune::Log;
use crate::cli::{Ending, look, note, print, sums, tune};
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
use lab::strategies::runs::Survivor;
use lab::strategies::seats::{Seats, Strategy};
use lab::strategies::study::StrategiesStudy;
use lab::tune::evaluator::{Evaluator, Halt};
use lab::tune::journal::{FILE as LOG, Journal, Memory};
use sim::document::document;
use sim::error::Error;
use sim::export::summary::FILE as SUMMARY;
use sim::manifest::Shard;
use sim::population::FILE as POPULATION;
use sim::runner::start_threads;
use sim::units;

pub(in crate::cli) use self::joined::run as merge;

/// The records of games of the survivors in a directory.
const GAMES: &str = "games.jsonl";
/// The directory of the elites in an export.
const ARCHIVE: &str = "archive";
/// Blocks of the probe that measures the time.
const PROBE: u64 = 8;

/// Text under the options.
pub(in crate::cli) const AFTER_HELP: &str = "\
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
pub(in crate::cli) struct Options {
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
    /// Write the strategies that survive into a directory, as files of weights and population.json; with --niche also
    /// the elites that do not lose to the mixture, as population:DIR/archive
    #[arg(long, value_name = "DIR", conflicts_with = "plan")]
    export: Option<PathBuf>,
    #[command(flatten)]
    again: Again,
    /// Run loop I of --runs N (I counts from 1); `caesar merge` joins them and plays the reported loop
    #[arg(long, value_name = "I/N", requires = "out", conflicts_with_all = ["plan", "export"], value_parser = Shard::parse)]
    shard: Option<Shard>,
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
        if self.shard.is_some() {
            return vec![SUMMARY.to_owned()];
        }
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

    /// Writes the elites of an archive below the directory.
    fn write_archive(&self, files: &[Exported]) -> Result<(), Error> {
        for Exported { name, text } in files {
            let place = self.dir.join(ARCHIVE).join(name);
            write_aside(&place, text.as_bytes())
                .map_err(Error::output(place.display().to_string()))?;
        }
        Ok(())
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

pub(in crate::cli) fn run(options: &Options) -> Result<Ending, Error> {
    let has_sides = !options.request.arms.are_empty();
    let tables = if has_sides { &change::TABLES[..] } else { &report::TABLES[..] };
    options.one.check(&options.form, tables, &[])?;
    refuse_one_sided(options)?;
    let request = options.request.clone();
    let request = if options.quick { request.quick() } else { request };
    let runs = shards::runs(options.shard, request.runs)?;
    let study = StrategiesStudy::new(&Request { runs, ..request }, &files::text)?;
    let n_threads = threads(options.threads);
    if options.plan {
        let minutes = minutes(&study, n_threads)?;
        print(&report::plan(&study, minutes, n_threads, options.form.is_json()))?;
        return Ok(Ending::Done);
    }
    let export = options.export.as_ref().map(|dir| Export::check(dir, options.again.force));
    let export = export.transpose()?;
    let manifest = Manifest::new(&study, options.shard);
    let enter = |dir: &PathBuf| Kept::at(dir, &manifest, options.again.existing());
    let mut kept = options.out.as_ref().map(enter).transpose()?;
    let log = kept.as_mut().map(|kept| Log::of(kept, study.log_csv())).transpose()?;
    let telling = Telling {
        form: &options.form,
        one: Some(&options.one),
        quiet: options.quiet,
        threads: n_threads,
        export: export.as_ref(),
    };
    match options.shard {
        Some(shard) => telling.part(&study, shard, kept.as_ref(), log),
        None => telling.whole(&study, kept.as_ref(), log),
    }
}

/// Settings of a run and its output.
struct Telling<'a> {
    form: &'a Form,
    one: Option<&'a OneTable>,
    quiet: bool,
    threads: usize,
    export: Option<&'a Export>,
}

impl Telling<'_> {
    /// Runs the rest of a run, stores it and reports it.
    fn whole(
        &self,
        study: &StrategiesStudy,
        kept: Option<&Kept>,
        log: Option<Log>,
    ) -> Result<Ending, Error> {
        let mut live = Live::new(self.quiet);
        let came = self.logged(log, &mut |journal| play(study, journal, self.threads, &mut live));
        live.finish();
        let Some(played) = came? else { return Ok(tune::stopped(kept.is_some())) };
        let results = Results::of(study, &played)?;
        if let Some(kept) = kept {
            write_tables(kept.dir(), &results, &played)?;
        }
        if let (Some(export), Played::Population { outcome, findings, .. }) = (self.export, &played)
        {
            if let (Some(niche), Some(archive)) = (&study.plan.niche, &outcome.archive) {
                export.write_archive(&export::elites(study, niche, archive)?)?;
            }
            export.write(&export::files(study, outcome, findings)?)?;
        }
        print(&match self.form.is_json() {
            true => results.json(),
            false => self.form.write(look(), self.one, &|longest| results.page(longest)),
        })?;
        if self.form.is_table() && !self.quiet {
            let games = units::count(played.blocks() * study.players as u64);
            note(&format!("{games} games ({})", units::seconds(live.seconds())));
            if let Some(kept) = kept.filter(|_| played.portraits().is_some()) {
                let games = kept.dir().join(GAMES);
                note(&format!(
                    "a won and a lost game of each survivor: caesar show {}",
                    games.display()
                ));
            }
        }
        Ok(Ending::Done)
    }

    /// Runs one of the independent loops, stores and reports its survivors.
    fn part(
        &self,
        study: &StrategiesStudy,
        shard: Shard,
        kept: Option<&Kept>,
        log: Option<Log>,
    ) -> Result<Ending, Error> {
        let mut live = Live::new(self.quiet);
        let came = self
            .logged(log, &mut |journal| play_part(study, shard, journal, self.threads, &mut live));
        live.finish();
        let Some(survivors) = came? else { return Ok(tune::stopped(kept.is_some())) };
        let spelled = survivors.iter().map(|(one, weight)| Ok((study.spelled(one)?, *weight)));
        let spelled: Vec<(String, f64)> = spelled.collect::<Result<_, Error>>()?;
        let all = spelled.iter().map(|(agent, weight)| json!({"agent": agent, "weight": weight}));
        let all: Vec<Json> = all.collect();
        let text = document(&json!({"shard": shard.to_string(), "survivors": all}));
        if let Some(kept) = kept {
            let place = kept.dir().join(SUMMARY);
            let written = write_aside(&place, text.as_bytes());
            written.map_err(Error::output(place.display().to_string()))?;
        }
        if self.form.is_json() {
            print(&text)?;
            return Ok(Ending::Done);
        }
        let lines = spelled.iter().map(|(agent, weight)| {
            format!("{agent}: {} % of the mixture\n", units::hundredths(*weight))
        });
        print(&format!(
            "{}survivors of loop {shard}, not yet tested: caesar merge joins the loops, and plays the reported one\n",
            lines.collect::<String>()
        ))?;
        Ok(Ending::Done)
    }

    /// Plays with a log, which is saved at the end; `None` if the run was stopped.
    fn logged<T>(
        &self,
        mut log: Option<Log>,
        play: &mut dyn FnMut(&mut dyn Journal) -> Result<T, Halt>,
    ) -> Result<Option<T>, Error> {
        let mut memory = Memory::default();
        let came = match &mut log {
            Some(log) => play(log),
            None => play(&mut memory),
        };
        let saved = log.as_mut().map_or(Ok(()), |log| log.rows.save());
        match (came, saved) {
            (Err(Halt::Stopped), Ok(())) => Ok(None),
            (Err(Halt::Failed(error)), _) | (_, Err(error)) => {
                log.iter().for_each(|log| note(&log.rows.what_is_left()));
                Err(error)
            }
            (Ok(played), Ok(())) => Ok(Some(played)),
        }
    }
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
    if let Some(shard) = options.shard {
        let message = "under two rule sets one loop of each is compared: leave it out";
        return Err(Error::value("shard", shard.to_string(), message));
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
    let mut shown = progress(study.games(), study.players, live);
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
    let portraits = Portraits::watch(&outcome, &survivors, &*seats[0], &pool)?;
    Ok(Played::Population { outcome, findings, portraits })
}

/// Plays one of the independent loops.
fn play_part(
    study: &StrategiesStudy,
    shard: Shard,
    journal: &mut dyn Journal,
    n_threads: usize,
    live: &mut Live,
) -> Result<Vec<Survivor>, Halt> {
    let stop = stop_on_signal()?;
    let seats = open_seats(&study.setup, &study.entrants)?;
    let tables = PopulationTables::new(&*seats);
    let pool = start_threads(n_threads)?;
    let mut shown = progress(study.games_of_run(), study.players, live);
    let mut evaluator = Evaluator::new(&tables, journal, &stop, Some(&pool), &mut shown);
    study.plan.shard(&tables, &mut evaluator, shard.index - 1)
}

/// Returns the progress callback of a run of at most `games`.
fn progress(games: u64, players: usize, live: &mut Live) -> impl FnMut(u64, &dyn Fn() -> String) {
    let of = units::count(games);
    move |blocks: u64, best: &dyn Fn() -> String| {
        live.look(|| {
            let best = best();
            let best = if best.is_empty() { best } else { format!("; last response {best}") };
            format!("{} of at most {of} games{best}", units::count(blocks * players as u64))
        });
    }
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
