//! Win-probability model: the chance of each seat at any point of a game, fitted to seeded games of the playing agents.
//!
//! **Model.** Seat i of N has the utility `u_i = Σ_f β_f(t) x_if + α_i(t)`, a sum over the features `x_if` that a
//! spectator counts in the position ([`agents::spectator`]; standardised, which only affects the prior). Its chance is
//! `p_i = e^{u_i} / Σ_j e^{u_j}` (conditional logit: `McFadden` 1974). The weights β and the seats' own terms α are
//! piecewise linear in the time t. Each stage has its own knots, since points change hands in a leap at its end. In a
//! game without stages the time is `1 − √(1 − t)`, since a lead is worth more when less is left. Such a game has a
//! single stage, whose time is counted in plies if its rules do not give its length. At the end of a game chances are
//! its points.
//!
//! **Fit.** The likelihood of the points (shared points as shares) has a Gaussian prior of standard deviation [`PRIOR`]
//! on each weight. Every game has the same weight for any number of looks. The function is strictly concave, and
//! Newton's method maximises it ([`fit`]). Looks are taken at the end of each round and at one random position in each.
//!
//! **Purpose.** The model is for analysis: it sees the whole state, also hidden cards. It is valid only for the agents
//! that it was fitted to and for one set of rules. A file of another game, table, version or set of rules is refused
//! ([`WinModel::read`]). [`audit`] checks the model on games that it was not fitted to.

pub mod audit;
pub mod fit;
pub mod probes;
pub mod surrogate;

use agents::Observable;
use engine::{ByPlayer, Turn};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::error::Error;
use crate::stats::conditional_logit::softmax;

pub use self::audit::Audit;
pub use self::probes::{Probe, Probes};

/// The format of a stored model.
pub const FORMAT: &str = "caesar-win-model/1";
/// The standard deviation of the prior of a weight, in log odds for one standard deviation of its count.
pub const PRIOR: f64 = 1.5;
/// The number of knots of a stage, in a game with several stages.
const KNOTS_OF_A_STAGE: usize = 3;
/// The number of knots of a game without stages.
const KNOTS_OF_A_PIECE: usize = 6;

/// The game, rules and agent of a model.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The version of the program that fitted it.
    pub version: String,
    /// The game.
    pub game: String,
    /// The number of seats at the table.
    pub players: usize,
    /// The differences from the default rules.
    pub rules: Json,
    /// The agent in all seats.
    pub agent: String,
}

/// A fitted model of win probability.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WinModel {
    /// The format, [`FORMAT`].
    pub format: String,
    /// The game, rules and agent.
    #[serde(flatten)]
    pub subject: Subject,
    /// The seed of the games that it was fitted to.
    pub seed: u64,
    /// The number of games that it was fitted to.
    pub games: u64,
    /// The measure of time.
    pub clock: Clock,
    /// The names of the counts.
    pub features: Vec<String>,
    /// The standard deviation of each count between the seats of a position.
    pub scales: Vec<f64>,
    /// By count, then by seat from the second on, the weight at each knot.
    pub weights: Vec<Vec<f64>>,
}

/// The measure of the time of a game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// The number of stages of the game.
    pub stages: u32,
    /// The number of plies that counts as the end of a game whose rules do not give its length.
    pub plies: f64,
}

/// A moment: two adjacent knots, and the position between them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Phase {
    /// The first of the two knots.
    pub knot: usize,
    /// The position from the first knot to the second, from 0 to 1.
    pub part: f64,
}

impl Clock {
    const fn knots_of_a_stage(self) -> usize {
        if self.stages > 1 { KNOTS_OF_A_STAGE } else { KNOTS_OF_A_PIECE }
    }

    /// Returns the number of knots of the whole game.
    #[must_use]
    pub const fn knots(self) -> usize {
        self.knots_of_a_stage() * self.stages as usize
    }

    /// Returns the elapsed part of the game, from 0 to 1.
    #[must_use]
    pub fn time(self, look: &Probe) -> f64 {
        let by_plies = f64::from(look.plies) / self.plies.max(1.0);
        look.course.done.unwrap_or(by_plies).clamp(0.0, 1.0)
    }

    /// Returns the stage of a look, for tables; in a game without stages, the quarter of the game.
    #[must_use]
    pub fn stage(self, look: &Probe) -> usize {
        match look.course.stage {
            Some(stage) if self.stages > 1 => stage.min(self.stages - 1) as usize,
            _ => ((4.0 * self.time(look)) as usize).min(3),
        }
    }

    /// Returns the number of stages in tables.
    #[must_use]
    pub const fn n_stages(self) -> usize {
        if self.stages > 1 { self.stages as usize } else { 4 }
    }

