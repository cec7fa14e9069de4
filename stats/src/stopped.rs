//! Estimates after a sequential test: the p-value, estimate and interval that allow for the stopping rule.
//!
//! A test that accepts H1 stops when the mean happens to be high. So the mean is too far from h0 on average, and an
//! interval for a fixed number of blocks around it is wrong. Here the observation is the outcome of the test: the
//! accepted hypothesis and the block at which it was accepted. Outcomes are ordered by their evidence on the effect,
//! and `P(effect; outcome at least as high as the observed one)` is inverted. The effect at which it equals one half is
//! the median-unbiased estimate. The ends of the interval are the effects at which it equals the lower tail, and one
//! minus the upper tail (Siegmund 1978, doi:10.1093/biomet/65.2.341; Tsiatis, Rosner and Mehta 1984,
//! doi:10.2307/2531009; the order is called stage-wise).
//!
//! **The order**, from the highest outcome to the lowest:
//! 1. H1 above, the earlier the higher;
//! 2. no verdict after the played blocks, ordered by the mean;
//! 3. H0, the later the higher; with two sides H0 in the middle: later is higher if the test above outlasted the test
//!    below, otherwise later is lower;
//! 4. H1 below, the earlier the lower.
//!
//! Among outcomes after the same block the mean decides. The order depends only on events up to the last block, so a
//! run that was broken off also has an interval.
//!
//! **The probability** is that of [`Walk`]: block values are taken as normal. The variance is that of the most likely
//! distribution whose mean lies in the middle of h0 and h1 ([`Tally::variance_at`](super::Tally::variance_at)). The
//! ratio uses this variance; with it a walk meets the lines of the ratio with the probabilities of the test. For
//! effects beyond the hypotheses it is that of a mean equally far beyond the middle. If an extreme mean ended the test,
//! the bound for extremes goes through this end, unless that would contradict the verdict. Only means of many blocks
//! are normal: coverage with the shares of few blocks is measured in `stats/tests/it/sequential.rs`.
//!
//! **Verdict and interval agree.** The tails are the error probabilities of the verdict. With one side they are α below
//! and β above. With two sides they are α/2 on both if H1 is accepted or nothing is decided, and β on both if H0 is
//! accepted, as for two one-sided tests (Schuirmann 1987, doi:10.1007/BF01068419). Under h0 all outcomes "H1 above"
//! together have at most the probability α of that side. So the p-value of each is smaller, and the interval leaves h0
//! out; likewise h1 if H0 is accepted. With the usual errors of 5 % a found effect has a 95 % interval, and an effect
//! shown to be small has a 90 % interval. Over all outcomes such intervals hold the effect with a probability of at
//! least 1 − max(α, 2β).

use statrs::distribution::{ContinuousCDF, Normal};

use super::gsprt::{Gsprt, LEAST_BLOCKS, Question, Ratios, Sides, Verdict};
use super::interval::Interval;
use super::tally::Range;
use super::walk::{Bounds, Rule, Walk};

/// The precision of ends of intervals and estimates, as a part of a standard error.
const PRECISION: f64 = 2e-3;
/// The distance from 0 and 1 to which probabilities are clamped.
const LEAST_PROBABILITY: f64 = 1e-9;
/// The smallest standard deviation of a block, as a part of h1 − h0.
const LEAST_DEVIATION: f64 = 1e-6;

/// The smallest distance between the end of an interval and the refused hypothesis, as a part of h1 − h0.
const EDGE: f64 = 1e-6;

/// The estimates of the effect after a test's last block.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stopped {
    /// The median-unbiased estimate of the effect: equally often too high and too low.
    pub estimate: f64,
    /// The interval that agrees with the verdict.
    pub interval: Interval,
    /// The nominal coverage of the interval.
    pub level: f64,
    /// The probability, if the effect is h0, of an outcome with at least this much evidence against it.
    ///
    /// With two sides it is twice that of the likelier side.
    pub p: f64,
}

impl Stopped {
    /// Returns the estimates for `test` as it stands; `None` for fewer than two blocks.
    ///
    /// For values without bounds, also `None` before the first look or if all blocks agree: they show nothing about
    /// their spread.
    #[must_use]
    pub fn new(test: &Gsprt) -> Option<Self> {
        Self::at(test, Tails::of(test))
    }

