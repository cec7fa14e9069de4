//! Weights of any evaluation, fitted by its derivatives (Texel's tuning method, as a conditional logit).
//!
//! **Model.** An alternative of a case is a seat of a position, or an option of a decision. It has the utility
//! `b·V(w)/S(w)`, with a value V and a scale S that depend on the weights w. Neither must be linear. Around the
//! current weights they are `V + J·Δw` and `S + K·Δw`, with derivatives J and K by finite differences. The best
//! weights of that ratio are found ([`sim::stats::ratio_logit`]), and the step is repeated. If values are in units of
//! the score, S is 1 and b is also fitted, for each group of cases.
//!
//! **Prior.** Each weight is drawn towards the current one, in units in which the utility differs by one standard
//! deviation between alternatives. Cross-validation sets the strength ([`super::folds`]).

use super::folds::Family;
use sim::stats::conditional_logit::{self, Choice, Prior, softmax};
use sim::stats::newton::ANYWHERE;
use sim::stats::ratio_logit::{Around, Known, surprise};

pub use sim::stats::ratio_logit::Case;

/// The tightness of ln b, in units of one case: weak, but it keeps b in place without data.
const LOOSE: f64 = 1.0;
/// The tightness of the scale. If a common factor of all weights leaves the utilities unchanged, the games do not
/// determine it, and it stays in place.
const KEPT: f64 = 10.0;

/// Weights, with the value of b by group.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// The weights.
    pub weights: Vec<f64>,
    /// The log odds of a unit of the value (b), by group.
    pub odds: Vec<f64>,
}

impl Point {
    /// Returns the point at fraction `part` of the way to `other`.
    #[must_use]
    pub fn towards(&self, other: &Self, part: f64) -> Self {
        let weights = self.weights.iter().zip(&other.weights);
        // A multiplier is interpolated by factors.
        let odds = self.odds.iter().zip(&other.odds);
        Self {
            weights: weights.map(|(a, b)| part.mul_add(b - a, *a)).collect(),
            odds: odds.map(|(a, b)| a * (b / a).powf(part)).collect(),
        }
    }
}

/// The constants of a fit.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// The current weights.
    pub today: Point,
    /// True if b is known.
    pub has_scale: bool,
    /// The limits of each weight.
    pub ends: Vec<(f64, f64)>,
    /// The standard deviation of the derivative of the utility between alternatives, by weight.
    spreads: Vec<f64>,
    /// The mean derivative of the logarithm of the scale, by weight.
    scaling: Vec<f64>,
}

impl Frame {
    /// Creates the frame of `cases`, evaluated at `today`, for weights between `ends`. An unknown b is first fitted at
    /// the current weights.
    #[must_use]
    pub fn new(cases: &[Case], mut today: Point, has_scale: bool, ends: Vec<(f64, f64)>) -> Self {
        if !has_scale {
            today.odds = odds_of(&cases.iter().collect::<Vec<_>>(), &today.odds);
        }
        let (spreads, scaling) = (spreads(cases, &today), scaling(cases, today.weights.len()));
        Self { today, has_scale, ends, spreads, scaling }
    }

    /// Returns true if the weight has any effect.
    #[must_use]
    pub fn moves(&self, weight: usize) -> bool {
        self.spreads[weight] > 0.0
    }

    /// Returns the best weights for `cases`, evaluated at `at`, and the gain over `at` if values and scales were
    /// linear.
    #[must_use]
    pub fn settle(&self, cases: &[&Case], at: &Point, strength: f64) -> (Point, f64) {
        self.around(cases, at, strength, |around| {
            let steps = around.fit();
            let still = vec![0.0; steps.len()];
            let n = at.weights.len();
            let weight = |(i, weight): (usize, &f64)| {
                let (low, high) = self.ends[i];
                (weight + steps[i] / self.spread(i)).clamp(low, high)
            };
            let weights = at.weights.iter().enumerate().map(weight).collect();
            let more = |group: usize| steps.get(n + group).map_or(1.0, |step| step.exp());
            let odds = at.odds.iter().enumerate().map(|(i, odds)| odds * more(i)).collect();
            (Point { weights, odds }, around.value(&steps) - around.value(&still))
        })
    }

    /// Returns the gain of the point `to` over the point `at`, where `cases` were evaluated, if values and scales were
    /// linear.
    #[must_use]
    pub fn gained(&self, cases: &[&Case], at: &Point, to: &Point, strength: f64) -> f64 {
        let by: Vec<f64> = to.weights.iter().zip(&at.weights).map(|(to, at)| to - at).collect();
        let still = vec![0.0; by.len()];
        let lost = |case: &&Case| {
            let lost = |by: &[f64], point: &Point| {
                surprise(&case.utilities(by, point.odds[case.group]), &case.targets)
            };
            lost(&still, at) - lost(&by, to)
        };
        let penalty = |point| self.penalty(point, cases.len(), strength);
        cases.iter().map(lost).sum::<f64>() + penalty(at) - penalty(to)
    }

