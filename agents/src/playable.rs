//! The properties of a game beyond its rules that agents need: [`Playable`].
//!
//! Heuristics and defaults (greedy play, the default lineup) are attached here and in `heuristics`, never in `engine`.

use engine::{Configure, Game, Notation, Player, Turn};

use crate::agent::Agent;
use crate::evaluators::SharedEvaluator;
use crate::greedy::{EPSILON, Greedy};
use crate::guide::Guide;
use crate::mcts::{Config, Mcts};
use crate::param::{Knob, Settings};
use crate::weighted::Weighted;

/// The default tournament, for commands that name no agent.
#[derive(Clone, Copy, Debug)]
pub struct Lineup {
    /// The specs of the agents. The last agent fills the remaining seats.
    pub specs: &'static [&'static str],
    /// The default number of blocks, which takes seconds.
    pub blocks: u64,
}

impl Lineup {
    /// The lineup for games with fast agents.
    pub const USUAL: Self = Self { specs: &["greedy", "random"], blocks: 500 };
}

/// A game that agents can play: its guide for searches, its greedy agent, its agent parameters and defaults.
pub trait Playable: Notation + Configure + Weighted {
    /// The guide of a search.
    type Guide: Guide<Self>;

    /// Creates the guide of a search. `settings` holds explicit values of [`Self::PARAMS`].
    ///
    /// # Errors
    /// If a file in `settings` is unusable: the message gives the reason.
    fn guide(&self, settings: &Settings) -> Result<Self::Guide, String>;

    /// Creates the agent `greedy` of this game; by default one ply of [`Game::scores`].
    ///
    /// # Errors
    /// If a file in `settings` is unusable: the message gives the reason.
    fn greedy(&self, settings: &Settings) -> Result<Box<dyn Agent<Self>>, String> {
        Ok(Box::new(Greedy::new(settings.number(&EPSILON))))
    }

    /// Creates the search of this game with these settings. A game whose agents are built by many crates writes
    /// [`search_built_here!`](crate::search_built_here) into its implementation. Then its searches compile once, and
    /// not in each of these crates.
    ///
    /// # Errors
    /// If the settings need features that `guide` lacks, or do not go with an evaluator; by default every evaluator is
    /// refused.
    fn search(
        config: Config,
        guide: Self::Guide,
        evaluator: Option<&SharedEvaluator>,
    ) -> Result<Box<dyn Agent<Self>>, String> {
        match evaluator {
            None => Ok(Box::new(Mcts::new(config, guide)?)),
            Some(_) => Err("the searches of this game take no evaluator".to_owned()),
        }
    }

    /// The agent parameters that only this game has. Games that share a name share its default; the accepted values may
    /// differ.
    const PARAMS: &'static [Knob] = &[];

    /// The game's default settings of a search, in the words of a spec. The other settings have the general defaults.
    const SEARCH: &'static str = "";

    /// The default settings that replace [`Self::SEARCH`], by number of players, where a table has settings of its own.
    const SEARCH_AT: &'static [(usize, &'static str)] = &[];

    /// The default tournament of this game.
    const LINEUP: Lineup = Lineup::USUAL;
}

/// Implements [`Playable::search`] in the crate that writes this macro, for a game with
/// [`ActionIndex`](engine::ActionIndex) and [`ObservationTensor`](engine::ObservationTensor).
///
/// Its searches take evaluators. The default body takes none, and it compiles in the calling crate. So every test and
/// command that built an agent would compile all searches of all games.
#[macro_export]
macro_rules! search_built_here {
    () => {
        #[inline(never)]
        fn search(
            config: $crate::mcts::Config,
            guide: Self::Guide,
            evaluator: Option<&$crate::evaluators::SharedEvaluator>,
        ) -> Result<Box<dyn $crate::Agent<Self>>, String> {
            let leaves = evaluator.map($crate::evaluators::AtLeaves::evaluated_by);
            Ok(Box::new($crate::mcts::Mcts::evaluated_by(config, guide, leaves.as_ref())?))
        }
    };
}

/// Returns the player who decides in `state`, the first of several; `None` if no player decides.
#[must_use]
pub fn decider<G: Game>(game: &G, state: &G::State) -> Option<Player> {
    match game.turn(state) {
        Turn::Player(player) => Some(player),
        Turn::Simultaneous(players) => players.iter().next(),
        Turn::Chance | Turn::Over => None,
    }
}
