//! Numbers of a comparison in the unit of its metric.

use lab::compare::Comparison;
use sim::stats::Interval;
use sim::stats::gsprt::LEAST_BLOCKS;
use sim::units;

/// Returns a number in the unit of the metric.
pub(super) fn number(comparison: &Comparison, x: f64, is_signed: bool) -> String {
    let digits = if comparison.metric.is_share() { 4 } else { 2 };
    if is_signed { units::signed(x, digits) } else { units::fixed(x, digits) }
}

/// Returns the interval in words, or a note that there is none yet.
pub(super) fn interval(comparison: &Comparison, Interval { low, high }: Interval) -> String {
    if !low.is_finite() || !high.is_finite() {
        return format!("[unknown before {LEAST_BLOCKS} blocks]");
    }
    format!("[{}, {}]", number(comparison, low, true), number(comparison, high, true))
}
