//! Positions made by hand, for tests.

use super::stacks::PROVINCES;
use super::{Imperium, State};
use crate::game::{Game, Joint};
use crate::notation::Notation;
use crate::player::{Player, PlayerSet};
use crate::rules::{Configure, Rules};

/// A game and a position that tests change.
pub(super) struct Position {
    pub(super) game: Imperium,
    pub(super) s: State,
}

impl Position {
    /// Returns the start for `n_players`, under the default rules with `settings`.
    pub(super) fn new(n_players: usize, settings: &[&str]) -> Self {
        let mut rules = Rules::of::<Imperium>();
        settings.iter().for_each(|setting| rules.set(setting).unwrap());
        let game = Imperium::configure(n_players, &rules).unwrap();
        Self { s: game.start(), game }
    }

    /// Returns the number of a province, counted from 0.
    pub(super) fn province(&self, id: &str) -> usize {
        (0..PROVINCES).find(|&p| self.game.board.ids[p] == id).unwrap()
    }

    /// Moves the mark to a province.
    pub(super) fn mark(mut self, id: &str) -> Self {
        self.s.mark = self.province(id) as u8;
        self
    }

    /// Puts pieces of all seats into a province.
    pub(super) fn pieces(mut self, id: &str, counts: &[u8]) -> Self {
        let shift = 8 * self.province(id);
        for (seat, &count) in counts.iter().enumerate() {
            self.s.pieces[seat] += u64::from(count) << shift;
            self.s.free[seat] -= count;
        }
        self
    }

    /// Makes a seat the proconsul of a province in which it has pieces.
    pub(super) fn proconsul(mut self, id: &str, seat: usize) -> Self {
        let province = self.province(id);
        assert!(self.s.pieces(seat, province) > 0);
        self.s.held[seat] |= 1 << province;
        self
    }

    /// Sets the points of all players.
    pub(super) fn points(mut self, points: &[u32]) -> Self {
        self.s.points[..points.len()].copy_from_slice(points);
        self
    }

    /// Takes free pieces out of the game until a seat has `free` left, and updates the seats that have to choose.
    pub(super) fn free(mut self, seat: usize, free: u8) -> Self {
        self.s.free[seat] = free;
        let players = Player::all(self.game.n_players);
        self.s.choosing = players.filter(|player| self.s.free[player.idx()] > 0).collect();
        if self.s.choosing.is_empty() {
            self.s.choosing = PlayerSet::first(self.game.n_players);
        }
        self
    }

    /// Takes the Ear away from a seat.
    pub(super) fn without_ear(mut self, seat: usize) -> Self {
        self.s.ears.remove(Player::new(seat));
        self
    }

    /// Takes the Oracle away from a seat.
    pub(super) fn without_oracle(mut self, seat: usize) -> Self {
        self.s.oracles.remove(Player::new(seat));
        self
    }

    /// Reveals the stacks of all seats that are to choose; `stacks` are the cards by seat, and other seats are ignored.
    pub(super) fn reveal(&mut self, stacks: &[&str]) {
        let mut joint = Joint::default();
        for player in self.s.choosing.iter() {
            let text = format!("stack {}", stacks[player.idx()]);
            let action = self.game.parse_action(&self.s, player, text.trim());
            joint[player] = Some(action.unwrap_or_else(|error| panic!("{player}: {error}")));
        }
        self.game.apply_joint(&mut self.s, &joint);
    }

    /// Reveals stacks as [`Self::reveal`] does, in a chain of calls.
    pub(super) fn after(mut self, stacks: &[&str]) -> Self {
        self.reveal(stacks);
        self
    }

    /// Scores the marked province in a round without placements: no player has a free piece.
    pub(super) fn scored(mut self) -> Self {
        let free = self.s.free;
        self.s.free = [0; super::MOST_SEATS];
        self.s.choosing = PlayerSet::first(self.game.n_players);
        self.reveal(&[""; super::MOST_SEATS]);
        self.s.free.iter_mut().zip(free).for_each(|(now, before)| *now += before);
        self
    }

    /// Returns the stacks that a player can reveal, as texts.
    pub(super) fn options(&self, seat: usize) -> Vec<String> {
        let mut actions = Vec::new();
        self.game.actions(&self.s, Player::new(seat), &mut actions);
        actions.iter().map(|&action| self.game.action_text(action)).collect()
    }

    /// Returns the number of stacks that a player can reveal.
    pub(super) fn n_options(&self, seat: usize) -> usize {
        self.game.n_actions(&self.s, Player::new(seat), &mut Vec::new())
    }

    /// Returns the points of all players.
    pub(super) fn all_points(&self) -> &[u32] {
        &self.s.points[..self.game.n_players]
    }

    /// Returns the pieces of all players in a province.
    pub(super) fn counts(&self, id: &str) -> Vec<u8> {
        let province = self.province(id);
        (0..self.game.n_players).map(|seat| self.s.pieces(seat, province)).collect()
    }

    /// Returns the proconsul of a province.
    pub(super) fn proconsul_of(&self, id: &str) -> Option<usize> {
        self.s.proconsul(self.province(id))
    }

    /// Returns the seats that are to choose.
    pub(super) fn choosing(&self) -> Vec<usize> {
        self.s.choosing.iter().map(Player::idx).collect()
    }
}
