//! Run of a study: played, stored in a directory, and reported.

use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::Args;

use super::{Common, strong};
use crate::cli::kept::{Kept, Stored, tables_of};
use crate::cli::live::Live;
use crate::cli::outputs::Existing;
use crate::cli::rows::Rows;
use crate::cli::running::{stop_on_signal, threads};
use crate::cli::{Ending, look, note, print};
use crate::cli::{files, sums};
use crate::report::balance::{self as report, strong as table};
use crate::report::format::csv;
use crate::report::table::Page;
use lab::balance::cell::{Cell, CellTreatment, Experiment};
use lab::balance::effect_accumulator::EffectAccumulator;
use lab::balance::manifest::Manifest;
use lab::balance::request::{Request, What};
use lab::balance::rows::{FILE as ROWS, Row, RowsCsv};
use lab::balance::runner;
use lab::balance::strong::{asked_again, first_rows, studies};
use lab::balance::study::BalanceStudy;
use sim::error::Error;
use sim::export::summary::FILE as SUMMARY;
use sim::manifest::Shard;
use sim::units;

/// File of the confirmation.
pub(in crate::cli) const CONFIRMATION: &str = "confirmation.csv";

/// Number of cells, besides the controls, of the probe that measures the time: a block of all cells would take minutes.
const PROBED_CELLS: usize = 8;

/// Blocks of the longer part of the probe; they are no part of a result.
const PROBE: u64 = 3;

/// Duration in seconds above which one block of the probe suffices: the time to build the games is then negligible.
const LONG_BLOCK: f64 = 0.5;

impl Stored for Manifest {
    const ROWS: &'static [&'static str] = &[ROWS, CONFIRMATION];

    fn finished(&self) -> Vec<String> {
        let tables = tables_of(report::tables(self.what));
        std::iter::once(SUMMARY.to_owned()).chain(tables).collect()
    }
}

pub(super) fn run<R: Args>(
    what: What,
    request: &Request,
    asking: &strong::Asking,
    options: &Common<R>,
) -> Result<Ending, Error> {
    let more: &[&str] = if asking.is_given() { &[table::TABLE] } else { &[] };
    let tables = [report::tables(what), more].concat();
    options.one.check(&options.form, &tables, report::for_people(what))?;
    let study = BalanceStudy::quick(what, request, &files::text)?;
    strong::check(&study, asking)?;
    let manifest = Manifest::new(&study, options.shard)?;
    let stop = stop_on_signal()?;
    let n_threads = threads(options.threads);
    let range = manifest.range();
    if options.plan {
        print(&report::plan(&study, &range))?;
        note(&probe(&study, &range, n_threads, &stop)?.0);
        return Ok(Ending::Done);
    }
    let how = How {
        out: options.out.clone(),
        existing: options.again.existing(),
        shard: options.shard,
        confirms: true,
        threads: n_threads,
        quiet: options.quiet,
        stop: &stop,
    };
    if !options.quiet {
        note(report::plan(&study, &range).trim_end());
        // A quick look includes its duration.
        if request.quick {
            note(&probe(&study, &range, n_threads, &stop)?.0);
        }
    }
    match played(&study, &how)? {
        Played::Whole(result, seconds) => match ask(&study, &result, asking, &how)? {
            ControlFlow::Continue(strong) => {
                tell(options, &study, &result, strong.as_ref(), seconds)
            }
            ControlFlow::Break((blocks, of)) => Ok(stopped(options, blocks, of)),
        },
        Played::Stopped(blocks, of) => Ok(stopped(options, blocks, of)),
        Played::Shard(blocks) => {
            let blocks = units::counted(blocks, "block");
            print(&format!("{blocks} played; caesar merge joins the shards\n"))?;
            Ok(Ending::Done)
        }
    }
}

/// Settings of a study's run.
pub(super) struct How<'a> {
    pub(super) out: Option<PathBuf>,
    pub(super) existing: Existing,
    pub(super) shard: Option<Shard>,
    /// Flag for a run with the confirmation that the study requests.
    pub(super) confirms: bool,
    pub(super) threads: usize,
    pub(super) quiet: bool,
    pub(super) stop: &'a AtomicBool,
}

/// Result of a run.
pub(super) enum Played {
    /// Whole study, with the seconds it took.
    Whole(Box<report::StudyResult>, f64),
    /// Shard, with the number of its blocks.
    Shard(u64),
    /// Stopped run: blocks played, and all blocks.
    Stopped(u64, u64),
}

