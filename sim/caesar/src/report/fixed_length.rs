//! Sentences and document of a fixed-length test's result.

use serde_json::json;

use super::compare::{Details, headline, lead, whole_document};
use super::format::terminal::TerminalStyle;
use super::headline::Finding;
use super::metric::number;
use lab::compare::Comparison;
use lab::compare::fixed_test::FixedTest;
use lab::compare::reference_games::Sharpened;
use sim::stats::fixed_length::Shown;
use sim::stats::{FixedLength, Sides};
use sim::units;

/// Returns the result as one JSON document, which begins like that of a sequential test; missing values are null.
#[must_use]
pub fn json(comparison: &Comparison, test: &FixedTest, sharpened: Option<&Sharpened>) -> String {
    let (result, finding) = (test.result(), Finding::of_fixed(test));
    let elo = result.and_then(|t| lead(comparison, test.block_stats(), t.estimate, t.interval));
    let result = json!({
        "verdict": finding.name(comparison),
        "h0": test.null().h0,
        "h1": null,
        "effect": result.map(|t| t.estimate),
        "low": result.map(|t| t.interval.low),
        "high": result.map(|t| t.interval.high),
        "p": result.map(|t| t.p),
        "blocks": test.block_stats().blocks(),
        "games": test.block_stats().games(),
        "elo": elo.map(|e| e.elo),
        "elo_low": elo.map(|e| e.interval.low),
        "elo_high": elo.map(|e| e.interval.high),
        "sentence": finding.sentence(comparison, test.block_stats()),
        "no_difference_above": finding.above,
        "test": shown(result.as_ref()),
        "design": "fixed",
        "level": result.map(|_| 0.95),
        "is_two_sided": test.null().sides == Sides::Both,
        "mean_effect": test.block_stats().moments().mean() - test.null().zero,
    });
    whole_document(result, comparison, test.block_stats(), sharpened)
}

/// Returns the verdict on h0 by the interval, for programs.
fn shown(result: Option<&FixedLength>) -> &'static str {
    match result.map(|result| result.shown) {
        Some(Shown::Above) => "above",
        Some(Shown::Below) => "below",
        Some(Shown::Within) => "within",
        Some(Shown::Nothing) | None => "undecided",
    }
}

/// Returns the result for people, including the command; `is_long` adds details of the test.
#[must_use]
pub fn text(
    comparison: &Comparison,
    test: &FixedTest,
    sharpened: Option<&Sharpened>,
    is_long: bool,
    look: TerminalStyle,
) -> String {
    let finding = Finding::of_fixed(test);
    let more = is_long.then(|| Details { lines: details(comparison, test), sharpened });
    headline(comparison, test.block_stats(), &finding, more, look)
}

/// Returns the estimate and its interval.
fn details(comparison: &Comparison, test: &FixedTest) -> Vec<(&'static str, String)> {
    let h0 = number(comparison, test.null().h0, false);
    let only = match test.was_stopped() {
        true => "; the interval is valid only if the results did not decide when the run stopped",
        false => "",
    };
    let text = format!(
        "mean of {} (fixed sample size), 95 % interval by block; two-sided p-value against h0 {h0}{only}",
        units::counted(test.block_stats().blocks(), "block")
    );
    vec![("test", text)]
}

/// Returns the progress of a comparison in one line, without a look at its result.
#[must_use]
pub fn progress(test: &FixedTest) -> String {
    let of = units::counted(test.planned_blocks(), "block");
    format!("{} of {of}", units::count(test.block_stats().blocks()))
}
