//! The backup: passes the result of an iteration up its path to the root.

use std::ops::RangeInclusive;

use engine::{ByPlayer, Player};

use super::config::{Backup, Config, Origin};
use super::evaluator::credit;
use super::index::NONE;
use super::path::Step;
use super::root::Root;
use super::strategies::table::{self, JointChoice, MOST_JOINTS, Member};
use super::strategies::{MixedStrategyDraw, sampled};
use super::tree::Tree;

/// Visits after which a node's best option is known well enough for a max backup.
const KNOWN_A_LITTLE: u32 = 8;

/// The backup of an iteration: its path and the statistics that it updates.
pub(super) struct WayUp<'a, L> {
    pub(super) config: &'a Config,
    pub(super) me: Player,
    pub(super) path: &'a [Step],
    pub(super) tree: &'a mut Tree<L>,
    pub(super) root: &'a mut Root,
    /// Scratch for the values of options of mixed strategies.
    pub(super) worth: &'a mut Vec<f32>,
}

impl<L: Copy> WayUp<'_, L> {
    /// Passes the result of an iteration up the path.
    pub(super) fn hand_up(&mut self, utilities: &ByPlayer<f32>) {
        // The result of the iteration, and an estimate of it without the deliberate exploration.
        let (mut found, mut meant) = (*utilities, *utilities);
        // Choices from this index on have already been used for learning.
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
            if let Some(mixed) = step.mixed
                && i < learnt
            {
                learnt = self.learn(i, &mixed, &mut meant);
            }
            self.update(&step, &found);
            if self.config.backup == Backup::Max {
                self.blend_in_best(&step, &mut found);
            }
        }
    }

    /// Returns the part of `utilities` that the mover of `step` maximizes.
    fn credit(&self, utilities: &ByPlayer<f32>, step: &Step) -> f32 {
        credit(utilities, step.mover, self.me, step.allies, self.config)
    }

    #[inline]
    fn update(&mut self, step: &Step, utilities: &ByPlayer<f32>) {
        let credit = self.credit(utilities, step);
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

    /// Replaces a share of the result by the mean of the node's best option.
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

    /// Updates the mixed strategy of choice `i` of the path with the result `meant`. Then it corrects `meant` for the
    /// sampling of the choice. A turn with a table is updated as a whole. Returns the index of the first choice that
    /// was updated.
    fn learn(&mut self, i: usize, mixed: &MixedStrategyDraw, meant: &mut ByPlayer<f32>) -> usize {
        let step = self.path[i];
        if self.has_table(i) {
            self.learn_simultaneous(step.turn as usize..=i, meant);
            return step.turn as usize;
        }
        let credit = self.credit(meant, &step);
        let range = self.tree.range(step.node);
        let chosen = step.edge as usize - range.start;
        let edges = &self.tree.edges[range.clone()];
        sampled::baselines(edges.iter().map(|edge| (edge.visits, edge.mean)), self.worth);
        let strategy = &mut self.tree.mixed[range.clone()];
        sampled::learn(strategy, self.worth, chosen, credit, mixed);
        sampled::correct(strategy, &self.tree.vectors[range], chosen, mixed, meant);
        i
    }

    /// Returns whether choice `last` of the path ends a simultaneous turn with a table.
    fn has_table(&self, last: usize) -> bool {
        let turn = self.path[last].turn;
        let goes_on = self.path.get(last + 1).is_some_and(|next| next.turn == turn);
        if turn == NONE || goes_on || self.config.origin != Origin::Here {
            return false;
        }
        let options = |i: usize| usize::from(self.tree.nodes[self.path[i].node as usize].len);
        let all = (turn as usize..=last).try_fold(1, |n: usize, i| n.checked_mul(options(i)));
        all.is_some_and(|n| n <= MOST_JOINTS)
    }

    /// Updates the strategies of the simultaneous choices `turn` of the path with the result `meant`. Then `meant`
    /// becomes an estimate of the strategies' value for each player.
    fn learn_simultaneous(&mut self, turn: RangeInclusive<usize>, meant: &mut ByPlayer<f32>) {
        let (path, config, me) = (self.path, self.config, self.me);
        let steps = &path[turn];
        let tree = &mut *self.tree;
        let chosen = JointChoice::new(steps.iter().map(|step| {
            let range = tree.range(step.node);
            let (first, len) = (range.start, range.len());
            let option = step.edge as usize - first;
            Member { node: step.node, first, len, option }
        }));
        let usual = tree.note_joint(chosen.key(), meant);
        let entry = |key| tree.joint(key);
        let credit = |i: usize, utilities: &ByPlayer<f32>| {
            credit(utilities, steps[i].mover, me, steps[i].allies, config)
        };
        let value = table::evaluate(&chosen, &tree.mixed, entry, meant, credit, self.worth);
        let Tree { nodes, mixed, .. } = tree;
        let drawn = steps
            .iter()
            .map(|step| (step.mixed.expect("all members draw"), nodes[step.node as usize].visits));
        let ratio = table::learn(&chosen, mixed, self.worth, drawn);
        for (player, utility) in meant.0.iter_mut().enumerate() {
            *utility = value.0[player] + ratio * (*utility - usual.0[player]);
        }
    }
}
