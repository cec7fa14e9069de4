//! Worlds that are drawn for a seat: they keep what it has seen, and follow from that and from random numbers alone.

use super::{Checker, VIEW_STRIDE};
use crate::game::Turn;
use crate::notation::Notation;
use crate::player::Player;
use crate::rng::{Randomness, fast};
use crate::rules::Configure;
use crate::walk::{Walk, playout};

/// Draws that are compared, for each seat.
const DRAWS: u32 = 4;

impl<G: Configure + Notation> Checker<'_, G> {
    /// Checks that a determinization redraws hidden parts and keeps all that the observer has seen.
    pub(super) fn check_determinizations(&mut self, state: &G::State, walk: &mut Walk<'_, G>) {
        let at = self.at;
        for observer in Player::all(self.game.n_players()) {
            let mut world = *state;
            let numbers = walk.choices().clone();
            self.game.determinize(&mut world, observer, walk.choices());
            if self.game.is_open_to(state, observer) {
                let is_left = world == *state && *walk.choices() == numbers;
                assert!(is_left, "{at}: a determinization of what is open to player {observer}");
            }
            self.is_changed |= world != *state;
            assert!(self.hides || world == *state, "{at}: determinized, but nothing is hidden");
            let known = |s: &G::State| self.game.info_state_key(s, observer);
            assert_eq!(known(&world), known(state), "{at}: info state key of player {observer}");
            assert_eq!(self.game.turn(&world), self.game.turn(state), "{at}: determinized turn");
            assert_eq!(self.game.scores(&world), self.game.scores(state), "{at}: redrawn scores");
            let milestone = self.game.milestone(state);
            assert_eq!(self.game.milestone(&world), milestone, "{at}: determinized milestone");
            self.check_determinized_choice(state, &world, observer);
            if self.has_turn(VIEW_STRIDE, observer.idx() as u32) {
                self.check_view(state, &world, observer);
            }
            if self.hides {
                self.check_draws(state, &world, observer, walk);
            }
            if self.hides && walk.choices().below(16) == 0 {
                let mut rng = fast(walk.choices());
                playout(self.game, &mut world, &mut rng, &mut self.scratch);
                self.check_end(&world);
            }
        }
    }

    /// Checks that the observer has the same choice in every world, and that the other players have some action.
    /// (Another player's hesitation carries no information: in some worlds they have a single action.)
    fn check_determinized_choice(&self, state: &G::State, world: &G::State, observer: Player) {
        let at = self.at;
        match self.game.turn(world) {
            Turn::Player(player) if player != observer => {
                let n_actions = self.actions(world, player).len();
                assert!(
                    n_actions >= 1,
                    "{at}: in a determinized world {player} has {n_actions} actions"
                );
            }
            Turn::Simultaneous(players) if !players.contains(observer) => {}
            Turn::Player(_) | Turn::Simultaneous(_) => {
                let (here, there) = (self.actions(state, observer), self.actions(world, observer));
                assert_eq!(here, there, "{at}: determinized actions of player {observer}");
            }
            Turn::Over => {
                let (here, there) = (self.game.payoffs(state), self.game.payoffs(world));
                assert_eq!(here, there, "{at}: determinized payoffs");
            }
            Turn::Chance => {}
        }
    }

    /// Checks that equal random numbers draw equal worlds from `state` and from `world`, which `observer` cannot tell
    /// apart. A draw that began with the truth, as a permutation of what is hidden, would show it to whoever knows the
    /// numbers.
    fn check_draws(
        &self,
        state: &G::State,
        world: &G::State,
        observer: Player,
        walk: &mut Walk<'_, G>,
    ) {
        let mut numbers = walk.choices().clone();
        for _ in 0..DRAWS {
            let mut others = numbers.clone();
            let (mut one, mut other) = (*state, *world);
            self.game.determinize(&mut one, observer, &mut numbers);
            self.game.determinize(&mut other, observer, &mut others);
            let is_same = one == other && numbers == others;
            assert!(is_same, "{}: a world drawn for player {observer} shows the truth", self.at);
        }
    }
}
