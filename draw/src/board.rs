//! A board as SVG: areas with a shape and a name, lines between them, and what lies in them.

use std::fmt::Write;

use serde_json::Value as Json;

use crate::html::{coordinate, escape};
use crate::voronoi::{Point, cells};

/// What an area is, which says how it looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Land.
    Land,
    /// Land where points are won.
    Key,
    /// Sea.
    Sea,
    /// A way between areas, on which pieces stand.
    Route,
    /// A cell of a track.
    Track,
    /// A cell of a track on a line that divides it.
    Divider,
    /// A cell in which a track ends.
    Goal,
}

impl Kind {
    const fn class(self) -> &'static str {
        match self {
            Self::Land => "land",
            Self::Key => "land key",
            Self::Sea => "sea",
            Self::Route => "route",
            Self::Track => "track",
            Self::Divider => "divider",
            Self::Goal => "goal",
        }
    }
}

/// A place on a board.
#[derive(Clone, PartialEq, Debug)]
pub struct Area {
    /// Its name in records.
    pub id: String,
    /// What is written in it; nothing for small ones.
    pub label: String,
    /// What is said of it beside its name: what it pays, for example.
    pub note: String,
    /// What it is.
    pub kind: Kind,
    /// Its middle.
    pub at: Point,
    /// Its corners.
    pub shape: Vec<Point>,
}

/// What a line between two areas means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    /// A border on land.
    Border,
    /// Open water between two lands.
    Strait,
    /// The same, closed.
    Closed,
    /// A way at sea.
    Route,
}

/// A line between two areas, by their places in the list.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoardLine {
    /// From where.
    pub from: usize,
    /// To where.
    pub to: usize,
    /// What it means.
    pub link: Link,
}

/// A board.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Board {
    /// Width and height.
    pub size: Point,
    /// Its areas; frames say what lies in them in this order.
    pub areas: Vec<Area>,
    /// Lines between them.
    pub lines: Vec<BoardLine>,
}

/// How an area is coloured on a map of values.
#[derive(Clone, PartialEq, Debug)]
pub struct Tint {
    /// From 0 to 1, or below 0 to -1 on a scale with two sides.
    pub strength: f64,
    /// What is written under its name.
    pub text: String,
}

/// Width of a map.
const WIDTH: f64 = 1000.0;
/// Room around its outermost places.
const MARGIN: f64 = 55.0;
/// The shades of a scale on each of its sides.
const SHADES: f64 = 7.0;

/// Points given as longitude and latitude, as places on a map, with its size (equirectangular, true at the middle).
fn projected(points: &[Point]) -> (Vec<Point>, Point) {
    let range = |axis: usize| {
        let values = points.iter().map(|point| point[axis]);
        let low = values.clone().fold(f64::INFINITY, f64::min);
        (low, values.fold(f64::NEG_INFINITY, f64::max))
    };
    let ((west, east), (south, north)) = (range(0), range(1));
    let shrink = ((south + north) / 2.0).to_radians().cos();
    let scale = (WIDTH - 2.0 * MARGIN) / ((east - west).max(1.0) * shrink);
    let at = |[x, y]: &Point| [MARGIN + (x - west) * shrink * scale, MARGIN + (north - y) * scale];
    let height = (north - south) * scale + 2.0 * MARGIN;
    (points.iter().map(at).collect(), [WIDTH, height])
}

/// The same places, those that are crowded pushed apart: each goes some of the way to the middle of its cell, a few times,
/// so that there is room in every cell.
fn apart(mut places: Vec<Point>, size: Point) -> Vec<Point> {
    const STEPS: usize = 4;
    const PART: f64 = 0.35;
    for _ in 0..STEPS {
        let cells = cells(&places, [0.0; 2], size);
        for (place, cell) in places.iter_mut().zip(&cells) {
            let n = cell.len().max(1) as f64;
            for axis in 0..2 {
                let middle = cell.iter().map(|corner| corner[axis]).sum::<f64>() / n;
                // Cells at the edge are long: nobody is drawn far outwards.
                let way = (middle - place[axis]).clamp(-MARGIN, MARGIN);
                place[axis] += PART * way;
            }
        }
    }
    places
}

/// A list in a document; empty if there is none.
fn list<'a>(json: &'a Json, key: &str) -> &'a [Json] {
    json[key].as_array().map_or(&[], Vec::as_slice)
}

fn text(json: &Json, key: &str) -> String {
    json[key].as_str().unwrap_or_default().to_owned()
}

