//! Invariants of positions, which must hold after every event of any game.
//!
//! The audit counts everything anew from the board. It shares no code with the rules that keep the counts, so that a
//! slip in either shows. Tests and `cargo run --example audit` call it after every event of random games.

use crate::games::classic::Classic;
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{N_PLACES, N_PROVINCES, Place};
use crate::games::classic::model::state::{MOST_TALENTS, State};
use crate::games::shared::units::Unit;
use crate::player::{ByPlayer, MAX_PLAYERS, Player};

type Finding = Result<(), String>;

/// Returns a finding unless `is_fine`.
fn ensure(is_fine: bool, finding: impl FnOnce() -> String) -> Finding {
    if is_fine { Ok(()) } else { Err(finding()) }
}

impl Classic {
    /// Checks the invariants of `state`: units are conserved, and masks agree with the board. Cargo has its galleys and
    /// leaders. Every province has one owner at most. Troops stand where they may, stocks are not overdrawn, and moved
    /// pieces are present.
    ///
    /// # Errors
    /// The first broken invariant in words.
    pub fn audit(&self, state: &State) -> Result<(), String> {
        for player in Player::all(MAX_PLAYERS) {
            self.audit_units(state, player)?;
            Self::audit_masks(state, player)?;
            self.audit_leaders(state, player)?;
            self.audit_cargo(state, player)?;
            self.audit_ports(state, player)?;
        }
        self.audit_owners(state)?;
        self.audit_stocks(state)?;
        self.audit_moved(state)?;
        self.audit_course(state)
    }

    /// Checks the limits of one event: time goes forward, prices do not fall, and guards do not come back. A player who
    /// is out never returns, and talents come and go in coins.
    ///
    /// # Errors
    /// The first broken invariant in words.
    pub fn audit_step(&self, before: &State, after: &State) -> Result<(), String> {
        let time = |s: &State| (s.milestone, s.round);
        ensure(time(before) <= time(after), || "time goes backwards".to_owned())?;
        ensure(before.level <= after.level, || "prices fall".to_owned())?;
        ensure((after.guards - before.guards).is_empty(), || "a guard comes back".to_owned())?;
        ensure((before.out - after.out).is_empty(), || "somebody who is out returns".to_owned())?;
        let generals = |s: &State, q: Player| {
            let held: u8 = Player::all(MAX_PLAYERS).map(|c| s.captives[c].of(q)).sum();
            let there: u8 = s.troops[q].iter().map(|troops| troops.generals()).sum();
            let falling = s.battle.fall.filter(|f| f.owner == q).map_or(0, |f| f.fallen.generals);
            let sides = [Some(s.turn), s.battle.defender];
            let sunk = sides.iter().zip(s.battle.fallen).filter(|(side, _)| **side == Some(q));
            let sunk: u8 = sunk.map(|(_, fallen)| fallen.generals).sum();
            held + there + falling + sunk + s.to_place[q][1]
        };
        for q in self.players() {
            let (was, is) = (generals(before, q), generals(after, q));
            ensure(is <= was, || format!("generals of player {q} grow from {was} to {is}"))?;
        }
        Ok(())
    }

    /// Checks that the units on the board and in the pool add up to those of the colour.
    fn audit_units(&self, s: &State, q: Player) -> Finding {
        for unit in Unit::MILITARY {
            let there = |place: Place| match unit {
                Unit::Galley => s.galleys[place.idx()].of(q),
                unit => s.troops[q][place.idx()].count(unit),
            };
            let found: u8 = Place::first(N_PLACES).map(there).sum::<u8>() + s.pool[q][unit];
            let start = if unit == Unit::Infantry { s.to_place[q][0] } else { 0 };
            let due = if q.idx() < self.n_players { self.board.pool[unit] } else { 0 };
            ensure(found == due && start <= s.pool[q][unit], || {
                format!("player {q} has {found} {} of {due}", unit.name())
            })?;
        }
        Ok(())
    }

