//! The N-tuple bandit evolutionary algorithm (Lucas, Liu and Perez-Liebana 2018, arXiv:1802.05991). A model of means
//! by single values, pairs of values and whole points selects the neighbour of the last point to play next.
//!
//! Dimensions are cut into at most [`LEVELS`] values. The score of a point is the mean, over all its tuples, of the
//! tuple's mean plus `k √(ln N / (n + ε))`. The result is the played point whose tuples have the best means. Each
//! tuple's mean is shrunk towards the overall mean by [`DRAWN`] blocks, so that a tuple played once counts little.
//! Several short searches and a play-off of their results beat one long search (Goodman and Lucas 2020,
//! arXiv:2005.12111); the caller divides the budget.

use std::collections::BTreeMap;

use engine::{Randomness, Stream};

use super::{Batch, Method, Terms, best};
use crate::tune::pools::{Evidence, Train};
use crate::tune::space::Point;

/// The largest number of values of a dimension.
const LEVELS: usize = 7;
/// The number of neighbours that are scored for each that is played.
const NEIGHBOURS: usize = 50;
/// The number of points in a batch.
const BATCH: usize = 8;
/// The weight of exploration, in standard deviations of a block.
const EXPLORATION: f64 = 1.0;
/// A constant that keeps the score of unplayed tuples finite.
const EPSILON: f64 = 0.5;
/// The blocks of the overall mean that are added to each tuple at the end.
const DRAWN: f64 = 20.0;

/// Indices of values, by dimension.
type Cell = Vec<u8>;

/// The results of a tuple.
#[derive(Clone, Copy, Default)]
struct Known {
    n: f64,
    sum: f64,
}

/// A search by the N-tuple bandit.
pub(super) struct Ntbea {
    terms: Terms,
    stream: Stream,
    levels: Vec<Vec<f64>>,
    left: u64,
    now: Cell,
    pending: Vec<Cell>,
    /// Sums by dimension and value.
    single: Vec<Vec<Known>>,
    /// Sums by pair of dimensions and pair of values.
    pairs: Vec<Vec<Known>>,
    whole: BTreeMap<Cell, Known>,
    all: Known,
    squares: f64,
}

impl Ntbea {
    pub(super) fn new(terms: Terms) -> Self {
        let levels: Vec<Vec<f64>> =
            terms.space.dimensions().iter().map(|one| one.range.levels(LEVELS)).collect();
        let start = terms.space.start();
        let nearest = |(levels, &place): (&Vec<f64>, &f64)| {
            let far = |i: &usize| (levels[*i] - place).abs();
            (0..levels.len()).min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or_default() as u8
        };
        let now = levels.iter().zip(start.places()).map(nearest).collect();
        let none = |n: usize| vec![Known::default(); n];
        let single = levels.iter().map(|levels| none(levels.len())).collect();
        let n = levels.len();
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        let pairs = pairs.map(|(i, j)| none(levels[i].len() * levels[j].len())).collect();
        Self {
            stream: terms.stream(),
            left: terms.blocks,
            now,
            pending: Vec::new(),
            single,
            pairs,
            whole: BTreeMap::new(),
            all: Known::default(),
            squares: 0.0,
            levels,
            terms,
        }
    }

    fn point(&self, cell: &[u8]) -> Point {
        let places = self.levels.iter().zip(cell).map(|(levels, &i)| levels[usize::from(i)]);
        self.terms.space.at(&places.collect::<Vec<_>>())
    }

    /// Passes every tuple of `cell` to `see`.
    fn tuples(&self, cell: &[u8], mut see: impl FnMut(Known)) {
        for (known, &value) in self.single.iter().zip(cell) {
            see(known[usize::from(value)]);
        }
        self.each_pair(cell, |pair, place| see(self.pairs[pair][place]));
        see(self.whole.get(cell).copied().unwrap_or_default());
    }

    /// Passes the index of every pair of dimensions, and of its pair of values, to `see`.
    fn each_pair(&self, cell: &[u8], mut see: impl FnMut(usize, usize)) {
        let mut pair = 0;
        for i in 0..cell.len() {
            for j in i + 1..cell.len() {
                see(pair, usize::from(cell[i]) * self.levels[j].len() + usize::from(cell[j]));
                pair += 1;
            }
        }
    }

