//! Fits of an agent's parts to games: value functions ([`value`]), weights of evaluations ([`weights`]), priors of
//! searches ([`priors`]), and all of them in turn while the agent improves ([`iterate`]).
//!
//! Every fit is a conditional logit ([`sim::stats::conditional_logit`]). The alternatives are the seats, one of which
//! wins, or the options, with their visits. Only features that differ between the alternatives of a position count.
//! Weights are drawn towards the current ones; cross-validation sets the strength ([`folds`]).
//!
//! A lower log loss is no proof of strength: only a comparison is.

pub mod command;
pub mod export;
pub mod folds;
pub mod iterate;
pub mod learning;
pub mod net;
pub mod net_command;
pub mod policy;
pub mod positions;
pub mod priors;
pub mod roots;
pub mod sections;
pub mod settle;
pub mod step;
pub mod texel;
pub mod value;
pub mod weights;
pub mod window;

pub use folds::Validated;
pub use positions::{Collected, Position};
pub use sections::Sections;

use sim::stats::Interval;

/// The origin of a fit, for the head of its files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The game.
    pub game: String,
    /// Seats at the table.
    pub players: usize,
    /// A description of the source of the positions.
    pub source: String,
    /// The command that reproduces it.
    pub command: String,
}

/// A fitted number.
#[derive(Clone, PartialEq, Debug)]
pub struct Fitted {
    /// The moment that it applies to, if one name is fitted at several moments.
    pub moment: Option<String>,
    /// Its name.
    pub name: String,
    /// The value before the fit.
    pub today: f64,
    /// The value after the fit.
    pub now: f64,
    /// The 95 % interval of the fit's result on other games, or the reason why there is none.
    pub interval: Result<Interval, Unknown>,
}

/// The reason why a fitted number has no interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// The prior determines the number more than the games do.
    Prior,
    /// Fewer than five games, in effect, pull it in one direction.
    FewGames,
    /// The loss is not smooth in it, or bends too much within the interval.
    Rough,
    /// The games contain no information about it.
    Silent,
}

impl Unknown {
    /// All reasons.
    pub const ALL: [Self; 4] = [Self::Prior, Self::FewGames, Self::Rough, Self::Silent];

    /// Returns the reason as text in a row.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Prior => "mostly the prior",
            Self::FewGames => "too few games",
            Self::Rough => "not smooth",
            Self::Silent => "nothing known",
        }
    }

    /// Returns the reason as a sentence.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Prior => "the prior decides it more than the games do",
            Self::FewGames => "fewer than five games, as it were, pull at it one way",
            Self::Rough => "the loss jumps where it changes: tune it by games",
            Self::Silent => "the games hold no information about it",
        }
    }
}

/// Returns the log loss of a seat: mean over the seats of `−y ln p − (1 − y) ln (1 − p)`.
#[must_use]
pub fn seat_loss(chances: &[f64], points: &[f64]) -> f64 {
    let one = |(p, y): (&f64, &f64)| {
        let p = p.clamp(NEAREST, 1.0 - NEAREST);
        -(y * p.ln() + (1.0 - y) * (1.0 - p).ln())
    };
    chances.iter().zip(points).map(one).sum::<f64>() / chances.len() as f64
}

/// The smallest distance of a probability from 0 or 1; nearer ones count as this.
const NEAREST: f64 = 1e-6;

/// Returns each seat's lead over its best rival.
#[must_use]
pub fn leads(values: &[f64]) -> Vec<f64> {
    let lead = |seat: usize| {
        let rivals = values.iter().enumerate().filter(|(rival, _)| *rival != seat);
        values[seat] - rivals.map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max)
    };
    (0..values.len()).map(lead).collect()
}

/// Returns the chances that a search assigns to leads on the logistic scale `scale`.
#[must_use]
pub fn logistic_leads(values: &[f64], scale: f64) -> Vec<f64> {
    leads(values).into_iter().map(|lead| 1.0 / (1.0 + (-lead / scale).exp())).collect()
}
