//! The declarations of a game for experiments: [`Treatable`].

use crate::game::Game;
use crate::market::{Market, Placings, Precedence, Territory, Uptake};
use crate::player::{ByPlayer, Player};
use crate::treatment::{Sweep, Treatment};

/// The interface of a game for experiments. By default it has no treatments, stages, places or prices.
pub trait Treatable: Game {
    /// Returns the treatments of the game: the keys beside those of the default configuration.
    #[must_use]
    fn treatments() -> &'static [Treatment] {
        &[]
    }

    /// Returns the values of the default configuration that can be swept.
    #[must_use]
    fn sweeps() -> &'static [Sweep] {
        &[]
    }

    /// Returns the treatments and sweeps that turn worths into prices, for each kind of thing that the game sells.
    #[must_use]
    fn markets() -> &'static [Market] {
        &[]
    }

    /// Returns the treatments and sweeps of places that players hold, or `None` if the game has no such places.
    #[must_use]
    fn territory() -> Option<Territory> {
        None
    }

    /// Returns the treatments that set the turn order of a stage, or `None` if the order never changes.
    #[must_use]
    fn precedence() -> Option<Precedence> {
        None
    }

    /// Returns the settled part of the turn order of the stage under way, or `None` where there is no bidding for it.
    fn placings(&self, _state: &Self::State) -> Option<Placings> {
        None
    }

    /// Returns whether treatments of a stage act as it begins, before its first event of chance. A branch then has to
    /// begin with the position before the event that led into the stage.
    #[must_use]
    fn treats_before_chance() -> bool {
        false
    }

    /// Returns the stage under way, from 1, as treatments name it. A treatment of a stage acts on no position of an
    /// earlier one. Where the stage begins with chance, it does not act on its first position either, unless
    /// [`Self::treats_before_chance`]. The stage never goes back; it is 1 in a game without stages.
    fn stage(&self, _state: &Self::State) -> u8 {
        1
    }

    /// Returns the number of stages under these rules, 1 in a game without stages.
    fn n_stages(&self) -> u8 {
        1
    }

    /// Appends all acts that `player` can choose in the decision that is due and that a ban could forbid, each once.
    fn available_uptakes<'a>(
        &'a self,
        _state: &Self::State,
        _player: Player,
        _out: &mut Vec<Uptake<'a>>,
    ) {
    }

    /// Appends the acts of `player` in `action` that a ban could forbid.
    fn uptake<'a>(
        &'a self,
        _state: &Self::State,
        _player: Player,
        _action: Self::Action,
        _out: &mut Vec<Uptake<'a>>,
    ) {
    }

    /// Appends the holdings of all players in each place, with the place's name in treatments.
    fn holdings<'a>(&'a self, _state: &Self::State, _out: &mut Vec<(&'a str, ByPlayer<u8>)>) {}

    /// Returns the place of the fight under way, by its name among those of [`Self::holdings`].
    fn fighting<'a>(&'a self, _state: &Self::State) -> Option<&'a str> {
        None
    }
}
