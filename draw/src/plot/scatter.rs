//! Scatter plots: points in a plane, each with a name.

use std::fmt::Write;

use super::{Axis, Frame, both, centred, cut, line, number, text};
use crate::html::{coordinate, escape};

/// A point of a scatter plot.
#[derive(Clone, PartialEq, Debug)]
pub struct Spot {
    /// Its name.
    pub label: String,
    /// Its coordinates: across, then up.
    pub at: [f64; 2],
    /// Its vertical interval; `None` without one.
    pub interval: Option<[f64; 2]>,
    /// True if its name is written beside it, where there is space.
    pub is_named: bool,
}

const HEIGHT: f64 = 420.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 28.0;
const BOTTOM: f64 = HEIGHT - 50.0;

/// Returns points over axes called `across` and `up`, with lines at zero and, on request, the diagonal. If `ticks` is not
/// empty, the horizontal axis shows these words at these places.
#[must_use]
pub fn scatter(
    all: &[Spot],
    axes: [&str; 2],
    ticks: &[(f64, String)],
    has_diagonal: bool,
    alt: &str,
) -> String {
    both(|frame| scatter_in(frame, all, axes, ticks, has_diagonal, alt))
}

fn scatter_in(
    frame: Frame,
    all: &[Spot],
    [across, up]: [&str; 2],
    ticks: &[(f64, String)],
    has_diagonal: bool,
    alt: &str,
) -> String {
    let right = frame.width() - 20.0;
    let ends = |spot: &Spot| spot.interval.unwrap_or([spot.at[1]; 2]);
    let named = ticks.iter().map(|(at, _)| *at);
    let x = Axis::holding(all.iter().map(|spot| spot.at[0]).chain(named), LEFT, right);
    let y = Axis::holding(all.iter().flat_map(ends).chain([0.0]), BOTTOM, TOP);
    let mut out = frame.begin(HEIGHT, alt);
    for tick in y.ticks(6) {
        out += &line("grid", [LEFT, y.at(tick)], [right, y.at(tick)]);
        out += &text("tick", [LEFT - 6.0, y.at(tick) + 4.0], "end", &number(tick));
    }
    let plain = x.ticks(frame.choose(8, 4)).into_iter().map(|tick| (tick, number(tick)));
    let plain: Vec<(f64, String)> = plain.collect();
    for (tick, words) in if ticks.is_empty() { &plain } else { ticks } {
        out += &text("tick", [x.at(*tick), BOTTOM + 16.0], "middle", words);
    }
    out += &line("zero", [LEFT, y.at(0.0)], [right, y.at(0.0)]);
    if let Some([low, high]) = x.common(&y).filter(|_| has_diagonal) {
        out += &line("diagonal", [x.at(low), y.at(low)], [x.at(high), y.at(high)]);
    }
    out += &line("axis", [LEFT, BOTTOM], [right, BOTTOM]);
    out += &centred("label", [f64::midpoint(LEFT, right), HEIGHT - 12.0], frame.width(), across);
    out += &text("label", [4.0, 12.0], "start", up);
    for spot in all {
        let [cx, cy] = [x.at(spot.at[0]), y.at(spot.at[1])];
        if let Some([low, high]) = spot.interval {
            out += &line("halo", [cx, y.at(low)], [cx, y.at(high)]);
        }
        let title =
            escape(&format!("{}: {}, {}", spot.label, number(spot.at[0]), number(spot.at[1])));
        let [px, py] = [cx, cy].map(coordinate);
        let _ = writeln!(
            out,
            "<circle class=\"dot\" cx=\"{px}\" cy=\"{py}\" r=\"5\"><title>{title}</title></circle>"
        );
    }
    out + &names(all, &x, &y, right) + "</svg>\n"
}

/// Height of a name, in units of the SVG.
const NAME: f64 = 12.0;
/// Approximate width of a character of class `small`.
const SMALL: f64 = 6.2;

