//! What a designer looks at first: one card a finding, each made of a number that stands on the page.

use std::fmt::Write;

use super::figures::found;
use super::{Kind, Sheet, Source};
use crate::html::escape;
use crate::plot::{Shape, number};

/// What restrictions cost, in words.
pub(super) const RESTRICTIONS: &str = "what it costs one seat to be forbidden this";

/// A finding.
pub(super) struct Finding {
    /// What it is about.
    pub(super) about: String,
    /// The finding, in a few words.
    pub(super) text: String,
    /// What it rests on.
    pub(super) basis: String,
}

/// The cards as HTML.
#[must_use]
pub(super) fn cards(all: &[&Source]) -> String {
    let mut out = "<ul class=\"cards\">\n".to_owned();
    for Finding { about, text, basis } in findings(all) {
        let [about, text, basis] = [about, text, basis].map(|text| escape(&text));
        let _ = writeln!(
            out,
            "<li><span>{about}</span><strong>{text}</strong><span>{basis}</span></li>"
        );
    }
    out + "</ul>\n"
}

/// An estimate with its interval, in words.
pub(super) fn words((value, interval): (f64, Option<[f64; 2]>)) -> String {
    match interval {
        Some([low, high]) => format!("{} [{}, {}]", number(value), number(low), number(high)),
        None => number(value),
    }
}

/// All findings, source by source.
pub(super) fn findings(all: &[&Source]) -> Vec<Finding> {
    all.iter().flat_map(|source| of(source)).collect()
}

fn of(source: &Source) -> Vec<Finding> {
    let n = match source.games {
        0 => source.place.clone(),
        n => format!("{n} games, {}", source.place),
    };
    let finding =
        |about: &str, text: String| Finding { about: about.to_owned(), text, basis: n.clone() };
    let mut out = Vec::new();
    if let Some((first, second)) = source.sheet("standings").and_then(leaders) {
        out.push(finding("first in the ranking", first));
        out.extend(second.map(|text| finding("then", text)));
    }
    for name in ["seats", "seat_shares"] {
        if let Some(sheet) = source.sheet(name) {
            out.push(finding("seats", seats(source, sheet)));
        }
    }
    if let Some(sheet) = source.sheet("length") {
        let name = sheet.estimates().first().copied().unwrap_or_default();
        if let Some(estimate) = sheet.estimate(&sheet.rows[0], name) {
            out.push(finding("choices in a game", words(estimate)));
        }
    }
    if let Some(sheet) = source.sheet("cards") {
        out.extend(prices(sheet).into_iter().map(|(about, text)| finding(about, text)));
    }
    if let Some(sheet) = source.sheet("provinces") {
        out.push(finding("provinces", strongest(sheet, "token", "worth of a token")));
    }
    if let Some(sheet) = source.sheet("game") {
        for wanted in ["choices", "lead changes in score", "lead changes in chance"] {
            let row = sheet.rows.iter().find(|row| sheet.text(row, "figure") == wanted);
            if let Some(estimate) = row.and_then(|row| sheet.estimate(row, "value")) {
                out.push(finding(wanted, words(estimate)));
            }
        }
    }
    if let Some(sheet) = source.sheet("streams") {
        out.push(finding("luck", strongest(sheet, "total", "shares of the variance")));
    }
    if let Some(sheet) = source.sheet("restrictions") {
        out.push(finding("restrictions", strongest(sheet, "cost", RESTRICTIONS)));
    }
    if source.kind == Kind::Comparison
        && let Some(text) = source.statements.first()
    {
        out.push(finding("comparison", text.clone()));
    }
    if let Some(sheet) = source.sheet("steps") {
        let decided = sheet.rows.iter().filter(|row| sheet.text(row, "verdict") == "H1").count();
        let text = format!("{decided} of {} steps are found to gain", sheet.rows.len());
        out.push(finding("ladder", text));
    }
    if source.kind == Kind::Search
        && let Some(text) = source.statements.first()
    {
        out.push(finding("tuning", text.clone()));
    }
    out
}

/// Who leads a ranking, and who is second.
fn leaders(sheet: &Sheet) -> Option<(String, Option<String>)> {
    let line = |row: &Vec<String>| {
        let estimate = sheet.estimate(row, "share")?;
        Some(format!("{}: {}", sheet.text(row, "agent"), words(estimate)))
    };
    Some((line(&sheet.rows[0])?, sheet.rows.get(1).and_then(line)))
}

/// Whether any seat is found to be better or worse.
pub(super) fn seats(source: &Source, sheet: &Sheet) -> String {
    let (name, even) = match sheet.column("effect") {
        Some(_) => ("effect", 0.0),
        None => ("share", 1.0 / source.players.max(1) as f64),
    };
    let found = sheet.rows.iter().filter_map(|row| {
        let (value, interval) = sheet.estimate(row, name)?;
        (found(sheet, row, interval, even) == Shape::Full)
            .then(|| format!("{} {}", sheet.label(row), words((value, interval))))
    });
    let found: Vec<String> = found.collect();
    match found.is_empty() {
        true => "no seat is found to be better or worse".to_owned(),
        false => found.join("; "),
    }
}

/// The cards that are found too cheap and too dear.
pub(super) fn prices(sheet: &Sheet) -> Vec<(&'static str, String)> {
    let found = |verdict: &str| -> Vec<String> {
        let mut rows: Vec<&Vec<String>> =
            sheet.rows.iter().filter(|row| sheet.text(row, "verdict").contains(verdict)).collect();
        rows.sort_by(|a, b| {
            let p = |row: &[String]| sheet.number(row, "p").unwrap_or(1.0);
            p(a).total_cmp(&p(b))
        });
        rows.iter().take(5).map(|row| sheet.label(row)).collect()
    };
    let line = |about, verdict, none: &str| {
        let found = found(verdict);
        (about, if found.is_empty() { none.to_owned() } else { found.join("; ") })
    };
    vec![
        line("found too cheap", "cheap", "no card is found too cheap"),
        line("found too dear", "dear", "no card is found too dear"),
    ]
}

/// The rows whose interval is farthest above zero.
pub(super) fn strongest(sheet: &Sheet, name: &str, what: &str) -> String {
    let mut rows: Vec<(f64, &Vec<String>)> = sheet
        .rows
        .iter()
        .filter_map(|row| match sheet.estimate(row, name)? {
            (_, interval @ Some([low, _])) if low > 0.0 => {
                (found(sheet, row, interval, 0.0) == Shape::Full).then_some((low, row))
            }
            _ => None,
        })
        .collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let line = |(_, row): &(f64, &Vec<String>)| {
        let estimate = sheet.estimate(row, name).unwrap_or_default();
        format!("{}: {}", sheet.label(row), words(estimate))
    };
    let all: Vec<String> = rows.iter().take(3).map(line).collect();
    match all.is_empty() {
        true => format!(
            "{what}: nothing is told from zero beyond what so many questions give by chance"
        ),
        false => format!("{what}, {}", all.join("; ")),
    }
}
