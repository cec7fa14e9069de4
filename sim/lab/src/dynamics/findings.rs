//! The results of a study of a game.

use super::fans::Spread;
use super::figures::{Lead, NamedFigure, Stage};
use super::mix::Coverage;
use super::restricted::Cost;
use super::skill::Step;
use super::streams::Stream;
use super::treated::Treated;
use sim::win_model::surrogate::Saving;
use sim::win_model::{Audit, WinModel};

/// A model, and what is to be thought of it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The model.
    pub model: WinModel,
    /// What held-out games say of it.
    pub audit: Audit,
    /// What treated games say of it; nothing where none were played.
    pub treated: Option<Treated>,
    /// What it saves as a control variate; nothing where chance does nothing.
    pub saving: Option<Saving>,
}

impl Judged {
    /// Why nothing that rests on the model is told; `None` if it can be believed.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        self.audit.refusal().or_else(|| self.treated.as_ref()?.refusal())
    }

    /// Why the figures of a game's arc are not told; `None` if they are.
    #[must_use]
    pub fn arc_refusal(&self) -> Option<String> {
        self.refusal().or_else(|| self.audit.arc_refusal())
    }
}

/// What was found out about a game.
#[derive(Clone, Debug)]
pub struct Report {
    /// The model that it rests on.
    pub judged: Judged,
    /// Length and choices, which rest on no model.
    pub plain: Vec<NamedFigure>,
    /// The arc, the choices that matter and kingmaking, or why they are not told.
    pub arc: Result<Vec<NamedFigure>, String>,
    /// The arc by stage; empty where it is not told.
    pub stages: Vec<Stage>,
    /// The chances to win, round by round; empty where the arc is not told.
    pub fans: Vec<Spread>,
    /// Wins by lead in score.
    pub leads: Vec<Lead>,
    /// Kinds of action.
    pub coverage: Coverage,
    /// Luck by stream; `None` where it was not asked for, or results are always the same.
    pub luck: Option<Vec<Stream>>,
    /// Skill.
    pub ladder: Vec<Step>,
    /// What restrictions cost; empty where it was not asked for.
    pub restrictions: Vec<Cost>,
}
