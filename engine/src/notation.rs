//! Text and JSON for people and files; play and search never need it.
//!
//! Every game defines four forms: an action ([`Notation::write_action`]), an event of chance in a record
//! ([`Notation::chance_event`]), a full state ([`Notation::state_json`]), and a seat's view of it
//! ([`Notation::view_json`]). Reading searches the legal actions for one with the given text. So a text is accepted
//! exactly if it is the text of a legal action.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::game::Game;
use crate::player::Player;

/// An event of chance in the form of a record: `{"chance":"dice","who":"attacker","value":["infantry"]}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChanceEvent {
    /// The kind of event.
    pub chance: String,
    /// The seat, or the side of a fight, that it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<Value>,
    /// The outcome.
    pub value: Value,
}

/// The error for a text that is no legal action, or an event that cannot happen, at this point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseActionError {
    /// The text that was read.
    pub text: String,
    /// Texts that would have been accepted (the first few, when there are many).
    pub expected: Vec<String>,
}

impl ParseActionError {
    /// Returns the error for `text`, which is not among `expected`; it keeps the first few of these.
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

/// The written forms of a game.
pub trait Notation: Game {
    /// Writes an action of a player in the spelling of the game's decision protocol.
    ///
    /// # Errors
    /// Only errors of `f`.
    fn write_action(&self, action: Self::Action, f: &mut dyn fmt::Write) -> fmt::Result;

    /// Returns the outcome `outcome` of the chance event due in `state`, in the form of a record.
    ///
    /// # Panics
    /// If the game has no chance events; it may panic if no such event is due.
    fn chance_event(&self, _state: &Self::State, _outcome: Self::Action) -> ChanceEvent {
        unreachable!("this game has no chance events")
    }

    /// Writes an action of a player for people, whose seats count from 1; by default as [`Self::write_action`]. A game whose
    /// actions name seats by number overrides it.
    ///
    /// # Errors
    /// Only those of `f`.
    fn write_action_for_people(&self, action: Self::Action, f: &mut dyn fmt::Write) -> fmt::Result {
        self.write_action(action, f)
    }

    /// Returns what `observer` sees of the outcome `outcome` of the chance event due in `state`: the same for two outcomes
    /// that it cannot tell apart afterwards.
    ///
    /// The default shows everything. A game that draws something in secret overrides it with `null` for the value, and
    /// [`conformance`](crate::conformance) refuses one that does not. The choices of players are public in every game,
    /// those of a simultaneous turn once all have chosen.
    ///
    /// # Panics
    /// As [`Self::chance_event`].
    fn seen_chance(
        &self,
        state: &Self::State,
        outcome: Self::Action,
        _observer: Player,
    ) -> ChanceEvent {
        self.chance_event(state, outcome)
    }

    /// Returns the whole state, hidden parts included, in the form of a record.
    fn state_json(&self, state: &Self::State) -> Value;

    /// Returns the whole state as a document that people can change and [`Self::position_from_json`] reads; `None` if the
    /// game, or this build, reads none.
    fn position_json(&self, _state: &Self::State) -> Option<Value> {
        None
    }

    /// Returns the state of a document, after a check that its parts agree with each other and with the rules.
    ///
    /// # Errors
    /// If they do not, with the place of the fault, or if the game, or this build, reads no such document.
    fn position_from_json(&self, _json: &Value) -> Result<Self::State, String> {
        Err(match cfg!(feature = "data") {
            true => "this game reads no positions that were made by hand".to_owned(),
            false => "this build reads no positions that were made by hand: build it with the feature data"
                .to_owned(),
        })
    }

    /// Writes the position for people: several lines, ending with a newline.
    ///
    /// # Errors
    /// Only errors of `f`.
    fn write_state(&self, state: &Self::State, f: &mut dyn fmt::Write) -> fmt::Result;

    /// Returns the view of `observer`, equal for two states that they cannot distinguish.
    ///
    /// The default shows everything, which is right where nothing is hidden. A game that hides something overrides this
    /// and [`Notation::write_view`]; [`conformance`](crate::conformance) refuses a game that does not. Agents get it
    /// through [`View::to_json`](crate::View::to_json).
    fn view_json(&self, state: &Self::State, _observer: Player) -> Value {
        self.state_json(state)
    }

    /// Writes the view of `observer` for people: several lines, ending with a newline.
    ///
    /// # Errors
    /// Only errors of `f`.
    fn write_view(
        &self,
        state: &Self::State,
        _observer: Player,
        f: &mut dyn fmt::Write,
    ) -> fmt::Result {
        self.write_state(state, f)
    }

    /// Returns the scores for the end line of a record, or points where the game has no scores.
    fn end_scores(&self, state: &Self::State) -> Value {
        let n = self.n_players();
        self.scores(state)
            .map_or_else(|| self.payoffs(state).first(n).into(), |scores| scores.first(n).into())
    }

    /// Returns the text of `action`.
    fn action_text(&self, action: Self::Action) -> String {
        let mut text = String::new();
        self.write_action(action, &mut text).expect("writing to a string does not fail");
        text
    }

    /// Returns the legal action of `player` with the text `text`.
    ///
    /// # Errors
    /// If no legal action has that text.
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

    /// Returns the possible outcome with the written form `event`.
    ///
    /// # Errors
    /// If that event cannot happen now.
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
