//! How battles start and end: declaring them, sailing into them, slave revolts, what losers suffer
//! (clauses 14.6, 15.1, 15.8, 15.9, 15N.1, 15N.2).

use crate::bits::each;
use crate::games::conquest2::Conquest2;
use crate::games::conquest2::flow::battle::{ATTACKER, DEFENDER};
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::board::{N_ZONES, NONE};
use crate::games::conquest2::model::cards::{DIPLOMACY, N_DIPLOMACY, PIRATES, WIND};
use crate::games::conquest2::model::detail::{Detail, Sailing};
use crate::games::conquest2::model::options::{LAST, Options};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::{Place, PlaceSet, Zone, ZoneSet};
use crate::games::conquest2::model::state::{Battle, State};
use crate::games::conquest2::model::units::{GALLEY, INFANTRY};

const ALL_ZONES: ZoneSet = ZoneSet::from_bits((1 << N_ZONES) - 1);

impl Conquest2 {
    // --- land (15.1) ---

    /// Provinces with own land military and land units of an enemy.
    pub(crate) fn battlefields(&self, s: &State) -> PlaceSet {
        let enemies = each(u64::from(s.enemies(s.actor, self.n_players)));
        let hostile = enemies.fold(PlaceSet::EMPTY, |set, q| set | s.units_of(q));
        s.army[usize::from(s.actor)] & hostile
    }

    pub(crate) fn battle_in(s: &mut State, place: Place) {
        s.detail = Detail::Attack { place };
        s.go(Phase::BattleAgainst);
    }

    fn battlefield(s: &State) -> Place {
        s.detail.place().expect("an attack has a place")
    }

    /// Whom the actor can attack there, as bits.
    pub(crate) fn defenders(&self, s: &State) -> u64 {
        self.enemies_in(s, Self::battlefield(s))
    }

    pub(crate) fn battle_against(&self, s: &mut State, defender: u8) {
        let (attacker, place) = (s.actor, Self::battlefield(s));
        s.detail = Detail::None;
        s.battle = Battle { place: Some(place), attacker, defender, ..Battle::EMPTY };
        if s.army[usize::from(defender)].contains(place) {
            self.muster(s, ATTACKER);
            self.muster(s, DEFENDER);
            self.seek_commitment(s);
        } else {
            // Only leaders are there: they leave, and a city falls.
            s.battle.lost = 1 << DEFENDER;
            s.battle.gone = 1 << DEFENDER;
            self.take_city(s);
            self.seek_withdrawal(s, DEFENDER);
        }
    }

    /// 15.4: own land military and Diplomacy troops of a side.
    fn muster(&self, s: &mut State, side: u8) {
        let (commander, place) = (Self::commander(s, side), s.battle.province());
        let troops = s.troops(commander, place);
        for kind in INFANTRY..GALLEY {
            s.battle.engaged[usize::from(commander)][kind] = troops.count(kind);
        }
        for i in (0..N_DIPLOMACY).filter(|&i| self.board.diplomacy_province[i] == Some(place)) {
            let copies = s.held(commander, DIPLOMACY + i as u8);
            let neutral = &mut s.battle.neutral[usize::from(side)];
            for (kind, number) in neutral.iter_mut().enumerate() {
                *number += copies * self.board.diplomacy[i][kind];
            }
        }
    }

    // --- slaves (15.9) ---

    pub(crate) fn revolt_in(&self, s: &mut State, place: Place) {
        s.detail = Detail::None;
        s.battle = Battle { place: Some(place), is_revolt: true, ..Battle::EMPTY };
        s.battle.neutral[usize::from(ATTACKER)][INFANTRY] = self.board.config.revolt.infantry as u8;
        s.go(Phase::RevoltTarget);
    }

    /// Whom the slaves may fight next, as bits: the card's player last.
    pub(crate) fn revolt_targets(&self, s: &State) -> u64 {
        let place = s.battle.province();
        let is_open =
            |q: &u8| s.army[usize::from(*q)].contains(place) && s.battle.fought >> q & 1 == 0;
        let open = (0..self.n_players as u8).filter(is_open).fold(0u64, |set, q| set | 1 << q);
        let others = open & !(1 << self.turn_player(s));
        if others == 0 { open } else { others }
    }

    pub(crate) fn revolt_against(&self, s: &mut State, defender: u8) {
        let Battle { place, neutral, fought, .. } = s.battle;
        let fought = fought | 1 << defender;
        s.battle = Battle { place, defender, is_revolt: true, fought, ..Battle::EMPTY };
        s.battle.neutral[usize::from(ATTACKER)] = neutral[usize::from(ATTACKER)];
        self.muster(s, DEFENDER);
        self.seek_commitment(s);
    }

    fn continue_revolt(&self, s: &mut State) {
        let has_slaves = s.battle.neutral[usize::from(ATTACKER)][INFANTRY] > 0;
        if has_slaves && self.revolt_targets(s) != 0 {
            s.actor = self.turn_player(s);
            s.go(Phase::RevoltTarget);
        } else {
            s.battle = Battle::EMPTY;
            self.back_to_top(s);
        }
    }

    // --- sea (15N) ---

    /// Whether the actor has a galley on the map: it can always sail to some other zone.
    pub(crate) fn has_galley(&self, s: &State) -> bool {
        s.pool[usize::from(s.actor)][GALLEY] < self.board.pool[GALLEY]
    }

    /// Zones that can be named in `to S`.
    pub(crate) fn ports(&self, s: &State) -> ZoneSet {
        let fleets = s.fleets_of(s.actor);
        match (fleets.first(), fleets.len()) {
            (None, _) => ZoneSet::EMPTY,
            (Some(only), 1) if !self.meets_enemy(s, only) => ALL_ZONES - fleets,
            _ => ALL_ZONES,
        }
    }

