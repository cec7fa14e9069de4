//! The 95 % interval of a mean in `[0, 1]` over blocks, and the p-values of its position relative to a number.
//!
//! **Trials.** A mean p with the estimated variance v of its error is worth `n = p(1 − p)/v` yes-or-no trials (the
//! number of games divided by the design effect; Kish 1965). No values in `[0, 1]` with mean p vary more than yes and
//! no, so n = B, the number of blocks, is always safe. Both give an interval; the narrower is taken.
//!
//! **Many blocks, wins and losses**: Wilson's score interval (Wilson 1927, doi:10.2307/2276774) with n and the quantile
//! of Student's t, since v is estimated; with n = B the normal quantile.
//!
//! **Fewer than [`FEW_BLOCKS`] blocks, or than [`FEW_EVENTS`] trials won or lost**: Clopper's and Pearson's interval on
//! `n (z/t)²` trials, with `z` and `t` the normal and Student's quantile (Korn and Graubard 1998, Survey Methodology
//! 24, 193–201). Wilson's interval misses a rare event in up to 16 of 100 tournaments at *any* number of blocks, namely
//! where 0.18 events are expected and one occurs; this interval does not. A variance that depends on the few blocks
//! with the events is poorly known. With q the rarer of wins and losses and s² the variance of a block, these are about
//! `e = B q²/(s² + q²)` blocks (their effective number, Kish 1965), and t has at most 4e degrees of freedom. The 4 is
//! measured: without it the intervals held half-dependent games in 91 of 100 tournaments; with 2 the intervals of
//! independent games would be a third wider.
//!
//! **All blocks agree** on a value c: if the mean is m < c, at most m/c of the mass lies at c, so B blocks agree with
//! probability at most `(m/c)^B`; the same holds above. The interval holds the means for which this is at least 2.5 %:
//! `[c·q, 1 − (1 − c)·q]` with `q = 0.025^(1/B)`, which is Clopper's and Pearson's at c = 0 and 1. It is never as wide
//! as a confidence sequence of the same blocks.

use statrs::function::beta::beta_reg;

use super::interval::Interval;
use super::quantiles::{HALVINGS, NORMAL_95, TAIL, t_quantile, upper_tail};

/// The number of blocks below which an interval is Clopper's and Pearson's.
pub const FEW_BLOCKS: u64 = 30;
/// The number of trials won, or lost, below which an interval is Clopper's and Pearson's.
pub const FEW_EVENTS: f64 = 10.0;
/// The largest number of trials in Clopper's and Pearson's interval.
///
/// The incomplete beta function is exact up to there, and more trials do not widen the interval.
const MOST_TRIALS: f64 = 10_000.0;
/// The variance below which only rounding is left.
const NO_VARIANCE: f64 = 1e-12;

/// The method that gave the interval of a share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Wilson's score interval on the effective number of trials.
    Wilson,
    /// Clopper's and Pearson's interval on the effective number of trials: few blocks, wins or losses.
    KornGraubard,
    /// All blocks agree, or there are none.
    Agreement,
}

impl Method {
    /// Returns the name in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wilson => "wilson",
            Self::KornGraubard => "korn-graubard",
            Self::Agreement => "agreement",
        }
    }
}

/// The summary of blocks for a mean in `[0, 1]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) blocks: u64,
    pub(super) mean: f64,
    /// The estimated variance of the mean; 0 where there is no estimate.
    pub(super) error: f64,
    /// The degrees of freedom of this estimate.
    pub(super) degrees: f64,
    /// The widest range of the value of a block, relative to the range of the mean; 1 where all ranges are equal.
    pub(super) widest: f64,
    /// True if all blocks have the same value and the same range.
    pub(super) is_alike: bool,
}

/// The kind of evidence in a sample.
#[derive(Clone, Copy, Debug)]
pub(super) enum Evidence {
    Nothing,
    Alike { value: f64, blocks: f64 },
    Trials(Trials),
}

/// A share as a number of independent yes-or-no trials.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trials {
    share: f64,
    n: f64,
    /// The degrees of freedom of Student's t; `None` for the normal distribution.
    degrees: Option<f64>,
    is_few: bool,
}

