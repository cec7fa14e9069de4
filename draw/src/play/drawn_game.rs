//! The table as one seat sees it: the board with its pieces, and the holdings of all seats.

use std::fmt::Write;

use serde_json::Value as Json;

use crate::board::Area;
use crate::chip::Chip;
use crate::games::{Drawing, drawing};
use crate::html::{element, escape};
use crate::names::Names;
use crate::replay::BoardView;
use crate::replay_page::seat_shape;
use crate::story::{Position, and, counted, words};

/// A game with its drawing, which is made once.
pub struct DrawnGame {
    /// The name of the game.
    pub(super) name: String,
    /// Its rules configuration.
    pub(super) rules: Json,
    /// Its drawing.
    pub(super) drawing: Box<dyn Drawing + Send>,
    /// The names of its areas.
    pub(super) areas: Names,
}

impl std::fmt::Debug for DrawnGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DrawnGame({})", self.name)
    }
}

impl DrawnGame {
    /// Creates the game called `name` under these rules, with this number of seats.
    #[must_use]
    pub fn new(name: &str, rules: &Json, seats: usize) -> Self {
        let drawing = drawing(name, rules, seats);
        let areas = Names::of(drawing.board());
        Self { name: name.to_owned(), rules: rules.clone(), drawing, areas }
    }
}

/// A seat that is asked, with all that it may see.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The game.
    pub game: &'a DrawnGame,
    /// The names of the seats.
    pub names: &'a [String],
    /// The view of the seat.
    pub view: &'a Json,
    /// The seat, from 0.
    pub seat: usize,
}

impl Asked<'_> {
    /// Returns the position as far as the seat sees it. A drawing leaves out the parts that the view lacks.
    pub(super) fn position(&self) -> Position {
        let [state, view] = [self.view.clone(), self.view.clone()];
        Position { state, view, ..Position::default() }
    }

    /// Returns a text with the names of seats instead of `seat 3` and the like.
    fn named(&self, text: &str) -> String {
        let all = self.names.iter().enumerate();
        all.fold(text.to_owned(), |text, (seat, name)| {
            text.replace(&crate::story::seated(seat), name)
        })
    }

    /// Returns the name of a seat, from 0.
    pub(super) fn name(&self, seat: usize) -> String {
        self.names.get(seat).cloned().unwrap_or_else(|| crate::story::seated(seat))
    }
}

/// Returns the name of an area for people.
pub(super) fn named(area: &Area) -> String {
    let label = area.label.join(" ");
    if label.trim().is_empty() { area.id.replace('-', " ") } else { label }
}

/// Returns pieces as the text of an attribute: a line for each chip, with its fields divided by tabs.
fn pieces(chips: &[Chip]) -> String {
    chips.iter().map(|chip| chip.code().replace('\u{1f}', "\t")).collect::<Vec<_>>().join("\n")
}

/// Returns the board of a view as SVG, empty for games without one. The group of each area has its name and its
/// pieces, which the script of the page places. Areas whose names are in `marked` have changed.
#[must_use]
pub fn board(asked: &Asked<'_>, marked: &[String]) -> String {
    let drawing = asked.game.drawing.as_ref();
    let Some(board) = drawing.board() else { return String::new() };
    let view = drawing.view(&asked.position());
    let title =
        format!("board of {}; the options and the log say what lies on it", asked.game.name);
    let more = |i: usize| {
        let area = &board.areas[i];
        let mark = if marked.contains(&area.id) { " data-marked" } else { "" };
        let code = view.areas.get(i).map_or_else(String::new, |chips| pieces(chips));
        format!(
            " data-id=\"{}\" data-name=\"{}\" data-note=\"{}\" data-pieces=\"{}\"{mark}",
            escape(&area.id),
            escape(&named(area)),
            escape(&area.note),
            escape(&code)
        )
    };
    board.svg_with(&title, &|_| None, &more)
}

/// Returns the names of the areas whose pieces differ between an earlier view of the seat and the view of `asked`.
#[must_use]
pub fn changed(asked: &Asked<'_>, before: &Json) -> Vec<String> {
    let drawing = asked.game.drawing.as_ref();
    let Some(board) = drawing.board() else { return Vec::new() };
    let now = drawing.view(&asked.position());
    let then = drawing.view(&Asked { view: before, ..*asked }.position());
    let differs = |i: &usize| now.areas.get(*i) != then.areas.get(*i);
    let areas = (0..board.areas.len()).filter(differs);
    areas.map(|i| board.areas[i].id.clone()).collect()
}

