//! Values of places on the map.
//!
//! [`provinces`] is the entry point.

use std::fmt::Write;

use super::sheet::Estimate;
use super::studies;
use super::{Sheet, Source};
use crate::board::{Area, ValueMap, value_maps};
use crate::figure::Figure;
use crate::plot::{Spot, scatter};

/// An estimate with a map of its own.
struct OnMap {
    name: &'static str,
    title: &'static str,
    meaning: &'static str,
}

const MAPS: [OnMap; 4] = [
    OnMap {
        name: "contest",
        title: "Contest",
        meaning: "players within one token of the first when a stage ends.",
    },
    OnMap {
        name: "swing",
        title: "Swing",
        meaning: "the share of games in which the lead changes in the last stage, times the payment.",
    },
    OnMap {
        name: "tokens",
        title: "Influence",
        meaning: "tokens of all players when the game is over.",
    },
    OnMap { name: "fights", title: "Fights", meaning: "fights in a game." },
];

/// Returns the mean of an estimate over the rows of a place.
fn mean(sheet: &Sheet, place: &str, name: &str) -> Option<f64> {
    estimate(sheet, place, name, None).map(|(value, _)| value)
}

/// Returns an estimate of a place, in one season or over all seasons. A single row keeps its interval; several rows
/// give their mean without an interval.
fn estimate(sheet: &Sheet, place: &str, name: &str, season: Option<&str>) -> Option<Estimate> {
    let is = |row: &&Vec<String>| {
        row.first().is_some_and(|cell| cell == place)
            && season.is_none_or(|season| sheet.text(row, "season") == season)
    };
    let all: Vec<Estimate> =
        sheet.rows.iter().filter(is).filter_map(|row| sheet.estimate(row, name)).collect();
    match all.as_slice() {
        [] => None,
        [one] => Some(*one),
        [first, ..] => {
            let mean = all.iter().map(|(value, _)| value).sum::<f64>() / all.len() as f64;
            // Equal rows repeat an estimate of the whole place, so its interval stays.
            Some((mean, if all.iter().all(|other| other == first) { first.1 } else { None }))
        }
    }
}

/// Returns the seasons of a table, in its order.
fn seasons(sheet: &Sheet) -> Vec<&str> {
    let mut all: Vec<&str> = Vec::new();
    for row in &sheet.rows {
        let season = sheet.text(row, "season");
        if !season.is_empty() && !all.contains(&season) {
            all.push(season);
        }
    }
    all.sort_unstable();
    all
}

/// Returns all figures of places.
pub(super) fn provinces(source: &Source, sheet: &Sheet) -> Vec<Figure> {
    let mut out: Vec<Figure> = worth(source, sheet).into_iter().collect();
    out.extend(on_maps(source, sheet));
    let what = "One more token of influence adds this much to the share of the points.";
    out.push(studies::worth(source, sheet, "token", "Worth of a token", what));
    out.extend(against_print(source, sheet));
    out
}

/// Returns the figure of token values on the map, with a small map for each season on one scale.
fn worth(source: &Source, sheet: &Sheet) -> Option<Figure> {
    let board = source.board.as_ref()?;
    let map = |title: String, season: Option<&str>| {
        let value = |area: &Area| {
            let (value, interval) = estimate(sheet, &area.id, "token", season)?;
            Some((100.0 * value, interval.map(|ends| ends.map(|end| 100.0 * end))))
        };
        ValueMap { title, values: board.areas.iter().map(value).collect() }
    };
    let seasons = seasons(sheet);
    let maps: Vec<ValueMap> = match seasons.as_slice() {
        [] | [_] => vec![map(String::new(), None)],
        all => all.iter().map(|season| map(format!("season {season}"), Some(season))).collect(),
    };
    let alt = "worth of a token on the map; the numbers stand in the table";
    let picture = value_maps(board, &maps, Some(0.0), alt)?;
    let caption = "One more token of influence adds this much to the share of the points, in percentage points. A hatched place \
                   is undecided: its interval includes zero. Grey places have no estimate.";
    Some(source.figure("Worth of a token, on the map", picture, caption.to_owned(), sheet))
}

/// Returns the figure of other estimates on small maps, each with a scale of its own.
fn on_maps(source: &Source, sheet: &Sheet) -> Option<Figure> {
    let board = source.board.as_ref()?;
    let mut pictures = String::new();
    let mut caption = String::new();
    for OnMap { name, title, meaning } in &MAPS {
        let values = board.areas.iter().map(|area| estimate(sheet, &area.id, name, None)).collect();
        let one = [ValueMap { title: (*title).to_owned(), values }];
        let alt = format!("{title} on the map; the numbers stand in the table");
        if let Some(picture) = value_maps(board, &one, None, &alt) {
            let _ = writeln!(pictures, "<div>\n{picture}</div>");
            let _ = write!(caption, "{title}: {meaning} ");
        }
    }
    if pictures.is_empty() {
        return None;
    }
    let picture = format!("<div class=\"maps panels\">\n{pictures}</div>\n");
    let caption = format!("{caption}Grey places have no estimate.");
    Some(source.figure("Contest and influence, on the map", picture, caption, sheet))
}

/// Returns the figure of token values against the first payment of each place.
fn against_print(source: &Source, sheet: &Sheet) -> Option<Figure> {
    let board = source.board.as_ref()?;
    let spot = |area: &Area| {
        // The note of an area is text: `pays 10/5 VP`.
        let paid =
            area.note.strip_prefix("pays ")?.split(['/', ' ']).next()?.parse::<f64>().ok()?;
        let value = 100.0 * mean(sheet, &area.id, "token")?;
        Some(Spot { label: area.id.clone(), at: [paid, value], interval: None, is_named: true })
    };
    let all: Vec<Spot> = board.areas.iter().filter_map(spot).collect();
    if all.len() < 2 {
        return None;
    }
    let alt = "what a token is worth against the printed points of its place; the numbers stand in the table";
    let picture = scatter(
        &all,
        ["printed points of the first", "worth of a token, percentage points of share"],
        &[],
        false,
        alt,
    );
    let caption = "Each point is a province. If the rules paid for worth alone, the points would rise from left to right. The \
                   worth is the mean over all seasons.";
    Some(source.figure("Worth against printed numbers", picture, caption, sheet))
}
