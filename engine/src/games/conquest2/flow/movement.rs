//! Moving land units (clause 13), and adjacency of places.

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::board::Board;
use crate::games::conquest2::model::counts::Mover;
use crate::games::conquest2::model::detail::{Leg, March};
use crate::games::conquest2::model::options::{LAST, Options};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::{Place, PlaceSet, ZoneSet};
use crate::games::conquest2::model::state::State;
use crate::games::conquest2::model::units::Troops;
use crate::player::{Player, PlayerSet};

/// Largest number of units that galleys carry, whatever their capacity.
const MOST_CARRIED: u16 = u8::MAX as u16 - 1;

/// The land units of the actor in one province, as a move counts them.
#[derive(Clone, Copy)]
pub(crate) struct Movers {
    troops: Troops,
    has_caesar: bool,
}

impl Movers {
    #[inline]
    pub(crate) fn of(s: &State, from: Place) -> Self {
        let player = s.actor();
        Self { troops: s.troops(player, from), has_caesar: s.caesar[player] == Some(from) }
    }

    /// Returns the number of movers of a kind.
    #[inline]
    pub(crate) fn number(self, mover: Mover) -> u8 {
        mover.unit().map_or(self.has_caesar.into(), |unit| self.troops.count(unit))
    }

    /// Returns the largest number of these movers that can go on a leg.
    #[inline]
    pub(crate) fn most(self, leg: &Leg, mover: Mover) -> u8 {
        let there = self.number(mover);
        let room = leg.room.unwrap_or(u8::MAX);
        if mover.is_military() { there.min(room) } else { there }
    }

    /// Returns whether some mover must go in the due count of a leg: none has gone, and none can go later.
    #[inline]
    pub(crate) fn must_go(self, leg: &Leg) -> bool {
        !leg.has_any && self.kinds(leg) >> leg.mover().idx() <= 1
    }

    /// Returns the next kind of mover to count on a leg that can go, starting at the count that is due.
    #[inline]
    pub(crate) fn next_on(self, leg: &Leg) -> Option<Mover> {
        let left = self.kinds(leg) & u8::MAX << leg.count?.idx();
        Mover::ALL.get(left.trailing_zeros() as usize).copied()
    }

    /// Returns the kinds with a mover that can go on a leg, as bits.
    #[inline]
    fn kinds(self, leg: &Leg) -> u8 {
        let there = |mover: Mover| u8::from(self.number(mover) > 0) << mover.idx();
        let leaders = there(Mover::General) | there(Mover::Caesar);
        if leg.room == Some(0) {
            return leaders;
        }
        leaders | there(Mover::Infantry) | there(Mover::Cavalry) | there(Mover::Catapult)
    }
}

impl Board {
    /// Returns the provinces beside any of `zones`.
    pub(crate) fn shores(&self, zones: ZoneSet) -> PlaceSet {
        zones.iter().fold(PlaceSet::EMPTY, |set, z| set | self.shore[z.idx()])
    }
}

impl Conquest2 {
    /// Returns the provinces that `player` can enter from `place` in one step over land.
    pub(crate) fn neighbours(&self, s: &State, player: Player, place: Place) -> PlaceSet {
        self.beside(s, s.enemies(player, self.n_players), place)
    }

    /// Returns the provinces that a player with these `enemies` can enter from `place` in one step over land; enemies
    /// block straits (13.3).
    #[inline]
    fn beside(&self, s: &State, enemies: PlayerSet, place: Place) -> PlaceSet {
        let mut places = self.board.land[place.idx()];
        for crossing in &self.board.crossings[place.idx()] {
            if !s.has_fleet(enemies, crossing.zone) {
                places.insert(crossing.to);
            }
        }
        places
    }

    /// Returns the provinces that `player` reaches by land from `place` (13.2).
    pub(crate) fn reach_by_land(&self, s: &State, player: Player, place: Place) -> PlaceSet {
        self.reach_until(s, player, place, |_| false)
    }

    /// Returns the provinces that `player` reaches by land; the search ends when `is_enough` accepts them.
    #[inline]
    pub(crate) fn reach_until(
        &self,
        s: &State,
        player: Player,
        place: Place,
        is_enough: impl Fn(PlaceSet) -> bool,
    ) -> PlaceSet {
        let joined = self.board.joined[place.idx()];
        let enemies = s.enemies(player, self.n_players);
        let blocked = s.armies_of(enemies);
        let start = PlaceSet::of(place);
        let is_open = !self.board.straits.iter().any(|zone| s.has_fleet(enemies, zone));
        if is_open && (blocked & joined).is_empty() {
            return joined - start;
        }
        let mut reached = start;
        let mut frontier = start;
        while let Some(from) = frontier.pop() {
            let beside =
                if is_open { self.board.across[from.idx()] } else { self.beside(s, enemies, from) };
            let new = beside - reached;
            reached |= new;
            if (joined - reached).is_empty() || is_enough(reached) {
                break;
            }
            frontier |= new - blocked;
        }
        reached - start
    }

    /// Returns the provinces that `player` can move to from `place` (13).
    pub(crate) fn reach(&self, s: &State, player: Player, place: Place) -> PlaceSet {
        self.reach_by_land(s, player, place) | self.reach_by_sea(s, player, place)
    }

