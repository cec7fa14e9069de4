//! Dot plots: estimates with their intervals, in rows.

use std::fmt::Write;

use super::{Axis, Frame, both, centred, cut, letters, line, number, room, text};
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

/// Height of a row, in units of the SVG: with its label on the left, and with its label above.
const ROW: f64 = 24.0;
const TALL_ROW: f64 = 38.0;
/// Space for the axis below, and for the label of a reference above.
const BELOW: f64 = 46.0;
const ABOVE: f64 = 22.0;
/// Space for the title of one of several pictures.
const TITLE: f64 = 20.0;
/// Space for labels on the left. Longer labels of narrow pictures stand above their rows.
const WIDE_ROOM: [f64; 2] = [120.0, 330.0];
const NARROW_ROOM: [f64; 2] = [60.0, 150.0];

/// Returns dots in rows over an axis called `unit`, which covers all of them.
#[must_use]
pub fn dots(all: &[Dot], unit: &str, reference: Option<&Reference>, alt: &str) -> String {
    both(|frame| {
        let place = Place::of(frame, all);
        dots_on(&place, place.axis(all, reference), all, [unit, "", alt], reference)
    })
}

/// Returns dots in rows over an axis called `unit` that covers only `limits`.
///
/// Arrows mark intervals and estimates beyond the limits.
#[must_use]
pub fn dots_within(limits: [f64; 2], all: &[Dot], unit: &str, alt: &str) -> String {
    both(|frame| {
        let place = Place::of(frame, all);
        let axis = Axis::of(limits, place.left, place.right());
        dots_on(&place, axis, all, [unit, "", alt], None)
    })
}

/// Returns small pictures with titles, beside each other if there is space, over one axis called `unit`.
#[must_use]
pub fn panels(
    all: &[(String, Vec<Dot>)],
    unit: &str,
    reference: Option<&Reference>,
    alt: &str,
) -> String {
    let every: Vec<Dot> = all.iter().flat_map(|(_, dots)| dots.iter().cloned()).collect();
    let place = Place::of(Frame::Narrow, &every);
    let axis = place.axis(&every, reference);
    let picture = |(title, dots): &(String, Vec<Dot>)| {
        let alt = format!("{title}: {alt}");
        dots_on(&place, axis, dots, [unit, title, &alt], reference)
    };
    format!("<div class=\"panels\">\n{}</div>\n", all.iter().map(picture).collect::<String>())
}

/// The places of labels and dots in a picture.
struct Place {
    frame: Frame,
    /// The start of the axis, to the right of labels on the left.
    left: f64,
    /// True if labels stand above their rows.
    is_above: bool,
}

impl Place {
    fn of(frame: Frame, all: &[Dot]) -> Self {
        let labels = || all.iter().map(|dot| dot.label.as_str());
        match frame {
            Frame::Wide => Self { frame, left: room(labels(), WIDE_ROOM), is_above: false },
            Frame::Narrow => {
                let needed = room(labels(), [NARROW_ROOM[0], f64::MAX]);
                let is_above = needed > NARROW_ROOM[1];
                Self { frame, left: if is_above { 14.0 } else { needed }, is_above }
            }
        }
    }

    fn right(&self) -> f64 {
        self.frame.width() - 20.0
    }

    fn row(&self) -> f64 {
        if self.is_above { TALL_ROW } else { ROW }
    }

    /// Returns the axis that covers dots and a reference.
    fn axis(&self, all: &[Dot], reference: Option<&Reference>) -> Axis {
        let ends = all
            .iter()
            .flat_map(|dot| dot.interval.unwrap_or([dot.value; 2]).into_iter().chain([dot.value]));
        Axis::holding(ends.chain(reference.map(|line| line.at)), self.left, self.right())
    }

    fn label(&self, label: &str, top: f64) -> String {
        if self.is_above {
            let most = (self.right() / super::LETTER) as usize;
            text("label", [4.0, top + 14.0], "start", &cut(label, most))
        } else {
            let y = top + ROW / 2.0 + 4.0;
            text("label", [self.left - 10.0, y], "end", &cut(label, letters(self.left)))
        }
    }
}

