//! The search for the best weights of an evaluation, with their intervals.
//!
//! **Search.** Derivatives are evaluated again at each new point ([`super::texel`]), until the next step promises no
//! gain. If a step does not keep the promise of its derivatives, the weight that deviates most is held fixed: the
//! likelihood is not smooth in it.
//!
//! **Intervals** cover the fit's result on other games. A weight has one if the games determine it; otherwise there is
//! a reason ([`Unknown`]). If held-out games do not separate some strengths of the prior, the choice among these is
//! random. The interval then covers those of all these strengths.

use super::texel::{Case, Frame, Point, Texel};
use super::{Fitted, Unknown};
use sim::stats::Interval;
use sim::stats::ratio_logit::{FEWEST, Known};

/// The largest number of steps; two or three are usual.
const LAPS: usize = 60;
/// The largest number of halvings of a step.
const HALVINGS: i32 = 12;
/// The smallest gain in log likelihood for which a step is taken: it moves a weight by at most a hundredth of its
/// standard error.
const LITTLE: f64 = 1e-5;
/// The smallest promised gain for which the search goes on after a failed step.
const SMALL: f64 = 1e-3;
/// The fraction of its promise that a step must keep.
const ENOUGH: f64 = 0.1;
/// The smallest share of the games in the information about a weight with an interval.
const LEAST_SHARE: f64 = 0.5;
/// The distances at which the curvature of the evaluation is checked, in half widths of a weight's interval: a
/// standard error, its ends, and beyond, where another optimum would be near.
const REACHES: [f64; 3] = [0.5, 1.0, 2.0];
/// The largest deviation of the loss there from the derivatives' prediction, as a fraction of it; at least
/// [`LEAST_BEND`].
const MOST_BEND: f64 = 0.25;
const LEAST_BEND: f64 = 0.25;

/// The end of a search for the best weights.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The weights.
    pub point: Point,
    /// The cases, evaluated there.
    pub cases: Vec<Case>,
    /// The strength of the prior.
    pub strength: f64,
    /// The weights held fixed because the likelihood is not smooth in them.
    rough: Vec<usize>,
    /// The frame in which these are fixed.
    frame: Frame,
}

/// A function that evaluates the cases at other weights.
pub type Take<'a> = dyn Fn(&[f64]) -> Vec<Case> + 'a;

/// Finds the best weights of all cases; `take` evaluates the cases at other weights.
pub fn settle(texel: &Texel<'_>, strength: f64, take: &Take<'_>) -> Settled {
    let mut best = Settled {
        point: texel.frame.today.clone(),
        cases: texel.cases.to_vec(),
        strength,
        rough: Vec::new(),
        frame: texel.frame.clone(),
    };
    let mut least = texel.cost(&best.point, strength);
    for _ in 0..LAPS {
        let (found, promised) = best.frame.settle(&refs(&best.cases), &best.point, strength);
        if promised < LITTLE {
            break;
        }
        // The loss may curve before the end of the step: try a half of it, a quarter …
        let some = |halvings: i32| {
            let part = 0.5f64.powi(halvings);
            let point = best.frame.within(best.point.towards(&found, part));
            let there = texel.cost(&point, strength);
            (there < least - ENOUGH * part * promised).then_some((point, there))
        };
        if let Some((point, there)) = (0..HALVINGS).find_map(some) {
            (best.cases, best.point, least) = (take(&point.weights), point, there);
            continue;
        }
        let stray = (promised > SMALL).then(|| best.stray(texel, &found, least)).flatten();
        let Some(stray) = stray else { break };
        best.rough.push(stray);
        best.frame.hold(stray, best.point.weights[stray]);
    }
    best
}

fn refs(cases: &[Case]) -> Vec<&Case> {
    cases.iter().collect()
}

impl Settled {
    /// Returns the weight whose own step to `found` deviates most from the promise of its derivatives; `least` is the
    /// current loss.
    fn stray(&self, texel: &Texel<'_>, found: &Point, least: f64) -> Option<usize> {
        let cases = refs(&self.cases);
        let moved = (0..found.weights.len())
            .filter(|&i| found.weights[i].total_cmp(&self.point.weights[i]).is_ne());
        let away = |i: usize| {
            let mut point = self.point.clone();
            point.weights[i] = found.weights[i];
            let promised = self.frame.gained(&cases, &self.point, &point, self.strength);
            (i, (least - texel.cost(&point, self.strength) - promised).abs())
        };
        moved.map(away).max_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
    }

