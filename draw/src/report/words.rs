//! The report in words: sentences about the numbers, without claims beyond them.
//!
//! [`summary`] is the entry point.

use super::dashboard::{candidates, facts, findings, leads};
use super::digits::{fixed, half, interval, places};
use super::rows::found;
use super::{Kind, Sheet, Source};
use crate::html::element;
use crate::plot::Shape;

/// The largest number of findings in the summary; the sections have all findings.
const MOST: usize = 30;

/// Returns the summary as HTML.
#[must_use]
pub(super) fn summary(all: &[&Source]) -> String {
    let mut out = "<div class=\"summary\">\n".to_owned();
    let decided = findings(all);
    for finding in decided.iter().take(MOST) {
        out += &element("p", "", &sentence_case(&finding.sentence()));
    }
    if decided.len() > MOST {
        let more = decided.len() - MOST;
        out += &element("p", "", &format!("{more} more decided findings stand in the sections."));
    }
    for source in all {
        for sentence in sentences(source) {
            out += &element("p", "", &sentence_case(&sentence));
        }
        for caveat in &source.caveats {
            out += &element("p", "caveat", caveat);
        }
    }
    for fact in facts(all).iter().filter(|fact| !fact.number.is_empty()) {
        let (number, detail) = (&fact.number, &fact.detail);
        let text = format!("There are {number} {detail} {} ({}).", fact.text, fact.basis);
        out += &element("p", "", &text);
    }
    out += &element(
        "p",
        "soft",
        "These are findings about the agents that played, in the games that were played: what is undecided may still be so, and \
         what holds for them need not hold for people.",
    );
    out + "</div>\n"
}

/// Returns an estimate with its interval, in words.
pub(super) fn words(value: f64, within: Option<[f64; 2]>) -> String {
    match within {
        Some(ends) => {
            let places = places(half(ends));
            format!("{} {}", fixed(value, places), interval(ends, places))
        }
        None => crate::plot::number(value),
    }
}

/// Returns the sentences of a source beside its findings: undecided results, and facts without a verdict.
fn sentences(source: &Source) -> Vec<String> {
    let mut out: Vec<String> = candidates(source).map(|text| text + ".").into_iter().collect();
    if let Some(sheet) = source.sheet("standings") {
        out.extend(ranking(sheet));
    }
    for (name, what) in [("seats", "seats"), ("seat_shares", "seats")] {
        out.extend(source.sheet(name).and_then(|sheet| even(source, sheet, what)));
    }
    if matches!(source.kind, Kind::Comparison | Kind::Search | Kind::Ladder) {
        out.extend(
            source.statements.iter().map(|text| text.trim_end_matches('.').to_owned() + "."),
        );
    }
    if let Some(sheet) = source.sheet("game") {
        for row in &sheet.rows {
            if let Some((value, within)) = sheet.estimate(row, "value") {
                let figure = sheet.text(row, "figure");
                out.push(format!("A game has {figure}: {}.", words(value, within)));
            }
        }
    }
    if source.sheet("streams").is_some() {
        out.push("How much of the result the streams of random numbers decide is bounded from below and above; the bars in the section show both.".to_owned());
    }
    if let Some(sheet) = source.sheet("bought") {
        let undecided =
            sheet.rows.iter().filter(|row| found(sheet, row, None, 0.0) == Shape::Open).count();
        out.push(format!(
            "Whether players pay too much or too little for their place in the order is not decided in {undecided} of {} seasons.",
            sheet.rows.len()
        ));
    }
    out
}

/// Returns a sentence about seats without a decided difference, with the largest difference that remains possible.
fn even(source: &Source, sheet: &Sheet, what: &str) -> Option<String> {
    let (name, zero) = match sheet.column("effect") {
        Some(_) => ("effect", 0.0),
        None => ("share", 1.0 / source.players.max(1) as f64),
    };
    let mut most = 0.0f64;
    for row in &sheet.rows {
        let (_, within) = sheet.estimate(row, name)?;
        if found(sheet, row, within, zero) == Shape::Full {
            return None;
        }
        let [low, high] = within?;
        most = most.max((low - zero).abs()).max((high - zero).abs());
    }
    (most < 1.0 && most > 0.0).then(|| {
        format!(
            "No difference between the {what} is decided; what the games leave open is up to {} of the points from an equal share ({}).",
            fixed(most, 3),
            source.place
        )
    })
}

/// Returns `text` with a capital first letter.
pub(super) fn sentence_case(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Returns a sentence about the largest share of a ranking whose leader is not decided, with the reason.
fn ranking(sheet: &Sheet) -> Option<String> {
    let (first, second) = (sheet.rows.first()?, sheet.rows.get(1)?);
    if leads(sheet, first).is_some() {
        return None;
    }
    let (share, within) = sheet.estimate(first, "share")?;
    let share = words(share, within);
    let [name, next] = [first, second].map(|row| sheet.text(row, "agent"));
    let p = sheet.number(first, "next_p").or_else(|| sheet.number(first, "p"));
    Some(match (p, sheet.text(first, "met_next")) {
        (Some(_), _) => format!(
            "It is not decided that {name}, with the largest share of the points ({share}), is ahead of {next}."
        ),
        (None, "False") => {
            format!(
                "{name} has the largest share of the points ({share}), but never met {next}, the next."
            )
        }
        (None, "True") => format!(
            "{name} has the largest share of the points ({share}), but all blocks are copies of one, so that nothing is decided."
        ),
        // The candidate of a gauntlet stands first, even if it is weaker.
        (None, _) => format!("{name} gets a share of {share} against the others."),
    })
}
