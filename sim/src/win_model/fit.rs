//! Fits a [`WinModel`]: Newton's method on the penalised likelihood of a conditional logit.
//!
//! The likelihood is concave and the prior strictly so, so that the end is the one optimum ([`crate::stats::newton`]). The
//! weights are rounded to `DIGITS` digits, far beyond what games know of them, so that a last bit of an exponential that
//! another machine computes otherwise does not show.

use agents::Playable;
use nalgebra::{DMatrix, DVector};

use super::{Clock, FORMAT, Look, Looks, PRIOR, Subject, WinModel};
use crate::error::Error;
use crate::stats::conditional_logit::softmax;
use crate::stats::newton::{self, Slope, maximise};
use crate::watched::{Deal, Seats, Witness};

/// Digits after the point that weights keep.
const DIGITS: i32 = 9;
/// The part of the games that is not longer than a game counts as long.
const LONG: f64 = 0.9;

/// A game as a fit sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct Seen {
    /// The looks that were taken.
    pub looks: Vec<Look>,
    /// The points of the seats.
    pub points: Vec<f64>,
    /// Choices of the whole game.
    pub plies: u32,
}

/// Plays game `index` of the run with seed `seed` at `table`, and takes looks at it.
///
/// # Errors
/// If an agent fails.
pub fn see<G: Playable>(table: &mut Seats<'_, G>, seed: u64, index: u64) -> Result<Seen, Error> {
    let mut looks = Looks::new(seed, index);
    let mut counted = Counted { looks: &mut looks, plies: 0 };
    let points = table.play(Deal::game(seed, index), &mut counted)?;
    let plies = counted.plies;
    Ok(Seen { looks: looks.taken, points: points.first(table.len()).to_vec(), plies })
}

/// Counts plies beside taking looks.
struct Counted<'a, S> {
    looks: &'a mut Looks<S>,
    plies: u32,
}

impl<G: Playable> Witness<G> for Counted<'_, G::State> {
    fn at(&mut self, game: &G, state: &G::State, plies: u32) {
        self.plies = plies;
        self.looks.at(game, state, plies);
    }
}

/// Fits a model to games that were seen.
///
/// # Panics
/// If there are no games, or the looks do not hold a count for each of `features` and each seat.
#[must_use]
pub fn fit_to(seen: &[Seen], features: Vec<String>, subject: Subject, seed: u64) -> WinModel {
    let clock = clock_of(seen);
    let scales = scales_of(seen, features.len(), subject.players);
    let problem =
        Problem { seen, clock, scales: &scales, seats: subject.players, knots: clock.knots() };
    let found = problem.solve();
    let unit = 10f64.powi(DIGITS);
    let rounded = |w: &f64| (w * unit).round() / unit;
    let rows = found.as_slice().chunks_exact(problem.knots);
    WinModel {
        format: FORMAT.to_owned(),
        subject,
        seed,
        games: seen.len() as u64,
        clock,
        features,
        weights: rows.map(|row| row.iter().map(rounded).collect()).collect(),
        scales,
    }
}

fn clock_of(seen: &[Seen]) -> Clock {
    let stages = seen.iter().flat_map(|game| &game.looks).filter_map(|look| look.course.stage);
    let mut lengths: Vec<u32> = seen.iter().map(|game| game.plies).collect();
    lengths.sort_unstable();
    let at = (LONG * lengths.len() as f64) as usize;
    let plies = lengths.get(at.min(lengths.len().saturating_sub(1))).copied().unwrap_or(1);
    Clock { stages: stages.max().map_or(1, |last| last + 1), plies: f64::from(plies.max(1)) }
}

/// The standard deviation of each count between the seats of a look; 1 where it never differs.
fn scales_of(seen: &[Seen], features: usize, seats: usize) -> Vec<f64> {
    let mut squares = vec![0.0; features];
    let mut n = 0.0;
    for look in seen.iter().flat_map(|game| &game.looks) {
        for (sum, counts) in squares.iter_mut().zip(look.counts.chunks_exact(seats)) {
            let mean = counts.iter().sum::<f64>() / seats as f64;
            *sum += counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>();
        }
        n += seats as f64;
    }
    squares.iter().map(|sum| if *sum > 0.0 { (sum / n).sqrt() } else { 1.0 }).collect()
}

