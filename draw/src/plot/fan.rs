//! Fan charts: the distribution of a chance over many games, along their rounds.

use std::fmt::Write;

use super::{Axis, Frame, line, number, text};
use crate::html::coordinate;

/// The distribution of a number at one point: its quantiles of 5, 25, 50, 75 and 95 %.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// The point along the axis.
    pub at: f64,
    /// The quantiles, in ascending order.
    pub quantiles: [f64; 5],
}

/// A fan with its name.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Fan {
    /// The name of the seat or agent with this chance.
    pub name: String,
    /// The distributions, from left to right.
    pub spreads: Vec<Spread>,
}

const HEIGHT: f64 = 250.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = Frame::Narrow.width() - 10.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = HEIGHT - 42.0;

/// Returns pictures of fans, side by side if there is space, over an axis called `across` and chances from 0 to 1.
/// `marks` are points with words above them, and `even` is an equal share. The alternative text of each picture is its
/// name and `alt`.
#[must_use]
pub fn fans(
    all: &[Fan],
    across: &str,
    marks: &[(f64, String)],
    even: Option<f64>,
    alt: &str,
) -> String {
    let ends = all.iter().flat_map(|fan| &fan.spreads).map(|spread| spread.at);
    let x = Axis::holding(ends, LEFT, RIGHT);
    let pictures = all.iter().map(|fan| picture(fan, &x, across, marks, even, alt));
    format!("<div class=\"panels\">\n{}</div>\n", pictures.collect::<String>())
}

fn picture(
    fan: &Fan,
    x: &Axis,
    across: &str,
    marks: &[(f64, String)],
    even: Option<f64>,
    alt: &str,
) -> String {
    let y = |chance: f64| BOTTOM + (TOP - BOTTOM) * chance.clamp(0.0, 1.0);
    let mut out = Frame::Narrow.begin(HEIGHT, &format!("{}: {alt}", fan.name));
    out += &text("title", [4.0, 14.0], "start", &fan.name);
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
        out += &line("grid", [LEFT, y(tick)], [RIGHT, y(tick)]);
        out += &text("tick", [LEFT - 5.0, y(tick) + 4.0], "end", &format!("{:.0} %", 100.0 * tick));
    }
    for (at, words) in marks.iter().filter(|(at, _)| x.holds(*at)) {
        out += &line("grid", [x.at(*at), TOP - 8.0], [x.at(*at), BOTTOM]);
        out += &text("small", [x.at(*at) + 2.0, TOP - 8.0], "start", words);
    }
    for tick in x.whole_ticks(6) {
        out += &text("tick", [x.at(tick), BOTTOM + 16.0], "middle", &number(tick));
    }
    out += &line("axis", [LEFT, BOTTOM], [RIGHT, BOTTOM]);
    out += &text("small", [f64::midpoint(LEFT, RIGHT), HEIGHT - 8.0], "middle", across);
    let corner = |spread: &Spread, which: usize| {
        let [a, b] = [x.at(spread.at), y(spread.quantiles[which])].map(coordinate);
        format!("{a} {b}")
    };
    for (low, high) in [(0, 4), (1, 3)] {
        let above = fan.spreads.iter().map(|spread| corner(spread, high));
        let below = fan.spreads.iter().rev().map(|spread| corner(spread, low));
        let corners: Vec<String> = above.chain(below).collect();
        let _ = writeln!(out, "<path class=\"fan\" d=\"M{}Z\"/>", corners.join("L"));
    }
    let median: Vec<String> = fan.spreads.iter().map(|spread| corner(spread, 2)).collect();
    let _ = writeln!(out, "<path class=\"median\" d=\"M{}\"/>", median.join("L"));
    if let Some(even) = even {
        out += &line("zero", [LEFT, y(even)], [RIGHT, y(even)]);
    }
    out + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fan_has_two_bands_and_a_median_and_its_name_is_escaped() {
        let spread = |at: f64| Spread { at, quantiles: [0.0, 0.25, 0.5, 0.75, 1.0] };
        let fan =
            Fan { name: "<i>".to_owned(), spreads: (0..9).map(|i| spread(f64::from(i))).collect() };
        let marks =
            [(0.0, "stage 1".to_owned()), (4.0, "stage <2>".to_owned()), (40.0, "no".to_owned())];
        let svg = fans(&[fan.clone(), fan], "round", &marks, Some(0.25), "bands");
        assert_eq!((svg.matches("<svg").count(), svg.matches("class=\"median\"").count()), (2, 2));
        assert_eq!(
            (svg.matches("class=\"fan\"").count(), svg.matches("class=\"zero\"").count()),
            (4, 2)
        );
        assert!(svg.contains("aria-label=\"&lt;i&gt;: bands\"") && svg.contains("stage &lt;2&gt;"));
        assert!(!svg.contains("<i>") && !svg.contains(">no<"), "{svg}");
    }
}
