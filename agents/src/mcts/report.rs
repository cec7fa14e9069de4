//! The report of a search for people: visits, values, the principal variation.

use engine::{Game, Notation, Player, Turn};

use super::Mcts;
use super::search::Search;
use crate::agent::{SearchReport, SearchedOption};
use crate::guide::{Choice, Guide};

/// Maximum number of choices in a principal variation.
const LONGEST_LINE: usize = 12;

/// Returns the report of the last searched decision.
pub(super) fn report<G: Notation, H: Guide<G>>(mcts: &Mcts<G, H>, game: &G) -> SearchReport {
    let searches = &mcts.searches;
    let iterations: u64 = searches.iter().map(|search| search.effort.iterations).sum();
    let choices: u64 = searches.iter().map(|search| search.effort.choices).sum();
    let text = |label: &Choice<G::Action, H::Macro>| choice_text(game, &mcts.guide, label);
    let mut options: Vec<SearchedOption> = mcts
        .options
        .iter()
        .enumerate()
        .map(|(i, option)| SearchedOption {
            number: i as u16,
            text: text(&option.label),
            action: first_action(mcts, game, &option.label),
            is_macro: matches!(option.label, Choice::Macro(_)),
            visits: option.visits,
            probability: mcts.shares.get(i).copied(),
            values: Player::all(game.n_players()).map(|player| option.value(player)).collect(),
            prior: option.prior.into(),
            is_proven: option.proof.is_some(),
            is_chosen: i == mcts.chosen,
        })
        .collect();
    options.sort_by_key(|option| std::cmp::Reverse(option.visits));
    let is_macro = |label: &Choice<_, _>| matches!(label, Choice::Macro(_));
    let has_macros = mcts.options.iter().any(|option| is_macro(&option.label));
    SearchReport {
        iterations,
        depth: choices as f64 / iterations.max(1) as f64,
        deepest: searches.iter().map(|search| search.effort.deepest).max().unwrap_or(0),
        nodes: searches.iter().map(|search| search.tree.nodes.len()).sum(),
        is_limited: mcts.is_limited(),
        bytes: searches.iter().map(|search| search.tree.bytes()).sum(),
        options,
        line: principal_line(mcts, game),
        left_macros: has_macros.then(|| !is_macro(&mcts.options[mcts.chosen].label)),
    }
}

fn choice_text<G: Notation, H: Guide<G>>(
    game: &G,
    guide: &H,
    label: &Choice<G::Action, H::Macro>,
) -> String {
    match label {
        Choice::Ply(action) => game.action_text(*action),
        Choice::Macro(macro_action) => guide.macro_text(game, *macro_action),
    }
}

/// Returns the first action of a choice.
fn first_action<G: Notation, H: Guide<G>>(
    mcts: &Mcts<G, H>,
    game: &G,
    label: &Choice<G::Action, H::Macro>,
) -> String {
    let action = match (label, mcts.world, mcts.searches.first()) {
        (Choice::Ply(action), _, _) => Some(*action),
        (Choice::Macro(macro_action), Some(world), Some(search)) => {
            mcts.guide.clone().ply_of(game, &world, search.me, *macro_action, true)
        }
        _ => None,
    };
    action.map_or_else(String::new, |action| game.action_text(action))
}

/// Returns the played choice, followed by the most visited choices of the first tree in one world.
fn principal_line<G: Notation, H: Guide<G>>(mcts: &Mcts<G, H>, game: &G) -> Vec<String> {
    let mut line = vec![choice_text(game, &mcts.guide, &mcts.options[mcts.chosen].label)];
    let (Some(mut world), Some(search)) = (mcts.world, mcts.searches.first()) else { return line };
    let mut search = search.clone();
    let mut label = mcts.options[mcts.chosen].label;
    let mut node = search.root.node;
    let mut plies = Vec::new();
    while line.len() < LONGEST_LINE {
        let Turn::Player(mover) = game.turn(&world) else { return line };
        advance(&mut search, game, &mut world, mover, label);
        while game.turn(&world) == Turn::Chance {
            let outcome = game.draw(&world, &mut search.rng);
            game.apply(&mut world, outcome);
        }
        let Turn::Player(mover) = game.turn(&world) else { return line };
        let Some(next) = below(&search, game, &world, mover, node, label) else { return line };
        // A node of `node_key=open-loop` also has edges of other positions.
        plies.clear();
        game.actions(&world, mover, &mut plies);
        let is_possible = |edge: &usize| match search.tree.labels[*edge] {
            Choice::Ply(action) => plies.contains(&action),
            Choice::Macro(_) => true,
        };
        let possible = search.tree.range(next).filter(is_possible);
        let best = possible.max_by_key(|&edge| search.tree.edges[edge].visits);
        let Some(best) = best.filter(|&edge| search.tree.edges[edge].visits > 0) else {
            return line;
        };
        label = search.tree.labels[best];
        let seat = mover.idx();
        line.push(format!("{seat}: {}", choice_text(game, &mcts.guide, &label)));
        node = next;
    }
    line
}

fn advance<G: Game, H: Guide<G>>(
    search: &mut Search<G, H>,
    game: &G,
    world: &mut G::State,
    mover: Player,
    label: Choice<G::Action, H::Macro>,
) {
    match label {
        Choice::Ply(action) => game.apply(world, action),
        Choice::Macro(macro_action) => {
            search.guide.carry_out(game, world, mover, macro_action, &mut search.rng);
        }
    }
}

/// Returns the node of the position after `label` at `node`, if the search has visited it.
fn below<G: Game, H: Guide<G>>(
    search: &Search<G, H>,
    game: &G,
    world: &G::State,
    mover: Player,
    node: u32,
    label: Choice<G::Action, H::Macro>,
) -> Option<u32> {
    let by_key = search.tree.find(search.key(game, world, mover, 0));
    by_key.or_else(|| {
        let edge = search.tree.range(node).find(|&edge| search.tree.labels[edge] == label)?;
        search.tree.edges[edge].certain_child()
    })
}
