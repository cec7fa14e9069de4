//! Tic-tac-toe: the smallest game that can be solved by hand.
//!
//! Two players, 5 to 9 plies, nothing hidden, nothing random. Folklore rules. The state is one mask of nine
//! squares for each player. The last square is a forced decision, so the game fills it itself.
//! 255,168 different games, 5,478 positions reachable when the last square counts as a ply.

use std::fmt;

use serde_json::{Value, json};

use crate::action_index::{ActionBlock, ActionIndex, Values};
use crate::bits::each;
#[cfg(feature = "data")]
use crate::by_hand::{ByHand, demand, demand_all};
use crate::data::data;
#[cfg(feature = "data")]
use crate::data::{BadData, Bits, Each};
use crate::game::{Game, PerfectInformation, Turn};
use crate::games::check_players;
use crate::hash::hash_of;
use crate::notation::Notation;
use crate::observation::{Fields, ObservationTensor, seats_from};
use crate::player::{ByPlayer, Player};
use crate::rng::Randomness;
use crate::rules::{About, BadRules, Chance, Configure, Information, Provenance, Rules};
use crate::treatable::Treatable;
use crate::view::View;

const BOARD: u16 = 0o777;
/// Rows, columns, diagonals; bit `3 * row + column`.
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// The rules of tic-tac-toe.
#[derive(Clone, Copy, Debug, Default)]
pub struct TicTacToe;

/// The squares of each player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    marks: [u16; 2],
}

data!(struct State { marks in Each<Bits> });

/// Marks a square, `0..9`, counted from `a1` along the row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mark(pub u8);

impl State {
    const fn free(self) -> u16 {
        BOARD & !(self.marks[0] | self.marks[1])
    }

    fn winner(self) -> Option<usize> {
        self.marks.iter().position(|marks| LINES.iter().any(|line| marks & line == *line))
    }

    fn mover(self) -> usize {
        usize::from(self.free().count_ones().is_multiple_of(2))
    }

    fn mark(&mut self, square: u8) {
        debug_assert!(self.free() >> square & 1 == 1, "square {square} is taken");
        self.marks[self.mover()] |= 1 << square;
    }

    fn symbol(self, square: usize) -> &'static str {
        match self.marks.map(|marks| marks >> square & 1) {
            [1, _] => "x",
            [_, 1] => "o",
            _ => ".",
        }
    }
}

impl Game for TicTacToe {
    type State = State;
    type Action = Mark;

    fn n_players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State::default()
    }

    fn turn(&self, state: &State) -> Turn {
        if state.free() == 0 || state.winner().is_some() {
            Turn::Over
        } else {
            Turn::Player(Player::new(state.mover()))
        }
    }

    fn actions(&self, state: &State, _player: Player, out: &mut Vec<Mark>) {
        out.extend((0..9).filter(|square| state.free() >> square & 1 == 1).map(Mark));
    }

    fn is_legal(&self, state: &State, _: Player, action: Mark, _: &mut Vec<Mark>) -> bool {
        action.0 < 9 && state.free() >> action.0 & 1 == 1
    }

    fn apply(&self, state: &mut State, action: Mark) {
        state.mark(action.0);
        let free = state.free();
        if free.is_power_of_two() && state.winner().is_none() {
            state.mark(free.trailing_zeros() as u8);
        }
    }

    fn payoffs(&self, state: &State) -> ByPlayer<f32> {
        let mut points = ByPlayer::default();
        match state.winner() {
            Some(seat) => points.0[seat] = 1.0,
            None => points.0[..2].fill(0.5),
        }
        points
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn max_game_length(&self) -> Option<u32> {
        Some(9)
    }

    fn determinize<R: Randomness + ?Sized>(&self, _: &mut State, _: Player, _: &mut R) {}

    fn info_state_key(&self, state: &State, _observer: Player) -> u64 {
        hash_of(state)
    }
}

impl PerfectInformation for TicTacToe {}

impl Configure for TicTacToe {
    fn about() -> About {
        About {
            name: "tic-tac-toe",
            title: "Tic-tac-toe",
            players: 2..=2,
            default_players: 2,
            information: Information::Perfect,
            chance: Chance::None,
            provenance: Provenance::Published("folklore"),
        }
    }

