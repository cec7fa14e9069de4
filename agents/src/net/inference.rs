//! Inference of a quantised net: from inputs to chances.

use engine::{ByPlayer, Player};

use super::arithmetic::{Row, SUM, TOP, TRUST, add, dot, gather};
use super::learning::PolicyWeights;
use super::policy::Policy;
use super::quantised::Net;
use super::{HIDDEN, Inputs, Layout, NARROW, OptionInputs};

impl Net {
    /// Returns the logits of the seats beyond those of the linear value.
    #[must_use]
    pub fn logits(&self, inputs: &Inputs) -> ByPlayer<f32> {
        let n = inputs.n_players;
        let start = gather(&self.table, &inputs.table, &self.bias);
        let (mut sums, zero) = (ByPlayer([start; engine::MAX_PLAYERS]), [0; HIDDEN]);
        for (q, seat) in inputs.seats[..n].iter().enumerate() {
            sums.0[q] = gather(&self.own, &seat.own, &sums.0[q]);
            let enemy = gather(&self.enemy, &seat.shared, &zero);
            let ally = match seat.allies.is_empty() {
                true => zero,
                false => gather(&self.ally, &seat.shared, &zero),
            };
            for other in Player::all(n).filter(|other| other.idx() != q) {
                let is_ally = seat.allies.contains(other);
                add(&mut sums[other], if is_ally { &ally } else { &enemy });
            }
        }
        let mut logits = ByPlayer::default();
        for (logit, sum) in logits.0.iter_mut().zip(&sums.0).take(n) {
            *logit = self.last(inputs.phase, sum);
        }
        logits
    }

    /// Returns the numbers of `mover` behind the first layer.
    #[must_use]
    pub fn hidden(&self, inputs: &Inputs, mover: Player) -> [i16; HIDDEN] {
        let (seats, zero) = (&inputs.seats[..inputs.n_players], [0; HIDDEN]);
        let mut sum = gather(&self.table, &inputs.table, &self.bias);
        for (other, seat) in seats.iter().enumerate() {
            if other == mover.idx() {
                sum = gather(&self.own, &seat.own, &sum);
                continue;
            }
            let rows = if seat.allies.contains(mover) { &self.ally } else { &self.enemy };
            add(&mut sum, &gather(rows, &seat.shared, &zero));
        }
        sum.map(|x| x.clamp(0, TOP))
    }

    /// Returns the factor on the logits of the linear value at a phase.
    #[must_use]
    pub fn trust(&self, phase: usize) -> f32 {
        f32::from(self.last[phase].trust) / TRUST
    }

    fn last(&self, phase: usize, sum: &Row) -> f32 {
        let hidden = sum.map(|x| x.clamp(0, TOP));
        let last = &self.last[phase];
        let mut logit = 0;
        for i in 0..NARROW {
            let narrow = dot(&hidden, &self.second[i]) + last.bias[i];
            logit += i64::from(narrow.max(0)) * i64::from(last.weights[i]);
        }
        logit as f32 / SUM
    }
}

impl Net {
    /// Returns the net with a policy head of these weights.
    #[must_use]
    pub fn with_policy(self, weights: &PolicyWeights, layout: &Layout) -> Self {
        Self { policy: Some(Policy::of(weights, layout)), ..self }
    }

    /// Returns the net without its policy head.
    #[must_use]
    pub fn without_policy(self) -> Self {
        Self { policy: None, ..self }
    }

    /// Returns true if the net has a policy head.
    #[must_use]
    pub const fn has_policy(&self) -> bool {
        self.policy.is_some()
    }

    /// Changes the guide's `logits` of the options of `mover`; without a policy head it changes nothing.
    pub fn correct_priors(
        &self,
        inputs: &Inputs,
        mover: Player,
        options: &OptionInputs,
        logits: &mut [f32],
    ) {
        if self.has_policy() {
            self.correct_by(&self.hidden(inputs, mover), options, logits);
        }
    }

