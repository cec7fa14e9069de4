//! The SVG of a board: water, land, lines, straits, names, and groups for pieces.

use std::fmt::Write;

use super::{Area, Board, BoardLine, Link, Stroke, Tint};
use crate::html::{coordinate, escape};
use crate::shapes::{Rect, path};
use crate::voronoi::Point;

/// The number of shades on each side of a scale.
const SHADES: f64 = 7.0;
/// Height of a badge, its width for each letter, and its horizontal padding.
const BADGE: (f64, f64, f64) = (13.0, 6.0, 7.0);

impl Board {
    /// Returns the board without pieces as SVG; `title` is its text for screen readers. The group with `data-area="N"`
    /// receives the pieces of area N, and the groups `ways` and `marks` the marks of events below and above names and
    /// pieces. Areas with a tint have its colour and
    /// text.
    #[must_use]
    pub fn svg(&self, title: &str, tint: &dyn Fn(usize) -> Option<Tint>) -> String {
        self.svg_with(title, tint, &|_| String::new())
    }

    /// Returns the board as [`Self::svg`] does; the group of each area has `more` attributes.
    pub(crate) fn svg_with(
        &self,
        title: &str,
        tint: &dyn Fn(usize) -> Option<Tint>,
        more: &dyn Fn(usize) -> String,
    ) -> String {
        let [width, height] = self.size.map(coordinate);
        let has_values = (0..self.areas.len()).any(|i| tint(i).is_some());
        let values = if has_values { " values" } else { "" };
        let map = if self.is_map() { " map" } else { "" };
        let mut out = format!(
            "<svg class=\"board{map}{values}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n",
            escape(title)
        );
        if self.is_map() {
            let _ = writeln!(out, "<rect class=\"water\" width=\"{width}\" height=\"{height}\"/>");
            let _ = writeln!(out, "<path class=\"beyond\" d=\"{}\"/>", path(&self.beyond, true));
        }
        for (i, area) in self.areas.iter().enumerate() {
            area.write(tint(i).as_ref(), &mut out);
        }
        self.write_strokes(&mut out);
        for line in &self.lines {
            write_line(line, &mut out);
        }
        for sign in &self.signs {
            let [x, y] = sign.at.map(coordinate);
            let text = escape(&sign.text);
            let _ = writeln!(out, "<text class=\"sign\" x=\"{x}\" y=\"{y}\">{text}</text>");
        }
        if !has_values {
            out += "<g class=\"ways\"></g>\n";
        }
        for (i, area) in self.areas.iter().enumerate() {
            let tint = tint(i);
            // On a map of values, the names of areas without a value distract.
            if !has_values || tint.is_some() {
                area.write_label(tint.as_ref(), &mut out);
            }
        }
        if has_values {
            return out + "</svg>\n";
        }
        out += "<g class=\"leaders\"></g>\n";
        for (i, area) in self.areas.iter().enumerate() {
            area.write_group(i, &more(i), &mut out);
        }
        out + "<g class=\"marks\"></g>\n</svg>\n"
    }

    fn write_strokes(&self, out: &mut String) {
        for (stroke, class) in [
            (Stroke::Zone, "zone"),
            (Stroke::Frontier, "frontier"),
            (Stroke::Border, "border"),
            (Stroke::Coast, "coast"),
        ] {
            let all: Vec<Vec<Point>> = self
                .strokes
                .iter()
                .filter(|(other, _)| *other == stroke)
                .map(|(_, points)| points.clone())
                .collect();
            if !all.is_empty() {
                let _ = writeln!(out, "<path class=\"{class}\" d=\"{}\"/>", path(&all, false));
            }
        }
    }
}

fn write_line(line: &BoardLine, out: &mut String) {
    let class = match line.link {
        Link::Border => "join",
        Link::Strait => "strait",
        Link::Closed => "strait closed",
        Link::Route => "way",
    };
    let [[x1, y1], [x2, y2]] = line.ends.map(|end| end.map(coordinate));
    let _ =
        writeln!(out, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
    if line.link == Link::Strait {
        let [a, b] = line.ends;
        write_arrow(out, a, b);
        write_arrow(out, b, a);
    }
}

/// Writes an arrowhead at the end of the line.
fn write_arrow(out: &mut String, from: Point, to: Point) {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy).max(1e-9);
    let (ux, uy) = (dx / length, dy / length);
    let corner = |side: f64| {
        [to[0] - 5.0 * ux - side * 3.0 * uy, to[1] - 5.0 * uy + side * 3.0 * ux].map(coordinate)
    };
    let ([x, y], [x1, y1], [x2, y2]) = (to.map(coordinate), corner(1.0), corner(-1.0));
    let _ = writeln!(out, "<path class=\"arrow\" d=\"M{x} {y}L{x1} {y1}L{x2} {y2}Z\"/>");
}

