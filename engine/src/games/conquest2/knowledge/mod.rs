//! What each seat has seen of Senators, and worlds that agree with it.
//!
//! Starting hands, takings from the display, Senators shown, spent, assassinated or given by Rome are public.
//! Only a bribed Senator is seen by two players alone: thief and victim. So the hidden part of a position is
//! the values of the bribes that an observer had no part in, and the posterior over them is exact: a bribe and
//! an assassination draw uniformly from a hand, and a hand that was shown holds at least what was shown.
//! (Weighting by how players choose is an agent's business, not the rules'.)
//!
//! Hands are accounted for twice: `base` is what a hand would be without any bribe, from public facts alone,
//! and the bribes move cards over it.

use std::hash::{Hash, Hasher};

use crate::games::conquest2::model::state::State;
use crate::player::{MAX_PLAYERS, Player};
use crate::rng::Randomness;

/// Bribes that can be tracked; the configuration admits no more Bribe Senator cards.
const MAX_BRIBES: usize = 8;
/// Assassinated Senators of players with bribed cards that enter the posterior; later ones do not.
const MAX_KILLS: usize = 8;
/// Below every possible count.
const NO_FLOOR: [i8; 4] = [i8::MIN; 4];

/// A count of Senators by value that may be negative.
type Signed = [i8; 4];

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Bribe {
    thief: u8,
    victim: u8,
    /// 0 to 3 for value I to IV; seen by thief and victim only.
    value: u8,
    /// The victim's hand before the bribe, bribes apart.
    base: Signed,
    /// What thief and victim have shown since, up to their next bribe: the least that bribes brought them.
    floor: [Signed; 2],
}

const NO_BRIBE: Bribe = Bribe { thief: 0, victim: 0, value: 0, base: [0; 4], floor: [NO_FLOOR; 2] };

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Kill {
    victim: u8,
    value: u8,
    /// The victim's Senators of that value before the kill, bribes apart.
    base: i8,
    /// How many bribes came before.
    after: u8,
}

const NO_KILL: Kill = Kill { victim: 0, value: 0, base: 0, after: 0 };

/// The log of everything that bears on hidden hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Knowledge {
    bribes: [Bribe; MAX_BRIBES],
    kills: [Kill; MAX_KILLS],
    n_bribes: u8,
    n_kills: u8,
}

impl Hash for Knowledge {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.bribes().hash(hasher);
        self.kills[..usize::from(self.n_kills)].hash(hasher);
    }
}

/// Values of all bribes, one hypothesis about what happened.
type Values = [u8; MAX_BRIBES];

impl Knowledge {
    pub(crate) const EMPTY: Self = Self {
        bribes: [NO_BRIBE; MAX_BRIBES],
        kills: [NO_KILL; MAX_KILLS],
        n_bribes: 0,
        n_kills: 0,
    };

    fn bribes(&self) -> &[Bribe] {
        &self.bribes[..usize::from(self.n_bribes)]
    }

    fn values(&self) -> Values {
        std::array::from_fn(|i| self.bribes[i].value)
    }

    /// What the first `n` bribes brought `player`, under `values`.
    fn brought(&self, player: u8, n: usize, values: &Values) -> Signed {
        let mut sum = [0; 4];
        for (bribe, &value) in self.bribes[..n].iter().zip(values) {
            sum[usize::from(value)] +=
                i8::from(bribe.thief == player) - i8::from(bribe.victim == player);
        }
        sum
    }

    /// How plausible `values[..n]` is, given everything up to just before bribe `n`; zero is impossible.
    fn weight_of_step(&self, n: usize, values: &Values) -> f64 {
        let mut weight = 1.0;
        if n > 0 {
            let bribe = &self.bribes[n - 1];
            let value = usize::from(values[n - 1]);
            let before = self.brought(bribe.victim, n - 1, values);
            weight *= f64::from((bribe.base[value] + before[value]).max(0));
            for (party, floor) in [bribe.thief, bribe.victim].into_iter().zip(bribe.floor) {
                let brought = self.brought(party, n, values);
                if (0..4).any(|v| brought[v] < floor[v]) {
                    return 0.0;
                }
            }
        }
        for kill in
            self.kills[..usize::from(self.n_kills)].iter().filter(|k| usize::from(k.after) == n)
        {
            let brought = self.brought(kill.victim, n, values);
            weight *= f64::from((kill.base + brought[usize::from(kill.value)]).max(0));
        }
        weight
    }

    /// Visits every possible completion of `values` from bribe `n` on; `visit` may stop it by returning true.
    fn visit(
        &self,
        n: usize,
        observer: u8,
        values: &mut Values,
        weight: f64,
        visit: &mut dyn FnMut(&Values, f64) -> bool,
    ) -> bool {
        if n == usize::from(self.n_bribes) {
            return visit(values, weight);
        }
        let bribe = &self.bribes[n];
        let range = if bribe.is_seen_by(observer) { bribe.value..bribe.value + 1 } else { 0..4 };
        for value in range {
            values[n] = value;
            let step = self.weight_of_step(n + 1, values);
            if step > 0.0 && self.visit(n + 1, observer, values, weight * step, visit) {
                return true;
            }
        }
        false
    }

    /// A hypothesis drawn from the posterior of `observer`.
    fn sample<R: Randomness + ?Sized>(&self, observer: u8, rng: &mut R) -> Values {
        let mut total = 0.0;
        self.visit(0, observer, &mut self.values(), 1.0, &mut |_, weight| {
            total += weight;
            false
        });
        let mut left = rng.unit() * total;
        let mut drawn = self.values();
        self.visit(0, observer, &mut self.values(), 1.0, &mut |values, weight| {
            drawn = *values;
            left -= weight;
            left < 0.0
        });
        drawn
    }
}

