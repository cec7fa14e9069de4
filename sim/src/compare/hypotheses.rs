//! What a comparison tests: H0 and H1 as they were asked for, and as they are checked.

use super::metric::Metric;
use super::{DEFAULT_ERROR, Request};
use crate::error::Error;
use crate::stats::gsprt::LEAST_BLOCKS;
use crate::stats::{Question, Range, Sides};
use crate::units;

/// The effect that is looked for in shares when none is given, in points per game.
pub const DEFAULT_EFFECT: f64 = 0.05;
/// The least distance of H1 from H0 that can be asked for: no run is long enough to see a smaller one.
pub const LEAST_EFFECT: f64 = 1e-9;

/// Checks the numbers of `request` that depend on nothing else.
pub(super) fn check(request: &Request) -> Result<(), Error> {
    for (name, value) in [("alpha", request.alpha), ("beta", request.beta)] {
        if let Some(value) = value
            && !(0.0001..=0.4).contains(&value)
        {
            let value = units::given(value);
            return refuse(format!("--{name} {value} is out of range (accepted: 0.0001 to 0.4)"));
        }
    }
    match (request.effect, request.h0, request.h1) {
        (Some(effect), Some(_), _) | (Some(effect), _, Some(_)) => {
            let effect = units::given(effect);
            return refuse(format!(
                "--effect {effect} is short for --h0 0 --h1 {effect}: give either --effect, or --h0 \
                 and --h1"
            ));
        }
        (Some(effect), ..) if !(effect > 0.0 && effect.is_finite()) => {
            let effect = units::given(effect);
            return refuse(format!("--effect {effect} is out of range (accepted: above 0)"));
        }
        (Some(effect), ..) if effect < LEAST_EFFECT => {
            let (effect, least) = (units::given(effect), units::given(LEAST_EFFECT));
            return refuse(format!("--effect {effect} is out of range (accepted: from {least})"));
        }
        (_, Some(h0), None) => {
            let h0 = units::given(h0);
            return refuse(format!("--h0 {h0} needs --h1, the effect under H1, above it"));
        }
        (_, h0, Some(h1)) if h0.unwrap_or(0.0) >= h1 => {
            let (h0, h1) = (units::given(h0.unwrap_or(0.0)), units::given(h1));
            return refuse(format!("--h1 {h1} must be above --h0 {h0}"));
        }
        (_, h0, Some(h1)) if h1 - h0.unwrap_or(0.0) < LEAST_EFFECT => {
            let (h1, least) = (units::given(h1), units::given(LEAST_EFFECT));
            return refuse(format!("--h1 {h1} must be at least {least} above --h0"));
        }
        _ => {}
    }
    match request.most_blocks {
        Some(blocks) if blocks < LEAST_BLOCKS => refuse(format!(
            "--max-blocks {blocks} is out of range (accepted: at least {LEAST_BLOCKS}, since most \
             verdicts need so many)"
        )),
        _ => Ok(()),
    }
}

/// What is tested of a candidate among `players`: one-sided, effects over an equal share.
pub(super) fn of_agents(request: &Request, players: usize) -> Result<Question, Error> {
    let zero = 1.0 / players as f64;
    let (h0, h1) = bounds(request).unwrap_or((0.0, DEFAULT_EFFECT));
    if zero + h1 >= 1.0 {
        return refuse(format!(
            "{} is out of range: an equal share of {players} players is {}, so less than {} can be \
             gained",
            option_of_h1(request, h1),
            units::share(zero),
            units::share(1.0 - zero)
        ));
    }
    if zero + h0 <= 0.0 {
        return refuse(format!(
            "--h0 {} is out of range: an equal share of {players} players is {}, so no more can be lost",
            units::given(h0),
            units::share(zero)
        ));
    }
    Ok(question(request, Range::SHARES, zero, (h0, h1), Sides::Above))
}

/// What is tested of two rule sets: two-sided, sizes of the difference.
pub(super) fn of_rules(request: &Request, metric: &Metric) -> Result<Question, Error> {
    let range = metric.range_of_differences();
    let Some((h0, h1)) =
        bounds(request).or_else(|| metric.is_share().then_some((0.0, DEFAULT_EFFECT)))
    else {
        return refuse(format!(
            "--metric {} needs --effect: the smallest difference that matters (unit: {})",
            metric.name(),
            metric.unit()
        ));
    };
    if h0 < 0.0 {
        return refuse(format!(
            "--h0 {} is out of range: between rule sets H0 and H1 are about the size of the \
             difference, in either direction (accepted: at least 0)",
            units::given(h0)
        ));
    }
    let most = match range {
        Range::Within(_, most) => most,
        Range::Anywhere => metric.largest_difference(),
    };
    if h1 >= most {
        return refuse(format!(
            "{} is out of range: {} differ by less than {}",
            option_of_h1(request, h1),
            if metric.is_share() { "shares" } else { "values of this metric" },
            units::given(most)
        ));
    }
    Ok(question(request, range, 0.0, (h0, h1), Sides::Both))
}

/// The options that ask for these hypotheses.
pub(super) fn options(h0: f64, h1: f64) -> String {
    if h0 == 0.0 { format!("--effect {h1}") } else { format!("--h0 {h0} --h1 {h1}") }
}

/// The effects under H0 and H1, if they were given.
fn bounds(request: &Request) -> Option<(f64, f64)> {
    let h1 = request.effect.or(request.h1)?;
    Some((request.h0.unwrap_or(0.0), h1))
}

/// The option by which H1 was given.
fn option_of_h1(request: &Request, h1: f64) -> String {
    let name = if request.h1.is_some() { "h1" } else { "effect" };
    format!("--{name} {}", units::given(h1))
}

fn question(
    request: &Request,
    range: Range,
    zero: f64,
    (h0, h1): (f64, f64),
    sides: Sides,
) -> Question {
    let alpha = request.alpha.unwrap_or(DEFAULT_ERROR);
    let beta = request.beta.unwrap_or(DEFAULT_ERROR);
    Question { range, zero, h0, h1, sides, alpha, beta }
}

fn refuse<T>(complaint: String) -> Result<T, Error> {
    Err(Error::Usage(complaint))
}
