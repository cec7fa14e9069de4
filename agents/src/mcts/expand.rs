//! The options of a decision become the edges of a node, with their priors.

use engine::{ByPlayer, Game, Player, Turn};

use super::config::Keys;
use super::search::Search;
use super::select;
use crate::guide::{Choice, Guide};

impl<G: Game, H: Guide<G>> Search<G, H> {
    /// Whether all edges of a node are possible whenever it is visited: who knows the same has the same options.
    fn all_are_legal(&self) -> bool {
        self.config.keys == Keys::Knowledge
    }

    /// Puts the offsets of the possible edges into `legal`, and adds edges for options not seen before as long as there is
    /// room.
    pub(super) fn list_legal(&mut self, game: &G, world: &G::State, mover: Player, node: u32) {
        self.legal.clear();
        let range = self.tree.range(node);
        if self.all_are_legal() {
            self.legal.extend(0..range.len() as u16);
            return;
        }
        self.list_options(game, world, mover);
        let mut next = 0;
        for i in 0..self.options.len() {
            let option = self.options[i];
            let labels = &self.tree.labels[self.tree.range(node)];
            let n = labels.len();
            let found = (next..n).chain(0..next.min(n)).find(|&offset| labels[offset] == option);
            let offset = match found {
                Some(offset) => offset,
                None if self.has_room(0) => {
                    self.tree.add_edge(node, option, matches!(option, Choice::Plan(_)));
                    n
                }
                None => continue,
            };
            next = offset + 1;
            self.legal.push(offset as u16);
        }
        self.grow_root(node);
    }

    pub(super) fn grow_root(&mut self, node: u32) {
        if node == self.root {
            let n = usize::from(self.tree.nodes[node as usize].len);
            self.root_sums.resize(n, ByPlayer::default());
            self.root_counts.resize(n, 0.0);
        }
    }

    fn list_options(&mut self, game: &G, world: &G::State, mover: Player) {
        self.options.clear();
        if H::HAS_PLANS && self.config.plans {
            self.guide.plans(game, world, mover, &mut self.options);
        }
        if self.options.is_empty() || self.config.plies > 0.0 {
            self.actions.clear();
            game.actions(world, mover, &mut self.actions);
            self.options.extend(self.actions.iter().map(|&action| Choice::Ply(action)));
        }
    }

    pub(super) fn add_node(
        &mut self,
        game: &G,
        world: &G::State,
        mover: Player,
        key: Option<u64>,
    ) -> u32 {
        self.list_options(game, world, mover);
        let is_plan = |label: &Choice<_, _>| matches!(label, Choice::Plan(_));
        let node = self.tree.add_node(mover.idx() as u8, &self.options, is_plan);
        if let Some(key) = key {
            self.tree.enter(key, node);
        }
        self.legal.clear();
        self.legal.extend(0..self.options.len() as u16);
        if self.config.needs_priors() {
            self.add_priors(game, world, node, mover);
        }
        node
    }

    fn add_priors(&mut self, game: &G, world: &G::State, node: u32, mover: Player) {
        self.weights.clear();
        if matches!(game.turn(world), Turn::Together(_)) {
            self.guide.weigh_together(game, world, mover, &self.options, &mut self.weights);
            self.weights.resize(self.options.len(), 0.0);
        } else {
            self.guide.weigh(game, world, &self.options, &mut self.rng, &mut self.weights);
        }
        select::softmax(&mut self.weights, self.config.temperature);
        let weights = &self.weights;
        self.ranks.clear();
        self.ranks.extend(0..weights.len() as u16);
        self.ranks.sort_unstable_by(|&a, &b| {
            let order = weights[usize::from(b)].total_cmp(&weights[usize::from(a)]);
            order.then(a.cmp(&b))
        });
        let edges = &mut self.tree.edges[self.tree.nodes[node as usize].first as usize..];
        for (rank, &offset) in self.ranks.iter().enumerate() {
            edges[usize::from(offset)].rank = rank as u16;
            edges[usize::from(offset)].prior = weights[usize::from(offset)];
        }
    }
}
