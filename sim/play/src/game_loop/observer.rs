//! Observers of a running game.

use engine::{Game, Player};

use super::address::Run;

/// An observer of a running game, which changes nothing; its methods do nothing by default.
///
/// An observer gets the full state. Its findings are for analysis after the game and reach no agent; each agent still
/// gets only its view. The loop is compiled for each type of observer, so `()` costs nothing.
pub trait GameObserver<G: Game> {
    /// Observes the position where play begins; by default like any other position.
    fn begins(&mut self, game: &G, run: &Run<G::State>) {
        self.at(game, run);
    }

    /// Observes the position after an event: another event is due, or the game is over.
    fn at(&mut self, _game: &G, _run: &Run<G::State>) {}

    /// Observes that `player` chose `action` in `state`, before it is applied; `plies` choices were made before.
    fn chosen(
        &mut self,
        _game: &G,
        _state: &G::State,
        _player: Player,
        _action: G::Action,
        _plies: u32,
    ) {
    }

    /// Observes that chance gave `outcome` in `state`, before it is applied.
    fn drawn(&mut self, _game: &G, _state: &G::State, _outcome: G::Action, _plies: u32) {}

    /// Returns whether the game may stop early; called after every event.
    fn has_enough(&self) -> bool {
        false
    }
}

/// An observer that ignores everything.
impl<G: Game> GameObserver<G> for () {}

impl<G: Game, O: GameObserver<G> + ?Sized> GameObserver<G> for &mut O {
    #[inline]
    fn begins(&mut self, game: &G, run: &Run<G::State>) {
        (**self).begins(game, run);
    }

    #[inline]
    fn at(&mut self, game: &G, run: &Run<G::State>) {
        (**self).at(game, run);
    }

    #[inline]
    fn chosen(&mut self, game: &G, state: &G::State, player: Player, action: G::Action, n: u32) {
        (**self).chosen(game, state, player, action, n);
    }

    #[inline]
    fn drawn(&mut self, game: &G, state: &G::State, outcome: G::Action, plies: u32) {
        (**self).drawn(game, state, outcome, plies);
    }

    #[inline]
    fn has_enough(&self) -> bool {
        (**self).has_enough()
    }
}

/// A pair of observers; the first gets each event first.
impl<G: Game, A: GameObserver<G>, B: GameObserver<G>> GameObserver<G> for (A, B) {
    #[inline]
    fn begins(&mut self, game: &G, run: &Run<G::State>) {
        self.0.begins(game, run);
        self.1.begins(game, run);
    }

    #[inline]
    fn at(&mut self, game: &G, run: &Run<G::State>) {
        self.0.at(game, run);
        self.1.at(game, run);
    }

    #[inline]
    fn chosen(&mut self, game: &G, state: &G::State, player: Player, action: G::Action, n: u32) {
        self.0.chosen(game, state, player, action, n);
        self.1.chosen(game, state, player, action, n);
    }

    #[inline]
    fn drawn(&mut self, game: &G, state: &G::State, outcome: G::Action, plies: u32) {
        self.0.drawn(game, state, outcome, plies);
        self.1.drawn(game, state, outcome, plies);
    }

    #[inline]
    fn has_enough(&self) -> bool {
        self.0.has_enough() || self.1.has_enough()
    }
}
