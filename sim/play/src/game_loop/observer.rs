//! Those who hear of a game while it is played.

use engine::{Game, Player};

use super::address::Run;

/// Hears of a game while it is played, and changes nothing; does nothing by default.
///
/// An observer gets the state itself: what it finds out is for analysis after the game and reaches no agent, which gets its
/// view as ever. The loop is compiled for each kind of observer, so that nothing is paid where `()` hears.
pub trait GameObserver<G: Game> {
    /// The game stands where it is played from; by default a position as any other.
    fn begins(&mut self, game: &G, run: &Run<G::State>) {
        self.at(game, run);
    }

    /// The game stands there after an event: another one is due, or it is over.
    fn at(&mut self, _game: &G, _run: &Run<G::State>) {}

    /// `player` has chosen `action` in `state`, to which it is not yet applied; before it, `plies` choices were made.
    fn chosen(
        &mut self,
        _game: &G,
        _state: &G::State,
        _player: Player,
        _action: G::Action,
        _plies: u32,
    ) {
    }

    /// Chance has come to `outcome` in `state`, to which it is not yet applied.
    fn drawn(&mut self, _game: &G, _state: &G::State, _outcome: G::Action, _plies: u32) {}

    /// Whether the game need not be played on; asked after every event.
    fn has_enough(&self) -> bool {
        false
    }
}

/// Nobody hears.
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

/// Both hear, the first one first.
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
