//! Values of places on the map.
//!
//! [`provinces`] is the entry point.

use super::rows::{cut, row_dots};
use super::sheet::Estimate;
use super::studies::by_season;
use super::{Sheet, Source};
use crate::board::{Area, ValueMap, value_maps};
use crate::figure::Figure;
use crate::plot::{Reference, Spot, dots, scatter};

/// An estimate with a map of its own.
struct OnMap {
    name: &'static str,
    title: &'static str,
    meaning: &'static str,
}

const MAPS: [OnMap; 4] = [
    OnMap {
        name: "contest",
        title: "Contest, on the map",
        meaning: "Players with influence in a place and at most one token less than the first, at the ends of stages.",
    },
    OnMap {
        name: "swing",
        title: "Swing, on the map",
        meaning: "The share of games in which another seat leads a place at the end than when the last stage began, times \
                  what the first is paid.",
    },
    OnMap {
        name: "tokens",
        title: "Influence, on the map",
        meaning: "Tokens of all players in a place when the game is over.",
    },
    OnMap { name: "fights", title: "Fights, on the map", meaning: "Fights in a place in a game." },
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
    out.extend(MAPS.iter().filter_map(|map| on_map(source, sheet, map)));
    let mut all = row_dots(sheet, "token", Some(0.0));
    let note = cut(&mut all);
    let reference = Reference { at: 0.0, label: "no effect".to_owned() };
    let alt = "what a token of influence adds to the share of the points, by place and season, with intervals; the numbers \
               stand in the table";
    let picture = dots(&all, "value of a token, in share of the points", Some(&reference), alt);
    let caption =
        format!("One more token of influence adds this much to the share of the points.{note}");
    out.push(source.figure("Worth of a token", picture, caption, sheet));
    out.extend(against_print(source, sheet));
    out.extend(by_season(source, sheet, "token"));
    out
}

/// Returns the figure of token values on the map, with a small map for each season on one scale.
fn worth(source: &Source, sheet: &Sheet) -> Option<Figure> {
    let board = source.board.as_ref()?;
    let map = |title: String, season: Option<&str>| {
        let value = |area: &Area| estimate(sheet, &area.id, "token", season);
        ValueMap { title, values: board.areas.iter().map(value).collect() }
    };
    let seasons = seasons(sheet);
    let maps: Vec<ValueMap> = match seasons.as_slice() {
        [] | [_] => vec![map(String::new(), None)],
        all => all.iter().map(|season| map(format!("season {season}"), Some(season))).collect(),
    };
    let alt = "worth of a token on the map; the numbers stand in the table";
    let picture = value_maps(board, &maps, Some(0.0), alt)?;
    let caption = "One more token of influence adds this much to the share of the points. A hatched place is undecided: \
                   its interval includes no effect. Grey places have no estimate.";
    Some(source.figure("Worth of a token, on the map", picture, caption.to_owned(), sheet))
}

/// Returns the figure of an estimate on the map.
fn on_map(source: &Source, sheet: &Sheet, map: &OnMap) -> Option<Figure> {
    let &OnMap { name, title, meaning } = map;
    let board = source.board.as_ref()?;
    let values = board.areas.iter().map(|area| estimate(sheet, &area.id, name, None)).collect();
    let one = [ValueMap { title: String::new(), values }];
    let alt = format!("{title}; the numbers stand in the table");
    let picture = value_maps(board, &one, None, &alt)?;
    let caption = format!(
        "{meaning} The number is the estimate, the badge what the rules pay; grey places have no estimate."
    );
    Some(source.figure(title, picture, caption, sheet))
}

/// Returns the figure of token values against the first payment of each place.
fn against_print(source: &Source, sheet: &Sheet) -> Option<Figure> {
    let board = source.board.as_ref()?;
    let spot = |area: &Area| {
        // The note of an area is text: `pays 10/5 VP`.
        let paid =
            area.note.strip_prefix("pays ")?.split(['/', ' ']).next()?.parse::<f64>().ok()?;
        let value = mean(sheet, &area.id, "token")?;
        Some(Spot { label: area.id.clone(), at: [paid, value], interval: None, is_named: true })
    };
    let all: Vec<Spot> = board.areas.iter().filter_map(spot).collect();
    if all.len() < 2 {
        return None;
    }
    let alt = "what a token is worth against the printed points of its place; the numbers stand in the table";
    let picture = scatter(
        &all,
        ["printed points of the first", "value of a token, in share of the points"],
        false,
        alt,
    );
    let caption = "What a token of influence is worth (mean over all seasons; intervals by season stand in the table) against what the rules \
                   pay the first there.";
    Some(source.figure("Worth against printed numbers", picture, caption, sheet))
}
