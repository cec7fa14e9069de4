//! Response surface (Box and Wilson 1951; for noisy play Coulom 2011): a quadratic polynomial is fitted to all
//! results, and the next points are drawn around its maximum, the top.
//!
//! Every block informs every coefficient, so no games are spent on separating single points. If the worth of points is
//! smooth, as it is for weights, this method needs the fewest games. The first part of the budget is drawn from the
//! whole space, the rest from both sides of the current top. Take n blocks of variance s² at distance w from the top.
//! The slope there then has variance s²/(n w²). With curvature q, an error of the slope costs its square over 4 q.
//! Distant points therefore locate the top best, and a wrong curvature affects both sides equally. Points are as far
//! from the top as the range allows. They come nearer if they would get less than half of the top's value, since an
//! agent that hardly wins gives no information.
//!
//! The sides are drawn jointly for all places. In each direction points spread in proportion to the square root of one
//! over the loss there. The error of a slope costs its square over the curvature, so a flat ridge needs more
//! information. Only the shape is followed: places are at the corners of a box.
//!
//! For rules, every block has measured quantities, such as the share of a seat; the loss is their distance from a
//! target. The loss can form a bent valley while the parts are nearly linear. The surfaces are therefore those of the
//! parts, and the top is where the parts come nearest to the target. Points approach it, since the target must be met
//! there. The parts are linear only near the top. More distant results count less, and the next top is within the same
//! distance.
//!
//! A word is drawn with the probability that it is the best one (Thompson 1933), and every second time from the best
//! of the others (Russo 2016), since the best must be separated from the second.

use engine::{Randomness, Stream};
use nalgebra::{DMatrix, DVector};

use super::{Batch, Method, Terms};
use crate::tune::pools::{Evidence, Train};
use crate::tune::response::{Fitted, Response, climb};
use crate::tune::space::{Dimension, Point, Space, normal};

/// The fraction of the budget that is drawn from the whole space.
const FIRST: f64 = 0.2;
/// The number of stages of the rest; the top is fitted again after each.
const STAGES: u64 = 14;
/// The distance of places from the top on either side, as a fraction of the range, and its random variation.
const WIDTH: f64 = 0.42;
const JITTER: f64 = 0.08;
/// The fraction of the top's value, above the least value of a block, that points of a stage must keep.
const LEAST_PART: f64 = 0.5;
/// The factor by which points come nearer until they do so, and the largest number of times.
const NEARER: f64 = 0.8;
const MOST_OFTEN: i32 = 8;
/// The number of points that estimate their value.
const TRIED: usize = 48;
/// The smallest fraction of the distance. If a target is to be met, points come nearer by the same factor at each
/// stage.
const NEAREST: f64 = 0.25;
/// The largest distance of the next top from the last one, in distances at which points were drawn. At this distance
/// points still keep a good part of their weight.
const REACH: f64 = 1.5;
/// The smallest curvature of a direction, as a fraction of the largest: a smaller estimate is not reliable.
const FLATTEST: f64 = 0.1;
/// The frequency with which the best of the other words replaces the best one.
const SECOND: f64 = 0.5;
/// The number of draws for the best of the others, if one word is nearly always best.
const DRAWS: usize = 40;
/// The number of points in a batch.
const BATCH: u64 = 32;
/// The number of places from which the search for the top starts, besides the start and the last top.
const STARTS: usize = 6;

/// A search by response surface.
pub(super) struct Surface {
    terms: Terms,
    stream: Stream,
    response: Response,
    /// The distances of each point from the target, by part and block; rules only.
    measured: Vec<(Point, Vec<Vec<f64>>)>,
    played: u64,
    /// The top of each stage, the last one at the end.
    tops: Vec<Vec<f64>>,
    /// The least value of a block.
    least: f64,
    /// The current distance of points from the top, as a fraction of the usual one.
    nearness: f64,
    /// The knowledge about the words of each dimension, with the others at the top; `None` for an ordered dimension.
    words: Vec<Option<Words>>,
    /// The matrix that maps independent standard normal numbers to those whose signs are the sides of the top; `None`
    /// without a top.
    sides: Option<DMatrix<f64>>,
}

/// The worth of the words of a dimension.
struct Words {
    places: Vec<f64>,
    /// The gain of each word over that of the top.
    gains: DVector<f64>,
    /// The matrix that maps standard normal numbers to the errors of these gains.
    errors: DMatrix<f64>,
}

