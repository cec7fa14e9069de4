//! The position: [`State`], and its readers.

use super::limits::{Lines, MAX_CHARIOTS, MAX_SEATS, NOWHERE, TEAM};
use super::{Action, Circus};
use crate::data::data;
#[cfg(feature = "data")]
use crate::data::{Bits, Each};
use crate::player::Player;

/// The kind of decision or event that is due.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Phase {
    /// The draw of the first placer.
    First,
    /// The placing of a chariot.
    Place,
    /// The first card of a chariot.
    Begin,
    /// Another card of it.
    Continue,
    /// The game is over.
    Over,
}

/// A position of the race; 208 bytes without heap memory.
///
/// The players see chariots, cards and order. The lines repeat the cells of the chariots, and `go` is the list of moves
/// of the decision that is due.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(super) lines: Lines,
    /// Moves of the chariot whose turn it is: bit `8 * direction + value - 1`.
    pub(super) go: u64,
    pub(super) legs: [i16; MAX_CHARIOTS],
    pub(super) cells: [u8; MAX_CHARIOTS],
    /// Open cards of each seat: bit `value - 1`.
    pub(super) cards: [u8; MAX_SEATS],
    /// The open cards at the end of the last round, until its state has been recorded.
    pub(super) closing: [u8; MAX_SEATS],
    /// Chariots of this round in order; the first `n_order` count.
    pub(super) order: [u8; MAX_CHARIOTS],
    pub(super) n_order: u8,
    /// The index in the order whose turn it is.
    pub(super) at: u8,
    /// Number of chariots of each seat later in the order.
    pub(super) later: [u8; MAX_SEATS],
    /// Number of cards used by the chariot whose turn it is.
    pub(super) used: u8,
    /// The direction of its last card; 0 unless the direction matters.
    pub(super) heading: u8,
    pub(super) phase: Phase,
    /// True if a round has just ended and no ply was made since.
    pub(super) is_fresh: bool,
    /// The first placer.
    pub(super) first: Player,
    /// Number of chariots placed.
    pub(super) placed: u8,
    /// Chariots that are home, by index.
    pub(super) home: u16,
    /// Cells of the finish that are taken, by place.
    pub(super) taken: u16,
    /// Number of rounds that are over.
    pub(super) round: u16,
    /// Number of options of the decision that is due.
    pub(super) n_options: u16,
    /// Seats with all chariots home in order of arrival; the first `n_arrived` count.
    pub(super) arrived: [u8; MAX_SEATS],
    pub(super) n_arrived: u8,
}

data!(struct State { lines, go, legs, cells, cards in Each<Bits<1>>, closing in Each<Bits<1>>, order, n_order, at, later, used, heading, phase, is_fresh, first, placed, home in Bits, taken, round, n_options, arrived, n_arrived });
data!(
    enum Phase {
        First,
        Place,
        Begin,
        Continue,
        Over,
    }
);

/// A chariot on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chariot {
    /// The id of its cell.
    pub cell: u8,
    /// Number of sections passed since the start; it falls when the chariot drives the wrong way round.
    pub leg: i16,
    /// True if it is in the finish.
    pub is_home: bool,
}

impl State {
    pub(super) const fn new(lines: Lines) -> Self {
        Self {
            lines,
            go: 0,
            legs: [0; MAX_CHARIOTS],
            cells: [NOWHERE; MAX_CHARIOTS],
            cards: [0; MAX_SEATS],
            closing: [0; MAX_SEATS],
            order: [0; MAX_CHARIOTS],
            n_order: 0,
            at: 0,
            later: [0; MAX_SEATS],
            used: 0,
            heading: 0,
            phase: Phase::First,
            is_fresh: false,
            first: Player::new(0),
            placed: 0,
            home: 0,
            taken: 0,
            round: 0,
            n_options: 0,
            arrived: [0; MAX_SEATS],
            n_arrived: 0,
        }
    }

    /// Returns the index of the chariot whose turn it is.
    #[inline]
    pub(super) fn mover(&self) -> usize {
        usize::from(self.order[usize::from(self.at)])
    }

    /// Returns chariot `n` of a seat, or `None` before it is placed.
    ///
    /// # Panics
    /// If there is no such seat or chariot.
    #[must_use]
    pub fn chariot(&self, seat: usize, n: usize) -> Option<Chariot> {
        assert!(n < TEAM, "chariot {n}");
        let i = seat * TEAM + n;
        let is_home = self.home >> i & 1 == 1;
        (self.cells[i] != NOWHERE).then(|| Chariot {
            cell: self.cells[i],
            leg: self.legs[i],
            is_home,
        })
    }