    /// Returns the provinces that `player` reaches by sea from `place` (13.4).
    pub(crate) fn reach_by_sea(&self, s: &State, player: Player, place: Place) -> PlaceSet {
        if !self.board.coastal.contains(place) {
            return PlaceSet::EMPTY;
        }
        self.board.shores(s.fleets_of(player)) - PlaceSet::of(place)
    }

    /// Returns the number of land military units that `player` can bring to `place` by sea.
    pub(crate) fn sea_capacity(&self, s: &State, player: Player, place: Place) -> u8 {
        let zones = self.board.coast[place.idx()].iter();
        let galleys: u16 = zones.map(|z| u16::from(s.galleys(player, z))).sum();
        (galleys * self.board.config.movement.galley_capacity as u16).min(MOST_CARRIED) as u8
    }

    /// Returns whether an own leader has a destination.
    #[inline]
    pub(crate) fn can_depart(&self, s: &State) -> bool {
        !(s.leaders[s.actor()] & self.board.mainland).is_empty() || !self.departures(s).is_empty()
    }

    /// Returns the provinces with an own leader that has a destination.
    pub(crate) fn departures(&self, s: &State) -> PlaceSet {
        let leaders = s.leaders[s.actor()];
        let mut found = leaders & self.board.mainland;
        for place in (leaders - self.board.mainland).iter() {
            let has_exit = !self.neighbours(s, s.actor(), place).is_empty()
                || !self.reach_by_sea(s, s.actor(), place).is_empty();
            found = found.with(place, has_exit);
        }
        found
    }

    #[inline]
    pub(crate) fn move_from(&self, s: &mut State, place: Place) {
        let by_land = self.reach_by_land(s, s.actor(), place);
        let open = by_land | self.reach_by_sea(s, s.actor(), place);
        s.detail = March { from: place, open, by_land, leg: None }.into();
        s.go(Phase::MoveTo);
    }

    #[inline(never)]
    pub(crate) fn destination_options(&self, s: &State) -> Options {
        let March { from, open, by_land, leg } = s.detail.march();
        let destinations = self.destinations(s, from, open, by_land);
        Options::of(destinations.bits() | if leg.is_some() { LAST } else { 0 })
    }

    /// Returns those of the `open` destinations to which the units left in `from` can go.
    pub(crate) fn destinations(
        &self,
        s: &State,
        from: Place,
        open: PlaceSet,
        by_land: PlaceSet,
    ) -> PlaceSet {
        if !s.units_of(s.actor()).contains(from) {
            return PlaceSet::EMPTY;
        }
        let has_leader = s.leaders[s.actor()].contains(from);
        if self.board.config.movement.galley_capacity == 0 && !has_leader {
            return open & by_land;
        }
        open
    }

    #[inline(never)]
    pub(crate) fn move_to(&self, s: &mut State, action: Action) {
        if action.verb == Verb::Done {
            self.back_to_top(s);
            return;
        }
        let to = Place::new(action.args[0]);
        let mut march = s.detail.march();
        let is_by_land = march.by_land.contains(to);
        let room = (!is_by_land).then(|| self.sea_capacity(s, s.actor(), to));
        march.open = march.open.above(to);
        let leg = Leg { to, count: Some(Mover::Infantry), room, has_any: false };
        s.detail = March { leg: Some(leg), ..march }.into();
        s.go(Phase::MoveCount);
        self.seek_movers(s, march.from, leg);
    }

    /// Goes on to the next count that can be positive, or to the arrival.
    #[inline]
    fn seek_movers(&self, s: &mut State, from: Place, mut leg: Leg) {
        leg.count = Movers::of(s, from).next_on(&leg);
        s.detail.set_leg(leg);
        if leg.count.is_none() {
            self.arrive(s, s.actor(), leg.to);
            s.go(Phase::MoveTo);
        }
    }

    pub(crate) fn move_options(s: &State) -> Options {
        let (from, leg) = s.detail.marching();
        let movers = Movers::of(s, from);
        Options::range(movers.must_go(leg).into(), movers.most(leg, leg.mover()).into())
    }

    /// Moves `number` units of the kind being counted, and returns the leg afterwards.
    #[inline]
    pub(crate) fn carry(s: &mut State, from: Place, leg: Leg, number: u8) -> Leg {
        let (mover, Leg { to, room, has_any, .. }) = (leg.mover(), leg);
        s.transfer(from, to, mover, number);
        let taken = if mover.is_military() { number } else { 0 };
        let room = room.map(|room| room - taken);
        Leg { to, count: mover.next(), room, has_any: has_any || number > 0 }
    }

    #[inline]
    pub(crate) fn move_count(&self, s: &mut State, number: u8) {
        let (from, leg) = s.detail.marching();
        let leg = Self::carry(s, from, *leg, number);
        self.seek_movers(s, from, leg);
    }

    /// Lets an undefended city fall to the player who arrives (13.6).
    pub(crate) fn arrive(&self, s: &mut State, player: Player, place: Place) {
        if let Some(site) = self.board.city_site[place.idx()]
            && let Some(owner) = s.city_owner(Some(site))
            && owner != player
            && !s.units_of(owner).contains(place)
        {
            s.set_city_owner(site, player);
        }
    }
}
