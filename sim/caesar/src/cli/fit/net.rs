//! `caesar fit net`.

use std::io::BufRead;

use agents::AgentSpec;
use agents::net::learning::Method;
use agents::side_by_side::within;
use clap::Args;
use serde_json::{Map, Value as Json, json};

use super::outlet::Outlet;
use super::source::Source;
use super::value::notes;
use crate::cli::Ending;
use crate::report::fit_net::{self as report, NetFitReport};
use lab::fit::Origin;
use lab::fit::command::{FitSetup, PositionTable, Surroundings};
use lab::fit::net::Learning;
use lab::fit::net_command::fit_net;
use sim::config::numbers::ranged;
use sim::error::Error;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
The net corrects the linear value function: its output is added to the logarithm of the linear win probabilities. Its \
inputs are declared by the game, seat by seat, for the position of a search. The target is the result of the games. \
Fit to games of searches if searches will use the net; games of greedy are won and lost otherwise. One part of the games is held out \
for the report, and one chooses the pass at which learning stops.
--out writes a file for mcts(value=FILE). With --start 'mcts(value=FILE)' learning continues from that file.
Tables: held-out (log loss of a seat by round: even chances, the linear value, the net), passes, reliability.
A smaller loss does not prove a stronger agent. Test it with `caesar compare`.";

#[derive(Debug, Args)]
pub(in crate::cli) struct Options {
    /// Agent whose value function the net corrects; learning starts from the net of its value=FILE, if it has one
    #[arg(long, value_name = "SPEC", default_value = "mcts")]
    start: String,
    /// Most passes over the positions; the pass with the least loss on validation games is kept
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = ranged::<u32>(1, 1_000))]
    passes: u32,
    /// Batch size, in positions
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = ranged::<u32>(1, 1_000_000))]
    batch: u32,
    /// Highest learning rate
    #[arg(long, value_name = "X", default_value_t = 0.002, value_parser = number)]
    rate: f32,
    /// Weight decay, as a share of the learning rate
    #[arg(long, value_name = "X", default_value_t = 0.1, value_parser = number)]
    decay: f32,
    /// Number of parts of the games: one is held out, one is for validation
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = ranged::<u32>(3, 100))]
    parts: u32,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    outlet: Outlet,
}

/// Returns a rate.
fn number(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|x: &f32| (0.0..=100.0).contains(x));
    number.ok_or_else(|| "expected a number from 0 to 100".to_owned())
}

impl Options {
    fn learning(&self) -> Learning {
        let method = Method {
            passes: self.passes,
            batch: self.batch as usize,
            rate: self.rate,
            decay: self.decay,
            seed: self.source.seed,
        };
        Learning { method, parts: self.parts as usize }
    }
}

impl Surroundings for Options {
    fn spec(&self, name: &'static str, text: &str) -> Result<AgentSpec, Error> {
        Source::spec(name, text)
    }

    fn open(&self, name: &str) -> Result<Box<dyn BufRead>, Error> {
        Source::open(name)
    }

    fn check_games(&self, games: u64, name: &'static str) -> Result<(), Error> {
        self.source.check_games(games, name, self.parts)
    }

    fn origin(&self, seats: FitSetup, source: &str, what: &str, more: Map<String, Json>) -> Origin {
        self.source.origin(seats, source, what, Map::new(), more)
    }

    /// Exports no table: a net has more inputs for a position than a table has columns.
    fn export(&self, _table: &dyn Fn() -> Result<PositionTable, Error>) -> Result<(), Error> {
        Ok(())
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    options.outlet.check(&report::TABLES, None, &options.source.read_files())?;
    let (setup, pool) = (options.source.setup()?, options.source.pool()?);
    let request = options.source.request(options.parts, Vec::new());
    let learning = options.learning();
    let fit = within(&pool, || fit_net(&setup, &request, &options.start, learning, options))?;
    let known = &fit.common;
    options.outlet.save(&fit.text)?;
    let report = NetFitReport {
        game: &known.origin.game,
        players: known.origin.players,
        games: known.games,
        outcome: &fit.outcome,
        sections: known.sections.names(),
        notes: notes(known.broken_off),
    };
    let facts = json!({
        "games": known.games,
        "positions": fit.outcome.learnt,
        "held_out_positions": fit.outcome.held_out.len(),
        "weights": fit.outcome.weights,
        "pass": fit.outcome.taken,
    });
    let Json::Object(facts) = facts else { unreachable!("it is written as an object") };
    options.outlet.print(report.page(), &known.origin, facts, &known.rules)
}
