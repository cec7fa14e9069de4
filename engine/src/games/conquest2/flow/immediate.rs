//! Immediate-use cards (clause 14).

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::flow::movement::CAESAR_COUNT;
use crate::games::conquest2::model::board::{NONE, Places, each};
use crate::games::conquest2::model::cards::{BARBARIANS, BRIBE, CITY, FLEET, POLITICIAN, REVOLT};
use crate::games::conquest2::model::detail::{Cause, Detail, Leg};
use crate::games::conquest2::model::options::Options;
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::state::State;
use crate::games::conquest2::model::units::{CATAPULT, CAVALRY, GALLEY, INFANTRY};

impl Conquest2 {
    /// 9.2: whether the first ply of an immediate-use card has an option.
    pub(crate) fn can_happen(&self, s: &State, card: u8) -> bool {
        match card {
            FLEET..CITY => self.fleet_sources(s, card) != 0,
            CITY..BARBARIANS => self.building_sites(s, card) != 0,
            BARBARIANS..POLITICIAN => self.expeditions(s, card) != 0,
            POLITICIAN => self.caesar_key(s).is_some() && s.supply[usize::from(s.actor)] > 0,
            BRIBE => self.bribable(s) != 0,
            REVOLT => self.revolting(s) != 0,
            _ => false,
        }
    }

    pub(crate) fn start_immediate(&self, s: &mut State, card: u8) {
        s.detail = Detail::Card { card };
        s.go(match card {
            FLEET..CITY => Phase::FleetFrom,
            CITY..BARBARIANS => Phase::CityIn,
            POLITICIAN => return self.politician(s),
            BRIBE => Phase::BribeTarget,
            REVOLT => Phase::RevoltIn,
            _ => Phase::BarbariansFrom,
        });
    }

    /// The card that happens now.
    pub(crate) fn card_taken(s: &State) -> u8 {
        match s.detail {
            Detail::Card { card } | Detail::Expedition { card, .. } => card,
            other => unreachable!("{other:?} is no card"),
        }
    }

    pub(crate) fn immediate_options(&self, s: &State) -> Options {
        let card = Self::card_taken(s);
        Options::of(match s.phase() {
            Phase::FleetFrom => self.fleet_sources(s, card),
            Phase::CityIn => self.building_sites(s, card),
            Phase::BarbariansFrom => self.expeditions(s, card),
            Phase::BribeTarget => self.bribable(s),
            _ => self.revolting(s),
        })
    }

    // --- Commandeer a Fleet (14.1) ---

    fn fleet_sources(&self, s: &State, card: u8) -> Places {
        let zone = self.board.fleet_zone[usize::from(card - FLEET)];
        u64::from(s.fleets_of(s.actor)) & !(1 << zone)
    }

    pub(crate) fn commandeer(&self, s: &mut State, from: u8) {
        let zone = self.board.fleet_zone[usize::from(Self::card_taken(s) - FLEET)];
        s.add_galleys(s.actor, from, -1);
        s.add_galleys(s.actor, zone, 1);
        let gained = self.draw_from_pool(s, s.actor, GALLEY, self.board.config.fleet.galleys as u8);
        s.add_galleys(s.actor, zone, gained as i8);
        self.back_to_top(s);
    }

    /// Takes up to `number` units out of a pool.
    pub(crate) fn draw_from_pool(&self, s: &mut State, player: u8, kind: usize, number: u8) -> u8 {
        let pool = &mut s.pool[usize::from(player)][kind];
        let drawn = number.min(*pool);
        *pool -= drawn;
        drawn
    }

    // --- Build City (14.2) ---

    fn building_sites(&self, s: &State, card: u8) -> Places {
        let has_none = |p: &u8| s.city_owner(self.board.city_site[usize::from(*p)]).is_none();
        let free = each(self.board.city_in[usize::from(card - CITY)])
            .filter(has_none)
            .fold(0, |set, p| set | 1u64 << p);
        if self.board.config.city.needs_unit {
            return free & s.units_of(s.actor);
        }
        let has_influence =
            |p: &u8| s.influence_of(s.actor, self.board.key_of[usize::from(*p)]) > 0;
        free & (s.units_of(s.actor)
            | each(free).filter(has_influence).fold(0, |set, p| set | 1 << p))
    }

    pub(crate) fn build_city(&self, s: &mut State, place: u8) {
        s.set_city_owner(self.board.city_site[usize::from(place)], s.actor);
        self.back_to_top(s);
    }

