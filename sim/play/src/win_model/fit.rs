//! The fit of a [`WinModel`]: a conditional logit with weights that vary in time ([`crate::stats::varying_logit`]).
//!
//! The weights are rounded to `DIGITS` digits, far beyond the information in the games. So a last bit of an exponential
//! that another machine computes differently does not show.

use agents::{Observable, Playable};

use super::{Clock, FORMAT, PRIOR, Phase, Probe, Probes, Subject, WinModel};
use crate::error::Error;
use crate::game_loop::{Address, GameObserver, Run};
use crate::observed_play::SeatedAgents;
use crate::stats::varying_logit::{self, Case, Problem};

/// The number of digits after the point that weights keep.
const DIGITS: i32 = 9;
/// The quantile of game lengths that counts as a long game.
const LONG: f64 = 0.9;

/// A game as the fit uses it.
#[derive(Clone, PartialEq, Debug)]
pub struct Seen {
    /// The looks at the game.
    pub looks: Vec<Probe>,
    /// The points of the seats.
    pub points: Vec<f64>,
    /// The number of choices in the whole game.
    pub plies: u32,
}

/// Plays game `index` of the run with seed `seed` at `table`, and takes looks at it.
///
/// # Errors
/// If an agent fails.
pub fn see<G: Playable + Observable>(
    table: &mut SeatedAgents<'_, G>,
    seed: u64,
    index: u64,
) -> Result<Seen, Error> {
    let mut looks = Probes::new(seed, index);
    let mut counted = Counted { looks: &mut looks, plies: 0 };
    let points = table.play(Address::of_game(seed, index), &mut counted)?;
    let plies = counted.plies;
    Ok(Seen { looks: looks.taken, points: points.first(table.len()).to_vec(), plies })
}

/// An observer that takes looks and counts plies.
struct Counted<'a, S> {
    looks: &'a mut Probes<S>,
    plies: u32,
}

impl<G: Observable> GameObserver<G> for Counted<'_, G::State> {
    fn at(&mut self, game: &G, run: &Run<G::State>) {
        self.plies = run.plies;
        self.looks.at(game, run);
    }
}

/// Fits a model to observed games.
///
/// # Panics
/// If there are no games, or the looks do not hold a count for each of `features` and each seat.
#[must_use]
pub fn fit_to(seen: &[Seen], features: Vec<String>, subject: Subject, seed: u64) -> WinModel {
    let clock = clock_of(seen);
    let scales = scales_of(seen, features.len(), subject.players);
    let problem = Problem {
        cases: seen.iter().map(|game| case_of(game, clock)).collect(),
        scales: &scales,
        alternatives: subject.players,
        knots: clock.knots(),
        prior: PRIOR,
    };
    let found = problem.solve();
    let unit = 10f64.powi(DIGITS);
    let rounded = |w: &f64| (w * unit).round() / unit;
    let rows = found.chunks_exact(problem.knots);
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

fn case_of(game: &Seen, clock: Clock) -> Case<'_> {
    let looks = game.looks.iter().map(|look| {
        let Phase { knot, part } = clock.phase(look);
        varying_logit::Observation { knot, part, counts: &look.counts }
    });
    Case { looks: looks.collect(), points: &game.points }
}

fn clock_of(seen: &[Seen]) -> Clock {
    let stages = seen.iter().flat_map(|game| &game.looks).filter_map(|look| look.course.stage);
    let mut lengths: Vec<u32> = seen.iter().map(|game| game.plies).collect();
    lengths.sort_unstable();
    let at = (LONG * lengths.len() as f64) as usize;
    let plies = lengths.get(at.min(lengths.len().saturating_sub(1))).copied().unwrap_or(1);
    Clock { stages: stages.max().map_or(1, |last| last + 1), plies: f64::from(plies.max(1)) }
}

/// Returns the standard deviation of each count between the seats of a look; 1 if it never differs.
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
