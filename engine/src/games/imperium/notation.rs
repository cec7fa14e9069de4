//! The notation of imperium: stacks as words, positions as JSON and for people (clauses I2a, I7).

use std::fmt;

use serde_json::{Map, Value, json};

use super::stacks::{BREAD, EAR, ORACLE, PROVINCES};
use super::{Action, Imperium, State};
use crate::notation::Notation;
use crate::player::Player;

impl Imperium {
    fn card_id(&self, card: u8) -> &str {
        match card {
            EAR => "ear-of-the-emperor",
            BREAD => "bread-and-circuses",
            ORACLE => "oracle",
            province => &self.board.ids[usize::from(province)],
        }
    }

    /// Returns an entry for each province with a value.
    fn by_province(&self, value: impl Fn(usize) -> Option<Value>) -> Map<String, Value> {
        let entry = |p: usize| Some((self.board.ids[p].clone(), value(p)?));
        (0..PROVINCES).filter_map(entry).collect()
    }

    /// Returns the pieces in `province` by seat, if there are any.
    fn counts(&self, state: &State, province: usize) -> Option<Value> {
        let counts: Vec<u8> = (0..self.n_players).map(|s| state.pieces(s, province)).collect();
        counts.iter().any(|&count| count > 0).then(|| json!(counts))
    }

    fn write_province(
        &self,
        state: &State,
        province: usize,
        f: &mut dyn fmt::Write,
    ) -> fmt::Result {
        write!(f, "{}:", self.board.ids[province])?;
        for seat in 0..self.n_players {
            write!(f, " {}", state.pieces(seat, province))?;
        }
        match state.proconsul(province) {
            Some(seat) => writeln!(f, ", proconsul of seat {}", seat + 1),
            None => writeln!(f),
        }
    }

    fn write_player(&self, state: &State, seat: usize, f: &mut dyn fmt::Write) -> fmt::Result {
        let (points, free) = (state.points(seat), state.free(seat));
        let title = self.board.title(points);
        write!(f, "seat {}: {points} points ({title}), {free} free", seat + 1)?;
        if state.has_ear(seat) {
            write!(f, ", ear")?;
        }
        if state.has_oracle(seat) {
            write!(f, ", oracle")?;
        }
        if let Some(action) = state.revealed(seat) {
            write!(f, ", has revealed: ")?;
            self.write_action(action, f)?;
        }
        writeln!(f)
    }
}

impl Notation for Imperium {
    crate::by_hand::by_hand!();

    fn write_action(&self, action: Action, f: &mut dyn fmt::Write) -> fmt::Result {
        f.write_str("stack")?;
        for &card in self.board.stack(action).cards() {
            write!(f, " {}", self.card_id(card))?;
        }
        Ok(())
    }

    fn state_json(&self, state: &State) -> Value {
        let player = |seat| {
            json!({
                "points": state.points(seat),
                "free": state.free(seat),
                "ear": state.has_ear(seat),
                "oracle": state.has_oracle(seat),
            })
        };
        json!({
            "round": state.round(),
            "mark": self.board.ids[state.mark()],
            "players": (0..self.n_players).map(player).collect::<Vec<_>>(),
            "pieces": self.by_province(|p| self.counts(state, p)),
            "proconsul": self.by_province(|p| state.proconsul(p).map(Value::from)),
        })
    }

    /// Returns the state and, while the Oracle players choose again, the revealed stacks of the other players, by seat.
    fn view_json(&self, state: &State, _observer: Player) -> Value {
        let mut view = self.state_json(state);
        if state.is_second_choice() {
            let text = |seat| state.revealed(seat).map(|action| self.action_text(action));
            view["revealed"] = (0..self.n_players).map(text).collect::<Vec<_>>().into();
        }
        view
    }

    fn write_state(&self, state: &State, f: &mut dyn fmt::Write) -> fmt::Result {
        writeln!(f, "round {}, {} is next", state.round() + 1, self.board.ids[state.mark()])?;
        let is_empty = |p: &usize| (0..self.n_players).all(|seat| state.pieces(seat, *p) == 0);
        for province in (0..PROVINCES).filter(|p| !is_empty(p)) {
            self.write_province(state, province, f)?;
        }
        (0..self.n_players).try_for_each(|seat| self.write_player(state, seat, f))
    }
}
