//! The results of a study of a game's dynamics.

use super::explain::Explained;
use super::fans::Spread;
use super::figures::{Lead, NamedFigure, Stage};
use super::mix::Coverage;
use super::restricted::Cost;
use super::skill::Step;
use super::streams::Stream;
use super::treated::Treated;
use sim::win_model::surrogate::Saving;
use sim::win_model::{Audit, WinModel};

/// A win model with its audits.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The model.
    pub model: WinModel,
    /// The audit on held-out games.
    pub audit: Audit,
    /// The audit on treated games; `None` if none were played.
    pub treated: Option<Treated>,
    /// The variance that it saves as a control variate; `None` if the game has no chance.
    pub saving: Option<Saving>,
}

impl Judged {
    /// Returns the reason why no result of the model is reported; `None` if the model is calibrated.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        self.audit.refusal().or_else(|| self.treated.as_ref()?.refusal())
    }

    /// Returns the reason why the figures of the dynamics are not reported; `None` if they are.
    #[must_use]
    pub fn dynamics_refusal(&self) -> Option<String> {
        self.refusal().or_else(|| self.audit.dynamics_refusal())
    }
}

/// The results of a study of a game.
#[derive(Clone, Debug)]
pub struct Report {
    /// The win model that they rest on.
    pub judged: Judged,
    /// Length and choices, which need no model.
    pub plain: Vec<NamedFigure>,
    /// The dynamics, the choices that matter and kingmaking, or the reason why they are withheld.
    pub dynamics: Result<Vec<NamedFigure>, String>,
    /// The dynamics by stage; empty if withheld.
    pub stages: Vec<Stage>,
    /// The win probabilities, round by round; empty if withheld.
    pub fans: Vec<Spread>,
    /// Wins by lead in score.
    pub leads: Vec<Lead>,
    /// Kinds of action.
    pub coverage: Coverage,
    /// Luck by stream; `None` if it was not requested, or results are always equal.
    pub luck: Option<Vec<Stream>>,
    /// The steps of the skill ladder.
    pub ladder: Vec<Step>,
    /// The cost of each restriction; empty if not requested.
    pub restrictions: Vec<Cost>,
    /// The causes of an outcome; `None` if not requested.
    pub explained: Option<Explained>,
}
