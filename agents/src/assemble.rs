//! Construction of an agent from its spec. Parameters are checked, [`Layers`] resolves their values, and the agent is
//! built.

use std::sync::Arc;

use crate::agent::Agent;
use crate::evaluators::{self, EVALUATOR, SharedEvaluator};
use crate::external::{AtTable, Consent, External, maker, plays_nothing};
use crate::fitting::{Estimates, Evaluation};
use crate::guide::Evaluator;
use crate::kinds::Kind;
use crate::layers::Layers;
use crate::mcts::Variant;
use crate::net::{OFF, OWN_NET};
use crate::of_game::OfGame;
use crate::param::{Settings, Value};
use crate::playable::Playable;
use crate::random::Random;
use crate::spec::{AgentSpec, BadSpec};

impl AgentSpec {
    /// Builds the agent for `game`.
    ///
    /// # Errors
    /// If the game lacks a parameter, or if a file is unusable or was not supplied.
    pub fn build<G: Playable>(&self, game: &G) -> Result<Box<dyn Agent<G>>, BadSpec> {
        self.check_names(&OfGame::of::<G>())?;
        self.assemble(game).map_err(|message| BadSpec { spec: self.to_string(), message })
    }

    /// Builds the agent of a spec whose parameters the game has.
    fn assemble<G: Playable>(&self, game: &G) -> Result<Box<dyn Agent<G>>, String> {
        if let Some((name, path, _)) = self.settings.files().find(|(.., is_read)| !is_read) {
            return Err(format!("the file of {name}, \"{path}\", was not read"));
        }
        match self.kind {
            Kind::Random => Ok(Box::new(Random::default())),
            Kind::Greedy => game.greedy(&self.settings),
            Kind::Mcts => self.search(Variant::Tree, game),
            Kind::Flat => self.search(Variant::Flat, game),
            Kind::OnePly => self.search(Variant::OnePly, game),
            Kind::Pimc => self.search(Variant::Determinized, game),
            Kind::Clairvoyant => self.search(Variant::Clairvoyant, game),
            Kind::External => {
                let params = self.external()?;
                if let Some(make) = maker(&params.command) {
                    return Ok(Box::new(AtTable::new(&params, &*make)));
                }
                let consent = Consent::to(&[&params.written()])?;
                Ok(Box::new(External::new(&params, consent)?))
            }
        }
    }

    fn search<G: Playable>(&self, variant: Variant, game: &G) -> Result<Box<dyn Agent<G>>, String> {
        let says = OfGame::at_table_of(game);
        let config = Layers::of(self.kind, Some(&says), &self.settings).config(variant);
        G::search(config, game.guide(&self.settings)?, self.evaluator()?.as_ref())
    }

    /// Returns the evaluator that the spec names.
    fn evaluator(&self) -> Result<Option<SharedEvaluator>, String> {
        let Some(name) = self.settings.text(&EVALUATOR) else { return Ok(None) };
        match self.evaluator.clone().or_else(|| evaluators::embedded(name)) {
            None if plays_nothing() => Ok(Some(Arc::new(evaluators::Absent))),
            None => Err(format!(
                "there is no evaluator \"{name}\" here: only the Python program that has it can play this agent"
            )),
            found => Ok(found),
        }
    }
}

/// Returns the evaluation of `game` for fitting, with the weights in `settings`. It is
/// [`Weighted::evaluation`](crate::Weighted::evaluation) if the game has it, else the estimate of its guide without the
/// net of the package; `None` for a game without weights or estimates.
///
/// # Errors
/// If a file in `settings` is unusable: the message gives the reason.
pub fn evaluation<G: Playable>(
    game: &G,
    settings: &Settings,
) -> Result<Option<Box<dyn Evaluation<G>>>, String> {
    let lent = game.evaluation(settings)?;
    if lent.is_some() || !G::Guide::CAN_ESTIMATE || G::weights().params.is_empty() {
        return Ok(lent);
    }
    let net = G::PARAMS.iter().find(|knob| knob.param.name == OWN_NET);
    let settings = match net {
        Some(net) => settings.clone().with_param(&net.param, Value::Word(OFF)),
        None => settings.clone(),
    };
    Ok(Some(Box::new(Estimates(game.guide(&settings)?))))
}
