//! The menu of movement: legal sailing, convoys, boarding and marches (5).

use crate::games::classic::Classic;
use crate::games::classic::model::action::{Action, Verb};
use crate::games::classic::model::detail::{Detail, Group, Way};
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{N_PROVINCES, Place, PlaceSet};
use crate::games::classic::model::rows::{Last, Row};
use crate::games::classic::model::state::{Mobility, State, counts};
use crate::games::shared::options::Options;
use crate::games::shared::units::Troops;
use crate::player::Player;

/// Galleys that a boarding group can take: those with any step left, and those with two.
pub(crate) struct Ferries {
    pub(crate) any: u8,
    pub(crate) two: u8,
}

impl Classic {
    /// Visits the rows of the menu, until `visit` returns true.
    #[inline]
    pub(crate) fn move_rows(&self, s: &State, visit: &mut impl FnMut(Row) -> bool) {
        let player = s.turn;
        let defended = s.defended(player);
        let mut show = |row: Row| row.set != 0 && visit(row);
        if s.wave == 1 && s.last.verb <= Verb::Board {
            let is_enough = self.sail_rows(s, &mut show)
                || self.convoy_rows(s, defended, &mut show)
                || self.board_rows(s, defended, &mut show);
            if is_enough {
                return;
            }
        }
        if self.march_rows(s, defended, &mut show) {
            return;
        }
        show(Row::DONE);
    }

    fn sail_rows(&self, s: &State, show: &mut impl FnMut(Row) -> bool) -> bool {
        if s.last.is_past(Verb::Sail) {
            return false;
        }
        let goals = s.owned[s.turn] | PlaceSet::from_bits(u64::MAX << N_PROVINCES);
        let from = if s.last.verb == Verb::Sail { s.last.a } else { 0 };
        let due = PlaceSet::from_bits(u64::MAX << from);
        (self.fleets(s, s.turn) & due).iter().any(|x| {
            if Self::empty_fresh(s, x) == 0 {
                return false;
            }
            let set = (self.board.reach[x.idx()] & goals).bits();
            let set = s.last.later(Verb::Sail, x.number(), set);
            show(Row { verb: Verb::Sail, a: x.number(), set })
        })
    }

    /// Returns the number of galleys of the player in turn that are empty and have not moved.
    pub(crate) fn empty_fresh(s: &State, place: Place) -> u8 {
        let fresh = s.galleys[place.idx()].fresh();
        if fresh == 0 || place.is_province() {
            fresh
        } else {
            fresh - Self::leaders_at_rest(s, place)
        }
    }

    /// Returns the number of leaders of the player in turn who have not moved this turn, or may in this wave.
    pub(crate) fn leaders_at_rest(s: &State, place: Place) -> u8 {
        Self::generals_at_rest(s, place) + u8::from(Self::is_caesar_at_rest(s, place))
    }

    pub(crate) fn generals_at_rest(s: &State, place: Place) -> u8 {
        let gone = s.spent[place.idx()].generals();
        let next = if place.is_province() { s.half[place.idx()].generals() } else { 0 };
        s.troops(s.turn, place).generals() - gone - next
    }

    pub(crate) fn is_caesar_at_rest(s: &State, place: Place) -> bool {
        s.mobility == Mobility::Now && s.caesar[s.turn] == Some(place)
    }

    /// Returns the troops of the player in turn that can still act this turn.
    pub(crate) fn troops_at_rest(s: &State, place: Place) -> Troops {
        let all = s.troops(s.turn, place).0 - s.spent[place.idx()].0;
        Troops(all & Troops::ALL_TROOPS)
    }

    fn convoy_rows(
        &self,
        s: &State,
        defended: PlaceSet,
        show: &mut impl FnMut(Row) -> bool,
    ) -> bool {
        if s.last.is_past(Verb::Convoy) {
            return false;
        }
        s.leaders[s.turn].zones().iter().any(|zone| {
            if Self::leaders_at_rest(s, zone) == 0 {
                return false;
            }
            let mut goals = self.board.reach[zone.idx()];
            if !Self::troops_at_rest(s, zone).is_army() {
                goals -= defended;
            }
            let set = s.last.later(Verb::Convoy, zone.number(), goals.bits());
            show(Row { verb: Verb::Convoy, a: zone.number(), set })
        })
    }

