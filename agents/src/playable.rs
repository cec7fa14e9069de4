//! What the tools need of a game beyond its rules: [`Playable`].
//!
//! Opinions about a game (how to play it greedily, who meets whom by default) are attached here and in
//! `heuristics`, never in `engine`.

use engine::{ByPlayer, Configure, Notation};

use crate::agent::Agent;
use crate::greedy::{Greedy, GreedyParams};

/// A game that the command line can play.
pub trait Playable: Notation + Configure {
    /// The specs of a tournament for which no agent is named; the last one fills the seats that are left.
    const DEFAULT_LINEUP: &'static [&'static str] = &["greedy", "random"];

    /// The agent `greedy` of this game; by default one ply of [`Game::scores`](engine::Game::scores).
    ///
    /// # Errors
    /// If the game cannot use a parameter: the message says which and why.
    fn greedy(&self, params: &GreedyParams) -> Result<Box<dyn Agent<Self>>, String> {
        let name = Self::about().name;
        match (params.persona, &params.weights) {
            (Some(persona), _) => Err(format!("{name} has no personas, so none is {persona}")),
            (_, Some(_)) => Err(format!("{name} has no weights to replace")),
            (None, None) => Ok(Box::new(Greedy::new(params.epsilon))),
        }
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
