//! `caesar rules GAME`.

use agents::Playable;
use clap::Args;
use engine::Rules;

use super::{Ending, print, setup};
use sim::catalogue::{WithGame, with_game};
use sim::changes::with_changes;
use sim::config::RuleSet;
use sim::config::numbers::seats;
use sim::document::document;
use sim::error::Error;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The game
    game: String,
    /// Check the rules for a table of N
    #[arg(long, value_name = "N", value_parser = seats)]
    players: Option<usize>,
    #[command(flatten)]
    rules: RuleSet,
    /// Print one JSON document instead of TOML
    #[arg(long)]
    json: bool,
}

struct Text {
    json: bool,
}

impl WithGame for Text {
    type Output = String;
    fn run<G: Playable>(self, _game: G, rules: &Rules) -> String {
        if self.json {
            document(&with_changes(rules.to_json(), &rules.changes()))
        } else {
            rules.to_toml()
        }
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let setup = setup(&options.game, options.players, &options.rules)?;
    print(&with_game(&setup, Text { json: options.json })?)?;
    Ok(Ending::Done)
}
