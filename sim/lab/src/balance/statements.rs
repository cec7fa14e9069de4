//! The results of a study as named estimates, and their differences between two runs on other seeds.
//!
//! The two runs are independent. The interval of the difference is recovered from the two intervals (MOVER: Zou and
//! Donner 2008, <https://doi.org/10.1002/sim.3095>). With estimates `a`, `b` in `[l, u]` and `[m, v]` it reaches from
//! `a − b − √((a − l)² + (v − b)²)` to `a − b + √((u − a)² + (b − m)²)`. It therefore keeps the skew of shares and
//! their bounds. The p-value is the normal one for the distance to the end nearer to zero.
//!
//! If all blocks of one run have the same value, its interval is that value. If this holds for both runs, there is no
//! interval, and the p-value is exact. It is the probability that `n` and `m` blocks are sorted by chance:
//! `2 n! m!/(n + m)!` (permutation test of equal distributions).

use super::effect_accumulator::EffectAccumulator;
use super::estimate::{Estimate, ROUNDING};
use super::study::BalanceStudy;
use crate::dynamics::figures::Stage;
use crate::dynamics::findings;
use crate::dynamics::restricted::{NOTHING, RANDOM};
use crate::dynamics::study::DynamicsStudy;
use sim::stats::Interval;
use sim::stats::calibration::Figure;
use sim::stats::multiple::benjamini_hochberg;
use sim::stats::quantiles::normal_tail;

/// The statement on the largest distance of a seat from an equal share.
pub const FARTHEST: &str = "farthest seat from an equal share";
/// The statement on the difference of the highest score and the lowest.
pub const SPREAD: &str = "spread of the scores";
/// The normal quantile of 97.5 %.
const Z: f64 = 1.959_964;

/// A named estimate.
#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    /// The name, which is equal in all runs.
    pub name: String,
    /// The estimate, with an individual interval.
    pub estimate: Estimate,
    /// True for an effect, whose sign has a meaning; false for a size, such as a length.
    pub is_effect: bool,
    /// True for a share of points or a probability; false for a number in another unit.
    pub is_share: bool,
}

impl Statement {
    fn size(self) -> Self {
        Self { is_effect: false, is_share: self.name == FARTHEST, ..self }
    }
}

/// The difference of a statement between two runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// The name of the statement.
    pub name: String,
    /// The estimate of the first run.
    pub from: Estimate,
    /// The estimate of the second run.
    pub to: Estimate,
    /// The second less the first.
    pub value: f64,
    /// Its 95 % interval, if both have one.
    pub interval: Option<Interval>,
    /// The p-value of no difference, adjusted over all statements (Benjamini and Hochberg).
    pub adjusted_p: f64,
    /// True if all blocks of each run have the same value, so that the difference has no spread.
    pub is_certain: bool,
    /// True for an effect, whose sign has a meaning; false for a size, such as a length.
    pub is_effect: bool,
    /// True for a share of points or a probability; false for a number in another unit.
    pub is_share: bool,
}

impl Difference {
    /// Returns true if the difference is found, at a false discovery rate of 10 %.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.adjusted_p < super::cards::FALSE_DISCOVERIES
    }

    /// Returns `moved`, `unchanged` (if every block of both runs has the same value) or `undecided`.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        match self.is_found() {
            true => "moved",
            false if self.is_certain && self.value.abs() < f64::EPSILON => "unchanged",
            false => "undecided",
        }
    }
}

/// Returns the p-value of two runs whose `n` and `m` blocks agree within each run and differ between them:
/// `2 n! m!/(n + m)!`, at most 1.
fn sorted_by_chance(n: u64, m: u64) -> f64 {
    let part = (1..=m).map(|i| i as f64 / (n + i) as f64).product::<f64>();
    (2.0 * part).clamp(f64::MIN_POSITIVE, 1.0)
}

fn statement(name: String, estimate: Option<Estimate>) -> Option<Statement> {
    estimate.map(|estimate| Statement { name, estimate, is_effect: true, is_share: true })
}

