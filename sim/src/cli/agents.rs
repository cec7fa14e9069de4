//! `caesar agents [GAME]`.

use agents::kinds::{Domain, KINDS, Kind, Param};
use agents::mcts::{Config, params::HEADINGS, presets};
use agents::{AgentSpec, Playable};
use clap::Args;
use engine::rules::nearest;
use serde_json::{Value as Json, json};

use super::{Ending, print};
use crate::catalogue::{NAMES, WithType, about, with_type};
use crate::config::DefaultLineup;
use crate::error::Error;
use crate::report::{json::document, table};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// A kind of agent: print its parameters only. Or a game: also say what "auto" stands for in it, who plays
    /// it by default, and the weights of its evaluation
    #[arg(value_name = "KIND|GAME")]
    name: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// The name, default and meaning of a weight.
type Weight = (&'static str, f32, &'static str);

/// What a game says of agents.
struct OfGame {
    name: String,
    lineup: Vec<String>,
    weights: &'static [Weight],
    search: Config,
}

struct Ask;

impl WithType for Ask {
    type Output = (&'static [Weight], Config);
    fn run<G: Playable>(self) -> Self::Output {
        (G::weights(), G::search_defaults())
    }
}

/// From this many parameters on, headings help.
const MANY: usize = 12;

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let kind = options.name.as_ref().and_then(|name| KINDS.iter().find(|kind| kind.name == name));
    if let Some(kind) = kind {
        print(&if options.json {
            document(&kind_json(kind, None))
        } else {
            kind_text(kind, None, &[], &mut Vec::new())
        })?;
        return Ok(Ending::Done);
    }
    let of_game = match &options.name {
        None => None,
        Some(name) if !NAMES.contains(&name.as_str()) => return Err(unknown(name)),
        Some(game) => {
            let lineup = with_type(game, DefaultLineup(about(game)?.default_players))?;
            let (weights, search) = with_type(game, Ask)?;
            Some(OfGame { name: game.clone(), lineup, weights, search })
        }
    };
    print(&if options.json { to_json(of_game.as_ref()) } else { to_text(of_game.as_ref()) })?;
    Ok(Ending::Done)
}

fn unknown(name: &str) -> Error {
    let kinds: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    let all = [&kinds, NAMES].concat();
    let hint = nearest(name, &all).map_or_else(String::new, |near| format!("nearest: {near}; "));
    Error::Usage(format!(
        "\"{name}\" is neither a kind of agent nor a game ({hint}kinds: {}; games: {})",
        kinds.join(", "),
        NAMES.join(", ")
    ))
}

/// What `auto` stands for, for a parameter of `kind` in a game.
fn auto(kind: &Kind, param: &Param, game: Option<&OfGame>) -> Option<String> {
    let spec: AgentSpec = kind.name.parse().ok().filter(AgentSpec::is_search)?;
    let config = presets::config(&spec, game?.search);
    (param.domain.default_text() == "auto").then(|| config.auto_text(param.name))?
}

fn to_json(game: Option<&OfGame>) -> String {
    let kinds: Vec<Json> = KINDS.iter().map(|kind| kind_json(kind, game)).collect();
    let Some(OfGame { name, lineup, weights, .. }) = game else { return document(&kinds) };
    let weight = |&(name, default, meaning): &Weight| json!({"name": name, "default": default, "meaning": meaning.trim()});
    document(&json!({
        "game": name,
        "lineup": lineup,
        "agents": kinds,
        "weights": weights.iter().map(weight).collect::<Vec<_>>(),
    }))
}

fn kind_json(kind: &Kind, game: Option<&OfGame>) -> Json {
    let param = |p: &Param| {
        let mut json = json!({
            "name": p.name, "default": p.domain.default_text(), "range": p.domain.range_text(),
            "unit": p.unit, "meaning": p.meaning,
        });
        if let Some(auto) = auto(kind, p, game) {
            json["auto"] = auto.into();
        }
        json
    };
    json!({
        "agent": kind.name, "meaning": kind.meaning,
        "parameters": kind.params.iter().map(param).collect::<Vec<_>>(),
    })
}

