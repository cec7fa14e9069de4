//! A game with a known best point, a biased coin, for validation of a search's results and claims.
//!
//! A block is one toss for each of two seats; the landscape gives the point's probability of heads, a win. Tosses of
//! different points are independent, so this is no easier than games without shared chance.

use std::f64::consts::TAU;

use engine::{Purpose, Randomness, rng};
use lab::tune::objective::{Batch, Evaluation, Field, Objective};
use lab::tune::space::{Beyond, Dimension, Point, Range, Space};
use sim::Error;

/// The form of a landscape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// A landscape with one best place for every dimension, independent of the others.
    Smooth,
    /// A landscape with a ridge: neighbouring dimensions interact.
    Ridge,
    /// A landscape in which half of the dimensions are integers.
    Integers,
    /// A landscape in which half of the dimensions are words, one of which is best; a pair of words has an additional
    /// gain.
    Choices,
    /// A landscape in which all points are equal.
    Flat,
}

/// A coin with a best point.
#[derive(Clone, Debug)]
pub(crate) struct Planted {
    /// The space.
    pub(crate) space: Space,
    shape: Shape,
    /// The best place of each dimension.
    best: Vec<f64>,
    /// The height of the landscape, in points of share.
    height: f64,
}

/// The advantage of the best point over an average one, in points of share.
const HEIGHT: f64 = 0.25;
/// The probability of a win at the best point.
const TOP: f64 = 0.65;
/// The smallest probability of a win.
const LEAST: f64 = 0.02;
/// The mean squared distance between two evenly spread places: random points lose the height on average.
const MEAN_WAY: f64 = 1.0 / 6.0;
/// The gain of the pair of words, as a fraction of the height.
const PAIR: f64 = 0.3;
const WORDS: [&str; 4] = ["a", "b", "c", "d"];

impl Planted {
    /// Draws a landscape at `address`.
    pub(crate) fn draw(shape: Shape, dimensions: usize, address: u64) -> Self {
        let mut stream = rng::stream(address, 1 << 40, Purpose::Analysis);
        let one = |i: usize| {
            let (range, start) = match shape {
                Shape::Integers if i % 2 == 1 => {
                    (Range::Whole { low: 1, high: 9, is_log: false }, "2".to_owned())
                }
                Shape::Choices if i % 2 == 1 => {
                    (Range::Words(WORDS.map(str::to_owned).to_vec()), WORDS[0].to_owned())
                }
                _ => (Range::Number { low: 0.0, high: 1.0, is_log: false }, "0.5".to_owned()),
            };
            Dimension {
                name: format!("x{i}"),
                range,
                start,
                prior: None,
                beyond: Beyond::default(),
            }
        };
        let space = Space::new((0..dimensions).map(one).collect()).expect("it has points");
        let places: Vec<f64> = (0..dimensions).map(|_| 0.1 + 0.8 * stream.unit()).collect();
        let best = space.at(&places).places().to_vec();
        let height = if shape == Shape::Flat { 0.0 } else { HEIGHT };
        Self { space, shape, best, height }
    }

    /// Returns the probability of a win at a point.
    pub(crate) fn share(&self, point: &Point) -> f64 {
        if self.shape == Shape::Flat {
            return 0.5;
        }
        (TOP - self.height * self.loss(point)).max(LEAST)
    }

    /// Returns the loss of a point against the best one, in points of share.
    pub(crate) fn regret(&self, point: &Point) -> f64 {
        let best = self.space.at(&self.best);
        self.share(&best) - self.share(point)
    }

    /// Returns the loss as a fraction of the height: about 1 for a random point.
    fn loss(&self, point: &Point) -> f64 {
        let n = self.best.len() as f64;
        let ways: Vec<f64> =
            point.places().iter().zip(&self.best).map(|(place, best)| place - best).collect();
        let mut loss = 0.0;
        for (i, way) in ways.iter().enumerate() {
            let is_word = !self.space.dimensions()[i].range.is_ordered();
            // A wrong word costs as much as an evenly drawn place, times four thirds since one in four is right.
            loss +=
                if is_word && way.abs() > 1e-9 { 4.0 / 3.0 / n } else { way * way / MEAN_WAY / n };
        }
        match self.shape {
            Shape::Ridge => {
                let pairs = ways.windows(2).map(|two| two[0] * two[1]).sum::<f64>();
                loss + 0.8 * pairs / MEAN_WAY / n
            }
            Shape::Choices => {
                let words: Vec<f64> = ways.iter().skip(1).step_by(2).copied().collect();
                let is_pair = words.iter().take(2).all(|way| way.abs() < 1e-9);
                loss + if is_pair { 0.0 } else { PAIR }
            }
            Shape::Smooth | Shape::Integers | Shape::Flat => loss,
        }
    }
}

impl Objective for Planted {
    fn play(&self, batch: &Batch) -> Result<Evaluation, Error> {
        let p = match batch.field {
            Field::Pool | Field::HeldOut(_) | Field::Member(_) | Field::Table(_) => {
                self.share(&batch.point)
            }
            Field::Start => {
                0.5 + (self.share(&batch.point) - self.share(&self.space.start())) / 2.0
            }
        };
        // Each point has its own coin.
        let own = batch.point.texts().join(" ");
        let own = engine::hash_of(&own);
        let toss = |block: u64| {
            let mut stream = rng::stream(batch.seed ^ own, block, Purpose::Dice);
            let wins = (0..2).filter(|_| stream.unit() < p).count();
            wins as f64 / 2.0 - 0.5
        };
        Ok(batch.blocks.clone().map(toss).collect::<Vec<f64>>().into())
    }

    fn games_per_block(&self) -> u64 {
        2
    }
}

/// Returns a bowl without noise whose axes have very different lengths and are rotated, for methods that should find
/// its minimum.
pub(crate) fn ellipsoid(places: &[f64]) -> f64 {
    let n = places.len();
    let turned = |i: usize| {
        let phase = TAU * i as f64 / n as f64;
        (places[i] - 0.6) + 0.5 * libm::cos(phase) * (places[(i + 1) % n] - 0.6)
    };
    let weight = |i: usize| libm::pow(100.0, i as f64 / (n - 1).max(1) as f64);
    -(0..n).map(|i| weight(i) * turned(i) * turned(i)).sum::<f64>()
}
