//! A search: a tree, the state of its iterations, and their actions at each node.
//!
//! An iteration takes a world and walks down the tree (`walk`, or `fixed` for deterministic games). It plays on from
//! the leaf (`rollout`), evaluates the position (`evaluator`) and updates every edge on the path (`backup`). A mover's
//! node is found by the mover's information or by the choices that led to it. At the node, `select` or a mixed strategy
//! (`strategies`) chooses the option.

use engine::{ByPlayer, Fast, Game, Player, PlayerSet, Randomness, Turn};

use super::backup::WayUp;
use super::config::{Backup, Config, NodeKey, OpponentModel, Origin, Rollout};
use super::hash::stir;
use super::index::NONE;
use super::path::{Reach, Step};
use super::rollout::{Cutoff, Mast, Playing};
use super::root::Root;
use super::scratch::Scratch;
use super::strategies::{self, MixedStrategyDraw, Rule};
use super::tree::Tree;
use super::{evaluator, prior, select};
use crate::evaluators::AtLeaves;
use crate::guide::{Choice, Guide, Progress};

/// The effort for a decision.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Effort {
    pub(super) iterations: u64,
    /// The number of choices on the paths of all iterations.
    pub(super) choices: u64,
    /// The number of choices on the longest path.
    pub(super) deepest: u32,
    /// True if the tree had no room for a node that it needed.
    pub(super) is_limited: bool,
}

/// A tree with the state of its iterations.
#[derive(Clone, Debug)]
pub(super) struct Search<G: Game, H: Guide<G>> {
    // Constant: the settings. Set per decision: the searching player, the horizon, and whether proven results are used.
    // These results are valid for max^n.
    pub(super) config: Config,
    pub(super) me: Player,
    cutoff: Cutoff,
    pub(super) proves: bool,

    // Changed by every iteration: the statistics and the current iteration.
    pub(super) tree: Tree<Choice<G::Action, H::Macro>>,
    pub(super) mast: Mast,
    pub(super) root: Root,
    pub(super) effort: Effort,
    pub(super) rng: Fast,
    pub(super) path: Vec<Step>,
    /// The sampling probabilities of the choices on the path.
    pub(super) reach: Reach,

    /// The evaluator of leaves and priors, in place of the guide.
    pub(super) evaluator: Option<AtLeaves<G>>,

    // Scratch: memory without meaning between calls.
    pub(super) guide: H,
    pub(super) scratch: Scratch<G, H>,
}

impl<G: Game, H: Guide<G>> Search<G, H> {
    pub(super) fn new(config: Config, guide: H, rng: Fast) -> Self {
        Self {
            me: Player::new(0),
            cutoff: Cutoff::new(&config, Progress::default()),
            proves: config.solver,
            tree: Tree::new(config.backup == Backup::Max, config.nodes_of_a_tree()),
            mast: Mast::new(config.rollout == Rollout::Mast),
            root: Root::NOWHERE,
            effort: Effort::default(),
            rng,
            path: Vec::new(),
            reach: Reach::default(),
            evaluator: None,
            guide,
            scratch: Scratch::EMPTY,
            config,
        }
    }

    /// Prepares the decision of `me` in `world`. With `keep` an older tree may be used, unless it has another horizon
    /// or is full.
    pub(super) fn set_root(&mut self, game: &G, world: &G::State, me: Player, keep: bool) {
        self.me = me;
        self.proves = self.config.solver
            && (self.config.opponent_model == OpponentModel::MaxN || game.n_players() == 2);
        let cutoff = Cutoff::new(&self.config, self.guide.progress(game, world));
        let keep = keep && cutoff == self.cutoff && self.tree.has_room(1);
        self.cutoff = cutoff;
        let key = self.key(game, world, me, 0);
        let found = if keep { self.tree.find(key) } else { None };
        if found.is_none() && !(keep && self.config.origin == Origin::Start) {
            self.tree.clear();
        }
        let node = found.unwrap_or_else(|| self.add_node(game, world, me, Some(key)));
        self.root.begin(node);
        self.grow_root(node);
        self.effort = Effort::default();
    }