    fn audit_masks(s: &State, q: Player) -> Finding {
        for place in Place::first(N_PLACES) {
            let troops = s.troops[q][place.idx()];
            let has_leader = troops.generals() > 0 || s.caesar[q] == Some(place);
            ensure(s.army[q].contains(place) == (troops.military() > 0), || {
                format!("army mask of player {q} in {}", place.number())
            })?;
            ensure(s.leaders[q].contains(place) == has_leader, || {
                format!("leader mask of player {q} in {}", place.number())
            })?;
        }
        let all = (s.army[q] | s.leaders[q]).bits();
        ensure(all >> N_PLACES == 0, || format!("masks of player {q} beyond the map"))?;
        ensure(s.owned[q].bits() >> N_PROVINCES == 0, || format!("player {q} owns the sea"))
    }

    /// Checks that a player has a caesar, unless it is just falling, and that a player who is out has no pieces.
    fn audit_leaders(&self, s: &State, q: Player) -> Finding {
        if q.idx() >= self.n_players || s.out.contains(q) {
            let has_none = s.caesar[q].is_none()
                && s.troops[q].iter().all(|troops| troops.0 == 0)
                && s.owned[q].is_empty()
                && s.talents[q] == 0
                && Player::all(MAX_PLAYERS)
                    .all(|c| s.captives[q].of(c) == 0 && (c == q || s.captives[c].of(q) == 0));
            return ensure(has_none, || format!("player {q} is out and has something"));
        }
        let is_falling = s.battle.fall.is_some_and(|f| f.owner == q && f.fallen.has_caesar)
            || s.battle.fallen.iter().any(|f| f.has_caesar);
        ensure(s.caesar[q].is_some() || is_falling, || format!("player {q} has no caesar"))?;
        ensure(s.captives[q].of(q) == 0, || format!("player {q} holds his own generals"))?;
        ensure(u32::from(s.talents[q]) <= MOST_TALENTS, || format!("talents of player {q}"))
    }

    /// Checks that leaders aboard have galleys, and troops have leaders (5.8); in a naval battle galleys may have sunk.
    fn audit_cargo(&self, s: &State, q: Player) -> Finding {
        if s.phase == Phase::NavalDice {
            return Ok(());
        }
        let per_leader = self.board.config.movement.troops_per_leader as u16;
        for zone in (N_PROVINCES..N_PLACES).map(|z| Place::new(z as u8)) {
            let troops = s.troops[q][zone.idx()];
            let leaders = troops.generals() + u8::from(s.caesar[q] == Some(zone));
            let galleys = s.galleys[zone.idx()].of(q);
            ensure(leaders <= galleys, || {
                format!("player {q} has {leaders} leaders on {galleys} galleys")
            })?;
            let room = per_leader * u16::from(leaders);
            ensure(u16::from(troops.military()) <= room, || {
                format!("player {q} has {} troops aboard, room for {room}", troops.military())
            })?;
        }
        Ok(())
    }

    /// Checks that galleys in ports, and troops outside movement and combat, are in own provinces (1.5, 1.8).
    fn audit_ports(&self, s: &State, q: Player) -> Finding {
        for place in Place::first(N_PROVINCES) {
            let galleys = s.galleys[place.idx()].of(q);
            let is_own = s.owned[q].contains(place);
            ensure(galleys == 0 || (is_own && self.board.coastal.contains(place)), || {
                format!("player {q} has galleys in {}", self.place_id(place))
            })?;
            let may_stand = is_own || q == s.turn;
            ensure(may_stand || !s.army[q].contains(place), || {
                format!("player {q} has troops in {}", self.place_id(place))
            })?;
        }
        let is_quiet =
            matches!(s.phase, Phase::Market | Phase::Answer | Phase::Buy | Phase::EndDie);
        let abroad = s.army[q].provinces() - s.owned[q];
        ensure(!is_quiet || abroad.is_empty(), || format!("player {q} stands abroad"))
    }

