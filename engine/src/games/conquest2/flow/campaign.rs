//! The start and the end of battles: declaring them, sailing into them, slave revolts, consequences for the losers
//! (clauses 14.6, 15.1, 15.8, 15.9, 15N.1, 15N.2).

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::battle::{Battle, Count, NavalLoan, Side, SideSet};
use crate::games::conquest2::model::cards::{Card, N_DIPLOMACY, PIRATES};
use crate::games::conquest2::model::detail::{Detail, Sailing};
use crate::games::conquest2::model::options::{LAST, Options};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::{N_ZONES, Place, PlaceSet, Zone, ZoneSet};
use crate::games::conquest2::model::state::State;
use crate::games::conquest2::model::units::Unit;
use crate::player::{Player, PlayerSet};

const ALL_ZONES: ZoneSet = ZoneSet::from_bits((1 << N_ZONES) - 1);

impl Conquest2 {
    // --- land (15.1) ---

    /// Returns the provinces with own land military and land units of an enemy.
    pub(crate) fn battlefields(&self, s: &State) -> PlaceSet {
        let enemies = s.enemies(s.actor(), self.n_players).iter();
        let hostile = enemies.fold(PlaceSet::EMPTY, |set, q| set | s.units_of(q));
        s.army[s.actor()] & hostile
    }

    #[inline]
    pub(crate) fn battle_in(s: &mut State, place: Place) {
        s.detail = Detail::Attack { place };
        s.go(Phase::BattleAgainst);
    }

    fn battlefield(s: &State) -> Place {
        s.detail.place().expect("an attack has a place")
    }

    /// Returns the players that the actor can attack there.
    pub(crate) fn defenders(&self, s: &State) -> PlayerSet {
        self.enemies_in(s, Self::battlefield(s))
    }

    #[inline]
    pub(crate) fn battle_against(&self, s: &mut State, defender: Player) {
        let place = Self::battlefield(s);
        s.detail = Detail::None;
        let (attacker, defended) = (s.actor, Some(defender));
        s.battle = Battle { place: Some(place), attacker, defender: defended, ..Battle::EMPTY };
        if s.army[defender].contains(place) {
            self.muster(s, Side::Attacker, s.actor());
            self.muster(s, Side::Defender, defender);
            self.seek_commitment(s);
        } else {
            // Only leaders are present: they leave, and a city falls.
            s.battle.lost = SideSet::of(Side::Defender);
            s.battle.gone = SideSet::of(Side::Defender);
            self.take_city(s);
            self.seek_withdrawal(s, Some(Side::Defender));
        }
    }

    /// Musters the own land military and Diplomacy troops of a side (15.4).
    fn muster(&self, s: &mut State, side: Side, commander: Player) {
        let place = s.battle.province();
        let troops = s.troops(commander, place);
        for unit in Unit::LAND_MILITARY {
            s.battle.engaged[commander][unit] = troops.count(unit);
        }
        for i in (0..N_DIPLOMACY).filter(|&i| self.board.diplomacy_province[i] == Some(place)) {
            let copies = s.held(commander, Card::diplomacy(i as u8));
            for unit in Unit::MILITARY {
                s.battle.neutral[side][unit] += copies * self.board.diplomacy[i][unit];
            }
        }
    }

    // --- slaves (15.9) ---

    #[inline]
    pub(crate) fn revolt_in(&self, s: &mut State, place: Place) {
        s.detail = Detail::None;
        s.battle = Battle { place: Some(place), is_revolt: true, ..Battle::EMPTY };
        s.battle.neutral[Side::Attacker][Unit::Infantry] = self.board.config.revolt.infantry as u8;
        s.go(Phase::RevoltTarget);
    }

    /// Returns the players that the slaves may fight next; the card's player is the last.
    pub(crate) fn revolt_targets(&self, s: &State) -> PlayerSet {
        let place = s.battle.province();
        let open: PlayerSet = self.players().filter(|&q| s.army[q].contains(place)).collect();
        let open = open - s.battle.fought;
        let others = open - PlayerSet::of(self.turn_player(s));
        if others.is_empty() { open } else { others }
    }

    #[inline]
    pub(crate) fn revolt_against(&self, s: &mut State, defender: Player) {
        let Battle { place, neutral, mut fought, .. } = s.battle;
        fought.insert(defender);
        let defended = Some(defender);
        s.battle = Battle { place, defender: defended, is_revolt: true, fought, ..Battle::EMPTY };
        s.battle.neutral[Side::Attacker] = neutral[Side::Attacker];
        self.muster(s, Side::Defender, defender);
        self.seek_commitment(s);
    }

    fn continue_revolt(&self, s: &mut State) {
        let has_slaves = s.battle.neutral[Side::Attacker][Unit::Infantry] > 0;
        if has_slaves && !self.revolt_targets(s).is_empty() {
            s.actor = Some(self.turn_player(s));
            s.go(Phase::RevoltTarget);
        } else {
            s.battle = Battle::EMPTY;
            self.back_to_top(s);
        }
    }

