//! A game by name: [`AnyGame`].

use std::fmt;
use std::sync::Arc;

use agents::{AgentSpec, Observable, Playable};
use engine::{About, Rules};
use serde_json::Value as Json;

use super::agent::{AnyAgent, TypedAgent};
use super::state::AnyState;
use super::typed::TypedState;
use crate::branch::Branch;
use crate::catalogue::{Setup, WithGame, with_game};
use crate::error::Error;

/// A game with its rules, for a fixed number of players. Copies are cheap and share the rules.
#[derive(Clone)]
pub struct AnyGame(Arc<dyn ErasedGame>);

impl fmt::Debug for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyGame({}, {} players)", self.name(), self.players())
    }
}

/// The functions of a game that need its type.
trait ErasedGame: Send + Sync {
    fn about(&self) -> About;
    fn players(&self) -> usize;
    fn rules(&self) -> &Rules;
    fn start(&self) -> AnyState;
    fn branched(&self, branch: &Branch, seed: u64) -> Result<(AnyState, u64), Error>;
    fn agent(&self, spec: &AgentSpec) -> Result<AnyAgent, Error>;
}

struct TypedGame<G> {
    game: Arc<G>,
    rules: Rules,
}

impl<G: Playable + Observable> ErasedGame for TypedGame<G> {
    fn about(&self) -> About {
        G::about()
    }

    fn players(&self) -> usize {
        self.game.n_players()
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> AnyState {
        AnyState::new(Box::new(TypedState::new(Arc::clone(&self.game), self.game.start())))
    }

    fn branched(&self, branch: &Branch, seed: u64) -> Result<(AnyState, u64), Error> {
        branch.check_rules::<G>(&self.rules)?;
        let start = branch.start(&*self.game, seed)?;
        let address = start.seed;
        let state = TypedState::of_start(Arc::clone(&self.game), start);
        Ok((AnyState::new(Box::new(state)), address))
    }

    fn agent(&self, spec: &AgentSpec) -> Result<AnyAgent, Error> {
        let agent = spec.build(&*self.game)?;
        Ok(AnyAgent::new(Box::new(TypedAgent::new(Arc::clone(&self.game), agent))))
    }
}

struct Erase;

impl WithGame for Erase {
    type Output = AnyGame;

    fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> AnyGame {
        AnyGame(Arc::new(TypedGame { game: Arc::new(game), rules: rules.clone() }))
    }
}

impl AnyGame {
    /// Builds the game of `setup`.
    ///
    /// # Errors
    /// If there is no such game, it has no such table, or its rules are refused.
    pub fn new(setup: &Setup) -> Result<Self, Error> {
        with_game(setup, Erase)
    }

    /// Returns the facts about the game.
    #[must_use]
    pub fn about(&self) -> About {
        self.0.about()
    }

    /// Returns the name in the catalogue.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.about().name
    }

    /// Returns the number of players, at least 1.
    #[must_use]
    pub fn players(&self) -> usize {
        self.0.players()
    }

    /// Returns the rules configuration that the game was built from.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        self.0.rules()
    }

    /// Returns what differs from the default rules, as the header of a record has it.
    #[must_use]
    pub fn overrides(&self) -> Json {
        self.rules().overrides()
    }

    /// Returns the position before the first event.
    #[must_use]
    pub fn start(&self) -> AnyState {
        self.0.start()
    }

    /// Returns the position of `branch`, and the seed of all later random numbers in a run with `seed`.
    ///
    /// # Errors
    /// If the rules are not those of the branch with treatments, or its lines are not legal.
    pub fn branched(&self, branch: &Branch, seed: u64) -> Result<(AnyState, u64), Error> {
        self.0.branched(branch, seed)
    }

    /// Builds the agent of `spec`.
    ///
    /// # Errors
    /// If the game has no such parameter, or a file that the spec names is of no use or was not read.
    pub fn agent(&self, spec: &AgentSpec) -> Result<AnyAgent, Error> {
        self.0.agent(spec)
    }
}