    fn audit_owners(&self, s: &State) -> Finding {
        for place in Place::first(N_PROVINCES) {
            let owners = Player::all(MAX_PLAYERS).filter(|&q| s.owned[q].contains(place)).count();
            let id = self.place_id(place);
            ensure(owners <= 1, || format!("{id} has {owners} owners"))?;
            let is_guarded = s.guards.contains(place);
            ensure(!is_guarded || owners == 0, || format!("{id} is guarded and somebody's"))?;
            ensure(!is_guarded || self.board.guard[place.idx()] > 0, || format!("guard of {id}"))?;
        }
        Ok(())
    }

    fn audit_stocks(&self, s: &State) -> Finding {
        let stock = &self.board.config.stock;
        ensure(i64::from(s.cities.len()) <= stock.city, || "too many cities".to_owned())?;
        ensure(i64::from(s.forts.len()) <= stock.fort, || "too many fortifications".to_owned())?;
        let roads = self.board.borders.iter().enumerate();
        let built = |i: &usize| s.roads[i / 64] >> (i % 64) & 1 == 1;
        let roads: Vec<_> = roads.filter(|(i, _)| built(i)).map(|(_, ends)| *ends).collect();
        let n_bits = s.roads[0].count_ones() + s.roads[1].count_ones();
        ensure(roads.len() == n_bits as usize, || "a road without a border".to_owned())?;
        ensure(n_bits as i64 <= stock.road, || "too many roads".to_owned())?;
        let in_towns = roads.iter().all(|(p, q)| s.cities.contains(*p) && s.cities.contains(*q));
        ensure(in_towns, || "a road without cities".to_owned())?;
        ensure((s.forts - s.cities).is_empty(), || "a fortification without a city".to_owned())
    }

    /// Checks that moved pieces are present, and that there are none outside movement.
    fn audit_moved(&self, s: &State) -> Finding {
        let q = s.turn;
        for place in Place::first(N_PLACES) {
            let (troops, spent) = (s.troops[q][place.idx()], s.spent[place.idx()]);
            let half = s.half.get(place.idx()).copied().unwrap_or_default();
            let galleys = s.galleys[place.idx()];
            let id = self.place_id(place);
            if s.wave > 0 {
                let fits = Unit::ALL
                    .into_iter()
                    .all(|u| spent.count(u) + half.count(u) <= troops.count(u));
                ensure(fits, || format!("more has moved in {id} than stands there"))?;
                let moved = galleys.fresh() + galleys.half() <= galleys.of(q);
                ensure(moved, || format!("more galleys have moved in {id} than are there"))?;
            } else {
                let none = half.0 == 0 && galleys.fresh() == 0 && galleys.half() == 0;
                ensure(none, || format!("somebody still moves in {id}"))?;
                let is_market = matches!(s.phase, Phase::Market | Phase::Answer | Phase::Buy);
                ensure(is_market || spent.0 == 0, || format!("somebody still recruits in {id}"))?;
            }
        }
        Ok(())
    }

    fn audit_course(&self, s: &State) -> Finding {
        let is_setup = matches!(s.phase, Phase::Claim | Phase::Place);
        ensure(is_setup == (s.round == 0), || format!("round {} in {:?}", s.round, s.phase))?;
        ensure(s.round <= self.board.last_round(), || format!("round {}", s.round))?;
        ensure((s.wave > 0) <= (s.phase < Phase::Attack), || format!("wave in {:?}", s.phase))?;
        let is_decision = !s.phase.is_chance() && s.phase != Phase::Over;
        ensure(is_decision == (s.options.n() >= 2), || {
            format!("{} options in {:?}", s.options.n(), s.phase)
        })?;
        ensure(!is_decision || s.options == self.options(s), || "options lag behind".to_owned())?;
        let is_over = s.phase == Phase::Over;
        ensure(is_over != s.winners.is_empty(), || "winners".to_owned())?;
        ensure((s.winners & s.out).is_empty(), || "a winner is out".to_owned())?;
        let closing = s.is_fresh || (s.closing == ByPlayer::default() && s.closing_level == 0);
        ensure(closing, || "a round that is long over".to_owned())
    }
}