    /// Returns the open cards of a seat: bit `value - 1`.
    #[must_use]
    pub const fn open_cards(&self, seat: usize) -> u8 {
        self.cards[seat]
    }

    /// Returns the number of cards that the chariot whose turn it is has used.
    #[must_use]
    pub const fn cards_used(&self) -> usize {
        self.used as usize
    }

    /// Returns the chariot whose turn it is: its seat and its number.
    #[must_use]
    pub fn driver(&self) -> Option<(usize, usize)> {
        let is_racing = matches!(self.phase, Phase::Begin | Phase::Continue);
        is_racing.then(|| (self.mover() / TEAM, self.mover() % TEAM))
    }

    /// Returns the number of chariots of a seat that come later in the order of this round.
    #[must_use]
    pub const fn still_to_move(&self, seat: usize) -> usize {
        self.later[seat] as usize
    }

    /// Returns whether a round has just ended and no chariot has moved since.
    #[must_use]
    pub const fn is_between_rounds(&self) -> bool {
        self.is_fresh
    }

    /// Returns the number of turns of chariots that are over in this round.
    #[must_use]
    pub const fn turns_done(&self) -> u32 {
        self.at as u32
    }

    /// Returns the number of rounds that are over.
    #[must_use]
    pub const fn rounds(&self) -> u32 {
        self.round as u32
    }

    /// Returns whether chariots are still being placed.
    #[must_use]
    pub fn is_placing(&self) -> bool {
        matches!(self.phase, Phase::First | Phase::Place)
    }

    /// Returns the number of chariots of a seat that are home.
    #[must_use]
    pub const fn n_home(&self, seat: usize) -> u32 {
        (self.home >> (seat * TEAM) & ((1 << TEAM) - 1)).count_ones()
    }
}

impl Circus {
    /// Returns the steps to go (C5b) of chariot `n` of a seat: fewest single steps to the finish on a board without
    /// chariots.
    ///
    /// # Panics
    /// If there is no such seat or chariot.
    #[inline]
    #[must_use]
    pub fn steps_to_go(&self, state: &State, seat: usize, n: usize) -> u32 {
        let i = seat * TEAM + n;
        match state.cells[i] {
            NOWHERE => 0,
            cell => self.board.steps_to_go(cell, state.legs[i]),
        }
    }

    /// Returns the progress towards the finish of the chariot whose turn it is by a legal action, in steps; below zero
    /// when it goes back.
    #[inline]
    #[must_use]
    pub fn progress(&self, state: &State, action: Action) -> i32 {
        let Action::Go { value, direction, .. } = action else { return 0 };
        let (cell, leg) = (state.cells[state.mover()], state.legs[state.mover()]);
        let before = self.board.steps_to_go(cell, leg) as i32;
        let gate = self.board.gate(cell, direction.into());
        if gate.steps > 0 && value >= gate.steps {
            return before;
        }
        let (cell, leg) = self.board.after(cell, leg, direction.into(), value);
        before - self.board.steps_to_go(cell, leg) as i32
    }

    /// Returns the largest progress towards the finish that a single card could bring a chariot on the current board,
    /// in steps. Open cards do not matter.
    ///
    /// # Panics
    /// If there is no such seat or chariot, or it is not placed.
    #[must_use]
    pub fn open_road(&self, state: &State, seat: usize, n: usize) -> u32 {
        let i = seat * TEAM + n;
        let (cell, leg) = (state.cells[i], state.legs[i]);
        let before = self.steps_to_go(state, seat, n);
        if before == 0 {
            return 0;
        }
        let largest = 8 - self.board.all_cards.leading_zeros();
        let free = self.board.free(&state.lines, cell);
        let mut best = 0;
        for (direction, steps) in free.into_iter().enumerate() {
            let gate = self.board.gate(cell, direction);
            if gate.steps > 0 && steps + 1 == u32::from(gate.steps) && leg >= self.board.finish_leg
            {
                return before;
            }
            let steps = steps.min(largest) as u8;
            if steps > 0 {
                let (cell, leg) = self.board.after(cell, leg, direction, steps);
                best = best.max(before.saturating_sub(self.board.steps_to_go(cell, leg)));
            }
        }
        best
    }

    /// Returns the sum of the largest `n` open cards of a seat.
    #[inline]
    #[must_use]
    pub fn largest_cards(&self, state: &State, seat: usize, n: usize) -> u32 {
        let mut open = state.cards[seat];
        let mut sum = 0;
        for _ in 0..n {
            let value = 8 - open.leading_zeros();
            if value == 0 {
                break;
            }
            sum += value;
            open &= !(1 << (value - 1));
        }
        sum
    }
}
