//! Immediate-use cards (clause 14).

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::flow::movement::Movers;
use crate::games::conquest2::model::cards::{Card, CardKind};
use crate::games::conquest2::model::counts::Mover;
use crate::games::conquest2::model::detail::{Cause, Detail, Leg};
use crate::games::conquest2::model::options::Options;
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::{Key, Place, PlaceSet, Zone, ZoneSet};
use crate::games::conquest2::model::state::State;
use crate::games::conquest2::model::units::Unit;
use crate::player::{Player, PlayerSet};

impl Conquest2 {
    /// Returns whether the first ply of an immediate-use card has an option (9.2).
    pub(crate) fn can_happen(&self, s: &State, card: Card) -> bool {
        match card.kind() {
            CardKind::Fleet(i) => !self.fleet_sources(s, i).is_empty(),
            CardKind::City(i) => !self.building_sites(s, i).is_empty(),
            CardKind::Barbarians(i) => !self.expeditions(s, i, true).is_empty(),
            CardKind::Politician => self.caesar_key(s).is_some() && s.supply[s.actor()] > 0,
            CardKind::Bribe => !self.bribable(s).is_empty(),
            CardKind::Revolt => !self.revolting(s).is_empty(),
            _ => false,
        }
    }

    pub(crate) fn start_immediate(&self, s: &mut State, card: Card) {
        s.detail = Detail::Card { card };
        s.go(match card.kind() {
            CardKind::Fleet(_) => Phase::FleetFrom,
            CardKind::City(_) => Phase::CityIn,
            CardKind::Politician => return self.politician(s),
            CardKind::Bribe => Phase::BribeTarget,
            CardKind::Revolt => Phase::RevoltIn,
            _ => Phase::BarbariansFrom,
        });
    }

    /// Returns the immediate-use card being carried out.
    fn card_taken(s: &State) -> Card {
        match s.detail {
            Detail::Card { card } | Detail::Expedition { card, .. } => card,
            other => unreachable!("{other:?} is no card"),
        }
    }

    pub(crate) fn immediate_options(&self, s: &State) -> Options {
        match Self::card_taken(s).kind() {
            CardKind::Fleet(i) => Options::of(self.fleet_sources(s, i)),
            CardKind::City(i) => Options::of(self.building_sites(s, i)),
            CardKind::Barbarians(i) => Options::of(self.expeditions(s, i, false)),
            CardKind::Bribe => Options::of(self.bribable(s)),
            _ => Options::of(self.revolting(s)),
        }
    }

    // --- Commandeer a Fleet (14.1) ---

    fn fleet_sources(&self, s: &State, fleet: u8) -> ZoneSet {
        let zone = self.board.fleet_zone[usize::from(fleet)];
        s.fleets_of(s.actor()) - ZoneSet::of(zone)
    }

    #[inline]
    pub(crate) fn commandeer(&self, s: &mut State, from: Zone) {
        let CardKind::Fleet(fleet) = Self::card_taken(s).kind() else {
            unreachable!("galleys go to a commandeered fleet");
        };
        let zone = self.board.fleet_zone[usize::from(fleet)];
        s.add_galleys(s.actor(), from, -1);
        s.add_galleys(s.actor(), zone, 1);
        let gained =
            self.draw_from_pool(s, s.actor(), Unit::Galley, self.board.config.fleet.galleys as u8);
        s.add_galleys(s.actor(), zone, gained as i8);
        self.back_to_top(s);
    }

    /// Takes up to `number` units out of a pool.
    pub(crate) fn draw_from_pool(
        &self,
        s: &mut State,
        player: Player,
        unit: Unit,
        number: u8,
    ) -> u8 {
        let pool = &mut s.pool[player][unit];
        let drawn = number.min(*pool);
        *pool -= drawn;
        drawn
    }

    // --- Build City (14.2) ---

    fn building_sites(&self, s: &State, city: u8) -> PlaceSet {
        let has_none = |p: &Place| s.city_owner(self.board.city_site[p.idx()]).is_none();
        let sites = self.board.city_in[usize::from(city)].iter();
        let free: PlaceSet = sites.filter(has_none).collect();
        let own = free & s.units_of(s.actor());
        if self.board.config.city.needs_unit {
            return own;
        }
        let has_influence = |p: &Place| s.influence_at(s.actor(), self.board.key_of[p.idx()]) > 0;
        own | free.iter().filter(has_influence).collect()
    }

    #[inline]
    pub(crate) fn build_city(&self, s: &mut State, place: Place) {
        let site = self.board.city_site[place.idx()].expect("a site to build on");
        s.set_city_owner(site, s.actor());
        self.back_to_top(s);
    }

    // --- Barbarians at the Gate (14.3) ---

