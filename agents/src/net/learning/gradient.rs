//! Logits of floating-point weights, and the gradient of the loss.

use engine::{MAX_PLAYERS, Player};

use super::example::Example;
use super::shard::{Parameters, Shard};
use super::weights::{Part, Weights};
use crate::net::{CEILING, HIDDEN, Layout, NARROW};

/// Smallest chance in the loss; smaller ones are raised to it.
const NEAREST: f32 = 1e-9;

type Row = [f32; HIDDEN];

/// Adds a row times a factor.
#[inline]
pub(super) fn add(to: &mut Row, row: &Row, factor: f32) {
    for i in 0..HIDDEN {
        to[i] += factor * row[i];
    }
}

/// Returns the dot product in eight lanes, so that additions follow the order of vector code.
#[inline]
pub(super) fn dot(a: &Row, b: &Row) -> f32 {
    const LANES: usize = 8;
    let mut lanes = [0.0; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for i in 0..LANES {
            lanes[i] += a[i] * b[i];
        }
    }
    lanes.iter().sum()
}

/// Gradient of a part of a batch of positions, with the buffers for its computation.
#[derive(Clone, Debug)]
pub struct ValueShard {
    gradient: Weights,
    loss: f64,
    pass: Pass,
}

/// Activations of a pass through the net, kept for the backward pass.
#[derive(Clone, Debug)]
struct Pass {
    /// Divisors of the counts of a seat's inputs.
    seat: Vec<f32>,
    table: Vec<f32>,
    sums: [Row; MAX_PLAYERS],
    hidden: [Row; MAX_PLAYERS],
    narrow: [[f32; NARROW]; MAX_PLAYERS],
    logits: [f32; MAX_PLAYERS],
}

impl Pass {
    fn new(layout: &Layout) -> Self {
        let scales = |groups| Layout::each(groups).map(|group| 1.0 / group.usual).collect();
        Self {
            seat: scales(layout.seat),
            table: scales(layout.table),
            sums: [[0.0; HIDDEN]; MAX_PLAYERS],
            hidden: [[0.0; HIDDEN]; MAX_PLAYERS],
            narrow: [[0.0; NARROW]; MAX_PLAYERS],
            logits: [0.0; MAX_PLAYERS],
        }
    }

    /// Computes the logits of the seats.
    fn run(&mut self, weights: &Weights, example: &Example) {
        let (n, phase) = (example.n_players(), example.phase);
        let mut start = *weights.row(Part::Bias, 0);
        for seen in example.table() {
            let count = f32::from(seen.count) * self.table[seen.input];
            add(&mut start, weights.row(Part::Table, seen.input), count);
        }
        self.sums[..n].fill(start);
        for q in 0..n {
            let (mut ally, mut enemy, allies) = ([0.0; HIDDEN], [0.0; HIDDEN], example.allies(q));
            for seen in example.seat(q) {
                let count = f32::from(seen.count) * self.seat[seen.input];
                add(&mut self.sums[q], weights.row(Part::Own, seen.input), count);
                if seen.is_shared {
                    add(&mut enemy, weights.row(Part::Enemy, seen.input), count);
                    if !allies.is_empty() {
                        add(&mut ally, weights.row(Part::Ally, seen.input), count);
                    }
                }
            }
            for other in (0..n).filter(|&other| other != q) {
                let is_ally = allies.contains(Player::new(other));
                add(&mut self.sums[other], if is_ally { &ally } else { &enemy }, 1.0);
            }
        }
        let (bias, last) =
            (weights.narrow(Part::SecondBias, phase), weights.narrow(Part::Last, phase));
        let trust = weights.part(Part::Trust)[phase];
        for q in 0..n {
            self.hidden[q] = self.sums[q].map(|x| x.clamp(0.0, CEILING));
            let mut logit = trust * example.linear[q];
            for i in 0..NARROW {
                let narrow = dot(&self.hidden[q], weights.row(Part::Second, i)) + bias[i];
                self.narrow[q][i] = narrow;
                logit += narrow.max(0.0) * last[i];
            }
            self.logits[q] = logit;
        }
    }
}

/// Returns the cross entropy of `points` by `chances`.
pub(super) fn cross_entropy(chances: &[f32], points: &[f32]) -> f64 {
    let one = |(chance, points): (&f32, &f32)| {
        // NaN stays NaN.
        let chance = if *chance < NEAREST { NEAREST } else { *chance };
        -f64::from(*points) * f64::from(libm::logf(chance))
    };
    chances.iter().zip(points).map(one).sum()
}