    /// Returns the estimates with an interval that misses the effect with the probability `tail` on each side.
    ///
    /// The errors of the test do not matter. With α of a side the interval leaves out h0 whenever H1 is accepted. If
    /// that is smaller than β, the interval may hold h1 although H0 is accepted. So the intervals of several tests that
    /// divide an α hold together with probability 1 − α.
    #[must_use]
    pub fn with_tail(test: &Gsprt, tail: f64) -> Option<Self> {
        Self::at(test, Tails { below: tail, above: tail })
    }

    fn at(test: &Gsprt, tails: Tails) -> Option<Self> {
        let moments = test.tally().moments();
        let is_bounded = matches!(test.question().range, Range::Within(..));
        let is_known = is_bounded || (moments.n() >= LEAST_BLOCKS && test.tally().knows_spread());
        (moments.n() >= 2 && is_known).then(|| Outcome::of(test).estimates(tails))
    }
}

/// The probabilities that the effect lies below an interval, and above it.
#[derive(Clone, Copy)]
struct Tails {
    below: f64,
    above: f64,
}

impl Tails {
    /// Returns the tails that belong to the verdict.
    fn of(test: &Gsprt) -> Self {
        let question = test.question();
        let tail = match (question.sides, test.verdict()) {
            (Sides::Above, _) => return Self { below: question.alpha, above: question.beta },
            (Sides::Both, Verdict::H0) => question.beta,
            (Sides::Both, Verdict::H1 | Verdict::Undecided) => question.alpha_of_side(),
        };
        Self { below: tail, above: tail }
    }
}

/// A test as a boundary for a walk: its ratio and its extremes end sums of normal values.
#[derive(Clone, Copy, Debug)]
pub struct Fitted {
    question: Question,
    /// The variance in the ratio: a log-likelihood ratio is `n d²/2v`, with the distance d of the mean from the
    /// hypothesis.
    variance: f64,
    /// The extremes above and below.
    sides: [Side; 2],
    /// The standard deviation of a block: the unit of the walk.
    deviation: f64,
}

/// The curves of log-likelihood ratios against means far from h1 (which accept H0) and from h0 (which accept H1).
#[derive(Clone, Copy, Debug)]
struct Side {
    from_h1: Curve,
    from_h0: Curve,
}

/// The change of v in a log-likelihood ratio `n d²/2v` with the distance d.
#[derive(Clone, Copy, Debug)]
struct Curve {
    slope: f64,
    /// The observed distance; beyond it v is constant.
    seen: f64,
}

impl Fitted {
    /// Returns the test of normal values with this standard deviation.
    #[must_use]
    pub fn normal(question: Question, deviation: f64) -> Self {
        let sides = [Side { from_h1: Curve::FLAT, from_h0: Curve::FLAT }; 2];
        Self { question, variance: deviation * deviation, sides, deviation }
    }

    /// Returns the test with the curves of its observed values.
    fn of(test: &Gsprt) -> Self {
        let question = *test.question();
        let middle = question.zero + f64::midpoint(question.h0, question.h1);
        let above = test.tally().variance_at(middle);
        let below = test.tally().variance_at(2.0 * question.zero - middle);
        // Skewed values have different variances above and below; the side that ended the test counts.
        let variance = match (question.sides, test.verdict()) {
            (Sides::Above, _) => above,
            (Sides::Both, Verdict::H1) if test.effect() > 0.0 => above,
            (Sides::Both, Verdict::H1) => below,
            (Sides::Both, _) => f64::midpoint(above, below),
        };
        let variance = variance.max((LEAST_DEVIATION * (question.h1 - question.h0)).powi(2));
        let ratios = test.against_hypotheses();
        let side = |sign: f64, ratios| Side::of(test, variance, sign, ratios);
        let sides = [side(1.0, ratios[0]), side(-1.0, ratios[1])];
        Self { question, variance, sides, deviation: variance.sqrt() }
    }

    /// Returns the test with the variance of the ratio for all log-likelihood ratios.
    fn flat(self) -> Self {
        Self { sides: Self::normal(self.question, self.deviation).sides, ..self }
    }

