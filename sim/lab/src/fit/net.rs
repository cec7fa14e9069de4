//! A net beside the linear value function of a game, fitted to positions and the winners of games.
//!
//! Games are dealt into parts. One part is held out for the reported losses. Another one chooses the pass after which
//! learning ends. The net learns from the others. The reported losses are those of the net in integers, as it is
//! written to the file.

use agents::Playable;
use agents::fitting::ValueTable;
use agents::net::learning::{Example, Learner, Method, Weights, mean_loss};
use agents::net::{Inputs, Layout, Net, NetInputs};
use agents::side_by_side::side_by_side;
use serde_json::{Map, Value as Json, json};

use super::folds::folds_of;
use super::positions::Position;
use super::seat_loss;
use sim::error::Error;
use sim::stats::calibration::Calibration;
use sim::stats::conditional_logit::softmax;

/// The index of the part that is held out for the report.
const REPORTED: usize = 0;
/// The index of the part that chooses the pass.
const CHOOSING: usize = 1;

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

/// The settings of a net's fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Learning {
    /// The learning method.
    pub method: Method,
    /// The number of parts into which games are dealt.
    pub parts: usize,
}

impl Learning {
    /// Returns the settings as options of the command.
    pub(super) fn options(&self) -> Map<String, Json> {
        let Method { passes, batch, rate, decay, .. } = self.method;
        let options = json!({
            "passes": passes,
            "batch": batch,
            "rate": rate.to_string(),
            "decay": decay.to_string(),
            "parts": self.parts,
        });
        let Json::Object(options) = options else { unreachable!("it is written as an object") };
        options
    }
}

/// The losses of a pass over the positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pass {
    /// The mean cross entropy during the pass, on the positions that the net learns from.
    pub learning: f64,
    /// The mean cross entropy after the pass, on the games that choose.
    pub choosing: f64,
}

/// A position of the games that were held out.
#[derive(Clone, PartialEq, Debug)]
pub struct HeldOut {
    /// The game.
    pub cluster: u64,
    /// The section of tables.
    pub section: usize,
    /// Log losses of a seat: with even chances, by the linear value, by the net beside it.
    pub losses: [f64; 3],
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

/// Returns the part of each position, if their games are dealt to `parts` parts.
#[must_use]
pub fn parts_of(positions: &[Position<Example>], parts: usize) -> Vec<usize> {
    let clusters: Vec<u64> = positions.iter().map(|position| position.cluster).collect();
    folds_of(&clusters, parts)
}

/// The places of positions: the part of the games and the section of tables that each belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// The parts, as [`parts_of`] deals them.
    pub parts: &'a [usize],
    /// The sections.
    pub sections: &'a [usize],
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
    let of = |is_in: &dyn Fn(usize) -> bool| -> Vec<&Example> {
        let all = positions.iter().zip(parts).filter(|(_, part)| is_in(**part));
        all.map(|(position, _)| &position.state).collect()
    };
    let learning = of(&|part| part != REPORTED && part != CHOOSING);
    let choosing = of(&|part| part == CHOOSING);
    if learning.is_empty() || choosing.is_empty() || !parts.contains(&REPORTED) {
        return Err(Error::Failed("there are too few positions: play more games".to_owned()));
    }
    let before = start.as_ref().map(|start| Net::of(start, layout));
    let Learnt { weights, passes, taken } = learn(layout, method, &learning, &choosing, start)?;
    let net = Net::of(&weights, layout);
    let reported: Vec<usize> = (0..positions.len()).filter(|&i| parts[i] == REPORTED).collect();
    let examples: Vec<&Example> = reported.iter().map(|&i| &positions[i].state).collect();
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
        HeldOut { cluster: *cluster, section: sections[i], losses }
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

/// The result of learning.
struct Learnt {
    weights: Weights,
    passes: Vec<Pass>,
    taken: usize,
}

/// Learns pass by pass, and keeps the weights with the least loss on the games that choose.
fn learn(
    layout: &Layout,
    method: Method,
    learning: &[&Example],
    choosing: &[&Example],
    start: Option<Weights>,
) -> Result<Learnt, Error> {
    let mut learner = Learner::new(layout, method, start);
    let mut passes: Vec<Pass> = Vec::new();
    let mut best: Option<(f64, usize, Weights)> = None;
    for pass in 1..=method.passes as usize {
        let on_the_way = learner.pass(learning).map_err(Error::Failed)?;
        let after = mean_loss(layout, learner.weights(), choosing);
        if !after.is_finite() || !learner.weights().are_finite() {
            return Err(Error::Failed(format!(
                "after pass {pass} the loss is {after}: learning goes astray; take a lower rate"
            )));
        }
        passes.push(Pass { learning: on_the_way, choosing: after });
        if best.as_ref().is_none_or(|(least, ..)| after < *least) {
            best = Some((after, pass, learner.weights().clone()));
        }
    }
    let (_, taken, weights) =
        best.ok_or_else(|| Error::Failed("there is no pass to learn in".to_owned()))?;
    Ok(Learnt { weights, passes, taken })
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