/// Converts logits into chances.
pub(super) fn softmax(logits: &mut [f32]) {
    let top = logits.iter().copied().fold(f32::MIN, f32::max);
    logits.iter_mut().for_each(|x| *x = libm::expf(*x - top));
    let sum: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|x| *x /= sum);
}

impl Shard for ValueShard {
    type Example = Example;
    type Weights = Weights;

    fn learn(&mut self, weights: &Weights, examples: &[&Example]) {
        self.gradient.all_mut().fill(0.0);
        self.loss = 0.0;
        for example in examples {
            self.pass.run(weights, example);
            let n = example.n_players();
            let mut chances = self.pass.logits;
            softmax(&mut chances[..n]);
            self.loss += cross_entropy(&chances, &example.points);
            // The derivatives of the loss by the logits.
            chances[..n]
                .iter_mut()
                .zip(&example.points)
                .for_each(|(chance, points)| *chance -= points);
            self.back(weights, example, &chances);
        }
    }

    fn loss(&mut self, weights: &Weights, example: &Example) -> f64 {
        self.pass.run(weights, example);
        let mut chances = self.pass.logits;
        softmax(&mut chances[..example.n_players()]);
        cross_entropy(&chances, &example.points)
    }

    fn sum(&self) -> (f64, &Weights) {
        (self.loss, &self.gradient)
    }
}

impl ValueShard {
    /// Returns the shard for inputs of this layout.
    #[must_use]
    pub fn new(layout: &Layout) -> Self {
        Self { gradient: Weights::zero(layout), loss: 0.0, pass: Pass::new(layout) }
    }

    /// Returns the logits of the seats of an example.
    #[must_use]
    pub fn logits(&mut self, weights: &Weights, example: &Example) -> Vec<f32> {
        self.pass.run(weights, example);
        self.pass.logits[..example.n_players()].to_vec()
    }

    /// Adds the gradient that follows from the derivatives of the loss by the logits.
    fn back(&mut self, weights: &Weights, example: &Example, slopes: &[f32; MAX_PLAYERS]) {
        let (n, phase) = (example.n_players(), example.phase);
        let mut sums = [[0.0; HIDDEN]; MAX_PLAYERS];
        for q in 0..n {
            self.back_to_sum(weights, phase, q, slopes[q], &mut sums[q]);
            self.gradient.part_mut(Part::Trust)[phase] += slopes[q] * example.linear[q];
        }
        let mut all = [0.0; HIDDEN];
        sums[..n].iter().for_each(|sum| add(&mut all, sum, 1.0));
        add(self.gradient.row_mut(Part::Bias, 0), &all, 1.0);
        for seen in example.table() {
            let count = f32::from(seen.count) * self.pass.table[seen.input];
            add(self.gradient.row_mut(Part::Table, seen.input), &all, count);
        }
        for q in 0..n {
            let (mut ally, mut enemy, allies) = ([0.0; HIDDEN], [0.0; HIDDEN], example.allies(q));
            for other in (0..n).filter(|&other| other != q) {
                let is_ally = allies.contains(Player::new(other));
                add(if is_ally { &mut ally } else { &mut enemy }, &sums[other], 1.0);
            }
            for seen in example.seat(q) {
                let count = f32::from(seen.count) * self.pass.seat[seen.input];
                add(self.gradient.row_mut(Part::Own, seen.input), &sums[q], count);
                if seen.is_shared {
                    add(self.gradient.row_mut(Part::Enemy, seen.input), &enemy, count);
                    if !allies.is_empty() {
                        add(self.gradient.row_mut(Part::Ally, seen.input), &ally, count);
                    }
                }
            }
        }
    }

    /// Propagates the derivative from a logit back to the sum of the first layer.
    fn back_to_sum(
        &mut self,
        weights: &Weights,
        phase: usize,
        q: usize,
        slope: f32,
        sum: &mut Row,
    ) {
        let last = weights.narrow(Part::Last, phase).iter().zip(self.pass.narrow[q]);
        for (i, (last, narrow)) in last.enumerate() {
            if narrow <= 0.0 {
                continue;
            }
            self.gradient.narrow_mut(Part::Last, phase)[i] += slope * narrow;
            let slope = slope * last;
            self.gradient.narrow_mut(Part::SecondBias, phase)[i] += slope;
            add(self.gradient.row_mut(Part::Second, i), &self.pass.hidden[q], slope);
            add(sum, weights.row(Part::Second, i), slope);
        }
        for (slope, x) in sum.iter_mut().zip(&self.pass.sums[q]) {
            if *x <= 0.0 || *x >= CEILING {
                *slope = 0.0;
            }
        }
    }
}
