//! Figures of a source: special figures for some tables, and rows of intervals for all others.
//!
//! [`figures`] is the entry point.

use super::archive::archive;
use super::fans::fans;
use super::rows::{by_effect, decided, row_dots};
use super::studies::seasons;
use super::titles::{caption, column_words, title};
use super::units::Unit;
use super::{Kind, Sheet, Source, compared, places, studies};
use crate::figure::{Figure, FigureTable};
use crate::plot::{
    Axes, Cell, Dot, INK, Reference, Series, Shape, bars, dots, lines, matrix, number, panels,
};

/// Returns all figures of a source.
#[must_use]
pub(super) fn figures(source: &Source) -> Vec<Figure> {
    let mut out = Vec::new();
    let mut sheets: Vec<&Sheet> =
        source.sheets.iter().filter(|sheet| !sheet.rows.is_empty()).collect();
    // Known tables follow the order of the questions; the others come last, by name.
    let place =
        |sheet: &Sheet| ORDER.iter().position(|name| *name == sheet.name).unwrap_or(ORDER.len());
    sheets.sort_by_key(|sheet| place(sheet));
    // All courses are one figure.
    let mut has_course = false;
    for sheet in sheets {
        let own = match (source.kind, sheet.name.as_str()) {
            // The summary in words has this number.
            (_, "length") => Vec::new(),
            (_, "standings") => vec![standings(source, sheet)],
            (_, "head_to_head") => vec![head_to_head(source, sheet)],
            (Kind::Ladder, "curve") => vec![curve(source, sheet)],
            (Kind::Cards, "cards") => studies::cards(source, sheet),
            (Kind::Cards, "demand") => vec![studies::demand(source, sheet)],
            (Kind::Provinces, "provinces") => places::provinces(source, sheet),
            (Kind::Dynamics, "leads") => vec![studies::leads(source, sheet)],
            (_, "fans") => fans(source, sheet).into_iter().collect(),
            (Kind::Dynamics | Kind::Tournament, "stages") => studies::stages(source, sheet),
            (_, "restrictions") => vec![studies::restrictions(source, sheet)],
            (_, "treated") => vec![studies::treated(source, sheet)],
            (_, "reliability") => vec![studies::reliability(source, sheet)],
            (Kind::Tournament, "lengths") => vec![lengths(source, sheet)],
            (Kind::Comparison, "panel") => vec![compared::panel(source, sheet)],
            (Kind::Comparison, "course") if has_course => Vec::new(),
            (Kind::Comparison, "course") => {
                has_course = true;
                compared::course(source).into_iter().collect()
            }
            (_, "streams") => vec![studies::streams(source, sheet)],
            (Kind::Population, "archive") => vec![archive(source, sheet)],
            (Kind::Search, "history") => vec![history(source, sheet)],
            (_, "changed_rules" | "moved_sizes") | (Kind::Search, "interactions") => {
                vec![plain(source, sheet)]
            }
            _ => vec![usual(source, sheet)],
        };
        out.extend(own);
    }
    out
}

/// The order of tables, by the question that they answer: better by how much, found and confirmed, candidates, course,
/// duration.
const ORDER: [&str; 41] = [
    "changed_rules",
    "panel",
    "course",
    "verdict",
    "standings",
    "head_to_head",
    "by_seat",
    "seats",
    "seat_shares",
    "seats_alone",
    "order",
    "bought",
    "auction",
    "paid",
    "companions",
    "confirmed",
    "moved",
    "moved_sizes",
    "cards",
    "provinces",
    "units",
    "demand",
    "deal",
    "sweeps",
    "steps",
    "curve",
    "power",
    "history",
    "effects",
    "interactions",
    "game",
    "streams",
    "skill",
    "restrictions",
    "stages",
    "fans",
    "leads",
    "kinds",
    "unused",
    "length",
    "lengths",
];

/// Returns the natural reference value of an estimate, with its label.
fn reference_of(source: &Source, name: &str) -> Option<(f64, &'static str)> {
    match name {
        "share" if source.kind == Kind::Ladder => Some((0.5, "even")),
        "share" => Some((1.0 / source.players.max(1) as f64, "an equal share")),
        "effect" | "value" | "token" | "city" | "net" | "gain" | "difference" | "range" | "up"
        | "down" | "worth" | "with_leader" | "with_last" | "first" | "action" | "mean" | "new"
        | "old" => Some((0.0, "no effect")),
        _ => None,
    }
}

/// Returns the words of an axis with estimates of a column.
fn axis_words(source: &Source, sheet: &Sheet, name: &str) -> String {
    let words = match (sheet.name.as_str(), name) {
        (_, "share") => "share of the points".to_owned(),
        ("seats" | "seats_alone" | "order" | "auction", "effect") => {
            "share beyond an equal one".to_owned()
        }
        _ => column_words(name),
    };
    let unit = sheet.rows.first().map_or(Unit::Plain, |row| source.unit(sheet, row, name));
    words + unit.on_axis()
}