    /// Returns the information about the weights of the best point `point`, where `cases` were evaluated, in their own
    /// units. That about the logarithms of b follows if these are fitted.
    #[must_use]
    pub fn known(&self, cases: &[&Case], point: &Point, strength: f64) -> Vec<Option<Known>> {
        let unit = |i: usize| if i < self.ends.len() { self.spread(i) } else { 1.0 };
        let natural = |(i, known): (usize, Option<Known>)| {
            let mut known = known?;
            known.half /= unit(i);
            known.path.iter_mut().enumerate().for_each(|(j, x)| *x *= unit(i) / unit(j));
            Some(known)
        };
        self.around(cases, point, strength, |around| {
            around.known().into_iter().enumerate().map(natural).collect()
        })
    }

    /// Fixes a weight at `x` from here on.
    pub(super) fn hold(&mut self, weight: usize, x: f64) {
        self.ends[weight] = (x, x);
    }

    /// Returns `point` with its weights between their limits.
    #[must_use]
    pub fn within(&self, mut point: Point) -> Point {
        let weights = point.weights.iter_mut().zip(&self.ends);
        weights.for_each(|(x, (low, high))| *x = x.clamp(*low, *high));
        point
    }

    /// Returns `point` with a weight moved by `step`, and the others along its `path`, within their limits.
    #[must_use]
    pub fn along(&self, point: &Point, path: &[f64], step: f64) -> Point {
        let n = point.weights.len();
        let weights = point.weights.iter().zip(path);
        let odds = point.odds.iter().enumerate();
        self.within(Point {
            weights: weights.map(|(x, by)| step.mul_add(*by, *x)).collect(),
            odds: odds
                .map(|(i, b)| b * path.get(n + i).map_or(1.0, |by| (step * by).exp()))
                .collect(),
        })
    }

    /// Returns the penalty of the likelihood for the distance of weights from the current ones.
    #[must_use]
    pub fn penalty(&self, point: &Point, cases: usize, strength: f64) -> f64 {
        let away = point.weights.iter().zip(&self.today.weights).enumerate();
        let weights = away.map(|(i, (w, today))| {
            self.tightness(i, strength * cases as f64) * ((w - today) * self.spread(i)).powi(2)
        });
        let odds = point.odds.iter().zip(&self.today.odds);
        let odds = odds.map(|(b, today)| LOOSE * (b / today).ln().powi(2));
        0.5 * (weights.sum::<f64>() + odds.sum::<f64>())
    }

    /// Returns the tightness of a weight, in standard deviations of the utility, if the current ones are worth `worth`
    /// cases.
    fn tightness(&self, weight: usize, worth: f64) -> f64 {
        // A weight without effect stays.
        let worth = if self.moves(weight) { worth } else { 1.0 };
        worth + KEPT * (self.scaling[weight] / self.spread(weight)).powi(2)
    }

    /// Returns the spread of a weight as a divisor: 1 if the weight has no effect.
    fn spread(&self, weight: usize) -> f64 {
        if self.moves(weight) { self.spreads[weight] } else { 1.0 }
    }

