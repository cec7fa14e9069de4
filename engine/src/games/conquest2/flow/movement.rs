//! Moving land units (clause 13), and who is next to whom.

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::board::{Board, Places, each};
use crate::games::conquest2::model::options::{LAST, Options};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::state::{Detail, State};
use crate::games::conquest2::model::units::{CATAPULT, GENERAL};

/// Order of the counts of a move: land military, generals, the caesar.
const CAESAR_COUNT: u8 = 4;
const NO_LIMIT: u8 = u8::MAX;

impl Board {
    /// Provinces beside any of `zones`.
    pub(crate) fn shores(&self, zones: u32) -> Places {
        each(u64::from(zones)).fold(0, |set, z| set | self.shore[usize::from(z)])
    }
}

impl Conquest2 {
    /// 13.3: whether `player` may use a strait.
    fn is_passable(&self, s: &State, player: u8, zone: u8) -> bool {
        !s.has_fleet(s.enemies(player, self.n_players), zone)
    }

    /// Provinces that `player` can enter from `place` in one step over land.
    pub(crate) fn neighbours(&self, s: &State, player: u8, place: u8) -> Places {
        let mut places = self.board.land[usize::from(place)];
        if self.board.strait_ends >> place & 1 == 1 {
            for strait in &self.board.straits {
                let [a, b] = strait.ends;
                if (a == place || b == place) && self.is_passable(s, player, strait.zone) {
                    places |= 1 << if a == place { b } else { a };
                }
            }
        }
        places
    }

    /// 13.2: provinces that `player` reaches by land from `place`.
    pub(crate) fn reach_by_land(&self, s: &State, player: u8, place: u8) -> Places {
        let enemies = s.enemies(player, self.n_players);
        let blocked = s.armies_of(enemies);
        let start = 1u64 << place;
        let mut reached = start;
        let mut frontier = start;
        while frontier != 0 {
            let from = frontier.trailing_zeros() as usize;
            frontier &= frontier - 1;
            let mut new = self.board.land[from];
            if self.board.strait_ends >> from & 1 == 1 {
                new = self.neighbours(s, player, from as u8);
            }
            new &= !reached;
            reached |= new;
            frontier |= new & !blocked;
        }
        reached & !start
    }

    /// 13: provinces that `player` can move to from `place`.
    pub(crate) fn reach(&self, s: &State, player: u8, place: u8) -> Places {
        self.reach_by_land(s, player, place) | self.reach_by_sea(s, player, place)
    }

    /// 13.4: provinces that `player` reaches by sea from `place`.
    fn reach_by_sea(&self, s: &State, player: u8, place: u8) -> Places {
        if self.board.coastal >> place & 1 == 0 {
            return 0;
        }
        self.board.shores(s.fleets_of(player)) & !(1 << place)
    }

    /// Land military that `player` can bring to `place` by sea.
    pub(crate) fn sea_capacity(&self, s: &State, player: u8, place: u8) -> u8 {
        let zones = u64::from(self.board.coast[usize::from(place)]);
        let galleys: u16 = each(zones).map(|z| u16::from(s.galleys(player, z))).sum();
        (galleys * self.board.config.movement.galley_capacity as u16).min(u16::from(NO_LIMIT) - 1)
            as u8
    }

    /// Provinces with an own leader and somewhere to go; with `any`, at least one if there is one.
    pub(crate) fn departures(&self, s: &State, any: bool) -> Places {
        let leaders = s.leaders[usize::from(s.actor)];
        let mut found = leaders & self.board.mainland;
        if any && found != 0 {
            return found;
        }
        for place in each(leaders & !self.board.mainland) {
            let has_exit = self.neighbours(s, s.actor, place) != 0
                || self.reach_by_sea(s, s.actor, place) != 0;
            found |= u64::from(has_exit) << place;
        }
        found
    }

    pub(crate) fn move_from(&self, s: &mut State, place: u8) {
        let by_land = self.reach_by_land(s, s.actor, place);
        let open = by_land | self.reach_by_sea(s, s.actor, place);
        s.detail = Detail { place, open, by_land, ..Detail::EMPTY };
        s.go(Phase::MoveTo);
    }

