//! `caesar perft GAME`.

use agents::Playable;
use clap::Args;
use engine::rules::Change;
use engine::{Rules, perft};
use serde_json::json;

use super::output::Form;
use super::{Ending, look, print, setup};
use crate::report::rules::note;
use crate::report::table::{Cell, Column, Content, Note, Page, Scale, Table};
use sim::catalogue::{WithGame, with_game};
use sim::changes::with_changes;
use sim::config::RuleSet;
use sim::config::numbers::{ranged, seats, whole};
use sim::document::document;
use sim::error::Error;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The game
    game: String,
    /// Greatest depth, in events (choices, draws)
    #[arg(long, value_name = "D", default_value_t = 4, value_parser = ranged::<u32>(0, 64))]
    depth: u32,
    /// Number of players [default: that of the game]
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

struct Count<'a>(&'a Options);

impl WithGame for Count<'_> {
    /// Number of players, nodes by depth, and what differs from the default rules.
    type Output = (usize, Vec<u64>, Vec<Change>);

    fn run<G: Playable>(self, game: G, rules: &Rules) -> Self::Output {
        let Options { depth, seed, after, .. } = *self.0;
        let state = perft::position_after(&game, seed, after);
        (game.n_players(), perft::perft(&game, &state, depth), rules.changes())
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let setup = setup(&options.game, options.players, &options.rules)?;
    let (players, nodes, changes) = with_game(&setup, Count(options))?;
    if options.form.is_json() {
        let counts = json!({
            "game": options.game, "players": players, "seed": options.seed, "nodes": nodes,
        });
        print(&document(&with_changes(counts, &changes)))?;
        return Ok(Ending::Done);
    }
    let count = Content::Number(Scale::Count);
    let columns = vec![Column::plain("depth", count), Column::plain("nodes", count)];
    let row = |(depth, &n): (usize, &u64)| vec![Cell::Count(depth as u64), Cell::Count(n)];
    let (seed, after) = (options.seed, options.after);
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