fn at(json: &Json) -> Option<Point> {
    Some([json["at"][0].as_f64()?, json["at"][1].as_f64()?])
}

impl Board {
    /// The map in a rules configuration with `province` and, perhaps, `sea` and `strait`: cells around `at`, borders by
    /// `land`. Provinces that have `vp` pay points. `None` where there are no such places.
    #[must_use]
    pub fn of_rules(rules: &Json) -> Option<Self> {
        let (provinces, seas) = (list(rules, "province"), list(rules, "sea"));
        let all: Vec<&Json> = provinces.iter().chain(seas).collect();
        let points: Vec<Point> = all.iter().map(|place| at(place)).collect::<Option<_>>()?;
        if points.is_empty() {
            return None;
        }
        let (middles, size) = projected(&points);
        let middles = apart(middles, size);
        let shapes = cells(&middles, [0.0, 0.0], size);
        let area = |(i, (place, shape)): (usize, (&&Json, Vec<Point>))| {
            let vp: Vec<String> = list(place, "vp").iter().map(ToString::to_string).collect();
            let kind = match (i < provinces.len(), vp.is_empty()) {
                (true, true) => Kind::Land,
                (true, false) => Kind::Key,
                (false, _) => Kind::Sea,
            };
            let note =
                if vp.is_empty() { String::new() } else { format!("pays {} VP", vp.join("/")) };
            let id = text(place, "id");
            let label = id.replace('-', " ");
            Area { id, label, note, kind, at: middles[i], shape }
        };
        let areas = all.iter().zip(shapes).enumerate().map(area).collect();
        let mut board = Self { size, areas, lines: Vec::new() };
        for (from, province) in provinces.iter().enumerate() {
            for id in list(province, "land").iter().filter_map(Json::as_str) {
                if let Some(to) = board.place(id).filter(|&to| from < to) {
                    board.lines.push(BoardLine { from, to, link: Link::Border });
                }
            }
        }
        for strait in list(rules, "strait") {
            let ends =
                [0, 1].map(|i| board.place(strait["between"][i].as_str().unwrap_or_default()));
            let link = if strait["open"] == false { Link::Closed } else { Link::Strait };
            if let [Some(from), Some(to)] = ends {
                board.lines.push(BoardLine { from, to, link });
            }
        }
        Some(board)
    }

    /// A map of areas that are given by name, with the corners of their cells around `at` (longitude and latitude).
    #[must_use]
    pub fn of_places(places: &[(&str, Point, Kind)]) -> Self {
        let points: Vec<Point> = places.iter().map(|place| place.1).collect();
        let (middles, size) = projected(&points);
        let shapes = cells(&middles, [0.0, 0.0], size);
        let area = |(i, shape): (usize, Vec<Point>)| {
            let (id, _, kind) = places[i];
            let (label, note) = (id.replace('-', " "), String::new());
            Area { id: id.to_owned(), label, note, kind, at: middles[i], shape }
        };
        let areas = shapes.into_iter().enumerate().map(area).collect();
        Self { size, areas, lines: Vec::new() }
    }

    /// The place of an area in the list, by its name.
    #[must_use]
    pub fn place(&self, id: &str) -> Option<usize> {
        self.areas.iter().position(|area| area.id == id)
    }

    /// The board without pieces, titled for those who do not see it. Pieces of the area in place N go into its group, which
    /// has `data-area="N"`. Areas with a tint have its colour and text.
    #[must_use]
    pub fn svg(&self, title: &str, tint: &dyn Fn(usize) -> Option<Tint>) -> String {
        let [width, height] = self.size.map(coordinate);
        let has_values = (0..self.areas.len()).any(|i| tint(i).is_some());
        let values = if has_values { " values" } else { "" };
        let mut out = format!(
            "<svg class=\"board{values}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n",
            escape(title)
        );
        for (i, area) in self.areas.iter().enumerate() {
            area.write(tint(i).as_ref(), &mut out);
        }
        for line in &self.lines {
            self.write_line(line, &mut out);
        }
        for (i, area) in self.areas.iter().enumerate() {
            area.write_label(tint(i).as_ref(), &mut out);
            let [x, y] = area.at.map(coordinate);
            let bare = if area.label.is_empty() { " data-bare" } else { "" };
            let _ =
                writeln!(out, "<g data-area=\"{i}\"{bare} transform=\"translate({x} {y})\"></g>");
        }
        out + "</svg>\n"
    }

