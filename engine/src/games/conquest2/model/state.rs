//! The position: everything on the table, the decision and its player, and each seat's observations of Senators.
//!
//! Layout: land units are 16 bits per player and province, with masks of armies and of leaders. Galleys and influence
//! are 5 bits per player in one word per place. Cards are 4 bits per kind. The decision that is due is cached with its
//! options.

use crate::bits::marked;
use crate::data::data;
#[cfg(feature = "data")]
use crate::data::{Each, Nibbles};
use crate::games::conquest2::model::battle::Battle;
use crate::games::conquest2::model::board::Board;
use crate::games::conquest2::model::cards::{Card, CardSet, N_CARDS, Slot, Vote};
use crate::games::conquest2::model::counts::Mover;
use crate::games::conquest2::model::detail::Detail;
use crate::games::conquest2::model::log::Knowledge;
use crate::games::conquest2::model::options::Options;
#[cfg(feature = "data")]
use crate::games::conquest2::model::packed::Lanes;
use crate::games::conquest2::model::packed::{
    LANE, LANE_MAX, add_lane, lane, lanes, nibble, nibbles,
};
use crate::games::conquest2::model::phase::Phase;
#[cfg(test)]
use crate::games::conquest2::model::phase::seen;
use crate::games::conquest2::model::place::{
    Key, MAX_KEYS, N_PROVINCES, N_ZONES, Place, PlaceSet, Site, Zone, ZoneSet,
};
use crate::games::conquest2::model::units::{N_UNITS, Troops, Unit};
use crate::player::{ByPlayer, MAX_PLAYERS, Player, PlayerSet};

/// Largest number of talents of a player: no default game comes near, and all bids up to it can still be counted.
pub(crate) const MOST_TALENTS: u16 = u16::MAX - 1;

/// A position of Conquest of the Empire II. Its hash is in `digest`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// Provinces with land military, by player.
    pub(crate) army: ByPlayer<PlaceSet>,
    /// Provinces with a general or the caesar, by player.
    pub(crate) leaders: ByPlayer<PlaceSet>,
    /// Multi-use cards held, 4 bits a kind.
    pub(crate) multi: ByPlayer<u64>,
    /// Multi-use cards used this season.
    pub(crate) used: ByPlayer<u64>,
    /// Diplomacy, trainings and Favorable Wind, 4 bits a kind.
    pub(crate) passive: ByPlayer<u64>,
    /// City owners, 4 bits a site: 0 = no city, else 1 + seat.
    pub(crate) cities: u64,
    /// Card kinds in the display.
    pub(crate) displayed: CardSet,
    pub(crate) options: Options,
    pub(crate) detail: Detail,
    /// Galleys by zone, 5 bits a player.
    pub(crate) sea: [u32; N_ZONES],
    /// Influence by key province, 5 bits a player.
    pub(crate) influence: [u32; MAX_KEYS],
    pub(crate) battle: Battle,
    pub(crate) land: ByPlayer<[Troops; N_PROVINCES]>,
    pub(crate) money: ByPlayer<u16>,
    pub(crate) chaos: ByPlayer<u16>,
    pub(crate) vp: ByPlayer<i16>,
    pub(crate) auction: Auction,
    pub(crate) caesar: ByPlayer<Option<Place>>,
    pub(crate) pool: ByPlayer<[u8; N_UNITS]>,
    pub(crate) supply: ByPlayer<u8>,
    /// Senators in hand by value I to IV.
    pub(crate) senators: ByPlayer<[u8; 4]>,
    /// Tokens on the board and in the bag, by key province.
    pub(crate) tokens: [u8; MAX_KEYS],
    pub(crate) bag: [u8; MAX_KEYS],
    pub(crate) display: [u8; N_CARDS],
    pub(crate) deck: [u8; N_CARDS],
    pub(crate) knowledge: Knowledge,
    pub(crate) vote: Ballot,
    /// Turn order of the season, as far as auctions have settled it. The rest is of the season before, whose last
    /// player opens the next auction.
    pub(crate) order: [Player; MAX_PLAYERS],
    /// Members of alliance B.
    pub(crate) alliance_b: PlayerSet,
    /// Players without an alliance and a place in the order of this season: all of them from a scoring to the first
    /// auction.
    pub(crate) unallied: PlayerSet,
    /// Number of completed seasons.
    pub(crate) season: u8,
    /// The action round under way, from 1; 0 from set-up or scoring to the first turn of the season, and at the end.
    pub(crate) round: u8,
    /// Position in the turn order.
    pub(crate) turn: u8,
    pub(crate) actions_left: u8,
    /// Cards taken by the player in turn, see `takes`.
    pub(crate) takes: u8,
    phase: Phase,
    /// The player who decides; `None` before the first decision and while dice are rolled.
    pub(crate) actor: Option<Player>,
    /// The player who opens the first auction, once drawn.
    pub(crate) first_player: Option<Player>,
    /// Number of snapshots passed: after set-up, after each season.
    pub(crate) milestone: u8,
}

