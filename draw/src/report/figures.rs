//! Figures of a source: special figures for some tables, and rows of intervals for all others.
//!
//! [`figures`] is the entry point.

use super::fans::fans;
use super::rows::{cut, decided, row_dots};
use super::titles::title;
use super::{Kind, Sheet, Source, compared, places, studies};
use crate::figure::{Figure, FigureTable};
use crate::plot::{Cell, Dot, Reference, Series, Shape, bars, dots, lines, matrix, number};

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
    for sheet in sheets {
        let own = match (source.kind, sheet.name.as_str()) {
            (_, "standings") => vec![standings(source, sheet)],
            (_, "head_to_head") => vec![head_to_head(source, sheet)],
            (Kind::Ladder, "curve") => vec![curve(source, sheet)],
            (Kind::Cards, "cards") => studies::cards(source, sheet),
            (Kind::Cards, "demand") => vec![studies::demand(source, sheet)],
            (Kind::Provinces, "provinces") => places::provinces(source, sheet),
            (Kind::Arc, "leads") => vec![studies::leads(source, sheet)],
            (_, "fans") => fans(source, sheet).into_iter().collect(),
            (Kind::Arc | Kind::Tournament, "stages") => studies::stages(source, sheet),
            (_, "restrictions") => vec![studies::restrictions(source, sheet)],
            (_, "treated") => vec![studies::treated(source, sheet)],
            (_, "reliability") => vec![studies::reliability(source, sheet)],
            (Kind::Tournament, "lengths") => vec![lengths(source, sheet)],
            (Kind::Comparison, "panel") => vec![compared::panel(source, sheet)],
            (Kind::Comparison, "course") => compared::course(source, sheet).into_iter().collect(),
            (_, "streams") => vec![studies::streams(source, sheet)],
            (Kind::Search, "history") => vec![history(source, sheet)],
            (_, "changed_rules") | (Kind::Search, "interactions") => vec![plain(source, sheet)],
            _ => vec![usual(source, sheet)],
        };
        out.extend(own);
    }
    out
}