    /// Whether own and enemy galleys are in `zone`.
    fn meets_enemy(&self, s: &State, zone: Zone) -> bool {
        s.galleys(s.actor, zone) > 0 && s.has_fleet(s.enemies(s.actor, self.n_players), zone)
    }

    pub(crate) fn sail_to(&self, s: &mut State, zone: Zone) {
        let sources = s.fleets_of(s.actor) - ZoneSet::of(zone);
        let has_met = self.meets_enemy(s, zone);
        s.detail = Detail::Sailing(Sailing { to: zone, sources, has_met, has_any: false });
        s.go(Phase::SailCount);
        if sources.is_empty() {
            self.sailed(s);
        }
    }

    pub(crate) fn sail_options(s: &State) -> Options {
        let Sailing { sources, has_met, has_any, .. } = s.detail.sailing();
        let must = !has_any && !has_met && sources.len() == 1;
        let there = sources.first().map_or(0, |zone| s.galleys(s.actor, zone));
        Options::range(u16::from(must), u16::from(there))
    }

    pub(crate) fn sail(&self, s: &mut State, count: u8) {
        let mut sailing = s.detail.sailing();
        let from = sailing.sources.pop().expect("a zone to sail from");
        s.add_galleys(s.actor, from, -(count as i8));
        s.add_galleys(s.actor, sailing.to, count as i8);
        sailing.has_any |= count > 0;
        s.detail = Detail::Sailing(sailing);
        if sailing.sources.is_empty() {
            self.sailed(s);
        }
    }

    fn sailed(&self, s: &mut State) {
        if self.meets_enemy(s, s.detail.sailing().to) {
            s.go(Phase::SailAttack);
        } else {
            self.back_to_top(s);
        }
    }

    pub(crate) fn attack_options(&self, s: &State) -> Options {
        let enemies = each(u64::from(s.enemies(s.actor, self.n_players)));
        let Sailing { to, has_any, .. } = s.detail.sailing();
        let there = enemies.filter(|&q| s.galleys(q, to) > 0).fold(0, |set, q| set | 1 << q);
        Options::of(there | if has_any { LAST } else { 0 })
    }

    pub(crate) fn attack(&self, s: &mut State, action: Action) {
        if action.verb == Verb::NoAttack {
            self.back_to_top(s);
            return;
        }
        let (attacker, defender, zone) = (s.actor, action.args[0], s.detail.sailing().to);
        s.detail = Detail::None;
        s.battle = Battle { zone: Some(zone), attacker, defender, ..Battle::EMPTY };
        if s.held(defender, WIND) > 0 {
            s.actor = defender;
            s.go(Phase::Wind);
        } else {
            self.join_navies(s);
        }
    }

    pub(crate) fn wind(&self, s: &mut State, action: Action) {
        if action.verb == Verb::WindYes {
            s.battle = Battle::EMPTY;
            self.back_to_top(s);
        } else {
            self.join_navies(s);
        }
    }

    fn join_navies(&self, s: &mut State) {
        for side in [ATTACKER, DEFENDER] {
            let commander = Self::commander(s, side);
            self.engage_galleys(s, commander, 0, s.galleys(commander, self.battle_zone(s, 0)));
            let pirates = self.board.diplomacy[usize::from(PIRATES - DIPLOMACY)][GALLEY];
            s.battle.neutral[usize::from(side)][GALLEY] = s.held(commander, PIRATES) * pirates;
        }
        self.seek_naval_loan(s);
    }

    // --- what follows (15.8, 15N.4) ---

    pub(crate) fn battle_over(&self, s: &mut State) {
        self.return_galleys(s);
        for side in [ATTACKER, DEFENDER] {
            let loser = Self::commander(s, side);
            if s.battle.lost >> side & 1 == 1 && loser != NONE {
                s.gain_chaos(loser, self.board.config.chaos.battle);
            }
        }
        if s.battle.is_naval() {
            s.battle = Battle::EMPTY;
            self.back_to_top(s);
            return;
        }
        if s.battle.lost == 1 << DEFENDER && !s.battle.is_revolt {
            self.take_city(s);
        }
        self.seek_withdrawal(s, ATTACKER);
    }

    fn take_city(&self, s: &mut State) {
        if self.is_siege(s)
            && let Some(site) = self.board.city_site[s.battle.province().idx()]
        {
            s.set_city_owner(site, s.battle.attacker);
        }
    }

    /// Leaders without an army must leave, the attacker's first.
    fn seek_withdrawal(&self, s: &mut State, from_side: u8) {
        for side in from_side..=DEFENDER {
            let loser = Self::commander(s, side);
            let must = s.battle.lost & s.battle.gone;
            if must >> side & 1 == 1
                && loser != NONE
                && s.leaders[usize::from(loser)].contains(s.battle.province())
                && !self.neighbours(s, loser, s.battle.province()).is_empty()
            {
                s.actor = loser;
                s.battle.side = side;
                s.go(Phase::Withdraw);
                return;
            }
        }
        if s.battle.is_revolt {
            self.continue_revolt(s);
        } else {
            s.battle = Battle::EMPTY;
            self.back_to_top(s);
        }
    }

    pub(crate) fn withdraw_options(&self, s: &State) -> Options {
        Options::of(self.neighbours(s, s.actor, s.battle.province()))
    }

    pub(crate) fn withdraw(&self, s: &mut State, place: Place) {
        s.move_leaders(s.actor, s.battle.province(), place);
        self.seek_withdrawal(s, s.battle.side + 1);
    }
}