/// Returns rows of intervals for the first estimate of a table, or the table alone if it has no estimate. A table by
/// season or stage becomes a small picture for each of them.
fn usual(source: &Source, sheet: &Sheet) -> Figure {
    // Numbers with different units share no axis.
    let name = match (sheet.column("figure"), sheet.name.as_str()) {
        (Some(_), _) => None,
        (None, "bought") => Some("net"),
        (None, _) => sheet.estimates().into_iter().next(),
    };
    let Some(name) = name else { return plain(source, sheet) };
    let known = reference_of(source, name);
    let reference = known.map(|(at, label)| {
        let factor = sheet.rows.first().map_or(1.0, |row| source.unit(sheet, row, name).factor());
        Reference { at: factor * at, label: label.to_owned() }
    });
    let alt = format!("{} with intervals; the numbers stand in the table", column_words(name));
    let axis = axis_words(source, sheet, name);
    let mut all = row_dots(source, sheet, name, known.map(|(at, _)| at));
    if all.len() < 2 {
        return plain(source, sheet);
    }
    let parts = if sheet.name == "by_seat" {
        by_agent(source, all.clone(), sheet)
    } else {
        seasons(sheet, &all)
    };
    let (picture, note) = if parts.len() > 1 {
        (panels(&parts, &axis, reference.as_ref(), &alt), "")
    } else {
        // Places and seats have an order of their own.
        let is_ordered = ["seat", "place", "stage", "season", "value", "round"];
        let is_ordered = is_ordered.iter().any(|name| sheet.column(name).is_some());
        let note = if is_ordered { "" } else { by_effect(&mut all) };
        (dots(&all, &axis, reference.as_ref(), &alt), note)
    };
    source.figure(title(sheet), picture, format!("{}{note}", caption(sheet)), sheet)
}

/// Returns the seats of each agent, in the order of the ranking.
fn by_agent(source: &Source, all: Vec<Dot>, sheet: &Sheet) -> Vec<(String, Vec<Dot>)> {
    let mut out: Vec<(String, Vec<Dot>)> = Vec::new();
    for (row, dot) in sheet.rows.iter().zip(all) {
        let agent = sheet.text(row, "agent");
        let seat = sheet.number(row, "seat").map_or(0.0, |seat| seat + 1.0);
        let dot = Dot { label: format!("seat {seat}"), ..dot };
        match out.iter_mut().find(|(known, _)| known == agent) {
            Some((_, dots)) => dots.push(dot),
            None => out.push((agent.to_owned(), vec![dot])),
        }
    }
    if let Some(ranking) = source.sheet("standings") {
        let place =
            |name: &str| ranking.rows.iter().position(|row| ranking.text(row, "agent") == name);
        out.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
    }
    out
}

/// Returns the figure of a table without a plot.
pub(super) fn plain(source: &Source, sheet: &Sheet) -> Figure {
    // The heading already contains the caption.
    let picture = FigureTable { caption: String::new(), ..sheet.table(source) }.html();
    let mut figure = source.figure(title(sheet), picture, "", sheet);
    figure.table = FigureTable::default();
    figure
}

fn standings(source: &Source, sheet: &Sheet) -> Figure {
    let even = 1.0 / source.players.max(1) as f64;
    let all: Vec<Dot> = sheet
        .rows
        .iter()
        .zip(row_dots(source, sheet, "share", Some(even)))
        .map(|(row, dot)| Dot { label: sheet.text(row, "agent").to_owned(), ..dot })
        .collect();
    let reference = Reference { at: 100.0 * even, label: "an equal share".to_owned() };
    let alt = format!(
        "share of the points of {} agents with intervals; the numbers stand in the table",
        all.len()
    );
    let axis = axis_words(source, sheet, "share");
    let picture = dots(&all, &axis, Some(&reference), &alt);
    source.figure(title(sheet), picture, caption(sheet), sheet)
}