    /// Returns the bounds of one side, in the unit of the values.
    fn bounds_of(&self, side: &Side, blocks: u64) -> Bounds {
        let Question { h0, h1, range, .. } = self.question;
        let n = blocks as f64;
        let unsure = range.unsure(n);
        let (far_low, far_high) = self.question.extremes(n);
        let far = |curve: &Curve, ratio: f64| curve.distance(self.variance, unsure * ratio / n);
        let low = n * h0.min(h1 - far(&side.from_h1, far_low));
        let high = n * h1.max(h0 + far(&side.from_h0, far_high));
        if blocks < LEAST_BLOCKS {
            return Bounds { low, high };
        }
        let line =
            |ratio: f64| n * f64::midpoint(h0, h1) + ratio * unsure * self.variance / (h1 - h0);
        let (ratio_low, ratio_high) = self.question.bounds();
        Bounds { low: low.max(line(ratio_low)), high: high.min(line(ratio_high)) }
    }
}

impl Side {
    /// Returns the side in the direction of `sign`, from the log-likelihood ratios of its h0 and h1.
    ///
    /// If an extreme mean ended it, the curve goes through this end.
    fn of(test: &Gsprt, variance: f64, sign: f64, ratios: Ratios) -> Self {
        let Question { h0, h1, range, .. } = *test.question();
        let n = test.tally().moments().n() as f64;
        let effect = sign * test.effect();
        let end = test.end_of(sign, ratios).filter(|_| range != Range::Anywhere);
        let curve = |verdict: Verdict, miss: f64, ratio: f64| {
            if end != Some(verdict) {
                return Curve::FLAT;
            }
            let seen = n * miss * miss / (2.0 * ratio);
            Curve { slope: (seen - variance) / miss, seen: miss }
        };
        Self {
            from_h1: curve(Verdict::H0, h1 - effect, ratios.at_h1),
            from_h0: curve(Verdict::H1, effect - h0, ratios.at_h0),
        }
    }
}

impl Curve {
    const FLAT: Self = Self { slope: 0.0, seen: f64::INFINITY };

    /// Returns the distance at which a mean has this log-likelihood ratio per block, with this v nearby.
    fn distance(&self, variance: f64, ratio: f64) -> f64 {
        let half = self.slope * ratio;
        let straight = half + (half * half + 2.0 * variance * ratio).sqrt();
        if straight <= self.seen {
            return straight;
        }
        (2.0 * (variance + self.slope * self.seen) * ratio).sqrt()
    }
}

impl Rule for Fitted {
    fn first_look(&self) -> u64 {
        self.question.first_look()
    }

    fn is_two_sided(&self) -> bool {
        self.question.sides == Sides::Both
    }

    fn bounds(&self, blocks: u64) -> [Bounds; 2] {
        self.sides.map(|side| {
            let Bounds { low, high } = self.bounds_of(&side, blocks);
            Bounds { low: low / self.deviation, high: high / self.deviation }
        })
    }
}

/// The outcome of a test, with the test as a boundary.
struct Outcome<'a> {
    test: &'a Gsprt,
    rule: Fitted,
}

impl<'a> Outcome<'a> {
    /// Returns the outcome of `test`.
    ///
    /// A curve bent through the end of very skewed values may let the walk end there more often than the test's errors
    /// allow. Then it stays flat.
    fn of(test: &'a Gsprt) -> Self {
        let bent = Self { test, rule: Fitted::of(test) };
        if bent.agrees() { bent } else { Self { test, rule: bent.rule.flat() } }
    }

    /// Returns whether such outcomes, under the refused hypothesis, are as rare as the verdict needs.
    fn agrees(&self) -> bool {
        let question = self.test.question();
        let Tails { below, above } = Tails::of(self.test);
        let is_two_sided = question.sides == Sides::Both;
        let most = question.alpha_of_side();
        match self.test.verdict() {
            Verdict::H1 if self.is_above() => self.at_least(question.h0) <= most,
            Verdict::H1 => 1.0 - self.at_least(-question.h0) <= most,
            Verdict::H0 => {
                let is_low = 1.0 - self.at_least(question.h1) <= above;
                is_low && (!is_two_sided || self.at_least(-question.h1) <= below)
            }
            Verdict::Undecided => true,
        }
    }

    /// Returns whether H1 was accepted above.
    fn is_above(&self) -> bool {
        self.test.effect() > 0.0 || self.test.question().sides == Sides::Above
    }

    fn estimates(&self, tails: Tails) -> Stopped {
        let Tails { below, above } = tails;
        let estimate = self.effect_at(0.5);
        let interval = Interval {
            low: self.effect_at(below).min(estimate),
            high: self.effect_at(1.0 - above).max(estimate),
        };
        let stopped = Stopped { estimate, interval, level: 1.0 - below - above, p: self.p() };
        self.agreed(stopped, tails)
    }

