//! `caesar ladder`.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;
use serde_json::Value as Json;

use super::live::Live;
use super::output::{Form, OneTable};
use super::outputs::{Existing, Force, LADDER as DOCUMENT, There, refuse_other};
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
A rung is the agent with one of the numbers in place of ?, a step the sequential test of a rung \
against the one below: it takes every seat once in each block of games under the same dice, the \
lower one all other seats, and the effect is its share less an equal share, as in compare, whose \
command for each step is in the document of --json. Its verdict is better, worse, no difference above \
--effect, or undecided. Blocks go to the steps that are still undecided, 32 at a time.
Tables: steps (share, Elo, p-value and verdict of each), curve (Elo over the first rung, the steps \
added up), power (how often a test of this length finds gains of several sizes).
alpha and beta are those of each step; p of all is Holm's over all steps. A step of which more than \
5 % of the games were forfeited has no verdict, and the exit code is 1.";

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    played: Played,
    /// The agent with ? in place of a number, as in 'mcts(iterations=?)'
    #[arg(long, value_name = "SPEC")]
    agent: String,
    /// The number of the first rung
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true, required_unless_present = "values")]
    from: Option<f64>,
    /// How many rungs there are [default: 5]
    #[arg(long, value_name = "N", value_parser = whole)]
    rungs: Option<u64>,
    /// How many times the number of the rung below each is [default: 2]
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    factor: Option<f64>,
    /// The numbers of all rungs, divided by commas, in place of these three
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
    /// The gain or loss worth finding [default: 0.05 points per game]
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    effect: Option<f64>,
    /// The gain under H0 of a test of gains alone, in place of --effect [default: 0]
    #[arg(long, value_name = "A", value_parser = number, allow_hyphen_values = true)]
    h0: Option<f64>,
    /// The gain under H1, above that
    #[arg(long, value_name = "B", value_parser = number, allow_hyphen_values = true)]
    h1: Option<f64>,
    /// Probability, in each step, to call equals better or worse [default: 0.05]
    #[arg(long, value_name = "P", value_parser = number, allow_hyphen_values = true)]
    alpha: Option<f64>,
    /// Probability, in each step, to say no difference where it is the effect [default: 0.05]
    #[arg(long, value_name = "P", value_parser = number, allow_hyphen_values = true)]
    beta: Option<f64>,
    /// End a step undecided after so many blocks [default: 20000]
    #[arg(long, value_name = "N", value_parser = whole)]
    max_blocks: Option<u64>,
    /// End all steps after so many blocks together [default: no more than those of each]
    #[arg(long, value_name = "N", value_parser = whole)]
    total_blocks: Option<u64>,
    /// Seed of the ladder: the same seed gives the same games [default: 1]
    #[arg(long, value_parser = whole)]
    seed: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    /// Write ladder.json, steps.csv, curve.csv and power.csv into a directory, anew whenever a step
    /// has ended
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// End at the first game that an agent forfeits, say who and why, and exit with 1
    #[arg(long)]
    stop_at_fault: bool,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
    /// No progress and no notes
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
        enter(dir, Existing::without_resume(options.force))?;
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
            format!("; what is known is saved in {}", dir.display())
        });
        note(&format!("ended at the first forfeit ({fault}){saved}"));
        return Ok(Ending::FaultsFound);
    }
    if test.was_stopped() && stop.load(Ordering::Relaxed) {
        let saved = options.out.as_ref().map_or_else(
            || "--out would have kept it".to_owned(),
            |dir| format!("it is saved in {}", dir.display()),
        );
        note(&format!(
            "stopped early: this is what is known, and {saved}; the same command plays from the first block to all \
             verdicts"
        ));
        return Ok(Ending::Stopped);
    }
    Ok(if test.is_spoilt() { Ending::FaultsFound } else { Ending::Done })
}

/// Creates the directory. Refuses other results in it, and replaces those of a ladder on request.
fn enter(dir: &Path, existing: Existing) -> Result<(), Error> {
    let failed = || Error::opening(format!("--out {}", dir.display()));
    refuse_other(dir, DOCUMENT)?;
    if fs::metadata(dir).is_ok_and(|meta| !meta.is_dir()) {
        let text = "it is there and no directory; name another one";
        return Err(failed()(io::Error::new(io::ErrorKind::NotADirectory, text)));
    }
    let replaced = match command_in(dir) {
        Some(command) => {
            let (what, command) = ("ladder", &command[..]);
            Some(existing.replace(&There { dir, what, command, is_finished: true })?)
        }
        None => {
            let names = written();
            existing.replace_foreign(dir, names.iter().map(String::as_str))?
        }
    };
    files::make_dirs(dir).map_err(failed())?;
    replaced.iter().for_each(|line| note(line));
    Ok(())
}

/// Returns the command of the ladder in `dir`, if there is one.
fn command_in(dir: &Path) -> Option<String> {
    let text = files::document(&dir.join(DOCUMENT)).ok()?;
    let json: Json = serde_json::from_str(&text).ok()?;
    json["command"].as_str().map(str::to_owned)
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
