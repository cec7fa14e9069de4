//! `caesar fit value`.

use agents::side_by_side::within;
use clap::Args;
use serde_json::{Map, json};

use super::common::Common;
use crate::cli::Ending;
use crate::report::fit::{FitReport, Loss};
use lab::fit::command::fit_value;
use sim::error::Error;
use sim::units;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
The win probabilities are a softmax over the seats of a weighted sum of counted features, with other weights at \
each moment of the game. Weights are shrunk towards today's with the strength that loses least on held-out \
games.
--out writes a file for mcts(value=FILE). It has one scale for searches that turn leads over the best rival into \
probabilities, and one for searches that use the softmax (utility=points).
Tables: held-out (log loss of a seat by round: even chances, today's values in the search of --start, today's \
values in a softmax with fitted scale, fitted values by leads and in the softmax), strengths, fitted.
A smaller loss does not prove a stronger agent. Test it with `caesar compare`.";

#[derive(Debug, Args)]
pub(in crate::cli) struct Options {
    /// Agent whose value function the fit starts from
    #[arg(long, value_name = "SPEC", default_value = "mcts")]
    start: String,
    #[command(flatten)]
    common: Common,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let setup = options.common.setup()?;
    let (common, pool) = (&options.common, options.common.pool()?);
    let fit = within(&pool, || fit_value(&setup, &common.request(), &options.start, common))?;
    let known = &fit.common;
    options.common.save(&fit.text)?;
    let held = &fit.held_out;
    let loss = |key, title, losses| Loss { key, title, losses };
    let report = FitReport {
        caption: format!(
            "The value function of {} with {} players, fitted to {}",
            known.origin.game,
            known.origin.players,
            units::counted(known.games, "game")
        ),
        places: &fit.places,
        sections: known.sections.names(),
        losses: vec![
            loss("even", "even", &held.even),
            loss("today", "today", &held.today),
            loss("today_softmax", "today softmax", &held.today_softmax),
            loss("fitted_leads", "fitted leads", &held.by_leads),
            loss("fitted_softmax", "fitted", &held.validated.losses),
        ],
        against: 1,
        validated: &held.validated,
        fitted: &fit.fitted,
        choices: None,
        unit: "log loss of a seat",
        notes: notes(known.broken_off),
    };
    let mut more = Map::new();
    more.insert("games".to_owned(), json!(known.games));
    options.common.print(&report, &known.origin, more, &known.rules)
}

/// Returns the note on games that were broken off.
pub(super) fn notes(broken_off: u64) -> Vec<String> {
    let games = units::counted(broken_off, "game");
    let text = format!("{games} ended by forfeit and are not used");
    (broken_off > 0).then_some(text).into_iter().collect()
}