/// An alliance auction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Auction {
    /// The standing bid in talents; meaningless without a bidder.
    pub(crate) bid: u16,
    pub(crate) bidder: Option<Player>,
    /// The standing proposal: the players for box A and box B.
    pub(crate) boxes: [Option<Player>; 2],
    /// The proposal of the bidder who is deciding.
    pub(crate) proposed: [Option<Player>; 2],
    /// Number of passes in a row.
    pub(crate) passes: u8,
    /// The player who decides first; `None` while no auction is under way.
    pub(crate) opener: Option<Player>,
    /// The number of the auction within the season.
    pub(crate) number: u8,
}

impl Auction {
    pub(crate) const EMPTY: Self = Self {
        bid: 0,
        bidder: None,
        boxes: [None; 2],
        proposed: [None; 2],
        passes: 0,
        opener: None,
        number: 0,
    };
}

/// A Senate Vote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ballot {
    /// The Senators shown for the standing bid, by value.
    pub(crate) shown: [u8; 4],
    pub(crate) bidder: Option<Player>,
    pub(crate) passes: u8,
    /// The vote that is called, if any.
    pub(crate) vote: Option<Vote>,
}

data!(struct State { army, leaders, multi in Each<Nibbles>, used in Each<Nibbles>, passive in Each<Nibbles>, cities in Nibbles, displayed, options, detail, sea in Each<Lanes>, influence in Each<Lanes>, battle, land, money, chaos, vp, auction, caesar, pool, supply, senators, tokens, bag, display, deck, knowledge, vote, order, alliance_b, unallied, season, round, turn, actions_left, takes, phase, actor, first_player, milestone });
data!(struct Auction { bid, bidder, boxes, proposed, passes, opener, number });
data!(struct Ballot { shown, bidder, passes, vote });

impl Ballot {
    pub(crate) const EMPTY: Self = Self { shown: [0; 4], bidder: None, passes: 0, vote: None };
}

/// Returns the votes that a set of Senators is worth.
pub(crate) const fn worth(senators: [u8; 4]) -> u16 {
    let [a, b, c, d] = senators;
    a as u16 + 2 * b as u16 + 3 * c as u16 + 4 * d as u16
}

impl State {
    /// Returns the decision or chance event that is due.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Goes on to another phase, or to the current one again.
    #[inline]
    pub(crate) fn go(&mut self, phase: Phase) {
        debug_assert!(
            phase == self.phase || self.phase.next().contains(&phase),
            "{phase:?} after {:?}: see COURSE",
            self.phase
        );
        #[cfg(test)]
        seen::note(self.phase, phase);
        self.phase = phase;
    }

    /// Returns the player who decides.
    ///
    /// # Panics
    /// If chance is due.
    #[inline]
    pub(crate) fn actor(&self) -> Player {
        self.actor.expect("a decision is due")
    }

    /// Sets the phase without a step of the course, in positions made by hand.
    pub(crate) const fn stand_at(&mut self, phase: Phase) {
        self.phase = phase;
    }

