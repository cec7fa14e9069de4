//! Readers of the map and of the numbers of the rules, which no move changes.

use super::read::Situation;
use crate::games::conquest2::model::cards::Card;
use crate::games::conquest2::model::place::{Key, Place, PlaceSet, Zone};
use crate::games::conquest2::model::units::Unit;
use crate::player::{MAX_PLAYERS, Player};

/// The map and the numbers.
impl Situation<'_> {
    /// Returns the number of players at the table.
    #[inline]
    #[must_use]
    pub const fn n_players(&self) -> usize {
        self.game.n_players
    }

    /// Returns the players, in seat order.
    #[inline]
    #[must_use]
    pub fn players(&self) -> impl DoubleEndedIterator<Item = Player> + Clone + use<> {
        self.game.players()
    }

    /// Returns the key provinces, in board order.
    #[inline]
    pub fn all_keys(&self) -> impl Iterator<Item = Key> + use<> {
        Key::first(self.game.board.n_keys)
    }

    /// Returns the key provinces as places.
    #[inline]
    #[must_use]
    pub fn keys(&self) -> PlaceSet {
        self.game.board.keys
    }

    /// Returns the place of a key province.
    #[inline]
    #[must_use]
    pub fn place_of(&self, key: Key) -> Place {
        self.game.board.key_province[key.idx()]
    }

    /// Returns the key province at a place.
    #[inline]
    #[must_use]
    pub fn key_at(&self, place: Place) -> Option<Key> {
        self.game.board.key_of[place.idx()]
    }

    /// Returns the victory points of a key province by rank.
    #[inline]
    #[must_use]
    pub fn vp_of(&self, key: Key) -> &[i16; MAX_PLAYERS] {
        &self.game.board.vp[key.idx()]
    }

    /// Returns the place whose majority matters for Senate Votes.
    #[inline]
    #[must_use]
    pub fn capital(&self) -> Place {
        self.game.board.capital
    }

    /// Returns the capital, its land neighbours, and the provinces across an open strait from one of those neighbours.
    #[inline]
    #[must_use]
    pub fn environs(&self) -> PlaceSet {
        self.game.board.environs
    }

    /// Returns the provinces beside a sea zone.
    #[inline]
    #[must_use]
    pub fn shore(&self, zone: Zone) -> PlaceSet {
        self.game.board.shore[zone.idx()]
    }

    /// Returns the number of seasons of the game, of which [`Situation::season`] are over.
    #[inline]
    #[must_use]
    pub fn n_seasons(&self) -> usize {
        self.game.board.config.options.seasons as usize
    }

    /// Returns the number of action rounds of a season.
    #[inline]
    #[must_use]
    pub fn n_rounds(&self) -> usize {
        self.game.board.config.options.rounds as usize
    }

    /// Returns the price of a bought influence token, in talents.
    #[inline]
    #[must_use]
    pub fn influence_price(&self) -> u16 {
        self.game.board.config.prices.influence as u16
    }

    /// Returns the price of a unit kind, in talents.
    #[inline]
    #[must_use]
    pub fn price(&self, unit: Unit) -> u16 {
        self.game.board.price[unit]
    }

    /// Returns the price of a card, in talents.
    #[inline]
    #[must_use]
    pub fn card_cost(&self, card: Card) -> u16 {
        self.game.board.card_cost[card.idx()]
    }

    /// Returns the chaos of a recruitment.
    #[inline]
    #[must_use]
    pub fn recruiting_chaos(&self) -> u16 {
        self.game.board.config.chaos.recruit as u16
    }

    /// Returns the number of land military units that a Barbarians at the Gate sends away.
    #[inline]
    #[must_use]
    pub fn expedition_units(&self) -> u8 {
        self.game.board.config.barbarians.units as u8
    }

    /// Returns the smallest difference between two bids, in talents.
    #[inline]
    #[must_use]
    pub fn bid_step(&self) -> u16 {
        self.game.board.config.auction.step as u16
    }

    /// Returns the number of influence tokens that one action buys, without and with the caesar.
    #[inline]
    #[must_use]
    pub fn bought_per_action(&self, with_caesar: bool) -> u8 {
        let buy = &self.game.board.config.buy;
        (if with_caesar { buy.with_caesar } else { buy.with_general }) as u8
    }
}