/// What is to be fitted. A weight has the place `row × knots + knot`, a row for each feature and each seat but the
/// first.
struct Problem<'a> {
    seen: &'a [Seen],
    clock: Clock,
    scales: &'a [f64],
    seats: usize,
    knots: usize,
}

impl Problem<'_> {
    fn rows(&self) -> usize {
        self.scales.len() + self.seats - 1
    }

    fn solve(&self) -> DVector<f64> {
        let start = DVector::zeros(self.rows() * self.knots);
        maximise(start, self.seen.len() as f64, |weights| self.slope(weights))
    }

    fn slope(&self, weights: &DVector<f64>) -> Slope {
        let n = weights.len();
        let mut all = newton::sum(self.seen, n, |game, slope| self.add_game(game, weights, slope));
        let tightness = 1.0 / (PRIOR * PRIOR);
        all.value -= 0.5 * tightness * weights.norm_squared();
        all.gradient -= weights * tightness;
        for i in 0..n {
            all.curvature[(i, i)] += tightness;
        }
        all
    }

    fn add_game(&self, game: &Seen, weights: &DVector<f64>, slope: &mut Slope) {
        let share = 1.0 / game.looks.len().max(1) as f64;
        for look in &game.looks {
            self.add_look(look, &game.points, share, (weights, slope));
        }
    }

    /// Adds a look with the weight `share`.
    fn add_look(
        &self,
        look: &Look,
        points: &[f64],
        share: f64,
        (weights, slope): (&DVector<f64>, &mut Slope),
    ) {
        let (rows, seats) = (self.rows(), self.seats);
        let moment = self.clock.moment(look);
        let hats = [(moment.knot, 1.0 - moment.part), (moment.knot + 1, moment.part)];
        // What each row counts of each seat, less the mean under the chances further below.
        let mut counts = vec![0.0; rows * seats];
        for (row, scale) in self.scales.iter().enumerate() {
            for seat in 0..seats {
                counts[row * seats + seat] = look.counts[row * seats + seat] / scale;
            }
        }
        for seat in 1..seats {
            counts[(self.scales.len() + seat - 1) * seats + seat] = 1.0;
        }
        let mut chances = vec![0.0; seats];
        for row in 0..rows {
            let weight: f64 =
                hats.iter().map(|&(knot, hat)| hat * weights[row * self.knots + knot]).sum();
            let counts = &counts[row * seats..(row + 1) * seats];
            chances.iter_mut().zip(counts).for_each(|(u, count)| *u += weight * count);
        }
        softmax(&mut chances);
        for (p, y) in chances.iter().zip(points) {
            slope.value += share * y * p.max(f64::MIN_POSITIVE).ln();
        }
        for row in 0..rows {
            let counts = &mut counts[row * seats..(row + 1) * seats];
            let mean: f64 = counts.iter().zip(&chances).map(|(count, p)| count * p).sum();
            counts.iter_mut().for_each(|count| *count -= mean);
            let slant: f64 = counts.iter().zip(points).map(|(count, y)| count * y).sum();
            for (knot, hat) in hats {
                slope.gradient[row * self.knots + knot] += share * hat * slant;
            }
        }
        self.add_curvature(&counts, &chances, share, hats, &mut slope.curvature);
    }

    fn add_curvature(
        &self,
        counts: &[f64],
        chances: &[f64],
        share: f64,
        hats: [(usize, f64); 2],
        curvature: &mut DMatrix<f64>,
    ) {
        let (rows, seats) = (self.rows(), self.seats);
        for a in 0..rows {
            let of_a = &counts[a * seats..(a + 1) * seats];
            for b in 0..=a {
                let of_b = &counts[b * seats..(b + 1) * seats];
                let both: f64 =
                    of_a.iter().zip(of_b).zip(chances).map(|((a, b), p)| a * b * p).sum();
                for (knot_a, hat_a) in hats {
                    for (knot_b, hat_b) in hats {
                        let (i, j) = (a * self.knots + knot_a, b * self.knots + knot_b);
                        let bend = share * hat_a * hat_b * both;
                        curvature[(i, j)] += bend;
                        if a != b {
                            curvature[(j, i)] += bend;
                        }
                    }
                }
            }
        }
    }
}
