//! Weights of any evaluation, fitted by its derivatives (Texel's tuning method, as a conditional logit).
//!
//! **Model.** An alternative of a case (a seat of a position, an option of a decision) has the utility `b·V(w)`, with the
//! value V that something gives it under the weights w. V need not be linear: around the weights of the moment it is
//! `V + J·Δw` with derivatives J by differences, the best weights of that are found, and so on (Gauss-Newton). Where values
//! are in units of the score, b is found too, for each group of cases, as rounds.
//!
//! **Prior.** Each weight is drawn towards today's, in units in which `b·V` differs by one standard deviation between
//! alternatives; how strongly, held-out games say ([`super::folds`]).

use super::folds::Family;
use crate::stats::Interval;
use crate::stats::conditional_logit::{self, Choice, Prior, softmax};

/// Most times that the best weights of one linear model are looked for, since b and w are multiplied in it.
const TURNS: usize = 6;
/// Steps below this, in standard deviations, are none.
const STILL: f64 = 1e-5;
/// How tight b is held, in units of one case: hardly, but where nothing is known it stays.
const LOOSE: f64 = 1e-3;
/// The most by which b shrinks in a turn.
const LEAST_FACTOR: f64 = 0.2;

/// A case: alternatives of which one is chosen.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Case {
    /// The game, or the block of games that share their chance.
    pub cluster: u64,
    /// The group that has one b.
    pub group: usize,
    /// The section of tables.
    pub section: usize,
    /// By alternative, the value under the weights at which this was taken.
    pub values: Vec<f64>,
    /// By alternative, the derivative by each weight.
    pub slopes: Vec<f32>,
    /// By alternative, the share in which it was chosen.
    pub targets: Vec<f64>,
}

/// Weights, and by group what a unit of the value is worth in log odds.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// The weights.
    pub weights: Vec<f64>,
    /// By group, b.
    pub odds: Vec<f64>,
}

impl Point {
    /// The point a part of the way to `other`.
    #[must_use]
    pub fn towards(&self, other: &Self, part: f64) -> Self {
        let weights = self.weights.iter().zip(&other.weights);
        // What multiplies goes by factors.
        let odds = self.odds.iter().zip(&other.odds);
        Self {
            weights: weights.map(|(a, b)| part.mul_add(b - a, *a)).collect(),
            odds: odds.map(|(a, b)| a * (b / a).powf(part)).collect(),
        }
    }
}

/// What stays the same while weights are fitted.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// Today's weights.
    pub today: Point,
    /// Whether b is known.
    pub has_scale: bool,
    /// By weight, the standard deviation of `b·J` between alternatives.
    spreads: Vec<f64>,
}

impl Frame {
    /// The frame of `cases`, which were taken at `today`; where b is not known it is found for today's weights first.
    #[must_use]
    pub fn new(cases: &[Case], mut today: Point, has_scale: bool) -> Self {
        if !has_scale {
            today.odds = odds_of(&cases.iter().collect::<Vec<_>>(), &today.odds);
        }
        let spreads = spreads(cases, &today);
        Self { today, has_scale, spreads }
    }

    /// Whether a weight changes anything.
    #[must_use]
    pub fn moves(&self, weight: usize) -> bool {
        self.spreads[weight] > 0.0
    }

    /// The best weights for `cases`, which were taken at `at`, from there on.
    #[must_use]
    pub fn settle(&self, cases: &[&Case], at: &Point, strength: f64) -> Point {
        let mut point = at.clone();
        for _ in 0..TURNS {
            let (choices, prior) = self.linear(cases, at, &point, strength);
            let step = conditional_logit::fit_from_zero(&choices, &prior);
            let n = point.weights.len();
            for (i, weight) in point.weights.iter_mut().enumerate() {
                *weight += step[i] / self.spread(i);
            }
            for (odds, step) in point.odds.iter_mut().zip(&step[n..]) {
                *odds *= (1.0 + step).max(LEAST_FACTOR);
            }
            if step.iter().all(|step| step.abs() < STILL) {
                break;
            }
        }
        point
    }

    /// The 95 % intervals of the weights of `point`, where `cases` were taken.
    #[must_use]
    pub fn intervals(
        &self,
        cases: &[&Case],
        point: &Point,
        strength: f64,
    ) -> Vec<Option<Interval>> {
        let (choices, prior) = self.linear(cases, point, point, strength);
        let still = vec![0.0; prior.centre.len()];
        let choices: Vec<&Choice> = choices.iter().collect();
        let found = conditional_logit::intervals(&choices, &prior, &still);
        let weights = point.weights.iter().enumerate().zip(found);
        let interval = |((i, weight), interval): ((usize, &f64), Option<Interval>)| {
            interval.map(|at| at.times(1.0 / self.spread(i)).plus(*weight))
        };
        weights.map(interval).collect()
    }

    /// What the likelihood loses by how far weights are from today's.
    #[must_use]
    pub fn penalty(&self, point: &Point, cases: usize, strength: f64) -> f64 {
        let away = point.weights.iter().zip(&self.today.weights).zip(&self.spreads);
        let squares = away.map(|((w, today), spread)| ((w - today) * spread).powi(2));
        0.5 * strength * cases as f64 * squares.sum::<f64>()
    }