    /// Returns the provinces from which the actor can send enough land military to the card's target. With `any`, the
    /// set may be incomplete, but it is empty only if there is no such province.
    fn expeditions(&self, s: &State, barbarians: u8, any: bool) -> PlaceSet {
        let units = self.board.config.barbarians.units as u8;
        let target = self.board.barbarian_province[usize::from(barbarians)];
        let player = s.actor();
        let leaders = s.leaders[player] - PlaceSet::of(target);
        let is_strong = |&place: &Place| s.troops(player, place).military() >= units;
        let strong: PlaceSet = leaders.iter().filter(is_strong).collect();
        if strong.is_empty() {
            return strong;
        }
        let has_fleet = || self.board.shores(s.fleets_of(player)).contains(target);
        let by_sea = self.sea_capacity(s, player, target) >= units && has_fleet();
        let near = if by_sea { strong & self.board.coastal } else { PlaceSet::EMPTY };
        if any && !near.is_empty() {
            return near;
        }
        // A province that reaches the target by land is reached from it: a block works in both directions.
        let is_enough = |reached: PlaceSet| any && !(strong & reached).is_empty();
        near | strong & self.reach_until(s, player, target, is_enough)
    }

    #[inline]
    pub(crate) fn start_expedition(&self, s: &mut State, from: Place) {
        let card = Self::card_taken(s);
        let to = self.board.barbarian_province[Self::barbarians(card)];
        let room = Some(self.board.config.barbarians.units as u8);
        let leg = Leg { to, count: Some(Mover::Infantry), room, has_any: false };
        s.detail = Detail::Expedition { card, from, leg };
        s.go(Phase::BarbariansCount);
    }

    /// Returns the index of the Barbarians that a card names.
    fn barbarians(card: Card) -> usize {
        match card.kind() {
            CardKind::Barbarians(i) => i.into(),
            other => unreachable!("{other:?} sends nobody"),
        }
    }

    fn expedition(s: &State) -> (Place, Leg) {
        match s.detail {
            Detail::Expedition { from, leg, .. } => (from, leg),
            other => unreachable!("{other:?} is no expedition"),
        }
    }

    pub(crate) fn expedition_options(s: &State) -> Options {
        let (from, leg) = Self::expedition(s);
        let (mover, movers) = (leg.mover(), Movers::of(s, from));
        let there = movers.number(mover);
        if !mover.is_military() {
            return Options::range(0, u16::from(there));
        }
        let left = leg.room.unwrap_or(there);
        let later = mover.later().filter(|later| later.is_military());
        let later: u8 = later.map(|later| movers.number(later)).sum();
        Options::range(u16::from(left.saturating_sub(later)), u16::from(there.min(left)))
    }

    #[inline]
    pub(crate) fn expedition_count(&self, s: &mut State, number: u8) {
        let (card, (from, leg)) = (Self::card_taken(s), Self::expedition(s));
        let leg = Self::carry(s, from, leg, number);
        s.detail.set_leg(leg);
        if leg.count.is_some() {
            return;
        }
        let (player, target) = (s.actor(), leg.to);
        self.arrive(s, player, target);
        let reward = self.board.barbarian_reward[Self::barbarians(card)];
        for (unit, number) in [(Unit::Infantry, reward.infantry), (Unit::Cavalry, reward.cavalry)] {
            let gained = self.draw_from_pool(s, player, unit, number);
            s.add_troops(player, target, unit, gained as i8);
        }
        s.gain_money(player, reward.talents);
        s.gain_vp(player, reward.vp);
        self.back_to_top(s);
    }

    // --- Politician (14.4) ---

    /// Returns the key province of the actor's caesar.
    fn caesar_key(&self, s: &State) -> Option<Key> {
        self.board.key_of[s.caesar[s.actor()]?.idx()]
    }

    fn politician(&self, s: &mut State) {
        if let Some(key) = self.caesar_key(s) {
            s.gain_influence(s.actor(), key, self.board.config.politician.influence as u8);
        }
        self.back_to_top(s);
    }

    // --- Bribe Senator (14.5) ---

    /// Returns the other players with Senators.
    pub(crate) fn bribable(&self, s: &State) -> PlayerSet {
        let others = self.everyone() - PlayerSet::of(s.actor());
        others.iter().filter(|&q| s.hand_size(q) > 0).collect()
    }

    #[inline]
    pub(crate) fn bribe(&self, s: &mut State, target: Player) {
        s.detail = Detail::Senator { player: target, cause: Cause::Bribe };
        s.go(Phase::SenatorDraw);
    }

    // --- Slave Revolt (14.6) ---

    fn revolting(&self, s: &State) -> PlaceSet {
        s.army.first(self.n_players).iter().fold(PlaceSet::EMPTY, |set, &army| set | army)
    }
}