impl Sample {
    pub(super) fn evidence(&self) -> Evidence {
        let share = self.mean.clamp(0.0, 1.0);
        let blocks = self.blocks as f64;
        if self.blocks == 0 {
            return Evidence::Nothing;
        }
        if self.is_alike {
            return Evidence::Alike { value: share, blocks };
        }
        let cautious = self.trials(blocks * self.least_trials_a_block(share), None);
        if self.error * blocks < NO_VARIANCE {
            return Evidence::Trials(cautious);
        }
        let bold = self.trials(share * (1.0 - share) / self.error, Some(self.degrees));
        let is_narrower = width(bold.interval()) < width(cautious.interval());
        Evidence::Trials(if is_narrower { bold } else { cautious })
    }

    fn trials(&self, n: f64, degrees: Option<f64>) -> Trials {
        let share = self.mean.clamp(0.0, 1.0);
        let is_few = self.blocks < FEW_BLOCKS || n * share.min(1.0 - share) < FEW_EVENTS;
        let known =
            |degrees: f64| if is_few { degrees.min(self.degrees_of_events()) } else { degrees };
        Trials { share, n, degrees: degrees.map(known), is_few }
    }

    /// Returns four times the effective number of blocks that hold the wins, or the losses if fewer; at least 1.
    fn degrees_of_events(&self) -> f64 {
        let rare = self.mean.min(1.0 - self.mean).max(0.0);
        let blocks = self.blocks as f64;
        let held = blocks * rare * rare / (self.error * blocks + rare * rare);
        (4.0 * held).max(1.0)
    }

    /// Returns the smallest number of trials that a block is worth.
    ///
    /// With values in `[0, w]`, w ≥ 1, and their mean p in `[0, 1]`, a block's variance is at most `p(w − p)`, and,
    /// counted from the other end, `(1 − p)(w − 1 + p)`.
    fn least_trials_a_block(&self, share: f64) -> f64 {
        if self.widest <= 1.0 {
            return 1.0;
        }
        ((1.0 - share) / (self.widest - share)).max(share / (self.widest - 1.0 + share))
    }
}

impl Evidence {
    pub(super) fn method(&self) -> Method {
        match self {
            Self::Nothing | Self::Alike { .. } => Method::Agreement,
            Self::Trials(trials) if trials.is_few => Method::KornGraubard,
            Self::Trials(_) => Method::Wilson,
        }
    }

    pub(super) fn interval(&self) -> Interval {
        match *self {
            Self::Nothing => Interval { low: 0.0, high: 1.0 },
            Self::Alike { value, blocks } => {
                let kept = TAIL.powf(1.0 / blocks);
                Interval { low: value * kept, high: 1.0 - (1.0 - value) * kept }
            }
            Self::Trials(trials) => trials.interval(),
        }
    }

    /// Returns the interval that leaves out `tail`, at most 2.5 %, on each side; it holds [`Self::interval`].
    ///
    /// It leaves `at` out exactly where one of [`Self::tails`] is below `tail`.
    pub(super) fn interval_at(&self, tail: f64) -> Interval {
        if tail >= TAIL {
            return self.interval();
        }
        match *self {
            Self::Nothing => Interval { low: 0.0, high: 1.0 },
            Self::Alike { value, blocks } => {
                let kept = tail.powf(1.0 / blocks);
                Interval { low: value * kept, high: 1.0 - (1.0 - value) * kept }
            }
            Self::Trials(trials) => trials.interval_at(tail),
        }
    }

    /// Returns the one-sided p-values, in (0, 1], of "the mean is not above `at`" and of "it is not below".
    ///
    /// They are below 2.5 % exactly where [`Self::interval`] excludes `at`.
    pub(super) fn tails(&self, at: f64) -> [f64; 2] {
        let tails = match *self {
            Self::Nothing => [1.0; 2],
            Self::Alike { value, blocks } => {
                let fit = |at: f64, value: f64| (at / value).min(1.0).powf(blocks);
                [fit(at, value), fit(1.0 - at, 1.0 - value)]
            }
            Self::Trials(trials) => [trials.tail(at), trials.complement().tail(1.0 - at)],
        };
        // No p-value is 0.
        tails.map(|tail| tail.clamp(f64::MIN_POSITIVE, 1.0))
    }
}

impl Trials {
    fn quantile(&self) -> f64 {
        self.degrees.map_or(NORMAL_95, t_quantile)
    }

    fn interval(&self) -> Interval {
        if self.is_few {
            clopper_pearson(self.share, self.adjusted())
        } else {
            wilson(self.share, self.n, self.quantile())
        }
    }

    /// Returns the means whose p-values are at least `tail`, by bisection.
    fn interval_at(&self, tail: f64) -> Interval {
        let low = |trials: &Self| {
            let (mut outside, mut inside) = (0.0, trials.share);
            for _ in 0..HALVINGS {
                let middle = f64::midpoint(outside, inside);
                if trials.tail(middle) < tail {
                    outside = middle;
                } else {
                    inside = middle;
                }
            }
            outside
        };
        Interval { low: low(self), high: 1.0 - low(&self.complement()) }
    }

