//! Rows of a table as dots, and the verdict of each row.

use super::{Sheet, Source};
use crate::plot::{Dot, Shape};

/// The significance level of p-values in rows without a verdict.
const LEVEL: f64 = 0.05;
/// The largest number of rows in a plot; the table has all rows.
const MOST_ROWS: usize = 36;

/// Returns a full disc if an interval excludes a reference, and an empty one otherwise.
pub(super) fn decided(interval: Option<[f64; 2]>, reference: f64) -> Shape {
    match interval {
        Some([low, high]) if low > reference || high < reference => Shape::Full,
        _ => Shape::Open,
    }
}

/// Returns whether a verdict finds nothing: it is undecided, finds no difference, or makes no statement.
pub(super) fn is_open(verdict: &str) -> bool {
    const OPEN: [&str; 9] =
        ["no ", "not ", "never", "none", "nothing", "undecided", "unchanged", "same", "H0"];
    verdict.is_empty()
        || verdict.contains("no statement")
        || OPEN.iter().any(|word| verdict.starts_with(word))
}

/// Returns a full disc if the results call a row found, and an empty one otherwise. The verdict decides, or else the
/// p-value, which accounts for multiple questions, or else the interval.
pub(super) fn found(
    sheet: &Sheet,
    row: &[String],
    interval: Option<[f64; 2]>,
    reference: f64,
) -> Shape {
    let is_found = match (sheet.column("verdict"), sheet.number(row, "p")) {
        (Some(_), _) => !is_open(sheet.text(row, "verdict")),
        (None, Some(p)) => p < LEVEL,
        (None, None) => return decided(interval, reference),
    };
    if is_found { Shape::Full } else { Shape::Open }
}

/// Returns dots of an estimate in its unit, one for each row.
pub(super) fn row_dots(
    source: &Source,
    sheet: &Sheet,
    name: &str,
    reference: Option<f64>,
) -> Vec<Dot> {
    let dot = |row: &Vec<String>| {
        let (value, interval) = sheet.estimate(row, name)?;
        let shape =
            reference.map_or(Shape::Full, |reference| found(sheet, row, interval, reference));
        let factor = source.unit(sheet, row, name).factor();
        Some(Dot {
            label: sheet.label(row),
            value: factor * value,
            interval: interval.map(|ends| ends.map(|end| factor * end)),
            shape,
        })
    };
    sheet.rows.iter().filter_map(dot).collect()
}

/// Sorts dots by effect, the largest first. Keeps the largest effects if there are too many, and returns the note about
/// it.
pub(super) fn by_effect(dots: &mut Vec<Dot>) -> &'static str {
    let is_cut = dots.len() > MOST_ROWS;
    if is_cut {
        dots.sort_by(|a, b| clearness(b).total_cmp(&clearness(a)));
        dots.truncate(MOST_ROWS);
    }
    dots.sort_by(|a, b| b.value.total_cmp(&a.value));
    if is_cut { " The clearest rows are drawn, and the table has all." } else { "" }
}

/// Returns the distance of an interval from zero; below zero if it includes zero, ordered by the estimate.
pub(super) fn clearness(dot: &Dot) -> f64 {
    match dot.interval {
        Some([low, _]) if low > 0.0 => low,
        Some([_, high]) if high < 0.0 => -high,
        _ => -1.0 / dot.value.abs().max(1e-12),
    }
}
