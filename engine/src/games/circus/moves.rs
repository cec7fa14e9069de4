//! The options of a decision (C3, C4, C5d): counted, listed, drawn and tested without a list.
//!
//! A move is a bit of a 64-bit mask, with a byte for each direction and in it a bit for each value. So the moves of a
//! chariot are a few shifts away from the free cells around it.

use super::Circus;
use super::limits::{N_DIRECTIONS, TEAM};
use super::state::{Phase, State};
use crate::player::Player;
use crate::rng::Randomness;

/// A choice of a player, or the draw of the first placer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Chance: this player places first.
    First(Player),
    /// Places a chariot in a cell.
    Start(u8),
    /// Moves the chariot whose turn it is by a card.
    Go {
        /// The value of the card.
        value: u8,
        /// The direction: a place in [`DIRECTION_IDS`](super::DIRECTION_IDS).
        direction: u8,
        /// The value of the card thrown away for a change of direction (C5d), or 0.
        thrown: u8,
    },
    /// Spends a card of this value on a chariot that does not move.
    Waste(u8),
    /// Ends the turn of the chariot.
    Stop,
}

/// A bit in each byte.
const EACH_BYTE: u64 = 0x0101_0101_0101_0101;

/// Returns the move at the lowest bit of a mask, without a card thrown away.
fn move_at(mask: u64) -> (u8, u8) {
    let bit = mask.trailing_zeros() as u8;
    (bit % 8 + 1, bit / 8)
}

/// Returns the `k`-th lowest bit of a mask and all bits above it.
#[inline]
const fn skip(mut mask: u64, k: u32) -> u64 {
    let mut i = 0;
    while i < k {
        mask &= mask - 1;
        i += 1;
    }
    mask
}

/// Returns the value of the `k`-th lowest card.
#[inline]
fn nth_card(cards: u8, k: u32) -> u8 {
    skip(cards.into(), k).trailing_zeros() as u8 + 1
}

/// Returns the values of a mask of cards, the lowest first.
pub(super) fn values(cards: u8) -> impl Iterator<Item = u8> {
    (1..=8).filter(move |value| cards >> (value - 1) & 1 == 1)
}

/// Returns the moves in a direction.
const fn towards(direction: u8) -> u64 {
    0xff << (8 * direction)
}

impl Circus {
    /// Returns the moves that a chariot can make in full with some card, open or not (C3, C4a).
    #[inline]
    pub(super) fn reach(&self, s: &State, chariot: usize) -> u64 {
        let (cell, leg) = (s.cells[chariot], s.legs[chariot]);
        let free = self.board.free(&s.lines, cell);
        let mut mask = 0;
        for (direction, &steps) in free.iter().enumerate() {
            mask |= ((1 << steps.min(8)) - 1) << (8 * direction);
        }
        if leg + 1 >= self.board.finish_leg {
            mask |= self.ways_home(s, cell, leg, &free);
        }
        mask
    }

    /// Returns the moves into the finish: every card of at least its distance is valid.
    fn ways_home(&self, s: &State, cell: u8, leg: i16, free: &[u32; N_DIRECTIONS]) -> u64 {
        let mut mask = 0;
        for (direction, &steps) in free.iter().enumerate() {
            let gate = self.board.gate(cell, direction);
            if gate.steps > 0
                && steps + 1 == u32::from(gate.steps)
                && leg + i16::from(gate.turn) >= self.board.finish_leg
                && s.taken >> self.board.finish_place[usize::from(gate.cell)] & 1 == 0
            {
                mask |= (0xff << steps & 0xff) << (8 * direction);
            }
        }
        mask
    }

    /// Returns the number of open cards that the chariot whose turn it is may have: all but those that must stay (C3b).
    #[inline]
    pub(super) fn spare(&self, s: &State, seat: usize) -> u32 {
        let stay = u32::from(s.later[seat]) * u32::from(self.board.must_stay);
        s.cards[seat].count_ones().saturating_sub(stay)
    }

    /// Finds the options of the decision that is due, and returns their number.
    #[inline]
    pub(super) fn find_options(&self, s: &mut State) -> u32 {
        let n = match s.phase {
            Phase::Place if self.board.reserved.is_empty() => {
                self.board.start.len() as u32 - u32::from(s.placed)
            }
            Phase::Place => self.start_cells(s).count() as u32,
            Phase::Begin | Phase::Continue => self.find_moves(s),
            Phase::First | Phase::Over => 0,
        };
        s.n_options = n as u16;
        n
    }

    #[inline]
    fn find_moves(&self, s: &mut State) -> u32 {
        let chariot = s.mover();
        let seat = chariot / TEAM;
        let open = s.cards[seat];
        let spare = self.spare(s, seat);
        s.go = 0;
        if spare > 0 {
            s.go = self.reach(s, chariot) & (u64::from(open) * EACH_BYTE);
        }
        if s.phase == Phase::Begin {
            return s.go.count_ones() + open.count_ones();
        }
        if !self.straight_only {
            return s.go.count_ones() + 1;
        }
        if spare < 2 {
            s.go &= towards(s.heading);
        }
        let n_aside = (s.go & !towards(s.heading)).count_ones();
        (s.go & towards(s.heading)).count_ones() + n_aside * open.count_ones() - n_aside + 1
    }

