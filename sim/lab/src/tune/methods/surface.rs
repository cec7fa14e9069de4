//! Response surface (Box and Wilson 1951; for noisy play Coulom 2011): a quadratic polynomial is fitted to everything that
//! was played, and the next points are drawn around its top.
//!
//! Every block says something of every coefficient, so that nothing is spent on telling one point from another: where
//! the worth of points is smooth, as it is of weights, no method here needs fewer games. The first part of the budget is
//! drawn from all of the space, the rest from both sides of the top as it is known then. With n blocks of variance s² whose
//! places lie w from the top, the slope there is known with variance s²/(n w²), and of a curvature q an error of the slope
//! costs its square over 4 q: far points tell where the top is, and what a wrong curvature does to one side it does to the
//! other, too. They are as far as the range lets them be, and nearer where they would get less than half of what the top
//! gets: who hardly wins a game tells nothing.
//!
//! Which of the two sides is drawn for each place together with those of the others: so that points lie as far apart in
//! each direction as the square root of the loss that goes with it is small. The error of a slope costs its square over
//! the curvature, so that more has to be known where a ridge is flat (the shape alone is followed: places are on the
//! corners of a box).
//!
//! Of rules every block says what it was measured to have, such as the share of a seat, and the loss is how far that is from
//! a target. Where the loss is a bent valley, the parts are nearly straight: so the surfaces are those of the parts, the
//! top is where they come nearest to the target, and points draw near to it, since it is there that it has to be known
//! whether they meet it. Near it alone they are straight: what was seen farther away says less, and the next top is no
//! farther away than that.
//!
//! A word is said as often as it may be the best one (Thompson 1933), every second time by the best of the others (Russo
//! 2016): what has to be told from the best one is the second.

use engine::{Randomness, Stream};
use nalgebra::{DMatrix, DVector};

use super::{Batch, Method, Terms};
use crate::tune::pools::{Evidence, Train};
use crate::tune::response::{Fitted, Response, climb};
use crate::tune::space::{Dimension, Point, Space, normal};

/// The part of the budget that is drawn from all of the space.
const FIRST: f64 = 0.2;
/// Stages of the rest, after each of which the top is found anew.
const STAGES: u64 = 14;
/// How far from the top places are drawn on either side, as a part of the range, and by how much more or less.
const WIDTH: f64 = 0.42;
const JITTER: f64 = 0.08;
/// The part of what the top gets, above the least that a block can come to, that points of a stage still get.
const LEAST_PART: f64 = 0.5;
/// Points are drawn nearer by this factor until they get so much, at most so often.
const NEARER: f64 = 0.8;
const MOST_OFTEN: i32 = 8;
/// Points by which that is told.
const TRIED: usize = 48;
/// Where a target is to be met, points come nearer by the same factor with each stage, to this part of the way at most.
const NEAREST: f64 = 0.25;
/// How far from the top before the next one may be, in ways at which points were drawn, and how far from there points say
/// a good part of what they said.
const REACH: f64 = 1.5;
/// The least curvature of a direction, as a part of the greatest one: what seems flatter is not known to be.
const FLATTEST: f64 = 0.1;
/// How often the best of the other words is said in place of the best one.
const SECOND: f64 = 0.5;
/// How often is drawn to find the best of the others, where one word is the best nearly always.
const DRAWS: usize = 40;
/// Points of a batch.
const BATCH: u64 = 32;
/// Places at which the search for the top begins, beside the start and the top before.
const STARTS: usize = 6;

/// The search.
pub(super) struct Surface {
    terms: Terms,
    stream: Stream,
    response: Response,
    /// Of rules, how far from the target each point was, by part and block.
    measured: Vec<(Point, Vec<Vec<f64>>)>,
    played: u64,
    /// The top of each stage, the last one behind.
    tops: Vec<Vec<f64>>,
    /// The least that a block came to.
    least: f64,
    /// How far from the top points are drawn now, as a part of the usual way.
    nearness: f64,
    /// By dimension what is known of its words, where the others are those of the top; nothing where values have an order.
    words: Vec<Option<Words>>,
    /// What turns independent standard normal numbers into those whose signs are the sides of the top, where there is one.
    sides: Option<DMatrix<f64>>,
}

