//! What an iteration found, handed up the path to the root.

use engine::{ByPlayer, Game};

use super::config::Backup;
use super::path::Step;
use super::search::Search;
use super::values;
use crate::guide::Guide;

/// Visits after which a node's best option is known well enough to hand it up.
const KNOWN_A_LITTLE: u32 = 8;

impl<G: Game, H: Guide<G>> Search<G, H> {
    /// Hands the result of an iteration up the path.
    pub(super) fn finish(&mut self, utilities: &ByPlayer<f32>) {
        self.effort.iterations += 1;
        self.effort.choices += self.path.len() as u64;
        self.effort.deepest = self.effort.deepest.max(self.path.len() as u32);
        // What the iteration found, and what it would have found had nobody explored on purpose.
        let (mut found, mut meant) = (*utilities, *utilities);
        self.mast.learn(utilities);
        // Choices from here on have been learnt from.
        let mut learnt = self.path.len();
        for i in (0..self.path.len()).rev() {
            let step = self.path[i];
            if step.is_certain {
                found = self.tree.proof(step.edge as usize).expect("what is certain is proven");
            }
            if step.node == self.root.node {
                let first = self.tree.nodes[step.node as usize].first;
                self.root.note((step.edge - first) as usize, &found);
            }
            if let Some(lottery) = step.lottery
                && i < learnt
            {
                learnt = self.learn(i, &lottery, &mut meant);
            }
            self.update(&step, &found);
            if self.config.backup == Backup::Max {
                self.blend_in_best(&step, &mut found);
            }
        }
    }

    #[inline]
    fn update(&mut self, step: &Step, utilities: &ByPlayer<f32>) {
        let credit = values::credit(utilities, step.mover, self.me, step.allies, &self.config);
        let at = step.edge as usize;
        let edge = &mut self.tree.edges[at];
        edge.visits += 1;
        let share = 1.0 / edge.visits as f32;
        edge.mean += (credit - edge.mean) * share;
        edge.square += (credit * credit - edge.square) * share;
        edge.spread = if edge.is_proven() { 0.0 } else { share.sqrt() };
        let is_ply = !edge.is_macro;
        let node = &mut self.tree.nodes[step.node as usize];
        node.visits += 1;
        node.ply_visits += u32::from(is_ply);
        node.mean += (credit - node.mean) / node.visits as f32;
        if let Some(vector) = self.tree.vectors.get_mut(at) {
            vector.0.iter_mut().zip(utilities.0).for_each(|(mean, u)| *mean += (u - *mean) * share);
        }
    }

    /// Replaces a part of what is handed up by the mean of the node's best option.
    fn blend_in_best(&self, step: &Step, utilities: &mut ByPlayer<f32>) {
        if self.tree.nodes[step.node as usize].visits < KNOWN_A_LITTLE {
            return;
        }
        let range = self.tree.range(step.node);
        let visited = range.filter(|&edge| self.tree.edges[edge].visits > 0);
        let best =
            visited.max_by(|&a, &b| self.tree.edges[a].mean.total_cmp(&self.tree.edges[b].mean));
        let Some(best) = best else { return };
        let share = self.config.max_share;
        let vector = self.tree.proof(best).unwrap_or(self.tree.vectors[best]);
        utilities.0.iter_mut().zip(vector.0).for_each(|(u, best)| *u += share * (best - *u));
    }
}
