//! One search: iterations over one tree, with one stream of randomness.
//!
//! An iteration takes a world, walks down the tree (`select`, `mixed`), plays on from the leaf (`rollout`), values
//! what it reached (`values`) and updates every edge on the way. In a deterministic game edges know their children
//! and results can be proven (`solver`); elsewhere the node of a mover is found by what he knows, or by the choices
//! that led to it.

use engine::{ByPlayer, Fast, Game, Joint, Player, PlayerSet, Turn};

use super::config::{Backup, Config, Keys, Origin, Rollout, Seek};
use super::path::{Reach, Step};
use super::rollout::{Horizon, Mast, Playing};
use super::tree::{NONE, Tree};
use super::{select, values};
use crate::guide::{Choice, Choices, Guide, Progress};

/// Visits after which a node's best option is known well enough to hand it up.
const KNOWN_A_LITTLE: u32 = 8;

/// The decision that is due, and what came of its options.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) node: u32,
    /// The edge that iterations must take.
    pub(super) forced: Option<u16>,
    /// What all players got, summed up by edge.
    pub(super) sums: Vec<ByPlayer<f64>>,
    /// How often each edge was taken for this decision.
    pub(super) counts: Vec<f64>,
}

impl Root {
    const NOWHERE: Self = Self { node: NONE, forced: None, sums: Vec::new(), counts: Vec::new() };

    /// Begins a decision.
    fn begin(&mut self, node: u32) {
        (self.node, self.forced) = (node, None);
        self.sums.clear();
        self.counts.clear();
    }

    /// Makes room for `n` edges.
    fn grow(&mut self, n: usize) {
        self.sums.resize(n, ByPlayer::default());
        self.counts.resize(n, 0.0);
    }

    /// Notes what came of an edge.
    fn note(&mut self, offset: usize, utilities: &ByPlayer<f32>) {
        self.counts[offset] += 1.0;
        let sums = &mut self.sums[offset];
        sums.0.iter_mut().zip(utilities.0).for_each(|(sum, utility)| *sum += f64::from(utility));
    }
}

/// What a decision took.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Effort {
    pub(super) iterations: u64,
    /// Choices on the paths of all iterations.
    pub(super) choices: u64,
    /// Choices on the longest path.
    pub(super) deepest: u32,
}

/// Memory that is used again and means nothing from one call to the next, but for `legal`, which the listing of a
/// node leaves to the choice at it.
#[derive(Clone, Debug)]
pub(super) struct Scratch<G: Game, H: Guide<G>> {
    options: Choices<G, H::Plan>,
    actions: Vec<G::Action>,
    /// The offsets of the possible edges of a node.
    pub(super) legal: Vec<u16>,
    logits: Vec<f32>,
    ranks: Vec<u16>,
    /// What the options of a simultaneous turn are worth, one member after the other.
    pub(super) worth: Vec<f32>,
}

impl<G: Game, H: Guide<G>> Scratch<G, H> {
    const EMPTY: Self = Self {
        options: Vec::new(),
        actions: Vec::new(),
        legal: Vec::new(),
        logits: Vec::new(),
        ranks: Vec::new(),
        worth: Vec::new(),
    };
}

/// A tree and all that an iteration needs.
#[derive(Clone, Debug)]
pub(super) struct Search<G: Game, H: Guide<G>> {
    // Constant.
    pub(super) config: Config,

    // Constant in a decision.
    pub(super) me: Player,
    horizon: Horizon,
    /// Whether proven results are used: they are those of max^n.
    pub(super) proves: bool,

    // What is learnt.
    pub(super) tree: Tree<Choice<G::Action, H::Plan>>,
    pub(super) mast: Mast,
    pub(super) root: Root,
    pub(super) effort: Effort,
    pub(super) rng: Fast,

    // The iteration.
    pub(super) path: Vec<Step>,
    /// How its choices were sampled.
    pub(super) reach: Reach,

    // Memory.
    pub(super) guide: H,
    pub(super) scratch: Scratch<G, H>,
}

impl<G: Game, H: Guide<G>> Search<G, H> {
    pub(super) fn new(config: Config, guide: H, rng: Fast) -> Self {
        Self {
            me: Player::new(0),
            horizon: Horizon::new(&config, Progress::default()),
            proves: config.solver,
            tree: Tree::new(config.backup == Backup::Max),
            mast: Mast::new(config.rollout == Rollout::Mast),
            root: Root::NOWHERE,
            effort: Effort::default(),
            rng,
            path: Vec::new(),
            reach: Reach::default(),
            guide,
            scratch: Scratch::EMPTY,
            config,
        }
    }