    /// A number to divide by.
    fn spread(&self, weight: usize) -> f64 {
        if self.moves(weight) { self.spreads[weight] } else { 1.0 }
    }

    /// The linear model around `point` of cases that were taken at `at`: steps in standard deviations, then by group in
    /// parts of b.
    fn linear(
        &self,
        cases: &[&Case],
        at: &Point,
        point: &Point,
        strength: f64,
    ) -> (Vec<Choice>, Prior) {
        let n = point.weights.len();
        let groups = if self.has_scale { 0 } else { point.odds.len() };
        let choice = |case: &&Case| {
            let odds = point.odds[case.group];
            let mut choice = Choice {
                cluster: case.cluster,
                targets: case.targets.clone(),
                ..Choice::default()
            };
            for (utility, slopes) in utilities(case, at, point).into_iter().zip(rows(case, n)) {
                choice.offsets.push(utility);
                let step =
                    |(i, slope): (usize, &f32)| (odds * f64::from(*slope) / self.spread(i)) as f32;
                choice.design.extend(slopes.iter().enumerate().map(step));
                let own = |group| if group == case.group { utility as f32 } else { 0.0 };
                choice.design.extend((0..groups).map(own));
            }
            choice
        };
        let back = |i: usize| (self.today.weights[i] - point.weights[i]) * self.spread(i);
        let tightness = strength * cases.len().max(1) as f64;
        // A weight that changes nothing stays.
        let tight = |i: usize| if self.moves(i) { tightness } else { 1.0 };
        let loose = std::iter::repeat_n(LOOSE, groups);
        let prior = Prior {
            centre: (0..n).map(back).chain(std::iter::repeat_n(0.0, groups)).collect(),
            tightness: (0..n).map(tight).chain(loose).collect(),
        };
        (cases.iter().map(choice).collect(), prior)
    }
}

/// The rows of a case's derivatives; as many empty ones as there are alternatives where nothing is fitted.
fn rows(case: &Case, n: usize) -> impl Iterator<Item = &[f32]> + Clone {
    (0..case.values.len())
        .map(move |alternative| &case.slopes[alternative * n..(alternative + 1) * n])
}

/// The utilities of the alternatives under `point`, of a case that was taken at `at`.
fn utilities(case: &Case, at: &Point, point: &Point) -> Vec<f64> {
    let moved: Vec<f64> = point.weights.iter().zip(&at.weights).map(|(w, at)| w - at).collect();
    let utility = |(value, slopes): (&f64, &[f32])| {
        let more: f64 = slopes.iter().zip(&moved).map(|(slope, by)| f64::from(*slope) * by).sum();
        point.odds[case.group] * (value + more)
    };
    case.values.iter().zip(rows(case, moved.len())).map(utility).collect()
}

/// By group, what a unit of the value is worth.
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

fn spreads(cases: &[Case], today: &Point) -> Vec<f64> {
    let n = today.weights.len();
    let (mut squares, mut alternatives) = (vec![0.0; n], 0.0f64);
    for case in cases {
        let number = case.values.len() as f64;
        for (i, sum) in squares.iter_mut().enumerate() {
            let own = rows(case, n).map(|row| today.odds[case.group] * f64::from(row[i]));
            let mean = own.clone().sum::<f64>() / number;
            *sum += own.map(|x| (x - mean).powi(2)).sum::<f64>();
        }
        alternatives += number;
    }
    squares.iter().map(|sum| (sum / alternatives.max(1.0)).sqrt()).collect()
}

/// What gives the values of the alternatives of some cases under any weights.
pub type Values<'a> = dyn Fn(&[f64], &[usize]) -> Vec<Vec<f64>> + Sync + 'a;

/// Weights that are fitted to some cases and judged on others by what they are really worth there.
#[derive(Clone, Copy)]
pub struct Texel<'a> {
    /// The cases, taken at today's weights.
    pub cases: &'a [Case],
    /// What stays the same.
    pub frame: &'a Frame,
    /// The values of the alternatives of some cases under any weights.
    pub values: &'a Values<'a>,
    /// Weights within what is accepted.
    pub bound: &'a (dyn Fn(&[f64]) -> Vec<f64> + Sync),
    /// What is lost by chances where the targets are these.
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

    /// What `point` loses on some cases.
    #[must_use]
    pub fn lost(&self, point: &Point, places: &[usize]) -> Vec<f64> {
        let all = (self.values)(&point.weights, places);
        let loss = |(&place, mut values): (&usize, Vec<f64>)| {
            let case = &self.cases[place];
            values.iter_mut().for_each(|value| *value *= point.odds[case.group]);
            softmax(&mut values);
            (self.loss)(&values, &case.targets)
        };
        places.iter().zip(all).map(loss).collect()
    }
}

impl Family for Texel<'_> {
    type Model = Point;

    fn fit(&self, places: &[usize], strength: f64) -> Point {
        self.frame.settle(&self.some(places), &self.frame.today, strength)
    }

    fn losses(&self, point: &Point, places: &[usize]) -> Vec<f64> {
        self.lost(point, places)
    }
}

/// Today's weights, whose b is fitted where it is not known.
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