    /// Returns the table before anything is drawn.
    pub(crate) fn new(board: &Board, n: usize) -> Self {
        let mut deck = board.card_count;
        let start = &board.config.start;
        let senators: [u8; 4] = std::array::from_fn(|v| start.senators[v] as u8);
        if start.senators_from_deck {
            (0..4).for_each(|v| deck[v] -= senators[v] * n as u8);
        }
        if let Some(treatments) = &board.treated {
            treatments.no_cards.iter().for_each(|card| deck[card.idx()] = 0);
        }
        let mut state = Self {
            army: ByPlayer([PlaceSet::EMPTY; MAX_PLAYERS]),
            leaders: ByPlayer([PlaceSet::EMPTY; MAX_PLAYERS]),
            multi: ByPlayer([0; MAX_PLAYERS]),
            used: ByPlayer([0; MAX_PLAYERS]),
            passive: ByPlayer([0; MAX_PLAYERS]),
            cities: 0,
            displayed: CardSet::EMPTY,
            options: Options::NONE,
            detail: Detail::None,
            sea: [0; N_ZONES],
            influence: [0; MAX_KEYS],
            battle: Battle::EMPTY,
            land: ByPlayer([[Troops(0); N_PROVINCES]; MAX_PLAYERS]),
            money: ByPlayer([0; MAX_PLAYERS]),
            chaos: ByPlayer([0; MAX_PLAYERS]),
            vp: ByPlayer([0; MAX_PLAYERS]),
            auction: Auction::EMPTY,
            caesar: ByPlayer([None; MAX_PLAYERS]),
            pool: ByPlayer([[0; N_UNITS]; MAX_PLAYERS]),
            supply: ByPlayer([0; MAX_PLAYERS]),
            senators: ByPlayer([[0; 4]; MAX_PLAYERS]),
            tokens: [0; MAX_KEYS],
            bag: board.tokens,
            display: [0; N_CARDS],
            deck,
            knowledge: Knowledge::EMPTY,
            vote: Ballot::EMPTY,
            order: std::array::from_fn(Player::new),
            alliance_b: PlayerSet::EMPTY,
            unallied: PlayerSet::first(n),
            season: 0,
            round: 0,
            turn: 0,
            actions_left: 0,
            takes: 0,
            phase: Phase::FirstPlayer,
            actor: None,
            first_player: None,
            milestone: 0,
        };
        for q in Player::all(n) {
            state.money[q] = board.config.options.money as u16;
            state.pool[q] = board.pool;
            state.supply[q] = board.config.pools.influence as u8;
            state.senators[q] = senators;
        }
        state.lay_out_votes();
        state
    }

    fn lay_out_votes(&mut self) {
        for card in Vote::ALL.map(Card::vote) {
            let count = std::mem::take(&mut self.deck[card.idx()]);
            self.add_to_display(card, count);
        }
    }

    pub(crate) fn add_to_display(&mut self, card: Card, count: u8) {
        self.display[card.idx()] += count;
        self.displayed |= CardSet::from_bits(u64::from(count > 0) << card.number());
    }

    pub(crate) fn take_from_display(&mut self, card: Card) {
        let left = &mut self.display[card.idx()];
        *left -= 1;
        if *left == 0 {
            self.displayed.remove(card);
        }
    }

    /// Returns whether two players are in one alliance (all players are allied to themselves).
    pub(crate) fn are_allied(&self, a: Player, b: Player) -> bool {
        self.alliance_b.contains(a) == self.alliance_b.contains(b)
    }

    /// Returns the players not allied to `player`.
    pub(crate) fn enemies(&self, player: Player, n: usize) -> PlayerSet {
        let (all, b) = (PlayerSet::first(n), self.alliance_b);
        if b.contains(player) { all - b } else { b }
    }

    /// Returns the provinces with land military of a player in `players`.
    pub(crate) fn armies_of(&self, players: PlayerSet) -> PlaceSet {
        players.iter().fold(PlaceSet::EMPTY, |set, q| set | self.army[q])
    }

    /// Returns the provinces with land units of `player`.
    pub(crate) fn units_of(&self, player: Player) -> PlaceSet {
        self.army[player] | self.leaders[player]
    }

