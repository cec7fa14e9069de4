//! A reader of positions for agents: [`Situation`] gives facts in the words of the game. `decision.rs` adds the
//! decision that is due.
//!
//! No method here is an opinion.

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::cards::{Card, CardKind, CardSet, Vote};
use crate::games::conquest2::model::packed::{counts, lane, nibbles};
use crate::games::conquest2::model::place::{Key, Place, PlaceSet, Zone, ZoneSet};
use crate::games::conquest2::model::state::{State, worth};
use crate::games::conquest2::model::units::Unit;
use crate::player::{ByPlayer, Player, PlayerSet};

/// A reader of one state under its rules.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    pub(crate) game: &'a Conquest2,
    pub(crate) state: &'a State,
}

impl Conquest2 {
    /// Returns a reader of `state`.
    #[inline]
    #[must_use]
    pub const fn situation<'a>(&'a self, state: &'a State) -> Situation<'a> {
        Situation { game: self, state }
    }
}

/// The pieces on the table.
impl Situation<'_> {
    /// Returns the number of seasons that are over.
    #[inline]
    #[must_use]
    pub fn season(&self) -> usize {
        self.state.season.into()
    }

    /// Returns the action round under way, counted from 0. It is `None` from the set-up or a scoring to the first turn
    /// of the season, and when the game is over.
    #[inline]
    #[must_use]
    pub fn round(&self) -> Option<usize> {
        usize::from(self.state.round).checked_sub(1)
    }

    /// Returns the number of action rounds of this season that are over: none before the first turn.
    #[inline]
    #[must_use]
    pub fn rounds_over(&self) -> usize {
        self.round().unwrap_or(0)
    }

    /// Returns the number of finished turns of the round under way; at the placing of starting units, of players who
    /// have placed theirs.
    #[inline]
    #[must_use]
    pub fn turn_number(&self) -> usize {
        self.state.turn.into()
    }

    /// Returns the number of actions of a turn.
    #[inline]
    #[must_use]
    pub fn actions_per_turn(&self) -> usize {
        self.game.board.config.options.actions as usize
    }

    /// Returns the position of a player in the turn order of this season, or `None` before an auction has given them
    /// one.
    #[inline]
    #[must_use]
    pub fn position_of(&self, player: Player) -> Option<usize> {
        let n_placed = self.n_players() - self.state.unallied.len();
        let order = &self.state.order[..n_placed];
        order.iter().position(|&q| q == player)
    }

    /// Returns the number of actions that the player in turn has left.
    #[inline]
    #[must_use]
    pub fn actions_left(&self) -> usize {
        self.state.actions_left.into()
    }

    /// Returns the victory points of a player.
    #[inline]
    #[must_use]
    pub fn vp(&self, player: Player) -> i16 {
        self.state.vp[player]
    }

    /// Returns the talents of a player.
    #[inline]
    #[must_use]
    pub fn money(&self, player: Player) -> u16 {
        self.state.money[player]
    }

    /// Returns the chaos points of a player.
    #[inline]
    #[must_use]
    pub fn chaos(&self, player: Player) -> u16 {
        self.state.chaos[player]
    }

    /// Returns the victory points that chaos would cost each player if the season ended now.
    #[inline]
    #[must_use]
    pub fn chaos_penalties(&self) -> ByPlayer<i16> {
        self.game.chaos_penalties(&self.game.relieved_chaos(self.state))
    }

    /// Returns the gain of the winner of a Senate Vote under the rules: talents, chaos removed, victory points,
    /// infantry, or influence in the capital.
    #[inline]
    #[must_use]
    pub fn vote_gain(&self, vote: Vote) -> u16 {
        let votes = &self.game.board.config.vote;
        (match vote {
            Vote::EmergencyTax => votes.emergency_tax,
            Vote::BreadAndCircuses => votes.bread_and_circuses,
            Vote::HailCaesar => votes.hail_caesar,
            Vote::NewLegions => votes.new_legions,
            Vote::InfluenceInRome => votes.influence_in_rome,
        }) as u16
    }

    /// Returns the influence of a player in a key province.
    #[inline]
    #[must_use]
    pub fn influence_in(&self, player: Player, key: Key) -> u8 {
        self.state.influence_of(player, key)
    }

    /// Returns the influence of all players in a key province.
    #[inline]
    #[must_use]
    pub fn influence_at(&self, key: Key) -> ByPlayer<u8> {
        let word = self.state.influence[key.idx()];
        ByPlayer::from_fn(|q| lane(word, q))
    }

    /// Returns the players with influence in a key province, each with their amount.
    #[inline]
    pub fn holders(&self, key: Key) -> impl Iterator<Item = (Player, u8)> + use<> {
        counts(self.state.influence[key.idx()])
    }

    /// Returns a word that differs if the influence in a key province differs.
    #[inline]
    #[must_use]
    pub const fn influence_word(&self, key: Key) -> u32 {
        self.state.influence[key.idx()]
    }

    /// Returns the provinces with land military of any of `players`.
    #[inline]
    #[must_use]
    pub fn armies_of(&self, players: PlayerSet) -> PlaceSet {
        self.state.armies_of(players)
    }

    /// Returns the influence of a player on the whole board.
    #[inline]
    #[must_use]
    pub fn influence(&self, player: Player) -> u16 {
        self.state.total_influence(player)
    }

    /// Returns the number of influence tokens a player has not placed.
    #[inline]
    #[must_use]
    pub fn supply(&self, player: Player) -> u8 {
        self.state.supply[player]
    }

    /// Returns the number of province tokens for sale in a key province.
    #[inline]
    #[must_use]
    pub const fn tokens(&self, key: Key) -> u8 {
        self.state.tokens[key.idx()]
    }

    /// Returns the province tokens of a key province that are in the bag.
    #[inline]
    #[must_use]
    pub const fn bagged(&self, key: Key) -> u8 {
        self.state.bag[key.idx()]
    }

    /// Returns the copies of a card in the display.
    #[inline]
    #[must_use]
    pub const fn displayed(&self, card: Card) -> u8 {
        self.state.display[card.idx()]
    }

    /// Returns the land neighbours of a province and what lies across an open strait.
    #[inline]
    #[must_use]
    pub fn beside(&self, place: Place) -> PlaceSet {
        self.game.board.across[place.idx()]
    }

    /// Returns the provinces with land military of a player.
    #[inline]
    #[must_use]
    pub fn armies(&self, player: Player) -> PlaceSet {
        self.state.army[player]
    }

    /// Returns the provinces with a leader of a player.
    #[inline]
    #[must_use]
    pub fn leaders(&self, player: Player) -> PlaceSet {
        self.state.leaders[player]
    }

    /// Returns the province of a caesar.
    #[inline]
    #[must_use]
    pub fn caesar(&self, player: Player) -> Option<Place> {
        self.state.caesar[player]
    }

    /// Returns the infantry, cavalry and catapults of a player in a province.
    #[inline]
    #[must_use]
    pub fn troops(&self, player: Player, place: Place) -> [u8; 3] {
        let troops = self.state.troops(player, place);
        Unit::LAND_MILITARY.map(|unit| troops.count(unit))
    }

    /// Returns the number of generals of a player in a province.
    #[inline]
    #[must_use]
    pub fn generals(&self, player: Player, place: Place) -> u8 {
        self.state.troops(player, place).generals()
    }

    /// Returns the sea zones with galleys of a player.
    #[inline]
    #[must_use]
    pub fn fleets(&self, player: Player) -> ZoneSet {
        self.state.fleets_of(player)
    }

    /// Returns the number of galleys of a player in a sea zone.
    #[inline]
    #[must_use]
    pub fn galleys(&self, player: Player, zone: Zone) -> u8 {
        self.state.galleys(player, zone)
    }

    /// Returns the number of units of a kind that a player has on the map.
    #[inline]
    #[must_use]
    pub fn on_map(&self, player: Player, unit: Unit) -> u8 {
        self.game.board.pool[unit] - self.state.pool[player][unit]
    }

    /// Returns the number of units of a kind that a player could still get.
    #[inline]
    #[must_use]
    pub fn pool(&self, player: Player, unit: Unit) -> u8 {
        self.state.pool[player][unit]
    }

    /// Returns the owner of the city in a province.
    #[inline]
    #[must_use]
    pub fn city_owner(&self, place: Place) -> Option<Player> {
        self.state.city_owner(self.game.board.city_site[place.idx()])
    }

    /// Returns the Senators in a hand by value; in a world this is one of the possible hands.
    #[inline]
    #[must_use]
    pub fn senators(&self, player: Player) -> [u8; 4] {
        self.state.senators[player]
    }

    /// Returns the votes in a hand.
    #[inline]
    #[must_use]
    pub fn votes(&self, player: Player) -> u16 {
        worth(self.state.senators[player])
    }

    /// Returns the number of copies of a multi-use, Diplomacy or passive card that a player holds.
    #[inline]
    #[must_use]
    pub fn held(&self, player: Player, card: Card) -> u8 {
        self.state.held(player, card)
    }

    /// Returns the multi-use, Diplomacy and passive cards of a player with their numbers.
    #[inline]
    pub fn held_cards(&self, player: Player) -> impl Iterator<Item = (Card, u8)> + '_ {
        self.state.held_cards(player)
    }

    /// Returns the key province of a merchant, if the card is one.
    #[inline]
    #[must_use]
    pub fn merchant_key(&self, card: Card) -> Option<Key> {
        let CardKind::Merchant(i) = card.kind() else { return None };
        self.game.board.merchant_key[usize::from(i)]
    }

    /// Returns the provinces with a city of a player.
    #[inline]
    #[must_use]
    pub fn cities(&self, player: Player) -> PlaceSet {
        if self.state.cities == 0 {
            return PlaceSet::EMPTY;
        }
        let sites = self.game.board.city_in.iter().fold(PlaceSet::EMPTY, |set, &sites| set | sites);
        sites.iter().filter(|&p| self.city_owner(p) == Some(player)).collect()
    }

    /// Returns the number of cities of a player.
    #[inline]
    #[must_use]
    pub fn n_cities(&self, player: Player) -> u32 {
        let owners = nibbles(self.state.cities).map(|(_, owner)| Player::of(owner - 1));
        owners.map(|owner| u32::from(owner == player)).sum()
    }

    /// Returns whether two players are allied this season, which begins with the auctions; all players are allied to
    /// themselves.
    #[inline]
    #[must_use]
    pub fn are_allied(&self, a: Player, b: Player) -> bool {
        let unallied = self.state.unallied;
        let are_unallied = unallied.contains(a) || unallied.contains(b);
        a == b || !are_unallied && self.state.are_allied(a, b)
    }

    /// Returns the players that are not allied to a player. Players without an alliance yet keep the one of the season
    /// before (in the first season, all are allies): the best guess at coming threats.
    #[inline]
    #[must_use]
    pub fn enemies(&self, player: Player) -> PlayerSet {
        self.state.enemies(player, self.game.n_players)
    }

    /// Returns the players without an alliance.
    #[inline]
    #[must_use]
    pub const fn unallied(&self) -> PlayerSet {
        self.state.unallied
    }

    /// Returns the provinces that a player reaches by land.
    #[inline]
    #[must_use]
    pub fn reach_by_land(&self, player: Player, place: Place) -> PlaceSet {
        self.game.reach_by_land(self.state, player, place)
    }

    /// Returns the provinces that a player reaches by sea.
    #[inline]
    #[must_use]
    pub fn reach_by_sea(&self, player: Player, place: Place) -> PlaceSet {
        self.game.reach_by_sea(self.state, player, place)
    }

    /// Returns the provinces that a player can move to from a place, by land or sea.
    #[inline]
    #[must_use]
    pub fn reach(&self, player: Player, place: Place) -> PlaceSet {
        self.game.reach(self.state, player, place)
    }

    /// Returns the provinces where the actor can recruit.
    #[inline]
    #[must_use]
    pub fn recruiting_grounds(&self) -> PlaceSet {
        self.game.recruiting_grounds(self.state)
    }

    /// Returns the provinces where the actor can buy influence.
    #[inline]
    #[must_use]
    pub fn markets(&self) -> PlaceSet {
        self.game.markets(self.state)
    }

    /// Returns the provinces from which the actor can move.
    #[inline]
    #[must_use]
    pub fn departures(&self) -> PlaceSet {
        self.game.departures(self.state)
    }

    /// Returns the provinces where the actor can give battle.
    #[inline]
    #[must_use]
    pub fn battlefields(&self) -> PlaceSet {
        self.game.battlefields(self.state)
    }

    /// Returns the cards that the actor can take.
    #[inline]
    #[must_use]
    pub fn takeable(&self) -> CardSet {
        self.game.takeable(self.state)
    }
}
