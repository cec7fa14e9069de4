//! Immediate-use cards (clause 14).

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::flow::movement::CAESAR_COUNT;
use crate::games::conquest2::model::cards::{BARBARIANS, BRIBE, CITY, FLEET, POLITICIAN, REVOLT};
use crate::games::conquest2::model::detail::{Cause, Detail, Leg};
use crate::games::conquest2::model::options::Options;
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::{Key, Place, PlaceSet, Zone, ZoneSet};
use crate::games::conquest2::model::state::State;
use crate::games::conquest2::model::units::{CATAPULT, CAVALRY, GALLEY, INFANTRY};

impl Conquest2 {
    /// 9.2: whether the first ply of an immediate-use card has an option.
    pub(crate) fn can_happen(&self, s: &State, card: u8) -> bool {
        match card {
            FLEET..CITY => !self.fleet_sources(s, card).is_empty(),
            CITY..BARBARIANS => !self.building_sites(s, card).is_empty(),
            BARBARIANS..POLITICIAN => !self.expeditions(s, card).is_empty(),
            POLITICIAN => self.caesar_key(s).is_some() && s.supply[usize::from(s.actor)] > 0,
            BRIBE => self.bribable(s) != 0,
            REVOLT => !self.revolting(s).is_empty(),
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
        match s.phase() {
            Phase::FleetFrom => Options::of(self.fleet_sources(s, card)),
            Phase::CityIn => Options::of(self.building_sites(s, card)),
            Phase::BarbariansFrom => Options::of(self.expeditions(s, card)),
            Phase::BribeTarget => Options::of(self.bribable(s)),
            _ => Options::of(self.revolting(s)),
        }
    }

    // --- Commandeer a Fleet (14.1) ---

    fn fleet_sources(&self, s: &State, card: u8) -> ZoneSet {
        let zone = self.board.fleet_zone[usize::from(card - FLEET)];
        s.fleets_of(s.actor) - ZoneSet::of(zone)
    }

    pub(crate) fn commandeer(&self, s: &mut State, from: Zone) {
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

    fn building_sites(&self, s: &State, card: u8) -> PlaceSet {
        let has_none = |p: &Place| s.city_owner(self.board.city_site[p.idx()]).is_none();
        let sites = self.board.city_in[usize::from(card - CITY)].iter();
        let free: PlaceSet = sites.filter(has_none).collect();
        let own = free & s.units_of(s.actor);
        if self.board.config.city.needs_unit {
            return own;
        }
        let has_influence = |p: &Place| s.influence_at(s.actor, self.board.key_of[p.idx()]) > 0;
        own | free.iter().filter(has_influence).collect()
    }

    pub(crate) fn build_city(&self, s: &mut State, place: Place) {
        let site = self.board.city_site[place.idx()].expect("a site to build on");
        s.set_city_owner(site, s.actor);
        self.back_to_top(s);
    }

    // --- Barbarians at the Gate (14.3) ---

    /// Provinces from which the actor can send enough land military to where the card says.
    fn expeditions(&self, s: &State, card: u8) -> PlaceSet {
        let units = self.board.config.barbarians.units as u8;
        let target = self.board.barbarian_province[usize::from(card - BARBARIANS)];
        let leaders = s.leaders[usize::from(s.actor)] - PlaceSet::of(target);
        let can_land = self.sea_capacity(s, s.actor, target) >= units;
        let mut found = PlaceSet::EMPTY;
        for place in leaders.iter() {
            if s.troops(s.actor, place).military() < units {
                continue;
            }
            let is_coastal = self.board.coastal.contains(place);
            let has_fleet = || self.board.shores(s.fleets_of(s.actor)).contains(target);
            let by_sea = can_land && is_coastal && has_fleet();
            if by_sea || self.reach_by_land(s, s.actor, place).contains(target) {
                found.insert(place);
            }
        }
        found
    }

    pub(crate) fn start_expedition(&self, s: &mut State, from: Place) {
        let card = Self::card_taken(s);
        let to = self.board.barbarian_province[usize::from(card - BARBARIANS)];
        let room = Some(self.board.config.barbarians.units as u8);
        s.detail =
            Detail::Expedition { card, from, leg: Leg { to, count: 0, room, has_any: false } };
        s.go(Phase::BarbariansCount);
    }

    fn expedition(s: &State) -> (Place, Leg) {
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
    fn caesar_key(&self, s: &State) -> Option<Key> {
        self.board.key_of[s.caesar[usize::from(s.actor)]?.idx()]
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

    fn revolting(&self, s: &State) -> PlaceSet {
        s.army[..self.n_players].iter().fold(PlaceSet::EMPTY, |set, &army| set | army)
    }
}