    pub(crate) fn troops(&self, player: Player, place: Place) -> Troops {
        self.land[player][place.idx()]
    }

    /// Adds (or with a negative number removes) land units.
    pub(crate) fn add_troops(&mut self, player: Player, place: Place, unit: Unit, number: i8) {
        let troops = &mut self.land[player][place.idx()];
        let change = Troops::one(unit).wrapping_mul(i16::from(number) as u16);
        troops.0 = troops.0.wrapping_add(change);
        if unit == Unit::General {
            self.refresh_leaders(player, place);
        } else {
            self.refresh_army(player, place);
        }
    }

    pub(crate) fn move_caesar(&mut self, player: Player, place: Place) {
        let old = self.caesar[player].replace(place);
        if let Some(old) = old {
            self.refresh_leaders(player, old);
        }
        self.refresh_leaders(player, place);
    }

    /// Moves all units of `player` in `from` to `to`.
    pub(crate) fn move_all(&mut self, player: Player, from: Place, to: Place) {
        let q = player;
        let troops = std::mem::take(&mut self.land[q][from.idx()]);
        self.land[q][to.idx()].0 += troops.0;
        if self.caesar[q] == Some(from) {
            self.caesar[q] = Some(to);
        }
        self.refresh(player, from);
        self.refresh(player, to);
    }

    /// Moves the leaders of `player` in `from` to `to`.
    pub(crate) fn move_leaders(&mut self, player: Player, from: Place, to: Place) {
        let generals = self.troops(player, from).generals() as i8;
        self.add_troops(player, from, Unit::General, -generals);
        self.add_troops(player, to, Unit::General, generals);
        if self.caesar[player] == Some(from) {
            self.move_caesar(player, to);
        }
    }

    /// Moves `number` of the actor's movers of a kind. All kinds and numbers take one path, since a branch would be
    /// unpredictable: the caesar moves no units, and zero movers change nothing.
    #[inline]
    pub(crate) fn transfer(&mut self, from: Place, to: Place, mover: Mover, number: u8) {
        let player = self.actor();
        let change = mover.summand().wrapping_mul(number.into());
        let land = &mut self.land[player];
        land[from.idx()].0 = land[from.idx()].0.wrapping_sub(change);
        land[to.idx()].0 = land[to.idx()].0.wrapping_add(change);
        let goes = (mover == Mover::Caesar) & (number > 0);
        self.caesar[player] = if goes { Some(to) } else { self.caesar[player] };
        self.refresh(player, from);
        self.refresh(player, to);
    }

    #[inline]
    pub(crate) fn refresh(&mut self, player: Player, place: Place) {
        self.refresh_army(player, place);
        self.refresh_leaders(player, place);
    }

    #[inline]
    fn refresh_army(&mut self, player: Player, place: Place) {
        let is_army = self.troops(player, place).is_army();
        self.army[player] = self.army[player].with(place, is_army);
    }

    #[inline]
    fn refresh_leaders(&mut self, player: Player, place: Place) {
        let generals = self.troops(player, place).generals();
        let has_leader = (generals > 0) | (self.caesar[player] == Some(place));
        self.leaders[player] = self.leaders[player].with(place, has_leader);
    }

    pub(crate) fn galleys(&self, player: Player, zone: Zone) -> u8 {
        lane(self.sea[zone.idx()], player)
    }

    pub(crate) fn add_galleys(&mut self, player: Player, zone: Zone, number: i8) {
        add_lane(&mut self.sea[zone.idx()], player, number);
    }

    /// Returns the zones with galleys of `player`.
    pub(crate) fn fleets_of(&self, player: Player) -> ZoneSet {
        let lanes = LANE_MAX << (LANE * u32::from(player.number()));
        ZoneSet::from_bits(marked(&self.sea, lanes))
    }

    /// Returns whether a player in `players` has a galley in `zone`.
    pub(crate) fn has_fleet(&self, players: PlayerSet, zone: Zone) -> bool {
        self.sea[zone.idx()] & lanes(players) != 0
    }