    /// Returns Korn's and Graubard's number of trials, reduced for the uncertainty of the estimated variance.
    fn adjusted(&self) -> f64 {
        (self.n * (NORMAL_95 / self.quantile()).powi(2)).min(MOST_TRIALS)
    }

    const fn complement(self) -> Self {
        Self { share: 1.0 - self.share, ..self }
    }

    /// Returns the p-value of "the mean is at most `at`".
    fn tail(&self, at: f64) -> f64 {
        let score = (self.share - at) * (self.n / (at * (1.0 - at))).sqrt();
        let by_score = upper_tail(score, self.degrees);
        if self.is_few {
            // At the end of the interval the binomial decides; farther out Student's t has the heavier tail.
            at_least(self.share, self.adjusted(), at).max(by_score.min(TAIL.next_down()))
        } else {
            by_score
        }
    }
}

fn width(interval: Interval) -> f64 {
    interval.high - interval.low
}

/// Returns Wilson's score interval of a proportion `p` in `[0, 1]`, observed in `n > 0` independent yes-or-no trials.
///
/// `n` need not be whole; `z` is the quantile of the normal (or Student's) distribution, 1.96 for 95 %. The formula is
/// `(p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n)`. Valid for single proportions of any size, also 0 and 1, where
/// it never has width zero. Not for trials that depend on each other; for these see [`super::Moments`]. Source: Wilson
/// 1927, <https://doi.org/10.2307/2276774>.
///
/// ```
/// let interval = stats::wilson(0.8, 10.0, 1.96);
/// assert!((interval.low - 0.4902).abs() < 1e-4 && (interval.high - 0.9433).abs() < 1e-4);
/// ```
#[must_use]
pub fn wilson(p: f64, n: f64, z: f64) -> Interval {
    let z2 = z * z;
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    // At p = 0 and 1 an end is p itself, up to rounding.
    Interval { low: (centre - half).clamp(0.0, p), high: (centre + half).clamp(p, 1.0) }
}

/// Returns the 95 % interval of Clopper and Pearson of a proportion `p` in `[0, 1]`, observed in `n > 0` independent
/// trials.
///
/// `n` need not be whole. The interval holds all proportions under which neither so many nor so few successes have a
/// probability below 2.5 %. It holds the truth in at least 95 of 100 cases for every p. Source: Clopper and Pearson
/// 1934, <https://doi.org/10.1093/biomet/26.4.404>.
///
/// ```
/// let interval = stats::clopper_pearson(0.8, 10.0);
/// assert!((interval.low - 0.4439).abs() < 1e-4 && (interval.high - 0.9748).abs() < 1e-4);
/// ```
#[must_use]
pub fn clopper_pearson(p: f64, n: f64) -> Interval {
    let low = |p: f64| {
        let (mut outside, mut inside) = (0.0, p);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(outside, inside);
            if at_least(p, n, middle) < TAIL {
                outside = middle;
            } else {
                inside = middle;
            }
        }
        outside
    };
    Interval { low: low(p), high: 1.0 - low(1.0 - p) }
}

