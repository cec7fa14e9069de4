//! Racing (Maron and Moore 1994; Birattari 2009): all candidates of a list play the same blocks; a candidate that is
//! clearly behind the best one stops.

use super::{Batch, FINALISTS, Method, best};
use crate::tune::pools::{Evidence, Train};
use crate::tune::space::Point;
use sim::stats::quantiles::normal_quantile;

/// The number of blocks in a round.
const ROUND: u64 = 16;
/// The rounds before any candidate can stop: an interval of fewer blocks is too narrow.
const FIRST_ROUNDS: usize = 2;
/// The probability, at most, that a run stops a candidate as good as the best: Bonferroni over candidates and rounds.
const ALPHA: f64 = 0.1;

/// A race over a list.
pub struct Racing {
    /// All candidates, with the value of each block so far.
    runners: Vec<(Point, Vec<f64>)>,
    /// The indices of the candidates still in the race.
    alive: Vec<usize>,
    left: u64,
    rounds: u64,
}

impl std::fmt::Debug for Racing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Racing({} of {} run)", self.alive.len(), self.runners.len())
    }
}

impl Racing {
    /// Creates a race of these points over `blocks` blocks in total.
    #[must_use]
    pub fn new(points: Vec<Point>, blocks: u64) -> Self {
        let alive = (0..points.len()).collect();
        let rounds = (blocks / (ROUND * points.len().max(1) as u64)).max(1);
        let runners = points.into_iter().map(|point| (point, Vec::new())).collect();
        Self { runners, alive, left: blocks, rounds }
    }

    fn mean(&self, runner: usize) -> f64 {
        let values = &self.runners[runner].1;
        values.iter().sum::<f64>() / values.len().max(1) as f64
    }

    /// Returns true if `runner` is clearly behind `leader`.
    fn is_behind(&self, runner: usize, leader: usize, z: f64) -> bool {
        let pairs = self.runners[leader].1.iter().zip(&self.runners[runner].1);
        let mut moments = sim::stats::Moments::default();
        pairs.for_each(|(a, b)| moments.add(a - b));
        let error = (moments.variance() / moments.n() as f64).sqrt();
        error > 0.0 && moments.mean() > z * error
    }
}

impl Method for Racing {
    fn ask(&mut self) -> Option<Batch> {
        let n = self.alive.len() as u64;
        let blocks = ROUND.min(self.left / n);
        if blocks == 0 || n < 2 {
            return None;
        }
        self.left -= n * blocks;
        let points = self.alive.iter().map(|&i| self.runners[i].0.clone()).collect();
        Some(Batch { points, blocks })
    }

    fn tell(&mut self, _batch: &Batch, evidence: &[Evidence<Train>]) {
        for (&runner, came) in self.alive.iter().zip(evidence) {
            self.runners[runner].1.extend(came.values());
        }
        let of = |runner: usize| self.runners[runner].1.len();
        let leader =
            self.alive.iter().copied().max_by(|&a, &b| self.mean(a).total_cmp(&self.mean(b)));
        let Some(leader) = leader.filter(|&leader| of(leader) >= FIRST_ROUNDS * ROUND as usize)
        else {
            return;
        };
        let looks = self.rounds * self.runners.len() as u64;
        let z = normal_quantile(ALPHA / looks as f64);
        let stays = |&runner: &usize| runner == leader || !self.is_behind(runner, leader, z);
        let alive = self.alive.iter().copied().filter(stays).collect();
        self.alive = alive;
    }

    fn finalists(&self) -> Vec<Point> {
        best(self.alive.iter().map(|&i| (&self.runners[i].0, self.mean(i))), FINALISTS)
    }
}