    /// Returns `stopped` with an end just before the refused hypothesis, if the walk puts that end at the hypothesis or
    /// beyond it.
    ///
    /// The walk only approximates the test. All outcomes with that verdict together have at most the probability of the
    /// error. They are the lowest, or highest, in the order, so no interval misses more often because of the
    /// correction. An interval with smaller tails than the error stays unchanged.
    fn agreed(&self, stopped: Stopped, tails: Tails) -> Stopped {
        let Tails { below, above } = tails;
        let question = self.test.question();
        let Question { h0, h1, alpha, beta, .. } = *question;
        let (both, side) = (question.sides == Sides::Both, question.alpha_of_side());
        let edge = EDGE * (h1 - h0);
        let (mut low, mut high, mut p) = (f64::NEG_INFINITY, f64::INFINITY, stopped.p);
        match self.test.verdict() {
            Verdict::H1 if self.is_above() && below >= side => low = h0 + edge,
            Verdict::H1 if !self.is_above() && above >= side => high = -h0 - edge,
            Verdict::H0 if above >= beta => {
                high = h1 - edge;
                low = if both && below >= beta { -high } else { low };
            }
            _ => {}
        }
        if self.test.verdict() == Verdict::H1 {
            p = p.min(alpha);
        }
        let within = |x: f64| x.clamp(low, high);
        let Interval { low, high } = stopped.interval;
        let interval = Interval { low: within(low), high: within(high) };
        Stopped { estimate: within(stopped.estimate), interval, p, ..stopped }
    }

    fn p(&self) -> f64 {
        let question = self.test.question();
        let up = self.at_least(question.h0);
        match question.sides {
            Sides::Above => up,
            Sides::Both => {
                let down = 1.0 - self.at_least(-question.h0);
                (2.0 * up.min(down)).clamp(0.0, 1.0)
            }
        }
    }

    /// Returns the standard deviation of a block's value if the effect is `effect`.
    ///
    /// Between h0 and h1 it is that of the test, so that the probabilities of its verdicts there are its errors.
    /// Beyond, it changes as the variance does beyond their middle.
    fn deviation(&self, effect: f64) -> f64 {
        let Question { zero, h0, h1, sides, .. } = *self.test.question();
        let tally = self.test.tally();
        let middle = f64::midpoint(h0, h1);
        let (sign, size) = match sides {
            Sides::Above => (1.0, effect),
            Sides::Both => (effect.signum(), effect.abs().max(h0)),
        };
        let beyond = (size - h1).max(0.0) + (size - h0).min(0.0);
        let at = |effect: f64| tally.variance_at(zero + sign * effect);
        let (here, there) = (at(middle), at(middle + beyond));
        let unsure = tally.range().unsure(tally.moments().n() as f64);
        let variance = if here > 0.0 { self.rule.variance * there / here } else { there };
        (unsure * variance).sqrt().max(LEAST_DEVIATION * (h1 - h0))
    }

    /// Returns the probability of an outcome at least as high as this one if the effect is `effect`.
    fn at_least(&self, effect: f64) -> f64 {
        let question = *self.test.question();
        let n = self.test.tally().moments().n();
        let deviation = self.deviation(effect);
        let (drift, seen) = (effect / deviation, n as f64 * self.test.effect() / deviation);
        if n < question.first_look() {
            return Normal::standard().sf((seen - n as f64 * drift) / (n as f64).sqrt());
        }
        let walk = Walk::new(&Fitted { deviation, ..self.rule }, drift, n);
        let [went_on_above, went_on_below] = self.test.went_on();
        let goes_on = self.test.goes_on();
        let p = match (self.test.verdict(), goes_on) {
            (Verdict::H1, _) if self.is_above() => walk.at_least_h1_above(seen),
            (Verdict::H1, _) => 1.0 - walk.at_most_h1_below(seen),
            (Verdict::H0, _) if question.sides == Sides::Above => 1.0 - walk.at_most_h0(seen),
            (Verdict::H0, _) if went_on_above && (!went_on_below || seen > 0.0) => {
                walk.at_least_h0_above(seen)
            }
            (Verdict::H0, _) => 1.0 - walk.at_most_h0_below(seen),
            (Verdict::Undecided, [true, true]) => walk.at_least_both(seen),
            (Verdict::Undecided, [true, false]) => walk.at_least_above(seen),
            (Verdict::Undecided, _) => 1.0 - walk.at_most_below(seen),
        };
        p.clamp(0.0, 1.0)
    }

