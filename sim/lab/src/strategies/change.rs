//! The effect of a change of the rules on the strategies of a game.
//!
//! The loop grows a population under each rule set, with equal seeds. The survivors of both form one population. All its
//! tables are played under both rule sets on the same fresh blocks, which chose nothing, and the mixtures are compared.
//!
//! **Intervals.** A resample draws blocks, the same for both rule sets, so that differences are paired. The percentiles
//! are those of [`bootstrap`](sim::stats::bootstrap).
//!
//! **Copies.** Strategies are merged only if they are copies under both rule sets.

use super::findings::{Estimate, RESAMPLES, SURVIVES, top_weight};
use super::payoffs::Payoffs;
use super::population::PopulationTables;
use super::run::{Loop, Plan, Round};
use super::runs::{COMMON, Room};
use super::seats::Strategy;
use crate::tune::evaluator::{Evaluator, Halt};
use crate::tune::pools::{Looks, Pool, Report};
use sim::stats::bootstrap::percentile;
use sim::stats::meta_game::{Solver, effective_number};
use sim::stats::{Bootstrap, Interval};

/// The populations of two rule sets, A then B, and the common one.
#[derive(Clone, Debug)]
pub struct Change {
    /// The rounds of each loop.
    pub rounds: [Vec<Round>; 2],
    /// The strategies of the common population: the survivors of A, then further ones of B.
    pub strategies: Vec<Strategy>,
    /// Survivors that were merged, each with the number of the one that it is a copy of.
    pub merged: Vec<(Strategy, usize)>,
    /// The number of survivors that were left out, the lightest, because their tables would be too many.
    pub left_out: usize,
    /// The payoffs of the common population under each rule set.
    pub reports: [Payoffs; 2],
    /// The total number of blocks.
    pub blocks: u64,
}

impl Change {
    /// Makes the run; `sides` are the tables under A and B, one of which is the objective of `evaluator` at a time.
    ///
    /// # Errors
    /// As [`Plan::run`].
    pub fn run<'a>(
        plan: &Plan,
        sides: [&'a PopulationTables<'a>; 2],
        evaluator: &mut Evaluator<'a>,
    ) -> Result<Self, Halt> {
        let players = sides[0].players();
        let mut grow = |side: &'a PopulationTables<'a>| {
            evaluator.playground = side;
            plan.grown(side, evaluator)
        };
        let ((a, of_a), (b, of_b)) = (grow(sides[0])?, grow(sides[1])?);
        let room = Room { solver: plan.solver, players, more: 0 };
        let (start, left_out) = room.common([of_a, of_b]);
        let seed = plan.seed.wrapping_add(COMMON);
        let joint = Plan { start, seed, ..plan.clone() };
        let merged = copies(&joint, sides, evaluator)?;
        let is_copy = |one: &Strategy| merged.iter().any(|(copy, _)| copy == one);
        let strategies: Vec<Strategy> =
            joint.start.iter().filter(|one| !is_copy(one)).cloned().collect();
        let mut report = |side: &'a PopulationTables<'a>| {
            evaluator.playground = side;
            side.set(&strategies, &[]);
            let mut state = Loop::new(&joint, side, evaluator);
            state.strategies.clone_from(&strategies);
            state.report(Pool::<Report>::of(seed).open(&mut Looks::default()), players)
        };
        let reports = [report(sides[0])?, report(sides[1])?];
        let number = |of: &Strategy| strategies.iter().position(|one| one == of);
        let merged = merged.iter().filter_map(|(copy, of)| Some((copy.clone(), number(of)?)));
        let merged = merged.collect();
        let blocks = evaluator.blocks();
        Ok(Self { rounds: [a, b], strategies, merged, left_out, reports, blocks })
    }
}

