//! Inference of a quantised net: from inputs to chances.

use engine::ByPlayer;

use super::quantised::{Net, Row, SUM, TOP, TRUST};
use super::{Entry, HIDDEN, Inputs, NARROW};

/// Adds rows times counts to a row. Each call computes one sum, which therefore stays in registers.
#[inline(never)]
fn gather(rows: &[Row], entries: &[Entry], start: &Row) -> Row {
    let mut sum = *start;
    for entry in entries {
        let (row, count) = (&rows[usize::from(entry.input)], i16::from(entry.count));
        for (sum, weight) in sum.iter_mut().zip(row) {
            // The product cannot leave the type: see `Net::check`.
            *sum = sum.saturating_add(weight.wrapping_mul(count));
        }
    }
    sum
}

#[inline(never)]
fn dot(a: &Row, b: &Row) -> i32 {
    let mut sum = 0;
    for i in 0..HIDDEN {
        sum += i32::from(a[i]) * i32::from(b[i]);
    }
    sum
}

/// Adds a row to another one.
fn add(to: &mut Row, row: &Row) {
    to.iter_mut().zip(row).for_each(|(to, x)| *to = to.saturating_add(*x));
}

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
            for other in engine::Player::all(n).filter(|other| other.idx() != q) {
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

#[cfg(test)]
mod tests {
    use engine::games::conquest2::Conquest2;
    use engine::{Player, PlayerSet, Walk};

    use super::*;
    use crate::net::learning::{Example, Learner, Method, Part, logits};
    use crate::net::{CEILING, Layout};
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
        let mut weights = Learner::new(layout, method, None).weights().clone();
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
            for (a, b) in own.0.iter().zip(logits(&layout, &weights, &example)) {
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