impl Surface {
    pub(super) fn new(terms: Terms) -> Self {
        let response = Response::new(&terms.space);
        Self {
            stream: terms.stream(),
            response,
            measured: Vec::new(),
            played: 0,
            tops: Vec::new(),
            least: f64::INFINITY,
            nearness: 1.0,
            words: Vec::new(),
            sides: None,
            terms,
        }
    }

    /// Returns the number of blocks before stage `stage` ends; stage 0 is the first part.
    fn end_of(&self, stage: u64) -> u64 {
        let first = (FIRST * self.terms.blocks as f64) as u64;
        first + (self.terms.blocks - first) * stage / STAGES
    }

    /// Adds the measured quantities of a point's blocks.
    fn measure(&mut self, point: &Point, blocks: &[Vec<f64>]) {
        let Some(aim) = self.terms.aim else { return };
        let n = blocks.first().map_or(0, Vec::len);
        let away = |part: usize| blocks.iter().map(|block| aim.away(block[part])).collect();
        self.measured.push((point.clone(), (0..n).map(away).collect()));
    }

    /// Returns the largest distance of the next top from the last one, beyond which the surface is unknown.
    fn reach(&self) -> f64 {
        REACH * WIDTH * self.nearness
    }

    /// Fits a surface to the distance of each part from the target. Points farther from the last top have less weight,
    /// since parts are linear only near it. `None` if nothing is measured.
    fn parts(&self) -> Option<Vec<Fitted>> {
        let mut parts = vec![Response::new(&self.terms.space); self.measured.first()?.1.len()];
        for (point, away) in &self.measured {
            let far = self
                .tops
                .last()
                .map_or(0.0, |top| farthest(&self.terms.space, point.places(), top));
            let weight = libm::exp(-0.5 * (far / self.reach()).powi(2));
            for (part, away) in parts.iter_mut().zip(away) {
                part.add_in_part(point, away, weight);
            }
        }
        parts.iter_mut().map(Response::fit).collect()
    }

    fn draw(&mut self) -> Point {
        let Some(top) = self.tops.last() else {
            return self.terms.space.draw(&mut self.stream);
        };
        let (nearness, stream) = (self.nearness, &mut self.stream);
        let mut sides = DVector::from_fn(top.len(), |_, _| normal(stream));
        if let Some(together) = &self.sides {
            sides = together * sides;
        }
        let place = |((words, &top), &side): ((&Option<Words>, &f64), &f64)| match words {
            Some(words) => words.likely(stream),
            None => {
                let way = WIDTH + JITTER * (2.0 * stream.unit() - 1.0);
                (top + side.signum() * nearness * way).clamp(0.0, 1.0)
            }
        };
        let places: Vec<f64> = self.words.iter().zip(top).zip(&sides).map(place).collect();
        self.terms.space.at(&places)
    }

    /// Finds the top of the fitted surface.
    fn find_top(&mut self) {
        let Some(fitted) = self.response.fit() else { return };
        let parts = self.parts();
        let (before, reach) = (self.tops.last().cloned(), self.reach());
        let space = &self.terms.space.clone();
        let is_near = |places: &[f64]| {
            before.as_ref().is_none_or(|top| farthest(space, places, top) <= reach)
        };
        // A target met between two integers is not met at all: values are at points, not at places.
        let lost = |part: &Fitted, point: &Point| part.value(point.places()).powi(2);
        let value = |places: &[f64]| match &parts {
            Some(_) if !is_near(places) => f64::NEG_INFINITY,
            Some(parts) => {
                let point = space.at(places);
                -parts.iter().map(|part| lost(part, &point)).sum::<f64>()
            }
            None => fitted.value(places),
        };
        let mut from = vec![space.start().places().to_vec()];
        from.extend(before.clone());
        from.extend((0..STARTS).map(|_| space.draw(&mut self.stream).places().to_vec()));
        let tops = from.iter().map(|from| climb(space, from, value));
        let best = tops.max_by(|a, b| value(a).total_cmp(&value(b)));
        let Some(best) = best else { return };
        self.words = known_words(space, &fitted, &best);
        let top = value(&best);
        self.tops.push(best);
        if parts.is_some() {
            self.nearness = NEARER.powi(self.tops.len() as i32).max(NEAREST);
        } else {
            self.sides = sides(&fitted.curvature());
            self.come_near(value, top);
        }
    }

