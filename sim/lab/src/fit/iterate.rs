//! Expert iteration: an agent plays, its parts are fitted to its games, and the fitted agent replaces it if it wins a
//! sequential test (Anthony, Tian & Barber 2017).
//!
//! Each step has its own seeds, one for the games of the fit and one for the test. No test therefore uses games of a
//! fit, and no step depends on how often another one was restarted.

use agents::net::{OFF, OWN_NET};
use agents::{AgentSpec, OfGame, Playable};
use engine::Rules;
use serde::{Deserialize, Serialize};

use super::folds::{CrossValidation, STRENGTHS};
use super::positions::{Collected, Played, Sectioned, Which, play};
use super::priors::{PriorOptions, Searches};
use super::step::{Done, How, Part, Place, Wanted, fitted_seed, rounded};
use super::value::{ValueFit, ValueScale, rows};
use super::weights::Subject;
use super::window::Window;
use super::{Sections, priors, weights};
use sim::catalogue::{Setup, WithGame, with_game};
use sim::error::Error;
use sim::units;

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

/// Builds `spec` in the game of `setup` and returns its parts to fit, in order: those of `named`, or all that it plays
/// with.
///
/// # Errors
/// If the game or the agent cannot be built, a named part is none of its, or no part can be fitted.
pub fn parts_to_fit(setup: &Setup, spec: &AgentSpec, named: &[Part]) -> Result<Vec<Part>, Error> {
    struct Ask<'a>(&'a AgentSpec, &'a [Part]);
    impl WithGame for Ask<'_> {
        type Output = Result<Vec<Part>, Error>;
        fn run<G: Playable>(self, game: G, _rules: &Rules) -> Self::Output {
            let Self(spec, named) = self;
            spec.build(&game)?;
            if named.is_empty() {
                return parts_of(&game, spec);
            }
            for &part in named {
                if !can_fit(&game, spec, part)? {
                    let message = format!("{spec} has no such part in {}", G::about().name);
                    return Err(Error::value("parts", part.name(), message));
                }
            }
            Ok(Part::ALL.into_iter().filter(|part| named.contains(part)).collect())
        }
    }
    with_game(setup, Ask(spec, named))?
}

/// A callback that stores a fitted file and returns the agent that names it.
pub type Keep<'a> = dyn FnMut(&AgentSpec, Part, &str) -> Result<AgentSpec, Error> + Send + 'a;

/// Plays games of an agent in the game of `setup` and fits its parts to them; `keep` stores each file. `window` keeps
/// the positions of earlier steps for nets; steps that it lacks are played again.
///
/// # Errors
/// If the game cannot be built, an agent fails, no part can be fitted, or a file cannot be stored.
pub fn fitted_candidate(
    setup: &Setup,
    wanted: Wanted<'_>,
    how: &How,
    window: &mut Window,
    keep: &mut Keep<'_>,
) -> Result<Candidate, Error> {
    struct Fit<'a, 'b>(Wanted<'a>, &'a How, &'a mut Window, &'a mut Keep<'b>);
    impl WithGame for Fit<'_, '_> {
        type Output = Result<Candidate, Error>;
        fn run<G: Playable>(self, game: G, rules: &Rules) -> Self::Output {
            let Self(wanted, how, window, keep) = self;
            let place = Place { game: &game, rules, how };
            candidate(&place, wanted, window, keep)
        }
    }
    with_game(setup, Fit(wanted, how, window, keep))?
}

/// Returns whether a part of an agent can be fitted.
///
/// # Errors
/// If a file of the agent is unusable.
fn can_fit<G: Playable>(game: &G, spec: &AgentSpec, part: Part) -> Result<bool, Error> {
    let settings = spec.settings();
    Ok(match part {
        Part::Net => {
            has_value(game, spec)? && game.net_inputs(settings).map_err(Error::Usage)?.is_some()
        }
        Part::Value => has_value(game, spec)?,
        Part::Weights => !OfGame::of::<G>().weights_of(spec.kind()).params.is_empty(),
        Part::Priors => {
            spec.config(Some(&OfGame::at_table_of(game))).is_some_and(|c| c.needs_priors())
        }
    })
}

/// Returns the parts of an agent that can be fitted and that it plays with, in order: a net or the value function, and
/// the evaluation only without both, as a search with its own value function hardly uses it at leaves.
///
/// # Errors
/// If no part can be fitted.
fn parts_of<G: Playable>(game: &G, spec: &AgentSpec) -> Result<Vec<Part>, Error> {
    let has_net = game.net(spec.settings()).map_err(Error::Usage)?.is_some();
    let has_value = has_value(game, spec)?;
    let mut parts = Vec::new();
    for part in Part::ALL {
        let is_used = match part {
            Part::Net => has_net,
            Part::Value => !has_net,
            Part::Weights => !has_value,
            Part::Priors => true,
        };
        if is_used && can_fit(game, spec, part)? {
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

/// Plays games of the agent of a step, fits its parts to them, and returns the fitted agent. `keep` stores each fitted
/// file and returns the agent that names it.
///
/// # Errors
/// If an agent fails, no part can be fitted, or a file cannot be stored.
fn candidate<G: Playable>(
    place: &Place<'_, G>,
    wanted: Wanted<'_>,
    window: &mut Window,
    keep: &mut Keep<'_>,
) -> Result<Candidate, Error> {
    let (Wanted { spec, step, parts, .. }, &Place { game, how, .. }) = (wanted, place);
    let mut candidate = Candidate { spec: spec.clone(), losses: Vec::new() };
    let seed = fitted_seed(how.seed, step);
    let games = |which: Which, per_game: usize| {
        let (agents, mixed) = (vec![spec.clone()], how.mixed);
        play(game, &Played { agents, games: how.games, seed, per_game, which, mixed })
    };
    if parts.iter().any(|part| matches!(part, Part::Value | Part::Weights)) {
        let collected = games(Which::Beginnings, how.per_game)?;
        if parts.contains(&Part::Weights) {
            let fitted = evaluation(game, &candidate.spec, &collected, how)?;
            candidate.take(Part::Weights, &fitted, keep)?;
        }
        if parts.contains(&Part::Value) {
            let fitted = value(game, &candidate.spec, &collected, how)?;
            candidate.take(Part::Value, &fitted, keep)?;
        }
    }
    if parts.contains(&Part::Net) {
        let fitted = window.net(place, wanted)?;
        if candidate.spec.settings().get(OWN_NET).is_some() {
            // The fitted net is a file, in place of that of the package.
            candidate.spec = candidate.spec.saying(OWN_NET, OFF)?;
        }
        candidate.take(Part::Net, &fitted, keep)?;
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
    rounded(losses.iter().sum::<f64>() / losses.len().max(1) as f64)
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
