//! The position: everything on the table, who is deciding what, and what each seat has seen of Senators.
//!
//! Layout in one sentence: land units are 16 bits per player and province with a mask of armies and of
//! leaders beside them, galleys and influence are 5 bits per player in one word per place, cards are 4 bits
//! per kind, and the decision that is due is cached with its options.

use crate::games::conquest2::model::board::{
    Board, MAX_COAST, MAX_KEYS, N_PROVINCES, N_ZONES, NONE,
};
use crate::games::conquest2::model::cards::{DIPLOMACY, MERCHANT, N_CARDS};
use crate::games::conquest2::model::detail::Detail;
use crate::games::conquest2::model::log::Knowledge;
use crate::games::conquest2::model::options::Options;
use crate::games::conquest2::model::packed::{
    LANE, LANE_MAX, add_lane, lane, lanes, nibble, nibbles, passive_card, passive_slot,
};
use crate::games::conquest2::model::phase::Phase;
#[cfg(test)]
use crate::games::conquest2::model::phase::seen;
use crate::games::conquest2::model::place::{Key, Place, PlaceSet, Site, Zone, ZoneSet};
use crate::games::conquest2::model::units::{N_MILITARY, N_UNITS, Troops};
use crate::player::MAX_PLAYERS;

/// What a player has at most: no default game comes near; all bids up to it can still be counted.
pub(crate) const MOST_TALENTS: u16 = u16::MAX - 1;

/// A position of Conquest of the Empire II. Its hash is in `digest`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// Provinces with land military, by player.
    pub(crate) army: [PlaceSet; MAX_PLAYERS],
    /// Provinces with a general or the caesar, by player.
    pub(crate) leaders: [PlaceSet; MAX_PLAYERS],
    /// Multi-use cards held, 4 bits a kind.
    pub(crate) multi: [u64; MAX_PLAYERS],
    /// Of these, used this season.
    pub(crate) used: [u64; MAX_PLAYERS],
    /// Diplomacy, trainings and Favorable Wind, 4 bits a kind.
    pub(crate) passive: [u64; MAX_PLAYERS],
    /// City owners, 4 bits a site: 0 = no city, else 1 + seat.
    pub(crate) cities: u64,
    /// Card kinds in the display.
    pub(crate) displayed: u64,
    pub(crate) options: Options,
    pub(crate) detail: Detail,
    /// Galleys by zone, 5 bits a player.
    pub(crate) sea: [u32; N_ZONES],
    /// Influence by key province, 5 bits a player.
    pub(crate) influence: [u32; MAX_KEYS],
    pub(crate) battle: Battle,
    pub(crate) land: [[Troops; N_PROVINCES]; MAX_PLAYERS],
    pub(crate) money: [u16; MAX_PLAYERS],
    pub(crate) chaos: [u16; MAX_PLAYERS],
    pub(crate) vp: [i16; MAX_PLAYERS],
    pub(crate) auction: Auction,
    pub(crate) caesar: [Option<Place>; MAX_PLAYERS],
    pub(crate) pool: [[u8; N_UNITS]; MAX_PLAYERS],
    pub(crate) supply: [u8; MAX_PLAYERS],
    /// Senators in hand by value I to IV.
    pub(crate) senators: [[u8; 4]; MAX_PLAYERS],
    /// Tokens on the board and in the bag, by key province.
    pub(crate) tokens: [u8; MAX_KEYS],
    pub(crate) bag: [u8; MAX_KEYS],
    pub(crate) display: [u8; N_CARDS],
    pub(crate) deck: [u8; N_CARDS],
    pub(crate) knowledge: Knowledge,
    pub(crate) vote: Vote,
    /// Turn order of the season, as far as auctions have settled it; behind that it is of the season before, whose last
    /// player opens the next auction.
    pub(crate) order: [u8; MAX_PLAYERS],
    /// Members of alliance B, as bits.
    pub(crate) alliance_b: u8,
    /// Players without an alliance and a place in the order of this season, as bits: all of them from a scoring to the
    /// first auction.
    pub(crate) unallied: u8,
    /// Seasons completed.
    pub(crate) season: u8,
    /// The action round under way, from 1; 0 from set-up or scoring to the first turn of the season, and at the end.
    pub(crate) round: u8,
    /// Position in the turn order.
    pub(crate) turn: u8,
    pub(crate) actions_left: u8,
    pub(crate) has_taken: bool,
    phase: Phase,
    /// Who decides.
    pub(crate) actor: u8,
    pub(crate) first_player: u8,
    /// Snapshots passed: after set-up, after each season.
    pub(crate) milestone: u8,
}

