//! The position: pieces, hands, whose turn it is, and the conflict that is being fought.

use super::board::{Areas, Board, Hand, Routes};
use super::limits::{MAX_AREAS, MAX_ROUTES};
use crate::player::Player;

/// What is due.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The mover chooses his turn.
    Turn,
    /// Carthage chooses who fights.
    Fight,
    /// Both sides choose a card.
    Duel,
    /// The game is over.
    Over,
}

/// What fights for Carthage in a conflict on land.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fighter {
    /// A legion.
    Legion,
    /// Hannibal.
    Hannibal,
}

/// Where a conflict is fought.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Site {
    /// Legions fight in an area.
    Area(u8),
    /// Fleets fight on a sea route.
    Route(u8),
}

/// How the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This side has won.
    Won(Player),
    /// Nobody has.
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
    /// Where `legions` is above zero.
    pub(super) areas: [Areas; 2],
    /// The area where Hannibal is; none when he is gone.
    pub(super) hannibal: Areas,
    /// Cards not yet used.
    pub(super) hands: [Hand; 2],
    /// Turns made.
    pub(super) turns: u16,
    /// Where `fleets` is above zero.
    pub(super) routes: [Routes; 2],
    /// Passes in a row.
    pub(super) passes: u8,
    /// Whose turn it is, or was last.
    pub(super) mover: Player,
    pub(super) phase: Phase,
    /// The conflict, while there is one.
    pub(super) site: Option<Site>,
    /// What fights for Carthage; undecided at sea and before it is chosen.
    pub(super) fighter: Option<Fighter>,
    /// The result, once the game is over.
    pub(super) outcome: Option<Outcome>,
}

impl State {
    /// A position without pieces, in which the first side is to choose its turn.
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

    /// The set-up (clause 1).
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

    /// Areas where a side has a legion, Hannibal counted as one.
    #[inline]
    #[must_use]
    pub const fn held(&self, seat: usize) -> Areas {
        if seat == CARTHAGE { self.areas[seat] | self.hannibal } else { self.areas[seat] }
    }

    /// Routes where a side has fleets.
    #[must_use]
    pub const fn routes(&self, seat: usize) -> Routes {
        self.routes[seat]
    }

    /// Legions of a side in an area, without Hannibal.
    #[must_use]
    pub fn legions(&self, seat: usize, area: u8) -> u8 {
        self.legions[seat][usize::from(area)]
    }

    /// Fleets of a side on a route.
    #[must_use]
    pub fn fleets(&self, seat: usize, route: u8) -> u8 {
        self.fleets[seat][usize::from(route)]
    }

    /// Legions of a side on the whole map, without Hannibal.
    #[must_use]
    pub fn n_legions(&self, seat: usize) -> u8 {
        self.legions[seat].iter().sum()
    }

    /// Fleets of a side on the whole map.
    #[must_use]
    pub fn n_fleets(&self, seat: usize) -> u8 {
        self.fleets[seat].iter().sum()
    }

    /// The area of Hannibal as a set, empty when he is gone.
    #[must_use]
    pub const fn hannibal(&self) -> Areas {
        self.hannibal
    }

    /// Cards that a side has not yet used.
    #[must_use]
    pub const fn hand(&self, seat: usize) -> Hand {
        self.hands[seat]
    }

    /// Turns made.
    #[must_use]
    pub const fn turns(&self) -> u16 {
        self.turns
    }

    /// Turns in a row up to now that were passes.
    #[must_use]
    pub const fn passes(&self) -> u8 {
        self.passes
    }

    /// The seat whose turn it is; after the end, whose turn was the last.
    #[must_use]
    pub const fn mover(&self) -> usize {
        self.mover.idx()
    }

    /// What is due.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Where a conflict is being fought.
    #[must_use]
    pub const fn site(&self) -> Option<Site> {
        self.site
    }

    /// What fights for Carthage in the conflict on land, once that is known.
    #[must_use]
    pub const fn fighter(&self) -> Option<Fighter> {
        self.fighter
    }

    /// How the game ended.
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
