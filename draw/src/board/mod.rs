//! Boards as SVG: areas with a shape and a name, lines between them, and their pieces.
//!
//! [`Board`] holds the areas, and [`ValueMap`] the values of places. The frames of a replay place the pieces.

pub(crate) mod cells;
mod svg;
mod values;

use std::collections::BTreeSet;

use crate::shapes::{Rect, longer, nearest};
use crate::voronoi::Point;

pub use self::values::{ValueMap, value_maps};

/// The kind of an area, which decides its look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Land.
    Land,
    /// Land where points are won.
    Key,
    /// Land outside the map, drawn as a box.
    Elsewhere,
    /// Sea.
    Sea,
    /// A way between areas, on which pieces stand.
    Route,
    /// A space of a track.
    Track,
    /// A space of a track on a dividing line.
    Divider,
    /// The first space of a track.
    Start,
    /// The last space of a track.
    Goal,
}

impl Kind {
    /// Returns whether the kind is land.
    #[must_use]
    pub fn is_land(self) -> bool {
        matches!(self, Self::Land | Self::Key | Self::Elsewhere)
    }

    const fn class(self) -> &'static str {
        match self {
            Self::Land => "land",
            Self::Key => "land key",
            Self::Elsewhere => "elsewhere",
            Self::Sea => "sea",
            Self::Route => "route",
            Self::Track => "track",
            Self::Divider => "divider",
            Self::Start => "start",
            Self::Goal => "goal",
        }
    }
}

/// A place on a board.
#[derive(Clone, PartialEq, Debug)]
pub struct Area {
    /// Its name in records.
    pub id: String,
    /// The lines of its name on the board; empty for small areas.
    pub label: Vec<String>,
    /// A note beside its name, for example its payment.
    pub note: String,
    /// The text of the badge beside its name: the points that it pays.
    pub badge: String,
    /// Its kind.
    pub kind: Kind,
    /// Its middle.
    pub at: Point,
    /// Rings of corners. A point within an odd number of rings belongs to the area.
    pub shape: Vec<Vec<Point>>,
    /// The box of its name and its badge.
    pub label_box: Rect,
    /// The box of its pieces, if they have room in the area.
    pub slot: Rect,
}

/// The meaning of a line between two areas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    /// A land border that their shapes do not share.
    Border,
    /// Open water between two lands.
    Strait,
    /// Closed water between two lands.
    Closed,
    /// A way at sea.
    Route,
}

/// A line between two areas, by their numbers in the list.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoardLine {
    /// The number of the first area.
    pub from: usize,
    /// The number of the second area.
    pub to: usize,
    /// Its meaning.
    pub link: Link,
    /// Its ends on the board.
    pub ends: [Point; 2],
}

/// The meaning of a line of the map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stroke {
    /// A line between land and water.
    Coast,
    /// A line between two areas on land.
    Border,
    /// A line between an area and other land.
    Frontier,
    /// A line between two areas at sea.
    Zone,
}

/// A board with its areas and lines.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Board {
    /// Width and height.
    pub size: Point,
    /// Its areas; frames list pieces in this order.
    pub areas: Vec<Area>,
    /// Lines between the areas.
    pub lines: Vec<BoardLine>,
    /// Lines of the map; empty on boards that are drawn as cells.
    pub strokes: Vec<(Stroke, Vec<Point>)>,
    /// Rings around the land outside all areas.
    pub beyond: Vec<Vec<Point>>,
    /// Words beside the areas.
    pub signs: Vec<Sign>,
    /// Pairs of areas on the map that share a side, the lower number first.
    pub touching: BTreeSet<[usize; 2]>,
}

/// Words on a board, beside its areas.
#[derive(Clone, PartialEq, Debug)]
pub struct Sign {
    /// The middle of the words.
    pub at: Point,
    /// The words.
    pub text: String,
}

/// The colour of an area on a map of values.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tint {
    /// From 0 to 1; from -1 to 1 on a scale with two sides.
    pub strength: f64,
    /// The text under its name.
    pub text: String,
    /// True if the value is undecided: its interval includes no effect.
    pub is_undecided: bool,
}

/// The length of a strait's line within the land on either side, in units of the SVG.
const INLAND: f64 = 8.0;

impl Board {
    /// Draws a border on land between an area and a later one, unless a line between their shapes shows it.
    pub fn join(&mut self, from: usize, id: &str, link: Link) {
        let Some(to) = self.place(id).filter(|&to| from < to) else { return };
        if !self.is_map() || !self.touch(from, to) {
            self.add(from, id, link);
        }
    }

    /// Draws a line between two areas.
    pub fn add(&mut self, from: usize, id: &str, link: Link) {
        let Some(to) = self.place(id) else { return };
        let [a, b] = [from, to].map(|i| &self.areas[i]);
        let ends = if self.is_map() {
            longer(nearest(&a.shape, &b.shape), INLAND)
        } else {
            cells::between(a.at, b.at, link)
        };
        self.lines.push(BoardLine { from, to, link, ends });
    }

    /// Returns whether the board is a map with a coast.
    #[must_use]
    pub fn is_map(&self) -> bool {
        !self.strokes.is_empty()
    }

    /// Returns whether two areas share a side.
    #[must_use]
    pub fn touch(&self, one: usize, other: usize) -> bool {
        self.touching.contains(&[one.min(other), one.max(other)])
    }

    /// Returns the number of an area in the list, by its name.
    #[must_use]
    pub fn place(&self, id: &str) -> Option<usize> {
        self.areas.iter().position(|area| area.id == id)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use serde_json::Value as Json;

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
        assert_eq!(svg.matches("class=\"area ").count(), 4);
        assert_eq!(svg.matches("class=\"arrow\"").count(), 2);
        assert!(svg.contains("&lt;c&gt;") && !svg.contains("<c>"), "{svg}");
        assert_eq!(Board::of_rules(&json!({})), None);
    }

    #[test]
    fn north_is_above_and_a_tint_colours() {
        let board = Board::of_rules(&rules()).unwrap();
        assert!(board.areas[2].at[1] < board.areas[0].at[1]);
        let tint = |i: usize| {
            (i == 1).then(|| Tint { strength: -1.0, text: "-5".to_owned(), is_undecided: true })
        };
        let svg = board.svg("a map", &tint);
        assert!(svg.contains("area down7") && svg.contains(">-5</text>"), "{svg}");
        assert_eq!(svg.matches("class=\"undecided\"").count(), 1);
    }
}