/// Plays a study, and stores it in its directory if it has one.
pub(super) fn played(study: &BalanceStudy, how: &How<'_>) -> Result<Played, Error> {
    let manifest = Manifest::new(study, how.shard)?;
    let range = manifest.range();
    let mut kept = match &how.out {
        Some(dir) => Some(Kept::at(dir, &manifest, how.existing)?),
        None => None,
    };
    let mut live = Live::new(how.quiet);
    let experiment = study.experiment();
    let mut effects = EffectAccumulator::new(experiment);
    let mut rows = open(kept.as_mut(), RowsCsv::new(experiment), &range, &mut effects)?;
    let job = Job { experiment, range: range.clone(), threads: how.threads, stop: how.stop };
    let result = play(&job, &mut effects, rows.as_mut(), &mut live);
    let of = range.end - range.start;
    if result.is_err() || effects.blocks() < of || how.shard.is_some() {
        live.finish();
        result?;
        let blocks = effects.blocks();
        let is_whole = blocks == of;
        return Ok(if is_whole { Played::Shard(blocks) } else { Played::Stopped(blocks, of) });
    }
    let result = match how.confirms {
        true => confirm(study, effects, kept.as_mut(), how.threads, how.stop, &mut live)?,
        false => Some(report::StudyResult { effects, again: None }),
    };
    live.finish();
    let Some(result) = result else { return Ok(Played::Stopped(range.end, range.end)) };
    sum_up(kept.as_ref(), study, &result)?;
    Ok(Played::Whole(Box::new(result), live.seconds()))
}

/// Returns the rows of an experiment in a directory, if there is one; `heard` receives the existing rows.
pub(super) fn open(
    kept: Option<&mut Kept>,
    table: RowsCsv,
    range: &Range<u64>,
    effects: &mut EffectAccumulator,
) -> Result<Option<Rows<RowsCsv>>, Error> {
    let mut on_rows = |rows: &[Row]| {
        effects.add(rows);
        Ok(())
    };
    kept.map(|kept| kept.rows(table, range, &mut on_rows)).transpose()
}

/// Plays the confirmation of the study on fresh seeds; returns nothing if it was stopped.
pub(super) fn confirm(
    study: &BalanceStudy,
    effects: EffectAccumulator,
    kept: Option<&mut Kept>,
    threads: usize,
    stop: &AtomicBool,
    live: &mut Live,
) -> Result<Option<report::StudyResult>, Error> {
    let Some(experiment) = study.confirmation(&effects)? else {
        return Ok(Some(report::StudyResult { effects, again: None }));
    };
    let range = 0..experiment.blocks;
    let mut again = EffectAccumulator::new(&experiment);
    let table = RowsCsv::new(&experiment).in_file(CONFIRMATION);
    let mut rows = open(kept, table, &range, &mut again)?;
    let job = Job { experiment: &experiment, range: range.clone(), threads, stop };
    play(&job, &mut again, rows.as_mut(), live)?;
    let is_complete = again.blocks() == range.end;
    Ok(is_complete.then_some(report::StudyResult { effects, again: Some((experiment, again)) }))
}

/// Games to play.
struct Job<'a> {
    experiment: &'a Experiment,
    range: Range<u64>,
    threads: usize,
    stop: &'a AtomicBool,
}

