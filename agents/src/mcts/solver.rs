//! Proven results in deterministic games (MCTS-Solver, Winands, Björnsson & Saito 2008; for several players the rules
//! of Nijssen & Winands 2011).
//!
//! An edge is proven when its result is certain. A node is decided in two cases. In the first, an edge gives the mover
//! the whole point. In the second, all edges are proven and the best of them give everyone equal points. Then the edge
//! above the node is proven as well. If a proven option without a win is chosen, its value is passed up. The iteration
//! continues below the most promising unproven option, so that draws are proven as well.

use engine::{ByPlayer, Player};

use super::path::Step;
use super::tree::Tree;

/// Extends a proof at the end of `path` upwards as far as possible.
pub(super) fn prove_path<L: Copy>(tree: &mut Tree<L>, path: &[Step]) {
    let Some(last) = path.last() else { return };
    if tree.proof(last.edge as usize).is_none() {
        return;
    }
    settle(tree, last);
    for pair in path.windows(2).rev().filter(|pair| !pair[0].is_certain) {
        let Some(result) = result_of(tree, pair[1].node) else { return };
        tree.prove(pair[0].edge as usize, result);
        settle(tree, &pair[0]);
    }
}

/// Sets the edge to its certain result. It needs no allowance for few visits.
fn settle<L: Copy>(tree: &mut Tree<L>, step: &Step) {
    if let Some(result) = tree.proof(step.edge as usize) {
        let edge = &mut tree.edges[step.edge as usize];
        edge.mean = result[step.mover];
        edge.spread = 0.0;
    }
}

/// Returns the result of a node, if it is decided.
pub(super) fn result_of<L: Copy>(tree: &Tree<L>, node: u32) -> Option<ByPlayer<f32>> {
    let mover = Player::new(usize::from(tree.nodes[node as usize].mover));
    let mut best: Option<ByPlayer<f32>> = None;
    let (mut all_are_proven, mut is_ambiguous) = (true, false);
    for edge in tree.range(node) {
        let Some(result) = tree.proof(edge) else {
            all_are_proven = false;
            continue;
        };
        if result[mover] >= 1.0 {
            return Some(result);
        }
        match best {
            Some(old) if old[mover] > result[mover] => {}
            Some(old) if old[mover] >= result[mover] => is_ambiguous |= differs(&old, &result),
            _ => (best, is_ambiguous) = (Some(result), false),
        }
    }
    best.filter(|_| all_are_proven && !is_ambiguous)
}

/// Returns whether two results give some player different points.
fn differs(a: &ByPlayer<f32>, b: &ByPlayer<f32>) -> bool {
    a.0.iter().zip(b.0).any(|(a, b)| (a - b).abs() > f32::EPSILON)
}
