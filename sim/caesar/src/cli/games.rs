//! `caesar games`.

use clap::Args;
use serde_json::json;

use super::output::Form;
use super::{Ending, look, print};
use crate::report::table::{Cell, Column, Content, Note, Page, Readers, Scale, Table};
use sim::catalogue::{NAMES, about, state_bytes};
use sim::document::document;
use sim::error::Error;

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    form: Form,
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

fn describe(name: &str) -> Result<GameRow, Error> {
    let about = about(name)?;
    Ok(GameRow {
        name: about.name,
        title: about.title,
        least: *about.players.start(),
        most: *about.players.end(),
        default: about.default_players,
        information: about.information.to_string(),
        chance: about.chance.to_string(),
        state_bytes: state_bytes(name)?,
        source: about.provenance.to_string(),
    })
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let lines = NAMES.iter().map(|name| describe(name)).collect::<Result<Vec<_>, _>>()?;
    if options.form.is_json() {
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
    print(&options.form.write(look(), None, &|_| Page::of(table(&lines))))?;
    Ok(Ending::Done)
}

fn table(lines: &[GameRow]) -> Table {
    let data = |key| Column::plain(key, Content::Number(Scale::Count)).only(Readers::Programs);
    let columns = vec![
        Column::plain("game", Content::Key),
        Column::plain("title", Content::Text).only(Readers::Programs),
        Column::plain("players", Content::Text).only(Readers::People),
        data("least players"),
        data("most players"),
        data("default players"),
        Column::new("state_bytes", "bytes", Content::Number(Scale::Count)),
        Column::plain("information", Content::Text),
        Column::plain("chance", Content::Text),
        Column::plain("source", Content::Prose),
    ];
    let row = |line: &GameRow| {
        let players = match line.least == line.most {
            true => line.least.to_string(),
            false => format!("{}-{} ({})", line.least, line.most, line.default),
        };
        let count = |n: usize| Cell::Count(n as u64);
        vec![
            Cell::text(line.name),
            Cell::text(line.title),
            Cell::text(players),
            count(line.least),
            count(line.most),
            count(line.default),
            count(line.state_bytes),
            Cell::text(&line.information),
            Cell::text(&line.chance),
            Cell::text(&line.source),
        ]
    };
    let note = Note::new("players: range and default; bytes: size of a state");
    Table::new("games", "Games", columns).with(lines.iter().map(row)).noted(note)
}
