//! Whether a macro-action says what a strong single ply begins: the action is played to its end, ply by ply, each decided by
//! a search, and compared with what every macro-action would have said.

use agents::Playable;
use agents::fitting::{macros_of, offers_macros};
use agents::guide::{Choice, Guide, MacroActions};
use engine::{Mover, Player, Randomness, Turn, play_event};

use super::positions::{Position, plain_guide};
use sim::error::Error;

/// Decisions after which an action counts as ended; none is nearly so long.
const LONGEST: usize = 200;

/// The decisions of an action by who took it, in order.
#[derive(Clone, PartialEq, Debug)]
pub struct Course<S, A> {
    plies: Vec<(S, A)>,
}

/// Plays the action that `first` begins to its end: to where macro-actions are to be chosen from again, or a turn ends.
/// `decide` says what players do on the way, told how many decisions there were.
///
/// # Errors
/// Those of `decide`.
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

/// Whether a macro-action of the position says these plies, as far as it says any: what it leaves open is searched at the
/// table, too.
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
                    Some(said) if said == *action => {}
                    Some(_) => return false,
                    None => return number > 0,
                }
            }
            true
        }
        Choice::Ply(_) => false,
    })
}

/// The plies as text.
pub fn texts<G: Playable>(game: &G, course: &Course<G::State, G::Action>) -> Vec<String> {
    course.plies.iter().map(|(_, action)| game.action_text(*action)).collect()
}