/// Returns the matrix of finishes: how often each agent finishes before each other agent.
fn head_to_head(source: &Source, sheet: &Sheet) -> Figure {
    let mut names: Vec<String> = Vec::new();
    for row in &sheet.rows {
        for name in [sheet.text(row, "agent"), sheet.text(row, "other")] {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    // The agents follow the order of the ranking.
    if let Some(ranking) = source.sheet("standings") {
        let place =
            |name: &str| ranking.rows.iter().position(|row| ranking.text(row, "agent") == name);
        names.sort_by_key(|name| place(name).unwrap_or(usize::MAX));
    }
    let cell = |one: &String, other: &String| {
        let found = |a: &str, b: &str| {
            let mut rows = sheet.rows.iter();
            rows.find(|row| sheet.text(row, "agent") == a && sheet.text(row, "other") == b)
        };
        let estimate = |row: &Vec<String>| sheet.estimate(row, "share");
        let (value, interval) = match (found(one, other), found(other, one)) {
            (Some(row), _) => estimate(row)?,
            (None, Some(row)) => {
                let (value, interval) = estimate(row)?;
                (1.0 - value, interval.map(|[low, high]| [1.0 - high, 1.0 - low]))
            }
            (None, None) => return None,
        };
        let bounds = interval.map_or_else(String::new, |[low, high]| {
            format!(" [{:.1}, {:.1}]", 100.0 * low, 100.0 * high)
        });
        let title = format!("{one} before {other}: {:.1} %{bounds}", 100.0 * value);
        let open = if decided(interval, 0.5) == Shape::Open { "?" } else { "" };
        Some(Cell {
            strength: 2.0 * value - 1.0,
            text: format!("{:.0}{open}", 100.0 * value),
            title,
        })
    };
    let cells: Vec<Vec<Option<Cell>>> =
        names.iter().map(|one| names.iter().map(|other| cell(one, other)).collect()).collect();
    let alt = "how often the agent of the row finishes before that of the column; the numbers stand in the table";
    let numbers: Vec<String> = (1..=names.len()).map(|n| n.to_string()).collect();
    let rows: Vec<String> =
        numbers.iter().zip(&names).map(|(n, name)| format!("{n} {name}")).collect();
    let picture = matrix(&rows, &numbers, &cells, alt);
    let caption = "Each cell is the share of meetings in which the row finishes before the column, in percent. Columns have the \
                   numbers of the rows. A question mark is undecided: the interval includes one half.";
    source.figure("Cross table", picture, caption, sheet)
}

/// Returns the figure of playing strength over a number.
fn curve(source: &Source, sheet: &Sheet) -> Figure {
    let mut series = Series { has_marks: true, look: 1, ..Series::default() };
    let mut names = Vec::new();
    for row in &sheet.rows {
        let Some((elo, interval)) = sheet.estimate(row, "elo") else { continue };
        series.points.push([names.len() as f64, elo]);
        series.band.push(interval.unwrap_or([elo; 2]));
        names.push(number(sheet.number(row, "value").unwrap_or_default()));
    }
    let alt =
        "Elo over the first rung, rung by rung, with intervals; the numbers stand in the table";
    let axes =
        Axes { across: "rung", up: "Elo over the first rung", names: &names, ..Axes::default() };
    let picture = lines(&[series], &axes, alt);
    let caption = "The steps of the ladder add up to this curve. The band is the 90 % interval.";
    source.figure("Learning curve", picture, caption, sheet)
}

/// Returns the figure of the lengths of games.
fn lengths(source: &Source, sheet: &Sheet) -> Figure {
    let middle = |row: &Vec<String>| {
        let [from, to] = ["from", "to"].map(|name| sheet.number(row, name).unwrap_or_default());
        Some([f64::midpoint(from, to), sheet.number(row, "games")?])
    };
    let points: Vec<[f64; 2]> = sheet.rows.iter().filter_map(middle).collect();
    let alt = "games by their number of choices; the numbers stand in the table";
    let picture = bars(&points, ["choices in a game", "games"], alt);
    let mean =
        source.sheet("length").and_then(|sheet| sheet.table(source).rows.first()?.first().cloned());
    let mean = mean.map_or_else(String::new, |mean| format!(" The mean is {mean} choices."));
    let caption = format!("Each bar counts the games of that length.{mean}");
    source.figure("Lengths of the games", picture, caption, sheet)
}

/// Returns the figure of the course of a search: the best candidate so far with its interval, and the means of the last
/// tenth.
fn history(source: &Source, sheet: &Sheet) -> Figure {
    let is_of_rules = sheet.column("loss").is_some();
    let factor = if is_of_rules { 1.0 } else { 100.0 };
    let series = |name: &str, words: &str, look| {
        let rows = || sheet.rows.iter().filter(|row| sheet.number(row, name).is_some());
        let point = |row: &Vec<String>| {
            Some([sheet.number(row, "blocks")?, factor * sheet.number(row, name)?])
        };
        let band = |row: &Vec<String>| Some(sheet.estimate(row, name)?.1?.map(|end| factor * end));
        Series {
            name: words.to_owned(),
            points: rows().filter_map(point).collect(),
            band: rows().filter_map(band).collect(),
            look,
            has_marks: false,
        }
    };
    let all = [
        series("best", "best so far", INK),
        series(if is_of_rules { "loss" } else { "gain" }, "mean of the last tenth", 4),
    ];
    let alt = "the best candidate so far with its interval, and the mean of recent candidates; the numbers stand in the table";
    let up = if is_of_rules { "loss" } else { "gain, percentage points" };
    let zero = [Reference {
        at: 0.0,
        label: if is_of_rules { "no loss" } else { "an equal share" }.to_owned(),
    }];
    let axes = Axes { across: "blocks played", up, levels: &zero, ..Axes::default() };
    let caption = "The dashed line is the mean of the last tenth of the candidates, and the solid line the best such mean so far. \
                   Bands are 95 % intervals. The best of many is too good by chance, so fresh games confirm it.";
    source.figure("Course of the search", lines(&all, &axes, alt), caption, sheet)
}