/// Returns names beside their points, beginning with the points farthest from zero. A name that would overlap another
/// is left out.
fn names(all: &[Spot], x: &Axis, y: &Axis, right: f64) -> String {
    let away = |spot: &Spot| match spot.interval {
        Some([low, high]) => low.max(-high),
        None => spot.at[1].abs(),
    };
    let mut named: Vec<&Spot> = all.iter().filter(|spot| spot.is_named).collect();
    named.sort_by(|a, b| away(b).total_cmp(&away(a)));
    let mut taken: Vec<[f64; 3]> = Vec::new();
    let mut out = String::new();
    for spot in named {
        let [cx, cy] = [x.at(spot.at[0]), y.at(spot.at[1])];
        let name = cut(&spot.label, 36);
        let width = SMALL * name.chars().count() as f64;
        let sides =
            [("start", [cx + 8.0, cx + 8.0 + width]), ("end", [cx - 8.0 - width, cx - 8.0])];
        let free = sides.into_iter().find(|(_, [from, to])| {
            let is_apart = |[other_from, other_to, at]: &[f64; 3]| {
                to < other_from || from > other_to || (cy - at).abs() >= NAME
            };
            *from >= LEFT && *to <= right && taken.iter().all(is_apart)
        });
        if let Some((anchor, [from, to])) = free {
            taken.push([from, to, cy]);
            let at = if anchor == "start" { from } else { to };
            out += &text("small", [at, cy + 4.0], anchor, &name);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_there_and_only_some_are_named() {
        let spot = |label: &str, is_named| Spot {
            label: label.to_owned(),
            at: [1.0, -1.0],
            interval: Some([-2.0, 0.0]),
            is_named,
        };
        let svg = scatter(&[spot("a", true), spot("b", false)], ["x", "y"], &[], false, "points");
        assert_eq!(svg.matches("<circle").count(), 4, "two in each layout");
        assert!(svg.contains(">a</text>") && !svg.contains(">b</text>"));
    }

    #[test]
    fn no_name_stands_on_another_and_the_clearest_stay() {
        let spot = |label: &str, at: [f64; 2]| Spot {
            label: label.to_owned(),
            at,
            interval: Some([at[1] - 0.1, at[1] + 0.1]),
            is_named: true,
        };
        let all = [
            spot("near", [0.0, 0.96]),
            spot("first", [0.0, 1.0]),
            spot("below", [0.0, 0.5]),
            spot("beside", [1.0, 0.97]),
        ];
        let svg = scatter(&all, ["x", "y"], &[], false, "points");
        for name in ["first", "below", "beside"] {
            assert!(svg.contains(&format!(">{name}</text>")), "{name}: {svg}");
        }
        assert!(!svg.contains(">near</text>") && svg.contains("near: 0, 0.96"), "{svg}");
        assert!(svg.contains("text-anchor=\"end\">beside<"), "it would leave the frame: {svg}");
        let ticks = [(0.0, "never".to_owned())];
        let svg = scatter(&all, ["x", "y"], &ticks, false, "points");
        assert_eq!(svg.matches(">never</text>").count(), 2, "in each layout");
    }

    /// The diagonal joins equal numbers, for any ranges of the axes: it is half-way up at 0.5 of an axis from 0 to 1.
    #[test]
    fn the_diagonal_is_where_both_are_equal() {
        let spot = |x: f64, y: f64| Spot {
            label: String::new(),
            at: [x, y],
            interval: None,
            is_named: false,
        };
        let picture =
            scatter(&[spot(0.2, 0.0), spot(0.4, 1.0), spot(0.3, 0.3)], ["x", "y"], &[], true, "");
        let number = |part: &str, name: &str| -> f64 {
            let from = part.find(&format!(" {name}=\"")).unwrap() + name.len() + 3;
            part[from..].split('"').next().unwrap().parse().unwrap()
        };
        let picture = picture.split("<div class=\"on-narrow\">").next().unwrap();
        let start = picture.find("class=\"diagonal\"").unwrap();
        let line = &picture[start..start + picture[start..].find("/>").unwrap()];
        let [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map(|name| number(line, name));
        let dot = picture.rfind("<circle").unwrap();
        let [cx, cy] = ["cx", "cy"].map(|name| number(&picture[dot..], name));
        let part = (cx - x1) / (x2 - x1);
        assert!((y1 + part * (y2 - y1) - cy).abs() < 0.5, "{line} {cx} {cy}");
    }
}
