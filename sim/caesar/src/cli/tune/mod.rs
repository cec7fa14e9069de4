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
pub(super) use log::Log;
pub(super) use run::{run, stopped};

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
Search space: in --agent, ? stands for all values of a parameter, ?0.1..2 for a range, and ?a|b for words. After \
a range, :log or :linear sets the scale, and =0.7 sets the start [default: the agent's value]. A number in the \
command of an external agent is written {NAME:RANGE=START}.
Games: a candidate takes every seat once in each block of games under the same dice, and opponents of the pool \
fill the other seats. Search, play-off and report use different seeds. The winner's gain over the start is \
measured in the report, on fresh games that played no part in choosing it, with a 95 % interval. The winner is \
better if the interval lies above 0; otherwise the start is kept.
Rules: with ? in --set, the rules are tuned for a --target, in games with --agent in all seats. Targets: \
seat-fairness (equal shares), length=NUMBER (choices in a game), pick-rate:NAME=RATE (share of the games in \
which it is taken), share=SHARE (share of --agent against --against). The loss is the squared distance of \
a mean from its target. A block has 16 games, or 8 rotations through all seats.
Methods: surface (quadratic response surface), cma-es, spsa, ntbea, halving (successive halving), random, racing \
(a list of agents; those clearly behind are dropped).
Tables: verdict, parts (of rules), play-off, effects (gain of each parameter around the winner), interactions.";

/// The help of `--resume`.
const RESUME: &str = "Resume the search in --out, or start it if there is none";

#[derive(Debug, Args)]
#[command(mut_args(helped("resume", RESUME)))]
pub(super) struct Options {
    #[command(flatten)]
    request: Request,
    /// Estimate games, time and the smallest detectable gain from a short trial run, then exit
    #[arg(long, conflicts_with = "out")]
    plan: bool,
    #[command(flatten)]
    threads: Threads,
    /// Write manifest.json, log.csv, all tables, winner.txt and tuned weights.toml or rules.toml into a directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the history (a row for each block of each candidate) as a table, FILE.csv or FILE.parquet
    #[arg(long, value_name = "FILE", requires = "out")]
    export: Option<PathBuf>,
    #[command(flatten)]
    again: Again,
    /// Run search I of --runs N (I counts from 1); `caesar merge` joins them and plays the play-off and the report
    #[arg(long, value_name = "I/N", requires = "out", conflicts_with = "plan", value_parser = Shard::parse)]
    shard: Option<Shard>,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
    /// Suppress progress and notes
    #[arg(long)]
    quiet: bool,
}
