//! Common options of weight fits: the positions, the held-out games, and the places of results.

use std::io::BufRead;
use std::path::PathBuf;

use agents::AgentSpec;
use clap::Args;
use engine::Rules;
use serde_json::{Map, Value as Json, json};

use super::outlet::Outlet;
use super::source::Source;
use crate::cli::Ending;
use crate::report::fit as report;
use crate::report::fit::FitReport;
use lab::fit::Origin;
use lab::fit::command::{FitSetup, PositionTable, Request, Surroundings};
use lab::fit::folds::STRENGTHS;
use sim::catalogue::Setup;
use sim::config::numbers::ranged;
use sim::error::Error;
use sim::export::on_completion;

/// Options for the positions and their use.
#[derive(Clone, Debug, Args)]
pub(super) struct Common {
    #[command(flatten)]
    source: Source,
    /// Number of cross-validation folds (games are never split)
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = ranged::<u32>(2, 100))]
    folds: u32,
    /// Strength of the penalty towards today's weights; of several, the best on held-out games is used (repeatable)
    /// [default: cross-validated]
    #[arg(long, value_name = "E", value_parser = strength)]
    strength: Vec<f64>,
    /// Write the positions as a table, FILE.csv or FILE.parquet
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
    #[command(flatten)]
    outlet: Outlet,
}

/// Returns a strength of a prior.
fn strength(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|x: &f64| (0.0..=1e6).contains(x));
    number.ok_or_else(|| "expected a number from 0 to 1000000".to_owned())
}

impl Common {
    /// Refuses invalid options before a game is played, and returns the game.
    pub(super) fn setup(&self) -> Result<Setup, Error> {
        if let Some(path) = &self.export {
            on_completion::Form::of(path)?;
        }
        let export = self.export.as_ref().map(|path| ("export", path));
        self.outlet.check(&report::TABLES, export, &self.source.read_files())?;
        self.source.setup()
    }

    pub(super) fn pool(&self) -> Result<rayon::ThreadPool, Error> {
        self.source.pool()
    }

    /// Returns the request for the fit: its target and the held-out games.
    pub(super) fn request(&self) -> Request {
        let strengths =
            if self.strength.is_empty() { STRENGTHS.to_vec() } else { self.strength.clone() };
        self.source.request(self.folds, strengths)
    }

    /// Writes the fitted parameters.
    pub(super) fn save(&self, text: &str) -> Result<(), Error> {
        self.outlet.save(text)
    }

    /// Prints the result of a fit.
    pub(super) fn print(
        &self,
        report: &FitReport<'_>,
        origin: &Origin,
        more: Map<String, Json>,
        rules: &Rules,
    ) -> Result<Ending, Error> {
        let facts = json!({
            "positions": report.places.len(),
            "folds": report.validated.folds,
            "strength": report.validated.strength,
        });
        let Json::Object(mut facts) = facts else { unreachable!("it is written as an object") };
        facts.extend(more);
        self.outlet.print(report.page(), origin, facts, rules)
    }
}

impl Surroundings for Common {
    fn spec(&self, name: &'static str, text: &str) -> Result<AgentSpec, Error> {
        Source::spec(name, text)
    }

    fn open(&self, name: &str) -> Result<Box<dyn BufRead>, Error> {
        Source::open(name)
    }

    fn check_games(&self, games: u64, name: &'static str) -> Result<(), Error> {
        self.source.check_games(games, name, self.folds)
    }

    fn origin(&self, seats: FitSetup, source: &str, what: &str, more: Map<String, Json>) -> Origin {
        let mut own = Map::new();
        own.insert("folds".to_owned(), json!(self.folds));
        if !self.strength.is_empty() {
            own.insert("strength".to_owned(), json!(self.strength));
        }
        self.source.origin(seats, source, what, own, more)
    }

    fn export(&self, table: &dyn Fn() -> Result<PositionTable, Error>) -> Result<(), Error> {
        let Some((path, output)) =
            self.export.as_ref().zip(self.outlet.output("export", self.export.as_ref())?)
        else {
            return Ok(());
        };
        let PositionTable { columns, rows } = table()?;
        let mut bytes = Vec::new();
        on_completion::write(
            on_completion::Form::of(path)?,
            "position",
            &columns,
            rows,
            &mut bytes,
        )
        .map_err(Error::output(path.display().to_string()))?;
        output.write(&bytes)
    }
}
