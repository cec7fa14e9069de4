//! Iterations in games with varying results: nodes are found by their keys.

use engine::{Game, Joint, Player, PlayerSet, Turn};

use super::config::NodeKey;
use super::hash::stir;
use super::index::NONE;
use super::path::Reach;
use super::search::Search;
use crate::guide::{Choice, Guide};

/// Runs one iteration from `world` on.
pub(super) fn iterate<G: Game, H: Guide<G>>(
    search: &mut Search<G, H>,
    game: &G,
    mut world: G::State,
) {
    search.path.clear();
    search.reach = Reach::default();
    let mut trail = 0;
    let mut is_fresh = false;
    let utilities = loop {
        match game.turn(&world) {
            Turn::Over => break search.utilities(game, &world),
            _ if search.is_at_horizon(game, &world) => break search.utilities(game, &world),
            Turn::Chance => {
                let outcome = game.draw(&world, &mut search.rng);
                game.apply(&mut world, outcome);
            }
            _ if is_fresh || search.path.len() >= usize::from(search.config.depth) => {
                break search.play_out(game, &mut world);
            }
            Turn::Player(mover) if search.is_outside(mover) => {
                search.playing(game).act(&mut world, mover);
            }
            Turn::Player(mover) => {
                search.reach.begin_turn();
                let Some(edge) = search.step(game, &world, mover, trail, NONE) else {
                    break search.play_out(game, &mut world);
                };
                is_fresh = search.tree.edges[edge].visits == 0;
                trail = trail_of(search, trail);
                follow(search, game, &mut world, mover, edge);
            }
            Turn::Simultaneous(movers) if has_room_for(search, game, &world, movers, trail) => {
                (is_fresh, trail) = step_simultaneous(search, game, &mut world, movers, trail);
            }
            Turn::Simultaneous(_) => break search.play_out(game, &mut world),
        }
    };
    search.finish(&utilities);
}

/// Returns whether all `movers` of a simultaneous turn have nodes or can get them.
fn has_room_for<G: Game, H: Guide<G>>(
    search: &mut Search<G, H>,
    game: &G,
    world: &G::State,
    movers: PlayerSet,
    trail: u64,
) -> bool {
    let is_missing = |mover: Player| {
        !search.is_outside(mover)
            && search.tree.find(search.key(game, world, mover, trail)).is_none()
    };
    let needs_no_room = !search.tree.has_room(movers.len()) && !movers.iter().any(is_missing);
    needs_no_room || search.has_room(movers.len())
}

/// Returns the trail `before` extended by the last choice on the path. It is used to find nodes.
#[inline]
fn trail_of<G: Game, H: Guide<G>>(search: &Search<G, H>, before: u64) -> u64 {
    let last = match search.config.node_key {
        NodeKey::OpenLoop => search.path.last(),
        NodeKey::Infoset => None,
    };
    last.map_or(before, |step| {
        let first = search.tree.nodes[step.node as usize].first;
        // The term is never zero, which would leave the trail unchanged.
        stir(before ^ ((u64::from(step.node) + 1) << 32 | u64::from(step.edge - first)))
    })
}

fn step_simultaneous<G: Game, H: Guide<G>>(
    search: &mut Search<G, H>,
    game: &G,
    world: &mut G::State,
    movers: PlayerSet,
    trail: u64,
) -> (bool, u64) {
    let mut joint = Joint::<G::Action>::default();
    let (mut is_fresh, mut after) = (false, trail);
    let turn = search.path.len() as u32;
    search.reach.begin_turn();
    for mover in movers.iter() {
        if search.is_outside(mover) {
            joint[mover] = Some(search.playing(game).ply_simultaneous(world, mover));
            continue;
        }
        let Some(edge) = search.step(game, world, mover, trail, turn) else {
            joint[mover] = Some(search.playing(game).ply_simultaneous(world, mover));
            continue;
        };
        is_fresh |= search.tree.edges[edge].visits == 0;
        after = trail_of(search, after);
        let Choice::Ply(action) = search.tree.labels[edge] else {
            unreachable!("a simultaneous turn has no macro-actions")
        };
        search.mast.note(mover, action);
        joint[mover] = Some(action);
    }
    game.apply_joint(world, &joint);
    (is_fresh, after)
}

fn follow<G: Game, H: Guide<G>>(
    search: &mut Search<G, H>,
    game: &G,
    world: &mut G::State,
    mover: Player,
    edge: usize,
) {
    match search.tree.labels[edge] {
        Choice::Ply(action) => {
            search.mast.note(mover, action);
            game.apply(world, action);
        }
        Choice::Macro(macro_action) => {
            search.guide.carry_out(game, world, mover, macro_action, &mut search.rng);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use engine::games::tic_tac_toe::{Mark, State, TicTacToe};
    use engine::{Purpose, rng};

    use super::super::config::{Config, Horizon};
    use super::*;
    use crate::guide::{Evaluator, MacroActions, Prior, Progress, RolloutPolicy};

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

    /// Returns the visits that the root of a second decision, two plies on, keeps from the first search.
    fn kept(horizon: Horizon) -> u32 {
        let config = Config { horizon, rounds: 4, ..Config::default() };
        let dice = rng::fast(&mut rng::stream(1, 0, Purpose::Analysis));
        let mut search = Search::new(config, Ticking, dice);
        let mut world = TicTacToe.start();
        search.set_root(&TicTacToe, &world, Player::new(0), true);
        (0..2000).for_each(|_| iterate(&mut search, &TicTacToe, world));
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
