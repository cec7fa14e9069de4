//! `caesar fit priors`.

use agents::side_by_side::within;
use clap::Args;
use serde_json::{Map, json};

use super::common::Common;
use super::value::notes;
use crate::cli::Ending;
use crate::report::fit::{FitReport, Loss};
use lab::fit::command::{WantedPriors, fit_priors};
use lab::fit::priors::{Outcome, PriorOptions, Target};
use sim::error::Error;
use sim::units;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
Decisions are drawn from games and searched by --search; the temperature and the weights of priors with \
which a softmax of the logits says best what is visited are found. A search hardly visits what its priors bury; \
with --to values it visits all options equally often, and the softmax of what they are worth over --spread is fitted to. Without --weights these are the weights \
that only priors take (prior_...); all others are of the evaluation, too. The document has the temperature, the \
file that --out writes the weights.
Tables: held-out (cross entropy by section: even priors, the entropy of the visits, which is the least, \
today's, the new ones), strengths, fitted, choices (with --to values: what the likeliest option is worth).
Priors that say better where a search went need not make it stronger: compare says which does.";

#[derive(Debug, Args)]
pub(in crate::cli) struct Options {
    /// The search whose visits are fitted to, and whose priors are today's
    #[arg(long, value_name = "SPEC", default_value = "mcts(iterations=400)")]
    search: String,
    /// Weights that are fitted, divided by commas, in place of those that only priors take; '*': all numbers
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    weights: Vec<String>,
    /// What is fitted to: the visits of the search, or what its options are worth if it visits all of them equally often
    #[arg(long, value_name = "WHAT", default_value = VISITS, value_parser = [VISITS, VALUES])]
    to: String,
    /// With --to values: the difference, in points of the game, that makes an option e times as likely a target
    #[arg(long, value_name = "POINTS", default_value_t = 0.03)]
    spread: f64,
    /// Take only decisions among macro-actions
    #[arg(long)]
    only_macro: bool,
    #[command(flatten)]
    common: Common,
}

/// The words of `--to`.
const VISITS: &str = "visits";
const VALUES: &str = "values";

impl Options {
    fn asked(&self) -> Result<PriorOptions, Error> {
        let is_spread = self.spread.is_finite() && self.spread > 0.0;
        let target = match &self.to[..] {
            VISITS => Target::Visits,
            _ if is_spread => Target::Values { spread: self.spread },
            _ => return Err(Error::value("spread", self.spread.to_string(), "it is not above 0")),
        };
        Ok(PriorOptions { target, only_macro: self.only_macro })
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let setup = options.common.setup()?;
    let (common, pool) = (&options.common, options.common.pool()?);
    let (search, weights, asked) = (&options.search, &options.weights, options.asked()?);
    let wanted = WantedPriors { search, weights, asked };
    let fit = within(&pool, || fit_priors(&setup, &common.request(), wanted, common))?;
    let known = &fit.common;
    let Outcome { held_out, fitted, entropy, choices, decisions, skipped, file } = &fit.outcome;
    if let Some(file) = file {
        options.common.save(file)?;
    }
    let loss = |key, title, losses| Loss { key, title, losses };
    let mut notes = notes(known.broken_off);
    if *skipped > 0 {
        notes.push(format!(
            "{} say nothing: one option, no search, or other options than those of the search",
            units::counted(*skipped, "position")
        ));
    }
    if file.is_none() {
        notes.push("no weight was fitted beside the temperature, so there is no file".to_owned());
    }
    let told = FitReport {
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
    options.common.print(&told, &known.origin, more, &known.rules)
}