    // --- sea (15N) ---

    /// Returns whether the actor has a galley on the map: it can always sail to some other zone.
    pub(crate) fn has_galley(&self, s: &State) -> bool {
        s.pool[s.actor()][Unit::Galley] < self.board.pool[Unit::Galley]
    }

    /// Returns the zones that can be named in `to S`.
    pub(crate) fn ports(&self, s: &State) -> ZoneSet {
        let fleets = s.fleets_of(s.actor());
        match (fleets.first(), fleets.len()) {
            (None, _) => ZoneSet::EMPTY,
            (Some(only), 1) if !self.meets_enemy(s, only) => ALL_ZONES - fleets,
            _ => ALL_ZONES,
        }
    }

    /// Returns whether own and enemy galleys are in `zone`.
    pub(crate) fn meets_enemy(&self, s: &State, zone: Zone) -> bool {
        s.galleys(s.actor(), zone) > 0 && s.has_fleet(s.enemies(s.actor(), self.n_players), zone)
    }

    #[inline]
    pub(crate) fn sail_to(&self, s: &mut State, zone: Zone) {
        let sources = s.fleets_of(s.actor()) - ZoneSet::of(zone);
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
        let there = sources.first().map_or(0, |zone| s.galleys(s.actor(), zone));
        Options::range(u16::from(must), u16::from(there))
    }

    #[inline]
    pub(crate) fn sail(&self, s: &mut State, count: u8) {
        let mut sailing = s.detail.sailing();
        let from = sailing.sources.pop().expect("a zone to sail from");
        s.add_galleys(s.actor(), from, -(count as i8));
        s.add_galleys(s.actor(), sailing.to, count as i8);
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
        let enemies = s.enemies(s.actor(), self.n_players).iter();
        let Sailing { to, has_any, .. } = s.detail.sailing();
        let there: PlayerSet = enemies.filter(|&q| s.galleys(q, to) > 0).collect();
        Options::of(u64::from(there) | if has_any { LAST } else { 0 })
    }

    pub(crate) fn attack(&self, s: &mut State, action: Action) {
        if action.verb == Verb::NoAttack {
            self.back_to_top(s);
            return;
        }
        let (defender, zone) = (Some(action.player()), Some(s.detail.sailing().to));
        s.detail = Detail::None;
        s.battle = Battle { zone, attacker: s.actor, defender, ..Battle::EMPTY };
        if s.held(action.player(), Card::WIND) > 0 {
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
        for side in Side::ALL {
            let commander = s.battle.commander(side).expect("slaves have no navy");
            self.engage_galleys(s, commander, 0, s.galleys(commander, self.battle_zone(s, 0)));
            let galleys = self.board.diplomacy[usize::from(PIRATES)][Unit::Galley];
            let pirates = s.held(commander, Card::PIRATES) * galleys;
            s.battle.neutral[side][Unit::Galley] = pirates;
        }
        s.battle.count = Count::NavalLoan(NavalLoan::FIRST);
        self.seek_naval_loan(s);
    }

    // --- consequences (15.8, 15N.4) ---

    pub(crate) fn battle_over(&self, s: &mut State) {
        self.return_galleys(s);
        for side in Side::ALL {
            if s.battle.lost.contains(side)
                && let Some(loser) = s.battle.commander(side)
            {
                s.gain_chaos(loser, self.board.config.chaos.battle);
            }
        }
        if s.battle.is_naval() {
            s.battle = Battle::EMPTY;
            self.back_to_top(s);
            return;
        }
        if s.battle.lost == SideSet::of(Side::Defender) && !s.battle.is_revolt {
            self.take_city(s);
        }
        self.seek_withdrawal(s, Some(Side::Attacker));
    }

    fn take_city(&self, s: &mut State) {
        if self.is_siege(s)
            && let Some(site) = self.board.city_site[s.battle.province().idx()]
            && let Some(attacker) = s.battle.attacker
        {
            s.set_city_owner(site, attacker);
        }
    }

    /// Makes leaders without an army leave, the attacker's first: those of `from` and the sides after it.
    fn seek_withdrawal(&self, s: &mut State, from: Option<Side>) {
        let sides = Side::ALL.into_iter().filter(|&side| from.is_some_and(|from| side >= from));
        for side in sides {
            if s.battle.lost.contains(side)
                && s.battle.gone.contains(side)
                && let Some(loser) = s.battle.commander(side)
                && s.leaders[loser].contains(s.battle.province())
                && !self.neighbours(s, loser, s.battle.province()).is_empty()
            {
                s.actor = Some(loser);
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
        Options::of(self.neighbours(s, s.actor(), s.battle.province()))
    }

    #[inline]
    pub(crate) fn withdraw(&self, s: &mut State, place: Place) {
        s.move_leaders(s.actor(), s.battle.province(), place);
        let next = (s.battle.side == Side::Attacker).then_some(Side::Defender);
        self.seek_withdrawal(s, next);
    }
}
