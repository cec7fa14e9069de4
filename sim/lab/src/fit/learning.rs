//! Learning of weights from examples of games, pass by pass.
//!
//! Games are dealt into parts. One part is held out for the reported losses. Another one chooses the pass after which
//! learning ends. The weights are learnt from the others.

use agents::net::learning::{Learner, Method, Shard};
use serde_json::{Map, Value as Json, json};

use super::folds::folds_of;
use super::positions::Position;
use sim::error::Error;

/// The index of the part that is held out for the report.
pub(super) const REPORTED: usize = 0;
/// The index of the part that chooses the pass.
const CHOOSING: usize = 1;

/// The settings of learning.
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
    /// The mean cross entropy during the pass, on the examples that it learns from.
    pub learning: f64,
    /// The mean cross entropy after the pass, on the games that choose.
    pub choosing: f64,
}

/// A position or decision of the games that were held out.
#[derive(Clone, PartialEq, Debug)]
pub struct HeldOut {
    /// The game.
    pub cluster: u64,
    /// The section of tables.
    pub section: usize,
    /// Its losses by different forecasts; the last is that of what was learnt.
    pub losses: Vec<f64>,
}

/// Returns the part of each position, if their games are dealt to `parts` parts.
#[must_use]
pub fn parts_of<T>(positions: &[Position<T>], parts: usize) -> Vec<usize> {
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

/// The result of learning.
pub(super) struct Learnt<W> {
    pub(super) weights: W,
    pub(super) passes: Vec<Pass>,
    pub(super) taken: usize,
}

/// The examples by their part in learning.
#[derive(Debug)]
pub(super) struct Dealt<'a, T> {
    /// Examples that weights are learnt from.
    pub(super) learning: Vec<&'a T>,
    /// Examples that choose the pass.
    choosing: Vec<&'a T>,
    /// The indices of the examples that are held out for the report.
    pub(super) reported: Vec<usize>,
}

impl<'a, T> Dealt<'a, T> {
    /// Returns `examples`, whose parts are `parts`, by part.
    ///
    /// # Errors
    /// If a part has none.
    pub(super) fn of(examples: &[&'a T], parts: &[usize]) -> Result<Self, Error> {
        let of = |is_in: &dyn Fn(usize) -> bool| -> Vec<&'a T> {
            let all = examples.iter().zip(parts).filter(|(_, part)| is_in(**part));
            all.map(|(example, _)| *example).collect()
        };
        let reported: Vec<usize> = (0..examples.len()).filter(|&i| parts[i] == REPORTED).collect();
        let learning = of(&|part| part != REPORTED && part != CHOOSING);
        let choosing = of(&|part| part == CHOOSING);
        if learning.is_empty() || choosing.is_empty() || reported.is_empty() {
            return Err(Error::Failed("there are too few positions: play more games".to_owned()));
        }
        Ok(Self { learning, choosing, reported })
    }
}

/// Learns `n_passes` times over the examples, and keeps the weights with the least loss on those that choose.
pub(super) fn learn<S: Shard>(
    mut learner: Learner<S>,
    n_passes: u32,
    dealt: &Dealt<'_, S::Example>,
) -> Result<Learnt<S::Weights>, Error> {
    let Dealt { learning, choosing, .. } = dealt;
    let mut passes: Vec<Pass> = Vec::new();
    let mut best: Option<(f64, usize, S::Weights)> = None;
    for pass in 1..=n_passes as usize {
        let on_the_way = learner.pass(learning).map_err(Error::Failed)?;
        let after = learner.mean_loss(choosing);
        if !after.is_finite() || !learner.is_finite() {
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
