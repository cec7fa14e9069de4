//! The training of a policy head: decisions, floating-point weights, and the gradient of the loss.

use super::gradient::{add, cross_entropy, dot, softmax};
use super::shard::{Parameters, Shard};
use super::weights::{PolicyPart, PolicyWeights};
use crate::net::{CEILING, Entry, HIDDEN, Layout, OptionInputs};

type Row = [f32; HIDDEN];

/// A decision with the targets of its options.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// The mover's numbers behind the first layer of the net.
    pub hidden: [i16; HIDDEN],
    /// Inputs of the options.
    pub options: OptionInputs,
    /// Logits of the options by the guide.
    pub guide: Vec<f32>,
    /// Targets: shares of the options, which sum to 1.
    pub shares: Vec<f32>,
}

/// The gradient of a part of a batch of decisions, with the buffers for its computation.
#[derive(Clone, Debug)]
pub struct PolicyShard {
    gradient: PolicyWeights,
    loss: f64,
    /// Divisors of the counts of an option's inputs.
    scales: Vec<f32>,
    /// The temperature of the search.
    temperature: f32,
    sums: Vec<Row>,
    logits: Vec<f32>,
}

impl PolicyShard {
    /// Returns the shard for options with the inputs of `layout`, in a search with this temperature.
    #[must_use]
    pub fn new(layout: &Layout, temperature: f32) -> Self {
        Self {
            gradient: PolicyWeights::zero(layout),
            loss: 0.0,
            scales: Layout::each(layout.options).map(|group| 1.0 / group.usual).collect(),
            temperature,
            sums: Vec::new(),
            logits: Vec::new(),
        }
    }

    fn count(&self, entry: Entry) -> (usize, f32) {
        let input = usize::from(entry.input);
        (input, f32::from(entry.count) * self.scales[input])
    }

    /// Computes the chances of the options, and returns the loss.
    fn run(&mut self, weights: &PolicyWeights, decision: &Decision) -> f64 {
        let hidden = numbers(decision);
        let base: Row = std::array::from_fn(|i| {
            dot(&hidden, weights.row(PolicyPart::Body, i)) + weights.part(PolicyPart::Bias)[i]
        });
        let (last, trust) = (weights.row(PolicyPart::Last, 0), weights.part(PolicyPart::Trust)[0]);
        self.sums.clear();
        self.logits.clear();
        for (entries, guide) in decision.options.iter().zip(&decision.guide) {
            let mut sum = base;
            for &entry in entries {
                let (input, count) = self.count(entry);
                add(&mut sum, weights.row(PolicyPart::Rows, input), count);
            }
            let net = dot(&sum.map(|x| x.clamp(0.0, CEILING)), last);
            self.sums.push(sum);
            self.logits.push((trust * guide + net) / self.temperature);
        }
        softmax(&mut self.logits);
        cross_entropy(&self.logits, &decision.shares)
    }

    /// Adds the gradient of the decision that was run.
    fn back(&mut self, weights: &PolicyWeights, decision: &Decision) {
        let (last, mut base) = (*weights.row(PolicyPart::Last, 0), [0.0; HIDDEN]);
        for (option, entries) in decision.options.iter().enumerate() {
            let slope = (self.logits[option] - decision.shares[option]) / self.temperature;
            let sum = self.sums[option];
            self.gradient.part_mut(PolicyPart::Trust)[0] += slope * decision.guide[option];
            let hidden = sum.map(|x| x.clamp(0.0, CEILING));
            add(self.gradient.row_mut(PolicyPart::Last, 0), &hidden, slope);
            let open = |i: usize| sum[i] > 0.0 && sum[i] < CEILING;
            let back: Row = std::array::from_fn(|i| if open(i) { slope * last[i] } else { 0.0 });
            for &entry in entries {
                let (input, count) = self.count(entry);
                add(self.gradient.row_mut(PolicyPart::Rows, input), &back, count);
            }
            add(&mut base, &back, 1.0);
        }
        let hidden = numbers(decision);
        add(self.gradient.row_mut(PolicyPart::Bias, 0), &base, 1.0);
        for (i, slope) in base.into_iter().enumerate() {
            add(self.gradient.row_mut(PolicyPart::Body, i), &hidden, slope);
        }
    }
}

/// Returns the mover's numbers of a decision.
fn numbers(decision: &Decision) -> Row {
    decision.hidden.map(|x| f32::from(x) / crate::net::FIRST)
}

impl Shard for PolicyShard {
    type Example = Decision;
    type Weights = PolicyWeights;

    fn learn(&mut self, weights: &PolicyWeights, decisions: &[&Decision]) {
        self.gradient.all_mut().fill(0.0);
        self.loss = 0.0;
        for decision in decisions {
            self.loss += self.run(weights, decision);
            self.back(weights, decision);
        }
    }

    fn loss(&mut self, weights: &PolicyWeights, decision: &Decision) -> f64 {
        self.run(weights, decision)
    }

    fn sum(&self) -> (f64, &PolicyWeights) {
        (self.loss, &self.gradient)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{InputGroup, Slot};

    const GROUPS: &[InputGroup] = &[
        InputGroup::own("kind", 3, 1.0, 1, "the kind"),
        InputGroup::own("number", 1, 4.0, 20, "a number"),
    ];

    const LAYOUT: Layout = Layout { seat: &[], table: &[], options: GROUPS, phases: 1 };

    /// Returns a decision among three options, of which the second is chosen.
    fn decision() -> Decision {
        let mut options = OptionInputs::default();
        for i in 0..3 {
            options.add(Slot::of(GROUPS, "kind").at(i), 1);
            options.add(Slot::of(GROUPS, "number"), 3 * i as i32);
            options.end_option();
        }
        let hidden = std::array::from_fn(|i| 300 * i as i16);
        Decision { hidden, options, guide: vec![0.4, -0.2, 0.1], shares: vec![0.2, 0.7, 0.1] }
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let (decision, mut shard) = (decision(), PolicyShard::new(&LAYOUT, 1.5));
        let weights = PolicyWeights::first(&LAYOUT, 5);
        shard.learn(&weights, &[&decision]);
        let gradient = shard.gradient.clone();
        let mut seen = 0;
        for i in 0..weights.all().len() {
            let step = 2e-3;
            let mut at = |by: f32| {
                let mut moved = weights.clone();
                moved.all_mut()[i] += by;
                shard.loss(&moved, &decision)
            };
            let [above, here, below] = [step, 0.0, -step].map(&mut at);
            let slope = (above - below) / f64::from(2.0 * step);
            let found = f64::from(gradient.all()[i]);
            // Where a sum passes 0 within the step the loss has no slope.
            if (above + below - 2.0 * here).abs() / f64::from(step) < 1e-3 {
                assert!((slope - found).abs() < 1e-3 + 0.02 * found.abs(), "{i}: {slope}, {found}");
                seen += usize::from(found.abs() > 1e-2);
            }
        }
        assert!(seen > 60, "{seen}");
    }
}
