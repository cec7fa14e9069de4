//! Positions made by hand, for tests, problems and oracles.

use super::Hannibal;
use super::state::{CARTHAGE, Fighter, Phase, ROME, Site, State};
use crate::player::Player;

/// A position under construction. At first it is empty, the hands are full, and the first side is to move.
#[derive(Clone, Copy, Debug)]
pub struct Position<'g> {
    game: &'g Hannibal,
    state: State,
}

impl Hannibal {
    /// Returns an empty board on which to set up a position.
    #[must_use]
    pub fn position(&self) -> Position<'_> {
        Position { game: self, state: State::empty(&self.board) }
    }
}

/// Setters take ids of places, and panic for an unknown id.
impl Position<'_> {
    fn area(&self, id: &str) -> u8 {
        self.game.area(id).unwrap_or_else(|| panic!("there is no area \"{id}\""))
    }

    fn route(&self, id: &str) -> u8 {
        self.game.route(id).unwrap_or_else(|| panic!("there is no route \"{id}\""))
    }

    /// Puts `n` legions of a side into an area.
    ///
    /// # Panics
    /// If there is no such area.
    #[must_use]
    pub fn legions(mut self, seat: usize, area: &str, n: u8) -> Self {
        self.state.set_legions(seat, self.area(area), n);
        self
    }

    /// Puts Hannibal into an area.
    ///
    /// # Panics
    /// If there is no such area.
    #[must_use]
    pub fn hannibal(mut self, area: &str) -> Self {
        self.state.hannibal = 1 << self.area(area);
        self
    }

    /// Puts `n` fleets of a side on a sea route.
    ///
    /// # Panics
    /// If there is no such route.
    #[must_use]
    pub fn fleets(mut self, seat: usize, route: &str, n: u8) -> Self {
        self.state.set_fleets(seat, self.route(route), n);
        self
    }

    /// Sets the unused cards of each side, an equal number for both.
    ///
    /// # Panics
    /// If a hand is empty, has a card that does not exist, or the hands differ in size.
    #[must_use]
    pub fn hands(mut self, hands: [&[u8]; 2]) -> Self {
        self.state.hands = hands.map(|cards| cards.iter().fold(0, |hand, card| hand | 1 << card));
        let [carthage, rome] = self.state.hands;
        let is_even = carthage.count_ones() == rome.count_ones() && carthage != 0;
        let exist = (carthage | rome) & !self.game.board.full_hand == 0;
        assert!(is_even && exist, "no such hands: {hands:?}");
        self
    }

    /// Sets the side whose turn it is.
    #[must_use]
    pub const fn mover(mut self, seat: usize) -> Self {
        self.state.mover = Player::new(seat);
        self
    }

    /// Sets the number of turns made, and the number of passes at their end.
    #[must_use]
    pub const fn after(mut self, turns: u16, passes: u8) -> Self {
        (self.state.turns, self.state.passes) = (turns, passes);
        self
    }

    /// Returns the position, with the mover to choose their turn.
    ///
    /// # Panics
    /// If a place holds pieces of both sides.
    #[must_use]
    pub fn ready(self) -> State {
        let s = &self.state;
        let is_mixed = s.held(CARTHAGE) & s.held(ROME) != 0 || s.routes[0] & s.routes[1] != 0;
        assert!(!is_mixed, "both sides are in one place");
        self.state
    }

    /// Returns the position at the first choice of a conflict in an area, with duels between all pieces there.
    /// `fighter` fights for Carthage, if that is settled.
    ///
    /// # Panics
    /// If there is no such area.
    #[must_use]
    pub fn battle(mut self, area: &str, fighter: Option<Fighter>) -> State {
        self.state.fighter = fighter;
        self.contest(Site::Area(self.area(area)))
    }

    /// Returns the position at the first choice of a conflict on a sea route.
    ///
    /// # Panics
    /// If there is no such route.
    #[must_use]
    pub fn sea_battle(self, route: &str) -> State {
        self.contest(Site::Route(self.route(route)))
    }

    fn contest(mut self, site: Site) -> State {
        self.state.site = Some(site);
        self.state.phase = Phase::Duel;
        self.game.go_on_fighting(&mut self.state);
        self.state
    }
}
