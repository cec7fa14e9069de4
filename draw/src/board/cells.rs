//! Boards without a map: cells around the middles of the areas.

use serde_json::Value as Json;

use super::{Area, Board, Kind, Link};
use crate::shapes::Rect;
use crate::voronoi::{Point, cells};

/// Width of a map, in units of the SVG.
const WIDTH: f64 = 1000.0;
/// Margin around the outermost places.
const MARGIN: f64 = 55.0;

/// Projects longitudes and latitudes onto a map, and returns the places with the map's size. The projection is
/// equirectangular, true at the middle.
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

/// Pushes crowded places apart, so that every cell has room. Each place moves towards the middle of its cell, a few
/// times.
fn apart(mut places: Vec<Point>, size: Point) -> Vec<Point> {
    const STEPS: usize = 4;
    const PART: f64 = 0.35;
    for _ in 0..STEPS {
        let cells = cells(&places, [0.0; 2], size);
        for (place, cell) in places.iter_mut().zip(&cells) {
            let n = cell.len().max(1) as f64;
            for axis in 0..2 {
                let middle = cell.iter().map(|corner| corner[axis]).sum::<f64>() / n;
                // Cells at the edge are long, so the step outwards is limited.
                let way = (middle - place[axis]).clamp(-MARGIN, MARGIN);
                place[axis] += PART * way;
            }
        }
    }
    places
}

fn at(json: &Json) -> Option<Point> {
    Some([json["at"][0].as_f64()?, json["at"][1].as_f64()?])
}

/// Returns cells around the places of a rules configuration, with these names; `None` if an area has no place.
pub(crate) fn board(places: &[&Json], named: &[(String, Kind)]) -> Option<Board> {
    let points: Vec<Point> = places.iter().map(|place| at(place)).collect::<Option<_>>()?;
    let (middles, size) = projected(&points);
    let middles = apart(middles, size);
    Some(around(&middles, size, named))
}

/// Returns cells in rows, for areas without coordinates.
pub(crate) fn of_places(named: &[(String, Kind)]) -> Board {
    const IN_A_ROW: usize = 6;
    let at = |i: usize| [8.0 * (i % IN_A_ROW) as f64, -6.0 * (i / IN_A_ROW) as f64];
    let points: Vec<Point> = (0..named.len()).map(at).collect();
    let (middles, size) = projected(&points);
    around(&middles, size, named)
}

fn around(middles: &[Point], size: Point, named: &[(String, Kind)]) -> Board {
    let shapes = cells(middles, [0.0, 0.0], size);
    let area = |(i, shape): (usize, Vec<Point>)| {
        let (id, kind) = named[i].clone();
        let label = id.replace('-', " ");
        let [x, y] = middles[i];
        let width = 6.8 * label.chars().count() as f64;
        Area {
            id,
            label: vec![label],
            note: String::new(),
            badge: String::new(),
            kind,
            at: middles[i],
            shape: vec![shape],
            label_box: Rect::around([x, y - 15.0], width, 13.0),
            slot: Rect::around([x, y + 3.0], 84.0, 18.0),
        }
    };
    let areas = shapes.into_iter().enumerate().map(area).collect();
    Board { size, areas, ..Board::default() }
}

/// Returns a line between two middles that leaves room around them.
pub(crate) fn between(from: Point, to: Point, link: Link) -> [Point; 2] {
    let inset = if link == Link::Border { 0.32 } else { 0.2 };
    [inset, 1.0 - inset].map(|t| [0, 1].map(|axis| from[axis] + t * (to[axis] - from[axis])))
}
