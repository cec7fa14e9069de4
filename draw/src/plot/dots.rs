//! Estimates with their intervals, one a row.

use std::fmt::Write;

use super::{Axis, WIDTH, begin, cut, line, number, text};
use crate::html::{coordinate, escape};

/// What a mark looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shape {
    /// A full disc: an estimate whose interval leaves out the reference.
    #[default]
    Full,
    /// An empty disc: it is not decided.
    Open,
    /// A cross: a number that is printed in the rules.
    Cross,
}

/// A mark with its interval.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Dot {
    /// What the row is called. Dots with the label of the row before share its row.
    pub label: String,
    /// The estimate.
    pub value: f64,
    /// Its interval; none for what is known.
    pub interval: Option<[f64; 2]>,
    /// What it looks like.
    pub shape: Shape,
}

/// A line across all rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    /// Where.
    pub at: f64,
    /// What it means.
    pub label: String,
}

/// Height of a row.
const ROW: f64 = 24.0;
/// Room for labels on the left, and for the axis below.
const LEFT: f64 = 230.0;
const BELOW: f64 = 46.0;
const ABOVE: f64 = 22.0;

/// Dots in rows over an axis called `unit`.
#[must_use]
pub fn dots(all: &[Dot], unit: &str, reference: Option<&Reference>, alt: &str) -> String {
    let mut rows: Vec<(&str, Vec<&Dot>)> = Vec::new();
    for dot in all {
        match rows.last_mut() {
            Some((label, dots)) if *label == dot.label => dots.push(dot),
            _ => rows.push((&dot.label, vec![dot])),
        }
    }
    let ends = all
        .iter()
        .flat_map(|dot| dot.interval.unwrap_or([dot.value; 2]).into_iter().chain([dot.value]));
    let axis = Axis::holding(ends.chain(reference.map(|line| line.at)), LEFT, WIDTH - 20.0);
    let bottom = ABOVE + ROW * rows.len() as f64;
    let mut out = begin(bottom + BELOW, alt);
    for tick in axis.ticks(7) {
        let x = axis.at(tick);
        out += &line("grid", [x, ABOVE], [x, bottom]);
        out += &text("tick", [x, bottom + 16.0], "middle", &number(tick));
    }
    out += &line("axis", [LEFT, bottom], [WIDTH - 20.0, bottom]);
    out += &text("label", [f64::midpoint(LEFT, WIDTH - 20.0), bottom + 36.0], "middle", unit);
    if let Some(Reference { at, label }) = reference {
        out += &line("zero", [axis.at(*at), ABOVE - 4.0], [axis.at(*at), bottom]);
        out += &text("tick", [axis.at(*at), ABOVE - 8.0], "middle", label);
    }
    for (i, (label, dots)) in rows.iter().enumerate() {
        let y = ABOVE + ROW * (i as f64 + 0.5);
        out += &text("label", [LEFT - 10.0, y + 4.0], "end", &cut(label, 32));
        dots.iter().for_each(|dot| write_dot(dot, &axis, y, &mut out));
    }
    out + "</svg>\n"
}

fn write_dot(dot: &Dot, axis: &Axis, y: f64, out: &mut String) {
    let x = axis.at(dot.value);
    if let Some([low, high]) = dot.interval {
        let [low, high] = [low, high].map(|end| axis.at(end));
        *out += &line("whisker", [low, y], [high, y]);
        *out += &line("whisker", [low, y - 4.0], [low, y + 4.0]);
        *out += &line("whisker", [high, y - 4.0], [high, y + 4.0]);
    }
    let interval = dot
        .interval
        .map_or_else(String::new, |[low, high]| format!(" [{}, {}]", number(low), number(high)));
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
        Shape::Cross => {
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
    fn dots_of_one_label_share_a_row_and_labels_are_escaped() {
        let dot = |label: &str, value| Dot { label: label.to_owned(), value, ..Dot::default() };
        let all = [dot("<a>", 1.0), Dot { shape: Shape::Cross, ..dot("<a>", 2.0) }, dot("b", 3.0)];
        let svg = dots(&all, "x", None, "numbers");
        assert_eq!(svg.matches("class=\"label\"").count(), 3, "two rows and the axis");
        assert!(svg.contains("&lt;a&gt;") && !svg.contains("<a>"));
        assert_eq!((svg.matches("<circle").count(), svg.matches("<path").count()), (2, 1));
    }
}
