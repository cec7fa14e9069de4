//! Maps of values: one or several maps of places on one scale, with a legend of the shades.

use std::fmt::Write;

use super::{Board, Tint};
use crate::html::{coordinate, element, escape};
use crate::plot::number;

/// An estimate with its interval.
type Estimate = (f64, Option<[f64; 2]>);

/// The number of shades on each side of a scale.
const SHADES: usize = 7;

/// A map of values.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueMap {
    /// Its title; empty for a single map.
    pub title: String,
    /// The value of each area of the board; `None` for areas without a value.
    pub values: Vec<Option<Estimate>>,
}

/// A scale from values to shades.
#[derive(Clone, Copy, Debug)]
enum Scale {
    /// A scale on both sides of zero, equally dark on either side.
    Around { most: f64 },
    /// A scale from the smallest to the largest value of the data.
    Between { low: f64, high: f64 },
}

impl Scale {
    /// Returns the scale of the data. It begins at zero if zero is near, and otherwise at the smallest value, so that
    /// small differences are visible.
    fn of(values: &[f64]) -> Option<Self> {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let most = low.abs().max(high.abs());
        if values.is_empty() || most == 0.0 {
            return None;
        }
        Some(match () {
            () if low < 0.0 => Self::Around { most },
            () if low < 0.5 * high || high <= low => Self::Between { low: 0.0, high },
            () => Self::Between { low, high },
        })
    }

    /// Returns the shade of a value, from 1 to the number of shades; negative below zero.
    fn shade(self, value: f64) -> i64 {
        let step = |part: f64| ((part * SHADES as f64).floor() as i64 + 1).min(SHADES as i64);
        match self {
            Self::Around { most } if value < 0.0 => -step(-value / most),
            Self::Around { most } => step(value / most),
            Self::Between { low, high } => step((value - low) / (high - low)),
        }
    }

    /// Returns the shades from the lowest to the highest, each with its range of values.
    fn shades(self) -> Vec<(i64, f64, f64)> {
        let n = SHADES as i64;
        let part = |i: i64| i as f64 / SHADES as f64;
        match self {
            Self::Around { most } => (-n..n)
                .map(|i| (if i < 0 { i } else { i + 1 }, most * part(i), most * part(i + 1)))
                .collect(),
            Self::Between { low, high } => {
                let at = |i: i64| low + (high - low) * part(i);
                (0..n).map(|i| (i + 1, at(i), at(i + 1))).collect()
            }
        }
    }
}

fn class(shade: i64) -> String {
    format!("{}{}", if shade < 0 { "down" } else { "up" }, shade.abs())
}

/// Returns a row of shades with the values between them.
fn legend(scale: Scale, has_undecided: bool) -> String {
    const WIDTH: f64 = 44.0;
    let shades = scale.shades();
    let whole = WIDTH * shades.len() as f64;
    let rest = if has_undecided { 180.0 } else { 0.0 };
    let mut out = format!(
        "<svg class=\"scale\" viewBox=\"0 0 {} 34\" role=\"img\" aria-label=\"the scale of the map\">\n",
        coordinate(whole + 40.0 + rest)
    );
    // With many shades, only every second boundary has a number.
    let each = if shades.len() > SHADES { 2 } else { 1 };
    for (i, (shade, from, to)) in shades.iter().enumerate() {
        let x = 20.0 + WIDTH * i as f64;
        let _ = writeln!(
            out,
            "<rect class=\"{}\" x=\"{}\" y=\"2\" width=\"{}\" height=\"12\"/>",
            class(*shade),
            coordinate(x),
            coordinate(WIDTH)
        );
        let mut tick = |x: f64, value: f64| {
            let _ = writeln!(
                out,
                "<text class=\"tick\" x=\"{}\" y=\"29\" text-anchor=\"middle\">{}</text>",
                coordinate(x),
                number(rounded(value, to - from))
            );
        };
        if i % each == 0 {
            tick(x, *from);
        }
        if i + 1 == shades.len() {
            tick(x + WIDTH, *to);
        }
    }
    if has_undecided {
        let x = coordinate(whole + 60.0);
        let text = coordinate(whole + 100.0);
        let _ = writeln!(
            out,
            "<rect class=\"up0\" x=\"{x}\" y=\"2\" width=\"34\" height=\"12\"/><rect class=\"undecided\" x=\"{x}\" y=\"2\" width=\"34\" \
             height=\"12\"/><text class=\"tick\" x=\"{text}\" y=\"13\">undecided</text>"
        );
    }
    out + "</svg>\n"
}