/// Returns the statements of a study.
#[must_use]
pub fn statements(study: &BalanceStudy, effects: &EffectAccumulator) -> Vec<Statement> {
    let mut all = Vec::new();
    match study {
        BalanceStudy::Cards(cards) => {
            for line in cards.screen(effects) {
                let estimates = [("value", line.value), ("worth less its price", line.surplus)];
                all.extend(estimates.into_iter().filter_map(|(what, estimate)| {
                    statement(format!("{} {what}, stage {}", line.name, line.stage), Some(estimate))
                }));
            }
        }
        BalanceStudy::Provinces(provinces) => {
            let line = |line: super::provinces::ProvinceEffect| {
                statement(format!("{} token, stage {}", line.name, line.stage), Some(line.token))
            };
            all.extend(provinces.lines(effects).into_iter().filter_map(line));
        }
        BalanceStudy::Seats(seats) => {
            let columns = [
                ("seat", seats.seats(effects)),
                ("seat alone", seats.seats_alone(effects)),
                ("place in the order", seats.order(effects)),
                ("place among the bidders", seats.auction(effects)),
            ];
            for (what, lines) in columns {
                all.extend(lines.into_iter().filter_map(|line| {
                    let stage = line.stage.map_or_else(String::new, |s| format!(", stage {s}"));
                    statement(format!("{what} {}{stage}", line.place + 1), Some(line.alone))
                }));
            }
            let sizes = [
                (FARTHEST, seats.farthest(effects)),
                ("choices in a game", seats.length(effects)),
                (SPREAD, seats.spread(effects)),
            ];
            all.extend(sizes.into_iter().filter_map(|(what, estimate)| {
                statement(what.to_owned(), estimate).map(Statement::size)
            }));
        }
        BalanceStudy::Alliances(alliances) => {
            for line in alliances.lines(effects) {
                let price = statement(format!("price paid, stage {}", line.stage), line.price);
                all.extend(price.map(Statement::size));
                let estimates = [
                    ("gain of what is bought", line.gain),
                    ("gain less price", line.net),
                    ("with the leader", line.with_leader),
                    ("with the last", line.with_last),
                    ("first against last", line.first),
                ];
                all.extend(estimates.into_iter().filter_map(|(what, estimate)| {
                    statement(format!("{what}, stage {}", line.stage), estimate)
                }));
            }
        }
    }
    all
}

/// Returns the statements of a study of game dynamics: sizes, not effects. Statements that rest on the win model are
/// included only if the model is calibrated.
#[must_use]
pub fn of_game(study: &DynamicsStudy, report: &findings::Report) -> Vec<Statement> {
    let statement = |name: String, figure: Figure, n: u64| {
        let estimate = Estimate { value: figure.estimate, interval: figure.interval, p: None, n };
        Statement { name, estimate, is_effect: false, is_share: true }
    };
    // Every game has these values. A figure without an interval has the same value in all games.
    let plain = report.plain.iter().map(|line| {
        let Figure { estimate, interval } = line.figure;
        let point = Interval { low: estimate, high: estimate };
        let figure = Figure { estimate, interval: interval.or(Some(point)) };
        statement(line.name.clone(), figure, study.games).size()
    });
    let dynamics = report.dynamics.iter().flatten().map(|line| {
        let said = statement(line.name.clone(), line.figure, study.games);
        if line.name.starts_with("lead changes") { said.size() } else { said }
    });
    let of_stage = |stage: &Stage| {
        let estimates = [
            ("games decided before", stage.decided),
            ("suspense of", stage.suspense),
            ("surprise of", stage.surprise),
        ];
        let number = stage.stage;
        estimates.into_iter().filter_map(move |(what, figure)| {
            Some(statement(format!("{what} stage {number}"), figure?, study.games))
        })
    };
    let streams = report.luck.iter().flatten().filter(|stream| stream.is_used);
    let streams = streams.map(|stream| {
        statement(format!("luck of {}, dealt anew alone", stream.name), stream.total, study.deals)
    });
    let ladder = report.ladder.iter().map(|step| {
        statement(format!("share of {} among {}", step.upper, step.lower), step.share, study.steps)
    });
    let restrictions = report.restrictions.iter().filter(|one| one.name != NOTHING).map(|one| {
        let name = match one.name.as_str() {
            RANDOM => "cost of choosing at random".to_owned(),
            name => format!("cost of being forbidden {name}"),
        };
        Statement { name, estimate: one.cost, is_effect: false, is_share: true }
    });
    let stages = report.stages.iter().flat_map(of_stage);
    plain.chain(dynamics).chain(stages).chain(streams).chain(ladder).chain(restrictions).collect()
}

/// Returns the differences of the statements that both runs have.
#[must_use]
pub fn differences(from: &[Statement], to: &[Statement]) -> Vec<Difference> {
    let one = |old: &Statement| {
        let new = to.iter().find(|new| new.name == old.name)?;
        Some(difference(old, new))
    };
    let (mut all, p): (Vec<Difference>, Vec<f64>) = from.iter().filter_map(one).unzip();
    for (difference, p) in all.iter_mut().zip(benjamini_hochberg(&p)) {
        difference.adjusted_p = p;
    }
    all
}