    /// Returns the half width of the interval of each weight, or the reason why it has none.
    #[must_use]
    pub fn halves(&self, texel: &Texel<'_>) -> Vec<Result<f64, Unknown>> {
        let cases = refs(&self.cases);
        let known = self.frame.known(&cases, &self.point, self.strength);
        let here = texel.cost(&self.point, self.strength);
        let one = |(i, known): (usize, Option<Known>)| {
            if self.rough.contains(&i) {
                return Err(Unknown::Rough);
            }
            let known = known.ok_or(Unknown::Silent)?;
            let bends = |side: f64| {
                let there = self.frame.along(&self.point, &known.path, side * known.half);
                let says = -self.frame.gained(&cases, &self.point, &there, self.strength);
                let is = texel.cost(&there, self.strength) - here;
                (is - says).abs() > (MOST_BEND * says.abs()).max(LEAST_BEND)
            };
            placed(known.share, known.pulling)?;
            let is_bent = REACHES.into_iter().any(|reach| bends(-reach) || bends(reach));
            if is_bent { Err(Unknown::Rough) } else { Ok(known.half) }
        };
        known.into_iter().enumerate().map(one).collect()
    }
}

/// Returns an error for a weight about which the games have too small a share of the information, or too few games
/// pull each way.
pub(super) fn placed(share: f64, pulling: f64) -> Result<(), Unknown> {
    if pulling < FEWEST {
        return Err(Unknown::FewGames);
    }
    if share < LEAST_SHARE { Err(Unknown::Prior) } else { Ok(()) }
}

/// The reported numbers of a fit: values at the first of `all` strengths, with intervals over all of them.
pub(super) struct Tale<'a> {
    texel: &'a Texel<'a>,
    all: &'a [Settled],
    halves: Vec<Vec<Result<f64, Unknown>>>,
}

impl<'a> Tale<'a> {
    pub(super) fn new(texel: &'a Texel<'a>, all: &'a [Settled]) -> Self {
        Self { texel, all, halves: all.iter().map(|one| one.halves(texel)).collect() }
    }

    /// Returns the interval of the number at `place`, if it is known; `of` returns its value.
    fn interval(&self, place: usize, of: impl Fn(&Settled) -> f64) -> Result<Interval, Unknown> {
        let around = |(settled, halves): (&Settled, &Vec<Result<f64, Unknown>>)| {
            let (x, half) = (of(settled), halves[place].unwrap_or(0.0));
            Interval { low: x - half, high: x + half }
        };
        self.halves[0][place].map(|_| over(self.all.iter().zip(&self.halves).map(around)))
    }

    /// Returns the weights called `names`, with the values `rounded`.
    pub(super) fn weights(&self, names: &[&str], rounded: &[f64]) -> Vec<Fitted> {
        let one = |(i, name): (usize, &&str)| Fitted {
            moment: None,
            name: (*name).to_owned(),
            today: self.texel.frame.today.weights[i],
            now: rounded[i],
            interval: self.interval(i, |settled| settled.point.weights[i]).map(|interval| {
                let (low, high) = self.texel.frame.ends[i];
                cut(interval, low, high)
            }),
        };
        names.iter().enumerate().map(one).collect()
    }

    /// Returns the temperature: one over the b of the only group.
    pub(super) fn temperature(&self, name: &str, today: f64) -> Fitted {
        let interval =
            self.interval(self.texel.frame.ends.len(), |settled| settled.point.odds[0].ln());
        Fitted {
            moment: None,
            name: name.to_owned(),
            today,
            now: 1.0 / self.all[0].point.odds[0],
            interval: interval.map(|at| Interval { low: (-at.high).exp(), high: (-at.low).exp() }),
        }
    }
}

/// Returns an interval cut at the limits of a weight.
fn cut(interval: Interval, low: f64, high: f64) -> Interval {
    Interval { low: interval.low.max(low), high: interval.high.min(high) }
}

/// Returns the smallest interval over `all`.
pub(super) fn over(all: impl Iterator<Item = Interval>) -> Interval {
    let whole = all.reduce(|a, b| Interval { low: a.low.min(b.low), high: a.high.max(b.high) });
    whole.expect("there is one strength at least")
}
