//! `caesar fit net`.

use agents::side_by_side::within;
use clap::Args;

use super::training::{Training, share};
use super::value::notes;
use crate::cli::Ending;
use crate::report::learnt::{HELD_OUT, LearntReport, PASSES, RELIABILITY};
use lab::fit::net_command::{WantedNet, fit_net};
use sim::error::Error;
use sim::units;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
The net corrects the linear value function: its output is added to the logarithm of the linear win probabilities. Its \
inputs are declared by the game, seat by seat, for the position of a search. The target is the result of the games; with \
--search it is mixed with what that search says of the position, which varies less: one search for each position. \
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
    /// Search whose root values are mixed into the targets; each position is searched
    #[arg(long, value_name = "SPEC")]
    search: Option<String>,
    /// Share of the root values in a target; the rest is who won
    #[arg(long, value_name = "X", default_value_t = 0.5, value_parser = share, requires = "search")]
    root_share: f64,
    #[command(flatten)]
    training: Training,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let training = &options.training;
    let (setup, pool) = (training.setup(&[HELD_OUT, PASSES, RELIABILITY])?, training.pool()?);
    let (request, learning) = (training.request(), training.learning());
    let roots = options.search.as_deref().map(|search| (search, options.root_share));
    let wanted = WantedNet { start: &options.start, roots };
    let fit = within(&pool, || fit_net(&setup, &request, wanted, learning, training))?;
    let (known, outcome) = (&fit.common, &fit.outcome);
    let report = LearntReport {
        caption: format!(
            "A net for {} with {} players, fitted to {}",
            known.origin.game,
            known.origin.players,
            units::counted(known.games, "game")
        ),
        forecasts: &["even", "linear", "net"],
        against: 1,
        note: "Log loss of a seat on held-out games. gain: linear minus net, with individual 95 % intervals by game. A \
               gain does not prove strength; test it with caesar compare",
        unit: "position",
        loss: "log loss of all seats",
        held_out: &outcome.held_out,
        passes: &outcome.passes,
        taken: outcome.taken,
        learnt: outcome.learnt,
        weights: outcome.weights,
        calibration: Some(&outcome.calibration),
        sections: known.sections.names(),
        notes: notes(known.broken_off),
    };
    training.print(&fit.text, known, &report)
}