    fn write_line(&self, line: &BoardLine, out: &mut String) {
        let [from, to] = [line.from, line.to].map(|i| self.areas[i].at);
        let class = match line.link {
            Link::Border => "border",
            Link::Strait => "strait",
            Link::Closed => "strait closed",
            Link::Route => "way",
        };
        let along =
            |t: f64| [0, 1].map(|axis| coordinate(from[axis] + t * (to[axis] - from[axis])));
        let inset = if line.link == Link::Border { 0.32 } else { 0.2 };
        let ([x1, y1], [x2, y2]) = (along(inset), along(1.0 - inset));
        let _ = writeln!(
            out,
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
        );
        if line.link == Link::Strait {
            write_arrow(out, from, to, 0.8);
            write_arrow(out, to, from, 0.8);
        }
    }
}

/// The head of an arrow at `t` of the way.
fn write_arrow(out: &mut String, from: Point, to: Point, t: f64) {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy).max(1e-9);
    let (ux, uy) = (dx / length, dy / length);
    let tip = [from[0] + t * dx, from[1] + t * dy];
    let corner = |side: f64| {
        [tip[0] - 9.0 * ux - side * 4.5 * uy, tip[1] - 9.0 * uy + side * 4.5 * ux].map(coordinate)
    };
    let ([x, y], [x1, y1], [x2, y2]) = (tip.map(coordinate), corner(1.0), corner(-1.0));
    let _ = writeln!(out, "<path class=\"arrow\" d=\"M{x} {y}L{x1} {y1}L{x2} {y2}Z\"/>");
}

/// Corners as the points of a polygon.
pub(crate) fn corners(shape: &[Point]) -> String {
    let corner = |point: &Point| {
        let [x, y] = point.map(coordinate);
        format!("{x},{y}")
    };
    shape.iter().map(corner).collect::<Vec<_>>().join(" ")
}

impl Area {
    /// What is said of the area when it is pointed at.
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
        let title = escape(&self.title(tint));
        let _ = writeln!(
            out,
            "<polygon class=\"area {class}{shade}\" points=\"{}\"><title>{title}</title></polygon>",
            corners(&self.shape)
        );
    }

    fn write_label(&self, tint: Option<&Tint>, out: &mut String) {
        if self.label.is_empty() {
            return;
        }
        let [x, y] = [self.at[0], self.at[1] - 12.0].map(coordinate);
        let _ = writeln!(
            out,
            "<text class=\"name\" x=\"{x}\" y=\"{y}\">{}</text>",
            escape(&self.label)
        );
        if let Some(tint) = tint.filter(|tint| !tint.text.is_empty()) {
            let [x, y] = [self.at[0], self.at[1] + 6.0].map(coordinate);
            let _ = writeln!(
                out,
                "<text class=\"tint\" x=\"{x}\" y=\"{y}\">{}</text>",
                escape(&tint.text)
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rules() -> Json {
        json!({
            "province": [
                { "id": "a", "at": [0.0, 40.0], "land": ["b"], "vp": [5, 2] },
                { "id": "b", "at": [10.0, 40.0], "land": ["a"] },
                { "id": "<c>", "at": [5.0, 45.0], "land": [] },
            ],
            "sea": [{ "id": "mare", "at": [5.0, 35.0] }],
            "strait": [{ "between": ["b", "<c>"], "open": true }],
        })
    }

    #[test]
    fn a_map_has_every_place_of_the_rules_and_their_names_are_escaped() {
        let board = Board::of_rules(&rules()).unwrap();
        let kinds: Vec<Kind> = board.areas.iter().map(|area| area.kind).collect();
        assert_eq!(kinds, [Kind::Key, Kind::Land, Kind::Land, Kind::Sea]);
        let links: Vec<Link> = board.lines.iter().map(|line| line.link).collect();
        assert_eq!(links, [Link::Border, Link::Strait]);
        let svg = board.svg("a map", &|_| None);
        assert_eq!(svg.matches("<polygon ").count(), 4);
        assert_eq!(svg.matches("class=\"arrow\"").count(), 2);
        assert!(svg.contains("&lt;c&gt;") && !svg.contains("<c>"), "{svg}");
        assert_eq!(Board::of_rules(&json!({})), None);
    }

    #[test]
    fn north_is_above_and_a_tint_colours() {
        let board = Board::of_rules(&rules()).unwrap();
        assert!(board.areas[2].at[1] < board.areas[0].at[1]);
        let tint = |i: usize| (i == 1).then(|| Tint { strength: -1.0, text: "-5".to_owned() });
        let svg = board.svg("a map", &tint);
        assert!(svg.contains("area down7") && svg.contains(">-5</text>"), "{svg}");
    }
}
