//! The catalogue of games: the only `match` from the name of a game to its type.
//!
//! A task for a game whose type is unknown until run time implements [`WithGame`] (a built game) or [`WithType`] (only
//! the type).

use agents::param::Rows;
use agents::{Observable, OfGame, Playable};
use engine::rules::nearest;
use engine::{About, ActionIndex, Configure, Data, Game, ObservationTensor, Rules};
use serde_json::Value as Json;

use crate::error::Error;
use crate::visible::visible;

/// A game of the catalogue: everything that the command and the other doors ask of a game.
pub trait Listed:
    Game<State: Data> + Playable + Observable + ActionIndex + ObservationTensor
{
}

impl<G> Listed for G where
    G: Game<State: Data> + Playable + Observable + ActionIndex + ObservationTensor
{
}

/// A task for the type of a game.
pub trait WithType {
    /// The result of the task.
    type Output;
    /// Runs the task for `G`.
    fn run<G: Listed>(self) -> Self::Output;
}

/// A task for a built game.
pub trait WithGame {
    /// The result of the task.
    type Output;
    /// Runs the task; `game` was built from the configuration `rules`.
    fn run<G: Listed>(self, game: G, rules: &Rules) -> Self::Output;
}

macro_rules! dispatch {
    ($($name:literal => $game:ty),* $(,)?) => {
        /// The names of all games, in the order of the catalogue.
        pub const NAMES: &[&str] = &[$($name),*];

        fn dispatch<T: WithType>(name: &str, task: T) -> Option<T::Output> {
            match name {
                $($name => Some(task.run::<$game>()),)*
                _ => None,
            }
        }
    };
}
engine::catalogue!(dispatch);

/// Runs `task` for the game called `name`.
///
/// # Errors
/// If there is no such game.
pub fn with_type<T: WithType>(name: &str, task: T) -> Result<T::Output, Error> {
    dispatch(name, task).ok_or_else(|| {
        let hint = match nearest(name, NAMES) {
            Some(near) => format!("nearest: {near}; "),
            None => String::new(),
        };
        let name = visible(name);
        Error::Usage(format!("unknown game \"{name}\" ({hint}known: {})", NAMES.join(", ")))
    })
}

/// Returns the facts about the game called `name`.
///
/// # Errors
/// If there is no such game.
pub fn about(name: &str) -> Result<About, Error> {
    struct Facts;
    impl WithType for Facts {
        type Output = About;
        fn run<G: Playable>(self) -> About {
            G::about()
        }
    }
    with_type(name, Facts)
}

/// Returns the plural noun for the chance events of the game `name` whose exact odds are known; `None` without such
/// events.
///
/// # Errors
/// If there is no such game.
pub fn dice_of(name: &str) -> Result<Option<&'static str>, Error> {
    struct Dice;
    impl WithType for Dice {
        type Output = Option<&'static str>;
        fn run<G: Playable + Observable>(self) -> Option<&'static str> {
            G::DICE
        }
    }
    with_type(name, Dice)
}

/// Returns the size of a state of the game called `name`, in bytes.
///
/// # Errors
/// If there is no such game.
pub fn state_bytes(name: &str) -> Result<usize, Error> {
    struct Bytes;
    impl WithType for Bytes {
        type Output = usize;
        fn run<G: Playable + Observable>(self) -> usize {
            size_of::<G::State>()
        }
    }
    with_type(name, Bytes)
}

/// The parameters of agents in a game, and the weights of its evaluation.
#[derive(Debug)]
pub struct OfAgents {
    /// The parameters of agents in the game.
    pub says: OfGame,
    /// The weights of its evaluation.
    pub weights: Rows,
}

/// Returns the parameters and weights of agents in the game called `name`.
///
/// # Errors
/// If there is no such game.
pub fn of_agents(name: &str) -> Result<OfAgents, Error> {
    struct Ask;
    impl WithType for Ask {
        type Output = OfAgents;
        fn run<G: Playable + Observable>(self) -> OfAgents {
            OfAgents { says: OfGame::of::<G>(), weights: G::weights() }
        }
    }
    with_type(name, Ask)
}

/// Returns the rules of the game called `name` under `overrides`, without a table.
///
/// # Errors
/// If there is no such game, or its rules are refused.
pub fn rules_of(name: &str, overrides: &Overrides) -> Result<Rules, Error> {
    struct Read<'a>(&'a Overrides);
    impl WithType for Read<'_> {
        type Output = Result<Rules, Error>;
        fn run<G: Playable + Observable>(self) -> Self::Output {
            self.0.rules::<G>()
        }
    }
    with_type(name, Read(overrides))?
}

/// Returns the rules of the game of `setup`; building the game checks them.
///
/// # Errors
/// If there is no such game, no such table, or its rules are refused.
pub fn checked_rules(setup: &Setup) -> Result<Rules, Error> {
    struct Take;
    impl WithGame for Take {
        type Output = Rules;
        fn run<G: Playable + Observable>(self, _game: G, rules: &Rules) -> Rules {
            rules.clone()
        }
    }
    with_game(setup, Take)
}

/// Changes to the default rules, as texts, in layers.
///
/// From the lowest: the rules of a continued game, a file, settings, and the overrides of a record.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// The `rules` of the record of a continued game, below all other layers.
    pub base: Option<Json>,
    /// The name and the text of a rules file.
    pub file: Option<(String, String)>,
    /// The settings `KEY=VALUE`.
    pub settings: Vec<String>,
    /// The `rules` of a record's header.
    pub recorded: Option<Json>,
}

impl Overrides {
    /// Returns the rules of `G` with these changes.
    ///
    /// # Errors
    /// If a key or value is refused.
    pub fn rules<G: Configure>(&self) -> Result<Rules, Error> {
        let mut rules = Rules::of::<G>();
        if let Some(base) = &self.base {
            rules.overlay_json(base)?;
        }
        if let Some((name, text)) = &self.file {
            rules.overlay(name, text)?;
        }
        for setting in &self.settings {
            rules.set(setting)?;
        }
        if let Some(recorded) = &self.recorded {
            rules.overlay_json(recorded)?;
        }
        Ok(rules)
    }
}

/// A game with its table and its rules.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The name of the game.
    pub game: String,
    /// The number of players; the game's default if `None`.
    pub players: Option<usize>,
    /// The changes to the default rules.
    pub overrides: Overrides,
}

impl Setup {
    /// Returns the game `name` with all defaults.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { game: name.to_owned(), players: None, overrides: Overrides::default() }
    }

    /// Returns this setup for a table of `players`.
    #[must_use]
    pub const fn for_players(mut self, players: usize) -> Self {
        self.players = Some(players);
        self
    }

    /// Builds the game and its rules, in the same way for every task.
    fn build<G: Configure>(&self) -> Result<(G, Rules), Error> {
        let players = self.players.unwrap_or(G::about().default_players);
        let rules = self.overrides.rules::<G>()?;
        Ok((G::configure(players, &rules)?, rules))
    }
}

struct Build<'a, T> {
    setup: &'a Setup,
    task: T,
}

impl<T: WithGame> WithType for Build<'_, T> {
    type Output = Result<T::Output, Error>;

    fn run<G: Listed>(self) -> Self::Output {
        let (game, rules) = self.setup.build::<G>()?;
        Ok(self.task.run(game, &rules))
    }
}

/// Builds the game of `setup` and runs `task` with it.
///
/// # Errors
/// If there is no such game, no such table, or its rules are refused.
pub fn with_game<T: WithGame>(setup: &Setup, task: T) -> Result<T::Output, Error> {
    with_type(&setup.game, Build { setup, task })?
}
