//! Training of a net's weights from positions and results.
//!
//! **Loss.** The cross entropy between the points of the seats and the softmax of their logits: those of the linear value
//! times a factor of the phase, and those of the net.
//!
//! **Method.** Adam (Kingma & Ba 2015) with decoupled decay of the weights (Loshchilov & Hutter 2019), over batches of
//! positions in a random order. A batch is cut into [`SHARDS`] parts for any number of threads, and their
//! gradients are added in the order of the parts: the same seed gives the same bits everywhere.

mod example;
mod first;
mod gradient;
mod policy;
mod shard;
mod weights;

use engine::Randomness;
use engine::rng::{self, Purpose};

use super::Layout;
use crate::side_by_side::{change_side_by_side, side_by_side};

pub use self::example::Example;
use self::first::first_weights;
pub use self::gradient::ValueShard;
pub use self::policy::{Decision, PolicyShard};
pub use self::shard::{Parameters, Shard};
pub use self::weights::{Part, Parted, PolicyPart, PolicyWeights, WeightPart, Weights};

/// Parts of a batch.
pub const SHARDS: usize = 8;
/// Decay rates of Adam's means of gradients and of their squares.
const FORGET: [f32; 2] = [0.9, 0.999];
/// Number of steps over which the learning rate rises to its maximum.
const WARM_UP: f32 = 200.0;
/// Constant that keeps a step finite if gradients are 0.
const TINY: f32 = 1e-8;

/// Settings of the training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Method {
    /// Number of passes over all positions.
    pub passes: u32,
    /// Number of positions of a step.
    pub batch: usize,
    /// Maximum learning rate; it falls to 0 along half a cosine.
    pub rate: f32,
    /// Weight decay of every step, as a share of the learning rate.
    pub decay: f32,
    /// Seed of the initial weights and of the order of positions.
    pub seed: u64,
}

/// Learner, whose weights change with every step.
#[derive(Clone, Debug)]
pub struct Learner<S: Shard> {
    method: Method,
    weights: S::Weights,
    means: Vec<f32>,
    squares: Vec<f32>,
    shards: Vec<S>,
    steps: u32,
    passes: u32,
}

impl Learner<ValueShard> {
    /// Returns a learner of a net that begins at `start`, or at initial weights if there is none.
    #[must_use]
    pub fn of_values(layout: &Layout, method: Method, start: Option<Weights>) -> Self {
        let start = start.unwrap_or_else(|| first_weights(layout, method.seed));
        Self::new(ValueShard::new(layout), method, start)
    }
}

impl<S: Shard> Learner<S> {
    /// Returns a learner that begins at `start`.
    #[must_use]
    pub fn new(shard: S, method: Method, start: S::Weights) -> Self {
        let zero = vec![0.0; start.all().len()];
        Self {
            weights: start,
            means: zero.clone(),
            squares: zero,
            shards: vec![shard; SHARDS],
            method,
            steps: 0,
            passes: 0,
        }
    }

    /// Returns the current weights.
    #[must_use]
    pub const fn weights(&self) -> &S::Weights {
        &self.weights
    }

