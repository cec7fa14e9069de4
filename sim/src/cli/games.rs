//! `caesar games`.

use agents::Playable;
use clap::Args;
use serde_json::json;

use super::{Ending, print};
use crate::catalogue::{NAMES, WithType, with_type};
use crate::document::document;
use crate::error::Error;
use crate::report::table;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

struct GameRow {
    name: &'static str,
    title: &'static str,
    least: usize,
    most: usize,
    default: usize,
    information: String,
    chance: String,
    state_bytes: usize,
    source: String,
}

struct Describe;

impl WithType for Describe {
    type Output = GameRow;
    fn run<G: Playable>(self) -> GameRow {
        let about = G::about();
        GameRow {
            name: about.name,
            title: about.title,
            least: *about.players.start(),
            most: *about.players.end(),
            default: about.default_players,
            information: about.information.to_string(),
            chance: about.chance.to_string(),
            state_bytes: size_of::<G::State>(),
            source: about.provenance.to_string(),
        }
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let lines =
        NAMES.iter().map(|name| with_type(name, Describe)).collect::<Result<Vec<_>, _>>()?;
    if options.json {
        let json = |line: &GameRow| {
            json!({
                "game": line.name, "title": line.title,
                "players": {"least": line.least, "most": line.most, "default": line.default},
                "information": line.information, "chance": line.chance,
                "state_bytes": line.state_bytes, "source": line.source,
            })
        };
        print(&document(&lines.iter().map(json).collect::<Vec<_>>()))?;
        return Ok(Ending::Done);
    }
    let players = |line: &GameRow| {
        if line.least == line.most {
            line.least.to_string()
        } else {
            format!("{}-{} ({})", line.least, line.most, line.default)
        }
    };
    let row = |line: &GameRow| {
        let bytes = line.state_bytes.to_string();
        [line.name, &players(line), &bytes, &line.information, &line.chance, &line.source]
            .map(str::to_owned)
            .to_vec()
    };
    let header = ["game", "players", "state bytes", "information", "chance", "source"];
    print(&table::plain(&header, header.len(), lines.iter().map(row).collect()))?;
    Ok(Ending::Done)
}
