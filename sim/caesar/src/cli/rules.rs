//! `caesar rules GAME`.

use clap::Args;

use super::{Ending, print, setup};
use sim::catalogue::checked_rules;
use sim::changes::with_changes;
use sim::config::RuleSet;
use sim::config::numbers::seats;
use sim::document::document;
use sim::error::Error;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Game
    game: String,
    /// Check the rules for N players
    #[arg(long, value_name = "N", value_parser = seats)]
    players: Option<usize>,
    #[command(flatten)]
    rules: RuleSet,
    /// Print one JSON document instead of TOML
    #[arg(long)]
    json: bool,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let setup = setup(&options.game, options.players, &options.rules)?;
    let rules = checked_rules(&setup)?;
    print(&match options.json {
        true => document(&with_changes(rules.to_json(), &rules.changes())),
        false => rules.to_toml(),
    })?;
    Ok(Ending::Done)
}
