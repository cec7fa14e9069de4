//! Iterations in games where every action has one certain result: edges store their children, and results can be
//! proven.

use engine::{ByPlayer, Game, Player, PlayerSet, Turn};

use super::config::{Config, Select};
use super::index::NONE;
use super::path::Step;
use super::search::Search;
use super::tree::Tree;
use super::{select, solver};
use crate::guide::{Choice, Guide};

/// Returns whether the result of the root is certain.
pub(super) fn is_solved<G: Game, H: Guide<G>>(search: &Search<G, H>) -> bool {
    search.proves && solver::result_of(&search.tree, search.root.node).is_some()
}

/// Runs one iteration in a deterministic game, where edges store their children.
pub(super) fn iterate<G: Game, H: Guide<G>>(
    search: &mut Search<G, H>,
    game: &G,
    mut state: G::State,
) {
    search.path.clear();
    let mut node = search.root.node;
    let utilities = loop {
        let mut edge = step(search, node);
        if let Some(result) = search.tree.proof(edge) {
            let further = look_further(&search.tree, node, &mut search.path, &search.config);
            let Some(other) = further else { break result };
            edge = other;
        }
        let Choice::Ply(action) = search.tree.labels[edge] else {
            unreachable!("a deterministic game has no macro-actions")
        };
        let mover = Player::new(usize::from(search.tree.nodes[node as usize].mover));
        search.mast.note(mover, action);
        game.apply(&mut state, action);
        let Turn::Player(next) = game.turn(&state) else {
            break reach_end(search, game, &state, edge);
        };
        let is_fresh = search.tree.edges[edge].visits == 0;
        if is_fresh || search.path.len() >= usize::from(search.config.depth) {
            break search.play_out(game, &mut state);
        }
        node = match search.tree.edges[edge].certain_child() {
            Some(child) => child,
            None if search.has_room(1) => {
                let child = search.add_node(game, &state, next, None);
                search.tree.edges[edge].child = child;
                child
            }
            None => break search.play_out(game, &mut state),
        };
    };
    search.finish(&utilities);
    if search.proves {
        solver::prove_path(&mut search.tree, &search.path);
    }
}

fn reach_end<G: Game, H: Guide<G>>(
    search: &mut Search<G, H>,
    game: &G,
    state: &G::State,
    edge: usize,
) -> ByPlayer<f32> {
    let utilities = search.utilities(game, state);
    if search.proves {
        search.tree.prove(edge, utilities);
    }
    utilities
}

/// Chooses at `node` and records the choice in the path. Returns the edge.
fn step<G: Game, H: Guide<G>>(search: &mut Search<G, H>, node: u32) -> usize {
    let at = &search.tree.nodes[node as usize];
    let mover = Player::new(usize::from(at.mover));
    let config = &search.config;
    let is_plain = config.select == Select::Ucb1 && !config.needs_priors() && config.shrink <= 0.0;
    let offset = if is_plain && config.fpu >= 10.0 && search.root.forced.is_none() {
        pick_plain(&mut search.tree, node, config.c)
    } else {
        search.scratch.list_all(at.len);
        search.pick(node, false)
    };
    let edge = search.tree.nodes[node as usize].first + u32::from(offset);
    let allies = PlayerSet::default();
    let (mixed, turn) = (None, NONE);
    search.path.push(Step { node, edge, mover, allies, mixed, turn, is_certain: false });
    edge as usize
}

/// Marks the last choice as certain. Takes the most promising uncertain edge of `node`, if there is one.
fn look_further<L: Copy>(
    tree: &Tree<L>,
    node: u32,
    path: &mut Vec<Step>,
    config: &Config,
) -> Option<usize> {
    let c_growth = config.c * select::growth(tree.nodes[node as usize].visits);
    let promise = |edge: usize| {
        let edge = &tree.edges[edge];
        if edge.visits == 0 { f32::MAX } else { select::ucb1(edge.mean, edge.spread, c_growth) }
    };
    let open = tree.range(node).filter(|&edge| !tree.edges[edge].is_proven());
    let edge = open.max_by(|&a, &b| promise(a).total_cmp(&promise(b)))?;
    let last = path.last_mut()?;
    last.is_certain = true;
    let further = Step { edge: edge as u32, is_certain: false, ..*last };
    path.push(further);
    Some(edge)
}

/// Returns the edge by plain UCB1: every option once, then the best.
#[inline]
fn pick_plain<L: Copy>(tree: &mut Tree<L>, node: u32, c: f32) -> u16 {
    let at = &mut tree.nodes[node as usize];
    let n = u32::from(at.len);
    if at.opened < at.len {
        let start = select::spread_out(node, 0, n as usize) as u32;
        let offset = start + u32::from(at.opened);
        at.opened += 1;
        return if offset < n { offset } else { offset - n } as u16;
    }
    let c_growth = c * select::growth(at.visits);
    let edges = &tree.edges[at.first as usize..][..n as usize];
    let mut best = (f32::NEG_INFINITY, 0);
    for (offset, edge) in edges.iter().enumerate() {
        let score = select::ucb1(edge.mean, edge.spread, c_growth);
        if score > best.0 {
            best = (score, offset as u16);
        }
    }
    best.1
}
