//! The report in words: sentences about the numbers, without claims beyond them.
//!
//! [`summary`] is the entry point.

use super::dashboard::findings;
use super::digits::{fixed, half, interval, places};
use super::finding::{Finding, basis, sentence_case};
use super::open::{candidates, even, open, ranking};
use super::rows::found;
use super::{Kind, Source};
use crate::html::element;
use crate::plot::Shape;

/// The largest number of findings of a run in the summary; the sections have all findings.
const MOST: usize = 12;

/// Returns the summary as HTML: run by run, in the order of the questions.
#[must_use]
pub(super) fn summary(all: &[&Source]) -> String {
    let mut out = "<div class=\"summary\">\n".to_owned();
    for source in all {
        let side = if source.side.is_empty() { "" } else { &format!("{}, ", source.side) };
        let head = format!("{} ({side}{})", source.question(), basis(source));
        out += &element("h3", "", &head);
        let decided = findings(source);
        // A p-value stays in one line.
        let whole = |text: &str| {
            text.replace("(p ", "(p\u{a0}").replace("< 0", "<\u{a0}0").replace("= 0", "=\u{a0}0")
        };
        for finding in decided.iter().take(MOST) {
            out += &element("p", "", &whole(&sentence_case(&finding.sentence(), source)));
        }
        if decided.len() > MOST {
            let more = decided.len() - MOST;
            out +=
                &element("p", "", &format!("{more} more decided findings stand in the section."));
        }
        for sentence in sentences(source, decided.is_empty()) {
            out += &element("p", "", &sentence_case(&sentence, source));
        }
        for caveat in &source.caveats {
            out += &element("p", "caveat", &format!("⚠ {caveat}"));
        }
    }
    out += &element(
        "p",
        "soft",
        "All findings hold for the agents that played, in the games that were played. They need not hold for people.",
    );
    out + "</div>\n"
}

/// Returns the sentences of a source beside its findings: undecided results, and facts without a verdict.
fn sentences(source: &Source, is_open: bool) -> Vec<String> {
    let mut out = Vec::new();
    let said = |finding: Option<Finding>| finding.map(|finding| finding.sentence());
    if is_open {
        out.extend(said(open(source)));
    } else {
        out.extend(said(candidates(source)));
        out.extend(source.sheet("standings").and_then(|sheet| said(ranking(sheet))));
    }
    for name in ["seats", "seat_shares"] {
        let is_said = is_open && source.kind == Kind::Seats;
        let sheet = source.sheet(name).filter(|_| !is_said);
        out.extend(sheet.and_then(|sheet| said(even(source, sheet))));
    }
    if source.has_two_rules() || source.kind == Kind::Ladder {
        out.extend(
            source.statements.iter().map(|text| text.trim_end_matches('.').to_owned() + "."),
        );
    }
    if let Some((sheet, value, within)) = source.sheet("length").and_then(|sheet| {
        let name = *sheet.estimates().first()?;
        let (value, within) = sheet.estimate(&sheet.rows[0], name)?;
        Some((sheet, value, within))
    }) {
        let of = if sheet.column("plies").is_some() { "choices" } else { "rounds" };
        out.push(format!("A game has {} {of} on average.", words(value, within)));
    }
    if let Some(sheet) = source.sheet("bought") {
        let undecided =
            sheet.rows.iter().filter(|row| found(sheet, row, None, 0.0) == Shape::Open).count();
        out.push(format!(
            "In {undecided} of {} seasons it is undecided if players pay too much for their place in the order.",
            sheet.rows.len()
        ));
    }
    out
}

/// Returns an estimate with its interval, in words.
fn words(value: f64, within: Option<[f64; 2]>) -> String {
    match within {
        Some(ends) => {
            let places = places(half(ends));
            format!("{} {}", fixed(value, places), interval(ends, places))
        }
        None => crate::plot::number(value),
    }
}
