//! The options of a decision become the edges of a node, with their priors.

use engine::{Game, Player, Turn};

use super::config::NodeKey;
use super::search::{Scratch, Search};
use super::select;
use crate::guide::{Choice, Guide};

impl<G: Game, H: Guide<G>> Search<G, H> {
    /// Whether all edges of a node are possible whenever it is visited: who knows the same has the same options.
    fn all_are_legal(&self) -> bool {
        self.config.node_key == NodeKey::Infoset
    }

    /// Puts the offsets of the possible edges into `legal`, and adds edges for options not seen before as long as there is
    /// room.
    pub(super) fn list_legal(&mut self, game: &G, world: &G::State, mover: Player, node: u32) {
        self.scratch.legal.clear();
        let range = self.tree.range(node);
        if self.all_are_legal() {
            self.scratch.legal.extend(0..range.len() as u16);
            return;
        }
        self.list_options(game, world, mover);
        let mut next = 0;
        for i in 0..self.scratch.options.len() {
            let option = self.scratch.options[i];
            let labels = &self.tree.labels[self.tree.range(node)];
            let n = labels.len();
            let found = (next..n).chain(0..next.min(n)).find(|&offset| labels[offset] == option);
            let offset = match found {
                Some(offset) => offset,
                None if self.has_room(0) => {
                    self.tree.add_edge(node, option, matches!(option, Choice::Macro(_)));
                    n
                }
                None => continue,
            };
            next = offset + 1;
            self.scratch.legal.push(offset as u16);
        }
        self.grow_root(node);
    }

    pub(super) fn grow_root(&mut self, node: u32) {
        if node == self.root.node {
            self.root.grow(usize::from(self.tree.nodes[node as usize].len));
        }
    }

    fn list_options(&mut self, game: &G, world: &G::State, mover: Player) {
        let Scratch { options, actions, .. } = &mut self.scratch;
        options.clear();
        if H::HAS_MACROS && self.config.macro_actions {
            self.guide.macro_actions(game, world, mover, options);
        }
        if options.is_empty() || self.config.plies > 0.0 {
            actions.clear();
            game.actions(world, mover, actions);
            options.extend(actions.iter().map(|&action| Choice::Ply(action)));
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
        let is_macro = |label: &Choice<_, _>| matches!(label, Choice::Macro(_));
        let node = self.tree.add_node(mover.idx() as u8, &self.scratch.options, is_macro);
        if let Some(key) = key {
            self.tree.enter(key, node);
        }
        self.scratch.legal.clear();
        self.scratch.legal.extend(0..self.scratch.options.len() as u16);
        if self.config.needs_priors() {
            self.add_priors(game, world, node, mover);
        }
        node
    }

    fn add_priors(&mut self, game: &G, world: &G::State, node: u32, mover: Player) {
        let Scratch { options, logits, ranks, .. } = &mut self.scratch;
        logits.clear();
        if matches!(game.turn(world), Turn::Together(_)) {
            self.guide.logits_together(game, world, mover, options, logits);
            logits.resize(options.len(), 0.0);
        } else {
            self.guide.logits(game, world, options, &mut self.rng, logits);
        }
        select::softmax(logits, self.config.temperature);
        ranks.clear();
        ranks.extend(0..logits.len() as u16);
        ranks.sort_unstable_by(|&a, &b| {
            let order = logits[usize::from(b)].total_cmp(&logits[usize::from(a)]);
            order.then(a.cmp(&b))
        });
        let edges = &mut self.tree.edges[self.tree.nodes[node as usize].first as usize..];
        for (rank, &offset) in ranks.iter().enumerate() {
            edges[usize::from(offset)].rank = rank as u16;
            edges[usize::from(offset)].prior = logits[usize::from(offset)];
        }
    }
}
