//! Secrecy of chance events: what a seat is shown of them.

use super::Checker;
use crate::notation::Notation;
use crate::player::Player;

impl<G: Notation> Checker<'_, G> {
    /// Checks that what a seat sees of a chance event does not tell outcomes apart that it cannot tell apart afterwards.
    pub(super) fn check_seen_chance(&self, state: &G::State, outcomes: &[(G::Action, f64)]) {
        if !self.hides {
            return;
        }
        let after = |outcome: G::Action| {
            let mut after = *state;
            self.game.apply(&mut after, outcome);
            after
        };
        for observer in Player::all(self.game.n_players()) {
            for pair in outcomes.windows(2) {
                let &[(one, one_chance), (other, other_chance)] = pair else { continue };
                if one_chance == 0.0 || other_chance == 0.0 {
                    continue;
                }
                let key = |outcome| self.game.info_state_key(&after(outcome), observer);
                let is_distinguished = key(one) != key(other) || after(one) == after(other);
                let seen = |outcome| self.game.seen_chance(state, outcome, observer);
                assert!(
                    is_distinguished || seen(one) == seen(other),
                    "{}: player {observer} is shown a secret outcome of chance",
                    self.at
                );
            }
        }
    }
}
