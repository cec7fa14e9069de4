//! The audit of a win-probability model on held-out games ([`crate::stats::calibration`]).
//!
//! If the expected calibration error at the ends of rounds is above [`MOST_ERROR`], no result that rests on the model
//! is reported. If only the quadratic variation lies outside [`VARIATION`], the lead-change figures are withheld: they
//! are made of changes, and a chance may be right at each look but move too much or too little. The estimates decide;
//! their intervals stand beside them.

use super::probes::Trace;
use super::{Clock, WinModel};
use crate::stats::calibration::{Calibration, Figure, QuadraticVariation};
use crate::units;

/// The largest acceptable expected calibration error.
pub const MOST_ERROR: f64 = 0.02;
/// The smallest and the largest acceptable ratio of the quadratic variation.
pub const VARIATION: [f64; 2] = [0.9, 1.1];
/// The smallest number of games for an audit.
pub const FEWEST_GAMES: u64 = 100;

/// The audit of a model on held-out games.
#[derive(Clone, Debug)]
pub struct Audit {
    /// The calibration at the start and at the ends of rounds of all games.
    pub whole: Calibration,
    /// The calibration by stage.
    pub stages: Vec<Calibration>,
    variation: QuadraticVariation,
    games: u64,
}

impl Audit {
    /// Compares the model's chances in games with the results of these games.
    #[must_use]
    pub fn of(clock: Clock, traces: &[Trace]) -> Self {
        let mut audit = Self {
            whole: Calibration::default(),
            stages: vec![Calibration::default(); clock.n_stages()],
            variation: QuadraticVariation::default(),
            games: traces.len() as u64,
        };
        for trace in traces {
            let block = trace.block;
            for look in &trace.rounds {
                audit.whole.add(block, &look.chances, &trace.points);
                audit.stages[look.stage].add(block, &look.chances, &trace.points);
            }
            let looks = trace.rounds.iter().map(|look| &look.chances[..]);
            audit.variation.add(block, looks, &trace.points);
        }
        audit
    }

    /// Returns the number of held-out games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Returns the ratio of the quadratic variation, 1 for a martingale.
    #[must_use]
    pub fn variation(&self) -> Option<Figure> {
        self.variation.ratio()
    }

    /// Returns the reason why no result of the model is reported; `None` if the model is acceptable.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        if self.games < FEWEST_GAMES {
            return Some(format!(
                "{} held-out games are too few to judge the model: at least {FEWEST_GAMES} are needed",
                self.games
            ));
        }
        let error = self.whole.expected_error().map_or(f64::INFINITY, |figure| figure.estimate);
        (error > MOST_ERROR).then(|| {
            format!(
                "the expected calibration error is {}, and above {} chances are not those with which games are won: more \
                 games, or features that this game does not declare",
                units::share(error),
                units::share(MOST_ERROR)
            )
        })
    }

    /// Returns the reason why lead-change figures are withheld; `None` if they are reported.
    #[must_use]
    pub fn dynamics_refusal(&self) -> Option<String> {
        let [low, high] = VARIATION;
        self.refusal().or_else(|| {
            let ratio = self.variation().map_or(f64::INFINITY, |figure| figure.estimate);
            (!(low..=high).contains(&ratio)).then(|| {
                format!(
                    "the quadratic variation at the ends of rounds is {} times that of a martingale (allowed: \
                     {low} to {high}): the probabilities move too much or too little",
                    units::mean(ratio)
                )
            })
        })
    }
}

impl WinModel {
    /// Audits the model on held-out games.
    #[must_use]
    pub fn audit(&self, traces: &[Trace]) -> Audit {
        Audit::of(self.clock, traces)
    }
}