    /// Sets the horizon of a decision in `world`, without a tree.
    pub(super) fn see_from(&mut self, game: &G, world: &G::State) {
        self.cutoff = Cutoff::new(&self.config, self.guide.progress(game, world));
    }

    /// Returns whether an iteration ends here, before the end of the game.
    #[inline]
    pub(super) fn is_at_horizon(&self, game: &G, world: &G::State) -> bool {
        self.cutoff.is_passed(|| self.guide.progress(game, world))
    }

    /// Returns whether `mover` has no nodes in the tree and acts as in rollouts.
    pub(super) fn is_outside(&self, mover: Player) -> bool {
        self.config.opponent_model == OpponentModel::SelfOnly && mover != self.me
    }

    /// Returns the key of a mover's node.
    pub(super) fn key(&self, game: &G, world: &G::State, mover: Player, trail: u64) -> u64 {
        let what = match self.config.node_key {
            NodeKey::Infoset => game.info_state_key(world, mover),
            NodeKey::OpenLoop => self.guide.situation(game, world) ^ trail,
        };
        stir(what ^ (mover.idx() as u64 + 1))
    }

    /// Returns whether tree and memory have room for `n` more nodes. Records a lack of room.
    pub(super) fn has_room(&mut self, n: usize) -> bool {
        let has_room = self.tree.has_room(n);
        self.effort.is_limited |= !has_room;
        has_room && self.tree.reserve(n)
    }

