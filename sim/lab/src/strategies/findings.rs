//! Statements about a population, on the games of its report.

use std::collections::{BTreeSet, VecDeque};

use super::run::Outcome;
use crate::tune::gain::Gain;
use sim::stats::bootstrap::percentile;
use sim::stats::meta_game::{Solver, effective_number};
use sim::stats::{Bootstrap, Family, Interval, Moments};

/// The number of resamples of a mixture.
pub(super) const RESAMPLES: u32 = 200;
/// The least weight of a strategy that survives.
pub const SURVIVES: f64 = 0.01;

/// The mixture of a resample, and the points of each strategy against it.
type Draw = (Vec<f64>, Vec<f64>);

/// An estimate with its 95 % interval, if it has one.
pub type Estimate = (f64, Option<Interval>);

/// A strategy, as the report found it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its weight in the mixture.
    pub weight: Estimate,
    /// Its points above an equal share against the mixture.
    pub value: Estimate,
    /// The strategy that was its best answer in the games of the loop; `None` if it is alone.
    pub answer: Option<usize>,
    /// The gain of that answer against it in all other seats: a lower bound of its exploitability.
    pub exploited: Moments,
    /// The strategies that it beats: one seat of it gains among copies of them, simultaneously over all pairs, and one
    /// of theirs is not shown to gain among copies of it.
    pub beats: Vec<usize>,
    /// The strategies with which it coexists: one seat of either gains among copies of the other. At two players there
    /// are none.
    pub coexists: Vec<usize>,
}

/// The statements about a population.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The strategies.
    pub strategies: Vec<Finding>,
    /// The effective number of strategies.
    pub effective: Estimate,
    /// The weight of the strategy with the highest.
    pub top: Estimate,
    /// The strategy that beats all others, if there is one.
    pub dominant: Option<usize>,
    /// Shortest cycles: each strategy beats the next, and the last the first.
    pub cycles: Vec<Vec<usize>>,
}

impl Findings {
    /// Computes the statements on the report of a run by `solver`.
    #[must_use]
    pub fn of(outcome: &Outcome, solver: Solver, seed: u64) -> Self {
        let report = &outcome.report;
        let n = report.strategies();
        let game = report.game();
        let mix = solver.solve(&game);
        let values = game.values(&mix);
        let own: f64 = values.iter().zip(&mix).map(|(value, part)| value * part).sum();
        let plan = Bootstrap { seed, resamples: RESAMPLES };
        let (draws, groups) = report.draws(plan, |game| {
            let mix = solver.solve(game);
            let values = game.values(&mix);
            (mix, values)
        });
        let interval =
            |of: &dyn Fn(&Draw) -> f64| percentile(draws.iter().map(of).collect(), groups);
        let Relations { beats, coexists } = Relations::of(&gains(outcome));
        let finding = |i: usize| {
            let answer = answer(outcome, i);
            Finding {
                weight: (mix[i], interval(&|(mix, _)| mix[i])),
                value: (
                    values[i] - own,
                    interval(&|(mix, values)| {
                        values[i] - values.iter().zip(mix).map(|(v, p)| v * p).sum::<f64>()
                    }),
                ),
                answer,
                exploited: answer.map_or_else(Moments::default, |other| report.duel(other, i)),
                beats: beats[i].clone(),
                coexists: coexists[i].clone(),
            }
        };
        Self {
            strategies: (0..n).map(finding).collect(),
            effective: (effective_number(&mix), interval(&|(mix, _)| effective_number(mix))),
            top: (top_weight(&mix), interval(&|(mix, _)| top_weight(mix))),
            dominant: (0..n).find(|&i| n > 1 && beats[i].len() == n - 1),
            cycles: cycles(&beats),
        }
    }

    /// Returns the strategies that survive, the heaviest first.
    #[must_use]
    pub fn survivors(&self) -> Vec<usize> {
        let weight = |i: &usize| self.strategies[*i].weight.0;
        let mut all: Vec<usize> =
            (0..self.strategies.len()).filter(|i| weight(i) >= SURVIVES).collect();
        all.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        all
    }
}

/// Returns the largest weight of a mixture.
pub(super) fn top_weight(mix: &[f64]) -> f64 {
    mix.iter().copied().fold(0.0, f64::max)
}

/// Returns the strategy that gained most against `strategy` in the games of the loop.
fn answer(outcome: &Outcome, strategy: usize) -> Option<usize> {
    let others = (0..outcome.payoffs.strategies()).filter(|&other| other != strategy);
    let gain = |other: usize| outcome.payoffs.duel(other, strategy).mean();
    others.max_by(|&a, &b| gain(a).total_cmp(&gain(b)))
}

/// Returns the strategies among whose copies one seat of each gains.
fn gains(outcome: &Outcome) -> Vec<Vec<usize>> {
    let n = outcome.report.strategies();
    let family = Family::of((n * n.saturating_sub(1)).max(1));
    let gains = |one: usize, other: usize| {
        one != other && Gain::Share.together(&outcome.report.duel(one, other), family).low > 0.0
    };
    (0..n).map(|one| (0..n).filter(|&other| gains(one, other)).collect()).collect()
}

/// The relations of each strategy to the others.
#[derive(PartialEq, Debug)]
struct Relations {
    beats: Vec<Vec<usize>>,
    coexists: Vec<Vec<usize>>,
}

impl Relations {
    /// Divides the strategies among which each gains into those that it beats and those that gain in turn.
    fn of(gains: &[Vec<usize>]) -> Self {
        let divided = gains.iter().enumerate().map(|(one, others)| {
            others.iter().copied().partition(|&other: &usize| !gains[other].contains(&one))
        });
        let (beats, coexists) = divided.unzip();
        Self { beats, coexists }
    }
}

/// Returns a shortest cycle through each strategy that is in one, each cycle once, from its smallest number.
fn cycles(beats: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut known = BTreeSet::new();
    for start in 0..beats.len() {
        let mut queue = VecDeque::from([vec![start]]);
        let mut seen = BTreeSet::new();
        let found = loop {
            let Some(path) = queue.pop_front() else { break None };
            let last = path[path.len() - 1];
            if path.len() > 1 && beats[last].contains(&start) {
                break Some(path);
            }
            for &next in beats[last].iter().filter(|&&next| next != start) {
                if seen.insert(next) {
                    queue.push_back([&path[..], &[next]].concat());
                }
            }
        };
        if let Some(mut cycle) = found {
            let first = (0..cycle.len()).min_by_key(|&i| cycle[i]).unwrap_or(0);
            cycle.rotate_left(first);
            known.insert(cycle);
        }
    }
    known.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_that_gain_among_each_other_coexist_and_none_of_them_is_dominant() {
        let Relations { beats, coexists } = Relations::of(&[vec![1, 2], vec![0, 2], vec![]]);
        assert_eq!(beats, [vec![2], vec![2], vec![]]);
        assert_eq!(coexists, [vec![1], vec![0], vec![]]);
        assert!(cycles(&beats).is_empty());
    }

    #[test]
    fn a_cycle_is_found_once_and_a_ladder_has_none() {
        assert_eq!(cycles(&[vec![1], vec![2], vec![0]]), [vec![0, 1, 2]]);
        assert!(cycles(&[vec![1, 2], vec![2], vec![]]).is_empty());
        let two = cycles(&[vec![1, 3], vec![2], vec![0, 3], vec![4], vec![5], vec![3]]);
        assert_eq!(two, [vec![0, 1, 2], vec![3, 4, 5]]);
    }
}
