//! The Mediterranean: coast, provinces and sea zones, and the boards drawn on it.
//!
//! The script `geography/make.py` makes the file `assets/geography.txt` from Natural Earth and from hand-written
//! borders. The file has faces of land and water, and each line between two faces once. It also has each board: its
//! extent and its areas, with their faces, their middles, and the boxes of their names and pieces.
//!
//! [`board`] returns a board with the areas of a game.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::board::{Area, Board, Kind, Stroke};
use crate::shapes::Rect;
use crate::voronoi::Point;

/// Width of a board, in units of the SVG.
const WIDTH: f64 = 1000.0;

static GEOGRAPHY: LazyLock<Geography> =
    LazyLock::new(|| Geography::parse(include_str!("../assets/geography.txt")));

/// A line between two faces.
#[derive(Debug)]
struct Arc {
    /// The faces on the left and on the right; `None` beyond the edge.
    sides: [Option<usize>; 2],
    points: Vec<Point>,
}

/// A place on a board of the file.
#[derive(Debug)]
struct Place {
    id: &'static str,
    faces: Vec<usize>,
    middle: Point,
    label: Rect,
    slot: Rect,
    lines: Vec<String>,
    /// The box that represents a land outside the map.
    tile: Option<Rect>,
}

#[derive(Debug)]
struct Layout {
    name: &'static str,
    extent: Rect,
    places: Vec<Place>,
}

#[derive(Debug, Default)]
struct Geography {
    /// Names of faces; the prefix `+` marks land, `~` water.
    faces: Vec<&'static str>,
    arcs: Vec<Arc>,
    boards: Vec<Layout>,
}

fn point(text: &str) -> Point {
    let (x, y) = text.split_once(',').expect("a point of the file has two numbers");
    [x, y].map(|number| number.parse().expect("the file has whole numbers"))
}

fn rect(numbers: &[f64]) -> Rect {
    Rect { left: numbers[0], top: numbers[1], right: numbers[2], bottom: numbers[3] }
}

fn numbers(words: &[&str]) -> Vec<f64> {
    words.iter().map(|word| word.parse().expect("the file has whole numbers")).collect()
}

impl Geography {
    fn parse(text: &'static str) -> Self {
        let mut all = Self::default();
        for line in text.lines() {
            let words: Vec<&'static str> = line.split(' ').collect();
            match words[0] {
                "faces" => all.faces = words[1..].to_vec(),
                "arc" => all.arcs.push(Arc::parse(&words)),
                "board" => {
                    let (name, extent) = (words[1], rect(&numbers(&words[2..])));
                    all.boards.push(Layout { name, extent, places: Vec::new() });
                }
                "area" => {
                    let place = all.place(&words);
                    all.boards.last_mut().expect("areas follow a board").places.push(place);
                }
                "tile" => {
                    let places = all.boards.last_mut().map(|board| &mut board.places);
                    let place = places.and_then(|places| places.last_mut());
                    place.expect("a tile follows its area").tile =
                        Some(rect(&numbers(&words[1..])));
                }
                _ => {}
            }
        }
        all
    }

