//! Opinions about Conquest of the Empire II: an evaluation with named weights, plans for whole actions, rules of
//! thumb for everything else, and the greedy agent made of them.

#[cfg(test)]
mod boundaries;
mod evaluation;
mod greedy;
mod guide;
mod habits;
pub mod odds;
mod personas;
mod plan_text;
mod plans;
mod reflex;
mod trials;
pub mod value;
mod weights;

use engine::ByPlayer;
use engine::games::conquest2::{Conquest2, Phase, State};

use crate::agent::Agent;
use crate::greedy::GreedyParams;
use crate::mcts::Config;
use crate::mcts::config::{Cut, Keys, Rollout, Select, Utility};
use crate::playable::{Playable, Style};

pub use self::evaluation::evaluate;
pub use self::greedy::GreedyConquest2;
pub use self::guide::Conquest2Guide;
pub use self::personas::PERSONAS;
pub use self::plans::Plan;
use self::trials::Trials;
use self::value::ValueFunction;
pub use self::weights::Weights;

impl Playable for Conquest2 {
    const DEFAULT_LINEUP: &'static [&'static str] =
        &["mcts(iterations=100)", "greedy", "greedy(persona=provincial)", "random"];

    const DEFAULT_BLOCKS: u64 = 30;

    const MEASURED: &'static [&'static str] = &["mcts", "mcts(rollout=uniform, cut=full)"];

    type Guide = Conquest2Guide;

    fn guide(&self, style: &Style) -> Result<Conquest2Guide, String> {
        let value = match &style.value {
            Some(text) => ValueFunction::parse(text)?,
            None => ValueFunction::fitted(engine::Game::n_players(self)),
        };
        Ok(Conquest2Guide::new(trials_of(self, style)?, &value))
    }

    fn search_defaults() -> Config {
        Config {
            select: Select::Puct,
            c: 1.0,
            fpu: 0.0,
            temperature: 1.5,
            rollout: Rollout::Reflex,
            cut: Cut::Round,
            rounds: 2,
            utility: Utility::Logistic,
            keys: Keys::Knowledge,
            ..Config::default()
        }
    }

    /// The start of the first action round.
    fn is_typical(&self, state: &State) -> bool {
        state.phase() == Phase::Top
    }

    fn greedy(&self, params: &GreedyParams) -> Result<Box<dyn Agent<Self>>, String> {
        let trials = trials_of(self, &params.style)?;
        Ok(Box::new(GreedyConquest2::with_trials(params.epsilon, trials)))
    }

    fn weights() -> &'static [(&'static str, f32, &'static str)] {
        Weights::ALL
    }

    fn extras(&self, state: &State) -> Vec<(&'static str, ByPlayer<i32>)> {
        let table = self.table(state);
        let mut influence = ByPlayer::default();
        let mut chaos = ByPlayer::default();
        for seat in 0..table.n_players() {
            influence.0[seat] = table.influence(seat).into();
            chaos.0[seat] = table.chaos(seat).into();
        }
        vec![("influence", influence), ("chaos", chaos)]
    }
}

fn trials_of(game: &Conquest2, style: &Style) -> Result<Trials, String> {
    let trials = Trials::new(weights_of(style)?);
    Ok(if style.draws_battles { trials.drawing_battles(game) } else { trials })
}

/// The weights of a persona, with those of a TOML file over them.
fn weights_of(style: &Style) -> Result<Weights, String> {
    let persona = style.persona.unwrap_or(personas::BALANCED);
    let weights = Weights::persona(persona)
        .ok_or_else(|| format!("conquest2 has no persona \"{persona}\""))?;
    style.weights.as_deref().map_or(Ok(weights), |text| weights.overlay(text))
}
