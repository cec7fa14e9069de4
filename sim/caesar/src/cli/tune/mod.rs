//! `caesar tune`.

mod joined;
mod log;
mod plan;
mod run;

use std::path::PathBuf;

use clap::Args;

use super::output::{Form, OneTable};
use super::outputs::Again;
use super::running::Threads;
use lab::tune::request::Request;
use sim::config::helped;
use sim::manifest::Shard;

pub(super) use joined::run as merge;
pub(super) use run::run;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
In --agent, ? stands for all values of a parameter, ?0.1..2 for a range, ?a|b for words; behind a \
range :log or :linear is its scale and =0.7 where the search starts, which else is where the agent \
is. A number in the command of an external agent is written {NAME:RANGE=START}.
A candidate sits in every seat once in each block of games under the same dice, opponents of the \
pool in all others. Searching, choosing among the finalists and the report have seeds of their own: \
what is told of the one that was chosen is its gain over the start, in points of share, on games \
that nobody has chosen by, with a 95 % interval. It is better where that lies above 0; else the \
start is kept.
With ? in --set in place of a value the rules are tuned for a --target, in games of --agent in all \
seats: seat-fairness (equal shares), length=NUMBER (choices of players in a game), pick-rate:NAME=RATE \
(the part of games in which somebody takes it); or share=SHARE, the share of --agent against --against. \
The loss is the square of how far a mean is from its target; a block is of 16 games, or of 8 turns \
through all seats.
Methods: surface (a quadratic response surface), cma-es, spsa, ntbea, halving (successive halving), \
random, racing (a list: whoever is behind beyond doubt plays no more).
Tables: verdict, parts (of rules), play-off, effects (what each parameter is worth around the chosen point), \
interactions.";

/// The help of `--resume`.
const RESUME: &str = "Go on with the search in --out, however it ended; begin it if there is none";

#[derive(Debug, Args)]
#[command(mut_args(helped("resume", RESUME)))]
pub(super) struct Options {
    #[command(flatten)]
    request: Request,
    /// Print the games, the minutes to expect and the smallest gain that can be seen, and play only
    /// a few blocks that nobody hears
    #[arg(long, conflicts_with = "out")]
    plan: bool,
    #[command(flatten)]
    threads: Threads,
    /// Write manifest.json, log.csv with every row that was played, the tables, winner.txt and, where
    /// weights or rules were tuned, weights.toml or rules.toml into a directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the history, a row for each block of each candidate, into a table for other tools, .csv or .parquet
    #[arg(long, value_name = "FILE", requires = "out")]
    export: Option<PathBuf>,
    #[command(flatten)]
    again: Again,
    /// Run only search I of N, from 1, of --runs N; caesar merge joins them, and plays the play-off and the report
    #[arg(long, value_name = "I/N", requires = "out", conflicts_with = "plan", value_parser = Shard::parse)]
    shard: Option<Shard>,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
    /// No progress and no notes
    #[arg(long)]
    quiet: bool,
}
