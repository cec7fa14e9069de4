//! Options of fits that learn pass by pass: how to learn, the games, and the places of results.

use std::io::BufRead;

use agents::AgentSpec;
use agents::net::learning::Method;
use clap::Args;
use serde_json::{Map, Value as Json, json};

use super::outlet::Outlet;
use super::source::Source;
use crate::cli::Ending;
use crate::report::learnt::LearntReport;
use lab::fit::Origin;
use lab::fit::command::{Common, FitSetup, PositionTable, Request, Surroundings};
use lab::fit::learning::Learning;
use sim::catalogue::Setup;
use sim::config::numbers::ranged;
use sim::error::Error;

/// Options of learning.
#[derive(Debug, Args)]
pub(super) struct Training {
    /// Most passes over the games; the pass with the least loss on validation games is kept
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = ranged::<u32>(1, 1_000))]
    passes: u32,
    /// Batch size, in positions or decisions
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

/// Returns a share of root values.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|x: &f64| (0.0..=1.0).contains(x));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

impl Training {
    /// Refuses unusable files before a game is played, and returns the game; the fit prints `tables`.
    pub(super) fn setup(&self, tables: &[&str]) -> Result<Setup, Error> {
        self.outlet.check(tables, None, &self.source.read_files())?;
        self.source.setup()
    }

    pub(super) fn pool(&self) -> Result<rayon::ThreadPool, Error> {
        self.source.pool()
    }

    pub(super) fn request(&self) -> Request {
        self.source.request(self.parts, Vec::new())
    }

    pub(super) fn learning(&self) -> Learning {
        let method = Method {
            passes: self.passes,
            batch: self.batch as usize,
            rate: self.rate,
            decay: self.decay,
            seed: self.source.seed,
        };
        Learning { method, parts: self.parts as usize }
    }

    /// Writes the file, and prints the report of a fit.
    pub(super) fn print(
        &self,
        text: &str,
        known: &Common,
        report: &LearntReport<'_>,
    ) -> Result<Ending, Error> {
        self.outlet.save(text)?;
        let facts = json!({
            "games": known.games,
            format!("{}s", report.unit): report.learnt,
            format!("held_out_{}s", report.unit): report.held_out.len(),
            "weights": report.weights,
            "pass": report.taken,
        });
        let Json::Object(facts) = facts else { unreachable!("it is written as an object") };
        self.outlet.print(report.page(), &known.origin, facts, &known.rules)
    }
}

impl Surroundings for Training {
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
