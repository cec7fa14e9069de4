//! The report in words, on one page: sentences made of the numbers, and never beyond them.

use super::dashboard::{candidates, facts, findings, leads};
use super::digits::{fixed, half, interval, places};
use super::rows::found;
use super::{Kind, Sheet, Source};
use crate::html::element;
use crate::plot::Shape;

/// Findings that are said at most; the sections have all.
const MOST: usize = 30;

/// The summary as HTML.
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

/// An estimate with its interval, in words.
pub(super) fn words(value: f64, within: Option<[f64; 2]>) -> String {
    match within {
        Some(ends) => {
            let places = places(half(ends));
            format!("{} {}", fixed(value, places), interval(ends, places))
        }
        None => crate::plot::number(value),
    }
}

/// What a source says beside its findings: what is not decided, and what answers no question of more or less.
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

/// Says where no seat is found to be better or worse, and by how much one could be.
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

/// Begun with an upper-case letter.
pub(super) fn sentence_case(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Who has the largest share where it is not decided whether they are ahead, and why.
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
        // The candidate of a gauntlet stands first, whoever is the better one.
        (None, _) => format!("{name} gets a share of {share} against the others."),
    })
}
