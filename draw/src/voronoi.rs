//! Voronoi cells: each cell is the part of a rectangle that is nearest to its point.

/// A point as x and y.
pub type Point = [f64; 2];

/// Returns the cell of each of `sites` within the rectangle from `low` to `high`, as the corners of a convex polygon.
///
/// Every cell is the rectangle cut by a half-plane for each other site. This is fast enough for a few hundred sites.
#[must_use]
pub fn cells(sites: &[Point], low: Point, high: Point) -> Vec<Vec<Point>> {
    let whole = vec![low, [high[0], low[1]], high, [low[0], high[1]]];
    let cell = |i: usize| {
        // Sites at the same point do not cut each other off.
        let is_apart = |[x, y]: Point| (x - sites[i][0]).hypot(y - sites[i][1]) > 1e-9;
        let others = sites.iter().enumerate().filter(|&(j, other)| j != i && is_apart(*other));
        others.fold(whole.clone(), |cell, (_, other)| nearer(&cell, sites[i], *other))
    };
    (0..sites.len()).map(cell).collect()
}

/// Returns the part of a convex polygon that is nearer to `site` than to `other` (Sutherland and Hodgman 1974).
fn nearer(polygon: &[Point], site: Point, other: Point) -> Vec<Point> {
    // Positive on the side of the site.
    let side = |[x, y]: Point| {
        let (dx, dy) = (site[0] - other[0], site[1] - other[1]);
        let (mx, my) = ((site[0] + other[0]) / 2.0, (site[1] + other[1]) / 2.0);
        (x - mx) * dx + (y - my) * dy
    };
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (i, &to) in polygon.iter().enumerate() {
        let from = polygon[(i + polygon.len() - 1) % polygon.len()];
        let (a, b) = (side(from), side(to));
        if (a < 0.0) != (b < 0.0) {
            let t = a / (a - b);
            kept.push([from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])]);
        }
        if b >= 0.0 {
            kept.push(to);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(polygon: &[Point]) -> f64 {
        let next = |i: usize| polygon[(i + 1) % polygon.len()];
        let twice: f64 = (0..polygon.len())
            .map(|i| polygon[i][0] * next(i)[1] - next(i)[0] * polygon[i][1])
            .sum();
        twice.abs() / 2.0
    }

    #[test]
    fn cells_fill_the_rectangle_and_hold_what_is_nearest() {
        // Multiples of 0.618 and 0.414, modulo 1, spread the points evenly.
        let sites: Vec<Point> = (1..40)
            .map(|i| [(f64::from(i) * 0.618).fract() * 10.0, (f64::from(i) * 0.414).fract() * 5.0])
            .collect();
        let cells = cells(&sites, [0.0, 0.0], [10.0, 5.0]);
        let total: f64 = cells.iter().map(|cell| area(cell)).sum();
        assert!((total - 50.0).abs() < 1e-9, "{total}");
        let distance = |a: Point, b: Point| (a[0] - b[0]).hypot(a[1] - b[1]);
        for (i, cell) in cells.iter().enumerate() {
            for &corner in cell {
                let own = distance(corner, sites[i]);
                assert!(sites.iter().all(|&site| own <= distance(corner, site) + 1e-9));
            }
        }
    }
}
