//! Whether a model can be believed, found on games that it was not fitted to ([`crate::stats::calibration`]).
//!
//! Where the expected calibration error at the ends of rounds is above [`MOST_ERROR`], nothing that rests on the model is
//! told. Where only the quadratic variation lies outside [`VARIATION`], the figures of a game's arc are not told: they
//! are made of changes, and a chance may be right at each look and still move too much or too little. The estimates decide, and
//! their intervals stand beside them.

use super::probes::Trace;
use super::{Clock, WinModel};
use crate::stats::calibration::{Calibration, Figure, QuadraticVariation};
use crate::units;

/// The largest expected calibration error that is good enough.
pub const MOST_ERROR: f64 = 0.02;
/// The least and the largest ratio of the quadratic variation that is good enough.
pub const VARIATION: [f64; 2] = [0.9, 1.1];
/// Fewest games that say anything of a model.
pub const FEWEST_GAMES: u64 = 100;

/// What held-out games say of a model.
#[derive(Clone, Debug)]
pub struct Audit {
    /// At the start and at the ends of rounds of all games.
    pub whole: Calibration,
    /// The same by stage.
    pub stages: Vec<Calibration>,
    variation: QuadraticVariation,
    games: u64,
}

impl Audit {
    /// Compares what was told of games with what became of them.
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
            for told in &trace.rounds {
                audit.whole.add(block, &told.chances, &trace.points);
                audit.stages[told.stage].add(block, &told.chances, &trace.points);
            }
            let looks = trace.rounds.iter().map(|told| &told.chances[..]);
            audit.variation.add(block, looks, &trace.points);
        }
        audit
    }

    /// Games that were held out.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The ratio of the quadratic variation, 1 for a martingale.
    #[must_use]
    pub fn variation(&self) -> Option<Figure> {
        self.variation.ratio()
    }

    /// Why nothing that rests on the model is told; `None` if it can be believed.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        if self.games < FEWEST_GAMES {
            return Some(format!(
                "{} held-out games say too little of the model: at least {FEWEST_GAMES} are needed",
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

    /// Why the figures of a game's arc are not told; `None` if they are.
    #[must_use]
    pub fn arc_refusal(&self) -> Option<String> {
        let [low, high] = VARIATION;
        self.refusal().or_else(|| {
            let ratio = self.variation().map_or(f64::INFINITY, |figure| figure.estimate);
            (!(low..=high).contains(&ratio)).then(|| {
                format!(
                    "the quadratic variation at the ends of rounds is {} times that of a martingale, outside {low} to \
                     {high}: chances that move so are no game's, however right each is by itself",
                    units::mean(ratio)
                )
            })
        })
    }
}

impl WinModel {
    /// What held-out games say of the model.
    #[must_use]
    pub fn audit(&self, traces: &[Trace]) -> Audit {
        Audit::of(self.clock, traces)
    }
}
