//! Text and JSON for people and files; playing and searching never need it.
//!
//! Every game says how an action is written ([`Notation::write_action`]), how an event of chance stands in a
//! record ([`Notation::chance_event`]), what a full state looks like ([`Notation::state_json`]) and what of it a
//! seat may see ([`Notation::view_json`]). Reading is the inverse by search among what is legal, so a text is
//! accepted exactly if it is the text of a legal action.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::game::Game;
use crate::player::Player;

/// An event of chance as it stands in a record: `{"chance":"dice","who":"attacker","value":["infantry"]}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChanceEvent {
    /// What kind of event.
    pub chance: String,
    /// Whom it concerns: a seat, or a side of a fight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<Value>,
    /// What happened.
    pub value: Value,
}

/// A text that is no legal action, or an event that cannot happen, at this point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseActionError {
    /// What was read.
    pub text: String,
    /// What would have been accepted (the first few, when there are many).
    pub expected: Vec<String>,
}

impl ParseActionError {
    /// `text` is not among `expected`, of which the first few are kept.
    #[must_use]
    pub fn new(text: &str, expected: Vec<String>) -> Self {
        not_among(text, expected)
    }
}

impl fmt::Display for ParseActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" is not possible here (possible: {})", self.text, self.expected.join(", "))
    }
}

impl std::error::Error for ParseActionError {}

/// How a game is written.
pub trait Notation: Game {
    /// Writes an action of a player, as the game's decision protocol spells it.
    ///
    /// # Errors
    /// Only those of `f`.
    fn write_action(&self, action: Self::Action, f: &mut dyn fmt::Write) -> fmt::Result;

    /// The outcome `outcome` of the chance event due in `state`, as it stands in a record.
    ///
    /// # Panics
    /// If the game has no chance events; it may panic if no such event is due.
    fn chance_event(&self, _state: &Self::State, _outcome: Self::Action) -> ChanceEvent {
        unreachable!("this game has no chance events")
    }

    /// The whole state, hidden parts included, as it stands in a record.
    fn state_json(&self, state: &Self::State) -> Value;

    /// The position for people: several lines, ending with a newline.
    ///
    /// # Errors
    /// Only those of `f`.
    fn write_state(&self, state: &Self::State, f: &mut dyn fmt::Write) -> fmt::Result;

    /// What `observer` sees of the position: the same for two states that he cannot tell apart.
    ///
    /// The default shows everything, which is right where nothing is hidden; a game that hides something
    /// overrides this and [`Notation::write_view`], and [`conformance`](crate::conformance) refuses one that does
    /// not. Agents get it through [`View::to_json`](crate::View::to_json).
    fn view_json(&self, state: &Self::State, _observer: Player) -> Value {
        self.state_json(state)
    }

    /// What `observer` sees of the position, for people: several lines, ending with a newline.
    ///
    /// # Errors
    /// Only those of `f`.
    fn write_view(
        &self,
        state: &Self::State,
        _observer: Player,
        f: &mut dyn fmt::Write,
    ) -> fmt::Result {
        self.write_state(state, f)
    }

    /// The scores for the end line of a record; points where the game has no scores.
    fn end_scores(&self, state: &Self::State) -> Value {
        let n = self.n_players();
        self.scores(state)
            .map_or_else(|| self.payoffs(state).first(n).into(), |scores| scores.first(n).into())
    }

    /// The text of `action`.
    fn action_text(&self, action: Self::Action) -> String {
        let mut text = String::new();
        self.write_action(action, &mut text).expect("writing to a string does not fail");
        text
    }

    /// The legal action of `player` that is written `text`.
    ///
    /// # Errors
    /// If no legal action is written so.
    fn parse_action(
        &self,
        state: &Self::State,
        player: Player,
        text: &str,
    ) -> Result<Self::Action, ParseActionError> {
        let mut actions = Vec::new();
        self.actions(state, player, &mut actions);
        let texts: Vec<String> = actions.iter().map(|&a| self.action_text(a)).collect();
        match texts.iter().position(|t| t == text) {
            Some(i) => Ok(actions[i]),
            None => Err(not_among(text, texts)),
        }
    }

    /// The possible outcome that is written as `event`.
    ///
    /// # Errors
    /// If that cannot happen now.
    fn parse_chance(
        &self,
        state: &Self::State,
        event: &ChanceEvent,
    ) -> Result<Self::Action, ParseActionError> {
        let mut outcomes = Vec::new();
        self.outcomes(state, &mut outcomes);
        let possible = |o: &Self::Action| self.chance_event(state, *o);
        match outcomes.iter().find(|(o, p)| *p > 0.0 && possible(o) == *event) {
            Some((outcome, _)) => Ok(*outcome),
            None => {
                let json = |e: &ChanceEvent| serde_json::to_string(e).unwrap_or_default();
                Err(not_among(
                    &json(event),
                    outcomes.iter().map(|(o, _)| json(&possible(o))).collect(),
                ))
            }
        }
    }
}

fn not_among(text: &str, mut expected: Vec<String>) -> ParseActionError {
    const SHOWN: usize = 12;
    if expected.len() > SHOWN {
        let more = format!("… {} more", expected.len() - SHOWN);
        expected.truncate(SHOWN);
        expected.push(more);
    }
    ParseActionError { text: text.to_owned(), expected }
}
