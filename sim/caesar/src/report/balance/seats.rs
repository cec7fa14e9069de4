//! Tables and document of the effects of seats and places.

use serde_json::{Value as Json, json};

use super::{StudyResult, cell, tiers, value, words};
use crate::report::table::{
    Cell, Column, Content, Listing, Mark, Note, Page, Readers, Scale, Table,
};
use lab::balance::estimate::Estimate;
use lab::balance::seats::{SeatEffect, SeatStudy};
use sim::stats::{Convergence, Interval};
use sim::units;

/// The tables for programs.
pub const TABLES: [&str; 5] = ["seats", "seats_alone", "order", "auction", "length"];
/// The tables for people that hold the same numbers.
pub const FOR_PEOPLE: [&str; 0] = [];

const SHARE: Content = Content::Estimate(Scale::Signed(3));

/// Returns the tables.
#[must_use]
pub fn page(seats: &SeatStudy, result: &StudyResult) -> Page {
    let effects = &result.effects;
    let free = "Share of each seat minus an equal share, in games without treatments";
    let mut tables = vec![table("seats", free, "seat", &seats.seats(effects)).noted(Note::new(
        "In all tables of effects, the intervals of a column are simultaneous (Bonferroni), and the p-values belong \
         to the same test. undecided, at most: the end of the interval farther from 0",
    ))];
    if let Some(forced) = &seats.experiment.order {
        let alone = "Share of each seat minus an equal share, with forced order: every seat has every place of the \
        stage once";
        let order = "Share of each place in the turn order minus an equal share: every seat has every place of the \
        stage once";
        let auction = "Share of each place in the bidding of a stage minus an equal share, from the first bidder, \
        and the price paid";
        tables.extend([
            table("seats_alone", alone, "seat", &seats.seats_alone(effects)).detail(),
            table("order", order, "place", &seats.order(effects)),
        ]);
        if forced.precedence.bids.is_some() {
            tables.push(table("auction", auction, "place", &seats.auction(effects)).detail());
        }
    }
    tables.push(length(seats.length(effects)).detail());
    Page { tables, footer: Vec::new() }
}

/// Builds the table of the length of games.
fn length(plies: Option<Estimate>) -> Table {
    let scale = Scale::Fixed(1);
    let shown = Column::new("shown", "choices in a game [95 %]", Content::Text);
    Listing::of([plies])
        .column(shown.only(Readers::People), |plies| {
            plies.map_or(Cell::Nothing, |e| {
                Cell::text(words(e.value, e.interval, e.is_unanimous(), scale))
            })
        })
        .column(Column::plain("plies", Content::Estimate(scale)).only(Readers::Programs), |plies| {
            cell(plies.as_ref())
        })
        .table("length", "Length of games without treatments")
}

fn table(name: &'static str, caption: &str, what: &str, lines: &[SeatEffect]) -> Table {
    let stage = Column::new("season", "stage", Content::Key);
    let price = Column::new("price", "pays [95 %]", Content::Estimate(Scale::Fixed(1)));
    let has_stage = lines.iter().any(|line| line.stage.is_some());
    let has_price = lines.iter().any(|line| line.price.is_some());
    Listing::of(lines)
        .maybe(has_stage.then_some(stage), |line| {
            line.stage.map_or(Cell::Nothing, |stage| Cell::Count(stage.into()))
        })
        .column(Column::plain(what, Content::Key), |line| Cell::from_one(line.place as u64))
        .column(Column::new("effect", "share [95 % simultaneous]", SHARE), |line| {
            cell(Some(&line.effect))
        })
        .column(Column::new("p", "adjusted p", Content::PValue), |line| {
            Cell::Number(line.adjusted_p)
        })
        .maybe(has_price.then_some(price), |line| cell(line.price.as_ref()))
        .column(Column::plain("verdict", Content::Text), |line| Cell::Name {
            shown: shown(line),
            name: verdict(line).to_owned(),
        })
        .column(Column::plain("tiers", Content::Text), |line| tiers(line.convergence))
        .marked(|line| match verdict(line) {
            "better" => Mark::Winner,
            "worse" => Mark::Caveat,
            _ => Mark::Open,
        })
        .table(name, caption)
}

fn verdict(line: &SeatEffect) -> &'static str {
    match line.effect.value > 0.0 {
        _ if !line.is_found() => "undecided",
        true => "better",
        false => "worse",
    }
}

/// Returns the verdict for people. An undecided one names the largest possible effect.
fn shown(line: &SeatEffect) -> String {
    match line.effect.interval {
        Some(Interval { low, high }) if !line.is_found() => {
            format!("undecided: at most ±{}", units::fixed(low.abs().max(high.abs()), 3))
        }
        _ => verdict(line).to_owned(),
    }
}

/// Returns the document.
#[must_use]
pub fn json(seats: &SeatStudy, result: &StudyResult) -> Json {
    let effects = &result.effects;
    let all = |lines: Vec<SeatEffect>, what: &str, effect: &str| -> Vec<Json> {
        lines.iter().map(|line| entry(line, what, effect)).collect()
    };
    let length = seats.length(effects);
    json!({
        "intervals": "together",
        "seats": all(seats.seats(effects), "seat", "share"),
        "seats_alone": all(seats.seats_alone(effects), "seat", "share"),
        "order": all(seats.order(effects), "place", "effect"),
        "auction": all(seats.auction(effects), "place", "gain"),
        "plies": value(length.as_ref()),
    })
}

fn entry(line: &SeatEffect, what: &str, effect: &str) -> Json {
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
