//! The statistics of the decision at the root: the results of its options in one tree and in all trees.

use engine::{ByPlayer, Player};

use super::index::NONE;
use super::tree::Tree;

/// The decision at the root, with the results of its options.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) node: u32,
    /// The edge that iterations must take.
    pub(super) forced: Option<u16>,
    /// The sums of all players' utilities, by edge.
    sums: Vec<ByPlayer<f64>>,
    /// The number of iterations for this decision, by edge.
    counts: Vec<f64>,
}

impl Root {
    pub(super) const NOWHERE: Self =
        Self { node: NONE, forced: None, sums: Vec::new(), counts: Vec::new() };

    /// Starts a decision.
    pub(super) fn begin(&mut self, node: u32) {
        (self.node, self.forced) = (node, None);
        self.sums.clear();
        self.counts.clear();
    }

    /// Extends the statistics to `n` edges.
    pub(super) fn grow(&mut self, n: usize) {
        self.sums.resize(n, ByPlayer::default());
        self.counts.resize(n, 0.0);
    }

    /// Records the result of an iteration through an edge.
    pub(super) fn note(&mut self, offset: usize, utilities: &ByPlayer<f32>) {
        self.counts[offset] += 1.0;
        let sums = &mut self.sums[offset];
        sums.0.iter_mut().zip(utilities.0).for_each(|(sum, utility)| *sum += f64::from(utility));
    }

    /// Adds the options of this decision in `tree` to `options`, which covers all trees.
    pub(super) fn gather<L: Copy + PartialEq>(
        &self,
        tree: &Tree<L>,
        options: &mut Vec<RootOption<L>>,
    ) {
        for (offset, at) in tree.range(self.node).enumerate() {
            let edge = &tree.edges[at];
            let label = tree.labels[at];
            let option = match options.iter().position(|option| option.label == label) {
                Some(found) => &mut options[found],
                None => {
                    options.push(RootOption::new(label, edge.prior));
                    options.last_mut().expect("an option was added")
                }
            };
            option.visits += u64::from(edge.visits);
            option.total += tree.mixed.get(at).map_or(0.0, |mixed| mixed.total);
            option.proof = option.proof.or_else(|| tree.proof(at));
            option.counted += self.counts[offset];
            let sums = self.sums[offset];
            option.sums.0.iter_mut().zip(sums.0).for_each(|(sum, more)| *sum += more);
        }
    }
}

/// An option of the root, with totals over all trees.
#[derive(Clone, Debug)]
pub(super) struct RootOption<L> {
    pub(super) label: L,
    pub(super) visits: u64,
    /// The sums of all players' utilities.
    pub(super) sums: ByPlayer<f64>,
    pub(super) prior: f32,
    /// The sum of the probabilities in mixed strategies.
    pub(super) total: f64,
    pub(super) proof: Option<ByPlayer<f32>>,
    /// The visits that `sums` counts: those of this decision.
    pub(super) counted: f64,
}

impl<L> RootOption<L> {
    /// Creates an option without visits.
    pub(super) const fn new(label: L, prior: f32) -> Self {
        let sums = ByPlayer([0.0; engine::MAX_PLAYERS]);
        Self { label, visits: 0, sums, prior, total: 0.0, proof: None, counted: 0.0 }
    }

    /// Returns the mean utility of a player.
    pub(super) fn value(&self, player: Player) -> f64 {
        match self.proof {
            Some(result) => result[player].into(),
            None => self.sums[player] / self.counted.max(1.0),
        }
    }
}
