//! Number of decimals on a page: an interval determines it, and a column shares it.

use crate::plot::{BEYOND, number};

/// The largest number of decimals.
const MOST: usize = 4;

/// Returns the decimals that are meaningful for an interval of this half-width: two digits of the half-width.
#[must_use]
pub(super) fn places(half: f64) -> usize {
    if half <= 0.0 || !half.is_finite() {
        return 3;
    }
    ((-half.log10()).ceil() + 1.0).clamp(0.0, MOST as f64) as usize
}

/// Returns the half-width of an interval.
pub(super) fn half([low, high]: [f64; 2]) -> f64 {
    (high - low) / 2.0
}

/// Returns `x` with `places` decimals and separated thousands. Numbers from 10¹² on read `beyond any bound`.
#[must_use]
pub(super) fn fixed(x: f64, places: usize) -> String {
    if x.is_nan() {
        return "-".to_owned();
    }
    if x.abs() >= BEYOND {
        return number(x);
    }
    let text = format!("{:.places$}", x.abs());
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let is_zero = text.chars().all(|c| matches!(c, '0' | '.'));
    let sign = if x < 0.0 && !is_zero { "-" } else { "" };
    let mut out = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && whole.len() > 4 && (whole.len() - i).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{out}{point}{rest}")
}

/// Returns `x` with its sign, also if it is positive.
pub(super) fn signed(x: f64, places: usize) -> String {
    let text = fixed(x, places);
    let is_above = x > 0.0 && text.chars().any(|c| matches!(c, '1'..='9'));
    if is_above { format!("+{text}") } else { text }
}

/// Returns an interval with `places` decimals. An end from 10¹² on is infinite: `∞`.
pub(super) fn interval([low, high]: [f64; 2], places: usize) -> String {
    let end = |x: f64, none: &str| {
        if x.abs() >= BEYOND { none.to_owned() } else { fixed(x, places) }
    };
    format!("[{}, {}]", end(low, "-∞"), end(high, "∞"))
}

/// Returns a p-value in words.
pub(super) fn p_value(p: f64) -> String {
    if p < 0.0001 { "p < 0.0001".to_owned() } else { format!("p = {p:.4}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_those_that_the_interval_leaves_meaning_to() {
        assert_eq!([0.049, 0.3, 1.3, 20.0, 0.0].map(places), [3, 2, 1, 0, 3]);
        assert_eq!(fixed(0.53, 3), "0.530");
        assert_eq!(fixed(-0.0001, 3), "0.000");
        assert_eq!(fixed(73440.0, 0), "73\u{202f}440");
        assert_eq!((signed(0.033, 3), signed(-0.5, 1)), ("+0.033".to_owned(), "-0.5".to_owned()));
        assert_eq!(fixed(-3.9e99, 2), "beyond any bound");
        assert_eq!(interval([f64::NEG_INFINITY, 2.0], 1), "[-∞, 2.0]");
        assert_eq!(
            (p_value(0.0), p_value(0.0123)),
            ("p < 0.0001".to_owned(), "p = 0.0123".to_owned())
        );
    }
}
