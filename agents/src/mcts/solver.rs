//! Proven results in deterministic games (MCTS-Solver, Winands, Björnsson & Saito 2008; for several players the
//! rules of Nijssen & Winands 2011).
//!
//! An edge is proven when its result is certain. A node is decided when an edge gives the mover the whole point,
//! or when all edges are proven and the best of them agree on what everybody gets; then the edge above it is
//! proven too. Where a proven option is chosen that is no win, its value is handed up, but the iteration goes on below
//! the most promising option that is not proven, so that draws get proven too.

use engine::{ByPlayer, Player};

use super::path::Step;
use super::tree::Tree;

/// Carries a proof at the end of `path` up as far as it goes.
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

/// What is certain needs no allowance for few visits: its value is the result.
fn settle<L: Copy>(tree: &mut Tree<L>, step: &Step) {
    if let Some(result) = tree.proof(step.edge as usize) {
        let edge = &mut tree.edges[step.edge as usize];
        edge.mean = result[step.mover];
        edge.spread = 0.0;
    }
}

/// The result of a node, if it is decided.
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

/// Whether two results give some player different points.
fn differs(a: &ByPlayer<f32>, b: &ByPlayer<f32>) -> bool {
    a.0.iter().zip(b.0).any(|(a, b)| (a - b).abs() > f32::EPSILON)
}
