//! The dashboard: the findings of all studies, strongest first, each as a short claim with its number.
//!
//! [`cards`] returns them as HTML, and [`findings`] as data.
//!
//! Every finding is decided. Some studies screen many candidates and play the first of them again on fresh seeds. Only
//! the replayed ones can be findings, because the screen's largest estimates are too large by chance.

use std::fmt::Write;

use super::digits::{fixed, half, interval, p_value, places, signed};
use super::rows::found;
use super::{Kind, Sheet, Source};
use crate::html::escape;
use crate::plot::Shape;

/// The largest number of cards; the sections show all findings.
const MOST: usize = 9;
/// Half of a 95 % interval, in standard errors.
const HALF: f64 = 1.96;

/// A finding, or a fact without a hypothesis.
pub(super) struct Finding {
    /// Its number, formatted with its decimals.
    pub(super) number: String,
    /// Its claim, as a sentence without a full stop.
    pub(super) text: String,
    /// Its interval and p-value.
    pub(super) detail: String,
    /// Its basis: games and source.
    pub(super) basis: String,
    /// Its distance from no effect, in standard errors.
    pub(super) strength: f64,
}

impl Finding {
    /// Returns the finding as a sentence.
    pub(super) fn sentence(&self) -> String {
        let detail =
            if self.detail.is_empty() { String::new() } else { format!(" {}", self.detail) };
        let colon = if self.number.is_empty() { "" } else { ": " };
        format!("{}{colon}{}{detail}.", self.text, self.number)
    }
}

/// Returns the cards as HTML.
#[must_use]
pub(super) fn cards(all: &[&Source]) -> String {
    let decided = findings(all);
    let more = decided.len().saturating_sub(MOST);
    let mut out = "<ul class=\"cards\">\n".to_owned();
    for Finding { number, text, detail, basis, .. } in decided.iter().take(MOST).chain(&facts(all))
    {
        let [number, text, detail, basis] = [number, text, detail, basis].map(|text| escape(text));
        let number =
            if number.is_empty() { String::new() } else { format!("<strong>{number}</strong>") };
        let _ = writeln!(
            out,
            "<li>{number}<span class=\"claim\">{text}</span><span>{detail}</span><span>{basis}</span></li>"
        );
    }
    out += "</ul>\n";
    let note = match (decided.len(), more) {
        (0, _) => "Nothing is decided here, which does not mean that nothing differs.".to_owned(),
        (_, 0) => "The strongest evidence stands first, whatever study it is of.".to_owned(),
        (_, more) => format!(
            "The strongest evidence stands first, whatever study it is of; {more} more decided findings stand in the summary and in \
             the sections."
        ),
    };
    out + &crate::html::element("p", "soft", &note)
}

/// Returns all decided findings, strongest first.
pub(super) fn findings(all: &[&Source]) -> Vec<Finding> {
    let mut out: Vec<Finding> = all.iter().flat_map(|source| of(source)).collect();
    out.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    out
}

/// The deciding columns of the studies: the name of a table, and its estimate.
const DECIDING: [(&str, &str); 12] = [
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
    ("steps", "share"),
];

