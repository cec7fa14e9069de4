//! Readers of the rules for agents: places, ways, aims and cards.

use super::Hannibal;
use super::board::{Areas, Hand, Routes};
use super::state::Site;

impl Hannibal {
    /// Returns the number of areas on the map.
    #[inline]
    #[must_use]
    pub fn n_areas(&self) -> usize {
        self.board.areas.len()
    }

    /// Returns the number of sea routes.
    #[inline]
    #[must_use]
    pub fn n_routes(&self) -> usize {
        self.board.routes.len()
    }

    /// Returns the id of an area.
    ///
    /// # Panics
    /// If there is no such area.
    #[inline]
    #[must_use]
    pub fn area_id(&self, area: u8) -> &str {
        &self.board.areas[usize::from(area)]
    }

    /// Returns the id of a sea route.
    ///
    /// # Panics
    /// If there is no such route.
    #[inline]
    #[must_use]
    pub fn route_id(&self, route: u8) -> &str {
        &self.board.routes[usize::from(route)]
    }

    pub(super) fn site_id(&self, site: Site) -> &str {
        match site {
            Site::Area(area) => self.area_id(area),
            Site::Route(route) => self.route_id(route),
        }
    }

    /// Returns the area with this id.
    #[inline]
    #[must_use]
    pub fn area(&self, id: &str) -> Option<u8> {
        self.board.areas.iter().position(|known| known == id).map(|place| place as u8)
    }

    /// Returns the sea route with this id.
    #[inline]
    #[must_use]
    pub fn route(&self, id: &str) -> Option<u8> {
        self.board.routes.iter().position(|known| known == id).map(|place| place as u8)
    }

    /// Returns the areas that a legion in `area` can enter when its side has fleets on `routes` (H2).
    ///
    /// # Panics
    /// If there is no such area or no such route.
    #[inline]
    #[must_use]
    pub fn reach(&self, area: u8, routes: Routes) -> Areas {
        self.board.reach(area, routes)
    }

    /// Returns all sea routes.
    #[inline]
    #[must_use]
    pub fn all_routes(&self) -> Routes {
        ((1u16 << self.n_routes()) - 1) as Routes
    }

    /// Returns the capital of a side.
    #[inline]
    #[must_use]
    pub fn capital(&self, seat: usize) -> u8 {
        self.board.sides[seat].capital
    }

    /// Returns whether a legion that enters the enemy's capital wins at once (H3).
    #[inline]
    #[must_use]
    pub fn capital_entry_wins(&self) -> bool {
        self.board.capital_entry_wins
    }

    /// Returns the domination list of a side: it needs a legion in one area of each group (H5).
    #[inline]
    #[must_use]
    pub fn groups(&self, seat: usize) -> &[Areas] {
        &self.board.sides[seat].groups
    }

    /// Returns the cards of a full hand.
    #[inline]
    #[must_use]
    pub fn full_hand(&self) -> Hand {
        self.board.full_hand
    }

    /// Returns the amount that Hannibal adds to a card (H4).
    #[inline]
    #[must_use]
    pub fn hannibal_bonus(&self) -> u8 {
        self.board.bonus
    }

    /// Returns whether Hannibal is lost on a tie after the bonus (H4).
    #[inline]
    #[must_use]
    pub fn hannibal_is_lost_on_tie(&self) -> bool {
        self.board.hannibal_lost_on_tie
    }

    /// Returns the number of turns after which the game is a draw.
    #[inline]
    #[must_use]
    pub fn max_turns(&self) -> u16 {
        self.board.max_turns
    }
}