/// Plays the blocks that `heard` lacks.
fn play(
    job: &Job<'_>,
    effects: &mut EffectAccumulator,
    mut rows: Option<&mut Rows<RowsCsv>>,
    live: &mut Live,
) -> Result<(), Error> {
    let blocks = job.range.start + effects.blocks()..job.range.end;
    let of = job.range.end - job.range.start;
    let mut failed = None;
    let played = {
        let mut tell = |block: &[Row]| {
            effects.add(block);
            live.look(|| format!("{} of {of} blocks", effects.blocks()));
            match rows.as_mut().map_or(Ok(()), |rows| rows.write(block)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        runner::play(job.experiment, blocks, job.threads, job.stop, &mut tell)
    };
    let saved = rows.as_mut().map_or(Ok(()), |rows| rows.save());
    let result = failed.map_or(played, Err).and(saved);
    if let (Err(_), Some(rows)) = (&result, &rows) {
        note(&rows.what_is_left());
    }
    result
}

/// Writes the tables and the summary after all other files.
///
/// # Errors
/// If they cannot be written.
pub(super) fn sum_up(
    kept: Option<&Kept>,
    study: &BalanceStudy,
    result: &report::StudyResult,
) -> Result<(), Error> {
    let Some(kept) = kept else { return Ok(()) };
    let page = report::page(study, result);
    let summary = (SUMMARY.to_owned(), report::json(study, result));
    write_tables(kept.dir(), &page, [summary])
}

/// Writes every table of a page, and then `more` files, into a directory.
///
/// # Errors
/// If they cannot be written.
pub(super) fn write_tables(
    dir: &Path,
    page: &Page,
    more: impl IntoIterator<Item = (String, String)>,
) -> Result<(), Error> {
    let tables = page.tables.iter().filter(|table| table.readers.include(true));
    let tables = tables.map(|table| (format!("{}.csv", table.name), csv::write(table)));
    sums::write_all(dir, tables.chain(more))
}

/// Prints the results.
fn tell<R: Args>(
    options: &Common<R>,
    study: &BalanceStudy,
    result: &report::StudyResult,
    strong: Option<&table::Strong>,
    seconds: f64,
) -> Result<Ending, Error> {
    let page = |_| {
        let mut page = report::page(study, result);
        // The answer of the stronger agent stands first.
        page.tables.splice(0..0, strong.map(table::table));
        page
    };
    let text = match options.form.is_json() {
        true => match strong {
            None => report::json(study, result),
            Some(strong) => report::json_with(study, result, table::TABLE, table::json(strong)),
        },
        false => options.form.write(look(), Some(&options.one), &page),
    };
    print(&text)?;
    if options.form.is_table() && !options.quiet {
        note(&format!("{} games ({})", units::count(result.games(study)), units::seconds(seconds)));
    }
    Ok(Ending::Done)
}

/// Returns the experiment with its controls and a few evenly chosen other cells: their games represent all games.
fn sampled(experiment: &Experiment) -> Experiment {
    let is_control = |cell: &&Cell| cell.treatment == CellTreatment::Control;
    let others: Vec<&Cell> = experiment.cells.iter().filter(|cell| !is_control(cell)).collect();
    let step = others.len().div_ceil(PROBED_CELLS).max(1);
    let controls = experiment.cells.iter().filter(is_control);
    let cells = controls.chain(others.into_iter().step_by(step)).cloned().collect();
    Experiment { cells, ..experiment.clone() }
}

/// Plays some blocks that enter no result, and returns the expected duration of all blocks, also in seconds. It is the
/// time of one more block, without building the games.
pub(super) fn probe(
    study: &BalanceStudy,
    range: &Range<u64>,
    threads: usize,
    stop: &AtomicBool,
) -> Result<(String, f64), Error> {
    let few = sampled(study.experiment());
    let times = study.experiment().games_per_block() as f64 / few.games_per_block() as f64;
    let took = |blocks: u64| {
        let since = Instant::now();
        let ignore = &mut |_: &[Row]| ControlFlow::Continue(());
        let some = range.start..(range.start + blocks).min(range.end);
        runner::play(&few, some, 1, stop, ignore)?;
        Ok::<f64, Error>(times * since.elapsed().as_secs_f64())
    };
    let one = took(1)?;
    let (played, each) = match one > LONG_BLOCK * times {
        true => (1, one),
        false => (PROBE + 1, ((took(PROBE)? - one) / (PROBE - 1) as f64).max(0.0)),
    };
    let all = one + each * (range.end - range.start) as f64 / threads as f64;
    let text = format!(
        "about {2} in all on {3}, without the confirmation ({1} a block, measured on {0})",
        units::counted(played * few.games_per_block(), "game"),
        units::seconds(each),
        units::seconds(all),
        units::counted(threads as u64, "thread")
    );
    Ok((text, all))
}

/// Prints the progress of a stopped run and the command that continues it.
pub(super) fn stopped<R: Args>(options: &Common<R>, blocks: u64, of: u64) -> Ending {
    let rest = match options.out {
        Some(_) => "they are saved; the same command with --resume continues",
        None => "nothing is saved; use --out to keep results for --resume",
    };
    note(&format!("stopped early after {blocks} of {of} blocks: {rest}"));
    Ending::Stopped
}

/// Plays the first rows with the stronger agent, each stage in a subdirectory. Returns the progress instead if it was
/// stopped.
fn ask(
    study: &BalanceStudy,
    result: &report::StudyResult,
    asking: &strong::Asking,
    how: &How<'_>,
) -> Result<ControlFlow<(u64, u64), Option<table::Strong>>, Error> {
    let Some(agent) = &asking.strong else { return Ok(ControlFlow::Continue(None)) };
    let top = asking.top.unwrap_or(strong::TOP) as usize;
    let rows = first_rows(study, &result.effects, result.again.as_ref(), top);
    let mut all = Vec::new();
    for one in studies(study, &rows, agent, asking.blocks(), &files::text)? {
        let stage = one.validated().stages[0];
        let name = format!("strong-s{stage}");
        if !how.quiet {
            note(&format!("{name}: {}", one.validated().request.command(one.validated().what)));
        }
        let own = How { out: how.out.as_ref().map(|out| out.join(name)), confirms: false, ..*how };
        match played(&one, &own)? {
            Played::Whole(result, _) => all.push((one, result.effects)),
            Played::Stopped(blocks, of) => return Ok(ControlFlow::Break((blocks, of))),
            Played::Shard(_) => unreachable!("--strong has no shards"),
        }
    }
    let named = |study: &BalanceStudy| study.validated().agents().last().map(ToString::to_string);
    let answer = table::Strong {
        weak: named(study).unwrap_or_default(),
        agent: all.first().and_then(|(study, _)| named(study)).unwrap_or_else(|| agent.clone()),
        blocks: asking.blocks(),
        what: match study.validated().what {
            What::Cards => "worth of a card less its price",
            What::Provinces | What::Seats | What::Alliances => "worth of a token",
        },
        rows: asked_again(rows, &all),
    };
    Ok(ControlFlow::Continue(Some(answer)))
}
