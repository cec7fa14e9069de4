//! Random search: points drawn from the prior, all played equally often.

use super::{Batch, FINALISTS, Method, Terms, best};
use crate::tune::pools::{Evidence, Train};
use crate::tune::space::Point;
use engine::Stream;

/// The number of points in a batch, which meet the same chance.
const BATCH: u64 = 16;

/// A random search.
pub(super) struct Random {
    terms: Terms,
    stream: Stream,
    each: u64,
    left: u64,
    seen: Vec<(Point, f64)>,
}

impl Random {
    pub(super) fn new(terms: Terms) -> Self {
        // The square root of the budget is both the number of points and the blocks of each.
        let each = (terms.blocks as f64).sqrt().round().max(1.0) as u64;
        Self { stream: terms.stream(), left: terms.blocks, each, seen: Vec::new(), terms }
    }
}

impl Method for Random {
    fn ask(&mut self) -> Option<Batch> {
        let n = (self.left / self.each).min(BATCH);
        if n == 0 {
            return None;
        }
        let points = (0..n).map(|_| self.terms.space.draw(&mut self.stream)).collect();
        self.left -= n * self.each;
        Some(Batch { points, blocks: self.each })
    }

    fn tell(&mut self, batch: &Batch, evidence: &[Evidence<Train>]) {
        let means = evidence.iter().map(Evidence::mean);
        self.seen.extend(batch.points.iter().cloned().zip(means));
    }

    fn finalists(&self) -> Vec<Point> {
        best(self.seen.iter().map(|(point, mean)| (point, *mean)), FINALISTS)
    }
}
