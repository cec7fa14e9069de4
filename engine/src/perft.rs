//! Counts of nodes by depth: the quickest proof that rules list and apply the right actions.
//!
//! A node is a position reached by a line of events: a position counts once for every line. All outcomes of chance with
//! a positive probability are lines, and so are all joint actions of a simultaneous turn. Forced decisions are part of
//! the event before them (see [`Game`]). Published numbers count them as plies and so agree only down to the depth
//! where the first forced decision occurs.

use crate::game::{Game, Joint, Turn};
use crate::player::{Player, PlayerSet};
use crate::walk::Walk;

/// Returns the number of nodes at each depth from 0 (which is `state` alone) to `depth`.
#[must_use]
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> Vec<u64> {
    let mut counts = vec![0; depth as usize + 1];
    count(game, state, &mut counts);
    counts
}

/// Returns the position after `n_events` random events of the run with seed `seed`, or the end if that comes first.
#[must_use]
pub fn position_after<G: Game>(game: &G, seed: u64, n_events: usize) -> G::State {
    let mut walk = Walk::new(game, seed, 0);
    walk.by_ref().take(n_events).for_each(drop);
    *walk.state()
}

fn count<G: Game>(game: &G, state: &G::State, counts: &mut [u64]) {
    let Some((here, below)) = counts.split_first_mut() else { return };
    *here += 1;
    match below {
        [] => {}
        [last] => *last += n_children(game, state),
        _ => for_each_child(game, state, &mut |child| count(game, child, below)),
    }
}

fn n_children<G: Game>(game: &G, state: &G::State) -> u64 {
    let mut scratch = Vec::new();
    match game.turn(state) {
        Turn::Player(player) => game.n_actions(state, player, &mut scratch) as u64,
        Turn::Simultaneous(players) => players
            .iter()
            .map(|player| game.n_actions(state, player, &mut scratch) as u64)
            .product(),
        Turn::Chance => possible(game, state).count() as u64,
        Turn::Over => 0,
    }
}

fn for_each_child<G: Game>(game: &G, state: &G::State, visit: &mut dyn FnMut(&G::State)) {
    let mut visit_after = |action| {
        let mut child = *state;
        game.apply(&mut child, action);
        visit(&child);
    };
    match game.turn(state) {
        Turn::Player(player) => actions(game, state, player).into_iter().for_each(visit_after),
        Turn::Chance => possible(game, state).for_each(&mut visit_after),
        Turn::Simultaneous(players) => {
            for_each_joint(game, state, players, &mut |joint| {
                let mut child = *state;
                game.apply_joint(&mut child, joint);
                visit(&child);
            });
        }
        Turn::Over => {}
    }
}

fn for_each_joint<G: Game>(
    game: &G,
    state: &G::State,
    players: PlayerSet,
    visit: &mut dyn FnMut(&Joint<G::Action>),
) {
    let mut joints = vec![Joint::default()];
    for player in players.iter() {
        let choices = actions(game, state, player);
        let with = |joint: Joint<G::Action>, action| {
            let mut joint = joint;
            joint[player] = Some(action);
            joint
        };
        joints = joints
            .into_iter()
            .flat_map(|joint| choices.iter().map(move |&action| with(joint, action)))
            .collect();
    }
    joints.iter().for_each(visit);
}

fn actions<G: Game>(game: &G, state: &G::State, player: Player) -> Vec<G::Action> {
    let mut actions = Vec::new();
    game.actions(state, player, &mut actions);
    actions
}

fn possible<G: Game>(game: &G, state: &G::State) -> impl Iterator<Item = G::Action> + use<G> {
    let mut outcomes = Vec::new();
    game.outcomes(state, &mut outcomes);
    outcomes.into_iter().filter(|(_, probability)| *probability > 0.0).map(|(outcome, _)| outcome)
}
