//! `caesar agents [GAME]`.

use agents::Playable;
use agents::kinds::{KINDS, Kind, Param};
use clap::Args;
use serde_json::json;

use super::{Ending, print};
use crate::catalogue::{WithType, about, with_type};
use crate::config::DefaultLineup;
use crate::error::Error;
use crate::report::{json::document, table};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Also list who plays this game by default, and the weights of its greedy
    game: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// The name, default and meaning of a weight.
type Weight = (&'static str, f32, &'static str);

struct Weights;

impl WithType for Weights {
    type Output = &'static [Weight];
    fn run<G: Playable>(self) -> &'static [Weight] {
        G::weights()
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let of_game = match &options.game {
        None => String::new(),
        Some(game) => {
            let lineup = with_type(game, DefaultLineup(about(game)?.default_players))?;
            let lineup = format!("default line-up of {game}: {}\n", lineup.join(", "));
            weights_text(game, with_type(game, Weights)?) + &lineup
        }
    };
    let text = if options.json {
        document(&KINDS.iter().map(kind_json).collect::<Vec<_>>())
    } else {
        KINDS.iter().map(kind_text).collect::<String>() + &of_game
    };
    print(&text)?;
    Ok(Ending::Done)
}

fn weights_text(game: &str, weights: &[Weight]) -> String {
    if weights.is_empty() {
        return String::new();
    }
    let row = |&(name, default, meaning): &Weight| {
        vec![format!("  {name}"), default.to_string(), meaning.trim().to_owned()]
    };
    let header = ["  weight", "default", "meaning"];
    let rows = weights.iter().map(row).collect();
    format!(
        "weights of greedy in {game}, in victory points at the end of the game; a file holds lines such as {} = {}\n{}\n",
        weights[0].0,
        weights[0].1,
        table::plain(&header, header.len(), rows)
    )
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