/// Returns a value with as many decimals as the width of a shade needs.
fn rounded(value: f64, width: f64) -> f64 {
    let unit = 10f64.powf((width.abs().max(1e-9).log10() - 1.0).floor());
    (value / unit).round() * unit
}

/// Returns maps of values on one scale, as HTML; `None` if no area has a value. `reference` is the value of no effect.
/// A value whose interval includes it is hatched as undecided.
#[must_use]
pub fn value_maps(
    board: &Board,
    maps: &[ValueMap],
    reference: Option<f64>,
    alt: &str,
) -> Option<String> {
    let all: Vec<f64> =
        maps.iter().flat_map(|map| &map.values).flatten().map(|(value, _)| *value).collect();
    let scale = Scale::of(&all)?;
    let is_undecided = |interval: Option<[f64; 2]>| match (interval, reference) {
        (Some([low, high]), Some(reference)) => low <= reference && reference <= high,
        _ => false,
    };
    // All numbers have one decimal, or two digits where all are small.
    let most = all.iter().fold(0.0f64, |most, value| most.max(value.abs()));
    let digits = if most >= 1.0 { 1 } else { (1.0 - most.log10().floor()) as usize };
    let mut has_undecided = false;
    let mut pictures = String::new();
    for map in maps {
        let tint = |i: usize| {
            let (value, interval) = (*map.values.get(i)?)?;
            let strength = scale.shade(value) as f64 / SHADES as f64;
            Some(Tint {
                strength,
                text: format!("{value:.digits$}"),
                is_undecided: is_undecided(interval),
            })
        };
        has_undecided |= (0..board.areas.len()).any(|i| tint(i).is_some_and(|t| t.is_undecided));
        let title = match map.title.as_str() {
            "" => alt.to_owned(),
            title => format!("{title}: {alt}"),
        };
        let picture = board.svg(&title, &tint);
        if map.title.is_empty() {
            pictures += &picture;
        } else {
            let _ = writeln!(
                pictures,
                "<div class=\"small-map\">{}{picture}</div>",
                element("p", "soft", &map.title)
            );
        }
    }
    let class = if maps.len() > 1 { "maps panels" } else { "maps" };
    Some(format!(
        "<div class=\"{}\">\n{pictures}</div>\n{}",
        escape(class),
        legend(scale, has_undecided)
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_narrow_range_fills_the_scale_and_a_wide_one_begins_at_zero() {
        let narrow = Scale::of(&[1.48, 1.6, 1.76]).unwrap();
        assert_eq!([1.48, 1.6, 1.76].map(|x| narrow.shade(x)), [1, 4, 7]);
        let wide = Scale::of(&[0.1, 1.4]).unwrap();
        assert_eq!([0.1, 0.7, 1.4].map(|x| wide.shade(x)), [1, 4, 7]);
        let both = Scale::of(&[-0.5, 1.0]).unwrap();
        assert_eq!([-0.5, 0.0, 1.0].map(|x| both.shade(x)), [-4, 1, 7]);
        assert!(Scale::of(&[]).is_none() && Scale::of(&[0.0]).is_none());
        assert_eq!((narrow.shades().len(), both.shades().len()), (7, 14));
    }

    #[test]
    fn what_is_undecided_is_hatched_and_the_legend_says_so() {
        let rules = json!({ "province": [
            { "id": "a", "at": [0.0, 40.0], "vp": [5] }, { "id": "b", "at": [9.0, 40.0] },
        ] });
        let board = Board::of_rules(&rules).unwrap();
        let values = vec![Some((0.2, Some([-0.1, 0.5]))), Some((0.4, Some([0.3, 0.5])))];
        let map = |title: &str| ValueMap { title: title.to_owned(), values: values.clone() };
        let one = value_maps(&board, &[map("")], Some(0.0), "worth").unwrap();
        assert_eq!(one.matches("<path class=\"undecided\"").count(), 1);
        assert!(one.contains(">undecided</text>") && one.contains("aria-label=\"worth\""));
        let two = value_maps(&board, &[map("season 1"), map("season 2")], None, "worth").unwrap();
        assert!(!two.contains("undecided") && two.contains("season 2: worth"));
        assert_eq!(two.matches("class=\"scale\"").count(), 1, "one scale for both");
        assert_eq!(value_maps(&board, &[], None, ""), None);
    }
}
