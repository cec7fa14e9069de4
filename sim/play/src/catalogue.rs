//! From the name of a game to its type: the one `match` over names.
//!
//! A task that must run for a game whose type is not known until run time implements [`WithGame`] (a built game)
//! or [`WithType`] (only the type).

use agents::param::Rows;
use agents::{Observable, OfGame, Playable};
use engine::{About, Configure, Rules, rules::nearest};
use serde_json::Value as Json;

use crate::error::Error;
use crate::visible::visible;

/// A task for the type of a game.
pub trait WithType {
    /// What the task gives.
    type Output;
    /// Runs the task for `G`.
    fn run<G: Playable + Observable>(self) -> Self::Output;
}

/// A task for a built game.
pub trait WithGame {
    /// What the task gives.
    type Output;
    /// Runs the task; `rules` is the configuration of which `game` was built.
    fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Self::Output;
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

/// The facts about the game called `name`.
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

/// What chance of the game called `name` has exact odds that are weighed, in the plural; `None` if none has.
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

/// The bytes of a state of the game called `name`.
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
    /// The parameters that agents have there.
    pub says: OfGame,
    /// The weights.
    pub weights: Rows,
}

/// What the game called `name` says of agents.
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

/// The rules of the game called `name` under `overrides`, at no table.
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

/// The rules of the game of `setup`, which is built as a check.
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

/// Changes to the default rules, as texts: those of a game that is gone on with, a file, settings over it, the overrides of
/// a record over that.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// The `rules` of the record of a game that goes on, under all others.
    pub base: Option<Json>,
    /// A rules file: its name and its text.
    pub file: Option<(String, String)>,
    /// Settings `KEY=VALUE`.
    pub settings: Vec<String>,
    /// The `rules` of a record's header.
    pub recorded: Option<Json>,
}

impl Overrides {
    /// The rules of `G` with these changes.
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

/// Which game, at which table, under which rules.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The name of the game.
    pub game: String,
    /// The number of players; the game's default if `None`.
    pub players: Option<usize>,
    /// Changes to the default rules.
    pub overrides: Overrides,
}

impl Setup {
    /// The game `name` as it is by default.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { game: name.to_owned(), players: None, overrides: Overrides::default() }
    }

    /// The same for a table of `players`.
    #[must_use]
    pub const fn for_players(mut self, players: usize) -> Self {
        self.players = Some(players);
        self
    }

    /// The game and its rules, which is the same for every task.
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

    fn run<G: Playable + Observable>(self) -> Self::Output {
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