/// Returns the holdings of all seats and the displays as HTML.
#[must_use]
pub fn panel(asked: &Asked<'_>) -> String {
    let drawing = asked.game.drawing.as_ref();
    let view = drawing.view(&asked.position());
    let names = &asked.game.areas;
    let mut out = String::new();
    if !view.heading.is_empty() {
        out += &element("p", "heading", &asked.named(&names.spoken(&view.heading)));
    }
    if view.gauges.is_empty() {
        out += &facts(asked);
    } else {
        out += &seats(asked, drawing, &view, names);
    }
    out += &battle(asked);
    let displays: String = drawing
        .displays()
        .iter()
        .zip(&view.displays)
        .map(|(title, display)| list(title, &names.spoken(display)))
        .collect();
    out + &format!("<div class=\"displays\">{displays}</div>\n")
}

/// Returns the battle under way, if a view has one: a row for each side with its army and the hits that it takes.
fn battle(asked: &Asked<'_>) -> String {
    const KINDS: [&str; 4] = ["infantry", "cavalry", "catapult", "galley"];
    let battle = &asked.view["now"]["battle"];
    if !battle["armies"].is_array() {
        return String::new();
    }
    let mut out = "<table class=\"battle\"><caption>Battle</caption><tbody>\n".to_owned();
    for (i, side) in ["attacker", "defender"].iter().enumerate() {
        let seat = battle[*side].as_u64();
        let who = seat.map_or_else(|| "slaves".to_owned(), |seat| asked.name(seat as usize));
        let count = |(kind, word): (usize, &&str)| {
            let n = battle["armies"][i][kind].as_i64().filter(|&n| n > 0)?;
            Some(counted(n, word))
        };
        let army: Vec<String> = KINDS.iter().enumerate().filter_map(count).collect();
        let hits = counted(battle["hits"][i].as_i64().unwrap_or_default(), "hit");
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{hits}</td></tr>",
            escape(&who),
            escape(&and(&army))
        );
    }
    out + "</tbody></table>\n"
}

/// Returns a list as cards under its title; empty for an empty list.
fn list(title: &str, things: &str) -> String {
    let all: Vec<&str> = things.split(", ").filter(|thing| !is_nothing(thing)).collect();
    if all.is_empty() {
        return String::new();
    }
    let cards: String = all.iter().map(|thing| element("span", "card", thing)).collect();
    format!("<p class=\"list\"><span class=\"soft\">{}</span> {cards}</p>\n", escape(title))
}

/// Returns whether a gauge has nothing to show: the view lacks it.
fn is_nothing(text: &str) -> bool {
    text.is_empty() || text == "null"
}

/// Returns a table of the gauges that are numbers, and the lists of each seat below its numbers.
fn seats(asked: &Asked<'_>, drawing: &dyn Drawing, view: &BoardView, names: &Names) -> String {
    let gauges = drawing.gauges();
    let (columns, lists) = gauges.split_at(gauges.len().saturating_sub(drawing.lists()));
    let mut out = "<table class=\"seats\">\n<thead><tr><th scope=\"col\">seat</th>".to_owned();
    for column in columns {
        let _ = write!(out, "<th scope=\"col\" class=\"number\">{}</th>", escape(column));
    }
    out += "</tr></thead>\n";
    for (seat, values) in view.gauges.iter().enumerate() {
        let own = if seat == asked.seat { " class=\"own\"" } else { "" };
        let _ = write!(
            out,
            "<tbody{own}><tr><th scope=\"row\">{}{}</th>",
            seat_shape(seat),
            escape(&asked.name(seat))
        );
        let spoken = |value: &String| names.spoken(value);
        for value in values.iter().take(columns.len()) {
            let value = if is_nothing(value) { "–".to_owned() } else { spoken(value) };
            let _ = write!(out, "<td class=\"number\">{}</td>", escape(&value));
        }
        out += "</tr>\n";
        let held: String = lists
            .iter()
            .zip(values.iter().skip(columns.len()))
            .map(|(title, value)| list(title, &spoken(value)))
            .collect();
        if !held.is_empty() {
            let _ = writeln!(
                out,
                "<tr class=\"lists\"><td colspan=\"{}\">{held}</td></tr>",
                columns.len() + 1
            );
        }
        out += "</tbody>\n";
    }
    out + "</table>\n"
}

/// Returns the view as a list of facts, for games without a drawing.
fn facts(asked: &Asked<'_>) -> String {
    let mut out = String::new();
    for (key, value) in asked.view.as_object().into_iter().flatten() {
        let text = match value {
            Json::Array(all) if all.len() == asked.names.len() => {
                let each = |(seat, value): (usize, &Json)| {
                    let value = if value.is_null() { "hidden".to_owned() } else { words(value) };
                    format!("{} {value}", asked.name(seat))
                };
                all.iter().enumerate().map(each).collect::<Vec<_>>().join(", ")
            }
            Json::Null => "–".to_owned(),
            value => words(value),
        };
        let _ = writeln!(
            out,
            "<dt>{}</dt><dd>{}</dd>",
            escape(&key.replace(['-', '_'], " ")),
            escape(&text)
        );
    }
    if out.is_empty() { out } else { format!("<dl class=\"facts\">\n{out}</dl>\n") }
}