fn dots_on(
    place: &Place,
    axis: Axis,
    all: &[Dot],
    [unit, title, alt]: [&str; 3],
    reference: Option<&Reference>,
) -> String {
    let mut rows: Vec<(&str, Vec<&Dot>)> = Vec::new();
    for dot in all {
        match rows.last_mut() {
            Some((label, dots)) if *label == dot.label => dots.push(dot),
            _ => rows.push((&dot.label, vec![dot])),
        }
    }
    let above = ABOVE + if title.is_empty() { 0.0 } else { TITLE };
    let (left, right) = (place.left, place.right());
    let bottom = above + place.row() * rows.len() as f64;
    let mut out = place.frame.begin(bottom + BELOW, alt);
    if !title.is_empty() {
        out += &text("title", [4.0, 14.0], "start", &cut(title, 42));
    }
    for tick in axis.ticks(place.frame.choose(7, 4)) {
        let x = axis.at(tick);
        out += &line("grid", [x, above], [x, bottom]);
        out += &text("tick", [x, bottom + 16.0], "middle", &number(tick));
    }
    out += &line("axis", [left, bottom], [right, bottom]);
    out +=
        &centred("label", [f64::midpoint(left, right), bottom + 36.0], place.frame.width(), unit);
    if let Some(Reference { at, label }) = reference {
        out += &line("zero", [axis.at(*at), above - 4.0], [axis.at(*at), bottom]);
        out += &centred("tick", [axis.at(*at), above - 8.0], place.frame.width(), label);
    }
    for (i, (label, dots)) in rows.iter().enumerate() {
        let top = above + place.row() * i as f64;
        out += &place.label(label, top);
        let y = top + place.row() - ROW / 2.0;
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

    /// Returns the wide one of both layouts.
    fn wide(both: &str) -> String {
        both.split("<div class=\"on-narrow\">").next().unwrap().to_owned()
    }

    #[test]
    fn what_lies_beyond_a_frame_has_an_arrow_and_no_disc() {
        let dot = |value, interval| Dot {
            label: "a".to_owned(),
            value,
            interval: Some(interval),
            shape: Shape::Full,
        };
        let svg = |dot| wide(&dots_within([0.0, 40.0], &[dot], "price", "prices"));
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
        let both = dots(&[dot(whole), dot(&"x".repeat(90))], "x", None, "numbers");
        let svg = wide(&both);
        assert!(svg.contains(&format!(">{whole}</text>")), "{svg}");
        assert!(svg.contains("xx…</text>") && !svg.contains(&format!(">{}<", "x".repeat(90))));
        let short = dots(&[dot("a")], "x", None, "numbers");
        assert!(short.contains("<line class=\"axis\" x1=\"120\""), "{short}");
    }

    #[test]
    fn dots_of_one_label_share_a_row_and_labels_are_escaped() {
        let dot = |label: &str, value| Dot { label: label.to_owned(), value, ..Dot::default() };
        let all = [dot("<a>", 1.0), Dot { shape: Shape::Cross, ..dot("<a>", 2.0) }, dot("b", 3.0)];
        let svg = wide(&dots(&all, "x", None, "numbers"));
        assert_eq!(svg.matches("class=\"label\"").count(), 3, "two rows and the axis");
        assert!(svg.contains("&lt;a&gt;") && !svg.contains("<a>"));
        assert_eq!((svg.matches("<circle").count(), svg.matches("<path").count()), (2, 1));
    }

    #[test]
    fn a_phone_has_long_labels_above_their_dots_and_small_pictures_share_an_axis() {
        let dot = |label: &str, value| Dot { label: label.to_owned(), value, ..Dot::default() };
        let long = "a label of more than twenty letters";
        let both = dots(&[dot(long, 1.0)], "x", None, "numbers");
        let narrow = both.split("<div class=\"on-narrow\">").nth(1).unwrap();
        assert!(narrow.contains("text-anchor=\"start\">a label of more than twenty letters<"));
        assert!(narrow.contains("viewBox=\"0 0 380 "), "{narrow}");
        let panel = |title: &str, value| (title.to_owned(), vec![dot("seat 1", value)]);
        let svg = panels(&[panel("first", 0.0), panel("second", 4.0)], "x", None, "numbers");
        assert_eq!(svg.matches(">4</text>").count(), 2, "{svg}");
        assert!(svg.contains("aria-label=\"second: numbers\""));
    }
}