    fn board_rows(
        &self,
        s: &State,
        defended: PlaceSet,
        show: &mut impl FnMut(Row) -> bool,
    ) -> bool {
        // Boarding needs a galley, and a leader on a coast.
        if s.pool[s.turn][3] == self.board.pool[3] || s.last.is_past(Verb::Board) {
            return false;
        }
        (s.leaders[s.turn] & self.board.coastal).iter().any(|place| {
            let is_due = s.last.verb != Verb::Board || place.number() >= s.last.a;
            if !is_due || Self::leaders_at_rest(s, place) == 0 {
                return false;
            }
            let has_crossing =
                |&zone: &Place| !self.board_goals(s, place, zone, defended).is_empty();
            let zones: PlaceSet =
                self.board.near[place.idx()].iter().filter(has_crossing).collect();
            show(Row { verb: Verb::Board, a: place.number(), set: zones.bits() })
        })
    }

    /// Returns the galleys for boarding from a province into a zone.
    pub(crate) fn ferries(&self, s: &State, place: Place, zone: Place) -> Ferries {
        let steps = self.board.steps.galley;
        let fresh = Self::empty_fresh(s, zone) + Self::empty_fresh(s, place);
        let half = s.galleys[zone.idx()].half() + s.galleys[place.idx()].half();
        Ferries {
            any: half + if steps >= 1 { fresh } else { 0 },
            two: if steps >= 2 { fresh } else { 0 },
        }
    }

    /// Returns the goals of boarding from a province into a zone, later than the last choice.
    pub(crate) fn board_goals(
        &self,
        s: &State,
        place: Place,
        zone: Place,
        defended: PlaceSet,
    ) -> PlaceSet {
        let Ferries { any, two } = self.ferries(s, place, zone);
        let mut goals = PlaceSet::EMPTY.with(zone, any > 0);
        if two > 0 {
            goals |= self.board.near[zone.idx()] - PlaceSet::of(place);
        }
        if !Self::troops_at_rest(s, place).is_army() {
            goals -= defended;
        }
        let Last { verb, a, b, c } = s.last;
        if verb != Verb::Board || (place.number(), zone.number()) > (a, b) {
            return goals;
        }
        let is_past = (place.number(), zone.number()) < (a, b);
        if is_past { PlaceSet::EMPTY } else { PlaceSet::from_bits(goals.bits() & u64::MAX << c) }
    }

    fn march_rows(
        &self,
        s: &State,
        defended: PlaceSet,
        show: &mut impl FnMut(Row) -> bool,
    ) -> bool {
        let player = s.turn;
        let steps = self.board.steps;
        let roads = if s.roads == [0; 2] { 0 } else { self.own_roads(s, player) };
        s.leaders[player].provinces().iter().any(|place| {
            let has_general = steps.general >= s.wave && Self::generals_at_rest(s, place) > 0;
            let has_caesar = steps.caesar >= s.wave && Self::is_caesar_at_rest(s, place);
            let is_due = s.last.verb != Verb::March || place.number() >= s.last.a;
            if !is_due || !(has_general || has_caesar) {
                return false;
            }
            let mut goals = self.beside(s, player, place);
            if roads != 0 {
                goals |= self.along_roads(roads, place);
            }
            if self.mobile_troops(s, place) == [0; 3] {
                goals -= defended;
            }
            let set = s.last.later(Verb::March, place.number(), goals.bits());
            show(Row { verb: Verb::March, a: place.number(), set })
        })
    }

