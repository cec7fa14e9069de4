//! One search: iterations over one tree, with one stream of randomness.
//!
//! An iteration takes a world, walks down the tree (`select`, `mixed`), plays on from the leaf (`rollout`), values
//! what it reached (`values`) and updates every edge on the way. In a deterministic game edges know their children
//! and results can be proven (`solver`); elsewhere the node of a mover is found by what he knows, or by the choices
//! that led to it.

use engine::{ByPlayer, Fast, Game, Joint, Player, PlayerSet, Turn};

use super::config::{Backup, Config, Keys, Origin, Rollout, Seek, Select};
use super::path::{Reach, Step};
use super::rollout::{Horizon, Mast, Playing};
use super::tree::{NONE, Tree};
use super::{select, values};
use crate::guide::{Choice, Choices, Guide, Progress};

/// Visits after which a node's best option is known well enough to hand it up.
const KNOWN_A_LITTLE: u32 = 8;

/// A tree and all that an iteration needs.
#[derive(Clone, Debug)]
pub(super) struct Search<G: Game, H: Guide<G>> {
    pub(super) config: Config,
    pub(super) guide: H,
    pub(super) tree: Tree<Choice<G::Action, H::Plan>>,
    pub(super) rng: Fast,
    pub(super) me: Player,
    /// The node of the decision that is due.
    pub(super) root: u32,
    /// What all players got, summed up by edge of the root.
    pub(super) root_sums: Vec<ByPlayer<f64>>,
    /// How often each edge of the root was taken for this decision.
    pub(super) root_counts: Vec<f64>,
    /// The edge of the root that iterations must take.
    pub(super) forced: Option<u16>,
    pub(super) mast: Mast,
    horizon: Horizon,
    pub(super) path: Vec<Step>,
    options: Choices<G, H::Plan>,
    actions: Vec<G::Action>,
    pub(super) legal: Vec<u16>,
    weights: Vec<f32>,
    ranks: Vec<u16>,
    /// What the options of a simultaneous turn are worth, one member after the other.
    pub(super) worth: Vec<f32>,
    /// How the choices of this iteration were sampled.
    pub(super) reach: Reach,
    /// Whether proven results are used: they are those of max^n.
    pub(super) proves: bool,
    pub(super) n_iterations: u64,
    pub(super) n_choices: u64,
    pub(super) deepest: u32,
}

impl<G: Game, H: Guide<G>> Search<G, H> {
    pub(super) fn new(config: Config, guide: H, rng: Fast) -> Self {
        Self {
            tree: Tree::new(config.backup == Backup::Max),
            mast: Mast::new(config.rollout == Rollout::Mast),
            horizon: Horizon::new(&config, Progress::default()),
            config,
            guide,
            rng,
            me: Player::new(0),
            root: NONE,
            root_sums: Vec::new(),
            root_counts: Vec::new(),
            forced: None,
            path: Vec::new(),
            options: Vec::new(),
            actions: Vec::new(),
            legal: Vec::new(),
            weights: Vec::new(),
            ranks: Vec::new(),
            worth: Vec::new(),
            reach: Reach::default(),
            proves: config.solver,
            n_iterations: 0,
            n_choices: 0,
            deepest: 0,
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
        self.root = found.unwrap_or_else(|| self.add_node(game, world, me, Some(key)));
        self.root_sums.clear();
        self.root_counts.clear();
        self.grow_root(self.root);
        self.forced = None;
        (self.n_iterations, self.n_choices, self.deepest) = (0, 0, 0);
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
            let offset = found.unwrap_or_else(|| {
                self.tree.add_edge(node, option, matches!(option, Choice::Plan(_)));
                n
            });
            next = offset + 1;
            self.legal.push(offset as u16);
        }
        self.grow_root(node);
    }

    fn grow_root(&mut self, node: u32) {
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

    /// The offset of the edge that a visit of `node` takes.
    pub(super) fn pick(&mut self, node: u32, is_together: bool) -> u16 {
        if let (Some(offset), true) = (self.forced, node == self.root) {
            return offset;
        }
        let rule = select::rule(is_together, &self.config);
        let at = self.tree.nodes[node as usize];
        let config = &self.config;
        let range = self.tree.range(node);
        let edges = &mut self.tree.edges[range];
        let has_seen = config.keys == Keys::Open;
        if has_seen {
            self.legal.iter().for_each(|&i| edges[usize::from(i)].seen += 1);
        }
        // Once their share has grown to a whole visit, so that nodes with few visits keep to their plans.
        let only_plies =
            at.has_plans && (at.ply_visits + 1) as f32 <= config.plies * at.visits as f32;
        let width = select::width(at.visits, config);
        let growth = if rule == Select::Puct { 0.0 } else { select::growth(at.visits + 1) };
        let n = self.legal.len();
        let start = select::spread_out(node, at.visits, n);
        let mut best = (f32::NEG_INFINITY, self.legal[start]);
        let mut n_open = 0;
        // Of the options that were never tried, only the one with the largest prior can be the best.
        let mut untried = f32::NEG_INFINITY;
        for &offset in self.legal[start..].iter().chain(&self.legal[..start]) {
            let edge = &edges[usize::from(offset)];
            let is_out = only_plies && edge.is_plan || u32::from(edge.rank) >= width;
            if is_out {
                continue;
            }
            n_open += 1;
            if edge.visits == 0 && !has_seen {
                if edge.prior <= untried {
                    continue;
                }
                untried = edge.prior;
            }
            let growth = if has_seen { select::growth(edge.seen) } else { growth };
            let score = select::score(edge, at.mean, rule, config, growth, at.visits);
            if score > best.0 {
                best = (score, offset);
            }
        }
        if n_open == 0 { self.first_by_rank(node) } else { best.1 }
    }

    /// The possible edge with the best prior, where progressive widening has opened none of the possible ones.
    pub(super) fn first_by_rank(&self, node: u32) -> u16 {
        let edges = &self.tree.edges[self.tree.range(node)];
        let first = self.legal.iter().min_by_key(|&&offset| edges[usize::from(offset)].rank);
        *first.expect("a mover has options")
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
            actions: &mut self.actions,
            rng: &mut self.rng,
            horizon: self.horizon,
            careful: self.config.careful,
        }
    }

    /// Hands the result of an iteration up the path.
    pub(super) fn finish(&mut self, utilities: &ByPlayer<f32>) {
        self.n_iterations += 1;
        self.n_choices += self.path.len() as u64;
        self.deepest = self.deepest.max(self.path.len() as u32);
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
            if step.node == self.root {
                self.add_to_root(&step, &found);
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

    fn add_to_root(&mut self, step: &Step, utilities: &ByPlayer<f32>) {
        let offset = step.edge - self.tree.nodes[step.node as usize].first;
        self.root_counts[offset as usize] += 1.0;
        let sums = &mut self.root_sums[offset as usize];
        sums.0.iter_mut().zip(utilities.0).for_each(|(sum, utility)| *sum += f64::from(utility));
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
