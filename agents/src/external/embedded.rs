//! Agents of the program that embeds this crate. They are called in this process, where an external program gets lines.
//!
//! A spec names such an agent like a program, by the parameter `command` of `external`. It gets a world that its seat
//! cannot tell from the true position, never the position itself.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use engine::{Configure, Game, Notation, Player, Randomness, Stream, View};
use serde_json::Value;

use super::ExternalParams;
use crate::agent::{Agent, Fault};
use crate::game_end::GameEnd;

/// A game that an embedded agent plays.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedGame<'a> {
    /// The name in the catalogue.
    pub name: &'static str,
    /// The number of players.
    pub players: usize,
    /// The overrides of the default rules, as in the header of a record.
    pub rules: &'a Value,
    /// The seat of the agent.
    pub seat: Player,
}

/// An agent of the embedding program, in one seat of one game at a time.
pub trait Embedded: Send {
    /// Prepares for a game.
    ///
    /// # Errors
    /// If the agent fails: the reason, in one line.
    fn start(&mut self, game: EmbeddedGame<'_>) -> Result<(), String>;

    /// Returns the place of its choice in the list of legal actions. `world` is a state of the game (its `State` type)
    /// that the seat cannot tell from the true one, and `seed` a number for random choices.
    ///
    /// # Errors
    /// If the agent fails or chooses nothing legal: the reason, in one line.
    fn choose(&mut self, world: &dyn Any, seed: u32) -> Result<usize, String>;

    /// Ends the game that was started.
    ///
    /// # Errors
    /// If the agent fails: the reason, in one line.
    fn end(&mut self) -> Result<(), String>;

    /// Returns the part of the time of its last act in which it waited for others. It does not count towards its limit.
    fn waited(&self) -> Duration {
        Duration::ZERO
    }
}

/// A function that makes an agent for one seat of one table.
pub type MakeEmbedded = dyn Fn() -> Box<dyn Embedded> + Send + Sync;

static MAKERS: Mutex<BTreeMap<String, Arc<MakeEmbedded>>> = Mutex::new(BTreeMap::new());

fn makers() -> MutexGuard<'static, BTreeMap<String, Arc<MakeEmbedded>>> {
    MAKERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets `command` name the agents that `make` makes, until [`withdraw`].
pub fn embed(command: &str, make: Arc<MakeEmbedded>) {
    makers().insert(command.to_owned(), make);
}

/// Lets `command` name a program again.
pub fn withdraw(command: &str) {
    makers().remove(command);
}

/// Returns whether `command` names an embedded agent.
#[must_use]
pub fn is_embedded(command: &str) -> bool {
    makers().contains_key(command)
}

/// Returns what makes the agents of `command`, if it names an embedded agent.
pub(crate) fn maker(command: &str) -> Option<Arc<MakeEmbedded>> {
    makers().get(command).cloned()
}

/// An embedded agent at a table.
pub(crate) struct AtTable<G: Game> {
    agent: Box<dyn Embedded>,
    limit: Duration,
    rules: Value,
    fault: Option<Fault>,
    actions: Vec<G::Action>,
}

impl<G: Game> fmt::Debug for AtTable<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AtTable")
    }
}

impl<G: Game> AtTable<G> {
    pub(crate) fn new(params: &ExternalParams, make: &MakeEmbedded) -> Self {
        Self {
            agent: make(),
            limit: Duration::from_secs_f64(params.seconds),
            rules: params.rules.clone(),
            fault: None,
            actions: Vec::new(),
        }
    }

    /// Lets the agent act; a failure, or an answer after the time limit, is a fault.
    fn act<T: Default>(&mut self, act: impl FnOnce(&mut dyn Embedded) -> Result<T, String>) -> T {
        let since = Instant::now();
        let acted = act(&mut *self.agent);
        let late = || format!("no answer within {} s", self.limit.as_secs_f64());
        let took = since.elapsed().saturating_sub(self.agent.waited());
        let acted = if took > self.limit { acted.and_then(|_| Err(late())) } else { acted };
        acted.unwrap_or_else(|reason| {
            self.fault = Some(Fault::Agent(reason));
            T::default()
        })
    }
}

impl<G: Configure + Notation> Agent<G> for AtTable<G> {
    fn start(&mut self, game: &G, seat: Player) {
        self.fault = None;
        let (name, players, rules) = (G::about().name, game.n_players(), self.rules.clone());
        self.act(|agent| agent.start(EmbeddedGame { name, players, rules: &rules, seat }));
    }

    fn choose(&mut self, view: View<'_, G>, rng: &mut Stream) -> G::Action {
        self.actions.clear();
        view.actions(&mut self.actions);
        let seed = rng.below(u32::MAX);
        let world = view.determinization(rng);
        let n = self.actions.len();
        let place = self.act(|agent| {
            let place = agent.choose(&world, seed)?;
            if place < n { Ok(place) } else { Err(format!("illegal index {place} of {n} actions")) }
        });
        self.actions[place]
    }

    fn end(&mut self, _end: GameEnd<'_, G>) {
        self.act(|agent| agent.end());
    }

    fn fault(&mut self) -> Option<Fault> {
        self.fault.take()
    }
}