/// A battle on land or at sea. Side 0 attacks, side 1 defends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Battle {
    /// Galleys committed from each zone beside the province, 5 bits an owner.
    pub(crate) committed: [u32; MAX_COAST],
    /// Units in the armies by owner: infantry, cavalry, catapults, galleys.
    pub(crate) engaged: [[u8; N_MILITARY]; MAX_PLAYERS],
    /// Troops without an owner by side: Diplomacy, Pirates, slaves.
    pub(crate) neutral: [[u8; N_MILITARY]; 2],
    /// Hits that a side has still to take.
    pub(crate) hits: [u8; 2],
    /// Where it is fought on land.
    pub(crate) place: Option<Place>,
    /// Where it is fought at sea.
    pub(crate) zone: Option<Zone>,
    /// [`NONE`] for the slaves.
    pub(crate) attacker: u8,
    pub(crate) defender: u8,
    pub(crate) round: u8,
    /// The side that rolls, loses units, or decides on retreat.
    pub(crate) side: u8,
    pub(crate) cursor: u8,
    /// Sides that have lost, as bits.
    pub(crate) lost: u8,
    /// Sides whose army was eliminated, as bits.
    pub(crate) gone: u8,
    /// Whether this is a Slave Revolt, and who has been fought in it, as bits.
    pub(crate) is_revolt: bool,
    pub(crate) fought: u8,
}

impl Battle {
    pub(crate) const EMPTY: Self = Self {
        committed: [0; MAX_COAST],
        engaged: [[0; N_MILITARY]; MAX_PLAYERS],
        neutral: [[0; N_MILITARY]; 2],
        hits: [0; 2],
        place: None,
        zone: None,
        attacker: NONE,
        defender: NONE,
        round: 0,
        side: 0,
        cursor: 0,
        lost: 0,
        gone: 0,
        is_revolt: false,
        fought: 0,
    };
}

impl Battle {
    /// Whether it is fought at sea.
    pub(crate) const fn is_naval(&self) -> bool {
        self.zone.is_some()
    }

    /// The province of a land battle.
    pub(crate) fn province(&self) -> Place {
        self.place.expect("a land battle has a province")
    }
}

/// An alliance auction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Auction {
    /// The standing bid in talents; meaningless without a bidder.
    pub(crate) bid: u16,
    pub(crate) bidder: u8,
    /// The standing proposal: who goes to box A and box B ([`NONE`] for an empty box).
    pub(crate) boxes: [u8; 2],
    /// What the bidder who is deciding has proposed.
    pub(crate) proposed: [u8; 2],
    /// Passes in a row.
    pub(crate) passes: u8,
    pub(crate) opener: u8,
    /// Which auction of the season.
    pub(crate) number: u8,
}

impl Auction {
    pub(crate) const EMPTY: Self = Self {
        bid: 0,
        bidder: NONE,
        boxes: [NONE; 2],
        proposed: [NONE; 2],
        passes: 0,
        opener: NONE,
        number: 0,
    };
}

/// A Senate Vote.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Vote {
    /// The Senators shown for the standing bid, by value.
    pub(crate) shown: [u8; 4],
    pub(crate) bidder: u8,
    pub(crate) passes: u8,
    /// Which vote, 0 to 4.
    pub(crate) card: u8,
}

impl Vote {
    pub(crate) const EMPTY: Self = Self { shown: [0; 4], bidder: NONE, passes: 0, card: NONE };
}

/// The votes that a set of Senators is worth.
pub(crate) const fn worth(senators: [u8; 4]) -> u16 {
    let [a, b, c, d] = senators;
    a as u16 + 2 * b as u16 + 3 * c as u16 + 4 * d as u16
}

impl State {
    /// What is due.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Goes on to another phase, or to the same again.
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

    /// Stands at `phase` without having come there, in positions made by hand.
    pub(crate) const fn stand_at(&mut self, phase: Phase) {
        self.phase = phase;
    }

