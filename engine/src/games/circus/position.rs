//! Positions made by hand for tests: [`Race`].

use super::limits::TEAM;
use super::state::{Phase, State};
use super::{Action, Circus};
use crate::game::Game;
use crate::notation::Notation;
use crate::player::Player;
use crate::rules::{Configure, Rules};

/// A position under construction. Chariots without a place stand far behind, at the lower left.
pub(super) struct Race {
    pub(super) game: Circus,
    pub(super) state: State,
}

/// Cells at the lower left for chariots without a place.
const FAR_BEHIND: std::ops::RangeInclusive<u8> = 185..=199;

impl Race {
    /// Returns a race under the default rules with these settings.
    pub(super) fn new(n_players: usize, settings: &[&str]) -> Self {
        let mut rules = Rules::of::<Circus>();
        settings.iter().for_each(|setting| rules.set(setting).unwrap());
        let game = Circus::configure(n_players, &rules).unwrap();
        let mut state = game.start();
        state.phase = Phase::Begin;
        state.placed = (n_players * game.board.team) as u8;
        for ((seat, n), cell) in all(n_players).zip(FAR_BEHIND) {
            state.cells[seat * TEAM + n] = cell;
            state.legs[seat * TEAM + n] = -2;
            game.board.toggle(&mut state.lines, cell);
        }
        Self { game, state }
    }

    /// Puts a chariot in a cell; in the finish it is home.
    pub(super) fn put(mut self, seat: usize, n: usize, cell: u8, leg: i16) -> Self {
        let (s, board) = (&mut self.state, &self.game.board);
        let i = seat * TEAM + n;
        board.toggle(&mut s.lines, s.cells[i]);
        (s.cells[i], s.legs[i]) = (cell, leg);
        if board.is_finish(cell) {
            s.home |= 1 << i;
            s.taken |= 1 << board.finish_place[usize::from(cell)];
        } else {
            assert!(!board.is_blocked(&s.lines, cell), "cell {cell} is taken");
            let section = i16::from(board.section[usize::from(cell)]);
            assert_eq!(leg.rem_euclid(4), section, "leg {leg} is impossible in cell {cell}");
            board.toggle(&mut s.lines, cell);
        }
        self
    }

    /// Begins a round at this position.
    pub(super) fn begin(mut self) -> Self {
        self.game.begin_round(&mut self.state);
        self.game.settle(&mut self.state);
        self
    }

    /// Begins a round at this position and goes on to the turn of a chariot; `cards` are the open cards of its player.
    pub(super) fn turn_of(mut self, seat: usize, n: usize, cards: &[u8]) -> Self {
        self.game.begin_round(&mut self.state);
        let s = &mut self.state;
        while s.mover() != seat * TEAM + n {
            s.at += 1;
            s.later[s.mover() / TEAM] -= 1;
        }
        s.cards[seat] = cards.iter().map(|value| 1 << (value - 1)).sum();
        self.game.settle(&mut self.state);
        self
    }

    /// Returns the order of the round as seats and numbers.
    pub(super) fn order(&self) -> Vec<(usize, usize)> {
        let order = &self.state.order[..usize::from(self.state.n_order)];
        order.iter().map(|&i| (usize::from(i) / TEAM, usize::from(i) % TEAM)).collect()
    }

    /// Returns the texts of the options, sorted.
    pub(super) fn options(&self) -> Vec<String> {
        let mut actions = Vec::new();
        self.game.actions(&self.state, Player::new(0), &mut actions);
        let mut texts: Vec<String> = actions.iter().map(|&a| self.game.action_text(a)).collect();
        texts.sort();
        texts
    }

    /// Returns the options that begin with `start`.
    pub(super) fn options_with(&self, start: &str) -> Vec<String> {
        self.options().into_iter().filter(|text| text.starts_with(start)).collect()
    }

    /// Plays these actions.
    pub(super) fn play(&mut self, texts: &[&str]) {
        for text in texts {
            let action = self.game.parse_action(&self.state, Player::new(0), text).unwrap();
            self.game.apply(&mut self.state, action);
        }
    }

    /// Draws the first placer.
    pub(super) fn first(&mut self, seat: u8) {
        self.game.apply(&mut self.state, Action::First(Player::of(seat)));
    }

    /// Returns the cell and the leg of a chariot.
    pub(super) fn at(&self, seat: usize, n: usize) -> (u8, i16) {
        let chariot = self.state.chariot(seat, n).unwrap();
        (chariot.cell, chariot.leg)
    }

    /// Returns a race before its first event.
    pub(super) fn before_the_start(n_players: usize) -> Self {
        let game = Circus::new(n_players);
        Self { state: game.start(), game }
    }
}

fn all(n_players: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n_players).flat_map(|seat| (0..TEAM).map(move |n| (seat, n)))
}
