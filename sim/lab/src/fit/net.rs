//! A net beside the linear value function of a game, fitted to positions and the winners of games.
//!
//! The reported losses are those of the net in integers, as it is written to the file.

use agents::Playable;
use agents::fitting::ValueTable;
use agents::net::learning::{Example, Learner, Method, Weights};
use agents::net::{Inputs, Layout, Net, NetInputs};
use agents::side_by_side::side_by_side;

use super::learning::{Dealt, HeldOut, Learnt, Pass, Places, learn};
use super::positions::Position;
use super::seat_loss;
use sim::error::Error;
use sim::stats::calibration::Calibration;
use sim::stats::conditional_logit::softmax;

/// The inputs and the linear value that turn a position into an example.
#[derive(Clone, Copy)]
pub struct Counting<'a, G: Playable> {
    /// The game.
    pub game: &'a G,
    /// The linear value.
    pub table: &'a dyn ValueTable<G>,
    /// The inputs.
    pub inputs: &'a dyn NetInputs<G>,
}

impl<G: Playable> std::fmt::Debug for Counting<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Counting({})", G::about().name)
    }
}

impl<G: Playable> Counting<'_, G> {
    /// Returns the position as an example; `None` for a position after the end of the game.
    #[must_use]
    pub fn example(&self, position: Position<G::State>) -> Option<Position<Example>> {
        let Position { cluster, state, progress, points } = position;
        let mut inputs = Inputs::default();
        if !self.inputs.count(self.game, &state, &mut inputs) {
            return None;
        }
        let at = self.table.at(self.table.phase(self.game, &state)?);
        let mut features = Vec::new();
        self.table.count(self.game, &state, &mut features);
        let logit = |features: &[f32]| {
            let products = features.iter().zip(&at.weights).map(|(x, w)| f64::from(*x) * w);
            (products.sum::<f64>() / at.softmax_scale) as f32
        };
        let linear = features.chunks(at.weights.len()).map(logit).collect();
        let won = points.iter().map(|points| *points as f32).collect();
        let state = Example::of(&inputs, linear, won);
        Some(Position { cluster, state, progress, points })
    }
}

/// The result of a net's fit.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The net.
    pub net: Net,
    /// Its passes.
    pub passes: Vec<Pass>,
    /// The chosen pass, from 1.
    pub taken: usize,
    /// The number of positions that the net learnt from.
    pub learnt: usize,
    /// The number of weights of the net.
    pub weights: usize,
    /// The held-out positions with their losses.
    pub held_out: Vec<HeldOut>,
    /// The mean loss on held-out games of the net that learning began with, if there was one.
    pub before: Option<f64>,
    /// The calibration of the net's chances on held-out games.
    pub calibration: Calibration,
}

impl Outcome {
    /// The index of the losses by the linear value.
    pub const LINEAR: usize = 1;
    /// The index of those by the net.
    pub const NET: usize = 2;

    /// Returns the mean loss on held-out games: with even chances, by the linear value, by the net.
    #[must_use]
    pub fn mean(&self, by: usize) -> f64 {
        let sum: f64 = self.held_out.iter().map(|one| one.losses[by]).sum();
        sum / self.held_out.len().max(1) as f64
    }
}

/// Fits a net to positions, from `start` or from random weights.
///
/// # Errors
/// If learning diverges, or a part has no position.
pub fn fit(
    layout: &Layout,
    positions: &[&Position<Example>],
    places: Places<'_>,
    method: Method,
    start: Option<Weights>,
) -> Result<Outcome, Error> {
    let Places { parts, sections } = places;
    let examples: Vec<&Example> = positions.iter().map(|position| &position.state).collect();
    let dealt = Dealt::of(&examples, parts)?;
    let before = start.as_ref().map(|start| Net::of(start, layout));
    let learner = Learner::of_values(layout, method, start);
    let Learnt { weights, passes, taken } = learn(learner, method.passes, &dealt)?;
    let net = Net::of(&weights, layout);
    let Dealt { learning, reported, .. } = dealt;
    let examples: Vec<&Example> = reported.iter().map(|&i| examples[i]).collect();
    let losses = |net: &Net| {
        let chances = evaluations(net, &examples).into_iter().map(|[_, chances]| chances);
        let losses =
            chances.zip(&reported).map(|(chances, &i)| seat_loss(&chances, &positions[i].points));
        losses.sum::<f64>() / reported.len() as f64
    };
    let before = before.as_ref().map(losses);
    let evaluated = evaluations(&net, &examples);
    let mut calibration = Calibration::default();
    let held_out = reported.iter().zip(evaluated).map(|(&i, [linear, chances])| {
        let Position { cluster, points, .. } = positions[i];
        calibration.add(*cluster, &chances, points);
        let even = vec![1.0 / points.len() as f64; points.len()];
        let losses = [&even, &linear, &chances].map(|chances| seat_loss(chances, points));
        HeldOut { cluster: *cluster, section: sections[i], losses: losses.to_vec() }
    });
    Ok(Outcome {
        held_out: held_out.collect(),
        before,
        calibration,
        net,
        passes,
        taken,
        learnt: learning.len(),
        weights: weights.len(),
    })
}

/// Returns the chances of the seats at each example, by the linear value and by the net beside it.
fn evaluations(net: &Net, examples: &[&Example]) -> Vec<[Vec<f64>; 2]> {
    side_by_side(examples.len(), &|i| {
        let example = examples[i];
        let mut inputs = Inputs::default();
        example.unpack(&mut inputs);
        let (logits, trust) = (net.logits(&inputs), net.trust(example.phase));
        let linear = example.linear.iter();
        let mut both = [
            linear.clone().map(|x| f64::from(*x)).collect::<Vec<f64>>(),
            linear.zip(logits.0).map(|(x, logit)| f64::from(x * trust + logit)).collect(),
        ];
        both.iter_mut().for_each(|logits| softmax(logits));
        both
    })
}
