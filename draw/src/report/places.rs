//! Values of places, on the map.

use super::rows::{cut, row_dots};
use super::studies::by_season;
use super::{Sheet, Source};
use crate::board::Tint;
use crate::figure::Figure;
use crate::plot::{Reference, Spot, dots, number, scatter};

/// An estimate that is drawn on a map of its own.
struct OnMap {
    name: &'static str,
    title: &'static str,
    meaning: &'static str,
}

const MAPS: [OnMap; 5] = [
    OnMap {
        name: "token",
        title: "Worth of a token, on the map",
        meaning: "what a token of influence adds to the share of the points, the mean over all seasons",
    },
    OnMap {
        name: "contest",
        title: "Contest, on the map",
        meaning: "players with influence there and at most one token less than the first, at the ends of stages",
    },
    OnMap {
        name: "swing",
        title: "Swing, on the map",
        meaning: "how often another seat leads at the end than when the last stage began, times what the first is paid",
    },
    OnMap {
        name: "tokens",
        title: "Influence, on the map",
        meaning: "tokens of all players there when the game is over",
    },
    OnMap { name: "fights", title: "Fights, on the map", meaning: "fights there in a game" },
];

/// The mean of an estimate over the rows of a place.
fn mean(sheet: &Sheet, place: &str, name: &str) -> Option<f64> {
    let rows = sheet.rows.iter().filter(|row| row.first().is_some_and(|cell| cell == place));
    let all: Vec<f64> = rows.filter_map(|row| sheet.number(row, name)).collect();
    (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
}

/// All figures of places.
pub(super) fn provinces(source: &Source, sheet: &Sheet) -> Vec<Figure> {
    let mut out: Vec<Figure> = MAPS.iter().filter_map(|map| on_map(source, sheet, map)).collect();
    let mut all = row_dots(sheet, "token", Some(0.0));
    let note = cut(&mut all);
    let reference = Reference { at: 0.0, label: "no effect".to_owned() };
    let alt = "what a token of influence adds to the share of the points, by place and season, with intervals; the numbers \
               stand in the table";
    let picture = dots(&all, "value of a token, in share of the points", Some(&reference), alt);
    let caption = format!("What a token of influence more adds to the share of the points.{note}");
    out.push(source.figure("Worth of a token", picture, caption, sheet));
    out.extend(against_print(source, sheet));
    out.extend(by_season(source, sheet, "token"));
    out
}

/// An estimate on the map.
fn on_map(source: &Source, sheet: &Sheet, map: &OnMap) -> Option<Figure> {
    let &OnMap { name, title, meaning } = map;
    let board = source.board.as_ref()?;
    let values: Vec<Option<f64>> =
        board.areas.iter().map(|area| mean(sheet, &area.id, name)).collect();
    let most = values.iter().flatten().fold(0.0f64, |most, x| most.max(x.abs()));
    if most == 0.0 {
        return None;
    }
    let tint = |i: usize| {
        let value = values[i]?;
        Some(Tint { strength: value / most, text: number(value), is_undecided: false })
    };
    let picture = board.svg(&format!("{title}; the numbers stand in the table"), &tint);
    let caption =
        format!("By place: {meaning}. The darker, the more; places without a number are plain.");
    Some(source.figure(title, picture, caption, sheet))
}

/// What a token is worth against what a place pays to the first.
fn against_print(source: &Source, sheet: &Sheet) -> Option<Figure> {
    let board = source.board.as_ref()?;
    let spot = |area: &crate::board::Area| {
        // The note of an area: `pays 10/5 VP`.
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
