//! Priors of a node's options, from the logits of a guide or of an evaluator.

use engine::{Fast, Game, Player, Turn};

use super::scratch::Scratch;
use super::select::softmax;
use super::tree::Edge;
use crate::evaluators::AtLeaves;
use crate::guide::Guide;

/// Computes the logits of the options of `mover`. Options and logits are in `scratch`.
pub(super) fn logits<G: Game, H: Guide<G>>(
    game: &G,
    world: &G::State,
    mover: Player,
    guide: &mut H,
    rng: &mut Fast,
    scratch: &mut Scratch<G, H>,
) {
    let Scratch { options, logits, .. } = scratch;
    logits.clear();
    if matches!(game.turn(world), Turn::Simultaneous(_)) {
        guide.logits_simultaneous(game, world, mover, options, logits);
        logits.resize(options.len(), 0.0);
    } else {
        guide.logits(game, world, options, rng, logits);
    }
}

/// Computes the logits of the options of `mover`, all of them single plies, by an evaluator. Options and logits are in
/// `scratch`.
pub(super) fn evaluated<G: Game, H: Guide<G>>(
    game: &G,
    world: &G::State,
    mover: Player,
    evaluator: &mut AtLeaves<G>,
    scratch: &mut Scratch<G, H>,
) {
    let Scratch { options, logits, .. } = scratch;
    logits.clear();
    evaluator.logits(game, world, mover, logits);
    logits.resize(options.len(), 0.0);
}

/// Converts `logits` to probabilities and stores them in `edges` as priors, with their ranks. Equal priors keep their
/// order.
pub(super) fn assign(
    logits: &mut [f32],
    temperature: f32,
    ranks: &mut Vec<u16>,
    edges: &mut [Edge],
) {
    softmax(logits, temperature);
    ranks.clear();
    ranks.extend(0..logits.len() as u16);
    ranks.sort_unstable_by(|&a, &b| {
        let order = logits[usize::from(b)].total_cmp(&logits[usize::from(a)]);
        order.then(a.cmp(&b))
    });
    for (rank, &offset) in ranks.iter().enumerate() {
        edges[usize::from(offset)].rank = rank as u16;
        edges[usize::from(offset)].prior = logits[usize::from(offset)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_logit_is_first_and_of_equal_ones_the_first() {
        let mut edges = [Edge::new(false); 4];
        assign(&mut [1.0, 3.0, 1.0, 2.0], 1.0, &mut Vec::new(), &mut edges);
        assert_eq!(edges.map(|edge| edge.rank), [2, 0, 3, 1]);
        assert!((edges.iter().map(|edge| edge.prior).sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((edges[1].prior / edges[3].prior - std::f32::consts::E).abs() < 1e-4);
    }
}
