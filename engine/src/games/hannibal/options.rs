//! The options of a side in its turn (H1, H2): counted, listed, drawn and checked without a list.

use super::board::{Areas, Edges, Routes};
use super::state::{CARTHAGE, Fighter, Phase, State};
use super::{Hannibal, board::Board};
use crate::bits::{each, nth};
use crate::player::Player;
use crate::rng::Randomness;

/// The choice of a player. Places are numbers of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Moves a legion from one area to another.
    Legion {
        /// The start.
        from: u8,
        /// The goal.
        to: u8,
    },
    /// Moves Hannibal from one area to another.
    Hannibal {
        /// The start.
        from: u8,
        /// The goal.
        to: u8,
    },
    /// Moves a fleet from one sea route to another.
    Fleet {
        /// The start.
        from: u8,
        /// The goal.
        to: u8,
    },
    /// Gives a legion of this area for a fleet.
    Raise(u8),
    /// Gives Hannibal, who is in this area, for a fleet.
    RaiseHannibal(u8),
    /// Passes.
    Pass,
    /// Chooses the fighter for Carthage.
    Fight(Fighter),
    /// Plays the card of this value.
    Card(u8),
}

/// The options of a turn as sets, without the pass, which is always one more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    legions: Edges,
    hannibal: Edges,
    /// Routes from which a fleet can go, each to all other routes.
    fleets: Routes,
    /// Number of those goals.
    ports: u32,
    raise: Areas,
    raise_hannibal: Areas,
}

impl Options {
    #[inline]
    pub(super) fn of(board: &Board, s: &State) -> Self {
        let seat = s.mover();
        let open = board.open(s.routes[seat]);
        let hannibal = if seat == CARTHAGE { s.hannibal } else { 0 };
        let may_raise = s.routes[seat] == 0 || !board.rebuild_without_fleets;
        let may_give_hannibal = may_raise && board.hannibal_pays_for_fleet;
        let ports = board.routes.len() as u32 - 1;
        Self {
            legions: board.leaving(s.areas[seat]) & open,
            hannibal: board.leaving(hannibal) & open & !board.barred_to_hannibal,
            fleets: if ports > 0 { s.routes[seat] } else { 0 },
            ports,
            raise: if may_raise { s.areas[seat] } else { 0 },
            raise_hannibal: if may_give_hannibal { hannibal } else { 0 },
        }
    }

    #[inline]
    pub(super) const fn n(&self) -> u32 {
        let moves = self.legions.count_ones() + self.hannibal.count_ones();
        let raises = self.raise.count_ones() + self.raise_hannibal.count_ones();
        moves + self.fleets.count_ones() * self.ports + raises + 1
    }

    /// Returns the option with index `k`.
    #[inline]
    fn nth(&self, board: &Board, k: u32) -> Action {
        let mut left = k;
        let n_legions = self.legions.count_ones();
        if left < n_legions {
            let [from, to] = board.edges[usize::from(nth(self.legions, left))];
            return Action::Legion { from, to };
        }
        left -= n_legions;
        let n_fleets = self.fleets.count_ones() * self.ports;
        if left < n_fleets {
            let (source, port) = (left / self.ports, (left % self.ports) as u8);
            let from = nth(self.fleets.into(), source);
            return Action::Fleet { from, to: port + u8::from(port >= from) };
        }
        left -= n_fleets;
        let n_hannibal = self.hannibal.count_ones();
        if left < n_hannibal {
            let [from, to] = board.edges[usize::from(nth(self.hannibal, left))];
            return Action::Hannibal { from, to };
        }
        self.nth_raise(left - n_hannibal)
    }

    fn nth_raise(&self, k: u32) -> Action {
        let n_raise = self.raise.count_ones();
        if k < n_raise {
            return Action::Raise(nth(self.raise.into(), k));
        }
        if k == n_raise && self.raise_hannibal != 0 {
            return Action::RaiseHannibal(nth(self.raise_hannibal.into(), 0));
        }
        Action::Pass
    }

    fn contains(&self, board: &Board, action: Action) -> bool {
        let has = |set: Areas, area: u8| set.checked_shr(area.into()).is_some_and(|s| s & 1 == 1);
        match action {
            Action::Legion { from, to } => self.legions & board.edge(from, to) != 0,
            Action::Hannibal { from, to } => self.hannibal & board.edge(from, to) != 0,
            Action::Fleet { from, to } => {
                has(self.fleets.into(), from) && from != to && usize::from(to) < board.routes.len()
            }
            Action::Raise(area) => has(self.raise, area),
            Action::RaiseHannibal(area) => has(self.raise_hannibal, area),
            Action::Pass => true,
            Action::Fight(_) | Action::Card(_) => false,
        }
    }
}

impl Hannibal {
    /// Returns the number of options of `player` in the decision that is due.
    #[inline]
    pub(super) fn count(&self, s: &State, player: Player) -> u32 {
        match s.phase {
            Phase::Turn => Options::of(&self.board, s).n(),
            Phase::Fight => 2,
            Phase::Duel => s.hands[player.idx()].count_ones(),
            Phase::Over => 0,
        }
    }

    pub(super) fn list(&self, s: &State, player: Player, out: &mut Vec<Action>) {
        match s.phase {
            Phase::Turn => {
                let options = Options::of(&self.board, s);
                out.extend((0..options.n()).map(|k| options.nth(&self.board, k)));
            }
            Phase::Fight => out.extend([Fighter::Legion, Fighter::Hannibal].map(Action::Fight)),
            Phase::Duel => out.extend(each(s.hands[player.idx()].into()).map(Action::Card)),
            Phase::Over => {}
        }
    }

    #[inline]
    pub(super) fn pick<R: Randomness + ?Sized>(
        &self,
        s: &State,
        player: Player,
        rng: &mut R,
    ) -> Action {
        match s.phase {
            Phase::Turn => {
                let options = Options::of(&self.board, s);
                options.nth(&self.board, rng.below(options.n()))
            }
            Phase::Duel => {
                let hand = s.hands[player.idx()];
                Action::Card(nth(hand.into(), rng.below(hand.count_ones())))
            }
            Phase::Fight if rng.below(2) == 0 => Action::Fight(Fighter::Legion),
            Phase::Fight => Action::Fight(Fighter::Hannibal),
            Phase::Over => unreachable!("the game is over"),
        }
    }

    pub(super) fn allows(&self, s: &State, player: Player, action: Action) -> bool {
        match (s.phase, action) {
            (Phase::Turn, action) => Options::of(&self.board, s).contains(&self.board, action),
            (Phase::Fight, Action::Fight(_)) => true,
            (Phase::Duel, Action::Card(value)) => {
                each(s.hands[player.idx()].into()).any(|card| card == value)
            }
            _ => false,
        }
    }
}