    /// Returns the effect at which outcomes this high have the probability `p`; an end of the range if there is none.
    fn effect_at(&self, p: f64) -> f64 {
        let wanted = probit(p);
        let miss = |effect: f64| probit(self.at_least(effect)) - wanted;
        let n = self.test.tally().moments().n() as f64;
        let mean = self.test.effect();
        let error = (self.deviation(mean) / n.sqrt()).max(self.least_step());
        let here = self.inside(mean + wanted * error);
        let at_here = miss(here);
        let sign = -at_here.signum();
        let (mut near, mut step) = ((here, at_here), 0.5 * error);
        loop {
            let next = self.inside(near.0 + sign * step);
            let far = (next, miss(next));
            if far.1 * at_here <= 0.0 {
                return bracketed(&miss, near, far, PRECISION * error);
            }
            if (next - near.0).abs() <= self.least_step() * 1e-3 || step > 1e12 * error {
                return self.end(sign);
            }
            (near, step) = (far, 2.0 * step);
        }
    }

    /// Returns a step that is small for this test.
    fn least_step(&self) -> f64 {
        let question = self.test.question();
        match question.range {
            Range::Within(low, high) => 1e-4 * (high - low).min(10.0 * (question.h1 - question.h0)),
            Range::Anywhere => 1e-4 * (question.h1 - question.h0),
        }
    }

    /// Returns the nearest effect inside the range.
    fn inside(&self, effect: f64) -> f64 {
        match self.test.question().range {
            Range::Within(low, high) => {
                let (zero, edge) = (self.test.question().zero, 1e-9 * (high - low));
                effect.clamp(low - zero + edge, high - zero - edge)
            }
            Range::Anywhere => effect,
        }
    }

    /// Returns the last effect in the direction of `sign`.
    fn end(&self, sign: f64) -> f64 {
        let zero = self.test.question().zero;
        match self.test.question().range {
            Range::Within(low, _) if sign < 0.0 => low - zero,
            Range::Within(_, high) => high - zero,
            Range::Anywhere => sign * f64::INFINITY,
        }
    }
}

fn probit(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p.clamp(LEAST_PROBABILITY, 1.0 - LEAST_PROBABILITY))
}

