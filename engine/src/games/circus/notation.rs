//! The notation of circus: actions, the first placer, states of records.

use std::fmt;

use serde_json::{Value, json};

use super::limits::{DIRECTION_IDS, TEAM};
use super::moves::{Action, values};
use super::state::State;
use super::{Circus, drawing};
use crate::notation::{ChanceEvent, Notation};

impl Circus {
    /// Returns the chariots of a seat that have been placed.
    fn chariots_json(&self, s: &State, seat: usize) -> Vec<Value> {
        let chariots = (0..self.board.team).filter_map(|n| s.chariot(seat, n));
        chariots.map(|chariot| json!({ "cell": chariot.cell, "leg": chariot.leg })).collect()
    }
}

impl State {
    /// Returns the round just played or being played; 0 while chariots are placed.
    pub(super) fn round_shown(&self) -> u16 {
        if self.is_fresh || self.is_placing() { self.round } else { self.round + 1 }
    }

    /// Returns the cards for display: those at the end of the round that has just ended, or the open ones.
    pub(super) fn cards_shown(&self, seat: usize) -> u8 {
        if self.is_fresh { self.closing[seat] } else { self.cards[seat] }
    }

    /// Returns the chariots that have still to move in the displayed round.
    pub(super) fn order_shown(&self) -> &[u8] {
        if self.is_fresh || self.is_placing() {
            return &[];
        }
        &self.order[usize::from(self.at)..usize::from(self.n_order)]
    }
}

impl Notation for Circus {
    crate::by_hand::by_hand!();

    fn write_action(&self, action: Action, f: &mut dyn fmt::Write) -> fmt::Result {
        match action {
            Action::First(player) => write!(f, "first-player {player}"),
            Action::Start(cell) => write!(f, "start {cell}"),
            Action::Go { value, direction, thrown } => {
                write!(f, "go {value} {}", DIRECTION_IDS[usize::from(direction)])?;
                if thrown > 0 { write!(f, " {thrown}") } else { Ok(()) }
            }
            Action::Waste(value) => write!(f, "waste {value}"),
            Action::Stop => f.write_str("stop"),
        }
    }

    fn chance_event(&self, _state: &State, outcome: Action) -> ChanceEvent {
        let Action::First(player) = outcome else { unreachable!("{outcome:?} is no outcome") };
        ChanceEvent { chance: "first-player".to_owned(), who: None, value: player.number().into() }
    }

    fn state_json(&self, state: &State) -> Value {
        let player = |seat: usize| {
            json!({
                "chariots": self.chariots_json(state, seat),
                "cards": values(state.cards_shown(seat)).collect::<Vec<u8>>(),
            })
        };
        let to_move =
            state.order_shown().iter().map(|&i| [usize::from(i) / TEAM, usize::from(i) % TEAM]);
        json!({
            "round": state.round_shown(),
            "players": (0..self.n_players).map(player).collect::<Vec<_>>(),
            "to_move": to_move.collect::<Vec<_>>(),
            "arrived": state.arrived[..usize::from(state.n_arrived)],
        })
    }

    fn write_state(&self, state: &State, f: &mut dyn fmt::Write) -> fmt::Result {
        drawing::draw(self, state, f)
    }
}
