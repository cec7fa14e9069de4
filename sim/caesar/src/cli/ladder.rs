//! `caesar ladder`.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::Args;

use super::live::Live;
use super::output::{Form, OneTable};
use super::outputs::{Documented, Existing, Force, LADDER as DOCUMENT};
use super::running::{Threads, stop_on_signal, threads};
use super::{Ending, files, look, note, print, sums};
use crate::report::format::csv;
use crate::report::ladder as report;
use lab::compare::{self, number};
use lab::ladder::test::LadderTest;
use lab::ladder::values::{DEFAULT_FACTOR, DEFAULT_RUNGS, Values};
use lab::ladder::{Ladder, Request};
use sim::config::numbers::whole;
use sim::config::{Played, RuleSet};
use sim::error::Error;
use sim::units;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
A rung is the agent with one number instead of ?. A step tests a rung against the rung below: it takes every \
seat once in each block of games under the same dice, and the lower rung fills the other seats. The effect is \
its share minus an equal share, as in `caesar compare`; --json prints that command for each step. The verdict of \
a step is better, worse, no difference above --effect, or undecided. Undecided steps are played on, 32 blocks at \
a time.
alpha and beta hold for each step. `adjusted p` is that of Holm's method over all steps. A step has \
no verdict if more than 5 % of its games were forfeited; the exit code is then 1.
Tables: steps (share, Elo, p-value and verdict of each step), curve (Elo over the first rung, summed over \
steps), power (how often a test of this length detects gains of several sizes).";

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    played: Played,
    /// Agent with ? instead of a number, as in 'mcts(iterations=?)'
    #[arg(long, value_name = "SPEC")]
    agent: String,
    /// Number of the first rung
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true, required_unless_present = "values")]
    from: Option<f64>,
    /// Number of rungs [default: 5]
    #[arg(long, value_name = "N", value_parser = whole)]
    rungs: Option<u64>,
    /// Factor from each rung to the next [default: 2]
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    factor: Option<f64>,
    /// Numbers of all rungs, comma-separated, instead of --from, --rungs and --factor
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        value_parser = number,
        allow_hyphen_values = true,
        conflicts_with_all = ["from", "rungs", "factor"]
    )]
    values: Option<Vec<f64>>,
    #[command(flatten)]
    rules: RuleSet,
    /// Smallest gain or loss worth finding, in points per game [default: 0.05]
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    effect: Option<f64>,
    /// Gain under H0 of a one-sided test, instead of --effect [default: 0]
    #[arg(long, value_name = "A", value_parser = number, allow_hyphen_values = true)]
    h0: Option<f64>,
    /// Gain under H1 of a one-sided test, above --h0
    #[arg(long, value_name = "B", value_parser = number, allow_hyphen_values = true)]
    h1: Option<f64>,
    /// Type I error of each step: probability to call equal rungs better or worse [default: 0.05]
    #[arg(long, value_name = "P", value_parser = number, allow_hyphen_values = true)]
    alpha: Option<f64>,
    /// Type II error of each step: probability to report no difference where it is --effect [default: 0.05]
    #[arg(long, value_name = "P", value_parser = number, allow_hyphen_values = true)]
    beta: Option<f64>,
    /// Most blocks of a step; it ends undecided then [default: 20000]
    #[arg(long, value_name = "N", value_parser = whole)]
    max_blocks: Option<u64>,
    /// Most blocks of all steps together [default: no limit beyond --max-blocks]
    #[arg(long, value_name = "N", value_parser = whole)]
    total_blocks: Option<u64>,
    /// Seed of the run; the same seed gives the same games [default: 1]
    #[arg(long, value_parser = whole)]
    seed: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    /// Write ladder.json, steps.csv, curve.csv and power.csv into a directory, updated after each step
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Stop at the first game that an agent forfeits, report it, and exit with code 1
    #[arg(long)]
    stop_at_fault: bool,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
    /// Suppress progress and notes
    #[arg(long)]
    quiet: bool,
}

