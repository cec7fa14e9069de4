//! Successive halving (Karnin, Koren and Somekh 2013; Jamieson and Talwalkar 2016): points drawn at random; in each
//! round the better half plays on, twice as long.

use super::{Batch, FINALISTS, Method, Terms, best};
use crate::tune::pools::{Evidence, Train};
use crate::tune::space::Point;

/// Blocks of each point in the first round: with fewer, chance alone would select the half.
const FIRST: u64 = 6;

/// A search by successive halving.
pub(super) struct Halving {
    /// The remaining points, with blocks and sum so far.
    alive: Vec<(Point, u64, f64)>,
    /// The blocks of a round.
    round: u64,
    rounds_left: u32,
}

impl Halving {
    pub(super) fn new(terms: &Terms) -> Self {
        let mut n = 2_u64;
        let mut rounds = 1_u32;
        // As many points as can play the first round, with all other rounds as long.
        while 2 * n * FIRST * u64::from(rounds + 1) <= terms.blocks {
            n *= 2;
            rounds += 1;
        }
        let mut stream = terms.stream();
        let mut alive = vec![(terms.space.start(), 0, 0.0)];
        alive.extend((1..n).map(|_| (terms.space.draw(&mut stream), 0, 0.0)));
        Self { alive, round: terms.blocks / u64::from(rounds), rounds_left: rounds }
    }
}

impl Method for Halving {
    fn ask(&mut self) -> Option<Batch> {
        let blocks = self.round / self.alive.len() as u64;
        if self.rounds_left == 0 || blocks == 0 {
            return None;
        }
        let points = self.alive.iter().map(|(point, ..)| point.clone()).collect();
        Some(Batch { points, blocks })
    }

    fn tell(&mut self, _batch: &Batch, evidence: &[Evidence<Train>]) {
        for ((_, blocks, sum), came) in self.alive.iter_mut().zip(evidence) {
            *blocks += came.values().len() as u64;
            *sum += came.values().iter().sum::<f64>();
        }
        let mean = |&(_, blocks, sum): &(Point, u64, f64)| sum / blocks as f64;
        self.alive.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
        self.rounds_left -= 1;
        if self.rounds_left > 0 {
            self.alive.truncate(self.alive.len().div_ceil(2).max(2));
        }
    }

    fn finalists(&self) -> Vec<Point> {
        let mean = |blocks: u64, sum: f64| sum / blocks.max(1) as f64;
        best(self.alive.iter().map(|(point, n, sum)| (point, mean(*n, *sum))), FINALISTS)
    }
}
