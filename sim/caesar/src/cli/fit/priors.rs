//! `caesar fit priors`.

use agents::side_by_side::within;
use clap::Args;
use serde_json::{Map, json};

use super::common::Common;
use super::targets::{Targets, unused};
use super::value::notes;
use crate::cli::Ending;
use crate::report::fit::{FitReport, Loss};
use lab::fit::command::{WantedPriors, fit_priors};
use lab::fit::priors::{Outcome, PriorOptions};
use sim::error::Error;
use sim::units;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
Decisions are drawn from games and searched by --search. The fit finds the temperature and the weights of priors \
whose softmax predicts the visits best. A search rarely visits options with a low prior. With --to values it \
visits all options equally often, and the target is the softmax of their values over --spread.
Without --weights, only the weights that priors alone use are fitted (prior_...). The temperature is in the \
document, and --out writes the weights.
Tables: held-out (cross entropy by section: even priors, the entropy of the visits as the lower bound, today's \
priors, fitted priors), strengths, fitted, choices (with --to values: the value of the likeliest option).
A better prediction of a search does not prove a stronger search. Test it with `caesar compare`.";

#[derive(Debug, Args)]
pub(in crate::cli) struct Options {
    /// Search that gives the targets and the priors that the fit starts from
    #[arg(long, value_name = "SPEC", default_value = "mcts(iterations=400)")]
    search: String,
    /// Weights to fit, comma-separated; '*' for all numbers [default: weights that only priors use]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    weights: Vec<String>,
    #[command(flatten)]
    targets: Targets,
    /// Use only decisions among macro-actions
    #[arg(long)]
    only_macro: bool,
    #[command(flatten)]
    common: Common,
}

impl Options {
    fn prior_options(&self) -> Result<PriorOptions, Error> {
        Ok(PriorOptions { target: self.targets.target()?, only_macro: self.only_macro })
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let setup = options.common.setup()?;
    let (common, pool) = (&options.common, options.common.pool()?);
    let (search, weights, prior_options) =
        (&options.search, &options.weights, options.prior_options()?);
    let wanted = WantedPriors { search, weights, prior_options };
    let fit = within(&pool, || fit_priors(&setup, &common.request(), wanted, common))?;
    let known = &fit.common;
    let Outcome { held_out, fitted, entropy, choices, decisions, skipped, file } = &fit.outcome;
    if let Some(file) = file {
        options.common.save(file)?;
    }
    let loss = |key, title, losses| Loss { key, title, losses };
    let mut notes = notes(known.broken_off);
    notes.extend(unused(*skipped));
    if file.is_none() {
        notes.push("only the temperature was fitted, so there is no weights file".to_owned());
    }
    let report = FitReport {
        caption: format!(
            "The priors of {} with {} players, fitted to {}",
            options.search,
            known.origin.players,
            units::counted(*decisions, "decision")
        ),
        places: &held_out.places,
        sections: known.sections.names(),
        losses: vec![
            loss("even", "even", &held_out.even),
            loss("entropy", "entropy", entropy),
            loss("today", "today", &held_out.today),
            loss("fitted", "fitted", &held_out.validated.losses),
        ],
        against: 2,
        validated: &held_out.validated,
        fitted,
        choices: choices.as_ref(),
        unit: "cross entropy of a decision",
        notes,
    };
    let mut more = Map::new();
    more.insert("games".to_owned(), json!(known.games));
    more.insert("decisions".to_owned(), json!(decisions));
    options.common.print(&report, &known.origin, more, &known.rules)
}