    pub(crate) fn influence_of(&self, player: Player, key: Key) -> u8 {
        lane(self.influence[key.idx()], player)
    }

    /// Returns the influence in a key province, or 0 for a place that is none.
    pub(crate) fn influence_at(&self, player: Player, key: Option<Key>) -> u8 {
        key.map_or(0, |key| self.influence_of(player, key))
    }

    /// Returns the influence of `player` on the whole board.
    pub(crate) fn total_influence(&self, player: Player) -> u16 {
        self.influence.iter().map(|&word| u16::from(lane(word, player))).sum()
    }

    /// Gains influence as far as the supply goes.
    pub(crate) fn gain_influence(&mut self, player: Player, key: Key, number: u8) {
        let gained = number.min(self.supply[player]);
        self.supply[player] -= gained;
        add_lane(&mut self.influence[key.idx()], player, gained as i8);
    }

    /// Gives one influence token back to its supply.
    pub(crate) fn lose_influence(&mut self, player: Player, key: Key) {
        self.supply[player] += 1;
        add_lane(&mut self.influence[key.idx()], player, -1);
    }

    /// Returns the owner of the city on `site`, if there is a site and a city.
    pub(crate) fn city_owner(&self, site: Option<Site>) -> Option<Player> {
        nibble(self.cities, site?.number()).checked_sub(1).map(Player::of)
    }

    pub(crate) fn set_city_owner(&mut self, site: Site, owner: Player) {
        let shift = 4 * site.number();
        self.cities = self.cities & !(15 << shift) | u64::from(owner.number() + 1) << shift;
    }

    /// Returns the number of copies of `card` (multi-use, Diplomacy or passive) that `player` holds.
    pub(crate) fn held(&self, player: Player, card: Card) -> u8 {
        match card.slot() {
            Slot::Multi(slot) => nibble(self.multi[player], slot),
            Slot::Passive(slot) => nibble(self.passive[player], slot),
        }
    }

    pub(crate) fn add_held(&mut self, player: Player, card: Card) {
        match card.slot() {
            Slot::Multi(slot) => self.multi[player] += 1 << (4 * slot),
            Slot::Passive(slot) => self.passive[player] += 1 << (4 * slot),
        }
    }

    /// Returns the multi-use, Diplomacy and passive cards of `player` with their numbers.
    pub(crate) fn held_cards(&self, player: Player) -> impl Iterator<Item = (Card, u8)> {
        let multi = nibbles(self.multi[player]).map(|(i, n)| (Card::in_slot(Slot::Multi(i)), n));
        let passive = nibbles(self.passive[player]);
        multi.chain(passive.map(|(i, n)| (Card::in_slot(Slot::Passive(i)), n)))
    }

    pub(crate) fn mark_used(&mut self, player: Player, card: Card) {
        self.used[player] += 1 << (4 * card.multi_slot());
    }

    /// Returns the number of Senators in a hand.
    pub(crate) fn hand_size(&self, player: Player) -> u8 {
        self.senators[player].iter().sum()
    }

    pub(crate) fn gain_vp(&mut self, player: Player, points: i16) {
        self.vp[player] = self.vp[player].saturating_add(points);
    }

    pub(crate) fn gain_chaos(&mut self, player: Player, points: i64) {
        let chaos = &mut self.chaos[player];
        *chaos = (i64::from(*chaos) + points).clamp(0, i64::from(u16::MAX)) as u16;
    }

    pub(crate) fn gain_money(&mut self, player: Player, talents: u16) {
        let money = &mut self.money[player];
        *money = money.saturating_add(talents).min(MOST_TALENTS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_compact() {
        let size = size_of::<State>();
        assert!(size <= 2048, "{size} bytes: the limit is 2,048");
        expect_test::expect!["1392"].assert_eq(&size.to_string());
    }

    #[test]
    fn senators_are_worth_their_value() {
        assert_eq!(worth([1, 1, 1, 0]), 6);
        assert_eq!(worth([0, 2, 0, 1]), 8);
    }
}
