//! `caesar perft GAME`.

use clap::Args;
use serde_json::json;

use super::output::Form;
use super::{Ending, look, print, setup};
use crate::report::rules::note;
use crate::report::table::{Cell, Column, Content, Note, Page, Scale, Table};
use lab::perft::{Counted, Tree, count};
use sim::changes::with_changes;
use sim::config::RuleSet;
use sim::config::numbers::{ranged, seats, whole};
use sim::document::document;
use sim::error::Error;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Game
    game: String,
    /// Greatest depth, in events (choices and draws)
    #[arg(long, value_name = "D", default_value_t = 4, value_parser = ranged::<u32>(0, 64))]
    depth: u32,
    /// Number of players [default: the game's]
    #[arg(long, value_name = "N", value_parser = seats)]
    players: Option<usize>,
    /// Seed of the random events before the position
    #[arg(long, default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// Start after this many random events instead of at the start
    #[arg(long, value_name = "EVENTS", default_value_t = 0, value_parser = seats)]
    after: usize,
    #[command(flatten)]
    rules: RuleSet,
    #[command(flatten)]
    form: Form,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let setup = setup(&options.game, options.players, &options.rules)?;
    let Options { depth, seed, after, .. } = *options;
    let Counted { players, nodes, changes } = count(&setup, Tree { depth, seed, after })?;
    if options.form.is_json() {
        let counts = json!({
            "game": options.game, "players": players, "seed": seed, "nodes": nodes,
        });
        print(&document(&with_changes(counts, &changes)))?;
        return Ok(Ending::Done);
    }
    let count = Content::Number(Scale::Count);
    let columns = vec![Column::plain("depth", count), Column::plain("nodes", count)];
    let row = |(depth, &n): (usize, &u64)| vec![Cell::Count(depth as u64), Cell::Count(n)];
    let start = match after {
        0 => "from the start".to_owned(),
        _ => format!("after {after} random events of seed {seed}"),
    };
    let caption = format!("{} with {players} players, {start}", options.game);
    let table = Table::new("perft", "Nodes of the legal tree by depth", columns)
        .with(nodes.iter().enumerate().map(row))
        .noted(Note::new(caption));
    let footer = note(&options.game, &changes).into_iter().collect();
    let page = Page { tables: vec![table], footer };
    print(&options.form.write(look(), None, &|_| page.clone()))?;
    Ok(Ending::Done)
}