impl Bribe {
    const fn is_seen_by(&self, observer: u8) -> bool {
        self.thief == observer || self.victim == observer
    }
}

impl State {
    /// The hand of `player` without what bribes moved: from public facts alone.
    fn base_hand(&self, player: u8) -> Signed {
        let log = &self.knowledge;
        let brought = log.brought(player, usize::from(log.n_bribes), &log.values());
        std::array::from_fn(|v| self.senators[usize::from(player)][v] as i8 - brought[v])
    }

    /// Notes a bribe, before the card changes hands.
    ///
    /// # Panics
    /// If more Senators are bribed than a configuration has cards for.
    pub(crate) fn note_bribe(&mut self, thief: u8, victim: u8, value: u8) {
        let base = self.base_hand(victim);
        let log = &mut self.knowledge;
        log.bribes[usize::from(log.n_bribes)] =
            Bribe { thief, victim, value, base, floor: [NO_FLOOR; 2] };
        log.n_bribes += 1;
    }

    /// Notes that a random Senator of `victim` was killed, before it leaves the hand.
    pub(crate) fn note_kill(&mut self, victim: u8, value: u8) {
        let base = self.base_hand(victim)[usize::from(value)];
        let log = &mut self.knowledge;
        let is_mixed = log.bribes().iter().any(|b| b.is_seen_by(victim));
        if is_mixed && usize::from(log.n_kills) < MAX_KILLS {
            log.kills[usize::from(log.n_kills)] = Kill { victim, value, base, after: log.n_bribes };
            log.n_kills += 1;
        }
    }

    /// Notes that `player` has shown Senators.
    pub(crate) fn note_shown(&mut self, player: u8, shown: [u8; 4]) {
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

    /// Redraws the bribed Senators that `observer` has not seen, from the exact posterior; false if there are
    /// none.
    pub(crate) fn redeal_senators<R: Randomness + ?Sized>(
        &mut self,
        observer: Player,
        rng: &mut R,
    ) -> bool {
        let observer = observer.idx() as u8;
        if self.knowledge.bribes().iter().all(|b| b.is_seen_by(observer)) {
            return false;
        }
        let values = self.knowledge.sample(observer, rng);
        self.rewrite_bribes(&values);
        true
    }

    fn rewrite_bribes(&mut self, values: &Values) {
        let n = usize::from(self.knowledge.n_bribes);
        for (i, &value) in values.iter().enumerate().take(n) {
            let Bribe { thief, victim, value: old, .. } = self.knowledge.bribes[i];
            let (old, new) = (usize::from(old), usize::from(value));
            let mut shift = |player: u8, v: usize, by: i8| {
                let held = &mut self.senators[usize::from(player)][v];
                *held = held.wrapping_add_signed(by);
            };
            shift(thief, old, -1);
            shift(thief, new, 1);
            shift(victim, old, 1);
            shift(victim, new, -1);
            self.knowledge.bribes[i].value = value;
        }
    }

    /// For each player the Senators by value that `observer` is sure of, and how many more there are in the hand.
    pub(crate) fn senators_known_to(&self, observer: Player) -> [([u8; 4], u8); MAX_PLAYERS] {
        let observer = observer.idx() as u8;
        let log = &self.knowledge;
        let n = usize::from(log.n_bribes);
        let base: [Signed; MAX_PLAYERS] = std::array::from_fn(|q| self.base_hand(q as u8));
        let mut least = self.senators;
        log.visit(0, observer, &mut log.values(), 1.0, &mut |values, _| {
            for q in 0..MAX_PLAYERS {
                let brought = log.brought(q as u8, n, values);
                for v in 0..4 {
                    least[q][v] = least[q][v].min((base[q][v] + brought[v]).max(0) as u8);
                }
            }
            false
        });
        let unseen = |q: usize| self.hand_size(q as u8) - least[q].iter().sum::<u8>();
        std::array::from_fn(|q| (least[q], unseen(q)))
    }

    /// The state with everything that `observer` cannot know blotted out, for hashing and comparing only.
    /// Whether [`State::as_known_to`] changes nothing, as most of the time.
    pub(crate) fn hides_nothing_from(&self, observer: Player) -> bool {
        usize::from(self.actor) == observer.idx() && self.knowledge.n_bribes == 0
    }

    /// The position with what `observer` cannot know made uniform.
    pub(crate) fn as_known_to(&self, observer: Player) -> Self {
        let observer = observer.idx() as u8;
        let mut known = *self;
        let mut values = known.knowledge.values();
        for (value, bribe) in values.iter_mut().zip(known.knowledge.bribes()) {
            if !bribe.is_seen_by(observer) {
                *value = 0;
            }
        }
        known.rewrite_bribes(&values);
        if self.actor != observer {
            known.options = crate::games::conquest2::model::phase::Options::NONE;
        }
        known
    }

    /// Every hypothesis that `observer` holds possible, as hands of all players with its probability.
    #[cfg(test)]
    pub(crate) fn posterior(&self, observer: Player) -> Vec<([[u8; 4]; MAX_PLAYERS], f64)> {
        let mut found = Vec::new();
        let log = self.knowledge;
        log.visit(0, observer.idx() as u8, &mut log.values(), 1.0, &mut |values, weight| {
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

const _: () = assert!(MAX_PLAYERS <= 8, "player sets are bytes");
