//! Dot plots: estimates with their intervals, in rows.

use std::fmt::Write;

use super::{Axis, WIDTH, begin, cut, letters, line, number, room, text};
use crate::html::{coordinate, escape};

/// The look of a mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shape {
    /// A full disc: an estimate whose interval leaves out the reference.
    #[default]
    Full,
    /// An empty disc: an undecided estimate.
    Open,
    /// A cross: a number printed in the rules.
    Cross,
    /// A bar from the lower to the upper bound, without an estimate.
    Bounds,
}

/// A mark with its interval.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Dot {
    /// The label of the row. Consecutive dots with equal labels share a row.
    pub label: String,
    /// The estimate.
    pub value: f64,
    /// Its interval; `None` for exact numbers. An infinite end means that there is no bound.
    pub interval: Option<[f64; 2]>,
    /// Its look.
    pub shape: Shape,
}

/// A line across all rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    /// Its value on the axis.
    pub at: f64,
    /// Its meaning.
    pub label: String,
}

/// Height of a row, in units of the SVG.
const ROW: f64 = 24.0;
/// Space for the axis below, and for the label of a reference above.
const BELOW: f64 = 46.0;
const ABOVE: f64 = 22.0;

/// Returns dots in rows over an axis called `unit`, which covers all of them.
#[must_use]
pub fn dots(all: &[Dot], unit: &str, reference: Option<&Reference>, alt: &str) -> String {
    let ends = all
        .iter()
        .flat_map(|dot| dot.interval.unwrap_or([dot.value; 2]).into_iter().chain([dot.value]));
    let axis = Axis::holding(ends.chain(reference.map(|line| line.at)), left(all), WIDTH - 20.0);
    dots_on(axis, all, unit, reference, alt)
}

/// Returns dots in rows over an axis called `unit` that covers only `frame`.
///
/// Arrows mark intervals and estimates beyond the frame.
#[must_use]
pub fn dots_within(frame: [f64; 2], all: &[Dot], unit: &str, alt: &str) -> String {
    dots_on(Axis::of(frame, left(all), WIDTH - 20.0), all, unit, None, alt)
}

/// Returns the start of the axis, to the right of the labels.
fn left(all: &[Dot]) -> f64 {
    room(all.iter().map(|dot| dot.label.as_str()))
}

fn dots_on(
    axis: Axis,
    all: &[Dot],
    unit: &str,
    reference: Option<&Reference>,
    alt: &str,
) -> String {
    let mut rows: Vec<(&str, Vec<&Dot>)> = Vec::new();
    for dot in all {
        match rows.last_mut() {
            Some((label, dots)) if *label == dot.label => dots.push(dot),
            _ => rows.push((&dot.label, vec![dot])),
        }
    }
    let (left, bottom) = (axis.from(), ABOVE + ROW * rows.len() as f64);
    let mut out = begin(bottom + BELOW, alt);
    for tick in axis.ticks(7) {
        let x = axis.at(tick);
        out += &line("grid", [x, ABOVE], [x, bottom]);
        out += &text("tick", [x, bottom + 16.0], "middle", &number(tick));
    }
    out += &line("axis", [left, bottom], [WIDTH - 20.0, bottom]);
    out += &text("label", [f64::midpoint(left, WIDTH - 20.0), bottom + 36.0], "middle", unit);
    if let Some(Reference { at, label }) = reference {
        out += &line("zero", [axis.at(*at), ABOVE - 4.0], [axis.at(*at), bottom]);
        out += &text("tick", [axis.at(*at), ABOVE - 8.0], "middle", label);
    }
    for (i, (label, dots)) in rows.iter().enumerate() {
        let y = ABOVE + ROW * (i as f64 + 0.5);
        out += &text("label", [left - 10.0, y + 4.0], "end", &cut(label, letters(left)));
        dots.iter().for_each(|dot| write_dot(dot, &axis, y, &mut out));
    }
    out + "</svg>\n"
}

