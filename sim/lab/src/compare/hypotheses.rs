//! The hypotheses of a comparison: H0 and H1 from the request, validated.

use super::metric::Metric;
use super::{DEFAULT_ERROR, Design, Request};
use sim::error::Error;
use sim::stats::gsprt::LEAST_BLOCKS;
use sim::stats::{Null, Question, Range, Sides};
use sim::units;

/// The default effect in shares, in points per game.
pub const DEFAULT_EFFECT: f64 = 0.05;
/// The smallest accepted distance of H1 from H0: no run is long enough to find a smaller effect.
pub const LEAST_EFFECT: f64 = 1e-9;
/// The smallest number of blocks of a test of fixed length: the coverage of intervals is not validated for fewer.
pub const LEAST_FIXED: u64 = 5;

/// Checks the numbers of `request` that depend on no other value.
pub(super) fn check(request: &Request) -> Result<(), Error> {
    check_length(request)?;
    for (name, value) in [("alpha", request.alpha), ("beta", request.beta)] {
        if let Some(value) = value.filter(|value| !(0.0001..=0.4).contains(value)) {
            return refuse(name, value, "it is out of range (accepted: 0.0001 to 0.4)");
        }
    }
    let least = units::given(LEAST_EFFECT);
    match (request.effect, request.h0, request.h1) {
        (Some(effect), Some(_), _) | (Some(effect), _, Some(_)) => {
            let both = format!("h0 = 0 and h1 = {}", units::given(effect));
            refuse(
                "effect",
                effect,
                format!("it is short for {both}: give either effect, or h0 and h1"),
            )
        }
        (Some(effect), ..) if !(effect > 0.0 && effect.is_finite()) => {
            refuse("effect", effect, "it is out of range (accepted: above 0)")
        }
        (Some(effect), ..) if effect < LEAST_EFFECT => {
            refuse("effect", effect, format!("it is out of range (accepted: from {least})"))
        }
        (_, Some(_), None) if request.fixed.is_some() => Ok(()),
        (_, Some(h0), None) => refuse("h0", h0, "it needs h1, the effect under H1, above it"),
        (_, h0, Some(h1)) if h0.unwrap_or(0.0) >= h1 => {
            let h0 = units::given(h0.unwrap_or(0.0));
            refuse("h1", h1, format!("it must be above h0, which is {h0}"))
        }
        (_, h0, Some(h1)) if h1 - h0.unwrap_or(0.0) < LEAST_EFFECT => {
            refuse("h1", h1, format!("it must be at least {least} above h0"))
        }
        _ => Ok(()),
    }
}

/// Checks the length of the test, and refuses options of a sequential test in one of fixed length.
fn check_length(request: &Request) -> Result<(), Error> {
    let too_few = |name, blocks: u64, accepted: String| {
        let message = format!("it is out of range (accepted: at least {accepted})");
        Err(Error::value(name, blocks.to_string(), message))
    };
    let Some(blocks) = request.fixed else {
        return match request.most_blocks {
            Some(blocks) if blocks < LEAST_BLOCKS => {
                let accepted = format!("{LEAST_BLOCKS}, since most verdicts need so many");
                too_few("max-blocks", blocks, accepted)
            }
            _ => Ok(()),
        };
    };
    let of_sequential = [
        ("max-blocks", request.most_blocks.is_some()),
        ("h1", request.h1.is_some()),
        ("alpha", request.alpha.is_some()),
        ("beta", request.beta.is_some()),
    ];
    if let Some((name, _)) = of_sequential.into_iter().find(|(_, is_given)| *is_given) {
        let message = format!(
            "a fixed-length test reports a p-value and a 95 % interval and takes only an effect or h0; {name} belongs \
             to a sequential test: give either fixed or {name}"
        );
        return Err(Error::value("fixed", blocks.to_string(), message));
    }
    if blocks < LEAST_FIXED {
        let accepted = format!("{LEAST_FIXED}, since fewer do not show their spread");
        return too_few("fixed", blocks, accepted);
    }
    Ok(())
}