    /// Returns the troops of the player in turn with a step left.
    pub(crate) fn mobile_troops(&self, s: &State, place: Place) -> [u8; 3] {
        let rest = Self::troops_at_rest(s, place);
        let mut mobile = counts(rest);
        for (number, steps) in mobile.iter_mut().zip(self.board.steps.troops) {
            if steps == 0 {
                *number = 0;
            }
        }
        mobile
    }

    /// Returns the provinces with a land border or an open strait (5.3, 1.10).
    pub(crate) fn beside(&self, s: &State, player: Player, place: Place) -> PlaceSet {
        let mut places = self.board.land[place.idx()];
        for crossing in &self.board.crossings[place.idx()] {
            if !s.galleys[crossing.zone.idx()].has_other(player) {
                places.insert(crossing.to);
            }
        }
        places
    }

    /// Returns the provinces joined to `place` by these roads.
    fn along_roads(&self, mut roads: u128, place: Place) -> PlaceSet {
        let mut joined = PlaceSet::of(place);
        loop {
            let before = joined;
            let mut left = roads;
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                let (p, q) = self.board.borders[bit as usize];
                if joined.contains(p) || joined.contains(q) {
                    joined.insert(p);
                    joined.insert(q);
                    roads &= !(1 << bit);
                }
            }
            if joined == before {
                return joined - PlaceSet::of(place);
            }
        }
    }

    /// Carries out a choice of the menu.
    pub(crate) fn choose_move(&self, s: &mut State, action: Action) {
        let [a, b, ..] = action.args;
        if action.verb == Verb::Done {
            self.next_wave(s);
            return;
        }
        let is_again = (s.last.verb, s.last.a, s.last.b) == (Verb::Board, a, b);
        let c = if is_again && action.verb == Verb::Board { s.last.c } else { 0 };
        s.last = Last { c, ..Last::new(action.verb, a, b) };
        let (from, to) = (Place::new(a), Place::new(b));
        match action.verb {
            Verb::Sail => {
                s.detail = Detail::Sail { from, to };
                s.phase = Phase::SailCount;
            }
            Verb::Board => {
                s.detail = Detail::Board { from, zone: to };
                s.phase = Phase::BoardTo;
            }
            Verb::Convoy => Self::muster(s, Group::new(Way::Convoy, from, from, to)),
            _ => Self::muster(s, Group::new(Way::March, from, from, to)),
        }
    }

    pub(crate) fn muster(s: &mut State, group: Group) {
        s.detail = Detail::Group(group);
        s.phase = Phase::Group;
    }

    pub(crate) fn sail_options(s: &State) -> Options {
        let Detail::Sail { from, .. } = s.detail else { unreachable!("galleys sail") };
        Options::range(1, Self::empty_fresh(s, from).into())
    }

    pub(crate) fn sail(&self, s: &mut State, number: u8) {
        let Detail::Sail { from, to } = s.detail else { unreachable!("galleys sail") };
        let n = number as i8;
        let is_near = self.board.near[from.idx()].contains(to);
        let (player, whence) = (s.turn, &mut s.galleys[from.idx()]);
        whence.add(player, -n);
        whence.add_fresh(-n);
        s.galleys[to.idx()].add(player, n);
        if is_near && self.board.steps.galley == 2 {
            s.galleys[to.idx()].add_half(n);
        }
        Self::back_to_menu(s);
    }

    pub(crate) fn back_to_menu(s: &mut State) {
        s.detail = Detail::Nothing;
        s.ask(s.turn, Phase::Move);
    }

    /// Returns the goals of a boarding group.
    pub(crate) fn crossing_options(&self, s: &State) -> Options {
        let Detail::Board { from, zone } = s.detail else { unreachable!("somebody boards") };
        Options::of(self.board_goals(s, from, zone, s.defended(s.turn)))
    }

    pub(crate) fn board_to(s: &mut State, to: Place) {
        let Detail::Board { from, zone } = s.detail else { unreachable!("somebody boards") };
        s.last.c = to.number() + 1;
        Self::muster(s, Group::new(Way::Board, from, zone, to));
    }
}