impl Options {
    fn request(&self) -> Request {
        let by = |from| Values::By {
            from,
            factor: self.factor.unwrap_or(DEFAULT_FACTOR),
            rungs: self.rungs.unwrap_or(DEFAULT_RUNGS),
        };
        let listed = || Values::Listed(self.values.clone().unwrap_or_default());
        let step = compare::Request {
            played: self.played.clone(),
            rules: self.rules.clone(),
            effect: self.effect,
            h0: self.h0,
            h1: self.h1,
            alpha: self.alpha,
            beta: self.beta,
            most_blocks: self.max_blocks,
            seed: self.seed,
            ..compare::Request::default()
        };
        Request {
            step,
            agent: self.agent.clone(),
            values: self.from.map_or_else(listed, by),
            total_blocks: self.total_blocks,
        }
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    options.one.check(&options.form, &report::TABLES, &[])?;
    let ladder = Ladder::new(&options.request(), &files::text)?;
    if let Some(dir) = &options.out {
        let results = Documented { dir, document: DOCUMENT, what: "ladder", last: None };
        results.enter("", Existing::without_resume(options.force), &written())?;
    }
    let stop = stop_on_signal()?;
    let n_threads = threads(options.threads);
    let mut live = Live::new(options.quiet);
    let test = ladder.play(n_threads, &stop, &mut |test, has_ended| {
        live.look(|| report::progress(&ladder, test));
        if has_ended {
            save(options, &ladder, test)?;
        }
        let is_fault = options.stop_at_fault && test.first_forfeit().is_some();
        Ok(if is_fault { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    live.finish();
    save(options, &ladder, &test)?;
    let page = |_| report::page(&ladder, &test);
    let text = match options.form.is_json() {
        true => report::json(&ladder, &test),
        false => options.form.write(look(), Some(&options.one), &page),
    };
    let speed = || {
        let seconds = live.seconds();
        let rate = units::rate(test.games() as f64 / seconds);
        let threads = units::counted(n_threads as u64, "thread");
        format!("{rate} games/s on {threads} ({})\n", units::seconds(seconds))
    };
    print(&(text + &if options.form.is_table() { speed() } else { String::new() }))?;
    if let Some(fault) = test.first_forfeit().filter(|_| options.stop_at_fault) {
        let saved = options.out.as_ref().map_or_else(String::new, |dir| {
            format!("; interim results are saved in {}", dir.display())
        });
        note(&format!("ended at the first forfeit ({fault}){saved}"));
        return Ok(Ending::FaultsFound);
    }
    if test.was_stopped() && stop.load(Ordering::Relaxed) {
        let saved = options.out.as_ref().map_or_else(
            || "--out would have saved them".to_owned(),
            |dir| format!("they are saved in {}", dir.display()),
        );
        note(&format!(
            "stopped early: these are interim results, and {saved}; the same command plays again from the first \
             block to all verdicts"
        ));
        return Ok(Ending::Stopped);
    }
    Ok(if test.is_spoilt() { Ending::FaultsFound } else { Ending::Done })
}

/// Returns the files that are written, the document first: with it the directory is that of a ladder.
fn written() -> Vec<String> {
    let tables = report::TABLES.iter().map(|name| format!("{name}.csv"));
    std::iter::once(DOCUMENT.to_owned()).chain(tables).collect()
}

/// Writes the current results into the directory of results, if there is one.
fn save(options: &Options, ladder: &Ladder, test: &LadderTest) -> Result<(), Error> {
    let Some(dir) = &options.out else { return Ok(()) };
    let page = report::page(ladder, test);
    let tables = page.tables.iter().map(|table| (format!("{}.csv", table.name), csv::write(table)));
    // The document first: with it the directory is that of a ladder.
    let document = (DOCUMENT.to_owned(), report::json(ladder, test));
    sums::write_all(dir, std::iter::once(document).chain(tables))
}
