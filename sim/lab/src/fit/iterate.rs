//! Expert iteration: an agent plays, its parts are fitted to its games, and the fitted agent replaces it if it wins a
//! sequential test (Anthony, Tian & Barber 2017).
//!
//! Each step has its own seeds, one for the games of the fit and one for the test. No test therefore uses games of a
//! fit, and no step depends on how often another one was restarted.

use agents::{AgentSpec, OfGame, Playable};
use engine::Rules;
use serde::{Deserialize, Serialize};

use super::folds::{CrossValidation, STRENGTHS};
use super::positions::{Collected, Played, Sectioned, Which, play};
use super::priors::{PriorOptions, Searches};
use super::value::{ValueFit, ValueScale, rows};
use super::weights::Subject;
use super::{Sections, priors, weights};
use sim::catalogue::{Setup, WithGame, with_game};
use sim::error::Error;
use sim::observed_play::seed_of_part;
use sim::units;

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
    /// Temperature and weights of the priors.
    Priors,
}

impl Part {
    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Weights => "weights",
            Self::Value => "value",
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
    /// The seed of the run.
    pub seed: u64,
}

/// The loss of a part before and after its fit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Loss {
    /// The part.
    pub part: Part,
    /// The loss of the current part on held-out games.
    pub today: f64,
    /// The loss of the fitted part.
    pub fitted: f64,
}

/// An agent with fitted parts.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The agent.
    pub spec: AgentSpec,
    /// The losses on held-out games, by part.
    pub losses: Vec<Loss>,
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

/// Builds `spec` in the game of `setup` and returns its parts that can be fitted, in order.
///
/// # Errors
/// If the game or the agent cannot be built, or no part can be fitted.
pub fn possible_parts(setup: &Setup, spec: &AgentSpec) -> Result<Vec<Part>, Error> {
    struct Ask<'a>(&'a AgentSpec);
    impl WithGame for Ask<'_> {
        type Output = Result<Vec<Part>, Error>;
        fn run<G: Playable>(self, game: G, _rules: &Rules) -> Self::Output {
            self.0.build(&game)?;
            parts_of(&game, self.0)
        }
    }
    with_game(setup, Ask(spec))?
}

/// The agent, step and parts of a fit.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The agent.
    pub spec: &'a AgentSpec,
    /// The step, from 1.
    pub step: u32,
    /// The parts to fit.
    pub parts: &'a [Part],
}

/// A callback that stores a fitted file and returns the agent that names it.
pub type Keep<'a> = dyn FnMut(&AgentSpec, Part, &str) -> Result<AgentSpec, Error> + Send + 'a;

/// Plays games of an agent in the game of `setup` and fits its parts to them; `keep` stores each file.
///
/// # Errors
/// If the game cannot be built, an agent fails, no part can be fitted, or a file cannot be stored.
pub fn fitted_candidate(
    setup: &Setup,
    wanted: Wanted<'_>,
    how: &How,
    keep: &mut Keep<'_>,
) -> Result<Candidate, Error> {
    struct Fit<'a, 'b>(Wanted<'a>, &'a How, &'a mut Keep<'b>);
    impl WithGame for Fit<'_, '_> {
        type Output = Result<Candidate, Error>;
        fn run<G: Playable>(self, game: G, _rules: &Rules) -> Self::Output {
            let Self(Wanted { spec, step, parts }, how, keep) = self;
            candidate(&game, spec, how, step, parts, keep)
        }
    }
    with_game(setup, Fit(wanted, how, keep))?
}

/// Returns the parts of an agent that can be fitted, in order.
///
/// # Errors
/// If no part can be fitted.
fn parts_of<G: Playable>(game: &G, spec: &AgentSpec) -> Result<Vec<Part>, Error> {
    let has = |part: Part| -> Result<bool, Error> {
        Ok(match part {
            Part::Value => {
                spec.is_search()
                    && game.value_table(spec.settings()).map_err(Error::Usage)?.is_some()
            }
            Part::Weights => {
                let is_judged = OfGame::of::<G>().weights_of(spec.kind()).params;
                // A search with its own value function hardly uses the evaluation at leaves.
                !is_judged.is_empty() && !has_value(game, spec)?
            }
            Part::Priors => {
                spec.config(Some(&OfGame::at_table_of(game))).is_some_and(|c| c.needs_priors())
            }
        })
    };
    let mut parts = Vec::new();
    for part in [Part::Weights, Part::Value, Part::Priors] {
        if has(part)? {
            parts.push(part);
        }
    }
    if parts.is_empty() {
        let message = format!("nothing of it can be fitted in {}", G::about().name);
        return Err(Error::value("start", spec.to_string(), message));
    }
    Ok(parts)
}

fn has_value<G: Playable>(game: &G, spec: &AgentSpec) -> Result<bool, Error> {
    Ok(spec.is_search() && game.value_table(spec.settings()).map_err(Error::Usage)?.is_some())
}

