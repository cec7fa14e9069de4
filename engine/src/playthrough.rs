//! A whole random game as readable text: the content of a golden file and the output of `caesar playthrough`.
//!
//! Every event is one line with its alternatives. Short games show the position after every event, long games at
//! milestones only; very long games leave out the middle. The text is for reading and comparing. Only records can be
//! read back.

use std::fmt::{self, Write};
use std::ops::RangeInclusive;

use crate::game::Turn;
use crate::hash::hash_of;
use crate::notation::Notation;
use crate::player::Player;
use crate::rules::Configure;
use crate::walk::{Event, Walk};

/// Games of at most this many events show every position.
const SHORT: usize = 45;
/// Games of more than this many events are shown in part.
const LONG: usize = 1000;
/// Numbers of events shown from the start and from the end of such games.
const SHOWN: (usize, usize) = (250, 50);
/// At most this many alternatives are listed.
const LISTED: usize = 8;

/// Returns the random game of `seed` as text.
///
/// # Panics
/// If the game fails to write itself (a bug of the game).
#[must_use]
pub fn playthrough<G: Configure + Notation>(game: &G, seed: u64) -> String {
    let mut text = String::new();
    write_playthrough(game, seed, &mut text).expect("writing to a string does not fail");
    text
}

fn write_playthrough<G: Configure + Notation>(game: &G, seed: u64, f: &mut String) -> fmt::Result {
    let name = G::about().name;
    let n_events = Walk::new(game, seed, 0).count();
    writeln!(f, "{name}, {} players, seed {seed}, {n_events} events\n", game.n_players())?;
    let mut walk = Walk::new(game, seed, 0);
    game.write_state(walk.state(), f)?;
    writeln!(f)?;
    if n_events > LONG {
        let (first, last) = (SHOWN.0, n_events - SHOWN.1);
        write_events(game, &mut walk, 1..=first, n_events, f)?;
        let mut left_out = String::new();
        write_events(game, &mut walk, first + 1..=last, n_events, &mut left_out)?;
        writeln!(f, "… {} to {last} are left out; hash {:016x}\n", first + 1, hash_of(&left_out))?;
        write_events(game, &mut walk, last + 1..=n_events, n_events, f)?;
    } else {
        write_events(game, &mut walk, 1..=n_events, n_events, f)?;
    }
    write_end(game, walk.state(), f)
}

/// Writes the events with these numbers, and the positions after some of them.
fn write_events<G: Notation>(
    game: &G,
    walk: &mut Walk<'_, G>,
    numbers: RangeInclusive<usize>,
    n_events: usize,
    f: &mut String,
) -> fmt::Result {
    for number in numbers {
        let before = *walk.state();
        let Some(event) = walk.next() else { break };
        let after = walk.state();
        write!(f, "{number}. ")?;
        write_event(game, &before, &event, f)?;
        let is_milestone = game.milestone(after) > game.milestone(&before);
        if is_milestone || n_events <= SHORT || number == n_events {
            game.write_state(after, f)?;
            writeln!(f)?;
        }
    }
    Ok(())
}

fn write_end<G: Notation>(game: &G, end: &G::State, f: &mut String) -> fmt::Result {
    writeln!(f, "scores {}", game.end_scores(end))?;
    writeln!(f, "payoffs {:?}", game.payoffs(end).first(game.n_players()))?;
    writeln!(f, "state {}", game.state_json(end))
}

fn write_event<G: Notation>(
    game: &G,
    before: &G::State,
    event: &Event<G::Action>,
    f: &mut String,
) -> fmt::Result {
    match event {
        Event::Action(player, action) => {
            write_choice(game, before, *player, *action, f)?;
            writeln!(f)
        }
        Event::Joint(joint) => {
            let Turn::Simultaneous(players) = game.turn(before) else { return Ok(()) };
            for (i, player) in players.iter().enumerate() {
                let Some(action) = joint[player] else { continue };
                f.write_str(if i > 0 { "\n   " } else { "" })?;
                write_choice(game, before, player, action, f)?;
            }
            writeln!(f)
        }
        Event::Chance(outcome) => {
            let event = game.chance_event(before, *outcome);
            writeln!(f, "{}", serde_json::to_string(&event).map_err(|_| fmt::Error)?)
        }
    }
}

/// Writes a choice, as in `player 0: bid 3 (of 2: bid 3, bid 4)`.
fn write_choice<G: Notation>(
    game: &G,
    before: &G::State,
    player: Player,
    action: G::Action,
    f: &mut String,
) -> fmt::Result {
    let mut actions = Vec::new();
    game.actions(before, player, &mut actions);
    write!(f, "player {player}: {} (of {}: ", game.action_text(action), actions.len())?;
    for (i, &action) in actions.iter().take(LISTED).enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        game.write_action(action, f)?;
    }
    f.write_str(if actions.len() > LISTED { ", …)" } else { ")" })
}