fn to_text(game: Option<&OfGame>) -> String {
    let mut text = String::new();
    let mut known: Vec<(&str, [String; 3])> = Vec::new();
    for kind in KINDS {
        let before: Vec<&'static Kind> =
            KINDS.iter().take_while(|other| other.name != kind.name).collect();
        text += &kind_text(kind, game, &before, &mut known);
    }
    if let Some(OfGame { name, lineup, weights, .. }) = game {
        text += &weights_text(name, weights);
        text += &format!("default line-up of {name}: {}\n", lineup.join(", "));
    }
    text
}

/// A kind with those of its parameters that none of the kinds `before` it has just so; `known` collects them.
fn kind_text(
    kind: &'static Kind,
    game: Option<&OfGame>,
    before: &[&'static Kind],
    known: &mut Vec<(&'static str, [String; 3])>,
) -> String {
    let text = table::paragraph(&format!("{}: {}", kind.name, kind.meaning));
    let rows = |kind: &'static Kind| kind.params.iter().map(move |param| row(kind, param, game));
    let is_twin = |other: &&&'static Kind| !kind.params.is_empty() && rows(other).eq(rows(kind));
    if let Some(twin) = before.iter().find(is_twin) {
        return format!("{text}  as in {}: all parameters\n\n", twin.name);
    }
    let mut own: Vec<table::Explained> = Vec::new();
    let mut repeated: Vec<(&str, Vec<&str>)> = Vec::new();
    for (param, row) in kind.params.iter().zip(rows(kind)) {
        if let Some((from, _)) = known.iter().find(|(_, old)| *old == row) {
            match repeated.iter_mut().find(|(name, _)| name == from) {
                Some((_, names)) => names.push(param.name),
                None => repeated.push((from, vec![param.name])),
            }
            continue;
        }
        let heading = HEADINGS.iter().find(|(name, _)| *name == param.name);
        let heading = heading.filter(|_| kind.params.len() >= MANY);
        own.push((heading.map(|(_, text)| *text), row.clone()));
        known.push((kind.name, row));
    }
    let own = match &own[..] {
        [] => String::new(),
        rows => table::explained(["parameter", "default", "meaning"], rows),
    };
    let as_in = |(from, names): (&str, Vec<&str>)| {
        table::paragraph(&format!("  as in {from}: {}", names.join(", ")))
    };
    text + &own + &repeated.into_iter().map(as_in).collect::<String>() + "\n"
}

/// Name, default, and meaning with what is accepted.
fn row(kind: &Kind, param: &Param, game: Option<&OfGame>) -> [String; 3] {
    let default = param.domain.default_text();
    let default = match auto(kind, param, game) {
        Some(auto) => format!("auto ({auto})"),
        None => default,
    };
    let range = param.domain.range_text();
    // That a parameter may be "auto" can be seen from its default.
    let range = match param.domain {
        Domain::Auto { .. } | Domain::AutoWhole { .. } | Domain::Choice { .. } => {
            range.trim_start_matches("auto, ")
        }
        _ => &range,
    };
    let unit = if param.unit.is_empty() { String::new() } else { format!(" {}", param.unit) };
    [param.name.to_owned(), default, format!("{} [{range}{unit}]", param.meaning)]
}

fn weights_text(game: &str, weights: &[Weight]) -> String {
    if weights.is_empty() {
        return String::new();
    }
    let row = |&(name, default, meaning): &Weight| {
        (None, [name.to_owned(), default.to_string(), meaning.to_owned()])
    };
    let rows: Vec<_> = weights.iter().map(row).collect();
    format!(
        "weights of the evaluation in {game};\na file holds lines such as {} = {}\n{}\n",
        weights[0].0,
        weights[0].1,
        table::explained(["weight", "default", "meaning"], &rows)
    )
}