fn write_dot(dot: &Dot, axis: &Axis, y: f64, out: &mut String) {
    let x = axis.at(dot.value);
    if let (Shape::Bounds, Some([low, high])) = (dot.shape, dot.interval) {
        let [from, to] = [low, high].map(|end| axis.at(end));
        let [left, top, width, height] =
            [from, y - 6.0, (to - from).max(2.0), 12.0].map(coordinate);
        let title = escape(&format!("{}: {} to {}", dot.label, number(low), number(high)));
        let _ = writeln!(
            out,
            "<rect class=\"bounds\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"><title>{title}</title></rect>"
        );
        return;
    }
    if let Some(ends) = dot.interval {
        let [low, high] = ends.map(|end| axis.at(end));
        *out += &line("whisker", [low, y], [high, y]);
        for (end, inwards) in ends.into_iter().zip([1.0, -1.0]) {
            let x = axis.at(end);
            if axis.holds(end) {
                *out += &line("whisker", [x, y - 4.0], [x, y + 4.0]);
            } else {
                // The interval continues beyond the frame.
                let back = x + 7.0 * inwards;
                *out += &line("whisker", [back, y - 4.0], [x, y]);
                *out += &line("whisker", [back, y + 4.0], [x, y]);
            }
        }
    }
    if !axis.holds(dot.value) {
        return;
    }
    let interval = match dot.interval {
        None => String::new(),
        Some([low, high]) if low.is_infinite() && high.is_infinite() => ", unbounded".to_owned(),
        Some([low, high]) => format!(" [{}, {}]", number(low), number(high)),
    };
    let title = escape(&format!("{}: {}{interval}", dot.label, number(dot.value)));
    let [cx, cy] = [x, y].map(coordinate);
    let _ = match dot.shape {
        Shape::Full => writeln!(
            out,
            "<circle class=\"dot\" cx=\"{cx}\" cy=\"{cy}\" r=\"5\"><title>{title}</title></circle>"
        ),
        Shape::Open => writeln!(
            out,
            "<circle class=\"dot open\" cx=\"{cx}\" cy=\"{cy}\" r=\"4.5\"><title>{title}</title></circle>"
        ),
        Shape::Cross | Shape::Bounds => {
            let [l, r, t, b] = [x - 5.0, x + 5.0, y - 5.0, y + 5.0].map(coordinate);
            writeln!(
                out,
                "<path class=\"l4\" d=\"M{l} {t}L{r} {b}M{l} {b}L{r} {t}\"><title>{title}</title></path>"
            )
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beyond_a_frame_has_an_arrow_and_no_disc() {
        let dot = |value, interval| Dot {
            label: "a".to_owned(),
            value,
            interval: Some(interval),
            shape: Shape::Full,
        };
        let svg = |dot| dots_within([0.0, 40.0], &[dot], "price", "prices");
        let caps = |svg: &str| svg.matches("class=\"whisker\"").count();
        let whole = svg(dot(20.0, [10.0, 30.0]));
        assert_eq!((caps(&whole), whole.matches("<circle").count()), (3, 1));
        let open = svg(dot(20.0, [f64::NEG_INFINITY, f64::INFINITY]));
        assert_eq!((caps(&open), open.matches("<circle").count()), (5, 1));
        assert!(open.contains("a: 20, unbounded"), "{open}");
        let beyond = svg(dot(900.0, [30.0, 2_000.0]));
        assert_eq!((caps(&beyond), beyond.matches("<circle").count()), (4, 0));
        assert!(!beyond.contains("2000</text>") && beyond.contains(">40</text>"), "{beyond}");
    }

    #[test]
    fn a_long_label_is_whole_where_there_is_room() {
        let dot = |label: &str| Dot { label: label.to_owned(), value: 1.0, ..Dot::default() };
        let whole = "vote-influence-in-rome, season 2";
        let svg = dots(&[dot(whole), dot(&"x".repeat(90))], "x", None, "numbers");
        assert!(svg.contains(&format!(">{whole}</text>")), "{svg}");
        assert!(svg.contains("xx…</text>") && !svg.contains(&format!(">{}<", "x".repeat(90))));
        let short = dots(&[dot("a")], "x", None, "numbers");
        assert!(short.contains("<line class=\"axis\" x1=\"120\""), "{short}");
    }

    #[test]
    fn dots_of_one_label_share_a_row_and_labels_are_escaped() {
        let dot = |label: &str, value| Dot { label: label.to_owned(), value, ..Dot::default() };
        let all = [dot("<a>", 1.0), Dot { shape: Shape::Cross, ..dot("<a>", 2.0) }, dot("b", 3.0)];
        let svg = dots(&all, "x", None, "numbers");
        assert_eq!(svg.matches("class=\"label\"").count(), 3, "two rows and the axis");
        assert!(svg.contains("&lt;a&gt;") && !svg.contains("<a>"));
        assert_eq!((svg.matches("<circle").count(), svg.matches("<path").count()), (2, 1));
    }
}
