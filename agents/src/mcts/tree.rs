//! The tree in memory: nodes and edges in arenas, addressed by `u32`. Only this file depends on the layout.
//!
//! A node is a mover's decision, and an edge is an option of it. The edges of a node are adjacent. If results always
//! lead to the same state, an edge stores its child; otherwise a node is found by its key ([`Tree::find`]). A node
//! takes 32 bytes and 16 bytes of the index. An edge takes 32 bytes and its label. Statistics for few searches (mixed
//! strategies, value vectors) are stored separately. The value of a joint choice in a simultaneous turn takes 28 bytes
//! and 16 bytes of a separate index ([`Tree::joint`]). Memory is freed only with the whole tree, and the number of
//! nodes is limited ([`Tree::has_room`]).

use engine::ByPlayer;

use super::index::{Index, NONE};
use super::strategies::MixedEdge;

/// The mark of a child that is a proven result instead of a node.
pub(super) const PROOF: u32 = 1 << 31;
/// The mark of a child that is only a guess: the edge led to it last time and may lead elsewhere next time.
const GUESS: u32 = 1 << 30;
/// Maximum mean number of edges per node, and of joint choices per node. It exceeds the average of every game except
/// imperium.
const MEAN_EDGES: usize = 64;
/// The largest node limit of a tree. Its edges and their proofs can be distinguished beside [`PROOF`].
pub(super) const MOST_NODES: usize = 30_000_000;
/// Minimum number of edges reserved before a node is added.
const LEAST_RESERVED: usize = 64;
const _: () = assert!(MEAN_EDGES * MOST_NODES + (1 << 20) < PROOF as usize);
const _: () = assert!(MOST_NODES < GUESS as usize);

/// A decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The key of the node; 0 if edges lead to it.
    pub(super) key: u64,
    pub(super) first: u32,
    pub(super) len: u16,
    /// The number of tried edges.
    pub(super) opened: u16,
    pub(super) visits: u32,
    /// The visits of single plies beside macro-actions.
    pub(super) ply_visits: u32,
    /// The mean credit of the mover.
    pub(super) mean: f32,
    pub(super) mover: u8,
    /// True if some edges are macro-actions.
    pub(super) has_macros: bool,
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The mean credit of the mover.
    pub(super) mean: f32,
    /// `1 / √visits`.
    pub(super) spread: f32,
    pub(super) visits: u32,
    /// The number of visits of the node at which the option was possible.
    pub(super) seen: u32,
    /// The child node or a proof, if results are always the same; otherwise a [`GUESS`].
    pub(super) child: u32,
    /// The prior probability; 0 without priors.
    pub(super) prior: f32,
    /// The mean squared credit of the mover.
    pub(super) square: f32,
    /// The place in the order of priors.
    pub(super) rank: u16,
    pub(super) is_macro: bool,
}

impl Edge {
    /// Creates an untried option.
    pub(super) const fn new(is_macro: bool) -> Self {
        Self {
            mean: 0.0,
            spread: 1.0,
            visits: 0,
            seen: 0,
            child: NONE,
            prior: 0.0,
            square: 0.0,
            rank: 0,
            is_macro,
        }
    }

    /// Returns whether the result is certain.
    pub(super) const fn is_proven(&self) -> bool {
        self.child != NONE && self.child & PROOF != 0
    }

    /// Returns the node to which the edge always leads, if it is known.
    pub(super) fn certain_child(&self) -> Option<u32> {
        (self.child < GUESS).then_some(self.child)
    }

    /// Returns the node to which the edge led last time, if it may lead elsewhere.
    #[inline]
    fn likely_child(&self) -> Option<u32> {
        (self.child & (PROOF | GUESS) == GUESS).then_some(self.child ^ GUESS)
    }
}

/// The value of a joint choice.
#[derive(Clone, Copy, Default, Debug)]
struct JointValue {
    mean: ByPlayer<f32>,
    visits: u32,
}

