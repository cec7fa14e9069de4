//! Sentences and document of a test's forecast.

use serde_json::json;

use super::compare::{closed, sentences, with_changes};
use super::format::terminal::{TerminalStyle, listed};
use super::metric::number;
use lab::compare::Comparison;
use lab::compare::forecast::{Forecast, Lengths, detectable};
use sim::document::document;
use sim::stats::gsprt::LEAST_BLOCKS;
use sim::stats::{Moments, Question};
use sim::units;

/// Returns the forecast of a test, for people, from the values of a pilot's blocks that took `seconds`.
#[must_use]
pub fn forecast(
    comparison: &Comparison,
    pilot: &Moments,
    forecast: &Forecast,
    seconds: f64,
    look: TerminalStyle,
) -> String {
    let spread = pilot.variance().sqrt();
    let per_block = comparison.games_per_block() as f64;
    let pace = seconds / pilot.n().max(1) as f64;
    let need = |blocks: f64| {
        let blocks = blocks.ceil();
        let time = units::seconds(blocks * pace);
        let games = units::count((blocks * per_block) as u64);
        format!("{} blocks, {games} games, {time}", units::count(blocks as u64))
    };
    let ends = |lengths: &Lengths| {
        let by = |(part, blocks): (f64, f64)| {
            format!("{} % by {}", units::hundredths(part), need(blocks))
        };
        lengths.quantiles().map(by).join("; ")
    };
    let question: &Question = &forecast.question;
    let size = |x: f64| number(comparison, x, false);
    let seen = detectable(question, spread, comparison.most_blocks());
    let lines = vec![
        (
            "pilot",
            format!(
                "{} on seed {} (not part of the test); standard deviation of a block {}",
                units::counted(pilot.n(), "block"),
                comparison.pilot_seed(),
                size(spread)
            ),
        ),
        ("fixed", format!("{} for a fixed sample size", need(forecast.fixed))),
        (
            "at h0",
            format!("if the effect is {}, tests end: {}", size(question.h0), ends(&forecast.at_h0)),
        ),
        (
            "at h1",
            format!("if the effect is {}, tests end: {}", size(question.h1), ends(&forecast.at_h1)),
        ),
        (
            "most",
            format!(
                "{}: enough for a fixed sample size with h1 {} above h0",
                need(comparison.most_blocks() as f64),
                size(seen)
            ),
        ),
        (
            "note",
            format!(
                "A pilot of {} gives these numbers within a factor of about two. A verdict before {LEAST_BLOCKS} \
                 blocks needs an effect far beyond h1 or h0",
                units::counted(pilot.n(), "block")
            ),
        ),
    ];
    listed(&closed(comparison, sentences(lines)), look)
}

/// Returns the forecast of a test as one JSON document.
#[must_use]
pub fn forecast_json(
    comparison: &Comparison,
    pilot: &Moments,
    forecast: &Forecast,
    seconds: f64,
) -> String {
    let per_block = comparison.games_per_block() as f64;
    let pace = seconds / pilot.n().max(1) as f64;
    let need = |blocks: f64| {
        let blocks = blocks.ceil();
        json!({"blocks": blocks, "games": blocks * per_block, "minutes": blocks * pace / 60.0})
    };
    let ends = |Lengths { median, most, nearly_all }: Lengths| json!({"median": need(median), "by_80": need(most), "by_95": need(nearly_all)});
    let forecast = json!({
        "pilot_blocks": pilot.n(),
        "pilot_seed": comparison.pilot_seed(),
        "spread": pilot.variance().sqrt(),
        "h0": forecast.question.h0,
        "h1": forecast.question.h1,
        "fixed": need(forecast.fixed),
        "at_h0": ends(forecast.at_h0),
        "at_h1": ends(forecast.at_h1),
        "command": comparison.command(),
    });
    document(&with_changes(forecast, &comparison.plans))
}
