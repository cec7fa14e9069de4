//! `caesar fit weights`.

use agents::side_by_side::within;
use clap::Args;
use serde_json::{Map, json};

use super::common::Common;
use super::value::notes;
use crate::cli::Ending;
use crate::report::fit::{FitReport, Loss};
use lab::fit::command::{Wanted, fit_weights};
use lab::fit::weights::Outcome;
use sim::error::Error;
use sim::units;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
The evaluation is asked what positions are worth to each seat; the weights with which a softmax of that \
says best who won are found by its derivatives (Texel's method). Where it is in units of the score, what a unit \
is worth is found, too, for each section of the game. Whole numbers stay as they are: tune them by games.
The file that --out writes has all weights, for greedy(weights=FILE) and mcts(weights=FILE).
Tables: held-out (log loss of a seat by section: even chances, today's weights, the new ones), \
strengths, fitted.
An evaluation that says better who wins need not choose better: compare says which is.";

#[derive(Debug, Args)]
pub(in crate::cli) struct Options {
    /// The agent whose weights are today's
    #[arg(long, value_name = "SPEC", default_value = "greedy")]
    start: String,
    /// Weights that are fitted, divided by commas [default: all that are no whole numbers]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    weights: Vec<String>,
    /// Weights that stay as they are, divided by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    hold: Vec<String>,
    #[command(flatten)]
    common: Common,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let setup = options.common.setup()?;
    let (common, pool) = (&options.common, options.common.pool()?);
    let (start, weights, hold) = (&options.start, &options.weights, &options.hold);
    let wanted = Wanted { start, weights, hold };
    let fit = within(&pool, || fit_weights(&setup, &common.request(), wanted, common))?;
    let known = &fit.common;
    let Outcome { held_out, fitted, idle, stopped, file } = &fit.outcome;
    options.common.save(file)?;
    let loss = |key, title, losses| Loss { key, title, losses };
    let mut notes = notes(known.broken_off);
    let list = |names: &[&str]| names.join(", ");
    if !idle.is_empty() {
        notes.push(format!("left as they are, since they change nothing here: {}", list(idle)));
    }
    if !stopped.is_empty() {
        notes.push(format!("at the end of their range: {}", list(stopped)));
    }
    let told = FitReport {
        caption: format!(
            "The weights of {} with {} players, fitted to {}",
            known.origin.game,
            known.origin.players,
            units::counted(known.games, "game")
        ),
        places: &held_out.places,
        sections: known.sections.names(),
        losses: vec![
            loss("even", "even", &held_out.even),
            loss("today", "today", &held_out.today),
            loss("fitted", "fitted", &held_out.validated.losses),
        ],
        against: 1,
        validated: &held_out.validated,
        fitted,
        choices: None,
        unit: "log loss of a seat",
        notes,
    };
    let mut more = Map::new();
    more.insert("games".to_owned(), json!(known.games));
    more.insert("idle".to_owned(), json!(idle));
    more.insert("at_end_of_range".to_owned(), json!(stopped));
    options.common.print(&told, &known.origin, more, &known.rules)
}