    pub(crate) fn destination_options(&self, s: &State) -> Options {
        let Detail { place, open, by_land, has_chosen, .. } = s.detail;
        let mut destinations = open;
        if s.units_of(s.actor) >> place & 1 == 0 {
            destinations = 0;
        } else if self.board.config.movement.galley_capacity == 0
            && s.leaders[usize::from(s.actor)] >> place & 1 == 0
        {
            destinations &= by_land;
        }
        Options::of(destinations | if has_chosen { LAST } else { 0 })
    }

    pub(crate) fn move_to(&self, s: &mut State, action: Action) {
        if action.verb == Verb::Done {
            self.back_to_top(s);
            return;
        }
        let to = action.args[0];
        let is_by_land = s.detail.by_land >> to & 1 == 1;
        s.detail.target = to;
        s.detail.open &= u64::MAX << to << 1;
        s.detail.left = if is_by_land { NO_LIMIT } else { self.sea_capacity(s, s.actor, to) };
        s.detail.cursor = 0;
        s.detail.has_chosen = false;
        s.go(Phase::MoveCount);
        self.seek_movers(s);
    }

    /// Goes on to the next count that can be positive, or to the arrival.
    fn seek_movers(&self, s: &mut State) {
        while s.detail.cursor <= CAESAR_COUNT && Self::most_moved(s, s.detail.cursor) == 0 {
            s.detail.cursor += 1;
        }
        if s.detail.cursor > CAESAR_COUNT {
            self.arrive(s, s.actor, s.detail.target);
            s.detail.has_chosen = true;
            s.go(Phase::MoveTo);
        }
    }

    /// How many of the count at `cursor` are in the province that is left.
    pub(crate) fn movable(s: &State, cursor: u8) -> u8 {
        let place = s.detail.place;
        if cursor == CAESAR_COUNT {
            return u8::from(s.caesar[usize::from(s.actor)] == place);
        }
        let troops = s.troops(s.actor, place);
        if usize::from(cursor) <= CATAPULT {
            troops.count(cursor.into())
        } else {
            troops.generals()
        }
    }

    fn most_moved(s: &State, cursor: u8) -> u8 {
        let there = Self::movable(s, cursor);
        if usize::from(cursor) <= CATAPULT { there.min(s.detail.left) } else { there }
    }

    pub(crate) fn move_options(s: &State) -> Options {
        let cursor = s.detail.cursor;
        let hi = Self::most_moved(s, cursor);
        let must = !s.detail.has_chosen
            && (cursor + 1..=CAESAR_COUNT).all(|c| Self::most_moved(s, c) == 0);
        Options::range(u16::from(must), u16::from(hi))
    }

    /// Moves `count` of what the cursor names; true after the last count.
    pub(crate) fn carry(s: &mut State, count: u8) -> bool {
        let Detail { place, target, cursor, left, .. } = s.detail;
        if count > 0 {
            if cursor == CAESAR_COUNT {
                s.move_caesar(s.actor, target);
            } else {
                let kind = if usize::from(cursor) <= CATAPULT { cursor.into() } else { GENERAL };
                s.add_troops(s.actor, place, kind, -(count as i8));
                s.add_troops(s.actor, target, kind, count as i8);
            }
            s.detail.has_chosen = true;
        }
        if usize::from(cursor) <= CATAPULT && left != NO_LIMIT {
            s.detail.left -= count;
        }
        s.detail.cursor += 1;
        cursor == CAESAR_COUNT
    }

    pub(crate) fn move_count(&self, s: &mut State, count: u8) {
        Self::carry(s, count);
        self.seek_movers(s);
    }

    /// 13.6: an undefended city falls to whoever arrives.
    pub(crate) fn arrive(&self, s: &mut State, player: u8, place: u8) {
        let site = self.board.city_site[usize::from(place)];
        if let Some(owner) = s.city_owner(site)
            && owner != player
            && s.units_of(owner) >> place & 1 == 0
        {
            s.set_city_owner(site, player);
        }
    }
}
