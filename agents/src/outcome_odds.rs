//! How what is under way will end: exact chances that a game knows, for those who tell a game afterwards.
//!
//! **For people, never for agents.** It is asked of the whole state.

use engine::Game;

/// What a game knows of what is under way. It may keep what it has computed.
pub trait OutcomeOdds<G: Game>: Send {
    /// The ways in which what is under way in `state` can end, each in a few words with its chance, which add up to one;
    /// nothing where nothing is under way or nobody knows.
    fn look(&mut self, game: &G, state: &G::State) -> Vec<(&'static str, f64)>;
}