    /// Prepares the decision of `me` in `world`; `keep` says whether an older tree may be used.
    pub(super) fn set_root(&mut self, game: &G, world: &G::State, me: Player, keep: bool) {
        self.me = me;
        self.proves =
            self.config.solver && (self.config.seek == Seek::MaxN || game.n_players() == 2);
        self.horizon = Horizon::new(&self.config, self.guide.progress(game, world));
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

    /// The key of a mover's node.
    pub(super) fn key(&self, game: &G, world: &G::State, mover: Player, trail: u64) -> u64 {
        let what = match self.config.keys {
            Keys::Knowledge => game.knowledge(world, mover),
            Keys::Open => self.guide.situation(game, world) ^ trail,
        };
        select::stir(what ^ (mover.idx() as u64 + 1))
    }

    /// One iteration in a game where results may differ from visit to visit.
    pub(super) fn iterate(&mut self, game: &G, mut world: G::State) {
        self.path.clear();
        self.reach = Reach::default();
        let mut trail = 0;
        let mut is_fresh = false;
        let utilities = loop {
            match game.turn(&world) {
                Turn::Over => break self.utilities(game, &world),
                _ if self.horizon.is_passed(|| self.guide.progress(game, &world)) => {
                    break self.utilities(game, &world);
                }
                Turn::Chance => {
                    let outcome = game.draw(&world, &mut self.rng);
                    game.apply(&mut world, outcome);
                }
                _ if is_fresh || self.path.len() >= usize::from(self.config.depth) => {
                    self.playing(game).play_on(&mut world);
                    break self.utilities(game, &world);
                }
                Turn::Player(mover) if self.is_outside(mover) => {
                    self.playing(game).act(&mut world, mover);
                }
                Turn::Player(mover) => {
                    self.reach.begin_turn();
                    let edge = self.step(game, &world, mover, trail, NONE);
                    is_fresh = self.tree.edges[edge].visits == 0;
                    trail = select::stir(trail ^ self.trail_of());
                    self.follow(game, &mut world, mover, edge);
                }
                Turn::Together(movers) => {
                    (is_fresh, trail) = self.step_together(game, &mut world, movers, trail);
                }
            }
        };
        self.finish(&utilities);
    }

    fn is_outside(&self, mover: Player) -> bool {
        self.config.seek == Seek::SelfOnly && mover != self.me
    }

    /// A number for the last choice on the path, never zero, which would leave a trail as it was.
    fn trail_of(&self) -> u64 {
        self.path.last().map_or(0, |step| {
            let first = self.tree.nodes[step.node as usize].first;
            (u64::from(step.node) + 1) << 32 | u64::from(step.edge - first)
        })
    }

    fn step_together(
        &mut self,
        game: &G,
        world: &mut G::State,
        movers: PlayerSet,
        trail: u64,
    ) -> (bool, u64) {
        let mut joint = Joint::<G::Action>::default();
        let (mut is_fresh, mut after) = (false, trail);
        let turn = self.path.len() as u32;
        self.reach.begin_turn();
        for mover in movers.iter() {
            if self.is_outside(mover) {
                joint[mover] = Some(self.playing(game).ply_together(world, mover));
                continue;
            }
            let edge = self.step(game, world, mover, trail, turn);
            is_fresh |= self.tree.edges[edge].visits == 0;
            after = select::stir(after ^ self.trail_of());
            let Choice::Ply(action) = self.tree.labels[edge] else {
                unreachable!("a simultaneous turn has no plans")
            };
            self.mast.note(mover, action);
            joint[mover] = Some(action);
        }
        game.apply_joint(world, &joint);
        (is_fresh, after)
    }

    fn follow(&mut self, game: &G, world: &mut G::State, mover: Player, edge: usize) {
        match self.tree.labels[edge] {
            Choice::Ply(action) => {
                self.mast.note(mover, action);
                game.apply(world, action);
            }
            Choice::Plan(plan) => {
                self.guide.carry_out(game, world, mover, plan, &mut self.rng);
            }
        }
    }

    /// Chooses for `mover` in the simultaneous turn that begins at `turn` of the path, or alone, and notes it in the path;
    /// returns the edge.
    fn step(&mut self, game: &G, world: &G::State, mover: Player, trail: u64, turn: u32) -> usize {
        let is_together = turn != NONE;
        let key = self.key(game, world, mover, trail);
        let node = match self.tree.find(key) {
            Some(node) => {
                self.list_legal(game, world, mover, node);
                node
            }
            None => self.add_node(game, world, mover, Some(key)),
        };
        let (offset, lottery) = match self.rule(is_together) {
            Some(rule) => self.sample(node, mover, rule),
            None => (self.pick(node, is_together), None),
        };
        let edge = self.tree.nodes[node as usize].first + u32::from(offset);
        let allies = match self.config.seek {
            Seek::Alliance => self.guide.allies(game, world, mover),
            _ => PlayerSet::default(),
        };
        self.path.push(Step { node, edge, mover, allies, lottery, turn, is_certain: false });
        edge as usize
    }

    /// Whether all edges of a node are possible whenever it is visited: who knows the same has the same options.
    fn all_are_legal(&self) -> bool {
        self.config.keys == Keys::Knowledge
    }

    /// Puts the offsets of the possible edges into `legal`, and adds edges for options not seen before.
    fn list_legal(&mut self, game: &G, world: &G::State, mover: Player, node: u32) {
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
            let offset = found.unwrap_or_else(|| {
                self.tree.add_edge(node, option, matches!(option, Choice::Plan(_)));
                n
            });
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

    fn list_options(&mut self, game: &G, world: &G::State, mover: Player) {
        self.scratch.options.clear();
        if H::HAS_PLANS && self.config.plans {
            self.guide.plans(game, world, mover, &mut self.scratch.options);
        }
        if self.scratch.options.is_empty() || self.config.plies > 0.0 {
            self.scratch.actions.clear();
            game.actions(world, mover, &mut self.scratch.actions);
            self.scratch
                .options
                .extend(self.scratch.actions.iter().map(|&action| Choice::Ply(action)));
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
        let node = self.tree.add_node(mover.idx() as u8, &self.scratch.options, is_plan);
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
        self.scratch.logits.clear();
        if matches!(game.turn(world), Turn::Together(_)) {
            self.guide.weigh_together(
                game,
                world,
                mover,
                &self.scratch.options,
                &mut self.scratch.logits,
            );
            self.scratch.logits.resize(self.scratch.options.len(), 0.0);
        } else {
            self.guide.weigh(
                game,
                world,
                &self.scratch.options,
                &mut self.rng,
                &mut self.scratch.logits,
            );
        }
        select::softmax(&mut self.scratch.logits, self.config.temperature);
        let logits = &self.scratch.logits;
        self.scratch.ranks.clear();
        self.scratch.ranks.extend(0..logits.len() as u16);
        self.scratch.ranks.sort_unstable_by(|&a, &b| {
            let order = logits[usize::from(b)].total_cmp(&logits[usize::from(a)]);
            order.then(a.cmp(&b))
        });
        let edges = &mut self.tree.edges[self.tree.nodes[node as usize].first as usize..];
        for (rank, &offset) in self.scratch.ranks.iter().enumerate() {
            edges[usize::from(offset)].rank = rank as u16;
            edges[usize::from(offset)].prior = logits[usize::from(offset)];
        }
    }

    /// The offset of the edge that a visit of `node` takes.
    pub(super) fn pick(&mut self, node: u32, is_together: bool) -> u16 {
        if let (Some(offset), true) = (self.root.forced, node == self.root.node) {
            return offset;
        }
        let at = self.tree.nodes[node as usize];
        let range = self.tree.range(node);
        let edges = &mut self.tree.edges[range];
        let legal = &self.scratch.legal;
        if self.config.keys == Keys::Open {
            legal.iter().for_each(|&i| edges[usize::from(i)].seen += 1);
        }
        let start = select::spread_out(node, at.visits, legal.len());
        let rule = select::rule(is_together, &self.config);
        select::best(edges, legal, start, &at, rule, &self.config)
            .unwrap_or_else(|| select::first_by_rank(edges, legal))
    }

    pub(super) fn utilities(&mut self, game: &G, world: &G::State) -> ByPlayer<f32> {
        values::utilities(game, world, &self.config, &mut self.guide)
    }

    pub(super) fn playing<'a>(&'a mut self, game: &'a G) -> Playing<'a, G, H> {
        Playing {
            game,
            config: &self.config,
            guide: &mut self.guide,
            mast: &mut self.mast,
            actions: &mut self.scratch.actions,
            rng: &mut self.rng,
            horizon: self.horizon,
            careful: self.config.careful,
        }
    }

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
                self.mix_in_best(&step, &mut found);
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
        let is_ply = !edge.is_plan;
        let node = &mut self.tree.nodes[step.node as usize];
        node.visits += 1;
        node.ply_visits += u32::from(is_ply);
        node.mean += (credit - node.mean) / node.visits as f32;
        if let Some(vector) = self.tree.vectors.get_mut(at) {
            vector.0.iter_mut().zip(utilities.0).for_each(|(mean, u)| *mean += (u - *mean) * share);
        }
    }

    /// Replaces a part of what is handed up by the mean of the node's best option.
    fn mix_in_best(&self, step: &Step, utilities: &mut ByPlayer<f32>) {
        if self.tree.nodes[step.node as usize].visits < KNOWN_A_LITTLE {
            return;
        }
        let range = self.tree.range(step.node);
        let visited = range.filter(|&edge| self.tree.edges[edge].visits > 0);
        let best =
            visited.max_by(|&a, &b| self.tree.edges[a].mean.total_cmp(&self.tree.edges[b].mean));
        let Some(best) = best else { return };
        let mix = self.config.mix;
        let vector = self.tree.proof(best).unwrap_or(self.tree.vectors[best]);
        utilities.0.iter_mut().zip(vector.0).for_each(|(u, best)| *u += mix * (best - *u));
    }
}