/// The order of tables, by the question that they answer: better by how much, found and confirmed, candidates, course,
/// duration.
const ORDER: [&str; 40] = [
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

/// The captions of dot plots, by table.
const CAPTIONS: [(&str, &str); 18] = [
    ("by_seat", "What each agent gets in each seat."),
    ("seats", "What each seat gets beyond an equal share, whoever sits there."),
    ("seat_shares", "What share of the points each seat gets, whoever sits there."),
    (
        "seats_alone",
        "What each seat gets beyond an equal share where the order is forced, so that only the seat differs.",
    ),
    (
        "order",
        "What it is worth to have a place in the turn order of a season, beyond an equal share.",
    ),
    ("auction", "What it is worth to bid at a place, from the first to the last who bids."),
    (
        "bought",
        "What a place in the order is worth less what is paid for it: above 0 it is cheap, below 0 too dear.",
    ),
    ("companions", "What an alliance with the leader is worth, season by season."),
    (
        "confirmed",
        "The first candidates of the screen, played again on fresh seeds: these estimates are not chosen because they are large.",
    ),
    ("deal", "What a token more at the start is worth."),
    ("units", "What an action and a unit of money are worth."),
    ("sweeps", "What comes of a changed number."),
    ("moved", "By how much the change of the rules moves each number."),
    (
        "verdict",
        "What the chosen candidate gains over the start, on seeds that nobody has chosen by.",
    ),
    (
        "play-off",
        "What the finalists gain in the play-off; the largest of them is too large by chance.",
    ),
    ("effects", "What each parameter is worth, from its worst to its best value."),
    ("steps", "What each step of the ladder gets against the one before."),
    ("skill", "What a stronger agent gets alone among weaker ones."),
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

/// Returns rows of intervals for the first estimate of a table, or the table alone if it has no estimate.
fn usual(source: &Source, sheet: &Sheet) -> Figure {
    // Numbers with different units share no axis.
    let name = match sheet.column("figure") {
        Some(_) => None,
        None => sheet.estimates().into_iter().next(),
    };
    let Some(name) = name else { return plain(source, sheet) };
    let known = reference_of(source, name);
    let mut all = row_dots(sheet, name, known.map(|(at, _)| at));
    if all.len() < 2 {
        return plain(source, sheet);
    }
    let cut = cut(&mut all);
    let reference = known.map(|(at, label)| Reference { at, label: label.to_owned() });
    let alt = format!(
        "{} with intervals, {} rows; the numbers stand in the table",
        name.replace('_', " "),
        all.len()
    );
    let picture = dots(&all, &name.replace('_', " "), reference.as_ref(), &alt);
    source.figure(title(sheet), picture, format!("{}{cut}", caption(sheet, name)), sheet)
}

/// Returns the caption of the dots of a table.
fn caption(sheet: &Sheet, name: &str) -> String {
    match CAPTIONS.iter().find(|(known, _)| *known == sheet.name) {
        Some((_, text)) => (*text).to_owned(),
        None => format!(
            "The dots are estimates of \"{}\"; the lines are their intervals.",
            name.replace('_', " ")
        ),
    }
}

/// Returns the figure of a table without a plot.
pub(super) fn plain(source: &Source, sheet: &Sheet) -> Figure {
    // The heading already contains the caption.
    let picture = FigureTable { caption: String::new(), ..sheet.table() }.html();
    let mut figure = source.figure(title(sheet), picture, "", sheet);
    figure.table = FigureTable::default();
    figure
}

fn standings(source: &Source, sheet: &Sheet) -> Figure {
    let even = 1.0 / source.players.max(1) as f64;
    let all = row_dots(sheet, "share", Some(even));
    let all: Vec<Dot> = sheet
        .rows
        .iter()
        .zip(all)
        .map(|(row, dot)| Dot { label: sheet.text(row, "agent").to_owned(), ..dot })
        .collect();
    let reference = Reference { at: even, label: "an equal share".to_owned() };
    let alt = format!(
        "share of the points of {} agents with intervals; the numbers stand in the table",
        all.len()
    );
    let picture = dots(&all, "share of the points", Some(&reference), &alt);
    source.figure(
        "Ranking",
        picture,
        "What share of the points each agent gets; every interval is that of one agent by itself.",
        sheet,
    )
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
            format!(" [{}, {}]", number(low), number(high))
        });
        let title = format!("{one} before {other}: {}{bounds}", number(value));
        let open = if decided(interval, 0.5) == Shape::Open { "?" } else { "" };
        Some(Cell { strength: 2.0 * value - 1.0, text: format!("{value:.2}{open}"), title })
    };
    let cells: Vec<Vec<Option<Cell>>> =
        names.iter().map(|one| names.iter().map(|other| cell(one, other)).collect()).collect();
    let alt = "how often the agent of the row finishes before that of the column; the numbers stand in the table";
    let numbers: Vec<String> = (1..=names.len()).map(|n| n.to_string()).collect();
    let rows: Vec<String> =
        numbers.iter().zip(&names).map(|(n, name)| format!("{n} {name}")).collect();
    let picture = matrix(&rows, &numbers, &cells, alt);
    let caption = "How often the agent of the row finishes before that of the column, where they meet; agents are numbered by \
                   their rank; ? where the interval holds one half.";
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
    let picture = lines(&[series], ["rung", "Elo over the first rung"], &names, alt);
    source.figure(
        "Learning curve",
        picture,
        "Elo over the first rung, the steps added up, with their 90 % intervals.",
        sheet,
    )
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
    source.figure(
        "Lengths of the games",
        picture,
        "How many games have how many choices, a bar for each stretch.",
        sheet,
    )
}

/// Returns the figure of the course of a search: the gains of agents, or the losses of rules.
fn history(source: &Source, sheet: &Sheet) -> Figure {
    let is_of_rules = sheet.columns.iter().any(|column| column == "loss");
    let (what, axis, words) = if is_of_rules {
        let words = "Losses of the candidates in the order in which they were tried, thinned; low points are lucky ones as well as good ones.";
        ("loss", "loss", words)
    } else {
        let words = "Shares of the candidates in the order in which they were tried, thinned; high points are lucky ones as well as good ones.";
        ("gain", "share", words)
    };
    let points = |name: &str| -> Vec<[f64; 2]> {
        sheet
            .rows
            .iter()
            .filter_map(|row| Some([sheet.number(row, "blocks")?, sheet.number(row, name)?]))
            .collect()
    };
    let all = [
        Series { name: "blocks".to_owned(), points: points(what), look: 1, ..Series::default() },
        Series {
            name: "mean of the last tenth".to_owned(),
            points: points("mean"),
            look: 4,
            ..Series::default()
        },
    ];
    let alt = "what candidates came to in the order in which they were tried; the numbers stand in the table";
    let picture = lines(&all, ["blocks played", axis], &[], alt);
    source.figure("History of the search", picture, words, sheet)
}
