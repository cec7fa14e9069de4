//! What a test of fixed length came to, in sentences and as a document.

use serde_json::json;

use super::compare::{
    caveats, closed, control, efficiency, elo, interval, lead, means, number, played, sentences,
    whole_document,
};
use super::format::terminal::{Look, listed};
use super::luck;
use super::table::{Mark, Note};
use crate::compare::Comparison;
use crate::compare::fixed_test::FixedTest;
use crate::compare::reference_games::Sharpened;
use crate::stats::fixed_length::Shown;
use crate::stats::{FixedLength, Sides};
use crate::units;

/// What a test shows, for programs.
#[must_use]
pub const fn word(told: Option<&FixedLength>) -> &'static str {
    match told {
        Some(FixedLength { shown: Shown::Above, .. }) => "above",
        Some(FixedLength { shown: Shown::Below, .. }) => "below",
        Some(FixedLength { shown: Shown::Within, .. }) => "within",
        _ => "undecided",
    }
}

/// The result as one JSON document, which begins like that of a sequential test; what does not exist is null.
#[must_use]
pub fn json(comparison: &Comparison, test: &FixedTest, sharpened: Option<&Sharpened>) -> String {
    let told = test.told();
    let elo = told.and_then(|t| lead(comparison, test.heard(), t.estimate, t.interval));
    let result = json!({
        "verdict": word(told.as_ref()),
        "h0": test.null().h0,
        "h1": null,
        "effect": told.map(|t| t.estimate),
        "low": told.map(|t| t.interval.low),
        "high": told.map(|t| t.interval.high),
        "p": told.map(|t| t.p),
        "blocks": test.heard().blocks(),
        "games": test.heard().games(),
        "elo": elo.map(|e| e.elo),
        "elo_low": elo.map(|e| e.interval.low),
        "elo_high": elo.map(|e| e.interval.high),
        "design": "fixed",
        "level": told.map(|_| 0.95),
        "is_two_sided": test.null().sides == Sides::Both,
        "mean_effect": test.heard().moments().mean() - test.null().zero,
    });
    whole_document(result, comparison, test.heard(), sharpened)
}

/// The result for people, down to the command.
#[must_use]
pub fn text(
    comparison: &Comparison,
    test: &FixedTest,
    sharpened: Option<&Sharpened>,
    look: Look,
) -> String {
    let heard = test.heard();
    let mut lines = effect(comparison, test);
    lines.extend([
        ("means", means(comparison, heard)),
        ("shared", efficiency(heard)),
        ("control", control(comparison, sharpened)),
    ]);
    lines.extend(luck::sentence(comparison, heard));
    lines.push(("played", played(comparison, heard)));
    lines.extend(caveats(comparison, heard));
    let mark = match test.told() {
        Some(FixedLength { shown: Shown::Nothing, .. }) | None => Mark::Open,
        Some(_) => Mark::Winner,
    };
    let verdict = ("verdict", Note::new(verdict(comparison, test)).marked(mark));
    listed(&closed(comparison, std::iter::once(verdict).chain(sentences(lines))), look)
}

/// Estimate, interval and p-value, and the same as Elo.
fn effect(comparison: &Comparison, test: &FixedTest) -> Vec<(&'static str, String)> {
    let unit = comparison.metric.unit();
    let Some(told) = test.told() else {
        let mean = test.heard().moments().mean() - test.null().zero;
        let mean = number(comparison, mean, true);
        let unknown = format!("{mean} {unit}; nothing is known of its spread: no interval");
        return vec![("effect", unknown)];
    };
    let estimate = number(comparison, told.estimate, true);
    let within = interval(comparison, told.interval);
    let p = units::p_value(told.p);
    let only =
        if test.was_stopped() { " only if it was not stopped for what it showed" } else { "" };
    let mut lines = vec![
        ("effect", format!("{estimate} {unit}, the mean of the blocks")),
        ("interval", format!("{within} 95 % by block{only}; {p} against h0, two-sided")),
    ];
    lines.extend(elo(comparison, test.heard(), told.estimate, told.interval));
    lines
}

fn verdict(comparison: &Comparison, test: &FixedTest) -> String {
    let h0 = number(comparison, test.null().h0, false);
    let names = comparison.plans[0].names();
    let shown = test.told().map_or(Shown::Nothing, |told| told.shown);
    let blocks = units::counted(test.heard().blocks(), "block");
    let metric = comparison.metric.name();
    let what = match (shown, comparison.plans.len()) {
        (Shown::Above, 1) => format!("{} gains more than {h0} on {}", names[0], names[1]),
        (Shown::Below, 1) => format!("{} gains less than {h0} on {}", names[0], names[1]),
        (Shown::Above, _) => format!("{metric} is larger under B than under A by more than {h0}"),
        (Shown::Below, _) => format!("{metric} is smaller under B than under A by more than {h0}"),
        (Shown::Within, _) => format!("{metric} differs by less than {h0} between A and B"),
        (Shown::Nothing, _) => {
            return format!("not told from h0 by {blocks}, which does not mean equal (h0 {h0})");
        }
    };
    format!("{what} (h0 {h0}, {blocks}, 5 % error)")
}

/// One line on how far a comparison is, without a look at its result.
#[must_use]
pub fn progress(test: &FixedTest) -> String {
    let of = units::counted(test.asked(), "block");
    format!("{} of {of}", units::count(test.heard().blocks()))
}
