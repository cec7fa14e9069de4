//! Line charts with bands.

use std::fmt::Write;

use super::{Axis, Frame, Reference, both, centred, cut, line, number, text};
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
    /// The number of its look: one of six, or [`INK`].
    pub look: usize,
    /// True if its points have marks.
    pub has_marks: bool,
}

/// The look of a single line.
pub const INK: usize = 6;

/// The axes of a line chart.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Axes<'a> {
    /// The name of the horizontal axis.
    pub across: &'a str,
    /// The name of the vertical axis.
    pub up: &'a str,
    /// Names at 0, 1, 2 and so on of the horizontal axis, instead of numbers; may be empty.
    pub names: &'a [String],
    /// Level lines with labels; bounds have none.
    pub levels: &'a [Reference],
}

const LEFT: f64 = 60.0;
const TOP: f64 = 28.0;
/// Height of the plot, of the axis below it, and of a line of the legend.
const PLOT: f64 = 270.0;
const BELOW: f64 = 50.0;
const LEGEND: f64 = 20.0;
/// Width of a legend at the side.
const SIDE: f64 = 170.0;

/// Returns lines over axes that cover all of them.
#[must_use]
pub fn lines(all: &[Series], axes: &Axes<'_>, alt: &str) -> String {
    both(|frame| lines_on(frame, all, all, axes, ["", alt]))
}

/// Returns small pictures of lines with titles, beside each other if there is space, over the same axes.
#[must_use]
pub fn line_panels(all: &[(String, Vec<Series>)], axes: &Axes<'_>, alt: &str) -> String {
    let every: Vec<Series> = all.iter().flat_map(|(_, lines)| lines.iter().cloned()).collect();
    let picture = |(title, lines): &(String, Vec<Series>)| {
        lines_on(Frame::Narrow, lines, &every, axes, [title, &format!("{title}: {alt}")])
    };
    format!("<div class=\"panels\">\n{}</div>\n", all.iter().map(picture).collect::<String>())
}

/// Returns the axes that cover all series and levels.
fn cover(every: &[Series], axes: &Axes<'_>, [left, right, top, bottom]: [f64; 4]) -> [Axis; 2] {
    let xs = every.iter().flat_map(|series| series.points.iter().map(|point| point[0]));
    let ys = every.iter().flat_map(|series| {
        series.points.iter().map(|point| point[1]).chain(series.band.iter().flatten().copied())
    });
    let ys = ys.chain(axes.levels.iter().map(|level| level.at));
    [Axis::holding(xs, left, right), Axis::holding(ys, bottom, top)]
}

fn lines_on(
    frame: Frame,
    all: &[Series],
    every: &[Series],
    axes: &Axes<'_>,
    [title, alt]: [&str; 2],
) -> String {
    let named: Vec<&Series> = all.iter().filter(|series| !series.name.is_empty()).collect();
    let has_legend = named.len() > 1;
    let is_beside = has_legend && frame == Frame::Wide;
    let right = frame.width() - if is_beside { SIDE } else { 20.0 };
    let top = if title.is_empty() { TOP } else { TOP + LEGEND };
    let bottom = top + PLOT;
    let under = if has_legend && !is_beside { LEGEND * named.len() as f64 } else { 0.0 };
    let [x, y] = cover(every, axes, [LEFT, right, top, bottom]);
    let mut out = frame.begin(bottom + BELOW + under, alt);
    if !title.is_empty() {
        out += &text("title", [4.0, 14.0], "start", &cut(title, 42));
    }
    for tick in y.ticks(6) {
        out += &line("grid", [LEFT, y.at(tick)], [right, y.at(tick)]);
        out += &text("tick", [LEFT - 6.0, y.at(tick) + 4.0], "end", &number(tick));
    }
    if axes.names.is_empty() {
        let mut places = all.iter().flat_map(|series| &series.points).map(|point| point[0]);
        let is_counted = places.all(|x| x.fract() == 0.0);
        let most = frame.choose(8, 4);
        for tick in if is_counted { x.whole_ticks(most) } else { x.ticks(most) } {
            out += &text("tick", [x.at(tick), bottom + 16.0], "middle", &number(tick));
        }
    }
    for (i, name) in axes.names.iter().enumerate() {
        out += &text("tick", [x.at(i as f64), bottom + 16.0], "middle", &cut(name, 14));
    }
    out += &line("axis", [LEFT, bottom], [right, bottom]);
    out +=
        &centred("label", [f64::midpoint(LEFT, right), bottom + 38.0], frame.width(), axes.across);
    out += &text("label", [4.0, top - 16.0], "start", axes.up);
    for series in all {
        write_series(series, &x, &y, &mut out);
    }
    for Reference { at, label } in axes.levels {
        let class = if label.is_empty() { "bound" } else { "zero" };
        out += &line(class, [LEFT, y.at(*at)], [right, y.at(*at)]);
        out += &text("tick level", [right - 4.0, y.at(*at) - 5.0], "end", label);
    }
    for (i, series) in named.iter().enumerate().filter(|_| has_legend) {
        let step = LEGEND * i as f64;
        let [from, y] = if is_beside {
            [right + 12.0, top + 14.0 + step]
        } else {
            [LEFT, bottom + BELOW + 8.0 + step]
        };
        out += &line(&look(series), [from, y - 4.0], [from + 28.0, y - 4.0]);
        out += &text("small", [from + 34.0, y], "start", &cut(&series.name, frame.choose(22, 44)));
    }
    out + "</svg>\n"
}

/// Returns the class of a line.
fn look(series: &Series) -> String {
    if series.look == INK { "median".to_owned() } else { format!("l{}", series.look % 6) }
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
    let _ = writeln!(out, "<path class=\"{}\" d=\"M{}\"/>", look(series), path.join("L"));
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
            lines(&[Series { points, ..Series::default() }], &Axes::default(), "stages")
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
        let level = [Reference { at: 3.0, label: "bound".to_owned() }];
        let axes = Axes { across: "x", up: "y", levels: &level, ..Axes::default() };
        let svg = lines(&[series("a", 0), series("b", 1)], &axes, "two lines");
        assert_eq!(svg.matches("<path class=\"l").count(), 4, "two in each layout");
        assert_eq!(svg.matches("<path class=\"fan\"").count(), 4);
        assert!(svg.contains(">a</text>") && svg.contains(">b</text>"));
        assert_eq!(svg.matches("class=\"zero\"").count(), 2);
        let panels = [("one".to_owned(), vec![series("", 0)]), ("two".to_owned(), Vec::new())];
        let svg = line_panels(&panels, &axes, "lines");
        assert_eq!(svg.matches("<svg").count(), 2);
        let [one, two] =
            [0, 1].map(|i| svg.split("</svg>").nth(i).unwrap().matches(">2.5</text>").count());
        assert_eq!((one, two), (1, 1), "the axis is the same");
    }
}
