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
The evaluation scores positions for each seat. The fit finds the weights whose softmax predicts the winners best \
(Texel's method, with derivatives). If the evaluation is in units of the score, the value of a unit is fitted \
also, for each section of the game. Whole numbers stay as they are; tune them with games.
--out writes all weights to a file for greedy(weights=FILE) and mcts(weights=FILE).
Tables: held-out (log loss of a seat by section: even chances, today's weights, fitted weights), strengths, \
fitted.
A better prediction of winners does not prove better play. Test it with `caesar compare`.";

#[derive(Debug, Args)]
pub(in crate::cli) struct Options {
    /// Agent whose weights the fit starts from
    #[arg(long, value_name = "SPEC", default_value = "greedy")]
    start: String,
    /// Weights to fit, comma-separated [default: all but whole numbers]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    weights: Vec<String>,
    /// Weights to keep as they are, comma-separated
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
        notes.push(format!("not fitted, because they have no effect here: {}", list(idle)));
    }
    if !stopped.is_empty() {
        notes.push(format!("at the end of their range: {}", list(stopped)));
    }
    let report = FitReport {
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
    options.common.print(&report, &known.origin, more, &known.rules)
}
