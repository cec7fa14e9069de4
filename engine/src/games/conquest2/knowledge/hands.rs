//! Events of hands of Senators, noted for [`Knowledge`](crate::games::conquest2::model::log::Knowledge), and hands as a
//! seat can infer them.

use crate::games::conquest2::model::log::{Bribe, Kill, MAX_KILLS, NO_FLOOR, Signed, Values};
use crate::games::conquest2::model::options::Options;
use crate::games::conquest2::model::state::State;
use crate::player::{ByPlayer, MAX_PLAYERS, Player};
use crate::rng::Randomness;

impl State {
    /// Returns the hand of `player` without the effect of bribes: from public facts alone.
    pub(crate) fn base_hand(&self, player: Player) -> Signed {
        let log = &self.knowledge;
        let brought = log.brought(player, usize::from(log.n_bribes), &log.values());
        std::array::from_fn(|v| self.senators[player][v] as i8 - brought[v])
    }

    /// Notes a bribe, before the card changes hands.
    ///
    /// # Panics
    /// If the number of bribes exceeds the cards of any configuration.
    pub(crate) fn note_bribe(&mut self, thief: Player, victim: Player, value: u8) {
        let base = self.base_hand(victim);
        let log = &mut self.knowledge;
        log.bribes[usize::from(log.n_bribes)] =
            Bribe { thief, victim, value, base, floor: [NO_FLOOR; 2] };
        log.n_bribes += 1;
    }

    /// Notes that a random Senator of `victim` was killed, before it leaves the hand.
    pub(crate) fn note_kill(&mut self, victim: Player, value: u8) {
        let base = self.base_hand(victim)[usize::from(value)];
        let log = &mut self.knowledge;
        let is_mixed = log.bribes().iter().any(|b| b.is_seen_by(victim));
        if is_mixed && usize::from(log.n_kills) < MAX_KILLS {
            log.kills[usize::from(log.n_kills)] = Kill { victim, value, base, after: log.n_bribes };
            log.n_kills += 1;
        }
    }

    /// Notes that `player` has shown Senators.
    pub(crate) fn note_shown(&mut self, player: Player, shown: [u8; 4]) {
        let Some(last) = self.knowledge.bribes().iter().rposition(|b| b.is_seen_by(player)) else {
            return;
        };
        let base = self.base_hand(player);
        let bribe = &mut self.knowledge.bribes[last];
        let party = usize::from(bribe.victim == player);
        for v in 0..4 {
            bribe.floor[party][v] = bribe.floor[party][v].max(shown[v] as i8 - base[v]);
        }
    }

    /// Redraws the bribed Senators that `observer` has not seen, from the exact posterior. Returns false if there are
    /// none.
    pub(crate) fn determinize_senators<R: Randomness + ?Sized>(
        &mut self,
        observer: Player,
        rng: &mut R,
    ) -> bool {
        if self.has_seen_all_bribes(observer) {
            return false;
        }
        let values = self.knowledge.sample(observer, rng);
        self.rewrite_bribes(&values);
        true
    }

    /// Returns whether `observer` has seen all bribed Senators.
    pub(crate) fn has_seen_all_bribes(&self, observer: Player) -> bool {
        self.knowledge.bribes().iter().all(|b| b.is_seen_by(observer))
    }

    fn rewrite_bribes(&mut self, values: &Values) {
        let n = usize::from(self.knowledge.n_bribes);
        for (i, &value) in values.iter().enumerate().take(n) {
            let Bribe { thief, victim, value: old, .. } = self.knowledge.bribes[i];
            let (old, new) = (usize::from(old), usize::from(value));
            let mut shift = |player: Player, v: usize, by: i8| {
                let held = &mut self.senators[player][v];
                *held = held.wrapping_add_signed(by);
            };
            shift(thief, old, -1);
            shift(thief, new, 1);
            shift(victim, old, 1);
            shift(victim, new, -1);
            self.knowledge.bribes[i].value = value;
        }
    }

    /// Returns for each player the Senators by value of which `observer` is sure, and the number of others in the hand.
    pub(crate) fn senators_known_to(&self, observer: Player) -> ByPlayer<([u8; 4], u8)> {
        let log = &self.knowledge;
        let n = usize::from(log.n_bribes);
        let base = ByPlayer::from_fn(|q| self.base_hand(q));
        let mut least = self.senators;
        log.visit(0, observer, &mut log.values(), 1.0, &mut |values, _| {
            for q in Player::all(MAX_PLAYERS) {
                let brought = log.brought(q, n, values);
                for v in 0..4 {
                    least[q][v] = least[q][v].min((base[q][v] + brought[v]).max(0) as u8);
                }
            }
            false
        });
        let unseen = |q: Player| self.hand_size(q) - least[q].iter().sum::<u8>();
        ByPlayer::from_fn(|q| (least[q], unseen(q)))
    }

    /// Returns whether [`State::as_known_to`] changes nothing; that is the usual case.
    pub(crate) fn hides_nothing_from(&self, observer: Player) -> bool {
        self.actor == Some(observer) && self.knowledge.n_bribes == 0
    }

    /// Returns the state without all that is hidden from `observer`, for hashing and comparing only.
    pub(crate) fn as_known_to(&self, observer: Player) -> Self {
        let mut known = *self;
        let mut values = known.knowledge.values();
        for (value, bribe) in values.iter_mut().zip(known.knowledge.bribes()) {
            if !bribe.is_seen_by(observer) {
                *value = 0;
            }
        }
        known.rewrite_bribes(&values);
        if self.actor != Some(observer) {
            known.options = Options::NONE;
        }
        known
    }

    /// Returns every hypothesis that `observer` holds possible, as hands of all players with its probability.
    #[cfg(test)]
    pub(crate) fn posterior(&self, observer: Player) -> Vec<(ByPlayer<[u8; 4]>, f64)> {
        let mut found = Vec::new();
        let log = self.knowledge;
        log.visit(0, observer, &mut log.values(), 1.0, &mut |values, weight| {
            let mut world = *self;
            world.rewrite_bribes(values);
            found.push((world.senators, weight));
            false
        });
        let total: f64 = found.iter().map(|(_, w)| w).sum();
        found.iter_mut().for_each(|(_, w)| *w /= total);
        found
    }
}