/// Returns one difference with its unadjusted p-value.
fn difference(from: &Statement, to: &Statement) -> (Difference, f64) {
    let (a, b) = (to.estimate, from.estimate);
    let value = a.value - b.value;
    let is_certain = has_no_spread(a) && has_no_spread(b);
    let ends = |e: Estimate| {
        let point = has_no_spread(e).then_some(Interval { low: e.value, high: e.value });
        e.interval.or(point)
    };
    let interval = ends(a).zip(ends(b)).filter(|_| !is_certain).map(|(i, j)| Interval {
        low: value - (a.value - i.low).hypot(j.high - b.value),
        high: value + (i.high - a.value).hypot(b.value - j.low),
    });
    let by_interval = |interval: Interval| {
        let half = if value > 0.0 { value - interval.low } else { interval.high - value };
        if half > 0.0 { (2.0 * normal_tail(Z * value.abs() / half)).min(1.0) } else { 1.0 }
    };
    let p = match is_certain && value.abs() > f64::EPSILON {
        true => sorted_by_chance(a.n, b.n),
        false => interval.map_or(1.0, by_interval),
    };
    let found = Difference {
        name: from.name.clone(),
        from: b,
        to: a,
        value,
        interval,
        adjusted_p: p,
        is_certain,
        is_effect: from.is_effect,
        is_share: from.is_share,
    };
    (found, p)
}

/// Returns true if all blocks have one value: the estimate has no interval, or one of no width.
fn has_no_spread(estimate: Estimate) -> bool {
    let rounding = 2.0 * ROUNDING * estimate.value.abs().max(1.0);
    let is_point = |interval: Interval| interval.high - interval.low <= rounding;
    estimate.is_unanimous() || (estimate.n > 1 && estimate.interval.is_some_and(is_point))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Purpose, Randomness, rng};

    fn share(p: f64, blocks: u64, rng: &mut impl Randomness) -> Statement {
        let values: Vec<f64> =
            (0..blocks).map(|_| f64::from(u8::from(rng.unit() < p)) - 0.25).collect();
        statement("share".to_owned(), Estimate::of_share(&values, 4)).unwrap()
    }

    fn length(values: &[f64]) -> Statement {
        let one = statement("choices in a game".to_owned(), Estimate::of_numbers(values)).unwrap();
        one.size()
    }

    /// A length without spread in each run is moved, unchanged, or (with three blocks) possibly moved by chance.
    #[test]
    fn a_change_without_spread_is_certain() {
        let difference =
            |from: &[f64], to: &[f64]| differences(&[length(from)], &[length(to)])[0].clone();
        let moved = difference(&[36.0; 300], &[33.0; 300]);
        assert!(moved.is_certain && moved.is_found() && moved.adjusted_p < 1e-9, "{moved:?}");
        assert_eq!((moved.interval, moved.verdict(), moved.is_effect), (None, "moved", false));
        let same = difference(&[36.0; 300], &[36.0; 300]);
        assert_eq!((same.verdict(), same.is_found()), ("unchanged", false), "{same:?}");
        let few = difference(&[36.0; 2], &[33.0; 2]);
        assert_eq!((few.verdict(), few.adjusted_p), ("undecided", 1.0 / 3.0), "{few:?}");
        let one = difference(&[36.0; 300], &[33.0, 34.0, 32.0, 33.0, 33.5, 32.5]);
        assert!(one.interval.is_some() && one.is_found() && !one.is_certain, "{one:?}");
    }

    /// Intervals of differences of shares cover them in 93 to 97 of 100 pairs of runs; a change by 15 points is found.
    #[test]
    fn differences_between_runs_are_covered_and_found() {
        let mut rng = rng::stream(31, 0, Purpose::Analysis);
        let (mut covered, mut found, mut false_alarms) = (0, 0, 0);
        let runs = 2_000;
        for _ in 0..runs {
            let [old, same, more] = [0.25, 0.25, 0.40].map(|p| share(p, 150, &mut rng));
            let nothing = &differences(std::slice::from_ref(&old), &[same])[0];
            covered += usize::from(nothing.interval.unwrap().contains(0.0));
            false_alarms += usize::from(nothing.is_found());
            let moved = &differences(&[old], &[more])[0];
            found += usize::from(moved.is_found());
            assert_eq!(
                moved.interval.unwrap().contains(0.0),
                moved.adjusted_p >= 0.05,
                "{moved:?}"
            );
        }
        let part = |n: usize| n as f64 / runs as f64;
        assert!((0.93..=0.97).contains(&part(covered)), "{}", part(covered));
        assert!((0.07..=0.13).contains(&part(false_alarms)), "{}", part(false_alarms));
        assert!(part(found) > 0.8, "{}", part(found));
    }
}
