//! Opinions fitted to games: value functions ([`value`]), weights of evaluations ([`weights`]), priors of searches
//! ([`priors`]), and all of them again and again, as long as it wins games ([`iterate`]).
//!
//! Every fit is one of a conditional logit ([`sim::stats::conditional_logit`]): of the seats one wins, of the options
//! one is searched most. What is not the same for all alternatives of a position counts. Weights are drawn towards those
//! of today; how strongly, held-out games say ([`folds`]).
//!
//! What is fitted beside log losses that are told is never a proof of strength: only a comparison is.

pub mod command;
pub mod export;
pub mod folds;
pub mod iterate;
pub mod positions;
pub mod priors;
pub mod sections;
pub mod settle;
pub mod texel;
pub mod value;
pub mod weights;

pub use folds::Validated;
pub use positions::{Collected, Position};
pub use sections::Sections;

use sim::stats::Interval;

/// Of whom a fit is, for the head of what it writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The game.
    pub game: String,
    /// Seats at the table.
    pub players: usize,
    /// Where the positions come from, in words.
    pub source: String,
    /// The command that makes it again.
    pub command: String,
}

/// A number that was fitted.
#[derive(Clone, PartialEq, Debug)]
pub struct Fitted {
    /// What it is of, where one name is fitted at several moments.
    pub moment: Option<String>,
    /// Its name.
    pub name: String,
    /// What it was before.
    pub today: f64,
    /// What it is now.
    pub now: f64,
    /// Its 95 % interval, of what the fit comes to on other games, or why there is none.
    pub interval: Result<Interval, Unknown>,
}

/// Why there is no interval of a number that was fitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// The prior says more of it than the games.
    Prior,
    /// Fewer than five games pull at it one way.
    FewGames,
    /// What is lost is not smooth in it, or bends too much within the interval.
    Rough,
    /// The games say nothing of it.
    Silent,
}

impl Unknown {
    /// All reasons.
    pub const ALL: [Self; 4] = [Self::Prior, Self::FewGames, Self::Rough, Self::Silent];

    /// The reason, as it stands in a row.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Prior => "mostly the prior",
            Self::FewGames => "too few games",
            Self::Rough => "not smooth",
            Self::Silent => "nothing known",
        }
    }

    /// The reason at length.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Prior => "the prior says more of it than the games",
            Self::FewGames => "fewer than five games, as it were, pull at it one way",
            Self::Rough => "what is lost jumps where it changes: tune it by games",
            Self::Silent => "the games say nothing of it",
        }
    }
}

/// The log loss of a seat: mean over the seats of `−y ln p − (1 − y) ln (1 − p)`.
#[must_use]
pub fn seat_loss(chances: &[f64], points: &[f64]) -> f64 {
    let one = |(p, y): (&f64, &f64)| {
        let p = p.clamp(NEAREST, 1.0 - NEAREST);
        -(y * p.ln() + (1.0 - y) * (1.0 - p).ln())
    };
    chances.iter().zip(points).map(one).sum::<f64>() / chances.len() as f64
}

/// Probabilities nearer to 0 or 1 count as this near.
const NEAREST: f64 = 1e-6;

/// Everybody's lead over his best rival.
#[must_use]
pub fn leads(values: &[f64]) -> Vec<f64> {
    let lead = |seat: usize| {
        let rivals = values.iter().enumerate().filter(|(rival, _)| *rival != seat);
        values[seat] - rivals.map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max)
    };
    (0..values.len()).map(lead).collect()
}

/// The chances that a search gives leads of `scale`.
#[must_use]
pub fn logistic_leads(values: &[f64], scale: f64) -> Vec<f64> {
    leads(values).into_iter().map(|lead| 1.0 / (1.0 + (-lead / scale).exp())).collect()
}
