//! What it takes to play a game beyond its rules: [`Playable`].
//!
//! Opinions about a game (how to play it greedily, who meets whom by default) are attached here and in
//! `heuristics`, never in `engine`.

use engine::{Configure, Game, Notation, Player, Turn};

use crate::agent::Agent;
use crate::greedy::{EPSILON, Greedy};
use crate::guide::Guide;
use crate::mcts::{Config, Mcts};
use crate::param::{Knob, Settings};
use crate::weighted::Weighted;

/// A tournament for which no agent is named.
#[derive(Clone, Copy, Debug)]
pub struct Lineup {
    /// The specs of its agents; the last one fills the seats that are left.
    pub specs: &'static [&'static str],
    /// Its blocks, where no length is named either: what takes seconds.
    pub blocks: u64,
}

impl Lineup {
    /// What serves a game whose agents are fast.
    pub const USUAL: Self = Self { specs: &["greedy", "random"], blocks: 500 };
}

/// A game that agents can play: what a search knows of it, its greedy agent, its own parameters of agents, and defaults.
pub trait Playable: Notation + Configure + Weighted {
    /// What a search knows of this game.
    type Guide: Guide<Self>;

    /// The guide of a search, where `settings` say what of [`Self::PARAMS`] is not the default.
    ///
    /// # Errors
    /// If a file that they name is of no use: the message says why.
    fn guide(&self, settings: &Settings) -> Result<Self::Guide, String>;

    /// The agent `greedy` of this game; by default one ply of [`Game::scores`].
    ///
    /// # Errors
    /// If a file that `settings` name is of no use: the message says why.
    fn greedy(&self, settings: &Settings) -> Result<Box<dyn Agent<Self>>, String> {
        Ok(Box::new(Greedy::new(settings.number(&EPSILON))))
    }

    /// The search of this game with these settings. A game of which many crates build agents writes
    /// [`search_built_here!`](crate::search_built_here) into its implementation, so that its searches are compiled once
    /// and not by each of them.
    ///
    /// # Errors
    /// If the settings need a guide that knows more than `guide` does.
    fn search(config: Config, guide: Self::Guide) -> Result<Box<dyn Agent<Self>>, String> {
        Ok(Box::new(Mcts::new(config, guide)?))
    }

    /// The parameters of agents that only this game has. Games that give one the same name give it the same default; its
    /// values may differ.
    const PARAMS: &'static [Knob] = &[];

    /// The settings of a search for which nothing is said, in the words of a spec; the rest are those of any game.
    const SEARCH: &'static str = "";

    /// What holds over [`Self::SEARCH`] at tables of so many players, where their number changes how far a search should look.
    const SEARCH_AT: &'static [(usize, &'static str)] = &[];

    /// The tournament of this game for which no agent is named.
    const LINEUP: Lineup = Lineup::USUAL;
}

/// [`Playable::search`], compiled in the crate that writes this into an implementation of [`Playable`].
///
/// The default does the same, but a default body belongs to whoever calls it: every test and command that built an
/// agent used to compile all searches of all games anew.
#[macro_export]
macro_rules! search_built_here {
    () => {
        #[inline(never)]
        fn search(
            config: $crate::mcts::Config,
            guide: Self::Guide,
        ) -> Result<Box<dyn $crate::Agent<Self>>, String> {
            Ok(Box::new($crate::mcts::Mcts::new(config, guide)?))
        }
    };
}

/// The player who decides in `state`, the first of several; `None` where nobody does.
#[must_use]
pub fn decider<G: Game>(game: &G, state: &G::State) -> Option<Player> {
    match game.turn(state) {
        Turn::Player(player) => Some(player),
        Turn::Simultaneous(players) => players.iter().next(),
        Turn::Chance | Turn::Over => None,
    }
}
