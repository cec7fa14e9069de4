//! `caesar agents [GAME]`.

use agents::spec::{KINDS, Kind, Param};
use clap::Args;
use serde_json::json;

use super::{Ending, print};
use crate::catalogue::{about, with_type};
use crate::config::DefaultLineup;
use crate::error::Error;
use crate::report::{json::document, table};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Also say who plays this game by default
    game: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let lineup = match &options.game {
        None => None,
        Some(game) => Some(with_type(game, DefaultLineup(about(game)?.default_players))?),
    };
    let text = if options.json {
        document(&KINDS.iter().map(kind_json).collect::<Vec<_>>())
    } else {
        let mut text: String = KINDS.iter().map(kind_text).collect();
        if let (Some(game), Some(lineup)) = (&options.game, lineup) {
            text += &format!("default line-up of {game}: {}\n", lineup.join(", "));
        }
        text
    };
    print(&text)?;
    Ok(Ending::Done)
}

fn kind_json(kind: &Kind) -> serde_json::Value {
    let param = |p: &Param| {
        json!({
            "name": p.name, "default": p.domain.default_text(), "range": p.domain.range_text(),
            "unit": p.unit, "meaning": p.meaning,
        })
    };
    json!({
        "agent": kind.name, "meaning": kind.meaning,
        "parameters": kind.params.iter().map(param).collect::<Vec<_>>(),
    })
}

fn kind_text(kind: &Kind) -> String {
    let mut text = format!("{}: {}\n", kind.name, kind.meaning);
    if !kind.params.is_empty() {
        let row = |p: &Param| {
            let range = [p.domain.range_text().as_str(), p.unit].join(" ").trim_end().to_owned();
            vec![format!("  {}", p.name), p.domain.default_text(), range, p.meaning.to_owned()]
        };
        let header = ["  parameter", "default", "range", "meaning"];
        text += &table::plain(&header, header.len(), kind.params.iter().map(row).collect());
    }
    text.push('\n');
    text
}
