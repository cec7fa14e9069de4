//! The dashboard: what was asked, what came out, how sure it is, and what to do.
//!
//! [`cards`] returns it as HTML, and [`findings`] as data.
//!
//! Every finding is decided. Some studies screen many candidates and play the first of them again on fresh seeds. Only
//! the replayed ones can be findings, because the screen's largest estimates are too large by chance.

use super::finding::{Finding, HALF, gain, leads, short, strength};
use super::open::open;
use super::rows::found;
use super::units::Unit;
use super::{Kind, Sheet, Source};
use crate::html::element;
use crate::plot::Shape;

/// The largest number of cards of a run; the sections show all findings.
const MOST: usize = 3;
/// Returns the cards as HTML, in the order of the questions. The strongest evidence of a run stands first.
#[must_use]
pub(super) fn cards(all: &[&Source]) -> String {
    let mut out = "<ul class=\"cards\">\n".to_owned();
    let mut more = 0;
    for source in all {
        let decided = findings(source);
        more += decided.len().saturating_sub(MOST);
        let open = if decided.is_empty() { open(source) } else { None };
        decided.iter().take(MOST).chain(&open).for_each(|finding| out += &finding.card(source));
    }
    out += "</ul>\n";
    if more > 0 {
        let note =
            format!("{more} more decided findings stand in the summary and in the sections.");
        out += &element("p", "soft", &note);
    }
    out
}

/// Returns the decided findings of a source, strongest first.
pub(super) fn findings(source: &Source) -> Vec<Finding> {
    let mut out = of(source);
    out.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    out
}

/// The deciding columns of the studies: the name of a table, and its estimate.
const DECIDING: [(&str, &str); 13] = [
    ("panel", "difference"),
    ("seats", "effect"),
    ("seat_shares", "share"),
    ("seats_alone", "effect"),
    ("order", "effect"),
    ("auction", "effect"),
    ("confirmed", "surplus"),
    ("confirmed", "token"),
    ("bought", "net"),
    ("restrictions", "cost"),
    ("moved", "difference"),
    ("moved_sizes", "difference"),
    ("steps", "share"),
];

fn of(source: &Source) -> Vec<Finding> {
    let mut out: Vec<Finding> = source.sheet("standings").and_then(leader).into_iter().collect();
    for (name, column) in DECIDING {
        let Some(sheet) = source.sheet(name).filter(|sheet| sheet.column(column).is_some()) else {
            continue;
        };
        out.extend(sheet.rows.iter().filter_map(|row| decided(source, sheet, row, column)));
    }
    if source.kind == Kind::Search {
        out.extend(tuned(source));
    }
    for finding in out.iter_mut().filter(|_| !source.side.is_empty()) {
        finding.text = format!("{}: {}", source.side, finding.text);
    }
    out
}

/// Returns the value of no effect in a column.
fn nothing(source: &Source, name: &str) -> f64 {
    match (source.kind, name) {
        (Kind::Ladder, "share") => 0.5,
        (_, "share") => 1.0 / source.players.max(1) as f64,
        _ => 0.0,
    }
}

/// Returns the finding of a row, if the row is decided.
fn decided(source: &Source, sheet: &Sheet, row: &[String], column: &str) -> Option<Finding> {
    let zero = nothing(source, column);
    let (value, within) = sheet.estimate(row, column)?;
    // A control is no finding.
    let is_control = ["nothing", "random only"].contains(&sheet.text(row, "forbidden"));
    if is_control || found(sheet, row, within, zero) != Shape::Full || value - zero == 0.0 {
        return None;
    }
    let by = value - zero;
    let unit = match source.unit(sheet, row, column) {
        Unit::Percent => Unit::Points,
        unit => unit,
    };
    let p = sheet.number(row, "p");
    Some(Finding {
        text: claim(source, sheet, row, by),
        advice: advice(source, sheet, by),
        p,
        strength: strength(by, within, p),
        ..Finding::of(unit, by, within.map(|ends| ends.map(|end| end - zero)), true)
    })
}

