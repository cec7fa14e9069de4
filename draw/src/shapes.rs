//! Plane shapes: boxes, rings of corners, their nearest points, and paths of SVG.

use std::fmt::Write;

use crate::html::coordinate;
use crate::voronoi::Point;

/// A box with upright sides.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Rect {
    /// Left side.
    pub left: f64,
    /// Top.
    pub top: f64,
    /// Right side.
    pub right: f64,
    /// Bottom.
    pub bottom: f64,
}

impl Rect {
    /// Creates the box of this width and height around a point.
    #[must_use]
    pub fn around([x, y]: Point, width: f64, height: f64) -> Self {
        let (dx, dy) = (width / 2.0, height / 2.0);
        Self { left: x - dx, top: y - dy, right: x + dx, bottom: y + dy }
    }

    /// Returns the middle of the box.
    #[must_use]
    pub fn middle(&self) -> Point {
        [(self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0]
    }

    /// Returns whether two boxes have more than an edge in common.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// Returns whether a point lies within closed rings, by the even-odd rule.
#[must_use]
pub fn holds(rings: &[Vec<Point>], [x, y]: Point) -> bool {
    let mut inside = false;
    for (a, b) in rings.iter().flat_map(|ring| sides(ring)) {
        if (a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) {
            inside = !inside;
        }
    }
    inside
}

/// Returns the sides of a ring, from corner to corner and back to the first.
fn sides(ring: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()]))
}

fn distance(a: Point, b: Point) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Returns the point of the segment from `a` to `b` that is nearest to `p`.
fn on_segment(p: Point, a: Point, b: Point) -> Point {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let square = dx * dx + dy * dy;
    if square == 0.0 {
        return a;
    }
    let t = (((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square).clamp(0.0, 1.0);
    [a[0] + t * dx, a[1] + t * dy]
}

/// Returns the points at which two shapes of closed rings are nearest to each other.
#[must_use]
pub fn nearest(one: &[Vec<Point>], other: &[Vec<Point>]) -> [Point; 2] {
    let mut best = ([[0.0; 2]; 2], f64::INFINITY);
    for (here, there, is_turned) in [(one, other, false), (other, one, true)] {
        for &p in here.iter().flatten() {
            for (a, b) in there.iter().flat_map(|ring| sides(ring)) {
                let q = on_segment(p, a, b);
                let far = distance(p, q);
                if far < best.1 {
                    best = (if is_turned { [q, p] } else { [p, q] }, far);
                }
            }
        }
    }
    best.0
}

/// Returns the line between two points, extended by `more` at both ends.
#[must_use]
pub fn longer([a, b]: [Point; 2], more: f64) -> [Point; 2] {
    let length = distance(a, b).max(1e-9);
    let step = [0, 1].map(|axis| (b[axis] - a[axis]) / length * more);
    [[a[0] - step[0], a[1] - step[1]], [b[0] + step[0], b[1] + step[1]]]
}

/// Returns the path data of lines through corners. Each corner is relative to the corner before, in tenths of units;
/// closed lines end with `z`.
#[must_use]
pub fn path(lines: &[Vec<Point>], are_closed: bool) -> String {
    let tenth = |x: f64| (10.0 * x).round() as i64;
    let mut out = String::new();
    for line in lines {
        let mut last = [0; 2];
        for (i, point) in line.iter().enumerate() {
            let now = point.map(tenth);
            let [dx, dy] = [0, 1].map(|axis| coordinate((now[axis] - last[axis]) as f64 / 10.0));
            if i > 0 && now == last {
                continue;
            }
            let letter = match i {
                0 => "M",
                1 => "l",
                _ if dx.starts_with('-') => "",
                _ => " ",
            };
            let gap = if dy.starts_with('-') { "" } else { " " };
            let _ = write!(out, "{letter}{dx}{gap}{dy}");
            last = now;
        }
        if are_closed {
            out.push('z');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(left: f64) -> Vec<Vec<Point>> {
        vec![vec![[left, 0.0], [left + 10.0, 0.0], [left + 10.0, 10.0], [left, 10.0]]]
    }

    #[test]
    fn a_square_holds_what_is_in_it_and_a_hole_in_it_does_not() {
        let mut rings = square(0.0);
        assert!(holds(&rings, [5.0, 5.0]) && !holds(&rings, [15.0, 5.0]));
        rings.push(vec![[4.0, 4.0], [6.0, 4.0], [6.0, 6.0], [4.0, 6.0]]);
        assert!(!holds(&rings, [5.0, 5.0]) && holds(&rings, [2.0, 5.0]));
    }

    #[test]
    fn two_squares_are_nearest_where_their_sides_face() {
        let [a, b] = nearest(&square(0.0), &square(13.0));
        let text = |[x, y]: Point| format!("{x:.1} {y:.1}");
        assert_eq!((text(a), text(b)), ("10.0 0.0".to_owned(), "13.0 0.0".to_owned()));
        let [a, b] = longer([a, b], 2.0);
        assert_eq!((text(a), text(b)), ("8.0 0.0".to_owned(), "15.0 0.0".to_owned()));
    }

    #[test]
    fn boxes_that_share_an_edge_do_not_overlap() {
        let one = Rect::around([5.0, 5.0], 10.0, 10.0);
        assert!(!one.overlaps(&Rect::around([15.0, 5.0], 10.0, 10.0)));
        assert!(one.overlaps(&Rect::around([14.0, 5.0], 10.0, 10.0)));
        assert_eq!(one.middle().map(|x| x as i64), [5, 5]);
    }

    #[test]
    fn a_path_is_relative_and_its_roundings_do_not_add_up() {
        let ring: Vec<Point> = (0..5).map(|i| [f64::from(i) * 0.26, 1.0]).collect();
        assert_eq!(path(&[ring], true), "M0 1l0.3 0 0.2 0 0.3 0 0.2 0z");
    }
}
