//! The course of the race: placing (C1), the order of a round (C2), the turns of chariots (C3, C4), the end (C5).

use super::Circus;
use super::limits::{MAX_CHARIOTS, MAX_SEATS, TEAM};
use super::moves::Action;
use super::state::{Phase, State};

impl Circus {
    /// Goes on to the next decision of at least two options, or to the end.
    #[inline]
    pub(super) fn settle(&self, s: &mut State) {
        while matches!(s.phase, Phase::Place | Phase::Begin | Phase::Continue) {
            let n_options = self.find_options(s);
            debug_assert!(n_options > 0, "no option in {:?}", s.phase);
            if n_options > 1 {
                return;
            }
            self.step(s, self.option(s, 0));
        }
        (s.go, s.n_options) = (0, 0);
    }

    /// Carries out one decision, and stops there.
    #[inline]
    pub(super) fn step(&self, s: &mut State, action: Action) {
        match action {
            Action::Go { value, direction, thrown } => self.go(s, value, direction, thrown),
            Action::Waste(value) => {
                Self::spend(s, value);
                self.end_turn(s);
            }
            Action::Stop => self.end_turn(s),
            Action::Start(cell) => self.place(s, cell),
            Action::First(player) => {
                (s.first, s.phase) = (player, Phase::Place);
            }
        }
    }

    /// Returns the seat whose turn it is to place (C1): the second and the third round go backwards.
    pub(super) fn placer(&self, s: &State) -> usize {
        let (round, turn) =
            (usize::from(s.placed) / self.n_players, usize::from(s.placed) % self.n_players);
        let from_first = if round == 0 { turn } else { self.n_players - 1 - turn };
        (s.first.idx() + from_first) % self.n_players
    }

    pub(super) fn place(&self, s: &mut State, cell: u8) {
        let seat = self.placer(s);
        let chariot = seat * TEAM + usize::from(s.placed) / self.n_players;
        s.cells[chariot] = cell;
        s.legs[chariot] = self.board.config.chariots.start_leg as i16;
        self.board.toggle(&mut s.lines, cell);
        s.placed += 1;
        if usize::from(s.placed) == self.n_players * self.board.team {
            self.begin_round(s);
        }
    }

    /// Turns all cards and fixes the order (C2).
    pub(super) fn begin_round(&self, s: &mut State) {
        let cards = s.cards[..self.n_players].iter_mut().zip(self.board.missing);
        cards.for_each(|(cards, missing)| *cards = self.board.all_cards & !missing);
        self.set_order(s);
        s.at = 0;
        self.begin_turn(s);
    }

    /// Sets the order of a round: the leader's section, then the sections behind it; in a section the higher leg, then
    /// the rank (C2a).
    pub(super) fn set_order(&self, s: &mut State) {
        let mut keys = [u64::MAX; MAX_CHARIOTS];
        let mut n = 0;
        let n_sections = self.board.n_sections as u8;
        let leader = self.leading_section(s);
        s.later = [0; MAX_SEATS];
        for seat in 0..self.n_players {
            for i in seat * TEAM..seat * TEAM + self.board.team {
                if s.home >> i & 1 == 1 {
                    continue;
                }
                let cell = usize::from(s.cells[i]);
                let section = self.board.section[cell];
                let behind = (leader + n_sections - section) % n_sections;
                let leg = (i16::MAX.wrapping_sub(s.legs[i])) as u16;
                let rank = self.board.rank[cell];
                keys[n] = u64::from(behind) << 32
                    | u64::from(leg) << 16
                    | u64::from(rank) << 8
                    | i as u64;
                n += 1;
                s.later[seat] += 1;
            }
        }
        keys[..n].sort_unstable();
        s.n_order = n as u8;
        s.order = keys.map(|key| if key == u64::MAX { 0 } else { key as u8 });
    }

    /// Returns the section of the chariot with the highest leg.
    fn leading_section(&self, s: &State) -> u8 {
        let racing = (0..MAX_CHARIOTS).filter(|&i| self.is_racing(s, i));
        let leg = racing.map(|i| s.legs[i]).max().unwrap_or_default();
        (leg - self.board.finish_leg).rem_euclid(self.board.n_sections) as u8
    }

    /// Returns whether the chariot exists and is not home.
    fn is_racing(&self, s: &State, chariot: usize) -> bool {
        let is_there = chariot / TEAM < self.n_players && chariot % TEAM < self.board.team;
        is_there && s.home >> chariot & 1 == 0
    }

    fn begin_turn(&self, s: &mut State) {
        s.later[s.mover() / TEAM] -= 1;
        (s.phase, s.used, s.heading) = (Phase::Begin, 0, 0);
    }

    fn end_turn(&self, s: &mut State) {
        s.at += 1;
        (s.used, s.heading) = (0, 0);
        if s.phase == Phase::Over {
            return;
        }
        if s.at < s.n_order {
            self.begin_turn(s);
        } else {
            self.end_round(s);
        }
    }

    fn end_round(&self, s: &mut State) {
        s.round += 1;
        (s.is_fresh, s.closing) = (true, s.cards);
        if i64::from(s.round) >= self.board.config.max_rounds {
            s.phase = Phase::Over;
        } else {
            self.begin_round(s);
        }
    }

    #[inline]
    fn spend(s: &mut State, value: u8) {
        let seat = s.mover() / TEAM;
        s.cards[seat] &= !(1 << (value - 1));
    }

    /// Moves the chariot whose turn it is (C3, C4).
    #[inline]
    fn go(&self, s: &mut State, value: u8, direction: u8, thrown: u8) {
        let chariot = s.mover();
        Self::spend(s, value);
        if thrown > 0 {
            Self::spend(s, thrown);
        }
        s.used += 1;
        if self.straight_only {
            s.heading = direction;
        }
        let from = s.cells[chariot];
        self.board.toggle(&mut s.lines, from);
        let gate = self.board.gate(from, direction.into());
        if gate.steps > 0 && value >= gate.steps {
            self.come_home(s, chariot, gate.cell);
            return;
        }
        let landing = self.board.landing(from, direction.into(), value);
        s.cells[chariot] = landing.cell;
        s.legs[chariot] += i16::from(landing.turn);
        self.board.toggle(&mut s.lines, landing.cell);
        if s.used < self.board.most_cards {
            s.phase = Phase::Continue;
        } else {
            self.end_turn(s);
        }
    }

    /// Moves a chariot into the finish (C4); the leg stays as it was.
    fn come_home(&self, s: &mut State, chariot: usize, cell: u8) {
        let seat = chariot / TEAM;
        s.cells[chariot] = cell;
        s.home |= 1 << chariot;
        s.taken |= 1 << self.board.finish_place[usize::from(cell)];
        if s.n_home(seat) as usize == self.board.team {
            s.arrived[usize::from(s.n_arrived)] = seat as u8;
            s.n_arrived += 1;
        }
        if self.is_decided(s) {
            s.phase = Phase::Over;
        }
        self.end_turn(s);
    }

    /// Returns whether the game ends with the last arrival (C5, C5c).
    pub(super) fn is_decided(&self, s: &State) -> bool {
        let n_arrived = usize::from(s.n_arrived);
        if !self.board.config.play_on {
            return n_arrived > 0;
        }
        let is_full = s.taken.count_ones() as usize == self.board.config.finish.cells.len();
        n_arrived + 1 >= self.n_players || is_full
    }
}
