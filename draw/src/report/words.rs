//! The report in words, on one page: sentences made of the numbers, and never beyond them.

use super::dashboard::{RESTRICTIONS, prices, seats, strongest, words};
use super::{Kind, Sheet, Source};
use crate::html::element;

/// The summary as HTML.
#[must_use]
pub(super) fn summary(all: &[&Source]) -> String {
    let mut out = "<div class=\"summary\">\n".to_owned();
    for source in all {
        for sentence in sentences(source) {
            out += &element("p", "", &sentence);
        }
        for caveat in &source.caveats {
            out += &element("p", "caveat", caveat);
        }
    }
    let mut rules: Vec<&str> = all.iter().map(|source| source.rules.as_str()).collect();
    rules.sort_unstable();
    rules.dedup();
    for rules in rules.into_iter().filter(|rules| !rules.is_empty()) {
        out += &element("p", "caveat", &format!("All this holds under these rules: {rules}."));
    }
    out += &element(
        "p",
        "soft",
        "These are findings about the agents that played, in the games that were played: what is undecided may still be so, and \
         what holds for them need not hold for people.",
    );
    out + "</div>\n"
}

/// What a source says.
fn sentences(source: &Source) -> Vec<String> {
    let mut out = Vec::new();
    let n = match source.games {
        0 => String::new(),
        n => format!("In {n} games of {} players", source.players),
    };
    let opening = |what: String| match n.is_empty() {
        true => format!("{}{what}.", source.place.clone() + ": "),
        false => format!("{n}, {what}."),
    };
    if let Some(sheet) = source.sheet("standings") {
        out.extend(ranking(sheet).map(opening));
    }
    for name in ["seats", "seat_shares"] {
        out.extend(source.sheet(name).map(|sheet| opening(seats(source, sheet))));
    }
    if let Some(sheet) = source.sheet("cards") {
        let [cheap, dear] = ["cheap", "dear"].map(|verdict| {
            sheet.rows.iter().filter(|row| sheet.text(row, "verdict").contains(verdict)).count()
        });
        let all = sheet.rows.len();
        let names: Vec<String> =
            prices(sheet).into_iter().map(|(about, text)| format!("{about}: {text}")).collect();
        out.push(opening(format!(
            "{cheap} of {all} prices (card and season) are found too low and {dear} too high; {} are undecided, which is not the \
             same as fair. {}",
            all - cheap - dear,
            names.join(". ")
        )));
    }
    if let Some(sheet) = source.sheet("provinces") {
        out.push(opening(strongest(sheet, "token", "worth of a token")));
    }
    if let Some(sheet) = source.sheet("bought") {
        out.push(opening(bought(sheet)));
    }
    if let Some(sheet) = source.sheet("game") {
        for row in &sheet.rows {
            if let Some(estimate) = sheet.estimate(row, "value") {
                out.push(format!(
                    "{}: {}.",
                    sentence_case(sheet.text(row, "figure")),
                    words(estimate)
                ));
            }
        }
    }
    if let Some(sheet) = source.sheet("streams") {
        out.push(opening(strongest(sheet, "total", "shares of the variance of the result")));
    }
    if let Some(sheet) = source.sheet("restrictions") {
        out.push(opening(strongest(sheet, "cost", RESTRICTIONS)));
    }
    if matches!(source.kind, Kind::Comparison | Kind::Search | Kind::Ladder) {
        out.extend(source.statements.iter().map(|text| sentence_case(text) + "."));
    }
    out
}

/// Begun with an upper-case letter.
fn sentence_case(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Who is ahead of whom, as far as it is decided.
fn ranking(sheet: &Sheet) -> Option<String> {
    let first = sheet.rows.first()?;
    let share = words(sheet.estimate(first, "share")?);
    let name = sheet.text(first, "agent");
    let second = sheet.rows.get(1).map(|row| sheet.text(row, "agent"));
    let p = sheet.number(first, "next_p").or_else(|| sheet.number(first, "p"));
    // Columns of a ranking; a table of other origin has neither, and its p-value has the sign of the order.
    let is_ahead = sheet.number(first, "next_difference").is_none_or(|difference| difference > 0.0);
    let lead = match (second, p, sheet.text(first, "met_next")) {
        (Some(second), Some(p), _) if p < 0.05 && is_ahead => {
            format!(", ahead of {second} (p = {})", crate::plot::number(p))
        }
        (Some(second), Some(_), _) => format!("; that it is ahead of {second} is not decided"),
        (Some(second), None, "False") => format!("; it never met {second}, the next"),
        (Some(_), None, "True") => {
            "; but all blocks are copies of one, so that nothing is decided".to_owned()
        }
        // The candidate of a gauntlet stands first, whoever is the better one.
        (Some(_), None, _) => {
            return Some(format!("{name} gets a share of {share} against the others"));
        }
        (None, ..) => String::new(),
    };
    Some(format!("{name} gets the largest share of the points, {share}{lead}"))
}

/// Whether players pay too much for what they buy.
fn bought(sheet: &Sheet) -> String {
    let of = |verdict: &str| {
        sheet.rows.iter().filter(|row| sheet.text(row, "verdict").contains(verdict)).count()
    };
    let undecided = of("undecided");
    match sheet.rows.len() - undecided {
        0 => "whether players pay too much or too little for their place in the order is decided in no season".to_owned(),
        n => format!("whether players pay too much or too little for their place in the order is decided in {n} of {} seasons", sheet.rows.len()),
    }
}
