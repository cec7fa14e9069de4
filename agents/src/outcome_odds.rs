//! Exact odds of a process under way in a game, for reports after the game.
//!
//! **For people, never for agents.** The odds use the whole state.

use engine::Game;

/// The odds of a process under way in a game. The implementation may cache results.
pub trait OutcomeOdds<G: Game>: Send {
    /// Returns the possible ends of the process under way in `state`: a short text and a probability each. The
    /// probabilities add up to one. The list is empty if no process is under way or its odds are unknown.
    fn look(&mut self, game: &G, state: &G::State) -> Vec<(&'static str, f64)>;
}
