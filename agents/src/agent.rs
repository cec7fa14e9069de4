//! The contract of an agent.

use engine::{Game, Player, Stream, View};

/// A policy for one seat of one game at a time.
pub trait Agent<G: Game>: Send {
    /// Called before the first event of every game.
    fn start(&mut self, _game: &G, _seat: Player) {}

    /// Chooses one of the observer's legal actions; `rng` is the only source of randomness.
    fn choose(&mut self, view: View<'_, G>, rng: &mut Stream) -> G::Action;

    /// Why the agent cannot play on, in one line, if it cannot: an agent that depends on something outside may
    /// fail. Whoever runs agents asks after every start and every choice; after a fault the choice means nothing,
    /// the game is forfeited, and a new agent takes the place of this one.
    fn fault(&mut self) -> Option<String> {
        None
    }
}
