//! A turn from the choice to its end: moves, raised fleets, passes, and victory (H1 to H3, H5).

use super::Hannibal;
use super::board::Areas;
use super::options::{Action, Options};
use super::state::{CARTHAGE, Fighter, Outcome, Phase, ROME, Site, State};
use crate::player::Player;

impl Hannibal {
    /// Carries out the turn of the mover.
    #[inline]
    pub(super) fn make_turn(&self, s: &mut State, action: Action) {
        let seat = s.mover();
        s.passes = if action == Action::Pass { s.passes.saturating_add(1) } else { 0 };
        match action {
            Action::Legion { from, to } => {
                s.remove_legion(seat, from);
                s.add_legion(seat, to);
                self.enter(s, to, Fighter::Legion);
            }
            Action::Hannibal { to, .. } => {
                s.hannibal = 1 << to;
                self.enter(s, to, Fighter::Hannibal);
            }
            Action::Fleet { from, to } => {
                s.remove_fleet(seat, from);
                s.add_fleet(seat, to);
                self.sail_into(s, to);
            }
            Action::Raise(area) => {
                s.remove_legion(seat, area);
                self.raise(s);
            }
            Action::RaiseHannibal(_) => {
                s.hannibal = 0;
                self.raise(s);
            }
            Action::Pass => self.end_turn(s),
            Action::Fight(_) | Action::Card(_) => unreachable!("{action:?} is no turn"),
        }
    }

    /// Carries out the entry of a piece of the mover into `area`.
    #[inline]
    fn enter(&self, s: &mut State, area: u8, piece: Fighter) {
        let (seat, enemy) = (s.mover(), 1 - s.mover());
        if self.board.capital_entry_wins && area == self.board.sides[enemy].capital {
            s.turns += 1;
            Self::end(s, Outcome::Won(s.mover));
        } else if s.held(enemy) >> area & 1 == 1 {
            s.site = Some(Site::Area(area));
            s.fighter = (seat == CARTHAGE).then_some(piece);
            self.go_on_fighting(s);
        } else {
            self.end_turn(s);
        }
    }

    fn raise(&self, s: &mut State) {
        let route = self.board.sides[s.mover()].fleet_route;
        s.add_fleet(s.mover(), route);
        self.sail_into(s, route);
    }

    /// Carries out the arrival of a fleet of the mover on `route`.
    #[inline]
    fn sail_into(&self, s: &mut State, route: u8) {
        if s.routes[1 - s.mover()] >> route & 1 == 1 {
            s.site = Some(Site::Route(route));
            self.go_on_fighting(s);
        } else {
            self.end_turn(s);
        }
    }

    /// Ends the turn, and goes on to the next decision with at least two options.
    #[inline]
    pub(super) fn end_turn(&self, s: &mut State) {
        loop {
            s.turns += 1;
            if let Some(outcome) = self.outcome_after_turn(s) {
                return Self::end(s, outcome);
            }
            s.mover = s.mover.next(2);
            s.phase = Phase::Turn;
            if !self.can_only_pass(s) {
                return;
            }
            s.passes = s.passes.saturating_add(1);
        }
    }

    /// Returns the result by the tests of clause H5a, in its order.
    pub(super) fn outcome_after_turn(&self, s: &State) -> Option<Outcome> {
        let seat = s.mover();
        let held = s.held(seat);
        if self.has_domination(seat, held) {
            return Some(Outcome::Won(s.mover));
        }
        match (s.held(CARTHAGE) == 0, s.held(ROME) == 0) {
            (true, true) => Some(Outcome::Draw),
            (true, false) => Some(Outcome::Won(Player::new(ROME))),
            (false, true) => Some(Outcome::Won(Player::new(CARTHAGE))),
            (false, false) => {
                let ends = s.passes >= self.board.passes_to_draw || s.turns >= self.board.max_turns;
                ends.then_some(Outcome::Draw)
            }
        }
    }

    /// Returns whether a side with legions in `held` has one in each group of its domination list.
    #[inline]
    #[must_use]
    pub fn has_domination(&self, seat: usize, held: Areas) -> bool {
        self.board.sides[seat].groups.iter().all(|group| group & held != 0)
    }

    /// Returns whether passing is the only option. A side with a fleet that can go elsewhere always has another.
    #[inline]
    fn can_only_pass(&self, s: &State) -> bool {
        let has_free_fleet = s.routes[s.mover()] != 0 && self.board.routes.len() > 1;
        !has_free_fleet && Options::of(&self.board, s).n() == 1
    }

    fn end(s: &mut State, outcome: Outcome) {
        s.phase = Phase::Over;
        s.outcome = Some(outcome);
    }
}