    /// The table before anything is drawn.
    pub(crate) fn new(board: &Board, n: usize) -> Self {
        let mut deck = board.card_count;
        let start = &board.config.start;
        let senators: [u8; 4] = std::array::from_fn(|v| start.senators[v] as u8);
        if start.senators_from_deck {
            (0..4).for_each(|v| deck[v] -= senators[v] * n as u8);
        }
        let mut state = Self {
            army: [PlaceSet::EMPTY; MAX_PLAYERS],
            leaders: [PlaceSet::EMPTY; MAX_PLAYERS],
            multi: [0; MAX_PLAYERS],
            used: [0; MAX_PLAYERS],
            passive: [0; MAX_PLAYERS],
            cities: 0,
            displayed: 0,
            options: Options::NONE,
            detail: Detail::None,
            sea: [0; N_ZONES],
            influence: [0; MAX_KEYS],
            battle: Battle::EMPTY,
            land: [[Troops(0); N_PROVINCES]; MAX_PLAYERS],
            money: [0; MAX_PLAYERS],
            chaos: [0; MAX_PLAYERS],
            vp: [0; MAX_PLAYERS],
            auction: Auction::EMPTY,
            caesar: [None; MAX_PLAYERS],
            pool: [[0; N_UNITS]; MAX_PLAYERS],
            supply: [0; MAX_PLAYERS],
            senators: [[0; 4]; MAX_PLAYERS],
            tokens: [0; MAX_KEYS],
            bag: board.tokens,
            display: [0; N_CARDS],
            deck,
            knowledge: Knowledge::EMPTY,
            vote: Vote::EMPTY,
            order: std::array::from_fn(|q| q as u8),
            alliance_b: 0,
            unallied: ((1u16 << n) - 1) as u8,
            season: 0,
            round: 0,
            turn: 0,
            actions_left: 0,
            has_taken: false,
            phase: Phase::FirstPlayer,
            actor: NONE,
            first_player: NONE,
            milestone: 0,
        };
        for q in 0..n {
            state.money[q] = board.config.options.money as u16;
            state.pool[q] = board.pool;
            state.supply[q] = board.config.pools.influence as u8;
            state.senators[q] = senators;
        }
        state.lay_out_votes();
        state
    }

    fn lay_out_votes(&mut self) {
        for card in crate::games::conquest2::model::cards::VOTE..DIPLOMACY {
            let count = std::mem::take(&mut self.deck[card as usize]);
            self.add_to_display(card, count);
        }
    }

    pub(crate) fn add_to_display(&mut self, card: u8, count: u8) {
        self.display[card as usize] += count;
        self.displayed |= u64::from(count > 0) << card;
    }

    pub(crate) fn take_from_display(&mut self, card: u8) {
        let left = &mut self.display[card as usize];
        *left -= 1;
        if *left == 0 {
            self.displayed &= !(1 << card);
        }
    }

    /// Whether two players are in one alliance (a player is allied to himself).
    pub(crate) fn are_allied(&self, a: u8, b: u8) -> bool {
        (self.alliance_b >> a ^ self.alliance_b >> b) & 1 == 0
    }

    /// The players not allied to `player`, as bits.
    pub(crate) fn enemies(&self, player: u8, n: usize) -> u8 {
        let all = ((1u16 << n) - 1) as u8;
        let b = self.alliance_b;
        if b >> player & 1 == 1 { !b & all } else { b & all }
    }

    /// Provinces with land military of a player in `players`.
    pub(crate) fn armies_of(&self, players: u8) -> PlaceSet {
        let armies = (0..MAX_PLAYERS).filter(|q| players >> q & 1 == 1).map(|q| self.army[q]);
        armies.fold(PlaceSet::EMPTY, |set, army| set | army)
    }

    /// Provinces with land units of `player`.
    pub(crate) fn units_of(&self, player: u8) -> PlaceSet {
        self.army[player as usize] | self.leaders[player as usize]
    }

    pub(crate) fn troops(&self, player: u8, place: Place) -> Troops {
        self.land[player as usize][place.idx()]
    }

    /// Adds (or with a negative number removes) units of a land military kind or generals.
    pub(crate) fn add_troops(&mut self, player: u8, place: Place, kind: usize, number: i8) {
        let troops = &mut self.land[player as usize][place.idx()];
        let change = Troops::one(kind).wrapping_mul(i16::from(number) as u16);
        troops.0 = troops.0.wrapping_add(change);
        self.refresh(player, place);
    }

    pub(crate) fn move_caesar(&mut self, player: u8, place: Place) {
        let old = self.caesar[player as usize].replace(place);
        if let Some(old) = old {
            self.refresh(player, old);
        }
        self.refresh(player, place);
    }

    /// Moves everything of `player` in `from` to `to`.
    pub(crate) fn move_all(&mut self, player: u8, from: Place, to: Place) {
        let q = player as usize;
        let troops = std::mem::take(&mut self.land[q][from.idx()]);
        self.land[q][to.idx()].0 += troops.0;
        if self.caesar[q] == Some(from) {
            self.caesar[q] = Some(to);
        }
        self.refresh(player, from);
        self.refresh(player, to);
    }

    /// Moves the leaders of `player` in `from` to `to`.
    pub(crate) fn move_leaders(&mut self, player: u8, from: Place, to: Place) {
        let generals = self.troops(player, from).generals() as i8;
        self.add_troops(player, from, crate::games::conquest2::model::units::GENERAL, -generals);
        self.add_troops(player, to, crate::games::conquest2::model::units::GENERAL, generals);
        if self.caesar[player as usize] == Some(from) {
            self.move_caesar(player, to);
        }
    }

    fn refresh(&mut self, player: u8, place: Place) {
        let q = player as usize;
        let troops = self.land[q][place.idx()];
        let has_leader = troops.generals() > 0 || self.caesar[q] == Some(place);
        self.army[q] = self.army[q].with(place, troops.is_army());
        self.leaders[q] = self.leaders[q].with(place, has_leader);
    }