    /// Returns the overall mean, and the standard deviation of a block.
    fn spread(&self) -> (f64, f64) {
        let n = self.all.n.max(1.0);
        let mean = self.all.sum / n;
        (mean, (self.squares / n - mean * mean).max(0.0).sqrt())
    }

    /// Returns the score of `cell`, with exploration.
    fn worth(&self, cell: &[u8]) -> f64 {
        let (mean, spread) = self.spread();
        let (mut sum, mut n) = (0.0, 0.0);
        let log = libm::log(self.all.n + 1.0);
        self.tuples(cell, |known| {
            let own = if known.n > 0.0 { known.sum / known.n } else { mean };
            sum += own + EXPLORATION * spread * (log / (known.n + EPSILON)).sqrt();
            n += 1.0;
        });
        sum / n
    }

    /// Returns the estimated mean of `cell`.
    fn mean(&self, cell: &[u8]) -> f64 {
        let (mean, _) = self.spread();
        let (mut sum, mut n) = (0.0, 0.0);
        self.tuples(cell, |known| {
            sum += (known.sum + DRAWN * mean) / (known.n + DRAWN);
            n += 1.0;
        });
        sum / n
    }

    /// Returns the last point with one value changed, or more.
    fn neighbour(&mut self) -> Cell {
        let mut cell = self.now.clone();
        let n = cell.len() as u32;
        let forced = self.stream.below(n);
        for i in 0..n {
            let n_levels = self.levels[i as usize].len() as u32;
            if i == forced || self.stream.below(n) == 0 {
                cell[i as usize] = self.stream.below(n_levels) as u8;
            }
        }
        cell
    }

    fn add(&mut self, cell: &Cell, value: f64) {
        let add = |known: &mut Known| {
            known.n += 1.0;
            known.sum += value;
        };
        for (known, &level) in self.single.iter_mut().zip(cell) {
            add(&mut known[usize::from(level)]);
        }
        let mut places = Vec::new();
        self.each_pair(cell, |pair, place| places.push((pair, place)));
        places.into_iter().for_each(|(pair, place)| add(&mut self.pairs[pair][place]));
        add(self.whole.entry(cell.clone()).or_default());
        add(&mut self.all);
        self.squares += value * value;
    }
}

impl Method for Ntbea {
    fn ask(&mut self) -> Option<Batch> {
        let n = (self.left as usize).min(BATCH);
        if n == 0 {
            return None;
        }
        self.left -= n as u64;
        let mut tried: Vec<(Cell, f64)> = Vec::new();
        for _ in 0..NEIGHBOURS.max(n) {
            let cell = self.neighbour();
            let worth = self.worth(&cell);
            tried.push((cell, worth));
        }
        tried.sort_by(|a, b| b.1.total_cmp(&a.1));
        tried.dedup_by(|a, b| a.0 == b.0);
        tried.truncate(n);
        self.pending = tried.into_iter().map(|(cell, _)| cell).collect();
        let points = self.pending.iter().map(|cell| self.point(cell)).collect();
        Some(Batch { points, blocks: 1 })
    }

    fn tell(&mut self, _batch: &Batch, evidence: &[Evidence<Train>]) {
        for (cell, came) in std::mem::take(&mut self.pending).iter().zip(evidence) {
            came.values().iter().for_each(|&value| self.add(cell, value));
        }
        let cells = self.whole.keys().map(|cell| (cell, self.mean(cell)));
        let best = cells.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(cell, _)| cell.clone());
        self.now = best.unwrap_or_else(|| self.now.clone());
    }

    fn finalists(&self) -> Vec<Point> {
        let scored: Vec<(Point, f64)> =
            self.whole.keys().map(|cell| (self.point(cell), self.mean(cell))).collect();
        // One finalist for each search: noise decides which point is second.
        best(scored.iter().map(|(point, mean)| (point, *mean)), 1)
    }
}