/// What the words of a dimension are worth.
struct Words {
    places: Vec<f64>,
    /// What each is worth more than that of the top.
    gains: DVector<f64>,
    /// What turns standard normal numbers into the errors of these.
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

    /// Blocks that are played before stage `stage` ends; stage 0 is the first part.
    fn end_of(&self, stage: u64) -> u64 {
        let first = (FIRST * self.terms.blocks as f64) as u64;
        first + (self.terms.blocks - first) * stage / STAGES
    }

    /// Hears what blocks of a point were measured to have.
    fn measure(&mut self, point: &Point, blocks: &[Vec<f64>]) {
        let Some(aim) = self.terms.aim else { return };
        let n = blocks.first().map_or(0, Vec::len);
        let away = |part: usize| blocks.iter().map(|block| aim.away(block[part])).collect();
        self.measured.push((point.clone(), (0..n).map(away).collect()));
    }

    /// How far the next top may be from the last one: farther away nothing is known.
    fn reach(&self) -> f64 {
        REACH * WIDTH * self.nearness
    }

    /// A surface of how far each part is from the target, to which points say the less the farther from the last top they
    /// are: parts are straight near it alone. None where nothing is measured.
    fn parts(&self) -> Option<Vec<Fitted>> {
        let mut parts = vec![Response::new(&self.terms.space); self.measured.first()?.1.len()];
        for (point, away) in &self.measured {
            let far = self
                .tops
                .last()
                .map_or(0.0, |top| farthest(&self.terms.space, point.places(), top));
            let weight = libm::exp(-0.5 * (far / self.reach()).powi(2));
            for (part, away) in parts.iter_mut().zip(away) {
                part.hear_in_part(point, away, weight);
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

    /// Finds the top of what is known.
    fn find_top(&mut self) {
        let Some(fitted) = self.response.fit() else { return };
        let parts = self.parts();
        let (before, reach) = (self.tops.last().cloned(), self.reach());
        let space = &self.terms.space.clone();
        let is_near = |places: &[f64]| {
            before.as_ref().is_none_or(|top| farthest(space, places, top) <= reach)
        };
        // Where a target is met between two whole numbers it is met nowhere: points are asked, and not places.
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

    /// Draws points so near that they get enough of what the top gets.
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

/// How far apart places are in the dimension in which they are farthest, of those that have an order.
fn farthest(space: &Space, places: &[f64], others: &[f64]) -> f64 {
    let ways = places.iter().zip(others).map(|(a, b)| (a - b).abs());
    let ordered = ways.zip(space.dimensions()).filter(|(_, one)| one.range.is_ordered());
    ordered.map(|(way, _)| way).fold(0.0, f64::max)
}

/// What is known of the words of each dimension, where the others are those of the top.
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

/// A root of the inverse of what is lost to all sides: normal numbers that it turns lie far where little is lost; `None`
/// where there is no top.
fn sides(curvature: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let by_direction = curvature.clone().symmetric_eigen();
    let steepest = by_direction.eigenvalues.max();
    let far = by_direction.eigenvalues.map(|lost| 1.0 / lost.max(FLATTEST * steepest).sqrt());
    (steepest > 0.0).then(|| by_direction.eigenvectors * DMatrix::from_diagonal(&far))
}

impl Words {
    /// What each word is worth, if everything that is not known were drawn.
    fn drawn(&self, stream: &mut Stream) -> usize {
        let z = DVector::from_fn(self.places.len(), |_, _| normal(stream));
        (&self.gains + &self.errors * z).imax()
    }

    /// The place of the word that is best where each is worth what it may be worth, or of the best of the others.
    fn likely(&self, stream: &mut Stream) -> f64 {
        let best = self.drawn(stream);
        if stream.unit() >= SECOND {
            return self.places[best];
        }
        let other = (0..DRAWS).map(|_| self.drawn(stream)).find(|&word| word != best);
        self.places[other.unwrap_or_else(|| self.nearest(best))]
    }

    /// Which word is the best beside `best`, in errors of the difference.
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
        // A stage of nothing ends with the one before.
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
        // Tops before the last one know less, and a play-off is too short to tell.
        self.tops.last().map(|top| self.terms.space.at(top)).into_iter().collect()
    }
}
