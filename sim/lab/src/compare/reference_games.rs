//! A control variate for a comparison: games of cheap agents with the same dice.
//!
//! For each block of the test one *reference game* is played under each rule set, with the same chance and one cheap
//! agent in all seats. Its numbers describe the block (a good deal for a seat, a long game). Their means come from
//! many more reference games on other seeds, which cost little. Numbers that correlate with the block's value sharpen
//! its mean ([`Regression`]). This helps mostly for rule sets. For agents, the rotation of the candidate through all
//! seats has already removed what a reference game could explain.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use agents::{AgentSpec, Kind};
use engine::{Purpose, Randomness, rng};

use super::arms;
use super::metric::Metric;
use super::{Comparison, Plan};
use sim::error::Error;
use sim::schedule::Timetable;
use sim::stats::Moments;
use sim::stats::control_variate::{Adjusted, Known, Regression};

/// Reference games on other seeds, for the means, for each block of the test.
const LEARNT_PER_BLOCK: u64 = 10;
/// The minimum and maximum number of these games.
const LEARNT: (u64, u64) = (2_000, 50_000);
/// The smallest relative efficiency that is reported.
const LEAST_EFFICIENCY: f64 = 1.1;
/// The smallest distance of a correlation from 0, in standard errors: the best of several covariates is selected.
const LEAST_SIGNIFICANCE: f64 = 4.0;

/// A mean sharpened by reference games.
#[derive(Clone, PartialEq, Debug)]
pub struct Sharpened {
    /// The name of the covariate.
    pub covariate: String,
    /// The effect after the adjustment.
    pub effect: Adjusted,
}

/// Plays the reference games of the blocks with these `values`, and returns the sharpened mean; `None` if no covariate
/// helps.
///
/// # Errors
/// If threads cannot be started.
pub fn sharpen(
    comparison: &Comparison,
    values: &[f64],
    threads: usize,
    stop: &AtomicBool,
) -> Result<Option<Sharpened>, Error> {
    let blocks = values.len() as u64;
    let learnt = (LEARNT_PER_BLOCK * blocks).clamp(LEARNT.0, LEARNT.1);
    let Some(games) = ReferenceGames::of(comparison)? else { return Ok(None) };
    let mut regressions = vec![Regression::default(); games.names.len()];
    let mut values = values.iter();
    games.play(comparison.seed(), blocks, threads, stop, &mut |covariates| {
        if let Some(&value) = values.next() {
            regressions.iter_mut().zip(covariates).for_each(|(r, &x)| r.add(value, x));
        }
    })?;
    let mut known = vec![Moments::default(); games.names.len()];
    games.play(other_seed(comparison), learnt, threads, stop, &mut |covariates| {
        known.iter_mut().zip(covariates).for_each(|(moments, &x)| moments.add(x));
    })?;
    let is_whole = values.len() == 0 && known.iter().all(|moments| moments.n() == learnt);
    let all = regressions.iter().zip(&known).zip(games.names).filter(|_| is_whole);
    let helps = all.filter_map(|((regression, known), covariate)| {
        let effect = regression.adjusted(Known::from_sample(known))?;
        let significance = effect.r_squared * (blocks as f64 - 2.0) / (1.0 - effect.r_squared);
        let helps = effect.relative_efficiency >= LEAST_EFFICIENCY
            && significance >= LEAST_SIGNIFICANCE.powi(2);
        helps.then(|| Sharpened { covariate, effect: shifted(effect, comparison.design.zero()) })
    });
    Ok(helps.max_by(|a, b| a.effect.relative_efficiency.total_cmp(&b.effect.relative_efficiency)))
}

/// Returns the adjusted mean as an effect.
fn shifted(mut adjusted: Adjusted, zero: f64) -> Adjusted {
    adjusted.mean -= zero;
    adjusted.interval.low -= zero;
    adjusted.interval.high -= zero;
    adjusted
}

/// Returns the seed of the reference games outside the blocks of the test and of its pilot.
fn other_seed(comparison: &Comparison) -> u64 {
    u64::from(rng::stream(comparison.seed(), 1, Purpose::Analysis).below(u32::MAX))
}

/// The reference games of a comparison.
struct ReferenceGames {
    plans: Vec<Plan>,
    metric: Metric,
    /// The names of the covariates, in the order of their values.
    names: Vec<String>,
}

impl ReferenceGames {
    /// Returns `None` if the cheap agent has every seat of the comparison: its games would repeat those of the test.
    fn of(comparison: &Comparison) -> Result<Option<Self>, Error> {
        let is_slow = |spec: &AgentSpec| spec.is_search() || spec.is_timed();
        let has_slow = comparison.plans.iter().any(|plan| plan.lineup.iter().any(is_slow));
        let kind = if has_slow { Kind::Greedy } else { Kind::Random };
        let (name, spec) = (kind.name(), AgentSpec::from(kind));
        let is_same = |plan: &Plan| plan.specs().iter().all(|own| *own == spec.to_string());
        if comparison.plans.iter().all(is_same) {
            return Ok(None);
        }
        let plans = comparison.plans.iter().map(|plan| Plan {
            lineup: vec![spec.clone(); plan.players],
            timetable: Timetable::fixed(plan.players),
            luck: false,
            ..plan.clone()
        });
        let plans: Vec<Plan> = plans.collect();
        let metric = if plans.len() == 1 { Metric::score() } else { comparison.metric.clone() };
        let of = |what: &str| format!("{what} of a game of {name} with the same dice");
        let value = metric.name();
        let names = if plans.len() == 1 {
            vec![of("score"), of("plies")]
        } else {
            vec![
                of(&format!("{value} under B less A")),
                of(&format!("{value} under A")),
                of(&format!("{value} under B")),
                of("plies under A"),
                of("plies under B"),
            ]
        };
        Ok(Some(Self { plans, metric, names }))
    }

    /// Plays the reference games of `blocks` blocks of `seed` and passes the covariates of each to `on_game`.
    fn play(
        &self,
        seed: u64,
        blocks: u64,
        threads: usize,
        stop: &AtomicBool,
        on_game: &mut dyn FnMut(&[f64]),
    ) -> Result<(), Error> {
        let on = |plan: &Plan| Plan { seed, blocks, ..plan.clone() };
        let plans: Vec<Plan> = self.plans.iter().map(on).collect();
        arms::play(&plans, std::slice::from_ref(&self.metric), threads, stop, &mut |blocks| {
            match blocks {
                [a, b] => {
                    let [at_a, at_b] = [a.value(), b.value()];
                    on_game(&[at_b - at_a, at_a, at_b, a.plies, b.plies]);
                }
                [block] => on_game(&[block.value(), block.plies]),
                _ => {}
            }
            ControlFlow::Continue(())
        })
    }
}