/// Returns the strategies of the start that are copies under both rule sets, each with the one that it is a copy of.
fn copies<'a>(
    joint: &Plan,
    sides: [&'a PopulationTables<'a>; 2],
    evaluator: &mut Evaluator<'a>,
) -> Result<Vec<(Strategy, Strategy)>, Halt> {
    let mut under = |side: &'a PopulationTables<'a>| {
        evaluator.playground = side;
        let mut state = Loop::new(joint, side, evaluator);
        let merged = state.gather()?;
        let of = |(copy, of): (Strategy, usize)| (copy, state.strategies[of].clone());
        Ok::<Vec<(Strategy, Strategy)>, Halt>(merged.into_iter().map(of).collect())
    };
    let (a, b) = (under(sides[0])?, under(sides[1])?);
    Ok(a.into_iter().filter(|pair| b.contains(pair)).collect())
}

/// A number under A and under B, and their difference, B less A.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shift {
    /// The number under each rule set.
    pub sides: [Estimate; 2],
    /// B less A, paired over blocks.
    pub difference: Estimate,
}

/// The fate of a strategy as the rules change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It survives under A only.
    Dies,
    /// It survives under B only.
    Comes,
    /// It survives under both.
    Stays,
    /// It survives under neither: it lost its place to a strategy of the other rule set.
    Absent,
    /// An interval contains the least weight of a survivor.
    Undecided,
}

impl Fate {
    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dies => "dies",
            Self::Comes => "comes",
            Self::Stays => "stays",
            Self::Absent => "absent",
            Self::Undecided => "undecided",
        }
    }

    /// Returns the fate of a strategy with these weights under A and B.
    fn of(sides: [Estimate; 2]) -> Self {
        match sides.map(|(_, interval)| survives(interval)) {
            [Some(true), Some(false)] => Self::Dies,
            [Some(false), Some(true)] => Self::Comes,
            [Some(true), Some(true)] => Self::Stays,
            [Some(false), Some(false)] => Self::Absent,
            [None, _] | [_, None] => Self::Undecided,
        }
    }
}

/// Returns whether a strategy survives whose weight has this interval; `None` if that does not decide it.
fn survives(interval: Option<Interval>) -> Option<bool> {
    let Interval { low, high } = interval?;
    match () {
        () if low >= SURVIVES => Some(true),
        () if high < SURVIVES => Some(false),
        () => None,
    }
}

/// The effects of a change of the rules on the strategies.
#[derive(Clone, PartialEq, Debug)]
pub struct Effects {
    /// The weight of each strategy of the common population.
    pub weights: Vec<Shift>,
    /// The fate of each strategy.
    pub fates: Vec<Fate>,
    /// The effective number of strategies: the exponential of the entropy of the mixture.
    pub effective: Shift,
    /// The largest weight.
    pub top: Shift,
}

impl Effects {
    /// Computes the effects on the reports of `change`.
    #[must_use]
    pub fn of(change: &Change, solver: Solver, seed: u64) -> Self {
        let plan = Bootstrap { seed, resamples: RESAMPLES };
        let mixes = change.reports.each_ref().map(|report| solver.solve(&report.game()));
        let draws =
            change.reports.each_ref().map(|report| report.draws(plan, |game| solver.solve(game)));
        let shift = |of: &dyn Fn(&[f64]) -> f64| {
            let [a, b] = draws.each_ref().map(|(draws, groups)| {
                (draws.iter().map(|mix| of(mix)).collect::<Vec<f64>>(), *groups)
            });
            // A strategy that is alone has no table: its mixture is certain.
            let is_alone = change.strategies.len() == 1;
            let interval = |x: f64, draws: Vec<f64>, groups: usize| match is_alone {
                true => Some(Interval { low: x, high: x }),
                false => percentile(draws, groups),
            };
            let differences = a.0.iter().zip(&b.0).map(|(a, b)| b - a).collect();
            let [x, y] = mixes.each_ref().map(|mix| of(mix));
            Shift {
                sides: [(x, interval(x, a.0, a.1)), (y, interval(y, b.0, b.1))],
                difference: (y - x, interval(y - x, differences, a.1)),
            }
        };
        let weights: Vec<Shift> =
            (0..change.strategies.len()).map(|i| shift(&|mix| mix[i])).collect();
        Self {
            fates: weights.iter().map(|one| Fate::of(one.sides)).collect(),
            weights,
            effective: shift(&effective_number),
            top: shift(&top_weight),
        }
    }
}