/// Returns the consequence of a decided row.
fn advice(source: &Source, sheet: &Sheet, by: f64) -> &'static str {
    let is_more = by > 0.0;
    match (sheet.name.as_str(), source.kind, is_more) {
        ("panel", Kind::Comparison, true) if !source.has_two_rules() => "Use the candidate.",
        ("panel", Kind::Comparison, false) if !source.has_two_rules() => "Keep the baseline.",
        ("confirmed", Kind::Cards, true) => "Raise its price.",
        ("confirmed", Kind::Cards, false) => "Lower its price.",
        ("bought", _, true) => "Bid more for it.",
        ("bought", _, false) => "Bid less for it.",
        ("seats" | "seat_shares" | "seats_alone", ..) => {
            "Rotate the seats, or compensate the players."
        }
        ("order" | "auction", _, true) => "Bid for this place.",
        ("order" | "auction", _, false) => "Avoid this place.",
        ("restrictions", _, false) => "Mend the agent before you judge the game by it.",
        ("steps", _, true) => "Take the step.",
        _ => "",
    }
}

/// Returns the claim of a decided row.
fn claim(source: &Source, sheet: &Sheet, row: &[String], by: f64) -> String {
    let label = sheet.label(row);
    let (more, gains) = if by > 0.0 { ("more", "gains") } else { ("less", "costs") };
    let worth = if by > 0.0 { "is worth having" } else { "is a burden" };
    let season =
        sheet.number(row, "season").map_or_else(String::new, |n| format!(" in season {n}"));
    let place = sheet.number(row, "place").map_or_else(String::new, |n| format!("{}", n + 1.0));
    match (sheet.name.as_str(), source.kind) {
        ("panel", _) if sheet.column("A").is_some() => {
            let what = if by > 0.0 { "larger" } else { "smaller" };
            format!("{} is {what} under B than under A", sheet.text(row, "metric"))
        }
        ("panel", _) => source.statements.first().map_or(label, |text| short(text).to_owned()),
        ("seats" | "seat_shares", _) => {
            format!("{label} gets {more} than an equal share")
        }
        ("seats_alone", _) => {
            format!("{label} gets {more} than an equal share where the order is forced")
        }
        ("order", _) => format!("The {} place in the order {worth}{season}", ordinal(&place)),
        ("auction", _) => format!("The {} place to bid {worth}{season}", ordinal(&place)),
        ("confirmed", Kind::Cards) => {
            let is = if by > 0.0 { "too cheap" } else { "too dear" };
            format!("{label} is {is}, confirmed on fresh seeds")
        }
        ("confirmed", _) => {
            format!("A token in {label} {gains} share, confirmed on fresh seeds")
        }
        ("bought", _) => format!("{label}: a place is worth {more} than its price"),
        ("restrictions", _) if by > 0.0 => {
            format!("A seat that is forbidden {label} loses share")
        }
        ("restrictions", _) => {
            format!("A seat that is forbidden {label} does better: the agent misuses it")
        }
        ("moved" | "moved_sizes", _) => {
            let moved = if by > 0.0 { "larger" } else { "smaller" };
            format!("{label} is {moved} under the new rules")
        }
        ("steps", _) => format!(
            "{} is {} than {}",
            sheet.text(row, "value"),
            if by > 0.0 { "better" } else { "worse" },
            sheet.text(row, "against")
        ),
        _ => label,
    }
}

fn ordinal(number: &str) -> String {
    match number {
        "1" => "first".to_owned(),
        "2" => "second".to_owned(),
        "3" => "third".to_owned(),
        n => format!("{n}th"),
    }
}

/// Returns the leader of a ranking, if it is decided.
fn leader(sheet: &Sheet) -> Option<Finding> {
    let (first, second) = (sheet.rows.first()?, sheet.rows.get(1)?);
    let p = leads(sheet, first)?;
    let (share, within) = sheet.estimate(first, "share")?;
    let (other, _) = sheet.estimate(second, "share")?;
    if share <= other {
        return None;
    }
    let [name, next] = [first, second].map(|row| sheet.text(row, "agent"));
    Some(Finding {
        text: format!("{name} has the most points, ahead of {next}"),
        advice: "Use the first of the ranking.",
        p: Some(p),
        strength: strength(0.0, None, Some(p)),
        ..Finding::of(Unit::Percent, share, within, false)
    })
}

/// Returns the finding of a search, if its gain is decided and its winner is to be used.
fn tuned(source: &Source) -> Option<Finding> {
    let gain = gain(source)?;
    let is_kept = source.statements.iter().any(|text| text.contains("the start is kept"));
    (gain.strength >= HALF).then_some(Finding {
        advice: if is_kept { "Keep the start." } else { "Use the winner." },
        ..gain
    })
}
