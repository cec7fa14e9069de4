//! Iterations where every action has one certain result: edges know their children, and results can be proven.

use engine::{ByPlayer, Game, Player, PlayerSet, Turn};

use super::config::Select;
use super::path::Step;
use super::search::Search;
use super::tree::NONE;
use super::{select, solver};
use crate::guide::{Choice, Guide};

impl<G: Game, H: Guide<G>> Search<G, H> {
    /// Whether the result of the root is certain.
    pub(super) fn is_solved(&self) -> bool {
        self.proves && solver::result_of(&self.tree, self.root.node).is_some()
    }

    /// One iteration in a deterministic game, where edges know their children.
    pub(super) fn iterate_fixed(&mut self, game: &G, mut state: G::State) {
        self.path.clear();
        let mut node = self.root.node;
        let utilities = loop {
            let mut edge = self.step_fixed(node);
            if let Some(result) = self.tree.proof(edge) {
                let Some(other) = self.look_further(node) else { break result };
                edge = other;
            }
            let Choice::Ply(action) = self.tree.labels[edge] else {
                unreachable!("a deterministic game has no macro-actions")
            };
            let mover = Player::new(usize::from(self.tree.nodes[node as usize].mover));
            self.mast.note(mover, action);
            game.apply(&mut state, action);
            let Turn::Player(next) = game.turn(&state) else {
                break self.reach_end(game, &state, edge);
            };
            let is_fresh = self.tree.edges[edge].visits == 0;
            if is_fresh || self.path.len() >= usize::from(self.config.depth) {
                break self.play_out(game, state);
            }
            node = self.tree.edges[edge].child;
            if node == NONE {
                if !self.has_room(1) {
                    break self.play_out(game, state);
                }
                node = self.add_node(game, &state, next, None);
                self.tree.edges[edge].child = node;
            }
        };
        self.finish(&utilities);
        if self.proves {
            solver::prove_path(&mut self.tree, &self.path);
        }
    }

    fn reach_end(&mut self, game: &G, state: &G::State, edge: usize) -> ByPlayer<f32> {
        let utilities = self.utilities(game, state);
        if self.proves {
            self.tree.prove(edge, utilities);
        }
        utilities
    }

    /// Chooses at `node`, and notes it in the path; returns the edge.
    fn step_fixed(&mut self, node: u32) -> usize {
        let at = &mut self.tree.nodes[node as usize];
        let mover = Player::new(usize::from(at.mover));
        let is_plain = self.config.select == Select::Ucb1 && !self.config.needs_priors();
        let offset = if is_plain && self.config.fpu >= 10.0 && self.root.forced.is_none() {
            self.pick_plain(node)
        } else {
            self.scratch.legal.clear();
            self.scratch.legal.extend(0..at.len);
            self.pick(node, false)
        };
        let edge = self.tree.nodes[node as usize].first + u32::from(offset);
        let allies = PlayerSet::default();
        let (lottery, turn) = (None, NONE);
        self.path.push(Step { node, edge, mover, allies, lottery, turn, is_certain: false });
        edge as usize
    }

    /// Notes that the last choice is certain, and takes the most promising edge of `node` that is not, if there is one.
    fn look_further(&mut self, node: u32) -> Option<usize> {
        let c_growth = self.config.c * select::growth(self.tree.nodes[node as usize].visits);
        let promise = |edge: usize| {
            let edge = &self.tree.edges[edge];
            if edge.visits == 0 { f32::MAX } else { select::ucb1(edge.mean, edge.spread, c_growth) }
        };
        let open = self.tree.range(node).filter(|&edge| !self.tree.edges[edge].is_proven());
        let edge = open.max_by(|&a, &b| promise(a).total_cmp(&promise(b)))?;
        let last = self.path.last_mut()?;
        last.is_certain = true;
        let further = Step { edge: edge as u32, is_certain: false, ..*last };
        self.path.push(further);
        Some(edge)
    }

    /// UCB1 without anything else: every option once, then the best.
    #[inline]
    fn pick_plain(&mut self, node: u32) -> u16 {
        let at = &mut self.tree.nodes[node as usize];
        let n = u32::from(at.len);
        if at.opened < at.len {
            let start = select::spread_out(node, 0, n as usize) as u32;
            let offset = start + u32::from(at.opened);
            at.opened += 1;
            return if offset < n { offset } else { offset - n } as u16;
        }
        let c_growth = self.config.c * select::growth(at.visits);
        let edges = &self.tree.edges[at.first as usize..][..n as usize];
        let mut best = (f32::NEG_INFINITY, 0);
        for (offset, edge) in edges.iter().enumerate() {
            let score = select::ucb1(edge.mean, edge.spread, c_growth);
            if score > best.0 {
                best = (score, offset as u16);
            }
        }
        best.1
    }
}
