//! What the tools need of a game beyond its rules: [`Playable`].
//!
//! Opinions about a game (how to play it greedily, who meets whom by default) are attached here and in
//! `heuristics`, never in `engine`.

use engine::{ByPlayer, Configure, Notation};

use crate::agent::Agent;
use crate::greedy::{Greedy, GreedyParams};
use crate::guide::Guide;
use crate::mcts;

/// How an agent wants to play, for games whose evaluation knows more than one way.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Style {
    /// The persona, if it is not the balanced one.
    pub persona: Option<&'static str>,
    /// The text of a TOML file with weights of the evaluation, laid over those of the persona.
    pub weights: Option<String>,
    /// Whether a battle that is tried out is one draw from its exact odds, and not played roll by roll.
    pub draws_battles: bool,
}

impl Style {
    /// The complaint of a game that knows one way only.
    ///
    /// # Errors
    /// If any style is asked for.
    pub fn must_be_plain(&self, game: &str) -> Result<(), String> {
        match self {
            Self { persona: Some(persona), .. } => {
                Err(format!("{game} has no personas, so none is {persona}"))
            }
            Self { weights: Some(_), .. } => Err(format!("{game} has no weights to replace")),
            _ => Ok(()),
        }
    }
}

/// A game that the command line can play.
pub trait Playable: Notation + Configure {
    /// The specs of a tournament for which no agent is named; the last one fills the seats that are left.
    const DEFAULT_LINEUP: &'static [&'static str] = &["greedy", "random"];

    /// What a search knows of this game.
    type Guide: Guide<Self>;

    /// The guide of a search that plays in `style`.
    ///
    /// # Errors
    /// If the game has no such style: the message says which and why.
    fn guide(&self, style: &Style) -> Result<Self::Guide, String>;

    /// The settings of a search for which nothing is said.
    #[must_use]
    fn search_defaults() -> mcts::Config {
        mcts::Config::default()
    }

    /// The agent `greedy` of this game; by default one ply of [`Game::scores`](engine::Game::scores).
    ///
    /// # Errors
    /// If the game cannot use a parameter: the message says which and why.
    fn greedy(&self, params: &GreedyParams) -> Result<Box<dyn Agent<Self>>, String> {
        params.style.must_be_plain(Self::about().name)?;
        Ok(Box::new(Greedy::new(params.epsilon)))
    }

    /// Names, defaults and meanings of the weights that the agent `greedy` takes from a file; none by default.
    #[must_use]
    fn weights() -> &'static [(&'static str, f32, &'static str)] {
        &[]
    }

    /// Public numbers of a game that belong into `games.csv` beside the score, each with its column name.
    /// Which ones there are must not depend on the state.
    fn extras(&self, _state: &Self::State) -> Vec<(&'static str, ByPlayer<i32>)> {
        Vec::new()
    }
}

/// The proof that every game of the catalogue is [`Playable`].
macro_rules! all_are_playable {
    ($($name:literal => $game:ty),* $(,)?) => {
        const _: () = {
            const fn is_playable<G: Playable>() {}
            $(is_playable::<$game>();)*
        };
    };
}
engine::catalogue!(all_are_playable);