/// The arena. `L` is the type of an edge's label.
#[derive(Clone, Debug)]
pub(super) struct Tree<L> {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    pub(super) labels: Vec<L>,
    /// The statistics of mixed strategies, parallel to the edges; empty before the first mixed strategy.
    pub(super) mixed: Vec<MixedEdge>,
    /// The mean utilities of all players, parallel to the edges. They exist in searches with max backup, and after the
    /// first mixed strategy.
    pub(super) vectors: Vec<ByPlayer<f32>>,
    proofs: Vec<ByPlayer<f32>>,
    index: Index,
    joints: Vec<JointValue>,
    joint_index: Index,
    has_mixed: bool,
    has_vectors: bool,
    most_nodes: usize,
    /// The number of edges of the largest node.
    widest: usize,
    /// True if the machine ran out of memory. Later statistics mean nothing.
    is_short: bool,
}

impl<L: Copy> Tree<L> {
    /// Creates an empty tree with a limit of nodes, at most [`MOST_NODES`]. The owner checks [`Tree::has_room`] before
    /// adding a node.
    pub(super) const fn new(has_vectors: bool, most_nodes: usize) -> Self {
        Self {
            most_nodes,
            nodes: Vec::new(),
            edges: Vec::new(),
            labels: Vec::new(),
            mixed: Vec::new(),
            vectors: Vec::new(),
            proofs: Vec::new(),
            index: Index::EMPTY,
            joints: Vec::new(),
            joint_index: Index::EMPTY,
            has_mixed: false,
            has_vectors,
            widest: LEAST_RESERVED,
            is_short: false,
        }
    }

