//! Macro-action coverage separates actions: a macro-action's own plies are covered, and random plies hardly ever.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agents::fitting::macros_of;
use agents::guide::{Choice, MacroActions, RolloutPolicy};
use agents::{Playable, Settings};
use engine::games::conquest2::Conquest2;
use engine::{Game, Player, Purpose, Turn, Walk, rng};
use lab::diagnose::macro_coverage::{is_spelled, play_to_its_end, texts};
use lab::diagnose::positions::Position;
use sim::error::Error;

type State = <Conquest2 as Game>::State;
type Action = <Conquest2 as Game>::Action;

/// Returns decisions among macro-actions of random games.
fn positions(game: &Conquest2) -> Vec<Position<State>> {
    let mut guide = game.guide(&Settings::default()).unwrap();
    let mut found = Vec::new();
    for index in 0..2 {
        let mut walk = Walk::new(game, 21, index);
        while walk.next().is_some() {
            let state = *walk.state();
            let Turn::Player(player) = game.turn(&state) else { continue };
            if !macros_of(game, &mut guide, &state, player).is_empty() {
                found.push(Position { game: index, player, state });
            }
        }
    }
    found
}

#[test]
fn what_a_macro_action_says_is_spelled_and_hardly_anything_that_is_drawn() {
    let game = Conquest2::new(4);
    let (mut predicted, mut drawn, mut missing) = (0, 0, 0);
    for (number, position) in positions(&game).iter().enumerate() {
        let mut guide = game.guide(&Settings::default()).unwrap();
        let mut dice = rng::stream(21, number as u64, Purpose::Analysis);
        let mut fast = rng::fast(&mut dice);
        let here = (&position.state, position.player);
        for choice in macros_of(&game, &mut guide, here.0, here.1) {
            let Choice::Macro(whole) = choice else { unreachable!("they are macro-actions") };
            let first = guide.ply_of(&game, here.0, here.1, whole, true).expect("it begins");
            let mut guide = guide.clone();
            let by_whole = |_: usize, state: &State, player: Player| -> Result<Action, Error> {
                let predicted = match player == position.player {
                    true => guide.ply_of(&game, state, player, whole, false),
                    false => None,
                };
                Ok(predicted.unwrap_or_else(|| {
                    match guide.rollout_policy(&game, state, player, &mut fast) {
                        Choice::Ply(action) => action,
                        Choice::Macro(_) => unreachable!("no action begins here"),
                    }
                }))
            };
            let course = play_to_its_end(&game, position, first, &mut dice, by_whole).unwrap();
            assert!(is_spelled(&game, position, &course), "{whole:?}: {:?}", texts(&game, &course));
            predicted += 1;
        }
        let mut scratch = Vec::new();
        let first = game.random_action(here.0, here.1, &mut dice, &mut scratch);
        let mut random = rng::stream(22, number as u64, Purpose::Analysis);
        let at_random = |_: usize, state: &State, player: Player| {
            Ok(game.random_action(state, player, &mut random, &mut scratch))
        };
        let course = play_to_its_end(&game, position, first, &mut dice, at_random).unwrap();
        if texts(&game, &course)[0] == "move" {
            drawn += 1;
            missing += usize::from(!is_spelled(&game, position, &course));
        }
    }
    assert!(predicted > 1_000 && drawn > 20, "{predicted} {drawn}");
    assert!(2 * missing > drawn, "most marches that are drawn make no sense: {missing} of {drawn}");
}
