//! Chances as surrogates of results: the conditions for their use, and the games that they save.
//!
//! **As a surrogate.** An experiment with many cells can be screened by [`WinModel::probability`] some rounds after a
//! branch, long before its games are over. This is allowed if the results of completed cells, regressed on the chances,
//! have a slope whose interval lies within [`SLOPE`] ([`slope`]). Then one point of chance is about one point of
//! result.
//!
//! **As a control variate.** The effect of chance events on the chance of a seat, `p(after) − E p(after)` summed over a
//! game, has mean 0 for every model ([`agents::luck`]). The mean over the outcomes of an event is not computed.
//! Instead, other outcomes are drawn in the same position. These and the real outcome are exchangeable before they are
//! drawn, so the difference has mean exactly 0 in every game, with slightly more noise. Regression over games measures
//! the saving ([`Regression`]).

use agents::Observable;
use engine::{Purpose, Stream, rng};

use super::WinModel;
use crate::game_loop::GameObserver;
use crate::stats::Moments;
use crate::stats::calibration::Figure;
use crate::stats::control_variate::{Regression, efficiency_interval};
use crate::stats::interval::Interval;
use crate::stats::quantiles::t_quantile;

/// The range that must hold the interval of the slope before chances may replace results.
pub const SLOPE: [f64; 2] = [0.7, 1.3];
/// The smallest number of cells of a regression.
pub const FEWEST_CELLS: usize = 5;
/// The number of other outcomes that are drawn for each chance event.
const OTHERS: u32 = 2;

/// Returns the slope of results on chances over cells, each a pair of means (chance, result).
///
/// `None` for fewer than [`FEWEST_CELLS`] cells, or if all chances are equal. The method is least squares, with
/// Student's t with two degrees of freedom less than cells. Noise in the chances of a cell flattens the slope, so cells
/// should have many games.
#[must_use]
pub fn slope(cells: &[(f64, f64)]) -> Option<Figure> {
    let n = cells.len();
    let mean = |part: fn(&(f64, f64)) -> f64| cells.iter().map(part).sum::<f64>() / n as f64;
    let (x, y) = (mean(|cell| cell.0), mean(|cell| cell.1));
    let xx: f64 = cells.iter().map(|cell| (cell.0 - x).powi(2)).sum();
    let xy: f64 = cells.iter().map(|cell| (cell.0 - x) * (cell.1 - y)).sum();
    if n < FEWEST_CELLS || xx <= 0.0 {
        return None;
    }
    let estimate = xy / xx;
    let rest: f64 = cells.iter().map(|cell| (cell.1 - y - estimate * (cell.0 - x)).powi(2)).sum();
    let half = t_quantile((n - 2) as f64) * (rest / (n - 2) as f64 / xx).sqrt();
    let interval = Interval { low: estimate - half, high: estimate + half };
    Some(Figure { estimate, interval: Some(interval) })
}

/// Returns whether chances may replace results.
#[must_use]
pub fn may_screen(slope: Figure) -> bool {
    slope.interval.is_some_and(|at| SLOPE[0] <= at.low && at.high <= SLOPE[1])
}

/// A collector of the effects of chance events on the chances of the seats in a game.
#[derive(Debug)]
pub struct Fortune<'a> {
    model: &'a WinModel,
    rng: Stream,
    /// The sum of the effects, by seat.
    pub sum: Vec<f64>,
}

impl<'a> Fortune<'a> {
    /// Returns a collector for game `index` of the run with seed `seed`; other outcomes come from its own stream.
    #[must_use]
    pub fn new(model: &'a WinModel, seed: u64, index: u64) -> Self {
        let rng = rng::stream(seed, index, Purpose::Analysis);
        Self { model, rng, sum: vec![0.0; model.subject.players] }
    }
}

impl<G: Observable> GameObserver<G> for Fortune<'_> {
    fn drawn(&mut self, game: &G, state: &G::State, outcome: G::Action, plies: u32) {
        let model = self.model;
        let chances_after = |outcome: G::Action| {
            let mut after = *state;
            game.apply(&mut after, outcome);
            model.probability(game, &after, plies)
        };
        let here = chances_after(outcome);
        for _ in 0..OTHERS {
            let other = chances_after(game.draw(state, &mut self.rng));
            let changes = here.0.iter().zip(other.0);
            for (sum, (here, other)) in self.sum.iter_mut().zip(changes) {
                *sum += (here - other) / f64::from(OTHERS);
            }
        }
    }
}

/// The saving of games by the control variate, over the shares of all seats.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Saving {
    /// The squared correlation of results and fortune, over all seats.
    pub r_squared: f64,
    /// The factor by which it multiplies the games, `1/(1 − R²)`.
    pub relative_efficiency: Figure,
    /// The mean of the fortune of a seat, which is 0 up to noise.
    pub mean: Figure,
}

/// Returns the saving by fortunes (by game, a number for each seat) in games with these points.
///
/// `None` for fewer than ten games, or if chance had no effect.
#[must_use]
pub fn saving(fortunes: &[Vec<f64>], points: &[Vec<f64>]) -> Option<Saving> {
    let seats = points.first()?.len();
    let mut first = Moments::default();
    fortunes.iter().for_each(|fortune| first.add(fortune[0]));
    let by_seat = (0..seats).map(|seat| {
        let mut regression = Regression::default();
        for (fortune, points) in fortunes.iter().zip(points) {
            regression.add(points[seat], fortune[seat]);
        }
        regression.r_squared()
    });
    let r_squared = by_seat.sum::<f64>() / seats as f64;
    let half = first.half_width().filter(|_| fortunes.len() >= 10 && first.variance() > 0.0)?;
    let mean = first.mean();
    Some(Saving {
        r_squared,
        relative_efficiency: Figure {
            estimate: 1.0 / (1.0 - r_squared),
            interval: Some(efficiency_interval(r_squared, fortunes.len() as u64)),
        },
        mean: Figure {
            estimate: mean,
            interval: Some(Interval { low: mean - half, high: mean + half }),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_of_one_is_found_and_few_cells_say_nothing() {
        let noise = [0.004, -0.003, 0.002, -0.004, 0.001, 0.003, -0.002, -0.001];
        let cell = |i: usize| (0.2 + 0.02 * i as f64, 0.21 + 0.02 * i as f64 + noise[i]);
        let cells: Vec<(f64, f64)> = (0..8).map(cell).collect();
        let found = slope(&cells).unwrap();
        assert!(found.interval.unwrap().contains(1.0) && may_screen(found), "{found:?}");
        let half: Vec<_> = cells.iter().map(|(x, y)| (2.0 * x, *y)).collect();
        assert!(!may_screen(slope(&half).unwrap()));
        assert!(slope(&cells[..4]).is_none() && slope(&[(0.5, 0.1); 9]).is_none());
    }
}