/// Returns the test of a candidate among `players`; effects are relative to an equal share. The default is a two-sided
/// test of an effect; h0 and h1 make it one-sided.
pub(super) fn of_agents(request: &Request, players: usize) -> Result<Design, Error> {
    let zero = 1.0 / players as f64;
    let (h0, h1) = bounds(request).unwrap_or((0.0, DEFAULT_EFFECT));
    let is_one_sided = request.h0.is_some() || request.h1.is_some() || request.fixed.is_some();
    if zero + h1.max(h0) >= 1.0 {
        let (equal, most) = (units::share(zero), units::share(1.0 - zero));
        return refuse(
            name_of_h1(request),
            h1.max(h0),
            format!(
                "it is out of range: an equal share of {players} players is {equal}, so less than {most} can be gained"
            ),
        );
    }
    if zero + h0 <= 0.0 {
        let equal = units::share(zero);
        return refuse(
            "h0",
            h0,
            format!(
                "it is out of range: an equal share of {players} players is {equal}, so no more can be lost"
            ),
        );
    }
    if !is_one_sided && h1 >= zero {
        let equal = units::share(zero);
        return refuse(
            "effect",
            h1,
            format!(
                "it is out of range: an equal share of {players} players is {equal}, so less than {equal} can be lost; \
                 give h0 and h1 to look for gains alone"
            ),
        );
    }
    let sides = if is_one_sided { Sides::Above } else { Sides::Both };
    let null = Null { range: Range::SHARES, zero, h0, sides };
    Ok(design(request, null, h1, Some(DEFAULT_EFFECT)))
}

/// Returns the two-sided test of two rule sets; effects are sizes of the difference.
pub(super) fn of_rules(request: &Request, metric: &Metric) -> Result<Design, Error> {
    let range = metric.range_of_differences();
    let Some((h0, h1)) =
        bounds(request).or_else(|| metric.is_share().then_some((0.0, DEFAULT_EFFECT)))
    else {
        let unit = metric.unit();
        return Err(Error::value(
            "metric",
            metric.name(),
            format!("it needs an effect, the smallest difference that matters (unit: {unit})"),
        ));
    };
    if h0 < 0.0 {
        return refuse(
            "h0",
            h0,
            "it is out of range: between rule sets H0 and H1 are about the size of the difference, in either \
             direction (accepted: at least 0)",
        );
    }
    let most = match range {
        Range::Within(_, most) => most,
        Range::Anywhere => metric.largest_difference(),
    };
    if h1.max(h0) >= most {
        let what = if metric.is_share() { "shares" } else { "values of this metric" };
        let most = units::given(most);
        return refuse(
            name_of_h1(request),
            h1.max(h0),
            format!("it is out of range: {what} differ by less than {most}"),
        );
    }
    let usual = metric.is_share().then_some(DEFAULT_EFFECT);
    Ok(design(request, Null { range, zero: 0.0, h0, sides: Sides::Both }, h1, usual))
}

/// Returns the effects under H0 and H1, if given; a test of fixed length has no H1.
fn bounds(request: &Request) -> Option<(f64, f64)> {
    if request.fixed.is_some() {
        let h0 = request.h0.unwrap_or(0.0);
        return Some((h0, request.effect.unwrap_or(h0)));
    }
    let h1 = request.effect.or(request.h1)?;
    Some((request.h0.unwrap_or(0.0), h1))
}

/// Returns the name of the option that set H1.
const fn name_of_h1(request: &Request) -> &'static str {
    match request {
        Request { fixed: Some(_), effect: None, .. } => "h0",
        Request { h1: Some(_), .. } => "h1",
        _ => "effect",
    }
}

/// Returns the design; `usual` is the metric's default effect.
fn design(request: &Request, null: Null, h1: f64, usual: Option<f64>) -> Design {
    let Null { range, zero, h0, sides } = null;
    if request.fixed.is_some() {
        let given = Some(h0.abs()).filter(|size| *size > 0.0);
        let effect = request.effect.or(given).or(usual);
        return Design::Fixed(null, effect);
    }
    let alpha = request.alpha.unwrap_or(DEFAULT_ERROR);
    let beta = request.beta.unwrap_or(DEFAULT_ERROR);
    Design::Sequential(Question { range, zero, h0, h1, sides, alpha, beta })
}

fn refuse<T>(name: &'static str, value: f64, complaint: impl Into<String>) -> Result<T, Error> {
    Err(Error::value(name, units::given(value), complaint))
}