/// Plays games of `spec` for step `step` (from 1), fits `parts` of it to them, and returns the fitted agent. `keep`
/// stores each fitted file and returns the agent that names it.
///
/// # Errors
/// If an agent fails, no part can be fitted, or a file cannot be stored.
fn candidate<G: Playable>(
    game: &G,
    spec: &AgentSpec,
    how: &How,
    step: u32,
    parts: &[Part],
    keep: &mut Keep<'_>,
) -> Result<Candidate, Error> {
    let mut candidate = Candidate { spec: spec.clone(), losses: Vec::new() };
    let seed = fitted_seed(how.seed, step);
    let games = |which: Which, per_game: usize| {
        let (agents, mixed) = (vec![spec.clone()], how.mixed);
        play(game, &Played { agents, games: how.games, seed, per_game, which, mixed })
    };
    if parts.iter().any(|part| *part != Part::Priors) {
        let collected = games(Which::Beginnings, how.per_game)?;
        for part in parts.iter().filter(|part| **part != Part::Priors) {
            let fitted = match part {
                Part::Value => value(game, &candidate.spec, &collected, how)?,
                Part::Weights | Part::Priors => evaluation(game, &candidate.spec, &collected, how)?,
            };
            candidate.take(*part, &fitted, keep)?;
        }
    }
    if parts.contains(&Part::Priors) {
        let collected = games(Which::Decisions, how.decisions)?;
        let (fitted, temperature) = visited(game, spec, &candidate.spec, &collected, how, seed)?;
        let spec = candidate.spec.saying(priors::TEMPERATURE, &temperature)?;
        candidate.spec = keep(&spec, Part::Priors, "")?;
        candidate.take(Part::Priors, &fitted, keep)?;
    }
    Ok(candidate)
}

/// The result of a part's fit: losses before and after, and the file.
struct Done {
    today: f64,
    fitted: f64,
    file: Option<String>,
}

impl Candidate {
    fn take(&mut self, part: Part, done: &Done, keep: &mut Keep<'_>) -> Result<(), Error> {
        self.losses.push(Loss { part, today: done.today, fitted: done.fitted });
        if let Some(file) = &done.file {
            self.spec = keep(&self.spec, part, file)?;
        }
        Ok(())
    }
}

/// Returns the mean, rounded as in the log, so that differences in the last bit between machines do not show.
fn mean(losses: &[f64]) -> f64 {
    let mean = losses.iter().sum::<f64>() / losses.len().max(1) as f64;
    (mean * DIGITS).round() / DIGITS
}

fn head(what: &str, spec: &AgentSpec, source: &str) -> Vec<String> {
    vec![format!("{what} of {spec}, fitted by caesar fit iterate."), format!("From: {source}")]
}

fn sections_of<S>(collected: &Collected<S>) -> Sections {
    Sections::of(collected.positions.iter().map(|one| one.progress).collect::<Vec<_>>())
}

fn value<G: Playable>(
    game: &G,
    spec: &AgentSpec,
    collected: &Collected<G::State>,
    how: &How,
) -> Result<Done, Error> {
    let table = game.value_table(spec.settings()).map_err(Error::Usage)?;
    let table = table.ok_or_else(|| {
        Error::value(
            "parts",
            Part::Value.name(),
            "the game has no value function beside its evaluation",
        )
    })?;
    let rows = rows(game, &*table, collected, &sections_of(collected));
    let moments = table.phases();
    let today: Vec<_> = (0..moments.len()).map(|moment| table.at(moment)).collect();
    let fit = ValueFit::new(&rows, &today);
    let config = spec.config(Some(&OfGame::at_table_of(game)));
    let held_out = fit.held_out(how.folds, &STRENGTHS, ValueScale::by(config.as_ref()));
    let values = fit.values(held_out.validated.strength);
    let file = table.write(&head("The value function", spec, &collected.source), &values);
    Ok(Done {
        today: mean(&held_out.today_softmax),
        fitted: mean(&held_out.validated.losses),
        file: Some(file),
    })
}

fn evaluation<G: Playable>(
    game: &G,
    spec: &AgentSpec,
    collected: &Collected<G::State>,
    how: &How,
) -> Result<Done, Error> {
    let subject = Subject::new(game, spec.settings(), &[], &[])?;
    let head = head("The weights", spec, &collected.source);
    let data = Sectioned { collected, sections: &sections_of(collected) };
    let plan = CrossValidation { folds: how.folds, strengths: &STRENGTHS };
    let found = weights::fit(game, data, subject, plan, &head)?;
    let held_out = &found.held_out;
    let (today, fitted) = (mean(&held_out.today), mean(&held_out.validated.losses));
    Ok(Done { today, fitted, file: Some(found.file) })
}

/// Fits the priors and the temperature; visits are those of the agent that played, weights those of the new one.
fn visited<G: Playable>(
    game: &G,
    player: &AgentSpec,
    spec: &AgentSpec,
    collected: &Collected<G::State>,
    how: &How,
    seed: u64,
) -> Result<(Done, String), Error> {
    let wanted = priors::own_weights::<G>();
    let mut subject = Subject::new(game, spec.settings(), &wanted, &[])?;
    if wanted.is_empty() {
        subject.keep(|_| false);
    }
    let head = head("The weights of priors", spec, &collected.source);
    let data = Sectioned { collected, sections: &sections_of(collected) };
    let searches = Searches { spec: player, seed, prior_options: PriorOptions::VISITS };
    let plan = CrossValidation { folds: how.folds, strengths: &STRENGTHS };
    let found = priors::fit(game, searches, data, subject, plan, &head)?;
    let held_out = &found.held_out;
    let (today, fitted) = (mean(&held_out.today), mean(&held_out.validated.losses));
    let temperature = units::fixed(found.fitted[0].now, 4);
    Ok((Done { today, fitted, file: found.file }, temperature))
}
