//! The form in which an agent gets a state: a [`View`] from one seat.
//!
//! The fields are private, and [`View::state`] exists for games of perfect information only: an agent that peeks does
//! not compile. Only a view made by [`View::revealing`], for agents that are marked as cheating, has a [`View::truth`].
//!
//! ```compile_fail
//! use engine::{View, games::kuhn_poker::KuhnPoker};
//! fn peek(view: View<'_, KuhnPoker>) {
//!     let _ = view.state(); // no method `state`: cards are hidden
//! }
//! ```

use serde_json::Value;

use crate::game::{Game, PerfectInformation, Turn};
use crate::notation::Notation;
use crate::player::{ByPlayer, Player};
use crate::rng::Randomness;

/// A position as one player sees it.
#[derive(Debug)]
pub struct View<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    observer: Player,
    reveals: bool,
}

impl<G: Game> Clone for View<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Game> Copy for View<'_, G> {}

impl<'a, G: Game> View<'a, G> {
    /// Returns the view of `observer`. Runners make views; agents only receive them.
    #[must_use]
    pub const fn new(game: &'a G, state: &'a G::State, observer: Player) -> Self {
        Self { game, state, observer, reveals: false }
    }

    /// Returns a view that also reveals the state itself. It is only for agents that are marked as cheating: these give
    /// an upper bound on the value of more information.
    #[must_use]
    pub const fn revealing(game: &'a G, state: &'a G::State, observer: Player) -> Self {
        Self { game, state, observer, reveals: true }
    }

    /// Returns the state itself in a view made by [`View::revealing`], and `None` in every other.
    #[must_use]
    pub const fn truth(&self) -> Option<&'a G::State> {
        if self.reveals { Some(self.state) } else { None }
    }

    /// Returns the rules.
    #[must_use]
    pub const fn game(&self) -> &'a G {
        self.game
    }

    /// Returns the player whose view it is.
    #[must_use]
    pub const fn observer(&self) -> Player {
        self.observer
    }

    /// Returns the next to act, which every player knows.
    #[must_use]
    pub fn turn(&self) -> Turn {
        self.game.turn(self.state)
    }

    /// Returns the whole state to the games of this crate, whose observations show what the observer knows of it.
    pub(crate) const fn position(&self) -> &'a G::State {
        self.state
    }

    /// Appends the observer's legal actions.
    pub fn actions(&self, out: &mut Vec<G::Action>) {
        self.game.actions(self.state, self.observer, out);
    }

    /// Returns the number of the observer's legal actions.
    pub fn n_actions(&self, scratch: &mut Vec<G::Action>) -> usize {
        self.game.n_actions(self.state, self.observer, scratch)
    }

    /// Returns a uniformly random legal action of the observer.
    pub fn random_action<R: Randomness + ?Sized>(
        &self,
        rng: &mut R,
        scratch: &mut Vec<G::Action>,
    ) -> G::Action {
        self.game.random_action(self.state, self.observer, rng, scratch)
    }

    /// Returns the key of the information state of the observer: a hash of all their information.
    #[must_use]
    pub fn info_state_key(&self) -> u64 {
        self.game.info_state_key(self.state, self.observer)
    }

    /// Returns the scores, which are public in every game that has any.
    #[must_use]
    pub fn scores(&self) -> Option<ByPlayer<i32>> {
        self.game.scores(self.state)
    }

    /// Returns a world that the observer holds possible, drawn from the posterior.
    pub fn determinization<R: Randomness + ?Sized>(&self, rng: &mut R) -> G::State {
        let mut world = *self.state;
        self.game.determinize(&mut world, self.observer, rng);
        world
    }

    /// Returns a world that the observer holds possible; `kept` is the memory for one that must be drawn. Where the
    /// observer sees everything, the position itself is the only possible world.
    pub fn determinization_in<'w, R: Randomness + ?Sized>(
        &'w self,
        kept: &'w mut Option<G::State>,
        rng: &mut R,
    ) -> &'w G::State {
        if self.game.is_open_to(self.state, self.observer) {
            return self.state;
        }
        let world = kept.insert(*self.state);
        self.game.determinize(world, self.observer, rng);
        world
    }
}

impl<G: Notation> View<'_, G> {
    /// Returns the observer's view as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        self.game.view_json(self.state, self.observer)
    }

    /// Returns the observer's view for people: several lines, ending with a newline.
    ///
    /// # Panics
    /// If the game cannot write its views (a bug of the game).
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let written = self.game.write_view(self.state, self.observer, &mut text);
        written.expect("writing to a string does not fail");
        text
    }
}

impl<'a, G: PerfectInformation> View<'a, G> {
    /// Returns the state itself: nothing is hidden in this game.
    #[must_use]
    pub const fn state(&self) -> &'a G::State {
        self.state
    }
}