    /// Returns the moment of a look.
    #[must_use]
    pub fn phase(self, look: &Probe) -> Phase {
        let per_stage = self.knots_of_a_stage();
        let stage = look.course.stage.unwrap_or(0).min(self.stages - 1) as usize;
        let time = (self.time(look) * f64::from(self.stages) - stage as f64).clamp(0.0, 1.0);
        // The worth of a lead grows as the root of the remaining time shrinks: knots are denser towards the end.
        let time = if self.stages > 1 { time } else { 1.0 - (1.0 - time).sqrt() };
        let place = time * (per_stage - 1) as f64;
        let knot = (place as usize).min(per_stage - 2);
        Phase { knot: stage * per_stage + knot, part: place - knot as f64 }
    }
}

impl WinModel {
    /// Returns the chance of each seat to get the point in `state` after `plies` choices.
    ///
    /// For shared points it is the expected share. Any ply is allowed, also after a branch. Chances add up to one; at
    /// the end they are the points.
    ///
    /// # Panics
    /// If the game has other features than those of the model.
    pub fn probability<G: Observable>(
        &self,
        game: &G,
        state: &G::State,
        plies: u32,
    ) -> ByPlayer<f64> {
        if game.turn(state) == Turn::Over {
            return ByPlayer(game.payoffs(state).0.map(f64::from));
        }
        let mut chances = ByPlayer::default();
        let own = self.chances(&Probe::of(game, state, plies));
        chances.0[..own.len()].copy_from_slice(&own);
        chances
    }

    /// Returns the chances of the seats at a look.
    ///
    /// # Panics
    /// If the look has other features than those of the model.
    #[must_use]
    pub fn chances(&self, look: &Probe) -> Vec<f64> {
        let seats = self.subject.players;
        assert_eq!(
            look.counts.len(),
            self.features.len() * seats,
            "other features than those fitted"
        );
        let moment = self.clock.phase(look);
        let weight = |row: &[f64]| {
            row[moment.knot].mul_add(1.0 - moment.part, row[moment.knot + 1] * moment.part)
        };
        let mut utilities = vec![0.0; seats];
        let (of_counts, of_seats) = self.weights.split_at(self.features.len());
        for ((row, scale), counts) in
            of_counts.iter().zip(&self.scales).zip(look.counts.chunks_exact(seats))
        {
            let weight = weight(row) / scale;
            utilities.iter_mut().zip(counts).for_each(|(u, count)| *u += weight * count);
        }
        utilities[1..].iter_mut().zip(of_seats).for_each(|(u, row)| *u += weight(row));
        softmax(&mut utilities);
        utilities
    }

    /// Returns the model as text: one document on one line.
    #[must_use]
    pub fn document(&self) -> String {
        crate::document::document(self)
    }

    /// Reads a model and refuses one of another game, table, version or set of rules than `subject`.
    ///
    /// `place` is its name in errors.
    ///
    /// # Errors
    /// If the model does not fit; the message is one line with the reason.
    pub fn read(
        place: &str,
        text: &str,
        subject: &Subject,
        features: &[String],
    ) -> Result<Self, Error> {
        let refuse = |message: String| Error::value("model", place, message);
        let model: Self = crate::document::read_as(text).map_err(|e| {
            refuse(format!(
                "it is no model of win probability ({e}); \"balance win-model\" writes one"
            ))
        })?;
        let own = &model.subject;
        let differ = [
            ("format", model.format.as_str(), FORMAT),
            ("game", &own.game, &subject.game),
            ("version", &own.version, &subject.version),
            ("agent", &own.agent, &subject.agent),
        ];
        if let Some((what, has, wanted)) = differ.into_iter().find(|(_, has, wanted)| has != wanted)
        {
            return Err(refuse(format!(
                "its {what} is {has}, and {wanted} is needed: fit one anew"
            )));
        }
        if own.players != subject.players {
            let (has, wanted) = (own.players, subject.players);
            return Err(refuse(format!(
                "it is for {has} players, and {wanted} play: fit one anew"
            )));
        }
        if own.rules != subject.rules {
            let (has, wanted) = (&own.rules, &subject.rules);
            return Err(refuse(format!(
                "its rules differ from the default in {has}, the wanted ones in {wanted}: fit one anew"
            )));
        }
        let knots = model.clock.knots();
        let is_whole = model.features == features
            && model.scales.len() == features.len()
            && model.scales.iter().all(|scale| *scale > 0.0 && scale.is_finite())
            && model.weights.len() == features.len() + own.players - 1
            && model
                .weights
                .iter()
                .all(|row| row.len() == knots && row.iter().all(|w| w.is_finite()));
        if model.clock.stages == 0 || !is_whole {
            return Err(refuse("its weights do not fit its features: fit one anew".to_owned()));
        }
        Ok(model)
    }
}

/// Returns the names of the features of a game.
#[must_use]
pub fn features_of<G: Observable>() -> Vec<String> {
    G::FEATURES.iter().map(|feature| feature.name.to_owned()).collect()
}
