//! The events that led to a position, from which it is made again: [`History`].

use std::sync::Arc;

use engine::ChanceStreams;
use pyo3::PyResult;
use serde_json::{Value as Json, json};
use sim::any::{AnyState, Due};

use crate::document;
use crate::error::bad;
use crate::shared_game::{CHANCE, SharedGame};

/// The format of a position as text.
const FORMAT: &str = "caesar-state/1";

/// An event: the choice of a player, or an outcome of chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Event {
    /// The seat; [`CHANCE`] for chance.
    pub(crate) player: i32,
    /// The number of the action or of the outcome.
    pub(crate) action: u32,
    /// True if the dice of the position gave the outcome.
    pub(crate) is_drawn: bool,
}

/// The events since the start, or since a position that was drawn.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// The position that was drawn for a view and from which the events lead on; `None` is the start of the game.
    drawn: Option<AnyState>,
    pub(crate) events: Vec<Event>,
    /// The seed of the dice, and the number of events before they were taken.
    pub(crate) seed: u64,
    pub(crate) seeded_at: usize,
}

impl History {
    pub(crate) const fn new(seed: u64) -> Self {
        Self { drawn: None, events: Vec::new(), seed, seeded_at: 0 }
    }

    /// Returns the events after `position`, which was drawn for a view: none.
    pub(crate) const fn after_drawn(position: AnyState, seed: u64) -> Self {
        Self { drawn: Some(position), events: Vec::new(), seed, seeded_at: 0 }
    }

    /// Returns the dice before any event has drawn from them.
    pub(crate) fn dice(&self) -> ChanceStreams {
        ChanceStreams::new(self.seed, 0)
    }

    /// Takes other dice from now on.
    pub(crate) fn reseed(&mut self, seed: u64) {
        (self.seed, self.seeded_at) = (seed, self.events.len());
    }

    /// Returns the whole as a document.
    pub(crate) fn to_json(&self, shared: &SharedGame) -> Json {
        let event = |e: &Event| json!([e.player, e.action, e.is_drawn]);
        let mut document = document::head(FORMAT, shared);
        document["seed"] = self.seed.into();
        document["seeded_at"] = self.seeded_at.into();
        document["events"] = self.events.iter().map(event).collect();
        if let Some(position) = &self.drawn {
            document["drawn"] = position.to_data();
            document["plies"] = position.plies().into();
            document::seal(&mut document);
        }
        document
    }

    /// Reads a document, and returns it with its game, the position and the dice that it leads to.
    pub(crate) fn read(text: &str) -> PyResult<(Arc<SharedGame>, Self, AnyState, ChanceStreams)> {
        let json = document::read(text, FORMAT, "state")?;
        let shared = document::game_of(&json)?;
        let mut drawn = None;
        if let Some(data) = json.get("drawn") {
            document::check_seal(&json)?;
            let plies = json["plies"].as_u64().unwrap_or_default() as u32;
            drawn = Some(shared.game.read(data, plies).map_err(bad)?);
        }
        let mut state = drawn.clone().unwrap_or_else(|| shared.game.start());
        let wrong = || bad("the state has no list of events");
        let read = |event: &Json| -> Option<Event> {
            Some(Event {
                player: i32::try_from(event[0].as_i64()?).ok()?,
                action: u32::try_from(event[1].as_u64()?).ok()?,
                is_drawn: event[2].as_bool()?,
            })
        };
        let events = json["events"].as_array().ok_or_else(wrong)?;
        let events: Option<Vec<Event>> = events.iter().map(read).collect();
        let history = Self {
            drawn,
            events: events.ok_or_else(wrong)?,
            seed: json["seed"].as_u64().ok_or_else(wrong)?,
            seeded_at: json["seeded_at"].as_u64().ok_or_else(wrong)? as usize,
        };
        let mut dice = history.dice();
        for (at, event) in history.events.iter().enumerate() {
            if event.player == CHANCE && event.is_drawn && at >= history.seeded_at {
                if state.due() != Due::Chance {
                    return Err(bad(format!("event {at} of the state: no chance event is due")));
                }
                state.draw(&mut dice);
            } else {
                apply(&shared, &mut state, *event)?;
            }
        }
        Ok((shared, history, state, dice))
    }
}

/// Applies an event to `state`.
pub(crate) fn apply(shared: &SharedGame, state: &mut AnyState, event: Event) -> PyResult<()> {
    if event.player == CHANCE {
        let number = event.action as usize;
        let refused = |_| {
            bad(format!(
                "outcome {number} is impossible here (chance_outcomes lists those that are possible)"
            ))
        };
        return state.apply_outcome(number).map_err(refused);
    }
    shared.choose(state, shared.seat(event.player)?, event.action.into())
}
