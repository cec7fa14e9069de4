//! The net of a step of expert iteration: it learns from the games of the last steps, and begins with the agent's net.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use agents::net::Provenance;
use agents::net::learning::{Example, Method};
use agents::{AgentSpec, Playable};

use super::learning::{Places, parts_of};
use super::net::{Outcome, fit};
use super::net_command::{NetSubject, rules_mark};
use super::positions::{Played, Position, Which, play, play_and_keep};
use super::roots::Roots;
use super::step::{Done, Place, Wanted, fitted_seed, rounded};
use sim::error::Error;

/// The most passes over the positions.
const PASSES: u32 = 4;
/// The number of positions of a batch.
const BATCH: usize = 512;
/// The highest learning rate of a new net and of one that goes on.
const RATES: [f32; 2] = [0.002, 0.001];
/// The decay of weights.
const DECAY: f32 = 0.1;
/// The smallest number of parts of the games: one is held out, one chooses the pass.
const PARTS: usize = 3;

/// The positions of the last steps.
#[derive(Debug, Default)]
pub struct Window {
    steps: BTreeMap<u32, Vec<Position<Example>>>,
}

impl Window {
    /// Fits the net of a step.
    ///
    /// # Errors
    /// If the game declares no inputs, an agent fails, or learning diverges.
    pub(super) fn net<G: Playable>(
        &mut self,
        place: &Place<'_, G>,
        wanted: Wanted<'_>,
    ) -> Result<Done, Error> {
        let &Place { game, rules, how } = place;
        let subject = NetSubject::of(game, wanted.spec.settings())?;
        let layout = subject.inputs.layout();
        let first = wanted.step.saturating_sub(how.window - 1).max(1);
        self.steps.retain(|step, _| *step >= first);
        for step in first..=wanted.step {
            if let Entry::Vacant(missing) = self.steps.entry(step) {
                let agent = wanted.before.get(step as usize - 1).unwrap_or(wanted.spec);
                missing.insert(positions(place, &subject, agent, step)?);
            }
        }
        // A game belongs to the same part in all steps: none is learnt from first and held out later.
        let folds = how.folds.max(PARTS);
        let parts: Vec<usize> =
            self.steps.values().flat_map(|positions| parts_of(positions, folds)).collect();
        let positions: Vec<&Position<Example>> = self.steps.values().flatten().collect();
        let places = Places { parts: &parts, sections: &vec![0; parts.len()] };
        let rate = RATES[usize::from(subject.before.is_some())];
        let seed = fitted_seed(how.seed, wanted.step);
        let method = Method { passes: PASSES, batch: BATCH, rate, decay: DECAY, seed };
        let outcome = fit(&layout, &positions, places, method, subject.before)?;
        let made = Provenance {
            command: "caesar fit iterate".to_owned(),
            source: format!(
                "{} games of {} in each of steps {first} to {}",
                how.games, wanted.spec, wanted.step
            ),
            rules: rules_mark(rules),
            seed,
            games: how.games * self.steps.len() as u64,
            positions: outcome.learnt as u64,
            loss: outcome.mean(Outcome::NET),
            linear_loss: outcome.mean(Outcome::LINEAR),
        };
        let text = outcome.net.to_text(G::about().name, game.n_players(), &layout, &made);
        Ok(Done {
            today: rounded(outcome.before.unwrap_or(made.linear_loss)),
            fitted: rounded(made.loss),
            file: Some(text),
        })
    }
}

/// Plays the games of a step and returns their positions.
fn positions<G: Playable>(
    place: &Place<'_, G>,
    subject: &NetSubject<G>,
    agent: &AgentSpec,
    step: u32,
) -> Result<Vec<Position<Example>>, Error> {
    let &Place { game, how, .. } = place;
    let counting = subject.counting(game);
    let played = Played {
        agents: vec![agent.clone()],
        games: how.games,
        seed: fitted_seed(how.seed, step),
        per_game: how.per_game,
        which: Which::Beginnings,
        mixed: how.mixed,
    };
    if how.root_share == 0.0 {
        return Ok(play_and_keep(game, &played, &|position| counting.example(position))?.positions);
    }
    let roots = Roots { spec: agent, share: how.root_share, seed: played.seed };
    roots.examples(&counting, &play(game, &played)?.positions)
}