    fn default_rules() -> &'static str {
        include_str!("../../data/tic-tac-toe.toml")
    }

    fn configure(n_players: usize, _rules: &Rules) -> Result<Self, BadRules> {
        check_players::<Self>(n_players)?;
        Ok(Self)
    }
}

impl Treatable for TicTacToe {}

#[cfg(feature = "data")]
impl ByHand for TicTacToe {
    fn complete(&self, state: &mut State) -> Result<(), BadData> {
        let [x, o] = state.marks;
        let most = "the squares are 0 to 8";
        demand(x & !BOARD == 0, "marks.0", most)?;
        demand(o & !BOARD == 0, "marks.1", most)?;
        demand(x & o == 0, "marks", "both players have one square")?;
        let lead = x.count_ones().wrapping_sub(o.count_ones());
        demand(lead <= 1, "marks", "players take turns, and seat 0 begins")?;
        let has_line = |marks: u16| LINES.iter().any(|line| marks & line == *line);
        // Whoever has a line made it with the last mark.
        demand_all(
            !has_line(x) || !has_line(o) && lead == 1,
            "seat 0 has a line and play went on",
        )?;
        demand_all(!has_line(o) || lead == 0, "seat 1 has a line and play went on")
    }
}

impl Notation for TicTacToe {
    crate::by_hand::by_hand!();

    fn write_action(&self, action: Mark, f: &mut dyn fmt::Write) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + action.0 % 3), 1 + action.0 / 3)
    }

    fn state_json(&self, state: &State) -> Value {
        let row = |r: usize| (0..3).map(|c| state.symbol(3 * r + c)).collect::<String>();
        json!({ "rows": [row(0), row(1), row(2)] })
    }

    fn write_state(&self, state: &State, f: &mut dyn fmt::Write) -> fmt::Result {
        for row in (0..3).rev() {
            let [a, b, c] = [0, 1, 2].map(|column| state.symbol(3 * row + column));
            writeln!(f, "{} {a} {b} {c}", row + 1)?;
        }
        writeln!(f, "  a b c")
    }
}

/// The squares, in the order of [`Mark`].
const NUMBERS: [ActionBlock; 1] = ActionBlock::lay_out([("mark", &[9])]);

impl ActionIndex for TicTacToe {
    fn action_blocks(&self) -> &[ActionBlock] {
        &NUMBERS
    }

    fn split(&self, action: Mark) -> (usize, Values) {
        (0, [action.0.into(), 0, 0, 0])
    }

    fn join(&self, _block: usize, [square, ..]: Values) -> Mark {
        Mark(square as u8)
    }
}

impl ObservationTensor for TicTacToe {
    fn observe<F: Fields>(view: View<'_, Self>, fields: &mut F) {
        let axes = [("seat", 2), ("row", 3), ("column", 3)];
        fields.field("marks", &axes, "0/1", |out| {
            for (place, seat) in seats_from(view.observer(), 2).enumerate() {
                each(view.state().marks[seat.idx()].into())
                    .for_each(|square| out[9 * place + usize::from(square)] = 1.0);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts finished games by result: first player, second player, draw.
    fn count_games(state: State, counts: &mut [u32; 3]) {
        if TicTacToe.turn(&state) == Turn::Over {
            counts[state.winner().unwrap_or(2)] += 1;
            return;
        }
        let mut actions = Vec::new();
        TicTacToe.actions(&state, Player::new(0), &mut actions);
        for action in actions {
            let mut next = state;
            TicTacToe.apply(&mut next, action);
            count_games(next, counts);
        }
    }

    #[test]
    fn there_are_255168_games() {
        let mut counts = [0; 3];
        count_games(TicTacToe.start(), &mut counts);
        assert_eq!(counts, [131_184, 77_904, 46_080]);
    }

    #[test]
    fn squares_are_named_by_column_and_row() {
        let texts: Vec<String> = (0..9).map(|s| TicTacToe.action_text(Mark(s))).collect();
        assert_eq!(texts.join(" "), "a1 b1 c1 a2 b2 c2 a3 b3 c3");
    }
}