/// Returns the probability of at least `share · n` successes in `n` trials of probability `at`.
///
/// The incomplete beta function extends it to numbers that are not whole.
fn at_least(share: f64, n: f64, at: f64) -> f64 {
    let successes = share * n;
    if successes <= 0.0 || at >= 1.0 {
        return 1.0;
    }
    beta_reg(successes, n - successes + 1.0, at.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_clopper_and_pearson_are_those_of_the_tables() {
        // R: binom.test(0, 20), binom.test(1, 30), binom.test(50, 100).
        for (won, n, low, high) in [
            (0.0, 20.0, 0.0, 0.168_433_5),
            (1.0, 30.0, 0.000_843_57, 0.172_169_5),
            (50.0, 100.0, 0.398_321_1, 0.601_678_9),
        ] {
            let exact = clopper_pearson(won / n, n);
            assert!(
                (exact.low - low).abs() < 1e-6 && (exact.high - high).abs() < 1e-6,
                "{exact:?}"
            );
        }
    }

    #[test]
    fn the_incomplete_beta_function_is_good_for_as_many_trials_as_are_asked_of_it() {
        // With so many trials the interval is nearly Wilson's with half a trial more on each side.
        for share in [0.5, 0.1, 0.01] {
            let (n, exact) = (MOST_TRIALS, clopper_pearson(share, MOST_TRIALS));
            let near = wilson(share, n, NORMAL_95);
            let wider = (near.low - exact.low) + (exact.high - near.high);
            assert!((wider - 1.0 / n).abs() < 0.15 / n, "{share}: {near:?} {exact:?}");
        }
        // Two of a million: Poisson's interval of two, 0.2422 to 7.2247.
        let rare = clopper_pearson(2e-6, 1e6);
        assert!((rare.low * 1e6 - 0.2422).abs() < 1e-3 && (rare.high * 1e6 - 7.2247).abs() < 1e-3);
    }

    fn sample(blocks: u64, mean: f64, error: f64) -> Sample {
        let degrees = blocks as f64 - 1.0;
        Sample { blocks, mean, error, degrees, widest: 1.0, is_alike: false }
    }

    #[test]
    fn tails_pass_one_in_forty_where_the_interval_ends() {
        for blocks in [2, 5, 29, 30, 400] {
            for mean in [0.01, 0.2, 0.5, 0.77, 0.99] {
                for spread in [0.0, 0.1, 0.9] {
                    let error = spread * mean * (1.0 - mean) / blocks as f64;
                    let evidence = sample(blocks, mean, error).evidence();
                    for at in (1..100).map(|at| f64::from(at) / 100.0) {
                        let [above, below] = evidence.tails(at);
                        let Interval { low, high } = evidence.interval();
                        let place = (blocks, mean, spread, at);
                        assert_eq!(above < TAIL, low > at, "{place:?} {above} {evidence:?}");
                        assert_eq!(below < TAIL, high < at, "{place:?} {below} {evidence:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn an_interval_that_holds_with_others_leaves_out_what_the_p_value_speaks_against() {
        for tail in [0.025, 0.025 / 6.0, 0.025 / 2016.0] {
            for (blocks, mean, spread) in
                [(5, 0.2, 0.9), (29, 0.5, 0.3), (400, 0.77, 0.9), (400, 0.01, 0.9), (40, 0.0, 0.0)]
            {
                let error = spread * mean * (1.0 - mean) / blocks as f64;
                let evidence = sample(blocks, mean, error).evidence();
                let (own, wide) = (evidence.interval(), evidence.interval_at(tail));
                assert!(wide.low <= own.low && own.high <= wide.high, "{own:?} {wide:?}");
                for at in (1..200).map(|at| f64::from(at) / 200.0) {
                    let [above, below] = evidence.tails(at);
                    let place = (blocks, mean, spread, at, tail);
                    assert_eq!(above < tail, wide.low > at, "{place:?} {above} {wide:?}");
                    assert_eq!(below < tail, wide.high < at, "{place:?} {below} {wide:?}");
                }
            }
        }
        // Twenty wins of twenty: all means above 0.00025^(1/20) are left.
        let alike = Sample { is_alike: true, ..sample(20, 1.0, 0.0) }.evidence();
        assert!((alike.interval_at(0.000_25).low - 0.000_25_f64.powf(0.05)).abs() < 1e-12);
    }

    #[test]
    fn a_certain_difference_has_a_p_value_above_zero() {
        let many = sample(2_000, 0.95, 1e-6).evidence().tails(0.5);
        assert!(many[0] > 0.0 && many[0] < 1e-200 && many[1] > 0.999, "{many:?}");
        let alike = Sample { is_alike: true, ..sample(100, 1.0, 0.0) }.evidence().tails(0.5);
        assert!((alike[0] / 0.5_f64.powi(100) - 1.0).abs() < 1e-9, "{alike:?}");
        // Student's t with four degrees of freedom at 10: 2.8e-4, for any binomial tail.
        let few = sample(5, 0.8, 0.0009).evidence();
        assert!(few.tails(0.5)[0] > 1e-4, "{:?}", few.tails(0.5));
    }

    #[test]
    fn a_wider_range_of_blocks_counts_for_fewer_trials() {
        for share in [0.0, 0.2, 0.5, 0.9, 1.0] {
            let trials =
                |widest| Sample { widest, ..sample(10, share, 0.0) }.least_trials_a_block(share);
            let fewer = [1.0, 1.3, 2.0, 6.0].map(trials);
            assert!((fewer[0] - 1.0).abs() < 1e-12 && fewer[3] > 0.05, "{share}: {fewer:?}");
            assert!(fewer.windows(2).all(|two| two[0] > two[1]), "{share}: {fewer:?}");
        }
    }
}
