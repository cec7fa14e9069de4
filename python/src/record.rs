//! Records, read as positions before choices.

use std::sync::Arc;

use engine::ChanceEvent;
use pyo3::prelude::*;
use serde_json::Value as Json;
use sim::any::Due;
use sim::branch::games_in;
use sim::record::stream::read_header;

use crate::error::bad;
use crate::history::History;
use crate::shared_game::SharedGame;
use crate::state::State;

/// A choice of a record: the position before it, the seat and the number of the action.
type Choice = (State, usize, u32);

/// Returns the record of each game of a stream.
#[pyfunction]
pub(crate) fn records(text: &str) -> Vec<String> {
    games_in(text).iter().map(|lines| lines.join("\n")).collect()
}

/// Replays the record of a game. Returns its choices, and the points of each player unless it was broken off.
#[pyfunction]
pub(crate) fn replay(record: &str) -> PyResult<(Vec<Choice>, Option<Vec<f32>>)> {
    let mut lines = record.lines();
    let header = read_header(lines.next().unwrap_or_default())
        .map_err(|message| bad(format!("line 1: {message}")))?;
    let shared = SharedGame::recorded(&header.game, header.seats, header.rules)?;
    let mut state = State::new(Arc::clone(&shared), shared.game.start(), History::new(0));
    let mut choices = Vec::new();
    let mut has_ended = false;
    for (place, line) in lines.enumerate() {
        let applied = state.pass_forced().and_then(|()| apply(&mut state, line, &mut choices));
        has_ended = applied.map_err(|error| bad(format!("line {}: {error}", place + 2)))?;
    }
    if !has_ended {
        return Err(bad("the record stops before its end"));
    }
    Ok((choices, state.state().points()))
}

/// Applies a line to `state`, and adds a choice to `choices`. Returns whether it is the end line.
fn apply(state: &mut State, line: &str, choices: &mut Vec<Choice>) -> PyResult<bool> {
    let json: Json = serde_json::from_str(line)
        .map_err(|_| bad("the line is cut off or no line of a record"))?;
    if let Some(position) = json.get("position") {
        let shared = Arc::clone(state.shared());
        let placed = shared.game.placed(position).map_err(bad)?;
        *state = State::new(shared, placed.clone(), History::after_drawn(placed, 0));
        return Ok(false);
    }
    let is_end = json.get("end").is_some();
    if let (Some(seat), Some(text)) = (json["player"].as_u64(), json["action"].as_str()) {
        let player = i32::try_from(seat).map_err(|_| bad(format!("player {seat}")))?;
        let action = state.number_of(state.shared().seat(player)?, text)?;
        choices.push((state.same(), seat as usize, action));
        state.choose(player, action.into())?;
    } else if json.get("chance").is_some() {
        if state.state().due() != Due::Chance {
            return Err(bad("no chance event is due"));
        }
        let event: ChanceEvent = serde_json::from_value(json).map_err(bad)?;
        let outcomes = state.state().outcomes();
        let place =
            outcomes.iter().position(|(outcome, chance)| *outcome == event && *chance > 0.0);
        let place = place.ok_or_else(|| bad(format!("{} cannot happen here", event.value)))?;
        state.happen(place as i64)?;
    }
    Ok(is_end)
}
