//! Plots as SVG: intervals in rows, lines over a number, points in a plane, cells of a table.
//!
//! No plot relies on colour alone: marks differ in shape or dash, and every figure has its numbers in a table.

mod axis;
mod bars;
mod dots;
mod fan;
mod lines;
mod matrix;
mod scatter;

pub(crate) use self::axis::BEYOND;
pub use self::axis::{Axis, number};
pub use self::bars::bars;
pub use self::dots::{Dot, Reference, Shape, dots, dots_within, panels};
pub use self::fan::{Fan, Spread, fans};
pub use self::lines::{Axes, INK, Series, line_panels, lines};
pub use self::matrix::{Cell, matrix};
pub use self::scatter::{Spot, scatter};

/// The layout of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Frame {
    /// A picture across a page.
    Wide,
    /// A picture for a phone, or one of several beside each other.
    Narrow,
}

impl Frame {
    /// Returns the width of the picture, in units of the SVG.
    pub(crate) const fn width(self) -> f64 {
        match self {
            Self::Wide => 760.0,
            Self::Narrow => 380.0,
        }
    }

    /// Returns the larger number in a wide picture, and the smaller one in a narrow picture.
    pub(crate) const fn choose(self, wide: usize, narrow: usize) -> usize {
        match self {
            Self::Wide => wide,
            Self::Narrow => narrow,
        }
    }

    /// Returns the beginning of a picture with an alternative text.
    pub(crate) fn begin(self, height: f64, alt: &str) -> String {
        let [width, height] = [self.width(), height].map(crate::html::coordinate);
        let alt = crate::html::escape(alt);
        format!("<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{alt}\">\n")
    }
}

/// Returns a picture in both layouts. The style sheet shows the one that fits the window.
pub(crate) fn both(draw: impl Fn(Frame) -> String) -> String {
    let [wide, narrow] = [Frame::Wide, Frame::Narrow].map(draw);
    format!("<div class=\"on-wide\">\n{wide}</div>\n<div class=\"on-narrow\">\n{narrow}</div>\n")
}

/// Returns a text at a point; `anchor` is `start`, `middle` or `end`.
pub(crate) fn text(class: &str, [x, y]: [f64; 2], anchor: &str, words: &str) -> String {
    let [x, y] = [x, y].map(crate::html::coordinate);
    let words = crate::html::escape(words);
    format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{words}</text>\n")
}

/// Returns a text centred at a point, as far as a picture of this width has room.
pub(crate) fn centred(class: &str, [x, y]: [f64; 2], width: f64, words: &str) -> String {
    let half = LETTER * words.chars().count() as f64 / 2.0;
    text(class, [x.min(width - half).max(half), y], "middle", words)
}

/// Returns a line between two points.
pub(crate) fn line(class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) -> String {
    let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(crate::html::coordinate);
    format!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>\n")
}

/// Approximate width of a character of class `label`.
pub(crate) const LETTER: f64 = 7.2;

/// Returns the space for labels on the left: the width of the longest label, within bounds.
pub(crate) fn room<'a>(labels: impl IntoIterator<Item = &'a str>, [least, most]: [f64; 2]) -> f64 {
    let longest = labels.into_iter().map(|label| label.chars().count()).max().unwrap_or(0);
    (LETTER * longest as f64 + 24.0).clamp(least, most)
}

/// Returns the number of characters of a label that fit into `room`.
pub(crate) fn letters(room: f64) -> usize {
    ((room - 24.0) / LETTER + 0.5) as usize
}

/// Returns a label cut to at most `most` characters.
pub(crate) fn cut(label: &str, most: usize) -> String {
    if label.chars().count() <= most {
        return label.to_owned();
    }
    label.chars().take(most - 1).chain(['…']).collect()
}