    /// Moves points nearer until they keep enough of the top's value.
    fn come_near(&mut self, value: impl Fn(&[f64]) -> f64, top: f64) {
        self.nearness = 1.0;
        for _ in 0..MOST_OFTEN {
            let values = (0..TRIED).map(|_| value(self.draw().places()));
            let mean = values.sum::<f64>() / TRIED as f64;
            if mean - self.least >= LEAST_PART * (top - self.least) {
                break;
            }
            self.nearness *= NEARER;
        }
    }
}

/// Returns the largest distance between places over the ordered dimensions.
fn farthest(space: &Space, places: &[f64], others: &[f64]) -> f64 {
    let ways = places.iter().zip(others).map(|(a, b)| (a - b).abs());
    let ordered = ways.zip(space.dimensions()).filter(|(_, one)| one.range.is_ordered());
    ordered.map(|(way, _)| way).fold(0.0, f64::max)
}

/// Returns the knowledge about the words of each dimension, with the others at the top.
fn known_words(space: &Space, fitted: &Fitted, top: &[f64]) -> Vec<Option<Words>> {
    let words = |(i, one): (usize, &Dimension)| {
        if one.range.is_ordered() {
            return None;
        }
        let places = one.range.levels(one.range.size().unwrap_or(1) as usize);
        let with = |&place: &f64| space.with(&space.at(top), i, place).places().to_vec();
        let (gains, errors) = fitted.joint(&places.iter().map(with).collect::<Vec<_>>(), top);
        Some(Words { places, gains, errors })
    };
    space.dimensions().iter().enumerate().map(words).collect()
}

/// Returns a root of the inverse of the curvature: normal numbers mapped by it spread far where little is lost. `None`
/// without a top.
fn sides(curvature: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let by_direction = curvature.clone().symmetric_eigen();
    let steepest = by_direction.eigenvalues.max();
    let far = by_direction.eigenvalues.map(|lost| 1.0 / lost.max(FLATTEST * steepest).sqrt());
    (steepest > 0.0).then(|| by_direction.eigenvectors * DMatrix::from_diagonal(&far))
}

impl Words {
    /// Returns the best word after a random draw of the unknown gains.
    fn drawn(&self, stream: &mut Stream) -> usize {
        let z = DVector::from_fn(self.places.len(), |_, _| normal(stream));
        (&self.gains + &self.errors * z).imax()
    }

    /// Returns the place of the word that is best in a random draw, or of the best of the others.
    fn likely(&self, stream: &mut Stream) -> f64 {
        let best = self.drawn(stream);
        if stream.unit() >= SECOND {
            return self.places[best];
        }
        let other = (0..DRAWS).map(|_| self.drawn(stream)).find(|&word| word != best);
        self.places[other.unwrap_or_else(|| self.nearest(best))]
    }

    /// Returns the best word other than `best`, by its distance in errors of the difference.
    fn nearest(&self, best: usize) -> usize {
        let behind = |word: usize| {
            let error = self.errors.row(word) - self.errors.row(best);
            (self.gains[word] - self.gains[best]) / error.norm().max(f64::MIN_POSITIVE)
        };
        let others = (0..self.places.len()).filter(|&word| word != best);
        others.max_by(|&a, &b| behind(a).total_cmp(&behind(b))).unwrap_or(best)
    }
}

impl Method for Surface {
    fn ask(&mut self) -> Option<Batch> {
        let stage = self.tops.len() as u64;
        let n = (self.end_of(stage.min(STAGES)) - self.played).min(BATCH);
        if n == 0 {
            return None;
        }
        let points = (0..n).map(|_| self.draw()).collect();
        Some(Batch { points, blocks: 1 })
    }

    fn tell(&mut self, batch: &Batch, evidence: &[Evidence<Train>]) {
        for (point, came) in batch.points.iter().zip(evidence) {
            self.response.add(point, came.values());
            self.measure(point, came.parts());
            self.least = came.values().iter().copied().fold(self.least, f64::min);
        }
        self.played += batch.cost();
        // A stage without blocks ends together with the one before.
        while self.tops.len() as u64 <= STAGES && self.played == self.end_of(self.tops.len() as u64)
        {
            let before = self.tops.len();
            self.find_top();
            if self.tops.len() == before {
                return;
            }
        }
    }

    fn finalists(&self) -> Vec<Point> {
        // Earlier tops have less data, and a play-off is too short to separate them.
        self.tops.last().map(|top| self.terms.space.at(top)).into_iter().collect()
    }
}
