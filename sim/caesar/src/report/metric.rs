//! Numbers of a comparison in the unit of its metric.

use super::table::Scale;
use lab::compare::Comparison;
use sim::stats::Interval;
use sim::stats::gsprt::LEAST_BLOCKS;
use sim::units;

/// Returns the digits of a number in the unit of the metric: those that its interval bears, if it has one.
pub(super) fn digits(comparison: &Comparison, interval: Option<Interval>) -> usize {
    let of_unit = if comparison.metric.is_share() { 4 } else { 2 };
    interval.and_then(|interval| Scale::Signed(of_unit).borne(interval)).unwrap_or(of_unit)
}

/// Returns a number in the unit of the metric.
pub(super) fn number(comparison: &Comparison, x: f64, is_signed: bool) -> String {
    let digits = digits(comparison, None);
    if is_signed { units::signed(x, digits) } else { units::fixed(x, digits) }
}

/// Returns an estimate of the effect with the digits that its interval bears.
pub(super) fn estimate(comparison: &Comparison, x: f64, interval: Interval) -> String {
    units::signed(x, digits(comparison, Some(interval)))
}

/// Returns the interval in words, or a note that there is none yet.
pub(super) fn interval(comparison: &Comparison, interval: Interval) -> String {
    let Interval { low, high } = interval;
    if !low.is_finite() || !high.is_finite() {
        return format!("[unknown before {LEAST_BLOCKS} blocks]");
    }
    let [low, high] = [low, high].map(|x| estimate(comparison, x, interval));
    format!("[{low}, {high}]")
}