/// Returns the zero of `f` between two places with values of opposite sign, to `precision`, by the Illinois method.
fn bracketed(f: &impl Fn(f64) -> f64, from: (f64, f64), to: (f64, f64), precision: f64) -> f64 {
    let (mut a, mut b) = (from, to);
    for _ in 0..60 {
        let slope = (b.1 - a.1) / (b.0 - a.0);
        let x = if slope.abs() > 0.0 { b.0 - b.1 / slope } else { f64::midpoint(a.0, b.0) };
        let at_x = f(x);
        if at_x * b.1 < 0.0 {
            a = b;
        } else {
            a.1 /= 2.0;
        }
        let moved = (x - b.0).abs();
        b = (x, at_x);
        if moved <= precision || at_x.abs() < 1e-5 {
            break;
        }
    }
    b.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOVE: Question = Question {
        range: Range::Anywhere,
        zero: 0.0,
        h0: 0.0,
        h1: 1.0,
        sides: Sides::Above,
        alpha: 0.05,
        beta: 0.05,
    };

    /// Returns the probabilities of H1 and of H0 if the effect is `effect` and values have the standard deviation
    /// `spread`.
    fn ends(question: Question, effect: f64, spread: f64) -> (f64, f64) {
        let size = (question.h1 - question.h0) / spread;
        let blocks = (500.0 / (size * size)).max(500.0) as u64;
        let walk = Walk::new(&Fitted::normal(question, spread), effect / spread, blocks);
        (walk.above + walk.below, walk.none[0] + walk.none[1])
    }

    /// Errors of the final rule, ratio and extremes together, for every spread: they make verdict and interval agree.
    #[test]
    fn both_errors_are_kept_for_every_spread() {
        for range in [Range::DIFFERENCES, Range::Anywhere] {
            for (sides, h0) in [(Sides::Above, 0.0), (Sides::Both, 0.0), (Sides::Both, 0.5)] {
                for (alpha, beta) in [(0.05, 0.05), (0.001, 0.01), (0.2, 0.1), (0.4, 0.4)] {
                    let question = Question { range, sides, h0, alpha, beta, ..ABOVE };
                    for spread in [1.0, 5.0, 30.0, 200.0] {
                        let (h1, h0_at_null) = ends(question, h0, spread);
                        let (_, h0_wrong) = ends(question, 1.0, spread);
                        let what = format!("{question:?} {spread}: {h1} {h0_wrong}");
                        assert!(h1 <= alpha && h0_wrong <= beta, "{what}");
                        assert!((h1 + h0_at_null - 1.0).abs() < 2e-3, "{what} {h0_at_null}");
                    }
                }
            }
        }
    }

    fn test_of(question: Question, values: impl Iterator<Item = f64>) -> Gsprt {
        let mut test = Gsprt::new(question);
        values.for_each(|x| _ = test.add(x));
        test
    }

    #[test]
    fn before_the_first_look_it_is_the_interval_of_a_fixed_number() {
        // Mean 0.5, variance 2/7 · 7/8 … of seven values: normal quantiles at the variance of the middle.
        let question = Question { range: Range::Within(-9.0, 9.0), ..ABOVE };
        let values = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.5];
        let test = test_of(question, values.into_iter());
        let stopped = Stopped::new(&test).unwrap();
        let error = (1.5 / 6.0 / 7.0_f64).sqrt();
        assert!((stopped.estimate - 0.5).abs() < 1e-3, "{stopped:?}");
        assert!((stopped.interval.high - 0.5 - 1.645 * error).abs() < 0.02, "{stopped:?}");
        assert!((stopped.level - 0.9).abs() < 1e-12);
        assert!((stopped.p - Normal::standard().sf(0.5 / error)).abs() < 2e-3, "{stopped:?}");
    }

    #[test]
    fn a_test_upside_down_says_the_opposite() {
        let both = Question { range: Range::Within(-9.0, 9.0), sides: Sides::Both, ..ABOVE };
        let values = |shift: f64| (0..200).map(move |i| f64::from(i * 7 % 11 - 5) / 2.0 + shift);
        for (shift, verdict) in [(0.0, Verdict::H0), (1.2, Verdict::H1), (0.1, Verdict::H0)] {
            let up = test_of(both, values(shift));
            let down = test_of(both, values(shift).map(|x| -x));
            assert_eq!((up.verdict(), down.verdict()), (verdict, verdict));
            let [up, down] = [up, down].map(|test| Stopped::new(&test).unwrap());
            assert!((up.estimate + down.estimate).abs() < 1e-2, "{up:?} {down:?}");
            assert!((up.interval.low + down.interval.high).abs() < 1e-2, "{up:?} {down:?}");
            assert!((up.p - down.p).abs() < 2e-3, "{up:?} {down:?}");
        }
    }

    #[test]
    fn the_estimate_lies_between_h0_and_the_mean_where_h1_is_accepted() {
        let values = (0..400).map(|i| f64::from(i * 7 % 11 - 5) + 1.3);
        let test = test_of(ABOVE, values);
        let stopped = Stopped::new(&test).unwrap();
        assert_eq!(test.verdict(), Verdict::H1);
        assert!(0.0 < stopped.interval.low && stopped.estimate < test.effect(), "{stopped:?}");
        assert!(stopped.p < 0.05, "{stopped:?}");
    }

    #[test]
    fn blocks_that_all_agree_have_an_interval_only_where_values_are_bounded() {
        let shares = Question { range: Range::SHARES, zero: 0.5, h1: 0.05, ..ABOVE };
        let won = Stopped::new(&test_of(shares, [1.0; 8].into_iter())).unwrap();
        assert!(won.interval.low > 0.1 && (won.interval.high - 0.5).abs() < 1e-9, "{won:?}");
        let level = test_of(shares, [0.5; 400].into_iter());
        let equal = Stopped::new(&level).unwrap();
        assert_eq!(level.verdict(), Verdict::H0);
        assert!(equal.interval.high < 0.05 && equal.estimate.abs() < 0.01, "{equal:?}");
        assert_eq!(Stopped::new(&test_of(ABOVE, [3.0; 40].into_iter())), None);
        assert_eq!(Stopped::new(&test_of(ABOVE, [3.0, 1.0].into_iter())), None);
        assert_eq!(Stopped::new(&Gsprt::new(shares)), None);
    }
}
