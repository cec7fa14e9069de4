//! `caesar tune`.

mod log;
mod plan;
mod run;

use std::path::PathBuf;

use clap::Args;

use super::output::{Form, OneTable};
use super::ranged;
use crate::tune::request::Request;

pub(super) use run::run;

/// What stands under the options.
pub(super) const AFTER_HELP: &str = "\
In --agent, ? stands for all values of a parameter, ?0.1..2 for a range, ?a|b for words; behind a \
range :log or :linear is its scale and =0.7 where the search starts, which else is where the agent \
is. A number in the command of an external agent is written {NAME:RANGE=START}.
A candidate sits in every seat once in each block of games under the same dice, opponents of the \
pool in all others. Searching, choosing among the finalists and the report have seeds of their own: \
what is told of the one that was chosen is its gain over the start, in points of share, on games \
that nobody has chosen by, with a 95 % interval. It is better where that lies above 0; else the \
start is kept.
Methods: surface (a quadratic response surface), cma-es, spsa, ntbea, halving (successive halving), \
random, racing (a list: whoever is behind beyond doubt plays no more).
Tables: verdict, play-off, effects (what each parameter is worth around the chosen point), \
interactions.";

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    request: Request,
    /// Print the games, the minutes to expect and the smallest gain that can be seen, and play only
    /// a few blocks that nobody hears
    #[arg(long, conflicts_with = "out")]
    plan: bool,
    /// Number of threads; changes nothing but the time [default: all cores]
    #[arg(long, value_name = "T", value_parser = ranged::<u16>(1, 1024))]
    threads: Option<u16>,
    /// Write manifest.json, log.csv with every row that was played, the tables, winner.txt and, where
    /// weights were tuned, weights.toml into a directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the search in --out, however it ended; begin it if there is none
    #[arg(long, requires = "out")]
    resume: bool,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
    /// No progress and no notes
    #[arg(long)]
    quiet: bool,
}
