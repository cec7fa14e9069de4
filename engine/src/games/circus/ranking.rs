//! The final placing (C5): by arrival, then by chariots home, then by the steps still to go.

use std::cmp::Reverse;

use super::Circus;
use super::state::State;
use crate::player::{ByPlayer, Player, share_the_point};

/// The values that place a seat, the best first: the place of its arrival, chariots home, steps to go.
type Standing = (u8, Reverse<u32>, u32);

impl Circus {
    /// Returns the sum of the steps to go of a seat's chariots (C5b).
    ///
    /// # Panics
    /// If there is no such seat.
    #[must_use]
    pub fn team_steps(&self, state: &State, seat: usize) -> u32 {
        (0..self.board.team).map(|n| self.steps_to_go(state, seat, n)).sum()
    }

    fn standing(&self, s: &State, seat: usize) -> Standing {
        let arrived = &s.arrived[..usize::from(s.n_arrived)];
        let place = arrived.iter().position(|&a| usize::from(a) == seat);
        match place {
            Some(place) => (place as u8, Reverse(0), 0),
            // A winner without playing on leaves all others level (C5a).
            None if s.n_arrived > 0 && !self.board.config.play_on => (u8::MAX, Reverse(0), 0),
            None => (u8::MAX, Reverse(s.n_home(seat)), self.team_steps(s, seat)),
        }
    }

    /// Returns for each player the number of players placed strictly behind (C5a).
    pub(super) fn placings(&self, s: &State) -> ByPlayer<i32> {
        let mut standings = [(0, Reverse(0), 0); super::limits::MAX_SEATS];
        for (seat, standing) in standings.iter_mut().enumerate().take(self.n_players) {
            *standing = self.standing(s, seat);
        }
        let standings = &standings[..self.n_players];
        let mut placings = ByPlayer::default();
        for player in Player::all(self.n_players) {
            let own = standings[player.idx()];
            placings[player] = standings.iter().filter(|&&other| other > own).count() as i32;
        }
        placings
    }

    /// Returns the payoffs: a point, shared by all in the first place.
    pub(super) fn points(&self, s: &State) -> ByPlayer<f32> {
        share_the_point(self.placings(s).first(self.n_players))
    }
}