    pub(crate) fn galleys(&self, player: u8, zone: Zone) -> u8 {
        lane(self.sea[zone.idx()], player)
    }

    pub(crate) fn add_galleys(&mut self, player: u8, zone: Zone, number: i8) {
        add_lane(&mut self.sea[zone.idx()], player, number);
    }

    /// Zones with galleys of `player`.
    pub(crate) fn fleets_of(&self, player: u8) -> ZoneSet {
        let lanes = LANE_MAX << (LANE * u32::from(player));
        let bits = (0..N_ZONES).fold(0, |set, z| set | u32::from(self.sea[z] & lanes != 0) << z);
        ZoneSet::from_bits(bits.into())
    }

    /// Whether a player in `players` has a galley in `zone`.
    pub(crate) fn has_fleet(&self, players: u8, zone: Zone) -> bool {
        self.sea[zone.idx()] & lanes(players) != 0
    }

    pub(crate) fn influence_of(&self, player: u8, key: Key) -> u8 {
        lane(self.influence[key.idx()], player)
    }

    /// Influence in the key province of which a place is one, if it is.
    pub(crate) fn influence_at(&self, player: u8, key: Option<Key>) -> u8 {
        key.map_or(0, |key| self.influence_of(player, key))
    }

    /// Influence of `player` on the whole board.
    pub(crate) fn total_influence(&self, player: u8) -> u16 {
        self.influence.iter().map(|&word| u16::from(lane(word, player))).sum()
    }

    /// Gains influence as far as the supply goes.
    pub(crate) fn gain_influence(&mut self, player: u8, key: Key, number: u8) {
        let gained = number.min(self.supply[player as usize]);
        self.supply[player as usize] -= gained;
        add_lane(&mut self.influence[key.idx()], player, gained as i8);
    }

    /// Gives one influence token back to its supply.
    pub(crate) fn lose_influence(&mut self, player: u8, key: Key) {
        self.supply[player as usize] += 1;
        add_lane(&mut self.influence[key.idx()], player, -1);
    }

    /// The owner of the city on `site`, if there is a site and a city.
    pub(crate) fn city_owner(&self, site: Option<Site>) -> Option<u8> {
        nibble(self.cities, site?.number()).checked_sub(1)
    }

    pub(crate) fn set_city_owner(&mut self, site: Site, owner: u8) {
        let shift = 4 * site.number();
        self.cities = self.cities & !(15 << shift) | u64::from(owner + 1) << shift;
    }

    /// How many of `card` (multi-use, Diplomacy or passive) `player` holds.
    pub(crate) fn held(&self, player: u8, card: u8) -> u8 {
        let q = player as usize;
        match card {
            MERCHANT..DIPLOMACY => nibble(self.multi[q], card - MERCHANT),
            _ => nibble(self.passive[q], passive_slot(card)),
        }
    }

    pub(crate) fn add_held(&mut self, player: u8, card: u8) {
        let q = player as usize;
        match card {
            MERCHANT..DIPLOMACY => self.multi[q] += 1 << (4 * (card - MERCHANT)),
            _ => self.passive[q] += 1 << (4 * passive_slot(card)),
        }
    }

    /// Multi-use, Diplomacy and passive cards of `player` with their numbers.
    pub(crate) fn held_cards(&self, player: u8) -> impl Iterator<Item = (u8, u8)> {
        let q = player as usize;
        let multi = nibbles(self.multi[q]).map(|(slot, number)| (MERCHANT + slot, number));
        let passive = nibbles(self.passive[q]).map(|(slot, number)| (passive_card(slot), number));
        multi.chain(passive)
    }

    /// How many of a multi-use card `player` has not used yet this season.
    pub(crate) fn ready(&self, player: u8, card: u8) -> u8 {
        let q = player as usize;
        nibble(self.multi[q] - self.used[q], card - MERCHANT)
    }

    pub(crate) fn mark_used(&mut self, player: u8, card: u8) {
        self.used[player as usize] += 1 << (4 * (card - MERCHANT));
    }

    /// Number of Senators in a hand.
    pub(crate) fn hand_size(&self, player: u8) -> u8 {
        self.senators[player as usize].iter().sum()
    }

    pub(crate) fn gain_vp(&mut self, player: u8, points: i16) {
        self.vp[player as usize] = self.vp[player as usize].saturating_add(points);
    }

    pub(crate) fn gain_chaos(&mut self, player: u8, points: i64) {
        let chaos = &mut self.chaos[player as usize];
        *chaos = (i64::from(*chaos) + points).clamp(0, i64::from(u16::MAX)) as u16;
    }

    pub(crate) fn gain_money(&mut self, player: u8, talents: u16) {
        let money = &mut self.money[player as usize];
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
