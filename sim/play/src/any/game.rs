//! A game by name: [`AnyGame`].

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use agents::AgentSpec;
#[cfg(feature = "data")]
use engine::BadData;
use engine::observation::{self, Field};
use engine::{About, ActionBlock, Rules};
use serde_json::Value as Json;

use super::agent::{AnyAgent, TypedAgent};
use super::batch::{AnyBatch, TypedBatch};
use super::state::AnyState;
use super::typed::TypedState;
use crate::branch::Branch;
use crate::catalogue::{Listed, Setup, WithGame, with_game};
use crate::error::Error;
use crate::position::{self, Position};

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
    #[cfg(feature = "data")]
    fn read(&self, data: &Json, plies: u32) -> Result<AnyState, BadData>;
    fn adopt(&self, state: &dyn Any) -> Option<AnyState>;
    fn placed(&self, state: &Json) -> Result<AnyState, String>;
    fn branched(&self, branch: &Branch, seed: u64) -> Result<(AnyState, u64), Error>;
    fn agent(&self, spec: &AgentSpec) -> Result<AnyAgent, Error>;
    fn action_blocks(&self) -> &[ActionBlock];
    fn action_text(&self, number: usize) -> Option<String>;
    fn observation_layout(&self) -> Vec<Field>;
    fn max_game_length(&self) -> Option<u32>;
    fn batch(&self, n: usize, seed: u64) -> AnyBatch;
}

struct TypedGame<G> {
    game: Arc<G>,
    rules: Rules,
}

impl<G: Listed> ErasedGame for TypedGame<G> {
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

    #[cfg(feature = "data")]
    fn read(&self, data: &Json, plies: u32) -> Result<AnyState, BadData> {
        let state = TypedState::of_data(Arc::clone(&self.game), data, plies)?;
        Ok(AnyState::new(Box::new(state)))
    }

    fn placed(&self, state: &Json) -> Result<AnyState, String> {
        let state = self.game.position_from_json(state)?;
        Ok(AnyState::new(Box::new(TypedState::new(Arc::clone(&self.game), state))))
    }

    fn adopt(&self, state: &dyn Any) -> Option<AnyState> {
        let state = *state.downcast_ref::<G::State>()?;
        Some(AnyState::new(Box::new(TypedState::new(Arc::clone(&self.game), state))))
    }

    fn agent(&self, spec: &AgentSpec) -> Result<AnyAgent, Error> {
        let agent = spec.build(&*self.game)?;
        Ok(AnyAgent::new(Box::new(TypedAgent::new(Arc::clone(&self.game), agent))))
    }

    fn action_blocks(&self) -> &[ActionBlock] {
        self.game.action_blocks()
    }

    fn action_text(&self, number: usize) -> Option<String> {
        self.game.action_of(number).map(|action| self.game.action_text(action))
    }

    fn observation_layout(&self) -> Vec<Field> {
        observation::layout(&*self.game)
    }

    fn max_game_length(&self) -> Option<u32> {
        self.game.max_game_length()
    }

    fn batch(&self, n: usize, seed: u64) -> AnyBatch {
        AnyBatch::new(Box::new(TypedBatch::new(Arc::clone(&self.game), n, seed)))
    }
}

struct Erase;

impl WithGame for Erase {
    type Output = AnyGame;

    fn run<G: Listed>(self, game: G, rules: &Rules) -> AnyGame {
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

    /// Returns how many actions have a number: all that a player can ever choose.
    #[must_use]
    pub fn n_numbers(&self) -> usize {
        self.action_blocks().last().map_or(0, |last| (last.first + last.len()) as usize)
    }

    /// Returns the blocks of action numbers, one for each word.
    #[must_use]
    pub fn action_blocks(&self) -> &[ActionBlock] {
        self.0.action_blocks()
    }

    /// Returns the text of the action with a number; `None` if no action has it.
    #[must_use]
    pub fn action_text(&self, number: usize) -> Option<String> {
        self.0.action_text(number)
    }

    /// Returns the fields of observations, in their order.
    #[must_use]
    pub fn observation_layout(&self) -> Vec<Field> {
        self.0.observation_layout()
    }

    /// Returns the largest number of choices in a game, where those of a simultaneous turn count as one; `None` where no
    /// bound is known.
    #[must_use]
    pub fn max_game_length(&self) -> Option<u32> {
        self.0.max_game_length()
    }

    /// Returns `n` games that are stepped together, games `0..n` of the run with seed `seed`.
    #[must_use]
    pub fn batch(&self, n: usize, seed: u64) -> AnyBatch {
        self.0.batch(n, seed)
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

    /// Returns a position of this game whose state has the type of the game; `None` if it has another type. Choices so
    /// far count from 0.
    #[must_use]
    pub fn adopt(&self, state: &dyn Any) -> Option<AnyState> {
        self.0.adopt(state)
    }

    /// Returns the position of this game with the state of a document that people can change ([`AnyState::position`]),
    /// after a check of all its parts. Choices so far count from 0.
    ///
    /// # Errors
    /// If the state is none of this game, with the place of the fault, or this build has no such documents.
    pub fn placed(&self, state: &Json) -> Result<AnyState, String> {
        self.0.placed(state)
    }

    /// Returns the document of a position of this game, for people and for [`Self::placed`]; `None` if this build has no
    /// such documents.
    #[must_use]
    pub fn position_of(&self, state: &AnyState) -> Option<Position> {
        Some(Position {
            format: position::FORMAT.to_owned(),
            game: self.name().to_owned(),
            seats: self.players(),
            rules: self.overrides(),
            state: state.position()?,
        })
    }

    /// Returns the position of this game that `data` holds ([`AnyState::to_data`]), after `plies` choices. The parts are
    /// not compared with each other: a document that was changed may give a position that panics.
    ///
    /// # Errors
    /// If a part is missing or is none of its type.
    #[cfg(feature = "data")]
    pub fn read(&self, data: &Json, plies: u32) -> Result<AnyState, BadData> {
        self.0.read(data, plies)
    }

    /// Builds the agent of `spec`.
    ///
    /// # Errors
    /// If the game has no such parameter, or a file that the spec names is of no use or was not read.
    pub fn agent(&self, spec: &AgentSpec) -> Result<AnyAgent, Error> {
        self.0.agent(spec)
    }
}
