//! Holdings of all seats and the contest under way, as one seat sees them.

use std::fmt::Write;

use serde_json::Value as Json;

use super::drawn_game::{Asked, DrawnGame};
use super::speech::contest;
use super::standing::Standing;
use crate::games::Drawing;
use crate::html::{element, escape};
use crate::names::{Names, capital};
use crate::replay::BoardView;
use crate::replay_page::seat_shape;
use crate::story::words;

/// Returns the contest under way, as far as a seat sees it.
#[must_use]
pub fn standing(asked: &Asked<'_>) -> Option<Standing> {
    contest(asked)
}

/// Returns the holdings of all seats and the displays of a table as HTML.
#[must_use]
pub fn panel(asked: &Asked<'_>, table: &BoardView) -> String {
    let drawing = asked.game.drawing.as_ref();
    let names = &asked.game.areas;
    let mut out = String::new();
    if !table.heading.is_empty() {
        out += &element("p", "heading", &asked.named(&names.spoken(&table.heading)));
    }
    if table.gauges.is_empty() {
        out += &facts(asked);
    } else {
        out += &seats(asked, drawing, table, names);
    }
    out += &standing(asked).map_or_else(String::new, |standing| standing.html());
    let displays: String = drawing
        .displays()
        .iter()
        .zip(&table.displays)
        .map(|(title, display)| list(asked.game, title, display, true))
        .collect();
    let displays = notes(asked.game, &table.displays) + &displays;
    out + &format!("<div class=\"displays\">{displays}</div>\n")
}

/// Returns the prices and effects of all cards on display as a list that opens; empty if none has one.
fn notes(game: &DrawnGame, displays: &[String]) -> String {
    let mut things: Vec<&str> = displays.iter().flat_map(|all| all.split(", ")).collect();
    things.dedup();
    let noted = things.iter().filter_map(|thing| Some((thing, game.note(thing)?)));
    let lines: String = noted
        .map(|(thing, note)| format!("<li><b>{}</b> {}</li>", name(game, thing), escape(&note)))
        .collect();
    if lines.is_empty() {
        return lines;
    }
    format!("<details><summary>What they cost and do</summary><ul>{lines}</ul></details>\n")
}

/// Returns the name of a card as HTML; of several, after their number.
fn name(game: &DrawnGame, thing: &str) -> String {
    let spoken = |thing: &str| game.areas.spoken(thing).replace('-', " ");
    match thing.split_once(" × ") {
        Some((n, thing)) => escape(&format!("{n} × {}", capital(&spoken(thing)))),
        None => escape(&spoken(thing)),
    }
}

/// Returns a list as cards under its title, those of one name as one; empty for an empty list. Prices stand on the cards if they are for sale, prices
/// and effects in their titles.
fn list(game: &DrawnGame, title: &str, things: &str, is_for_sale: bool) -> String {
    let all: Vec<&str> = things.split(", ").filter(|thing| !is_nothing(thing)).collect();
    if all.is_empty() {
        return String::new();
    }
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for thing in all {
        match counted.iter_mut().find(|(other, _)| *other == thing) {
            Some((_, n)) => *n += 1,
            None => counted.push((thing, 1)),
        }
    }
    let several = |(thing, n): &(&str, usize)| match n {
        1 => card(game, thing, is_for_sale),
        n => card(game, &format!("{n} × {thing}"), is_for_sale),
    };
    let cards: String = counted.iter().map(several).collect();
    format!("<p class=\"list\"><span class=\"soft\">{}</span> {cards}</p>\n", escape(title))
}

/// Returns a card as HTML. Things that the seat does not see lie on their faces.
fn card(game: &DrawnGame, thing: &str, is_for_sale: bool) -> String {
    let name = name(game, thing);
    let back = if thing.ends_with(" unseen") { " back" } else { "" };
    match game.note(thing) {
        None => format!("<span class=\"card{back}\">{name}</span>"),
        Some(note) => {
            let price = note.split_once(':').filter(|_| is_for_sale).map(|(price, _)| price);
            let price =
                price.filter(|price| *price == "free" || price.starts_with(char::is_numeric));
            let price =
                price.map_or_else(String::new, |price| format!(" <i>{}</i>", escape(price)));
            format!("<span class=\"card\" title=\"{}\">{name}{price}</span>", escape(&note))
        }
    }
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
            .map(|(title, value)| list(asked.game, title, value, false))
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
