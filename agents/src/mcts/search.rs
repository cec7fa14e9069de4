//! One search: iterations over one tree, with one stream of randomness.
//!
//! An iteration takes a world, walks down the tree (`select`, `mixed`), plays on from the leaf (`rollout`), values
//! what it reached (`values`) and updates every edge on the way (`backup`). In a deterministic game edges know their children
//! and results can be proven (`solver`); elsewhere the node of a mover is found by what he knows, or by the choices
//! that led to it.

use engine::{ByPlayer, Fast, Game, Joint, Player, PlayerSet, Turn};

use super::config::{Backup, Config, NodeKey, OpponentModel, Origin, Rollout};
use super::path::{Reach, Step};
use super::rollout::{Cutoff, Mast, Playing};
use super::tree::{NONE, Tree};
use super::{select, values};
use crate::guide::{Choice, Choices, Guide, Progress};

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
    pub(super) fn grow(&mut self, n: usize) {
        self.sums.resize(n, ByPlayer::default());
        self.counts.resize(n, 0.0);
    }

    /// Notes what came of an edge.
    pub(super) fn note(&mut self, offset: usize, utilities: &ByPlayer<f32>) {
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
    /// Whether it could have used a node for which the tree had no room.
    pub(super) is_limited: bool,
}

/// Memory that is used again and means nothing from one call to the next, but for `legal`, which the listing of a
/// node leaves to the choice at it.
#[derive(Clone, Debug)]
pub(super) struct Scratch<G: Game, H: Guide<G>> {
    pub(super) options: Choices<G, H::Macro>,
    pub(super) actions: Vec<G::Action>,
    /// The offsets of the possible edges of a node.
    pub(super) legal: Vec<u16>,
    pub(super) logits: Vec<f32>,
    pub(super) ranks: Vec<u16>,
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
    cutoff: Cutoff,
    /// Whether proven results are used: they are those of max^n.
    pub(super) proves: bool,

    // What is learnt.
    pub(super) tree: Tree<Choice<G::Action, H::Macro>>,
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
            cutoff: Cutoff::new(&config, Progress::default()),
            proves: config.solver,
            tree: Tree::new(config.backup == Backup::Max, config.nodes_of_a_tree()),
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

    /// Prepares the decision of `me` in `world`; `keep` says whether an older tree may be used. One whose leaves lie at
    /// another horizon is not, nor one that is full.
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

