//! Bar charts: a count or share for each number.

use std::fmt::Write;

use super::{Axis, Frame, both, centred, line, number, text};
use crate::html::{coordinate, escape};

const HEIGHT: f64 = 300.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 28.0;
const BOTTOM: f64 = HEIGHT - 50.0;

/// Returns bars from 0 upwards at equally spaced places, over axes called `across` and `up`.
#[must_use]
pub fn bars(all: &[[f64; 2]], axes: [&str; 2], alt: &str) -> String {
    both(|frame| bars_in(frame, all, axes, alt))
}

fn bars_in(frame: Frame, all: &[[f64; 2]], [across, up]: [&str; 2], alt: &str) -> String {
    let right = frame.width() - 20.0;
    let gap = all.windows(2).map(|pair| pair[1][0] - pair[0][0]).fold(f64::INFINITY, f64::min);
    let gap = if gap.is_finite() && gap > 0.0 { gap } else { 1.0 };
    let edges = all.iter().flat_map(|[x, _]| [x - gap / 2.0, x + gap / 2.0]);
    let x = Axis::holding(edges, LEFT, right);
    let most = all.iter().map(|point| point[1]).fold(1.0, f64::max);
    let y = Axis::of([0.0, most * 1.05], BOTTOM, TOP);
    let mut out = frame.begin(HEIGHT, alt);
    for tick in y.ticks(6) {
        out += &line("grid", [LEFT, y.at(tick)], [right, y.at(tick)]);
        out += &text("tick", [LEFT - 6.0, y.at(tick) + 4.0], "end", &number(tick));
    }
    for tick in x.ticks(frame.choose(8, 4)) {
        out += &text("tick", [x.at(tick), BOTTOM + 16.0], "middle", &number(tick));
    }
    for [at, height] in all {
        let [from, to] = [x.at(at - gap / 2.0), x.at(at + gap / 2.0)];
        let title = escape(&format!("{}: {}", number(*at), number(*height)));
        let [left, width] = [from + 0.5, (to - from - 1.0).max(0.5)].map(coordinate);
        let [top, height] = [y.at(*height), BOTTOM - y.at(*height)].map(coordinate);
        let _ = writeln!(
            out,
            "<rect class=\"bar\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"><title>{title}</title></rect>"
        );
    }
    out += &line("axis", [LEFT, BOTTOM], [right, BOTTOM]);
    out += &centred("label", [f64::midpoint(LEFT, right), HEIGHT - 12.0], frame.width(), across);
    out += &text("label", [4.0, 12.0], "start", up);
    out + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_bar_from_zero() {
        let picture = bars(&[[1.0, 3.0], [2.0, 9.0], [4.0, 0.0]], ["x", "n"], "<alt>");
        assert_eq!(picture.matches("class=\"bar\"").count(), 6, "three in each layout");
        assert!(
            picture.contains("aria-label=\"&lt;alt&gt;\"")
                && picture.contains("<title>2: 9</title>")
        );
        assert!(picture.contains("height=\"0\""), "{picture}");
    }
}
