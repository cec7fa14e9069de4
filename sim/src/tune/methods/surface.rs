//! Response surface (Box and Wilson 1951; for noisy play Coulom 2011): a quadratic polynomial is fitted to everything that
//! was played, and the next points are drawn around its top.
//!
//! Every block says something of every coefficient, so that nothing is spent on telling one point from another: where
//! the worth of points is smooth, as it is of weights, no method here needs fewer games. The first part of the budget is
//! drawn from all of the space, the rest from around the top as it is known then, less and less wide; a word is said as
//! often as it may be the best one (Thompson 1933).

use engine::{Randomness, Stream};

use super::{Batch, Method, Terms};
use crate::tune::pools::{Evidence, Train};
use crate::tune::response::Response;
use crate::tune::space::{Point, normal};

/// The part of the budget that is drawn from all of the space.
const FIRST: f64 = 0.4;
/// Stages of the rest, after each of which the top is found anew.
const STAGES: u64 = 7;
/// How far from the top points of the first of these stages are drawn, and of the last: in standard deviations, as parts
/// of the range. Far points tell more of a slope, near ones more of the truth.
const WIDTHS: [f64; 2] = [0.35, 0.22];
/// Points of a batch.
const BATCH: u64 = 32;
/// Places at which the search for the top begins, beside the start and the top before.
const STARTS: usize = 6;

/// The search.
pub(super) struct Surface {
    terms: Terms,
    stream: Stream,
    response: Response,
    played: u64,
    /// The top of each stage, the last one behind.
    tops: Vec<Vec<f64>>,
    /// By dimension, for each of its words in the place of that of the top: the place, what it is worth more, and the
    /// standard error; nothing where values have an order.
    words: Vec<Vec<[f64; 3]>>,
}

impl Surface {
    pub(super) fn new(terms: Terms) -> Self {
        let response = Response::new(&terms.space);
        Self {
            stream: terms.stream(),
            response,
            played: 0,
            tops: Vec::new(),
            words: Vec::new(),
            terms,
        }
    }

    /// Blocks that are played before stage `stage` ends; stage 0 is the first part.
    fn end_of(&self, stage: u64) -> u64 {
        let first = (FIRST * self.terms.blocks as f64) as u64;
        first + (self.terms.blocks - first) * stage / STAGES
    }

    fn draw(&mut self) -> Point {
        let Some(top) = self.tops.last().cloned() else {
            return self.terms.space.draw(&mut self.stream);
        };
        let along = (self.tops.len() - 1) as f64 / (STAGES - 1) as f64;
        let width = WIDTHS[0] + (WIDTHS[1] - WIDTHS[0]) * along;
        let stream = &mut self.stream;
        let place = |(words, &top): (&Vec<[f64; 3]>, &f64)| {
            if !words.is_empty() {
                return likely(words, stream);
            }
            // Beyond an end there is nothing: what would stand there is drawn again, evenly in the end.
            let drawn =
                (0..8).map(|_| top + width * normal(stream)).find(|x| (0.0..=1.0).contains(x));
            drawn.unwrap_or_else(|| stream.unit())
        };
        let places: Vec<f64> = self.words.iter().zip(&top).map(place).collect();
        self.terms.space.at(&places)
    }

    /// Finds the top of what is known.
    fn find_top(&mut self) {
        let Some(fitted) = self.response.fit() else { return };
        let space = &self.terms.space;
        let mut from = vec![space.start().places().to_vec()];
        from.extend(self.tops.last().cloned());
        from.extend((0..STARTS).map(|_| space.draw(&mut self.stream).places().to_vec()));
        let tops = from.iter().map(|from| fitted.climb(space, from));
        let best = tops.max_by(|a, b| fitted.value(a).total_cmp(&fitted.value(b)));
        let Some(best) = best else { return };
        let word = |i: usize, place: f64| {
            let other = space.with(&space.at(&best), i, place);
            let (gain, error) = fitted.difference(other.places(), &best);
            [place, gain, error]
        };
        let words = space.dimensions().iter().enumerate().map(|(i, one)| {
            if one.range.is_ordered() {
                return Vec::new();
            }
            let levels = one.range.levels(one.range.size().unwrap_or(1) as usize);
            levels.into_iter().map(|place| word(i, place)).collect()
        });
        self.words = words.collect();
        self.tops.push(best);
    }
}

/// The place of the word that is best where each is worth what it may be worth.
fn likely(words: &[[f64; 3]], stream: &mut Stream) -> f64 {
    let drawn = words.iter().map(|[place, gain, error]| (*place, gain + error * normal(stream)));
    drawn.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0.5, |(place, _)| place)
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
            self.response.hear(point, came.values());
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