/// Returns a box as four numbers.
fn four(Rect { left, top, right, bottom }: Rect) -> String {
    [left, top, right, bottom].map(coordinate).join(" ")
}

impl Area {
    /// Returns the text that the area shows under the pointer.
    fn title(&self, tint: Option<&Tint>) -> String {
        let tint = tint.map(|tint| tint.text.clone()).unwrap_or_default();
        let parts = [self.id.clone(), self.note.clone(), tint];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ")
    }

    fn write(&self, tint: Option<&Tint>, out: &mut String) {
        let shade = tint.map_or_else(String::new, |tint| {
            let step = (tint.strength.abs().min(1.0) * SHADES).round();
            let side = if tint.strength < 0.0 { "down" } else { "up" };
            format!("{side}{step}")
        });
        let class = if tint.is_some() { "" } else { self.kind.class() };
        let (title, data) = (escape(&self.title(tint)), path(&self.shape, true));
        let shape = |class: &str, inside: &str| {
            format!("<path class=\"{class}\" d=\"{data}\">{inside}</path>\n")
        };
        *out += &shape(&format!("area {class}{shade}"), &format!("<title>{title}</title>"));
        if tint.is_some_and(|tint| tint.is_undecided) {
            *out += &shape("undecided", "");
        }
    }

    fn write_label(&self, tint: Option<&Tint>, out: &mut String) {
        if let Some(tint) = tint.filter(|tint| !tint.text.is_empty()) {
            let [x, _] = self.slot.middle();
            let [x, y] = [x, self.slot.top + 13.0].map(coordinate);
            let _ = writeln!(
                out,
                "<text class=\"tint\" x=\"{x}\" y=\"{y}\">{}</text>",
                escape(&tint.text)
            );
        }
        if self.label.iter().all(String::is_empty) {
            return;
        }
        let (height, letter, edge) = BADGE;
        let badge = match self.badge.chars().count() {
            0 => 0.0,
            n => letter * n as f64 + edge,
        };
        let [middle, centre] = self.label_box.middle();
        let x = middle - if badge > 0.0 { (badge + 2.0) / 2.0 } else { 0.0 };
        let class = if self.kind.is_land() { "name" } else { "name sea" };
        let step = 12.2;
        let first = centre - step * (self.label.len() as f64 - 1.0) / 2.0 + 4.0;
        let _ = write!(out, "<text class=\"{class}\">");
        for (i, line) in self.label.iter().enumerate() {
            let [x, y] = [x, first + step * i as f64].map(coordinate);
            let _ = write!(out, "<tspan x=\"{x}\" y=\"{y}\">{}</tspan>", escape(line));
        }
        *out += "</text>\n";
        if badge > 0.0 {
            let left = self.label_box.right - badge;
            let [bx, by, w] = [left, centre - height / 2.0, badge].map(coordinate);
            let [tx, ty] = [left + badge / 2.0, centre + 3.6].map(coordinate);
            let _ = writeln!(
                out,
                "<g class=\"badge\"><rect x=\"{bx}\" y=\"{by}\" width=\"{w}\" height=\"{height}\" rx=\"6.5\"/>\
                 <text x=\"{tx}\" y=\"{ty}\">{}</text></g>",
                escape(&self.badge)
            );
        }
    }

    fn write_group(&self, i: usize, more: &str, out: &mut String) {
        let [x, y] = self.at.map(coordinate);
        let (slot, label) = (four(self.slot), four(self.label_box));
        let label = match self.label.iter().all(String::is_empty) {
            true => String::new(),
            false => format!(" data-label=\"{label}\""),
        };
        let _ = writeln!(
            out,
            "<g data-area=\"{i}\" data-at=\"{x} {y}\" data-slot=\"{slot}\"{label}{more}></g>"
        );
    }
}