    /// Trains on all of `examples` once, in an order of this pass, and returns the mean loss during it.
    ///
    /// # Errors
    /// If a loss is not finite.
    pub fn pass(&mut self, examples: &[&S::Example]) -> Result<f64, String> {
        self.passes += 1;
        let mut rng = rng::stream(self.method.seed, self.passes.into(), Purpose::Analysis);
        let mut order: Vec<&S::Example> = examples.to_vec();
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i as u32 + 1) as usize);
        }
        let steps = order.len().div_ceil(self.method.batch) as u32 * self.method.passes;
        let mut sum = 0.0;
        for batch in order.chunks(self.method.batch) {
            let loss = self.step(batch, steps);
            if !loss.is_finite() {
                return Err(format!(
                    "the loss of step {} is {loss}: learning goes astray; take a lower rate",
                    self.steps
                ));
            }
            sum += loss;
        }
        Ok(sum / examples.len().max(1) as f64)
    }

    /// Takes one step of `steps`, and returns the sum of the losses of the batch before it.
    fn step(&mut self, batch: &[&S::Example], steps: u32) -> f64 {
        let size = batch.len().div_ceil(SHARDS);
        let weights = &self.weights;
        change_side_by_side(&mut self.shards, &|i, shard| {
            let part = batch.get(i * size..).unwrap_or_default();
            shard.learn(weights, &part[..part.len().min(size)]);
        });
        let loss = self.shards.iter().map(|shard| shard.sum().0).sum();
        self.steps += 1;
        self.move_weights(batch.len() as f32, steps);
        loss
    }

    fn move_weights(&mut self, batch: f32, steps: u32) {
        let mut gradient = self.shards[0].sum().1.all().to_vec();
        for shard in &self.shards[1..] {
            let more = shard.sum().1.all();
            gradient.iter_mut().zip(more).for_each(|(sum, x)| *sum += x);
        }
        let (step, Method { rate, decay, .. }) = (self.steps as f32, self.method);
        let fallen = 0.5 + 0.5 * libm::cosf(std::f32::consts::PI * step / steps.max(1) as f32);
        let rate = rate * fallen * (step / WARM_UP).min(1.0);
        let bias = FORGET.map(|forget| 1.0 - libm::powf(forget, step));
        for range in self.weights.decaying() {
            let shrink = 1.0 - rate * decay;
            self.weights.all_mut()[range].iter_mut().for_each(|weight| *weight *= shrink);
        }
        let moments = self.means.iter_mut().zip(&mut self.squares);
        let all = self.weights.all_mut().iter_mut().zip(&gradient).zip(moments);
        for ((weight, gradient), (mean, square)) in all {
            let gradient = gradient / batch;
            *mean += (1.0 - FORGET[0]) * (gradient - *mean);
            *square += (1.0 - FORGET[1]) * (gradient * gradient - *square);
            let step = (*mean / bias[0]) / ((*square / bias[1]).sqrt() + TINY);
            *weight -= rate * step;
        }
    }

    /// Returns the mean loss of `examples` by the current weights.
    #[must_use]
    pub fn mean_loss(&self, examples: &[&S::Example]) -> f64 {
        let size = examples.len().div_ceil(SHARDS).max(1);
        let parts: Vec<&[&S::Example]> = examples.chunks(size).collect();
        let sums = side_by_side(parts.len(), &|i| {
            let mut shard = self.shards[0].clone();
            parts[i].iter().map(|example| shard.loss(&self.weights, example)).sum::<f64>()
        });
        sums.iter().sum::<f64>() / examples.len().max(1) as f64
    }

    /// Returns true if all weights are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.weights.all().iter().all(|x| x.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use engine::Walk;
    use engine::games::conquest2::Conquest2;

    use super::*;
    use crate::net::Inputs;
    use crate::{Settings, Weighted};

    /// Returns positions of random games of four, with random points.
    fn examples(games: u64) -> (Layout, Vec<Example>) {
        let game = Conquest2::new(4);
        let inputs = game.net_inputs(&Settings::default()).expect("good").expect("it has inputs");
        let mut all = Vec::new();
        for index in 0..games {
            let mut walk = Walk::new(&game, 7, index);
            let mut events = 0;
            loop {
                let mut seen = Inputs::default();
                if events % 60 == 59 && inputs.count(&game, walk.state(), &mut seen) {
                    let won = |seat| f32::from(u8::from(seat == events / 60 % 4));
                    let linear = (0..4).map(|seat| 0.1 * seat as f32).collect();
                    all.push(Example::of(&seen, linear, (0..4).map(won).collect()));
                }
                events += 1;
                if walk.next().is_none() {
                    break;
                }
            }
        }
        (inputs.layout(), all)
    }

    const METHOD: Method = Method { passes: 2, batch: 16, rate: 0.002, decay: 0.1, seed: 3 };

    #[test]
    fn what_is_packed_is_unpacked() {
        let (_, all) = examples(2);
        let mut inputs = Inputs::default();
        for example in &all {
            example.unpack(&mut inputs);
            assert_eq!(
                Example::of(&inputs, example.linear.clone(), example.points.clone()),
                *example
            );
        }
        assert!(all.len() > 10, "{}", all.len());
    }

    #[test]
    fn the_gradient_is_that_of_differences() {
        let (layout, all) = examples(2);
        let (mut weights, example) = (first_weights(&layout, 5), &all[all.len() / 2]);
        let (mut shard, mut other) = (ValueShard::new(&layout), ValueShard::new(&layout));
        shard.learn(&weights, &[example]);
        let mut checked = 0;
        for &part in Part::ALL {
            let slopes = shard.sum().1.part(part).to_vec();
            let mut large: Vec<usize> = (0..slopes.len()).filter(|&i| slopes[i] != 0.0).collect();
            large.sort_by(|&a, &b| slopes[b].abs().total_cmp(&slopes[a].abs()));
            for &i in large.iter().take(4) {
                let mut at = |x: f32| {
                    weights.part_mut(part)[i] += x;
                    let loss = other.loss(&weights, example);
                    weights.part_mut(part)[i] -= x;
                    loss
                };
                let h = 1e-3;
                let found = (at(h) - at(-h)) / f64::from(2.0 * h);
                let slope = f64::from(slopes[i]);
                assert!(
                    (found - slope).abs() < 2e-3 + 0.05 * slope.abs(),
                    "{part:?} {i}: {found} {slope}"
                );
                checked += 1;
            }
        }
        assert!(checked > 24, "{checked}");
    }

    #[test]
    fn what_is_learnt_is_the_same_on_any_number_of_threads_and_loses_less_than_before() {
        let (layout, all) = examples(12);
        let all: Vec<&Example> = all.iter().collect();
        let learnt = |threads| {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| {
                let mut learner = Learner::of_values(&layout, METHOD, None);
                let before = learner.mean_loss(&all);
                for _ in 0..METHOD.passes {
                    learner.pass(&all).expect("finite");
                }
                (before, learner.mean_loss(&all), learner.weights().clone())
            })
        };
        let (one, three) = (learnt(1), learnt(3));
        assert!(one == three, "threads change what is learnt");
        assert!(one.1 < one.0, "{} {}", one.0, one.1);
        let other = Learner::of_values(&layout, Method { seed: 4, ..METHOD }, None);
        assert!(
            *other.weights() != first_weights(&layout, 3),
            "the seed says with which weights it begins"
        );
    }

    #[test]
    fn learning_that_goes_astray_is_no_net() {
        let (layout, mut all) = examples(2);
        all[3].linear[1] = f32::NAN;
        let all: Vec<&Example> = all.iter().collect();
        let complaint =
            Learner::of_values(&layout, METHOD, None).pass(&all).expect_err("no number");
        assert!(complaint.contains("goes astray; take a lower rate"), "{complaint}");
    }
}