    /// Adds the node of `mover` with all options.
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
            let Self { evaluator, guide, rng, scratch, .. } = self;
            match evaluator {
                Some(evaluator) => prior::evaluated(game, world, mover, evaluator, scratch),
                None => prior::logits(game, world, mover, guide, rng, scratch),
            }
            let edges = &mut self.tree.edges[self.tree.nodes[node as usize].first as usize..];
            let Scratch { logits, ranks, .. } = &mut self.scratch;
            prior::assign(logits, self.config.temperature, ranks, edges);
        }
        node
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

    /// Lists the offsets of the possible edges in `legal`. Adds edges for new options while there is room.
    fn list_legal(&mut self, game: &G, world: &G::State, mover: Player, node: u32) {
        // Equal information means equal options.
        if self.config.node_key == NodeKey::Infoset {
            self.scratch.list_all(self.tree.nodes[node as usize].len);
            return;
        }
        self.scratch.legal.clear();
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

    fn grow_root(&mut self, node: u32) {
        if node == self.root.node {
            self.root.grow(usize::from(self.tree.nodes[node as usize].len));
        }
    }

    /// Chooses for `mover`, alone or in the simultaneous turn that begins at `turn` of the path. Records the choice in
    /// the path. Returns the edge; `None` if the tree has no room for the choice.
    pub(super) fn step(
        &mut self,
        game: &G,
        world: &G::State,
        mover: Player,
        trail: u64,
        turn: u32,
    ) -> Option<usize> {
        let is_simultaneous = turn != NONE;
        let key = self.key(game, world, mover, trail);
        let found = match self.path.last() {
            Some(before) => self.tree.find_behind(before.edge as usize, key),
            None => self.tree.find(key),
        };
        let node = match found {
            Some(node) => {
                self.list_legal(game, world, mover, node);
                node
            }
            None if self.has_room(1) => self.add_node(game, world, mover, Some(key)),
            None => return None,
        };
        if self.scratch.legal.is_empty() {
            return None;
        }
        let (offset, mixed) = match select::mixed_strategy(is_simultaneous, &self.config) {
            Some(rule) => self.sample(node, mover, rule),
            None => (self.pick(node, is_simultaneous), None),
        };
        let edge = self.tree.nodes[node as usize].first + u32::from(offset);
        let allies = match self.config.opponent_model {
            OpponentModel::Alliance => self.guide.allies(game, world, mover),
            _ => PlayerSet::default(),
        };
        self.path.push(Step { node, edge, mover, allies, mixed, turn, is_certain: false });
        Some(edge as usize)
    }

    /// Returns the offset of the edge for a visit of `node`.
    pub(super) fn pick(&mut self, node: u32, is_simultaneous: bool) -> u16 {
        // With open-loop nodes an option may be impossible in some worlds.
        if let (Some(offset), true) = (self.root.forced, node == self.root.node)
            && (self.config.node_key == NodeKey::Infoset || self.scratch.legal.contains(&offset))
        {
            return offset;
        }
        let range = self.tree.range(node);
        let at = &self.tree.nodes[node as usize];
        let edges = &mut self.tree.edges[range];
        let legal = &self.scratch.legal;
        if self.config.node_key == NodeKey::OpenLoop {
            legal.iter().for_each(|&i| edges[usize::from(i)].seen += 1);
        }
        let start = select::spread_out(node, at.visits, legal.len());
        let rule = select::rule(is_simultaneous, &self.config);
        select::best(edges, legal, start, at, rule, &self.config)
            .unwrap_or_else(|| select::first_by_rank(edges, legal))
    }

    /// Samples an option from the mixed strategy of `node`.
    fn sample(&mut self, node: u32, mover: Player, rule: Rule) -> (u16, Option<MixedStrategyDraw>) {
        let Self { config, tree, reach, rng, scratch: Scratch { legal, .. }, .. } = self;
        tree.keep_mixed();
        let range = tree.range(node);
        let visits = tree.nodes[node as usize].visits;
        select::narrow(&tree.edges[range.clone()], legal, visits, config);
        let strategy = &mut tree.mixed[range];
        let (learning, averaging) = reach.weights(mover, config.origin);
        strategies::prepare(strategy, legal, rule, config.gamma, averaging);
        let unit = rng.unit() as f32;
        let (chosen, probability) = strategies::draw(strategy, legal, config.gamma, unit);
        reach.note(mover, strategy[usize::from(chosen)].now, probability);
        (chosen, Some(MixedStrategyDraw { rule, probability, weight: learning }))
    }

    /// Plays on without the tree and returns the utilities of the final position.
    pub(super) fn play_out(&mut self, game: &G, world: &mut G::State) -> ByPlayer<f32> {
        self.playing(game).play_on(world);
        self.utilities(game, world)
    }

    pub(super) fn utilities(&mut self, game: &G, world: &G::State) -> ByPlayer<f32> {
        match &mut self.evaluator {
            Some(evaluator) if game.turn(world) != Turn::Over => {
                evaluator.values(game, world, self.me)
            }
            _ => evaluator::utilities(game, world, &self.config, &mut self.guide),
        }
    }

    pub(super) fn playing<'a>(&'a mut self, game: &'a G) -> Playing<'a, G, H> {
        Playing {
            game,
            config: &self.config,
            guide: &mut self.guide,
            mast: &mut self.mast,
            actions: &mut self.scratch.actions,
            rng: &mut self.rng,
            cutoff: self.cutoff,
            heavy_moves: self.config.heavy_moves,
        }
    }

    /// Returns whether the search cannot go on.
    pub(super) fn is_broken(&self) -> bool {
        self.tree.is_short() || self.evaluator.as_ref().is_some_and(AtLeaves::has_failed)
    }

    /// Passes the result of an iteration up its path.
    pub(super) fn finish(&mut self, utilities: &ByPlayer<f32>) {
        self.effort.iterations += 1;
        self.effort.choices += self.path.len() as u64;
        self.effort.deepest = self.effort.deepest.max(self.path.len() as u32);
        self.mast.learn(utilities);
        let mut way_up = WayUp {
            config: &self.config,
            me: self.me,
            path: &self.path,
            tree: &mut self.tree,
            root: &mut self.root,
            worth: &mut self.scratch.worth,
        };
        way_up.hand_up(utilities);
    }
}
