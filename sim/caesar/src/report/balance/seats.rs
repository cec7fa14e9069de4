//! What seats and places are worth, as tables and as a document.

use serde_json::{Value as Json, json};

use super::{Told, cell, value, words};
use crate::report::table::{Cell, Column, Content, Mark, Note, Page, Readers, Row, Scale, Table};
use lab::balance::estimate::Estimate;
use lab::balance::seats::{Line, Seats};
use sim::stats::{Convergence, Interval};
use sim::units;

/// The tables for programs.
pub const TABLES: [&str; 5] = ["seats", "seats_alone", "order", "auction", "length"];
/// The tables for people that hold the same numbers.
pub const FOR_PEOPLE: [&str; 0] = [];

const SHARE: Content = Content::Estimate(Scale::Signed(3));

/// The tables.
#[must_use]
pub fn page(seats: &Seats, told: &Told) -> Page {
    let heard = &told.heard;
    let free = "Share of each seat in games in which nothing is done, less an equal share";
    let mut tables = vec![table("seats", free, "seat", &seats.seats(heard)).noted(Note::new(
        "in this and the other tables of effects the intervals of a column hold together, and its p-values are of the same test \
         (Bonferroni); undecided, at most: the end of the interval that is farther from 0",
    ))];
    if let Some(forced) = &seats.experiment.order {
        let alone = "Share of each seat where the order is forced and every seat has every place of that stage once";
        let order = "Share of each place in the turn order of a stage, every seat having it once, less an equal share";
        let auction = "Share of each place among the bidders of a stage, from the first to bid, and what he pays";
        tables.extend([
            table("seats_alone", alone, "seat", &seats.seats_alone(heard)),
            table("order", order, "place", &seats.order(heard)),
        ]);
        if forced.precedence.bids.is_some() {
            tables.push(table("auction", auction, "place", &seats.auction(heard)));
        }
    }
    tables.push(length(seats.length(heard)));
    Page { tables, footer: Vec::new() }
}

/// How long games are.
fn length(plies: Option<Estimate>) -> Table {
    let scale = Scale::Fixed(1);
    let columns = vec![
        Column::new("shown", "choices in a game [95 %]", Content::Text).only(Readers::People),
        Column::plain("plies", Content::Estimate(scale)).only(Readers::Programs),
    ];
    let shown = plies
        .map_or(Cell::Nothing, |e| Cell::text(words(e.value, e.interval, e.is_unanimous(), scale)));
    Table::new("length", "Length of games in which nothing is done", columns)
        .with([vec![shown, cell(plies.as_ref())]])
}

fn table(name: &'static str, caption: &str, what: &str, lines: &[Line]) -> Table {
    let (has_stage, has_price) = (
        lines.iter().any(|line| line.stage.is_some()),
        lines.iter().any(|line| line.price.is_some()),
    );
    let mut columns = Vec::new();
    if has_stage {
        columns.push(Column::new("season", "stage", Content::Key));
    }
    columns.push(Column::plain(what, Content::Key));
    columns.push(Column::new("effect", "share [95 % together]", SHARE));
    columns.push(Column::new("p", "adjusted p", Content::PValue));
    if has_price {
        columns.push(Column::new("price", "pays [95 %]", Content::Estimate(Scale::Fixed(1))));
    }
    columns.push(Column::plain("verdict", Content::Text));
    columns.push(Column::plain("tiers", Content::Text));
    let row = |line: &Line| {
        let mut cells = Vec::new();
        if has_stage {
            cells.push(line.stage.map_or(Cell::Nothing, |stage| Cell::Count(stage.into())));
        }
        cells.push(Cell::from_one(line.place as u64));
        cells.push(cell(Some(&line.effect)));
        cells.push(Cell::Number(line.adjusted_p));
        if has_price {
            cells.push(cell(line.price.as_ref()));
        }
        cells.push(Cell::Name { shown: shown(line), name: verdict(line).to_owned() });
        cells.push(line.convergence.map_or(Cell::Nothing, |c| Cell::text(c.words())));
        let mark = match verdict(line) {
            "better" => Mark::Winner,
            "worse" => Mark::Caveat,
            _ => Mark::Open,
        };
        Row { cells, mark }
    };
    let mut table = Table::new(name, caption, columns);
    table.rows = lines.iter().map(row).collect();
    table
}

fn verdict(line: &Line) -> &'static str {
    match line.effect.value > 0.0 {
        _ if !line.is_found() => "undecided",
        true => "better",
        false => "worse",
    }
}

/// The verdict for people: where nothing is decided, how large the effect can be.
fn shown(line: &Line) -> String {
    match line.effect.interval {
        Some(Interval { low, high }) if !line.is_found() => {
            format!("undecided: at most ±{}", units::fixed(low.abs().max(high.abs()), 3))
        }
        _ => verdict(line).to_owned(),
    }
}

/// The document.
#[must_use]
pub fn json(seats: &Seats, told: &Told) -> Json {
    let heard = &told.heard;
    let all = |lines: Vec<Line>, what: &str, effect: &str| -> Vec<Json> {
        lines.iter().map(|line| entry(line, what, effect)).collect()
    };
    let length = seats.length(heard);
    json!({
        "intervals": "together",
        "seats": all(seats.seats(heard), "seat", "share"),
        "seats_alone": all(seats.seats_alone(heard), "seat", "share"),
        "order": all(seats.order(heard), "place", "effect"),
        "auction": all(seats.auction(heard), "place", "gain"),
        "plies": value(length.as_ref()),
    })
}

fn entry(line: &Line, what: &str, effect: &str) -> Json {
    let mut entry = json!({
        what: line.place,
        effect: line.effect.json(),
        "p": line.adjusted_p,
        "decided": line.is_found(),
        "verdict": verdict(line),
        "converged": line.convergence.map(|c| c == Convergence::Converged),
        "tiers": line.convergence.map(Convergence::words),
    });
    let more = [
        ("season", line.stage.map(Json::from)),
        ("price", line.price.as_ref().map(Estimate::json)),
    ];
    if let Some(entry) = entry.as_object_mut() {
        entry.extend(more.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
    }
    entry
}
