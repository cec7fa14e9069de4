//! Readers of a position for agents.

use crate::games::classic::Classic;
use crate::games::classic::model::action::Action;
use crate::games::classic::model::detail::{Detail, Group};
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{N_PROVINCES, Place, PlaceSet};
use crate::games::classic::model::state::State;
use crate::games::shared::units::Unit;
use crate::player::{Player, PlayerSet};

impl State {
    /// Returns the decision or chance event that is due.
    #[inline]
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the round under way, from 1; 0 during setup.
    #[inline]
    #[must_use]
    pub const fn round(&self) -> u8 {
        self.round
    }

    /// Returns the player whose turn it is.
    #[inline]
    #[must_use]
    pub const fn turn(&self) -> Player {
        self.turn
    }

    /// Returns the wave of marches, 1 to 3; 0 outside movement.
    #[inline]
    #[must_use]
    pub const fn wave(&self) -> u8 {
        self.wave
    }

    /// Returns the players who are out.
    #[inline]
    #[must_use]
    pub const fn out(&self) -> PlayerSet {
        self.out
    }

    /// Returns the talents of a player.
    #[inline]
    #[must_use]
    pub fn talents(&self, player: Player) -> u16 {
        self.talents[player]
    }

    /// Returns the provinces of a player.
    #[inline]
    #[must_use]
    pub fn owned(&self, player: Player) -> PlaceSet {
        self.owned[player]
    }

    /// Returns the places with troops of a player, aboard included.
    #[inline]
    #[must_use]
    pub fn armies(&self, player: Player) -> PlaceSet {
        self.army[player]
    }

    /// Returns the places with leaders of a player, aboard included.
    #[inline]
    #[must_use]
    pub fn leaders(&self, player: Player) -> PlaceSet {
        self.leaders[player]
    }

    /// Returns the place of the caesar of a player, or `None` if the player is out.
    #[inline]
    #[must_use]
    pub fn caesar(&self, player: Player) -> Option<Place> {
        self.caesar[player]
    }

    /// Returns the provinces with cities.
    #[inline]
    #[must_use]
    pub const fn cities(&self) -> PlaceSet {
        self.cities
    }

    /// Returns the provinces with fortified cities.
    #[inline]
    #[must_use]
    pub const fn forts(&self) -> PlaceSet {
        self.forts
    }

    /// Returns the provinces with a guard.
    #[inline]
    #[must_use]
    pub const fn guards(&self) -> PlaceSet {
        self.guards
    }

    /// Returns the number of generals of `owner` that a player holds.
    #[inline]
    #[must_use]
    pub fn captives(&self, captor: Player, owner: Player) -> u8 {
        self.captives[captor].of(owner)
    }

    /// Returns the number of units of a kind that a player can still buy.
    #[inline]
    #[must_use]
    pub fn pool(&self, player: Player, unit: Unit) -> u8 {
        self.pool[player][unit]
    }

    /// Returns the group whose members are being counted.
    #[inline]
    #[must_use]
    pub const fn group(&self) -> Option<Group> {
        match self.detail {
            Detail::Group(group) => Some(group),
            _ => None,
        }
    }

    /// Returns the place of the battle under way and its defender; a guard has none.
    #[inline]
    #[must_use]
    pub fn battle(&self) -> Option<(Place, Option<Player>)> {
        (self.battle.round > 0).then_some((self.battle.place, self.battle.defender))
    }
}

impl Classic {
    /// Returns the first final round (clause 13).
    #[inline]
    #[must_use]
    pub fn final_round(&self) -> u8 {
        self.board.config.options.final_round as u8
    }

    /// Returns the number of options of the decision that is due.
    #[inline]
    #[must_use]
    pub const fn n_options(&self, s: &State) -> u16 {
        s.options.n()
    }

    /// Returns the option `k` of the decision that is due, counts from the least to the most.
    ///
    /// # Panics
    /// If there are fewer options.
    #[inline]
    #[must_use]
    pub fn nth_option(&self, s: &State, k: u16) -> Action {
        self.option(s, k)
    }

    /// Returns the home of a seat.
    ///
    /// # Panics
    /// If the table has no such seat.
    #[inline]
    #[must_use]
    pub fn home_of(&self, player: Player) -> Place {
        self.home(player)
    }

    /// Returns all homes.
    #[inline]
    #[must_use]
    pub fn homes(&self) -> PlaceSet {
        self.board.homes
    }

    /// Returns the amount that a province adds to a tribute.
    ///
    /// # Panics
    /// If the place is a sea zone.
    #[inline]
    #[must_use]
    pub fn value(&self, place: Place) -> u16 {
        self.board.value[place.idx()]
    }

    /// Returns the full number of the guard of a home; 0 where there is none.
    ///
    /// # Panics
    /// If the place is a sea zone.
    #[inline]
    #[must_use]
    pub fn guard(&self, place: Place) -> u8 {
        self.board.guard[place.idx()]
    }

    /// Returns the provinces that troops of a player could enter from a province by a march step, roads apart.
    ///
    /// # Panics
    /// If the place is a sea zone.
    #[inline]
    #[must_use]
    pub fn neighbours(&self, s: &State, player: Player, place: Place) -> PlaceSet {
        self.beside(s, player, place)
    }

    /// Returns the provinces and zones that galleys reach with one step.
    #[inline]
    #[must_use]
    pub fn coasts(&self, place: Place) -> PlaceSet {
        self.board.near[place.idx()]
    }

    /// Returns whether the place is a province with a coast.
    #[inline]
    #[must_use]
    pub fn is_port(&self, place: Place) -> bool {
        place.idx() < N_PROVINCES && self.board.coastal.contains(place)
    }

    /// Returns the number of units of a kind that a colour has.
    #[inline]
    #[must_use]
    pub fn pool_of(&self, unit: Unit) -> u8 {
        self.board.pool[unit]
    }

    /// Returns the largest number of troops that one leader takes along.
    #[inline]
    #[must_use]
    pub fn troops_per_leader(&self) -> u8 {
        self.board.config.movement.troops_per_leader as u8
    }

    /// Returns the largest number of troops of a legion of a player in a place (7.3).
    #[inline]
    #[must_use]
    pub fn legion_limit(&self, s: &State, player: Player, place: Place) -> u8 {
        self.cap_with(s, player, place)
    }
}
