//! `caesar model`: the forward model of a game over a pipe.

use std::io::{stdin, stdout};

use clap::Args;

use super::{Ending, setup};
use sim::config::{Played, RuleSet};
use sim::error::Error;
use sim::model::serve;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
The first line describes the game with all of its rules. Then each line of stdin is a request with a list of \
operations, and each line of stdout its answer: new games, legal actions, successors, outcomes of chance, views, \
determinizations and random playouts. docs/external-agents.md has the form of the lines.";

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    played: Played,
    #[command(flatten)]
    rules: RuleSet,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let setup = setup(options.played.name(), options.played.players, &options.rules)?;
    serve(&setup, &mut stdin().lock(), &mut stdout().lock())?;
    Ok(Ending::Done)
}