fn of(source: &Source) -> Vec<Finding> {
    let mut out: Vec<Finding> =
        source.sheet("standings").and_then(|sheet| leader(source, sheet)).into_iter().collect();
    for (name, column) in DECIDING {
        let Some(sheet) = source.sheet(name).filter(|sheet| sheet.column(column).is_some()) else {
            continue;
        };
        out.extend(sheet.rows.iter().filter_map(|row| decided(source, sheet, row, column)));
    }
    if source.kind == Kind::Search {
        out.extend(tuned(source));
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
    if found(sheet, row, within, zero) != Shape::Full || value - zero == 0.0 {
        return None;
    }
    let p = sheet.number(row, "p");
    let by = value - zero;
    Some(Finding {
        text: claim(source, sheet, row, by),
        number: signed(by, within.map_or(3, |ends| places(half(ends)))),
        detail: detail(within.map(|ends| ends.map(|end| end - zero)), p),
        basis: basis(source),
        strength: strength(by, within, p),
    })
}

/// Returns the distance of an estimate from no effect in standard errors, from its interval or else from its p-value.
fn strength(by: f64, within: Option<[f64; 2]>, p: Option<f64>) -> f64 {
    let error = within.map(|ends| half(ends) / HALF).filter(|error| error.is_finite());
    match (error, p) {
        (Some(error), _) if error > 0.0 => by.abs() / error,
        (None, Some(p)) => (-2.0 * p.max(1e-300).ln()).sqrt(),
        (Some(_), _) => f64::MAX,
        (None, None) => 0.0,
    }
}

fn detail(within: Option<[f64; 2]>, p: Option<f64>) -> String {
    let within = within.map(|ends| interval(ends, places(half(ends))));
    let parts: Vec<String> = within.into_iter().chain(p.map(p_value)).collect();
    parts.join(", ")
}

fn basis(source: &Source) -> String {
    match source.games {
        0 => source.place.clone(),
        n => format!("{} games, {}", fixed(n as f64, 0), source.place),
    }
}

/// Returns the claim of a decided row.
fn claim(source: &Source, sheet: &Sheet, row: &[String], by: f64) -> String {
    let label = sheet.label(row);
    let (more, gains) = if by > 0.0 { ("more", "gains") } else { ("less", "costs") };
    let season =
        sheet.number(row, "season").map_or_else(String::new, |n| format!(" in season {n}"));
    let place = sheet.number(row, "place").map_or_else(String::new, |n| format!("{}", n + 1.0));
    match (sheet.name.as_str(), source.kind) {
        ("panel", _) if sheet.column("A").is_some() => {
            let what = if by > 0.0 { "larger" } else { "smaller" };
            format!("{} is {what} under B than under A", sheet.text(row, "metric"))
        }
        ("panel", _) => source.statements.first().map_or(label, |text| short(text)),
        ("seats" | "seat_shares", _) => {
            format!("{label} gets {more} than an equal share of the points")
        }
        ("seats_alone", _) => {
            format!("{label} gets {more} than an equal share where the order is forced")
        }
        ("order", _) => format!("Going {} {gains} a share of the points{season}", ordinal(&place)),
        ("auction", _) => {
            format!("Bidding {} {gains} a share of the points{season}", ordinal(&place))
        }
        ("confirmed", Kind::Cards) => {
            let is = if by > 0.0 { "too cheap" } else { "too dear" };
            format!("{label} is {is}: its value less its price, confirmed on fresh seeds")
        }
        ("confirmed", _) => {
            format!("A token in {label} {gains} a share of the points, confirmed on fresh seeds")
        }
        ("bought", _) => format!("{label}: a place is worth {more} than what is paid for it"),
        ("restrictions", _) if by > 0.0 => {
            format!("It costs a seat a share of the points to be forbidden {label}")
        }
        ("restrictions", _) => {
            format!("A seat does better if it is forbidden {label}: the agent misuses it")
        }
        ("moved", _) => {
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

/// Returns a sentence up to its first colon.
fn short(text: &str) -> String {
    text.split(": ").next().unwrap_or(text).to_owned()
}

fn ordinal(number: &str) -> String {
    match number {
        "1" => "first".to_owned(),
        "2" => "second".to_owned(),
        "3" => "third".to_owned(),
        n => format!("{n}th"),
    }
}

/// Returns the p-value by which the first of a ranking is ahead of the second, if that is decided. A table without
/// `next_difference` needs no such check, because its p-value belongs to the order of its rows.
pub(super) fn leads(sheet: &Sheet, first: &[String]) -> Option<f64> {
    let p = sheet.number(first, "next_p").or_else(|| sheet.number(first, "p"))?;
    let is_ahead = sheet.number(first, "next_difference").is_none_or(|difference| difference > 0.0);
    (p < 0.05 && is_ahead).then_some(p)
}

/// Returns the leader of a ranking, if it is decided.
fn leader(source: &Source, sheet: &Sheet) -> Option<Finding> {
    let (first, second) = (sheet.rows.first()?, sheet.rows.get(1)?);
    let p = leads(sheet, first)?;
    let (share, within) = sheet.estimate(first, "share")?;
    let (other, _) = sheet.estimate(second, "share")?;
    if share <= other {
        return None;
    }
    let [name, next] = [first, second].map(|row| sheet.text(row, "agent"));
    Some(Finding {
        number: fixed(share, within.map_or(3, |ends| places(half(ends)))),
        text: format!("{name} is ahead of {next}: its share of the points"),
        detail: detail(within, Some(p)),
        basis: basis(source),
        strength: strength(0.0, None, Some(p)),
    })
}

/// Returns the finding of a search, if its gain is decided.
fn tuned(source: &Source) -> Option<Finding> {
    let sheet = source.sheet("verdict")?;
    let row = sheet.rows.first()?;
    let (gain, within) = sheet.estimate(row, "gain")?;
    let [low, high] = within?;
    (low > 0.0 || high < 0.0).then(|| Finding {
        number: signed(gain, places(half([low, high]))),
        text: source
            .statements
            .first()
            .map_or_else(|| "The search ended".to_owned(), |text| short(text)),
        detail: detail(within, None),
        basis: basis(source),
        strength: strength(gain, within, None),
    })
}

/// Returns facts without a verdict: the length of games, and the number of candidates of a screen.
pub(super) fn facts(all: &[&Source]) -> Vec<Finding> {
    let mut out = Vec::new();
    for source in all {
        let fact = |number: String, text: String, detail: String| Finding {
            number,
            text,
            detail,
            basis: basis(source),
            strength: 0.0,
        };
        if let Some(sheet) = source.sheet("length") {
            let name = sheet.estimates().first().copied().unwrap_or_default();
            if let Some((mean, within)) = sheet.estimate(&sheet.rows[0], name) {
                let digits = within.map_or(0, |ends| places(half(ends)));
                let text = format!("choices in a game{}", whose(source));
                out.push(fact(fixed(mean, digits), text, detail(within, None)));
            }
        }
        if let Some(text) = candidates(source) {
            out.push(fact(String::new(), text, String::new()));
        }
    }
    out
}

/// Returns the names of the agents, short enough for a card.
fn whose(source: &Source) -> String {
    let short = |spec: &String| spec.split('(').next().unwrap_or(spec).to_owned();
    let mut names: Vec<String> = source.agents.iter().map(short).collect();
    names.dedup();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!(" of {one}"),
        all => format!(" of {}", all.join(", ")),
    }
}

/// Returns a sentence with the number of candidates of a screen and the number confirmed on fresh seeds.
pub(super) fn candidates(source: &Source) -> Option<String> {
    let (name, column) = match source.kind {
        Kind::Cards => ("cards", "value"),
        Kind::Provinces => ("provinces", "token"),
        _ => return None,
    };
    let sheet = source.sheet(name)?;
    let is_found = |row: &&Vec<String>| {
        let within = sheet.estimate(row, column).and_then(|(_, within)| within);
        found(sheet, row, within, 0.0) == Shape::Full
    };
    let (n, of) = (sheet.rows.iter().filter(is_found).count(), sheet.rows.len());
    let again = source.sheet("confirmed").map_or_else(
        || "none was played again on fresh seeds, so that none is a finding".to_owned(),
        |again| {
            let held = ["surplus", "token"].into_iter().find(|name| again.column(name).is_some());
            let held = held.map_or(0, |name| {
                again.rows.iter().filter(|row| decided(source, again, row, name).is_some()).count()
            });
            format!(
                "{} were played again on fresh seeds, and {held} of them held",
                again.rows.len()
            )
        },
    );
    Some(format!("{n} of {of} rows of the screen of {name} are candidates; {again}"))
}
