//! An agent of a game whose type is not known: [`AnyAgent`].

use std::fmt;
use std::sync::Arc;

use agents::agent::view_for;
use agents::{Agent, Fault, GameEnd, SearchReport};
use engine::{Player, Stream};

use super::state::{AnyState, foreign};
use crate::catalogue::Listed;
use crate::error::Error;
use crate::game_loop::guarded;

/// An agent, which plays one seat of one game at a time.
pub struct AnyAgent(Box<dyn ErasedAgent>);

impl fmt::Debug for AnyAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyAgent")
    }
}

/// The functions of an agent that need the type of its game.
pub(super) trait ErasedAgent: Send {
    fn start(&mut self, seat: Player) -> Result<(), String>;
    fn choose(&mut self, state: &AnyState, seat: Player, rng: &mut Stream)
    -> Result<usize, String>;
    fn end(&mut self, state: &AnyState) -> Result<(), String>;
    fn cheats(&self) -> bool;
    fn report(&self) -> Option<SearchReport>;
}

pub(super) struct TypedAgent<G: Listed> {
    game: Arc<G>,
    agent: Box<dyn Agent<G>>,
    scratch: Vec<G::Action>,
}

impl<G: Listed> TypedAgent<G> {
    pub(super) fn new(game: Arc<G>, agent: Box<dyn Agent<G>>) -> Self {
        Self { game, agent, scratch: Vec::new() }
    }

    /// Lets the agent act; a panic or a fault of its own is the error.
    fn act<T>(&mut self, act: impl FnOnce(&mut dyn Agent<G>, &G) -> T) -> Result<T, String> {
        let Self { game, agent, .. } = self;
        match guarded(|| (act(&mut **agent, game), agent.fault())) {
            Ok((done, None)) => Ok(done),
            Ok((_, Some(Fault::Agent(reason) | Fault::Host { reason, .. }))) | Err(reason) => {
                Err(reason)
            }
        }
    }
}

impl<G: Listed> ErasedAgent for TypedAgent<G> {
    fn start(&mut self, seat: Player) -> Result<(), String> {
        self.act(|agent, game| agent.start(game, seat))
    }

    fn choose(
        &mut self,
        state: &AnyState,
        seat: Player,
        rng: &mut Stream,
    ) -> Result<usize, String> {
        let state = state.typed::<G>().ok_or_else(foreign)?.state();
        let action =
            self.act(|agent, game| agent.choose(view_for(agent, game, state, seat), rng))?;
        self.scratch.clear();
        self.game.actions(state, seat, &mut self.scratch);
        let chosen = self.scratch.iter().position(|&legal| legal == action);
        chosen.ok_or_else(|| format!("illegal action \"{}\"", self.game.action_text(action)))
    }

    fn end(&mut self, state: &AnyState) -> Result<(), String> {
        let state = state.typed::<G>().ok_or_else(foreign)?.state();
        self.act(|agent, game| agent.end(GameEnd::new(game, state, None)))
    }

    fn cheats(&self) -> bool {
        self.agent.cheats()
    }

    fn report(&self) -> Option<SearchReport> {
        self.agent.report(&self.game)
    }
}

impl AnyAgent {
    pub(super) fn new(agent: Box<dyn ErasedAgent>) -> Self {
        Self(agent)
    }

    /// Starts a game in `seat`.
    ///
    /// # Errors
    /// If the agent fails.
    pub fn start(&mut self, seat: Player) -> Result<(), Error> {
        self.0.start(seat).map_err(Error::Failed)
    }

    /// Chooses for `seat`, whose turn it is, and returns the number of the action in the list of legal ones. The agent
    /// sees of `state` what the seat may see.
    ///
    /// # Errors
    /// If the agent fails or chooses what is not legal, or `state` is of another game.
    pub fn choose(
        &mut self,
        state: &AnyState,
        seat: Player,
        rng: &mut Stream,
    ) -> Result<usize, Error> {
        self.0.choose(state, seat, rng).map_err(Error::Failed)
    }

    /// Ends the game that was started, at `state`.
    ///
    /// # Errors
    /// If the agent fails, or `state` is of another game.
    pub fn end(&mut self, state: &AnyState) -> Result<(), Error> {
        self.0.end(state).map_err(Error::Failed)
    }

    /// Returns whether the agent sees what its seat may not see.
    #[must_use]
    pub fn cheats(&self) -> bool {
        self.0.cheats()
    }

    /// Returns how the last decision came about; `None` for agents that do not search.
    #[must_use]
    pub fn report(&self) -> Option<SearchReport> {
        self.0.report()
    }
}
