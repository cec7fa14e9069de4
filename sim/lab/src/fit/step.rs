//! A step of expert iteration: its settings, its seeds, and the result of a part's fit.

use agents::AgentSpec;
use engine::Rules;
use serde::{Deserialize, Serialize};
use sim::observed_play::seed_of_part;

/// The parts of a seed for fits and for tests; more numbers lie between them than a run has steps.
const FITTED: u64 = 1 << 32;
const TESTED: u64 = 2 << 32;

/// The precision of reported losses: millionths.
const DIGITS: f64 = 1e6;

/// A part of an agent that a step fits.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The weights of the evaluation.
    Weights,
    /// The value function of the leaves.
    Value,
    /// The net beside the value function.
    Net,
    /// Temperature and weights of the priors.
    Priors,
}

impl Part {
    /// All parts, in the order of their fits.
    pub const ALL: [Self; 4] = [Self::Weights, Self::Value, Self::Net, Self::Priors];

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Weights => "weights",
            Self::Value => "value",
            Self::Net => "net",
            Self::Priors => "priors",
        }
    }
}

/// The settings of a step's fit.
#[derive(Clone, PartialEq, Debug)]
pub struct How {
    /// The number of games for the fit.
    pub games: u64,
    /// The largest number of positions of a game.
    pub per_game: usize,
    /// The largest number of decisions of a game that are searched for priors.
    pub decisions: usize,
    /// True if games begin with partly random play.
    pub mixed: bool,
    /// The number of folds of cross-validation.
    pub folds: usize,
    /// The number of steps whose games a net learns from: the step itself and those before it.
    pub window: u32,
    /// The share of the root values of the agent's searches in the targets of a net.
    pub root_share: f64,
    /// The seed of the run.
    pub seed: u64,
}

/// The agents, step and parts of a fit.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The agent.
    pub spec: &'a AgentSpec,
    /// The step, from 1.
    pub step: u32,
    /// The agents of the steps before it, from the first.
    pub before: &'a [AgentSpec],
    /// The parts to fit.
    pub parts: &'a [Part],
}

/// The game and the settings of a step.
pub(super) struct Place<'a, G> {
    pub(super) game: &'a G,
    pub(super) rules: &'a Rules,
    pub(super) how: &'a How,
}

/// Returns the seed of the games that step `step` fits to.
#[must_use]
pub fn fitted_seed(seed: u64, step: u32) -> u64 {
    seed_of_part(seed, FITTED + u64::from(step))
}

/// Returns the seed of the games that test step `step`.
#[must_use]
pub fn tested_seed(seed: u64, step: u32) -> u64 {
    seed_of_part(seed, TESTED + u64::from(step))
}

/// The result of a part's fit: losses before and after, and the file.
pub(super) struct Done {
    pub(super) today: f64,
    pub(super) fitted: f64,
    pub(super) file: Option<String>,
}

/// Returns a loss rounded as in the log, so that differences in the last bit between machines do not show.
pub(super) fn rounded(loss: f64) -> f64 {
    (loss * DIGITS).round() / DIGITS
}