    /// The key of a mover's node.
    pub(super) fn key(&self, game: &G, world: &G::State, mover: Player, trail: u64) -> u64 {
        let what = match self.config.node_key {
            NodeKey::Infoset => game.knowledge(world, mover),
            NodeKey::OpenLoop => self.guide.situation(game, world) ^ trail,
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
                _ if self.cutoff.is_passed(|| self.guide.progress(game, &world)) => {
                    break self.utilities(game, &world);
                }
                Turn::Chance => {
                    let outcome = game.draw(&world, &mut self.rng);
                    game.apply(&mut world, outcome);
                }
                _ if is_fresh || self.path.len() >= usize::from(self.config.depth) => {
                    break self.play_out(game, world);
                }
                Turn::Player(mover) if self.is_outside(mover) => {
                    self.playing(game).act(&mut world, mover);
                }
                Turn::Player(mover) => {
                    self.reach.begin_turn();
                    let Some(edge) = self.step(game, &world, mover, trail, NONE) else {
                        break self.play_out(game, world);
                    };
                    is_fresh = self.tree.edges[edge].visits == 0;
                    trail = select::stir(trail ^ self.trail_of());
                    self.follow(game, &mut world, mover, edge);
                }
                Turn::Together(movers) if self.has_room_for(game, &world, movers, trail) => {
                    (is_fresh, trail) = self.step_together(game, &mut world, movers, trail);
                }
                Turn::Together(_) => break self.play_out(game, world),
            }
        };
        self.finish(&utilities);
    }

    /// Plays on without the tree, and values what comes of it.
    pub(super) fn play_out(&mut self, game: &G, mut world: G::State) -> ByPlayer<f32> {
        self.playing(game).play_on(&mut world);
        self.utilities(game, &world)
    }

    /// Whether the tree has room for `n` more nodes; if not, that is noted.
    pub(super) const fn has_room(&mut self, n: usize) -> bool {
        let has_room = self.tree.has_room(n);
        self.effort.is_limited |= !has_room;
        has_room
    }

    /// Whether all `movers` of a simultaneous turn have a node, or can get one.
    fn has_room_for(&mut self, game: &G, world: &G::State, movers: PlayerSet, trail: u64) -> bool {
        let is_missing = |mover: Player| {
            !self.is_outside(mover) && self.tree.find(self.key(game, world, mover, trail)).is_none()
        };
        self.tree.has_room(movers.len())
            || !movers.iter().any(is_missing)
            || self.has_room(movers.len())
    }

    fn is_outside(&self, mover: Player) -> bool {
        self.config.opponent_model == OpponentModel::SelfOnly && mover != self.me
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
            let Some(edge) = self.step(game, world, mover, trail, turn) else {
                joint[mover] = Some(self.playing(game).ply_together(world, mover));
                continue;
            };
            is_fresh |= self.tree.edges[edge].visits == 0;
            after = select::stir(after ^ self.trail_of());
            let Choice::Ply(action) = self.tree.labels[edge] else {
                unreachable!("a simultaneous turn has no macro-actions")
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
            Choice::Macro(whole) => {
                self.guide.carry_out(game, world, mover, whole, &mut self.rng);
            }
        }
    }

    /// Chooses for `mover` in the simultaneous turn that begins at `turn` of the path, or alone, and notes it in the path;
    /// returns the edge, or `None` where the tree has no room for the choice.
    fn step(
        &mut self,
        game: &G,
        world: &G::State,
        mover: Player,
        trail: u64,
        turn: u32,
    ) -> Option<usize> {
        let is_together = turn != NONE;
        let key = self.key(game, world, mover, trail);
        let node = match self.tree.find(key) {
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
        let (offset, lottery) = match self.rule(is_together) {
            Some(rule) => self.sample(node, mover, rule),
            None => (self.pick(node, is_together), None),
        };
        let edge = self.tree.nodes[node as usize].first + u32::from(offset);
        let allies = match self.config.opponent_model {
            OpponentModel::Alliance => self.guide.allies(game, world, mover),
            _ => PlayerSet::default(),
        };
        self.path.push(Step { node, edge, mover, allies, lottery, turn, is_certain: false });
        Some(edge as usize)
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
        if self.config.node_key == NodeKey::OpenLoop {
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
            cutoff: self.cutoff,
            heavy_moves: self.config.heavy_moves,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use engine::games::tic_tac_toe::{Mark, State, TicTacToe};
    use engine::{Purpose, rng};

    use super::super::config::Horizon;
    use super::*;
    use crate::guide::{Evaluator, MacroActions, Prior, RolloutPolicy};

    /// A guide for which every ply is a round.
    #[derive(Clone, Debug)]
    struct Ticking;

    impl Evaluator<TicTacToe> for Ticking {
        const CAN_ESTIMATE: bool = true;
    }

    impl Prior<TicTacToe> for Ticking {}

    impl RolloutPolicy<TicTacToe> for Ticking {}

    impl MacroActions<TicTacToe> for Ticking {
        type Macro = Infallible;
    }

    impl Guide<TicTacToe> for Ticking {
        fn progress(&self, game: &TicTacToe, world: &State) -> Progress {
            let mut free = Vec::new();
            if let Turn::Player(mover) = game.turn(world) {
                game.actions(world, mover, &mut free);
            }
            Progress { round: 9 - free.len() as u32, ..Progress::default() }
        }
    }

    /// Visits that the root of a second decision, two plies on, has from the search of the first.
    fn kept(horizon: Horizon) -> u32 {
        let config = Config { horizon, rounds: 4, ..Config::default() };
        let dice = rng::fast(&mut rng::stream(1, 0, Purpose::Analysis));
        let mut search = Search::new(config, Ticking, dice);
        let mut world = TicTacToe.start();
        search.set_root(&TicTacToe, &world, Player::new(0), true);
        (0..2000).for_each(|_| search.iterate(&TicTacToe, world));
        [Mark(0), Mark(4)].into_iter().for_each(|mark| TicTacToe.apply(&mut world, mark));
        search.set_root(&TicTacToe, &world, Player::new(0), true);
        search.tree.nodes[search.root.node as usize].visits
    }

    #[test]
    fn a_tree_is_kept_only_if_its_leaves_lie_where_those_of_the_new_search_will() {
        for (horizon, is_kept) in [
            (Horizon::Full, true),
            (Horizon::Leaf, true),
            (Horizon::Stage, true),
            (Horizon::Round, false),
        ] {
            assert_eq!(kept(horizon) > 0, is_kept, "{horizon:?}");
        }
    }
}
