//! The weight of each hypothesis about bribed Senators, and a draw from the exact posterior.

use crate::games::conquest2::model::log::{Knowledge, Signed, Values};
use crate::player::Player;
use crate::rng::Randomness;

impl Knowledge {
    /// Returns the Senators that the first `n` bribes brought `player`, under `values`.
    pub(crate) fn brought(&self, player: Player, n: usize, values: &Values) -> Signed {
        let mut sum = [0; 4];
        for (bribe, &value) in self.bribes[..n].iter().zip(values) {
            sum[usize::from(value)] +=
                i8::from(bribe.thief == player) - i8::from(bribe.victim == player);
        }
        sum
    }

    /// Returns the factor that events from bribe `n - 1` to just before bribe `n` add to the weight of `values`; zero
    /// is impossible.
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
    pub(crate) fn visit(
        &self,
        n: usize,
        observer: Player,
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

    /// Returns a hypothesis drawn from the posterior of `observer`.
    pub(crate) fn sample<R: Randomness + ?Sized>(&self, observer: Player, rng: &mut R) -> Values {
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