    /// Changes the guide's `logits` as [`Net::correct_priors`] does, from the mover's numbers behind the first layer.
    pub fn correct_by(&self, hidden: &[i16; HIDDEN], options: &OptionInputs, logits: &mut [f32]) {
        if let Some(policy) = &self.policy {
            policy.correct(hidden, options, logits);
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::games::conquest2::Conquest2;
    use engine::{PlayerSet, Walk};

    use super::*;
    use crate::net::learning::{Example, Learner, Method, Part, ValueShard};
    use crate::net::{CEILING, Entry};
    use crate::{Settings, Weighted};

    /// Returns inputs of positions of random games of `n_players`.
    fn positions(n_players: usize, games: u64) -> (Layout, Vec<Inputs>) {
        let game = Conquest2::new(n_players);
        let counted = game.net_inputs(&Settings::default()).expect("good").expect("it has inputs");
        let mut all = Vec::new();
        for index in 0..games {
            let mut walk = Walk::new(&game, 9, index);
            let mut events = 0;
            while walk.next().is_some() {
                events += 1;
                let mut inputs = Inputs::default();
                if events % 25 == 0 && counted.count(&game, walk.state(), &mut inputs) {
                    all.push(inputs);
                }
            }
        }
        (counted.layout(), all)
    }

    /// Returns a net with effect: its weights are `times` as large as at the start of training.
    fn net(layout: &Layout, times: f32) -> Net {
        let method = Method { passes: 1, batch: 1, rate: 0.0, decay: 0.0, seed: 11 };
        let mut weights = Learner::of_values(layout, method, None).weights().clone();
        for part in [Part::Own, Part::Ally, Part::Enemy, Part::Table] {
            weights.part_mut(part).iter_mut().for_each(|x| *x *= times);
        }
        Net::of(&weights, layout)
    }

    /// Returns the same sums in scalar code.
    fn naive(net: &Net, inputs: &Inputs, q: usize) -> f32 {
        let clip = |x: i64| x.clamp(i16::MIN.into(), i16::MAX.into());
        let gathered = |rows: &[Row], entries: &[Entry], start: i64, i: usize| {
            entries.iter().fold(start, |sum, entry| {
                clip(sum + i64::from(rows[usize::from(entry.input)][i]) * i64::from(entry.count))
            })
        };
        let last = &net.last[inputs.phase];
        let hidden: Vec<i64> = (0..HIDDEN)
            .map(|i| {
                let table = gathered(&net.table, &inputs.table, net.bias[i].into(), i);
                let seats = inputs.seats[..inputs.n_players].iter().enumerate();
                let sum = seats.fold(table, |sum, (p, seat)| match () {
                    () if p == q => gathered(&net.own, &seat.own, sum, i),
                    () if seat.allies.contains(Player::new(q)) => {
                        clip(sum + gathered(&net.ally, &seat.shared, 0, i))
                    }
                    () => clip(sum + gathered(&net.enemy, &seat.shared, 0, i)),
                });
                sum.clamp(0, (CEILING * 1024.0) as i64)
            })
            .collect();
        let narrow = (0..NARROW).map(|j| {
            let products = hidden.iter().zip(&net.second[j]).map(|(x, w)| x * i64::from(*w));
            let sum = products.sum::<i64>() + i64::from(last.bias[j]);
            sum.max(0) * i64::from(last.weights[j])
        });
        narrow.sum::<i64>() as f32 / SUM
    }

    #[test]
    fn vectors_come_to_the_sums_of_single_numbers_to_the_bit() {
        for (n_players, times) in [(2, 1.0), (4, 1.0), (4, 60.0), (6, 4.0)] {
            let (layout, all) = positions(n_players, 4);
            let net = net(&layout, times);
            assert!(all.len() > 40, "{}", all.len());
            for inputs in &all {
                let own = net.logits(inputs);
                for q in 0..n_players {
                    assert_eq!(own.0[q].to_bits(), naive(&net, inputs, q).to_bits());
                }
            }
        }
    }

    #[test]
    fn whole_numbers_say_nearly_what_floating_point_ones_say() {
        let (layout, all) = positions(4, 6);
        let net = net(&layout, 1.0);
        let weights = net.weights(&layout);
        assert_eq!(Net::of(&weights, &layout), net);
        let mut largest: f32 = 0.0;
        for inputs in &all {
            let own = net.logits(inputs);
            let example = Example::of(inputs, vec![0.0; 4], vec![0.25; 4]);
            for (a, b) in own.0.iter().zip(ValueShard::new(&layout).logits(&weights, &example)) {
                largest = largest.max((a - b).abs());
            }
        }
        assert!(largest < 1e-3, "{largest}");
    }

    #[test]
    fn renaming_seats_renames_what_is_said_and_changes_nothing_else() {
        let (layout, all) = positions(4, 3);
        let net = net(&layout, 1.0);
        let mut allied = 0;
        for inputs in &all {
            // Seats 1 and 3 change places.
            let mut renamed = inputs.clone();
            renamed.seats.swap(1, 3);
            for seat in &mut renamed.seats[..4] {
                let other = |q: Player| Player::new([0, 3, 2, 1][q.idx()]);
                seat.allies = seat.allies.iter().map(other).collect::<PlayerSet>();
                allied += usize::from(!seat.allies.is_empty());
            }
            let (before, mut after) = (net.logits(inputs), net.logits(&renamed));
            after.0.swap(1, 3);
            assert_eq!(before, after);
        }
        assert!(allied > 40, "{allied}");
    }
}