    /// Returns the result of `ask` for the model around `at`, where `cases` were evaluated; steps are in standard
    /// deviations, then of ln b.
    fn around<T>(
        &self,
        cases: &[&Case],
        at: &Point,
        strength: f64,
        ask: impl Fn(&Around<'_>) -> T,
    ) -> T {
        let units: Vec<f64> = (0..at.weights.len()).map(|i| self.spread(i)).collect();
        let fitted = if self.has_scale { 0 } else { at.odds.len() };
        let tight = |i: usize| self.tightness(i, strength * cases.len().max(1) as f64);
        let back = |i: usize| (self.today.weights[i] - at.weights[i]) * units[i];
        let back_odds = |i: usize| (self.today.odds[i] / at.odds[i]).ln();
        let prior = Prior {
            centre: (0..units.len()).map(back).chain((0..fitted).map(back_odds)).collect(),
            tightness: (0..units.len()).map(tight).chain((0..fitted).map(|_| LOOSE)).collect(),
        };
        let end = |(i, (low, high)): (usize, &(f64, f64))| {
            ((low - at.weights[i]) * units[i], (high - at.weights[i]) * units[i])
        };
        let mut ends: Vec<(f64, f64)> = self.ends.iter().enumerate().map(end).collect();
        ends.extend((0..fitted).map(|_| ANYWHERE));
        ask(&Around {
            cases,
            units: &units,
            odds: &at.odds,
            fits_odds: !self.has_scale,
            prior: &prior,
            ends: &ends,
        })
    }
}

/// Returns the worth of a unit of the value, by group.
fn odds_of(cases: &[&Case], near: &[f64]) -> Vec<f64> {
    let one = |(group, near): (usize, &f64)| {
        let own = cases.iter().filter(|case| case.group == group);
        let choice = |case: &&Case| Choice {
            cluster: case.cluster,
            design: case.values.iter().map(|value| *value as f32).collect(),
            offsets: vec![0.0; case.values.len()],
            targets: case.targets.clone(),
        };
        let choices: Vec<Choice> = own.map(choice).collect();
        let prior = Prior { centre: vec![*near], tightness: vec![LOOSE] };
        conditional_logit::fit(&choices.iter().collect::<Vec<_>>(), &prior)[0].max(f64::EPSILON)
    };
    near.iter().enumerate().map(one).collect()
}

/// Returns the standard deviation between alternatives of the derivative of the utility, by weight.
fn spreads(cases: &[Case], today: &Point) -> Vec<f64> {
    let n = today.weights.len();
    let (mut squares, mut alternatives) = (vec![0.0; n], 0.0f64);
    for case in cases {
        let number = case.values.len() as f64;
        let k = |i: usize| case.scale_slopes.get(i).copied().map_or(0.0, f64::from);
        for (i, sum) in squares.iter_mut().enumerate() {
            let own = case.values.iter().zip(case.rows(n)).map(|(value, row)| {
                let odds = today.odds[case.group] / case.scale;
                odds * (f64::from(row[i]) - value * k(i) / case.scale)
            });
            let mean = own.clone().sum::<f64>() / number;
            *sum += own.map(|x| (x - mean).powi(2)).sum::<f64>();
        }
        alternatives += number;
    }
    squares.iter().map(|sum| (sum / alternatives.max(1.0)).sqrt()).collect()
}

/// Returns the mean derivative of the logarithm of the scale, by weight.
fn scaling(cases: &[Case], n: usize) -> Vec<f64> {
    let mut sums = vec![0.0; n];
    for case in cases {
        let own = sums.iter_mut().zip(&case.scale_slopes);
        own.for_each(|(sum, k)| *sum += f64::from(*k) / case.scale);
    }
    sums.iter().map(|sum| sum / cases.len().max(1) as f64).collect()
}

/// A function that returns the utilities of the alternatives of some cases under any weights, with b = 1.
pub type Values<'a> = dyn Fn(&[f64], &[usize]) -> Vec<Vec<f64>> + Sync + 'a;

/// A family of weights that are fitted to some cases by derivatives, and judged on others by exact values.
#[derive(Clone, Copy)]
pub struct Texel<'a> {
    /// The cases, evaluated at the current weights.
    pub cases: &'a [Case],
    /// The constants of the fit.
    pub frame: &'a Frame,
    /// The utilities of the alternatives of some cases under any weights, with b = 1.
    pub values: &'a Values<'a>,
    /// The loss of chances for given targets.
    pub loss: fn(&[f64], &[f64]) -> f64,
}

impl std::fmt::Debug for Texel<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Texel({} cases)", self.cases.len())
    }
}

impl Texel<'_> {
    fn some(&self, places: &[usize]) -> Vec<&Case> {
        places.iter().map(|&place| &self.cases[place]).collect()
    }

    /// Returns the losses of `point` on some cases.
    #[must_use]
    pub fn lost(&self, point: &Point, places: &[usize]) -> Vec<f64> {
        self.judged(point, places, |mut utilities, case| {
            softmax(&mut utilities);
            (self.loss)(&utilities, &case.targets)
        })
    }

    /// Returns the total loss of `point` in log likelihood, prior included.
    #[must_use]
    pub fn cost(&self, point: &Point, strength: f64) -> f64 {
        let all: Vec<usize> = (0..self.cases.len()).collect();
        let lost = self.judged(point, &all, |utilities, case| surprise(&utilities, &case.targets));
        lost.iter().sum::<f64>() + self.frame.penalty(point, all.len(), strength)
    }

    fn judged(
        &self,
        point: &Point,
        places: &[usize],
        judge: impl Fn(Vec<f64>, &Case) -> f64,
    ) -> Vec<f64> {
        let all = (self.values)(&point.weights, places);
        let one = |(&place, mut values): (&usize, Vec<f64>)| {
            let case = &self.cases[place];
            values.iter_mut().for_each(|value| *value *= point.odds[case.group]);
            judge(values, case)
        };
        places.iter().zip(all).map(one).collect()
    }
}

impl Family for Texel<'_> {
    type Model = Point;

    fn fit(&self, places: &[usize], strength: f64) -> Point {
        self.frame.settle(&self.some(places), &self.frame.today, strength).0
    }

    fn losses(&self, point: &Point, places: &[usize]) -> Vec<f64> {
        self.lost(point, places)
    }
}

/// The family of the current weights; b is fitted if it is unknown.
pub struct Today<'a, 'b>(pub &'b Texel<'a>);

impl std::fmt::Debug for Today<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Family for Today<'_, '_> {
    type Model = Point;

    fn fit(&self, places: &[usize], _strength: f64) -> Point {
        let today = &self.0.frame.today;
        let odds = match self.0.frame.has_scale {
            true => today.odds.clone(),
            false => odds_of(&self.0.some(places), &today.odds),
        };
        Point { odds, ..today.clone() }
    }

    fn losses(&self, point: &Point, places: &[usize]) -> Vec<f64> {
        self.0.lost(point, places)
    }
}