    /// Clears the tree and keeps its memory.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.labels.clear();
        self.mixed.clear();
        self.vectors.clear();
        self.proofs.clear();
        self.index.clear();
        self.joints.clear();
        self.joint_index.clear();
        self.is_short = false;
    }

    /// Returns whether the machine ran out of memory. Then this tree can make no decision.
    pub(super) const fn is_short(&self) -> bool {
        self.is_short
    }

    /// Reserves memory for `n` more nodes, or for one more edge, which moves all edges of its node. Returns whether
    /// there is enough memory.
    pub(super) fn reserve(&mut self, n: usize) -> bool {
        let edges = (self.widest + 1) * n.max(1);
        let mut has_memory = self.nodes.try_reserve(n).is_ok()
            && self.edges.try_reserve(edges).is_ok()
            && self.labels.try_reserve(edges).is_ok();
        if self.has_mixed {
            has_memory = has_memory && self.mixed.try_reserve(edges).is_ok();
        }
        if self.has_vectors {
            has_memory = has_memory && self.vectors.try_reserve(edges).is_ok();
        }
        self.is_short |= !has_memory;
        has_memory
    }

    /// Returns whether `n` more nodes may be added, or one more edge if `n = 0`. The limit of edges is [`MEAN_EDGES`]
    /// times the limit of nodes; one more node with all its options may exceed it.
    pub(super) const fn has_room(&self, n: usize) -> bool {
        self.nodes.len() + n <= self.most_nodes && self.edges.len() < MEAN_EDGES * self.most_nodes
    }

    /// Stores the statistics of mixed strategies from now on.
    pub(super) fn keep_mixed(&mut self) {
        if !self.has_mixed {
            (self.has_mixed, self.has_vectors) = (true, true);
            self.mixed.resize(self.edges.len(), MixedEdge::default());
            self.vectors.resize(self.edges.len(), ByPlayer::default());
        }
    }

    /// Adds a node with an edge for each of `labels`.
    pub(super) fn add_node(
        &mut self,
        mover: u8,
        labels: &[L],
        is_macro: impl Fn(&L) -> bool,
    ) -> u32 {
        let first = self.edges.len() as u32;
        self.widest = self.widest.max(labels.len());
        let mut has_macros = false;
        for label in labels {
            let is_macro = is_macro(label);
            has_macros |= is_macro;
            self.push_edge(*label, is_macro);
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node {
            key: 0,
            first,
            len: labels.len() as u16,
            opened: 0,
            visits: 0,
            ply_visits: 0,
            mean: 0.5,
            mover,
            has_macros,
        });
        node
    }

    fn push_edge(&mut self, label: L, is_macro: bool) {
        self.edges.push(Edge::new(is_macro));
        self.labels.push(label);
        if self.has_mixed {
            self.mixed.push(MixedEdge::default());
        }
        if self.has_vectors {
            self.vectors.push(ByPlayer::default());
        }
    }

    /// Adds an edge to a node, with the mean of the other priors. The node's edges move to the end of the arena unless
    /// they are already there.
    pub(super) fn add_edge(&mut self, node: u32, label: L, is_macro: bool) {
        let Node { first, len, .. } = self.nodes[node as usize];
        let range = first as usize..first as usize + usize::from(len);
        if range.end != self.edges.len() {
            self.nodes[node as usize].first = self.edges.len() as u32;
            self.edges.extend_from_within(range.clone());
            self.labels.extend_from_within(range.clone());
            if self.has_mixed {
                self.mixed.extend_from_within(range.clone());
            }
            if self.has_vectors {
                self.vectors.extend_from_within(range);
            }
        }
        let older = &self.edges[self.edges.len() - usize::from(len)..];
        let prior = older.iter().map(|edge| edge.prior).sum::<f32>() / f32::from(len.max(1));
        self.push_edge(label, is_macro);
        let node = &mut self.nodes[node as usize];
        node.len += 1;
        self.widest = self.widest.max(usize::from(node.len));
        node.has_macros |= is_macro;
        let edge = self.edges.last_mut().expect("an edge was added");
        (edge.rank, edge.prior) = (node.len - 1, prior);
    }

    /// Returns the indices of the node's edges.
    pub(super) fn range(&self, node: u32) -> std::ops::Range<usize> {
        let Node { first, len, .. } = self.nodes[node as usize];
        first as usize..first as usize + usize::from(len)
    }

    /// Returns the node with `key`, if there is one.
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        self.index.find(key)
    }

    /// Returns the result of [`Tree::find`] for the node after `edge`. It first checks the child of the last time,
    /// which is known long before the key.
    #[inline]
    pub(super) fn find_behind(&mut self, edge: usize, key: u64) -> Option<u32> {
        let likely = self.edges[edge].likely_child();
        if likely.is_some_and(|node| self.nodes[node as usize].key == key) {
            return likely;
        }
        let found = self.find(key)?;
        let edge = &mut self.edges[edge];
        if edge.child == NONE || likely.is_some() {
            edge.child = GUESS | found;
        }
        Some(found)
    }

    /// Inserts `node` under `key`.
    pub(super) fn enter(&mut self, key: u64, node: u32) {
        self.nodes[node as usize].key = key;
        self.is_short |= !self.index.enter(key, node);
    }

    /// Returns the value of the joint choice with `key` for every player, if it was made before.
    pub(super) fn joint(&self, key: u64) -> Option<ByPlayer<f32>> {
        self.joint_index.find(key).map(|at| self.joints[at as usize].mean)
    }

    /// Adds the result `utilities` to the joint choice with `key` and returns its value: a mean in which visit `n` has
    /// weight `n`, because later play is better. Without room for a new entry the choice stays unknown.
    pub(super) fn note_joint(&mut self, key: u64, utilities: &ByPlayer<f32>) -> ByPlayer<f32> {
        let at = match self.joint_index.find(key) {
            Some(at) => at,
            None if self.joints.len() >= MEAN_EDGES * self.most_nodes => return *utilities,
            None => {
                let at = self.joints.len() as u32;
                let has_memory = self.joints.try_reserve(1).is_ok();
                if !(has_memory && self.joint_index.enter(key, at)) {
                    self.is_short = true;
                    return *utilities;
                }
                self.joints.push(JointValue::default());
                at
            }
        };
        let JointValue { mean, visits } = &mut self.joints[at as usize];
        *visits += 1;
        let share = 2.0 / (*visits + 1) as f32;
        mean.0.iter_mut().zip(utilities.0).for_each(|(mean, u)| *mean += (u - *mean) * share);
        *mean
    }

    /// Marks an edge as leading to a certain result.
    pub(super) fn prove(&mut self, edge: usize, result: ByPlayer<f32>) {
        if self.proofs.try_reserve(1).is_err() {
            self.is_short = true;
            return;
        }
        self.edges[edge].child = PROOF | self.proofs.len() as u32;
        self.proofs.push(result);
    }

    /// Returns the certain result of an edge, if there is one.
    pub(super) fn proof(&self, edge: usize) -> Option<ByPlayer<f32>> {
        let at = &self.edges[edge];
        at.is_proven().then(|| self.proofs[(at.child ^ PROOF) as usize])
    }

    /// Returns the bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
            + self.edges.len() * (size_of::<Edge>() + size_of::<L>())
            + self.mixed.len() * size_of::<MixedEdge>()
            + self.vectors.len() * size_of::<ByPlayer<f32>>()
            + self.joints.len() * size_of::<JointValue>()
            + self.index.bytes()
            + self.joint_index.bytes()
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these numbers are exact")]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_edges_are_small() {
        assert_eq!(size_of::<Node>(), 32);
        assert_eq!(size_of::<Edge>(), 32);
        assert_eq!(size_of::<JointValue>(), 28);
    }

    #[test]
    fn a_tree_without_memory_says_so_until_it_is_cleared() {
        let mut tree = Tree::<u8>::new(false, MOST_NODES);
        assert!(tree.reserve(1) && !tree.is_short());
        // No machine has this much memory.
        assert!(!tree.reserve(usize::MAX / 1000) && tree.is_short());
        tree.clear();
        assert!(tree.reserve(1) && !tree.is_short());
    }

    #[test]
    fn the_index_finds_what_was_entered() {
        let mut tree = Tree::<u8>::new(false, 10_000);
        for i in 0..5000u64 {
            tree.add_node(0, &[], |_| false);
            tree.enter(i.wrapping_mul(0x9e37_79b9_7f4a_7c15), i as u32);
        }
        for i in 0..5000u64 {
            assert_eq!(tree.find(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)), Some(i as u32));
        }
        assert_eq!(tree.find(1), None);
        tree.clear();
        assert_eq!(tree.find(0), None);
    }

    #[test]
    fn what_lies_behind_an_edge_is_what_the_key_says_whatever_was_there_the_last_time() {
        let mut tree = Tree::<u8>::new(false, 10);
        let root = tree.add_node(0, &[0, 1, 2], |_| false);
        let [one, other] = [7, 8].map(|key| {
            let node = tree.add_node(1, &[3], |_| false);
            tree.enter(key, node);
            node
        });
        let edge = tree.range(root).start;
        for (key, due) in [(7, Some(one)), (7, Some(one)), (8, Some(other)), (9, None)] {
            assert_eq!(tree.find_behind(edge, key), due, "{key}");
            assert_eq!(tree.edges[edge].certain_child(), None);
            assert!(!tree.edges[edge].is_proven());
        }
        tree.edges[edge + 1].child = one;
        tree.prove(edge + 2, ByPlayer([0.5; 6]));
        for edge in [edge + 1, edge + 2] {
            let child = tree.edges[edge].child;
            assert_eq!(tree.find_behind(edge, 8), Some(other));
            assert_eq!(tree.edges[edge].child, child, "what is certain stays");
        }
    }

    #[test]
    fn later_visits_of_a_joint_choice_count_more() {
        let mut tree = Tree::<u8>::new(false, 10_000);
        assert!(tree.joint(7).is_none());
        for (utility, mean) in [(1.0, 1.0), (0.25, 0.5), (1.0, 0.75)] {
            assert_eq!(tree.note_joint(7, &ByPlayer([utility; 6])).0, [mean; 6]);
            assert_eq!(tree.joint(7), Some(ByPlayer([mean; 6])));
        }
        assert!(tree.joint(8).is_none());
        tree.clear();
        assert!(tree.joint(7).is_none());
    }

    #[test]
    fn an_edge_more_keeps_what_the_others_know() {
        let mut tree = Tree::new(true, 10);
        tree.keep_mixed();
        let node = tree.add_node(0, &['a', 'b'], |_| false);
        tree.add_node(1, &['x'], |_| false);
        tree.edges[1].visits = 7;
        (tree.edges[0].prior, tree.edges[1].prior) = (0.25, 0.75);
        tree.add_edge(node, 'c', true);
        let range = tree.range(node);
        assert_eq!(&tree.labels[range.clone()], ['a', 'b', 'c']);
        assert_eq!(tree.edges[range.start + 1].visits, 7);
        assert_eq!(tree.edges[range.start + 2].prior, 0.5);
        assert!(tree.nodes[node as usize].has_macros);
    }
}