    fn place(&self, words: &[&'static str]) -> Place {
        let face = |name: &str| self.faces.iter().position(|face| face[1..] == *name);
        let at = numbers(&words[3..13]);
        Place {
            id: words[1],
            faces: words[2].split(',').filter_map(face).collect(),
            middle: [at[0], at[1]],
            label: rect(&at[2..6]),
            slot: rect(&at[6..10]),
            lines: words[13..].join(" ").split('|').map(str::to_owned).collect(),
            tile: None,
        }
    }

    fn is_water(&self, face: usize) -> bool {
        self.faces[face].starts_with('~')
    }
}

impl Arc {
    fn parse(words: &[&str]) -> Self {
        let mut points = vec![point(words[3])];
        let mut last = points[0];
        for word in &words[4..] {
            let [dx, dy] = point(word);
            last = [last[0] + dx, last[1] + dy];
            points.push(last);
        }
        Self { sides: [words[1], words[2]].map(|side| side.parse().ok()), points }
    }
}

/// Returns the rings around all faces for which `is_in` is true. Lines between two such faces are left out.
fn rings(arcs: &[Arc], is_in: &dyn Fn(usize) -> bool) -> Vec<Vec<Point>> {
    let key = |point: &Point| point.map(|x| x as i64);
    let mut starts: BTreeMap<[i64; 2], Vec<Vec<Point>>> = BTreeMap::new();
    for arc in arcs {
        let [left, right] = arc.sides.map(|side| side.is_some_and(is_in));
        let mut points = arc.points.clone();
        match (left, right) {
            (true, false) => {}
            (false, true) => points.reverse(),
            _ => continue,
        }
        starts.entry(key(&points[0])).or_default().push(points);
    }
    let mut out = Vec::new();
    while let Some(first) = starts.first_entry().map(|entry| *entry.key()) {
        let mut ring: Vec<Point> = Vec::new();
        let mut at = first;
        while let Some(all) = starts.get_mut(&at) {
            let Some(points) = all.pop() else { break };
            if all.is_empty() {
                starts.remove(&at);
            }
            at = points.last().map_or(first, key);
            // The last corner of a line is also the first corner of the next.
            ring.extend(&points[..points.len() - 1]);
            if at == first {
                break;
            }
        }
        out.push(ring);
    }
    out
}

/// Returns the board of this name with areas of these names and kinds, if the board has all of them. `heirs` pairs an
/// area of the file that is not among them with the area that receives its land.
#[must_use]
pub fn board(name: &str, areas: &[(String, Kind)], heirs: &[[&str; 2]]) -> Option<Board> {
    let map = &*GEOGRAPHY;
    let layout = map.boards.iter().find(|board| board.name == name)?;
    let places: Vec<&Place> = areas
        .iter()
        .map(|(id, _)| layout.places.iter().find(|place| place.id == id))
        .collect::<Option<_>>()?;
    let mut owner = vec![None; map.faces.len()];
    for (i, place) in places.iter().enumerate() {
        place.faces.iter().for_each(|&face| owner[face] = Some(i));
    }
    for [gone, heir] in heirs {
        let is_there = places.iter().any(|place| place.id == *gone);
        let gone = layout.places.iter().find(|place| place.id == *gone && !is_there);
        let heir = places.iter().position(|place| place.id == *heir);
        gone.iter().for_each(|gone| gone.faces.iter().for_each(|&face| owner[face] = heir));
    }
    let extent = layout.extent;
    let scale = WIDTH / (extent.right - extent.left);
    let on_board = |[x, y]: Point| [(x - extent.left) * scale, (y - extent.top) * scale];
    let moved = |all: Vec<Vec<Point>>| -> Vec<Vec<Point>> {
        all.into_iter().map(|line| line.into_iter().map(on_board).collect()).collect()
    };
    let boxed = |Rect { left, top, right, bottom }: Rect| {
        let ([left, top], [right, bottom]) = (on_board([left, top]), on_board([right, bottom]));
        Rect { left, top, right, bottom }
    };
    let area = |(i, place): (usize, &&Place)| {
        let shape = match place.tile.map(boxed) {
            Some(Rect { left, top, right, bottom }) => {
                vec![vec![[left, top], [right, top], [right, bottom], [left, bottom]]]
            }
            None => moved(rings(&map.arcs, &|face| owner[face] == Some(i))),
        };
        Area {
            id: place.id.to_owned(),
            label: place.lines.clone(),
            note: String::new(),
            badge: String::new(),
            kind: if place.tile.is_some() { Kind::Elsewhere } else { areas[i].1 },
            at: on_board(place.middle),
            shape,
            label_box: boxed(place.label),
            slot: boxed(place.slot),
        }
    };
    let is_beyond = |face: usize| owner[face].is_none() && !map.is_water(face);
    let strokes = map.arcs.iter().filter_map(|arc| {
        let stroke = stroke(map, &owner, arc)?;
        Some((stroke, arc.points.iter().copied().map(on_board).collect()))
    });
    Some(Board {
        size: on_board([extent.right, extent.bottom]),
        areas: places.iter().enumerate().map(area).collect(),
        lines: Vec::new(),
        strokes: strokes.collect(),
        beyond: moved(rings(&map.arcs, &is_beyond)),
        signs: Vec::new(),
        touching: touching(map, &owner, &places),
    })
}

/// Returns the pairs of areas that share a line. Lands outside the map are boxes, which touch nothing.
fn touching(map: &Geography, owner: &[Option<usize>], places: &[&Place]) -> BTreeSet<[usize; 2]> {
    let owned = |face: usize| owner[face].filter(|&i| places[i].tile.is_none());
    let pair = |arc: &Arc| {
        let [Some(left), Some(right)] = arc.sides else { return None };
        let [a, b] = [owned(left)?, owned(right)?];
        (a != b).then_some([a.min(b), a.max(b)])
    };
    map.arcs.iter().filter_map(pair).collect()
}

/// Returns the kind of line between the faces of an arc; `None` within an area.
fn stroke(map: &Geography, owner: &[Option<usize>], arc: &Arc) -> Option<Stroke> {
    let [Some(left), Some(right)] = arc.sides else { return None };
    let are_water = [left, right].map(|face| map.is_water(face));
    let owners = [left, right].map(|face| owner[face]);
    match (are_water, owners) {
        ([true, false] | [false, true], _) => Some(Stroke::Coast),
        (_, [a, b]) if a == b => None,
        ([true, true], _) => Some(Stroke::Zone),
        (_, [Some(_), Some(_)]) => Some(Stroke::Border),
        _ => Some(Stroke::Frontier),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::holds;

    fn boards() -> Vec<(&'static str, Board)> {
        let kind = |place: &Place| match () {
            () if place.id.starts_with("mare-") || place.id.starts_with("oceanus-") => Kind::Sea,
            () if place.faces.is_empty() && place.tile.is_none() => Kind::Route,
            () => Kind::Land,
        };
        let named = |layout: &Layout| -> Vec<(String, Kind)> {
            layout.places.iter().map(|place| (place.id.to_owned(), kind(place))).collect()
        };
        let made =
            |layout: &Layout| (layout.name, board(layout.name, &named(layout), &[]).unwrap());
        GEOGRAPHY.boards.iter().map(made).collect()
    }

    /// Returns the signed area of a ring.
    fn size(ring: &[Point]) -> f64 {
        let next = |i: usize| ring[(i + 1) % ring.len()];
        (0..ring.len()).map(|i| ring[i][0] * next(i)[1] - next(i)[0] * ring[i][1]).sum::<f64>()
            / 2.0
    }

    #[test]
    fn every_middle_lies_in_its_own_area_and_in_no_other() {
        for (name, board) in boards() {
            for area in board.areas.iter().filter(|area| area.kind != Kind::Route) {
                // The box of a land outside the map stands on other land.
                let others = board.areas.iter().filter(|other| other.kind == area.kind);
                for other in others {
                    let is_own = area.id == other.id;
                    assert_eq!(
                        holds(&other.shape, area.at),
                        is_own,
                        "{name}: {} in {}",
                        area.id,
                        other.id
                    );
                }
            }
        }
    }

    #[test]
    fn faces_fill_the_map_once() {
        let map = &*GEOGRAPHY;
        let all = |face: usize| -> f64 {
            rings(&map.arcs, &|other| other == face).iter().map(|ring| size(ring)).sum()
        };
        let total: f64 = (0..map.faces.len()).map(|face| all(face).abs()).sum();
        let whole: f64 = rings(&map.arcs, &|_| true).iter().map(|ring| size(ring)).sum();
        assert!(whole.abs() > 2e6 && (total - whole.abs()).abs() < 1e-3 * total, "{total} {whole}");
    }

    #[test]
    fn names_and_slots_overlap_nothing_and_lie_on_the_board() {
        for (name, board) in boards() {
            let boxes: Vec<(&str, Rect)> = board
                .areas
                .iter()
                .flat_map(|area| {
                    [(area.id.as_str(), area.label_box), (area.id.as_str(), area.slot)]
                })
                .filter(|(_, rect)| rect.bottom > rect.top)
                .collect();
            let [right, bottom] = board.size;
            let whole = Rect { left: 0.0, top: 0.0, right, bottom };
            for (i, (id, rect)) in boxes.iter().enumerate() {
                let is_on = rect.left >= whole.left && rect.right <= right && rect.bottom <= bottom;
                assert!(is_on && rect.top >= 0.0, "{name}: {id} leaves the board");
                for (other, box_of_other) in &boxes[i + 1..] {
                    assert!(!rect.overlaps(box_of_other), "{name}: {id} and {other}");
                }
            }
        }
    }

    #[test]
    fn land_of_an_area_that_is_not_there_goes_to_its_heir() {
        let named = |ids: &[&str]| -> Vec<(String, Kind)> {
            ids.iter().map(|id| ((*id).to_owned(), Kind::Land)).collect()
        };
        let heirs = [["numidia", "mauritania"]];
        let numidia = board("hannibal", &named(&["numidia"]), &[]).unwrap().areas[0].at;
        let with = |heirs: &[[&str; 2]]| {
            let board = board("hannibal", &named(&["mauritania", "carthago"]), heirs).unwrap();
            (holds(&board.areas[0].shape, numidia), board.touch(0, 1))
        };
        assert_eq!((with(&[]), with(&heirs)), ((false, false), (true, true)));
        let both = board("hannibal", &named(&["mauritania", "numidia"]), &heirs).unwrap();
        assert!(!holds(&both.areas[0].shape, numidia), "whoever is there keeps their land");
    }

    #[test]
    fn the_file_is_small_and_a_name_that_it_has_not_gives_no_board() {
        assert!(include_str!("../assets/geography.txt").len() <= 60_000);
        assert_eq!(board("conquest2", &[("utopia".to_owned(), Kind::Land)], &[]), None);
        assert_eq!(board("utopia", &[], &[]), None);
    }
}