    /// Returns whether a change of direction costs a card in this decision.
    fn turns_cost(&self, s: &State) -> bool {
        self.straight_only && s.phase == Phase::Continue
    }

    /// Returns the option with the number `k` in the order of [`Circus::list`].
    #[inline]
    pub(super) fn option(&self, s: &State, k: u32) -> Action {
        match s.phase {
            Phase::Begin | Phase::Continue if self.turns_cost(s) => self.costly_option(s, k),
            Phase::Begin | Phase::Continue => {
                let n_moves = s.go.count_ones();
                if k < n_moves {
                    let (value, direction) = move_at(skip(s.go, k));
                    Action::Go { value, direction, thrown: 0 }
                } else if s.phase == Phase::Begin {
                    Action::Waste(nth_card(s.cards[s.mover() / TEAM], k - n_moves))
                } else {
                    Action::Stop
                }
            }
            _ => {
                let mut free = self.start_cells(s);
                Action::Start(free.nth(k as usize).expect("a start cell is free"))
            }
        }
    }

    /// Returns the cells where the next chariot may be placed: any free cell that is not dealt to another, or its dealt
    /// cell.
    pub(super) fn start_cells(&self, s: &State) -> impl Iterator<Item = u8> {
        let number = usize::from(s.placed) / self.n_players;
        let own = self.board.dealt[self.placer(s)].get(number).copied();
        let reserved = &self.board.reserved;
        self.board.start.iter().copied().filter(move |&cell| {
            let is_his = own.map_or_else(|| !reserved.contains(&cell), |own| own == cell);
            is_his && !self.board.is_blocked(&s.lines, cell)
        })
    }

    /// Returns the option with the number `k` where a change of direction costs a card.
    fn costly_option(&self, s: &State, mut k: u32) -> Action {
        let open = s.cards[s.mover() / TEAM];
        let mut moves = s.go;
        while moves != 0 {
            let (value, direction) = move_at(moves);
            moves &= moves - 1;
            if direction == s.heading {
                if k == 0 {
                    return Action::Go { value, direction, thrown: 0 };
                }
                k -= 1;
                continue;
            }
            let others = open & !(1 << (value - 1));
            if k < others.count_ones() {
                return Action::Go { value, direction, thrown: nth_card(others, k) };
            }
            k -= others.count_ones();
        }
        Action::Stop
    }

    /// Appends the options of the decision that is due.
    pub(super) fn list(&self, s: &State, out: &mut Vec<Action>) {
        if matches!(s.phase, Phase::Place) {
            out.extend(self.start_cells(s).map(Action::Start));
            return;
        }
        let open = s.cards[s.mover() / TEAM];
        let mut moves = s.go;
        while moves != 0 {
            let (value, direction) = move_at(moves);
            moves &= moves - 1;
            if self.turns_cost(s) && direction != s.heading {
                let others = values(open & !(1 << (value - 1)));
                out.extend(others.map(|thrown| Action::Go { value, direction, thrown }));
            } else {
                out.push(Action::Go { value, direction, thrown: 0 });
            }
        }
        if s.phase == Phase::Begin {
            out.extend(values(open).map(Action::Waste));
        } else {
            out.push(Action::Stop);
        }
    }

    /// Returns whether an action is an option of the decision that is due.
    pub(super) fn is_option(&self, s: &State, action: Action) -> bool {
        let is_racing = matches!(s.phase, Phase::Begin | Phase::Continue);
        match action {
            Action::First(_) => false,
            Action::Start(cell) => {
                s.phase == Phase::Place && self.start_cells(s).any(|free| free == cell)
            }
            Action::Stop => s.phase == Phase::Continue,
            Action::Waste(value) => {
                let is_card = (1..=8).contains(&value);
                s.phase == Phase::Begin
                    && is_card
                    && s.cards[s.mover() / TEAM] >> (value - 1) & 1 == 1
            }
            Action::Go { value, direction, thrown } => {
                is_racing
                    && (1..=8).contains(&value)
                    && usize::from(direction) < N_DIRECTIONS
                    && s.go >> (8 * direction + value - 1) & 1 == 1
                    && self.may_throw(s, value, direction, thrown)
            }
        }
    }

    /// Returns whether `thrown` is the card that a move must throw away, if any.
    fn may_throw(&self, s: &State, value: u8, direction: u8, thrown: u8) -> bool {
        if !self.turns_cost(s) || direction == s.heading {
            return thrown == 0;
        }
        let others = s.cards[s.mover() / TEAM] & !(1 << (value - 1));
        (1..=8).contains(&thrown) && others >> (thrown - 1) & 1 == 1
    }

    /// Returns a uniformly random option.
    #[inline]
    pub(super) fn random_option<R: Randomness + ?Sized>(&self, s: &State, rng: &mut R) -> Action {
        self.option(s, rng.below(s.n_options.into()))
    }
}
