//! What a game declares to those who experiment with it: [`Treatable`].

use crate::game::Game;
use crate::market::{Market, Placings, Precedence, Territory, Uptake};
use crate::player::{ByPlayer, Player};
use crate::treatment::{Sweep, Treatment};

/// A game as those see it who experiment with it. By default nothing can be done to it, and it has no stages, places or
/// prices.
pub trait Treatable: Game {
    /// What can be done to it from outside: the keys beside those of the default configuration.
    #[must_use]
    fn treatments() -> &'static [Treatment] {
        &[]
    }

    /// What of its default configuration can be swept.
    #[must_use]
    fn sweeps() -> &'static [Sweep] {
        &[]
    }

    /// What of its treatments and sweeps makes worths into prices, for each kind of things that it sells.
    #[must_use]
    fn markets() -> &'static [Market] {
        &[]
    }

    /// Which of its treatments and sweeps are about places that players hold; nothing if it has no such places.
    #[must_use]
    fn territory() -> Option<Territory> {
        None
    }

    /// Which of its treatments set the turn order of a stage; nothing if it has none that changes.
    #[must_use]
    fn precedence() -> Option<Precedence> {
        None
    }

    /// How far the turn order of the stage under way is settled; nothing where there is none to bid for.
    fn placings(&self, _state: &Self::State) -> Option<Placings> {
        None
    }

    /// Whether what is done in a stage is done as it begins, before its first event of chance. Who branches there has to
    /// begin with the position before the event that led into the stage.
    #[must_use]
    fn treats_before_chance() -> bool {
        false
    }

    /// The stage under way, from 1, as treatments name it: what is done in it acts on no position of an earlier stage,
    /// and, where it begins with chance, not yet on the first of its own, unless [`Self::treats_before_chance`]. It never
    /// goes back; 1 in a game without stages.
    fn stage(&self, _state: &Self::State) -> u8 {
        1
    }

    /// Returns how many stages its rules give it, 1 in a game without stages.
    fn n_stages(&self) -> u8 {
        1
    }

    /// Appends what `player` can do in the decision that is due, as far as a ban could keep him from it: every uptake once.
    fn available_uptakes<'a>(
        &'a self,
        _state: &Self::State,
        _player: Player,
        _out: &mut Vec<Uptake<'a>>,
    ) {
    }

    /// Appends what `player` does with `action`, as far as a ban could keep him from it.
    fn uptake<'a>(
        &'a self,
        _state: &Self::State,
        _player: Player,
        _action: Self::Action,
        _out: &mut Vec<Uptake<'a>>,
    ) {
    }

    /// Appends what every player holds in each of its places, with their names as treatments have them.
    fn holdings<'a>(&'a self, _state: &Self::State, _out: &mut Vec<(&'a str, ByPlayer<u8>)>) {}

    /// The place, by its name among those of [`Self::holdings`], where a fight is under way.
    fn fighting<'a>(&'a self, _state: &Self::State) -> Option<&'a str> {
        None
    }
}
