//! `caesar compare`.

use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use serde_json::json;

use super::fault::what_is_kept;
use super::files::refuse_one_file_twice;
use super::live::Live;
use super::output::{Form, Format};
use super::outputs::Again;
use super::renamed::note_renamed;
use super::running::{Threads, stop_on_signal, threads};
use super::trace::{Ear, Trace, enter};
use super::{Ending, files, look, note, print};
use crate::report::format::terminal::listed;
use crate::report::names::Names;
use crate::report::{
    compare as report, comparison, fixed_length, panel as panels, plan as forecasts,
};
use lab::compare::arms::Block;
use lab::compare::block_stats::{BlockStats, value_of};
use lab::compare::forecast::{PILOT_BLOCKS, forecast};
use lab::compare::manifest::Manifest;
use lab::compare::metric::spelled_from_one;
use lab::compare::reference_games::{Sharpened, sharpen};
use lab::compare::study::{ComparisonStudy, Test, What};
use lab::compare::trace::FILE as TRACE;
use lab::compare::{Comparison, Design, Request};
use sim::config::helped;
use sim::document::document;
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::export::summary::FILE as SUMMARY;
use sim::manifest::Shard;
use sim::stats::Moments;
use sim::units;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
Two agents: the candidate takes every seat once in each block of games under the same dice, and the baseline \
fills the other seats. The effect is the candidate's share minus an equal share. The verdict is better, worse, \
no difference above --effect, or undecided. Error rates: equal agents are called better or worse with \
probability alpha at most; agents that differ by --effect are called without difference with probability beta at \
most.
Two rule sets (--rules-a, --set-a, --rules-b, --set-b): the agents play under both rule sets with the same dice. \
The effect is the metric under B minus the metric under A. The verdict is larger, smaller, no difference above \
--effect, or undecided. Give one agent for all seats or one for each seat. With one agent for all seats a block \
is one game under each rule set.
Panel (two rule sets without --metric): the share of each seat (effect 0.05), mean score and length (2 % of the \
pilot's mean under A), and lead changes (0.1). Each family has a quarter of alpha. The test ends when all \
metrics are decided.
Metrics: seat=1 and so on (points of a seat), share=AGENT, plies, score, lead-changes, and the extra numbers of \
the game; score=2 is the score of seat 2.
One-sided test (--h0, --h1): H0 is effect h0, H1 is effect h1. The verdict follows from the interval: better or \
worse if it excludes 0, no difference if it is smaller than the larger hypothesis.
Fixed sample size (--fixed N): N blocks are played and tested once. The two-sided p-value is below 0.05 exactly \
when the 95 % interval excludes h0. The verdict is no difference if the interval lies within --effect.
No verdict is given if more than 5 % of the games were forfeited; the exit code is then 1. --verbose also prints \
the test, the confidence sequence and the formula of Elo.";

/// The help of `--threads` and `--resume`.
const RESUME: &str = "Resume the comparison in --out, or start it if there is none";
const THREADS: &str = "\
Worker threads, at least one for each rule set (do not change results) [default: all cores]";

#[derive(Debug, Args)]
#[command(mut_args(helped("threads", THREADS)), mut_args(helped("resume", RESUME)))]
pub(super) struct Options {
    #[command(flatten)]
    request: Request,
    #[command(flatten)]
    threads: Threads,
    /// Play a pilot of 40 blocks on other seeds, print the expected blocks, games and time, then exit
    #[arg(long, conflicts_with_all = ["out", "shard"])]
    plan: bool,
    /// Write manifest.json, trace.csv (a row for each block) and summary.json into a directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    again: Again,
    /// Play part I of N of the blocks, without stopping early; `caesar merge` tests all parts together
    #[arg(long, value_name = "I/N", requires = "out", value_parser = Shard::parse, allow_hyphen_values = true)]
    shard: Option<Shard>,
    /// Stop at the first game that an agent forfeits, report it, and exit with code 1
    #[arg(long, conflicts_with = "plan")]
    stop_at_fault: bool,
    /// Former name of --verbose
    #[arg(long, hide = true, conflicts_with = "plan")]
    details: bool,
    #[command(flatten)]
    form: Form,
    /// Suppress progress and notes
    #[arg(long)]
    quiet: bool,
}

impl Options {
    fn threads(&self) -> usize {
        threads(self.threads)
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    if let Some(blocks) = options.request.fixed.filter(|_| options.plan) {
        let message =
            "the plan already has the blocks of a fixed sample size: give either fixed or plan";
        return Err(Error::value("fixed", blocks.to_string(), message));
    }
    let mut study = ComparisonStudy::new(&options.request, &files::text)?;
    if let Some(name) = &options.request.metric
        && let Some(today) = spelled_from_one(name)
    {
        note(&format!(
            "--metric {name} counts from 0; later releases will not read it: write --metric {today}"
        ));
    }
    if options.details {
        note_renamed("compare", "--details", "--verbose");
    }
    if options.plan {
        return match &study.what {
            What::One(comparison) => plan(options, comparison),
            What::Panel(..) => {
                let message = "--plan is for one metric; name it, as in --metric seat=1";
                Err(Error::Usage(message.to_owned()))
            }
        };
    }
    let manifest = Manifest::new(&study, options.shard)?;
    if manifest.range().is_empty() {
        let Shard { index, of } = options.shard.unwrap_or(Shard { index: 1, of: 1 });
        return Err(Error::Usage(format!(
            "--shard {index}/{of}: {} blocks are too few for {of} shards",
            study.most_blocks()
        )));
    }
    refuse_overwriting(options, &study)?;
    let entry = match &options.out {
        Some(dir) => {
            let existing = options.again.existing();
            Some(enter(dir, &mut study, &manifest, existing)?)
        }
        None => None,
    };
    let stop = stop_on_signal()?;
    if study.needs_pilot() {
        let mut live = Live::new(options.quiet);
        let look = &mut |n| live.look(|| format!("pilot: {n} of {PILOT_BLOCKS} blocks"));
        let settled = study.pilot(options.threads(), &stop, look)?;
        live.finish();
        if stop.load(Ordering::Relaxed) {
            note("stopped early in the pilot: no result yet");
            return Ok(Ending::Stopped);
        }
        settled.map_or(Ok(()), |settled| study.settle(settled))?;
    }
    let mut ear = Ear::new(&study, options.shard.is_some());
    let manifest = manifest.with_pilot(study.settled().cloned());
    let trace = entry.map(|entry| Trace::begin(entry, &study, &manifest, &mut ear)).transpose()?;
    play(options, &study, &manifest.range(), ear, trace, &stop)
}

/// Refuses outputs that are also inputs.
fn refuse_overwriting(options: &Options, study: &ComparisonStudy) -> Result<(), Error> {
    let Some(dir) = &options.out else { return Ok(()) };
    let name = |name: &str| (format!("{name} of --out {}", dir.display()), dir.join(name));
    let written = [MANIFEST, TRACE, SUMMARY].map(name);
    let files = study.plans().iter().flat_map(|plan| &plan.files);
    let read = files.map(|(path, _)| (format!("the input {path}"), path.into()));
    refuse_one_file_twice(&written, &read.collect::<Vec<_>>())
}

/// Plays the rest of `range`, saves and reports it.
fn play(
    options: &Options,
    study: &ComparisonStudy,
    range: &Range<u64>,
    mut ear: Ear,
    mut trace: Option<Trace>,
    stop: &AtomicBool,
) -> Result<Ending, Error> {
    let mut live = Live::new(options.quiet);
    let (kept, mut failure, mut fault) = (ear.block_stats().games(), None, None);
    let mut played = Ok(());
    if !ear.has_ended(range) {
        let next = trace.as_ref().map_or(range.start, Trace::next_block);
        played = study.play(next..range.end, options.threads(), stop, &mut |blocks| {
            let go_on = ear.add(blocks);
            failure = trace.as_mut().and_then(|trace| trace.write(blocks, &ear).err());
            live.look(|| progress(study, &ear, range));
            fault = fault_of(blocks).filter(|_| options.stop_at_fault);
            let is_over = failure.is_some() || fault.is_some();
            if is_over { ControlFlow::Break(()) } else { go_on }
        });
    }
    live.finish();
    let seconds = live.seconds();
    // Rows come first: all other files can be derived from them.
    let saved = trace.as_mut().map_or(Ok(()), Trace::save);
    if let Err(error) = failure.map_or(Ok(()), Err).and(saved).and(played) {
        trace.iter().for_each(|trace| note(&trace.what_is_left()));
        return Err(error);
    }
    let games = ear.block_stats().games() - kept;
    let speed = speed_line(games, options.threads(), seconds);
    let has_ended = ear.has_ended(range);
    let output = match &ear {
        Ear::Shard(block_stats) => shard(options, study, range, block_stats),
        Ear::Test(test) => {
            let sharpened = sharpened(study, test, options.threads(), stop)?;
            let is_long = options.form.is_verbose() || options.details;
            ComparisonOutput::new(study, test, sharpened.as_ref(), is_long)
                .of(&options.form, &speed)
        }
    };
    let is_whole = has_ended && !(trace.is_some() && stop.load(Ordering::Relaxed));
    if let Some(trace) = trace.as_ref().filter(|_| is_whole) {
        trace.sum_up(&output.document)?;
    }
    print(&output.text)?;
    if let Some(fault) = fault {
        note(&format!("ended at the first forfeit ({fault}){}", what_is_kept(trace.is_some())));
        return Ok(Ending::FaultsFound);
    }
    if is_whole {
        Ok(ending(ear.block_stats(), options.shard))
    } else {
        Ok(stopped(options, study))
    }
}

/// Returns the first forfeit of a block of each arm, if there is one.
fn fault_of(blocks: &[Block]) -> Option<String> {
    blocks.iter().find_map(|block| block.first_forfeit.clone())
}

/// Returns the ending of a complete comparison: with faults if they forbid a verdict.
pub(super) fn ending(block_stats: &BlockStats, shard: Option<Shard>) -> Ending {
    match block_stats.spoilt().is_some() && shard.is_none() {
        true => Ending::FaultsFound,
        false => Ending::Done,
    }
}

/// Prints the command that continues a stopped comparison.
fn stopped(options: &Options, study: &ComparisonStudy) -> Ending {
    let rest = match (&options.out, &study.what) {
        (Some(_), _) => "the blocks are saved; the same command with --resume continues",
        (None, What::Panel(..)) => {
            "these are interim results; the same command plays again from the first block to all verdicts"
        }
        (None, What::One(comparison)) => match comparison.design {
            Design::Sequential(_) => {
                "these are interim results; the same command plays again from the first block to a verdict"
            }
            Design::Fixed(..) => {
                "these are interim results; the same command plays all blocks again"
            }
        },
    };
    note(&format!("stopped early: {rest}"));
    Ending::Stopped
}

/// Returns the progress of a run in one line.
fn progress(study: &ComparisonStudy, ear: &Ear, range: &Range<u64>) -> String {
    match (ear, &study.what) {
        (Ear::Test(Test::Sequential(test)), What::One(comparison)) => {
            report::progress(comparison, test)
        }
        (Ear::Test(Test::Fixed(test)), _) => fixed_length::progress(test),
        (Ear::Test(Test::Panel(test)), _) => panels::progress(test),
        (ear, _) => {
            let of = units::counted(range.end - range.start, "block");
            format!("{} of {of}", units::count(ear.block_stats().blocks()))
        }
    }
}

/// Returns the result of a shard, which is tested together with the others.
fn shard(
    options: &Options,
    study: &ComparisonStudy,
    range: &Range<u64>,
    block_stats: &BlockStats,
) -> Printed {
    let (blocks, games) = (block_stats.blocks(), block_stats.games());
    let shard = options.shard.unwrap_or(Shard { index: 1, of: 1 });
    let document = document(&json!({
        "design": "shard",
        "shard": shard,
        "blocks": blocks,
        "games": games,
        "forfeits": block_stats.arms().iter().map(|arm| arm.forfeits).collect::<Vec<_>>(),
        "seed": study.plans()[0].seed,
        "command": study.request().command(),
    }));
    let text = match options.form.is_json() {
        true => document.clone(),
        false => format!(
            "shard {shard}: blocks {} to {}, {} of {} played in {}; caesar merge tests all shards together\n",
            range.start,
            range.end - 1,
            units::count(blocks),
            units::counted(range.end - range.start, "block"),
            units::counted(games, "game")
        ),
    };
    Printed { text, document }
}

/// Printed text and the document of the same result.
pub(super) struct Printed {
    pub(super) text: String,
    pub(super) document: String,
}

/// Result of a test, ready to print.
pub(super) struct ComparisonOutput<'a> {
    study: &'a ComparisonStudy,
    test: &'a Test,
    sharpened: Option<&'a Sharpened>,
    /// Flag for a report that also describes the test to people.
    is_long: bool,
}

impl<'a> ComparisonOutput<'a> {
    pub(super) const fn new(
        study: &'a ComparisonStudy,
        test: &'a Test,
        sharpened: Option<&'a Sharpened>,
        is_long: bool,
    ) -> Self {
        Self { study, test, sharpened, is_long }
    }

    /// Returns the result in this form; `last` stands under a table for people.
    pub(super) fn of(&self, form: &Form, last: &str) -> Printed {
        let document = self.document();
        let text = match form.format() {
            Format::Json => document.clone(),
            Format::Table => self.sentences(form) + last,
            _ => self.page(form),
        };
        Printed { text, document }
    }

    /// Returns the document of the same.
    pub(super) fn document(&self) -> String {
        match (&self.study.what, self.test) {
            (What::One(comparison), Test::Sequential(test)) => {
                report::json(comparison, test, self.sharpened)
            }
            (What::One(comparison), Test::Fixed(test)) => {
                fixed_length::json(comparison, test, self.sharpened)
            }
            (What::Panel(panel, _, left_out), Test::Panel(test)) => {
                panels::json(panel, test, left_out)
            }
            _ => unreachable!("a study makes its own test"),
        }
    }

    fn sentences(&self, form: &Form) -> String {
        match (&self.study.what, self.test) {
            (What::One(comparison), Test::Sequential(test)) => {
                report::text(comparison, test, self.sharpened, self.is_long, look())
            }
            (What::One(comparison), Test::Fixed(test)) => {
                fixed_length::text(comparison, test, self.sharpened, self.is_long, look())
            }
            (What::Panel(..), Test::Panel(test)) => {
                let verdict = listed(&[("verdict", panels::verdict(test))], look());
                verdict + &self.page(form)
            }
            _ => unreachable!("a study makes its own test"),
        }
    }

    fn page(&self, form: &Form) -> String {
        form.write(look(), None, &|longest| {
            let names = Names::of(&self.study.plans()[0], longest);
            match (&self.study.what, self.test) {
                (What::One(comparison), Test::Sequential(test)) => {
                    comparison::page(comparison, test, self.sharpened, &names)
                }
                (What::One(comparison), Test::Fixed(test)) => {
                    comparison::fixed_page(comparison, test, self.sharpened, &names)
                }
                (What::Panel(panel, _, left_out), Test::Panel(test)) => {
                    let is_elsewhere = form.is_table();
                    panels::page(panel, test, left_out, &names, !is_elsewhere)
                }
                _ => unreachable!("a study makes its own test"),
            }
        })
    }
}

/// Returns the gain from reference games to a finished test; a panel has none.
pub(super) fn sharpened(
    study: &ComparisonStudy,
    test: &Test,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Option<Sharpened>, Error> {
    match &study.what {
        What::One(comparison) if test.has_ended() => {
            sharpen(comparison, test.block_stats().values(), threads, stop)
        }
        _ => Ok(None),
    }
}

/// Plays a pilot and prints the blocks, games and time that a test will need.
fn plan(options: &Options, comparison: &Comparison) -> Result<Ending, Error> {
    let stop = stop_on_signal()?;
    let mut live = Live::new(options.quiet);
    let look_at = &mut |n| live.look(|| format!("pilot: {n} of {PILOT_BLOCKS} blocks"));
    let pilot = comparison.pilot(options.threads(), &stop, look_at)?;
    live.finish();
    if stop.load(Ordering::Relaxed) {
        note("stopped early in the pilot: no result yet");
        return Ok(Ending::Stopped);
    }
    let seconds = live.seconds();
    let mut values = Moments::default();
    for blocks in &pilot {
        values.add(value_of(blocks, 0));
    }
    let Design::Sequential(question) = &comparison.design else { return Ok(Ending::Done) };
    let forecast = forecast(question, values.variance().sqrt());
    let page = |longest| {
        let names = Names::of(&comparison.plans[0], longest);
        comparison::forecast(comparison, &values, &forecast, seconds, &names)
    };
    print(&match options.form.format() {
        Format::Json => forecasts::forecast_json(comparison, &values, &forecast, seconds),
        Format::Table => forecasts::forecast(comparison, &values, &forecast, seconds, look()),
        _ => options.form.write(look(), None, &page),
    })?;
    Ok(Ending::Done)
}

fn speed_line(games: u64, threads: usize, seconds: f64) -> String {
    format!(
        "{:<8} {} games/s on {} ({})\n",
        "speed",
        units::rate(games as f64 / seconds),
        units::counted(threads as u64, "thread"),
        units::seconds(seconds)
    )
}
