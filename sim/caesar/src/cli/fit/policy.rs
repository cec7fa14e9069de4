//! `caesar fit policy`.

use agents::side_by_side::within;
use clap::Args;

use super::targets::{Targets, unused};
use super::training::Training;
use super::value::notes;
use crate::cli::Ending;
use crate::report::learnt::{HELD_OUT, LearntReport, PASSES};
use lab::fit::policy::{Outcome, WantedPolicy, fit_policy};
use sim::error::Error;
use sim::units;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
The policy head of a net corrects the priors of a search: it adds a number to the guide's logit of each option of a \
turn. Decisions are drawn from games and searched by --search, whose net gets the head. The head learns to predict the \
visits, or with --to values the softmax of the option values over --spread, from searches that visit all options \
equally often. With plies=0 the search tries macro-actions alone; beside them single plies get a fixed share of the visits, \
whatever the priors say. One part of the games is held out for the report, and one chooses the pass at which learning stops.
--out writes a file for mcts(value=FILE): the net of --search, unchanged, and the head.
Tables: held-out (cross entropy of a decision by section: even priors, the entropy of the targets as the lower bound, \
today's priors, priors with the head), passes.
A better prediction of a search does not prove a stronger search. Test it with `caesar compare`.";

#[derive(Debug, Args)]
pub(in crate::cli) struct Options {
    /// Search that gives the targets; its net gets the head, its guide the logits
    #[arg(long, value_name = "SPEC", default_value = "mcts(iterations=400, net=on, plies=0)")]
    search: String,
    #[command(flatten)]
    targets: Targets,
    #[command(flatten)]
    training: Training,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let training = &options.training;
    let (setup, pool) = (training.setup(&[HELD_OUT, PASSES])?, training.pool()?);
    let (request, learning) = (training.request(), training.learning());
    let wanted = WantedPolicy { search: &options.search, target: options.targets.target()? };
    let fit = within(&pool, || fit_policy(&setup, &request, wanted, learning, training))?;
    let (known, outcome) = (&fit.common, &fit.outcome);
    let decisions = (outcome.learnt + outcome.held_out.len()) as u64;
    let mut notes = notes(known.broken_off);
    notes.extend(unused(outcome.skipped));
    let report = LearntReport {
        caption: format!(
            "The policy head of {} with {} players, fitted to {}",
            options.search,
            known.origin.players,
            units::counted(decisions, "decision")
        ),
        forecasts: &["even", "entropy", "today", "head"],
        against: Outcome::TODAY,
        note: "Cross entropy of a decision on held-out games. gain: today minus head, with individual 95 % intervals by \
               game. A gain does not prove strength; test it with caesar compare",
        unit: "decision",
        loss: "cross entropy",
        held_out: &outcome.held_out,
        passes: &outcome.passes,
        taken: outcome.taken,
        learnt: outcome.learnt,
        weights: outcome.weights,
        calibration: None,
        sections: known.sections.names(),
        notes,
    };
    training.print(&fit.text, known, &report)
}
