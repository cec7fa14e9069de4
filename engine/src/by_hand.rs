//! Positions made by hand: a state as JSON that a person can read and change, and the same state from it.
//!
//! The form is that of [`data`](crate::data) without what follows from the rest. A document that comes in is not
//! trusted: its parts are checked one by one, then against each other. So a position either is refused with the place of
//! the fault, or it plays on to the end of a game. It need not be one that a game from the start can reach.

use std::fmt::Display;

use serde_json::Value as Json;

use crate::data::{BadData, Data};
use crate::game::{Game, Turn};
use crate::player::{Player, PlayerSet};

/// A game whose positions can be made by hand.
pub trait ByHand: Game<State: Data> {
    /// Parts of a state that follow from the others, and that a document leaves out.
    const DERIVED: &'static [&'static str] = &[];

    /// Completes a state whose parts have their types and ranges: checks that they agree with each other and with the
    /// rules, and sets the derived ones.
    ///
    /// # Errors
    /// If they do not agree, with the place of a part that is wrong.
    fn complete(&self, state: &mut Self::State) -> Result<(), BadData>;
}

/// Gives the notation of a game its documents of positions.
macro_rules! by_hand {
    () => {
        fn position_json(&self, state: &Self::State) -> Option<serde_json::Value> {
            Some($crate::by_hand::state_to_json::<Self>(state))
        }

        fn position_from_json(&self, json: &serde_json::Value) -> Result<Self::State, String> {
            $crate::by_hand::state_from_json(self, json).map_err(|bad| bad.to_string())
        }
    };
}
pub(crate) use by_hand;

/// Returns a state as JSON, hidden parts included, for [`state_from_json`].
pub fn state_to_json<G: ByHand>(state: &G::State) -> Json {
    let mut json = state.to_data();
    if let Some(parts) = json.as_object_mut() {
        parts.retain(|key, _| !G::DERIVED.contains(&key.as_str()));
    }
    json
}

/// Returns the state that `json` holds: of this game, for its number of players, under its rules.
///
/// # Errors
/// If a part is missing, unknown, of another type or out of its range, or if the parts do not agree with each other. The
/// error names the part.
pub fn state_from_json<G: ByHand>(game: &G, json: &Json) -> Result<G::State, BadData> {
    let mut whole = json.clone();
    let start = game.start().to_data();
    if let Some(parts) = whole.as_object_mut() {
        for &key in G::DERIVED {
            demand(!parts.contains_key(key), key, "it follows from the other parts: leave it out")?;
            parts.insert(key.to_owned(), start[key].clone());
        }
    }
    let mut state = G::State::from_data(&whole)?;
    game.complete(&mut state)?;
    check_turn(game, &state)?;
    Ok(state)
}

/// Checks that those who are to choose sit at the table and have a choice.
fn check_turn<G: Game>(game: &G, state: &G::State) -> Result<(), BadData> {
    let mut scratch = Vec::new();
    match game.turn(state) {
        Turn::Player(player) => {
            check_seats(game, PlayerSet::of(player))?;
            let n = game.n_actions(state, player, &mut scratch);
            let fault = format!("seat {} is to choose and has {n} options", player.number());
            demand_all(n > 1, format_args!("{fault}: no game stops there"))
        }
        Turn::Simultaneous(players) => {
            check_seats(game, players)?;
            let idle = players.iter().find(|&p| game.n_actions(state, p, &mut scratch) == 0);
            idle.map_or(Ok(()), |player| {
                let fault = format_args!("seat {} is to choose and has no option", player.number());
                demand_all(false, fault)
            })
        }
        Turn::Chance | Turn::Over => Ok(()),
    }
}

fn check_seats<G: Game>(game: &G, players: PlayerSet) -> Result<(), BadData> {
    let n = game.n_players();
    let absent = players.iter().find(|player| player.idx() >= n);
    absent.map_or(Ok(()), |player| {
        demand_all(false, format_args!("{} is to choose, no seat of {n} players", player.number()))
    })
}

/// Refuses a state unless it `holds` what the rules say of the part at `place`, a path of keys with dots between them.
pub(crate) fn demand(holds: bool, place: impl Display, fault: impl Display) -> Result<(), BadData> {
    if holds {
        return Ok(());
    }
    let keys = place.to_string();
    Err(keys.rsplit('.').fold(BadData::of(fault), BadData::within))
}

/// Refuses a state unless it `holds` what the rules say of the whole.
pub(crate) fn demand_all(holds: bool, fault: impl Display) -> Result<(), BadData> {
    if holds { Ok(()) } else { Err(BadData::of(fault)) }
}

/// Refuses a seat that does not sit at a table of `n_players`.
pub(crate) fn demand_seat(
    player: Player,
    n_players: usize,
    place: impl Display,
) -> Result<(), BadData> {
    let seat = player.number();
    let fault = format_args!("{seat} is not a seat of {n_players} players");
    demand(player.idx() < n_players, place, fault)
}

/// Refuses parts of empty seats that are not as they are at the start.
pub(crate) fn demand_empty<T: PartialEq>(
    parts: &[T],
    n_players: usize,
    empty: &T,
    place: &str,
) -> Result<(), BadData> {
    let taken = parts.iter().enumerate().skip(n_players).find(|(_, part)| *part != empty);
    taken.map_or(Ok(()), |(seat, _)| {
        let fault = format_args!("seat {seat} of {n_players} players has none");
        demand(false, format_args!("{place}.{seat}"), fault)
    })
}
