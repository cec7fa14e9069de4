//! Line charts with bands.

use std::fmt::Write;

use super::{Axis, WIDTH, begin, cut, line, number, text};
use crate::html::coordinate;

/// A line with its points.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Series {
    /// Its name; empty for a single line.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<[f64; 2]>,
    /// The lower and upper end of the band at each point; empty without a band.
    pub band: Vec<[f64; 2]>,
    /// The number of its look, one of six.
    pub look: usize,
    /// True if its points have marks.
    pub has_marks: bool,
}

const HEIGHT: f64 = 340.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = HEIGHT - 50.0;

/// Returns lines over axes called `across` and `up`. If `names` is not empty, the horizontal axis shows these names
/// instead of numbers.
#[must_use]
pub fn lines(all: &[Series], [across, up]: [&str; 2], names: &[String], alt: &str) -> String {
    let named = all.iter().filter(|series| !series.name.is_empty()).count();
    let right = if named > 1 { WIDTH - 170.0 } else { WIDTH - 20.0 };
    let xs = all.iter().flat_map(|series| series.points.iter().map(|point| point[0]));
    let ys = all.iter().flat_map(|series| {
        series.points.iter().map(|point| point[1]).chain(series.band.iter().flatten().copied())
    });
    let (x, y) = (Axis::holding(xs, LEFT, right), Axis::holding(ys, BOTTOM, TOP));
    let mut out = begin(HEIGHT, alt);
    for tick in y.ticks(6) {
        out += &line("grid", [LEFT, y.at(tick)], [right, y.at(tick)]);
        out += &text("tick", [LEFT - 6.0, y.at(tick) + 4.0], "end", &number(tick));
    }
    if names.is_empty() {
        let mut places = all.iter().flat_map(|series| &series.points).map(|point| point[0]);
        let is_counted = places.all(|x| x.fract() == 0.0);
        for tick in if is_counted { x.whole_ticks(8) } else { x.ticks(8) } {
            out += &text("tick", [x.at(tick), BOTTOM + 16.0], "middle", &number(tick));
        }
    }
    for (i, name) in names.iter().enumerate() {
        out += &text("tick", [x.at(i as f64), BOTTOM + 16.0], "middle", &cut(name, 14));
    }
    out += &line("axis", [LEFT, BOTTOM], [right, BOTTOM]);
    out += &text("label", [f64::midpoint(LEFT, right), HEIGHT - 12.0], "middle", across);
    out += &text("label", [4.0, 12.0], "start", up);
    for series in all {
        write_series(series, &x, &y, &mut out);
    }
    if named > 1 {
        for (i, series) in all.iter().enumerate() {
            let y = TOP + 14.0 + 20.0 * i as f64;
            let class = format!("l{}", series.look % 6);
            out += &line(&class, [right + 12.0, y - 4.0], [right + 40.0, y - 4.0]);
            out += &text("small", [right + 46.0, y], "start", &cut(&series.name, 22));
        }
    }
    out + "</svg>\n"
}

fn write_series(series: &Series, x: &Axis, y: &Axis, out: &mut String) {
    let corner = |[a, b]: [f64; 2]| {
        let [a, b] = [x.at(a), y.at(b)].map(coordinate);
        format!("{a} {b}")
    };
    if series.band.len() == series.points.len() && !series.band.is_empty() {
        let along = series.points.iter().zip(&series.band);
        let above = along.clone().map(|(point, band)| corner([point[0], band[1]]));
        let below = along.rev().map(|(point, band)| corner([point[0], band[0]]));
        let corners: Vec<String> = above.chain(below).collect();
        let _ = writeln!(out, "<path class=\"fan\" d=\"M{}Z\"/>", corners.join("L"));
    }
    let path: Vec<String> = series.points.iter().map(|&point| corner(point)).collect();
    let _ = writeln!(out, "<path class=\"l{}\" d=\"M{}\"/>", series.look % 6, path.join("L"));
    if series.has_marks {
        for point in &series.points {
            let [cx, cy] = [x.at(point[0]), y.at(point[1])].map(coordinate);
            let _ = writeln!(
                out,
                "<circle class=\"f{}\" cx=\"{cx}\" cy=\"{cy}\" r=\"4\"/>",
                series.look % 6
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts have whole ticks: no axis shows stage 1.5.
    #[test]
    fn what_is_counted_has_whole_ticks() {
        let of = |end: f64| {
            let points = vec![[1.0, 0.0], [2.0, 1.0], [end, 2.0]];
            lines(&[Series { points, ..Series::default() }], ["x", "y"], &[], "stages")
        };
        assert!(!of(4.0).contains(">2.5</text>"));
        assert!(of(3.9).contains(">2.5</text>"));
    }

    #[test]
    fn every_series_has_a_line_and_a_name_where_there_are_several() {
        let series = |name: &str, look| Series {
            name: name.to_owned(),
            points: vec![[0.0, 1.0], [1.0, 2.0]],
            band: vec![[0.5, 1.5], [1.5, 2.5]],
            look,
            has_marks: true,
        };
        let svg = lines(&[series("a", 0), series("b", 1)], ["x", "y"], &[], "two lines");
        assert_eq!(svg.matches("<path class=\"l").count(), 2);
        assert_eq!(svg.matches("<path class=\"fan\"").count(), 2);
        assert!(svg.contains(">a</text>") && svg.contains(">b</text>"));
    }
}
