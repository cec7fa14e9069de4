//! The position: pieces, hands, the mover, and the conflict under way.

use super::board::{Areas, Board, Hand, Routes};
use super::limits::{MAX_AREAS, MAX_ROUTES};
use crate::data::data;
#[cfg(feature = "data")]
use crate::data::{Bits, Each};
use crate::player::Player;

/// The kind of decision that is due.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The turn of the mover.
    Turn,
    /// Carthage's choice of a fighter.
    Fight,
    /// The cards of both sides.
    Duel,
    /// The game is over.
    Over,
}

/// The fighter for Carthage in a conflict on land.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fighter {
    /// A legion.
    Legion,
    /// Hannibal.
    Hannibal,
}

/// The place of a conflict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Site {
    /// Legions fight in an area.
    Area(u8),
    /// Fleets fight on a sea route.
    Route(u8),
}

/// The result of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This side has won.
    Won(Player),
    /// Neither side has won.
    Draw,
}

/// Seat of Carthage.
pub const CARTHAGE: usize = 0;
/// Seat of Rome.
pub const ROME: usize = 1;

/// A position. Sides are counted by seat: Carthage 0, Rome 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Legions of each side in each area, without Hannibal.
    pub(super) legions: [[u8; MAX_AREAS]; 2],
    /// Fleets of each side on each route.
    pub(super) fleets: [[u8; MAX_ROUTES]; 2],
    /// Areas where `legions` is above zero.
    pub(super) areas: [Areas; 2],
    /// The area of Hannibal; empty when Hannibal is gone.
    pub(super) hannibal: Areas,
    /// Cards not yet used.
    pub(super) hands: [Hand; 2],
    /// Number of turns made.
    pub(super) turns: u16,
    /// Routes where `fleets` is above zero.
    pub(super) routes: [Routes; 2],
    /// Number of passes in a row.
    pub(super) passes: u8,
    /// The side whose turn it is, or was last.
    pub(super) mover: Player,
    pub(super) phase: Phase,
    /// The place of the conflict under way, if there is one.
    pub(super) site: Option<Site>,
    /// The fighter for Carthage; `None` at sea and before the choice.
    pub(super) fighter: Option<Fighter>,
    /// The result, once the game is over.
    pub(super) outcome: Option<Outcome>,
}

data!(struct State { legions, fleets, areas, hannibal in Bits, hands in Each<Bits>, turns, routes, passes, mover, phase, site, fighter, outcome });
data!(
    enum Phase {
        Turn,
        Fight,
        Duel,
        Over,
    }
);
data!(
    enum Fighter {
        Legion,
        Hannibal,
    }
);
data!(
    enum Site {
        Area(area),
        Route(route),
    }
);
data!(
    enum Outcome {
        Won(seat),
        Draw,
    }
);

impl State {
    /// Returns a position without pieces, in which the first side is to choose its turn.
    pub(super) const fn empty(board: &Board) -> Self {
        Self {
            legions: [[0; MAX_AREAS]; 2],
            fleets: [[0; MAX_ROUTES]; 2],
            areas: [0; 2],
            hannibal: 0,
            hands: [board.full_hand; 2],
            turns: 0,
            routes: [0; 2],
            passes: 0,
            mover: board.first,
            phase: Phase::Turn,
            site: None,
            fighter: None,
            outcome: None,
        }
    }

    /// Returns the set-up (clause 1).
    pub(super) fn start(board: &Board) -> Self {
        let mut state = Self::empty(board);
        for (seat, side) in board.sides.iter().enumerate() {
            state.set_legions(seat, side.capital, side.legions);
            state.set_fleets(seat, side.fleet_route, side.fleets);
            if side.has_hannibal && seat == CARTHAGE {
                state.hannibal = 1 << side.capital;
            }
        }
        state
    }

    #[inline]
    pub(super) fn set_legions(&mut self, seat: usize, area: u8, n: u8) {
        self.legions[seat][usize::from(area)] = n;
        let others = self.areas[seat] & !(1 << area);
        self.areas[seat] = others | Areas::from(n > 0) << area;
    }

    #[inline]
    pub(super) fn set_fleets(&mut self, seat: usize, route: u8, n: u8) {
        self.fleets[seat][usize::from(route)] = n;
        let others = self.routes[seat] & !(1 << route);
        self.routes[seat] = others | Routes::from(n > 0) << route;
    }

    #[inline]
    pub(super) fn add_legion(&mut self, seat: usize, area: u8) {
        self.legions[seat][usize::from(area)] += 1;
        self.areas[seat] |= 1 << area;
    }

    #[inline]
    pub(super) fn remove_legion(&mut self, seat: usize, area: u8) {
        self.set_legions(seat, area, self.legions[seat][usize::from(area)] - 1);
    }

    #[inline]
    pub(super) fn add_fleet(&mut self, seat: usize, route: u8) {
        self.fleets[seat][usize::from(route)] += 1;
        self.routes[seat] |= 1 << route;
    }

    #[inline]
    pub(super) fn remove_fleet(&mut self, seat: usize, route: u8) {
        self.set_fleets(seat, route, self.fleets[seat][usize::from(route)] - 1);
    }

    /// Returns the areas where a side has a legion; Hannibal counts as one.
    #[inline]
    #[must_use]
    pub const fn held(&self, seat: usize) -> Areas {
        if seat == CARTHAGE { self.areas[seat] | self.hannibal } else { self.areas[seat] }
    }

    /// Returns the routes where a side has fleets.
    #[must_use]
    pub const fn routes(&self, seat: usize) -> Routes {
        self.routes[seat]
    }

    /// Returns the number of legions of a side in an area, without Hannibal.
    #[must_use]
    pub fn legions(&self, seat: usize, area: u8) -> u8 {
        self.legions[seat][usize::from(area)]
    }

    /// Returns the number of fleets of a side on a route.
    #[must_use]
    pub fn fleets(&self, seat: usize, route: u8) -> u8 {
        self.fleets[seat][usize::from(route)]
    }

    /// Returns the number of legions of a side on the whole map, without Hannibal.
    #[must_use]
    pub fn n_legions(&self, seat: usize) -> u8 {
        self.legions[seat].iter().sum()
    }

    /// Returns the number of fleets of a side on the whole map.
    #[must_use]
    pub fn n_fleets(&self, seat: usize) -> u8 {
        self.fleets[seat].iter().sum()
    }

    /// Returns the area of Hannibal as a set, empty when Hannibal is gone.
    #[must_use]
    pub const fn hannibal(&self) -> Areas {
        self.hannibal
    }

    /// Returns the cards that a side has not yet used.
    #[must_use]
    pub const fn hand(&self, seat: usize) -> Hand {
        self.hands[seat]
    }

    /// Returns the number of turns made.
    #[must_use]
    pub const fn turns(&self) -> u16 {
        self.turns
    }

    /// Returns the number of passes in a row up to now.
    #[must_use]
    pub const fn passes(&self) -> u8 {
        self.passes
    }

    /// Returns the seat whose turn it is, or at the end the seat of the last turn.
    #[must_use]
    pub const fn mover(&self) -> usize {
        self.mover.idx()
    }

    /// Returns the kind of decision that is due.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the place of the conflict under way.
    #[must_use]
    pub const fn site(&self) -> Option<Site> {
        self.site
    }

    /// Returns the fighter for Carthage in the conflict on land, once it is chosen.
    #[must_use]
    pub const fn fighter(&self) -> Option<Fighter> {
        self.fighter
    }

    /// Returns the result of the game.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_has_seventy_bytes() {
        assert_eq!(size_of::<State>(), 70);
    }
}