    // --- Barbarians at the Gate (14.3) ---

    /// Provinces from which the actor can send enough land military to where the card says.
    fn expeditions(&self, s: &State, card: u8) -> Places {
        let units = self.board.config.barbarians.units as u8;
        let target = self.board.barbarian_province[usize::from(card - BARBARIANS)];
        let leaders = s.leaders[usize::from(s.actor)] & !(1 << target);
        let can_land = self.sea_capacity(s, s.actor, target) >= units;
        let mut found = 0;
        for place in each(leaders) {
            if s.troops(s.actor, place).military() < units {
                continue;
            }
            let is_coastal = self.board.coastal >> place & 1 == 1;
            let has_fleet = || self.board.shores(s.fleets_of(s.actor)) >> target & 1 == 1;
            let by_sea = can_land && is_coastal && has_fleet();
            if by_sea || self.reach_by_land(s, s.actor, place) >> target & 1 == 1 {
                found |= 1 << place;
            }
        }
        found
    }

    pub(crate) fn start_expedition(&self, s: &mut State, from: u8) {
        let card = Self::card_taken(s);
        let to = self.board.barbarian_province[usize::from(card - BARBARIANS)];
        let room = Some(self.board.config.barbarians.units as u8);
        s.detail =
            Detail::Expedition { card, from, leg: Leg { to, count: 0, room, has_any: false } };
        s.go(Phase::BarbariansCount);
    }

    fn expedition(s: &State) -> (u8, Leg) {
        match s.detail {
            Detail::Expedition { from, leg, .. } => (from, leg),
            other => unreachable!("{other:?} is no expedition"),
        }
    }

    pub(crate) fn expedition_options(s: &State) -> Options {
        let (from, Leg { count, room, .. }) = Self::expedition(s);
        let there = Self::movable(s, from, count);
        if usize::from(count) > CATAPULT {
            return Options::range(0, u16::from(there));
        }
        let left = room.unwrap_or(there);
        let later: u8 = (count + 1..=CATAPULT as u8).map(|c| Self::movable(s, from, c)).sum();
        Options::range(u16::from(left.saturating_sub(later)), u16::from(there.min(left)))
    }

    pub(crate) fn expedition_count(&self, s: &mut State, number: u8) {
        let (card, (from, leg)) = (Self::card_taken(s), Self::expedition(s));
        let leg = Self::carry(s, from, leg, number);
        s.detail = Detail::Expedition { card, from, leg };
        if leg.count <= CAESAR_COUNT {
            return;
        }
        let (player, target) = (s.actor, leg.to);
        self.arrive(s, player, target);
        let reward = self.board.barbarian_reward[usize::from(card - BARBARIANS)];
        for (kind, number) in [(INFANTRY, reward.infantry), (CAVALRY, reward.cavalry)] {
            let gained = self.draw_from_pool(s, player, kind, number);
            s.add_troops(player, target, kind, gained as i8);
        }
        s.gain_money(player, reward.talents);
        s.gain_vp(player, reward.vp);
        self.back_to_top(s);
    }

    // --- Politician (14.4) ---

    /// The key province of the actor's caesar.
    fn caesar_key(&self, s: &State) -> Option<u8> {
        let place = s.caesar[usize::from(s.actor)];
        let key = if place == NONE { NONE } else { self.board.key_of[usize::from(place)] };
        (key != NONE).then_some(key)
    }

    fn politician(&self, s: &mut State) {
        if let Some(key) = self.caesar_key(s) {
            s.gain_influence(s.actor, key, self.board.config.politician.influence as u8);
        }
        self.back_to_top(s);
    }

    // --- Bribe Senator (14.5) ---

    /// Other players with Senators, as bits.
    pub(crate) fn bribable(&self, s: &State) -> u64 {
        let others = (0..self.n_players as u8).filter(|&q| q != s.actor && s.hand_size(q) > 0);
        others.fold(0, |set, q| set | 1 << q)
    }

    pub(crate) fn bribe(&self, s: &mut State, target: u8) {
        s.detail = Detail::Senator { player: target, cause: Cause::Bribe };
        s.go(Phase::SenatorDraw);
    }

    // --- Slave Revolt (14.6) ---

    fn revolting(&self, s: &State) -> Places {
        s.army[..self.n_players].iter().fold(0, |set, army| set | army)
    }
}
