//! The coverage of strong plies by macro-actions. The action that a ply begins is played to its end, each further ply
//! chosen by a search. The course is then compared with every macro-action.

use agents::Playable;
use agents::fitting::{macros_of, offers_macros};
use agents::guide::{Choice, Guide, MacroActions};
use engine::{Mover, Player, Randomness, Turn, play_event};

use super::positions::{Position, plain_guide};
use sim::error::Error;

/// The number of decisions after which an action counts as ended; real actions are much shorter.
const LONGEST: usize = 200;

/// The decisions of an action by its mover, in order.
#[derive(Clone, PartialEq, Debug)]
pub struct Course<S, A> {
    plies: Vec<(S, A)>,
}

/// Plays the action that `first` begins to its end: to the next choice among macro-actions, or the end of the turn.
/// `decide` chooses the plies; its first argument is the number of decisions so far.
///
/// # Errors
/// If `decide` returns an error.
pub fn play_to_its_end<G: Playable, R: Randomness + ?Sized>(
    game: &G,
    position: &Position<G::State>,
    first: G::Action,
    dice: &mut R,
    mut decide: impl FnMut(usize, &G::State, Player) -> Result<G::Action, Error>,
) -> Result<Course<G::State, G::Action>, Error> {
    let mut guide = plain_guide(game);
    let Position { mut state, player, .. } = *position;
    let turn = guide.progress(game, &state);
    let mut plies = vec![(state, first)];
    game.apply(&mut state, first);
    let mut decisions = 1;
    while decisions < LONGEST && guide.progress(game, &state) == turn {
        if let Turn::Player(now) = game.turn(&state)
            && offers_macros(game, &mut guide, &state, now)
        {
            break;
        }
        let goes_on = play_event(game, &mut state, |state, mover| -> Result<_, Error> {
            let Some(now) = mover.player() else { return Ok(game.draw(state, dice)) };
            let action = decide(decisions, state, now)?;
            decisions += 1;
            if mover == Mover::Alone(player) {
                plies.push((*state, action));
            }
            Ok(action)
        })?;
        if !goes_on {
            break;
        }
    }
    Ok(Course { plies })
}

/// Returns true if a macro-action of the position has these plies, as far as it fixes any: the rest is also searched
/// in games.
pub fn is_spelled<G: Playable>(
    game: &G,
    position: &Position<G::State>,
    course: &Course<G::State, G::Action>,
) -> bool {
    let mut guide = plain_guide(game);
    let Position { state, player, .. } = *position;
    let all = macros_of(game, &mut guide, &state, player);
    all.into_iter().any(|choice| match choice {
        Choice::Macro(whole) => {
            for (number, (state, action)) in course.plies.iter().enumerate() {
                match guide.ply_of(game, state, player, whole, number == 0) {
                    Some(expected) if expected == *action => {}
                    Some(_) => return false,
                    None => return number > 0,
                }
            }
            true
        }
        Choice::Ply(_) => false,
    })
}

/// Returns the plies as text.
pub fn texts<G: Playable>(game: &G, course: &Course<G::State, G::Action>) -> Vec<String> {
    course.plies.iter().map(|(_, action)| game.action_text(*action)).collect()
}
