//! The search for the best weights of an evaluation, and what is known of where it ended.
//!
//! **Search.** Derivatives are taken anew where the last ones led ([`super::texel`]), until the next step promises nothing.
//! Where a step does not keep what its derivatives promise, the weight that strays most is left where it stands: the
//! likelihood is not smooth in it.
//!
//! **Intervals** hold what the fit comes to on other games. They are told of a weight that the games place; where they do
//! not, it is said why ([`Unknown`]). Where games do not tell some strengths of the prior apart, which of them is chosen is
//! chance: then the interval reaches over those of all these strengths.

use super::texel::{Case, Frame, Point, Texel};
use super::{Fitted, Unknown};
use sim::stats::Interval;
use sim::stats::ratio_logit::{FEWEST, Known};

/// How often derivatives are taken anew at the most; two or three times are usual.
const LAPS: usize = 60;
/// Halvings of a step at most.
const HALVINGS: i32 = 12;
/// Less log likelihood than this is not worth a step: it moves a weight by a hundredth of its standard error at most.
const LITTLE: f64 = 1e-5;
/// What cannot be gained of less than this is left.
const SMALL: f64 = 1e-3;
/// The part of what a step promises that it must keep.
const ENOUGH: f64 = 0.1;
/// The least share of the games in what places a weight that has an interval.
const LEAST_SHARE: f64 = 0.5;
/// How far from a weight an evaluation is asked whether it bends, in half widths of its interval: a standard error, its ends,
/// and beyond, where another optimum would be near.
const REACHES: [f64; 3] = [0.5, 1.0, 2.0];
/// What is lost there may differ from what derivatives say by this part, and at least by [`LEAST_BEND`].
const MOST_BEND: f64 = 0.25;
const LEAST_BEND: f64 = 0.25;

/// Where a search for the best weights ended.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The weights.
    pub point: Point,
    /// The cases, taken there.
    pub cases: Vec<Case>,
    /// The strength of the prior.
    pub strength: f64,
    /// Weights that were left where they stood, since the likelihood is not smooth in them.
    rough: Vec<usize>,
    /// The frame in which those stay.
    frame: Frame,
}

/// Takes the cases at other weights.
pub type Take<'a> = dyn Fn(&[f64]) -> Vec<Case> + 'a;

/// Finds the best weights of all cases; `take` takes them at other weights.
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
        // What is straight near the weights may bend before the end of the step: half of it, a quarter …
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
    /// The weight whose own step to `found` does least what its derivatives promise; `least` is what is lost now.
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

    /// The half width of the interval of each weight, or why there is none.
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

/// Refuses a weight of which games hold this share, and so few pull each way.
pub(super) fn placed(share: f64, pulling: f64) -> Result<(), Unknown> {
    if pulling < FEWEST {
        return Err(Unknown::FewGames);
    }
    if share < LEAST_SHARE { Err(Unknown::Prior) } else { Ok(()) }
}

/// The numbers that were fitted as they are told: at the first of `all` strengths, with intervals that reach over them.
pub(super) struct Tale<'a> {
    texel: &'a Texel<'a>,
    all: &'a [Settled],
    halves: Vec<Vec<Result<f64, Unknown>>>,
}

impl<'a> Tale<'a> {
    pub(super) fn new(texel: &'a Texel<'a>, all: &'a [Settled]) -> Self {
        Self { texel, all, halves: all.iter().map(|one| one.halves(texel)).collect() }
    }

    /// The interval of the number at `place` among those that are known, where `of` says what it is.
    fn interval(&self, place: usize, of: impl Fn(&Settled) -> f64) -> Result<Interval, Unknown> {
        let around = |(settled, halves): (&Settled, &Vec<Result<f64, Unknown>>)| {
            let (x, half) = (of(settled), halves[place].unwrap_or(0.0));
            Interval { low: x - half, high: x + half }
        };
        self.halves[0][place].map(|_| over(self.all.iter().zip(&self.halves).map(around)))
    }

    /// The weights called `names`, which are told as `rounded`.
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

    /// One over the b of the only group.
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

/// An interval cut at the ends of what a weight can be.
fn cut(interval: Interval, low: f64, high: f64) -> Interval {
    Interval { low: interval.low.max(low), high: interval.high.min(high) }
}

/// The least interval over `all`.
pub(super) fn over(all: impl Iterator<Item = Interval>) -> Interval {
    let whole = all.reduce(|a, b| Interval { low: a.low.min(b.low), high: a.high.max(b.high) });
    whole.expect("there is one strength at least")
}
