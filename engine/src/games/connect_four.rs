//! Connect Four: bitboards, and the fastest playouts of all games.
//!
//! Two players, 7 to 42 plies, nothing hidden, nothing random. Rules: Milton Bradley 1974; solved by Allis
//! and by Allen in 1988 (the first player wins). The state is one 49-bit board for each player, seven bits a
//! column with the lowest at the bottom; the seventh bit of a column stays empty, so that a shift never joins
//! two columns (Tromp's layout). When one column is left, the game fills it itself.
//! Proofs: `engine/tests/perft/connect-four.txt`, and the number of different positions by ply, published as
//! oeis.org/A212693.

use std::fmt;

use serde_json::{Value, json};

use crate::action_index::{ActionBlock, ActionIndex, Values};
use crate::bits::each;
#[cfg(feature = "data")]
use crate::by_hand::{ByHand, demand, demand_all};
use crate::data::data;
#[cfg(feature = "data")]
use crate::data::{BadData, Bits};
use crate::game::{Game, PerfectInformation, Turn};
use crate::games::check_players;
use crate::notation::Notation;
use crate::observation::{Fields, ObservationTensor};
use crate::player::{ByPlayer, Player};
use crate::rng::Randomness;
use crate::rules::{About, BadRules, Chance, Configure, Information, Provenance, Rules};
use crate::treatable::Treatable;
use crate::view::View;

/// Number of columns.
pub const COLUMNS: usize = 7;
/// Number of rows.
pub const ROWS: usize = 6;
const STRIDE: usize = ROWS + 1;

/// The lowest square of every column, as a set of bits: column `c` and row `r` are bit `7c + r`.
pub const BOTTOM: u64 = every(STRIDE);
/// The highest square of every column.
const TOP: u64 = BOTTOM << (ROWS - 1);
/// Multiplying bits `7i` by this puts them next to each other from bit 36 on: `7i + 6(6 - i) = 36 + i`. No other pair
/// of bits meets there or carries, since all 49 sums `7i + 6j` differ.
const GATHER: u64 = every(STRIDE - 1);

/// For each set of open columns: their numbers in the bytes from the lowest, their count in the highest byte.
static OPEN_COLUMNS: [u64; 1 << COLUMNS] = open_columns();

/// The first `status` of a finished game. Below it: the seat to move. From here on: the seat that won, or a draw.
const OVER: u8 = 2;
const DRAW: u8 = 4;

const fn every(stride: usize) -> u64 {
    let mut bits = 0;
    let mut i = 0;
    while i < COLUMNS {
        bits |= 1 << (stride * i);
        i += 1;
    }
    bits
}

const fn open_columns() -> [u64; 1 << COLUMNS] {
    let mut table = [0; 1 << COLUMNS];
    let mut set = 0;
    while set < table.len() {
        let mut count = 0;
        let mut column = 0;
        while column < COLUMNS {
            if set >> column & 1 == 1 {
                table[set] |= (column as u64) << (8 * count);
                count += 1;
            }
            column += 1;
        }
        table[set] |= (count as u64) << 56;
        set += 1;
    }
    table
}

/// Returns whether `discs` hold four in a row: vertically, horizontally, or on a diagonal.
const fn has_four(discs: u64) -> bool {
    let vertical = discs & discs >> 1;
    let horizontal = discs & discs >> STRIDE;
    let rising = discs & discs >> (STRIDE + 1);
    let falling = discs & discs >> (STRIDE - 1);
    (vertical & vertical >> 2)
        | (horizontal & horizontal >> (2 * STRIDE))
        | (rising & rising >> (2 * STRIDE + 2))
        | (falling & falling >> (2 * STRIDE - 2))
        != 0
}

/// All squares of the board.
pub const SQUARES: u64 = BOTTOM * ((1 << ROWS) - 1);

/// Returns the squares where one more disc would make four in a row of `discs`, including squares taken or off the
/// board.
#[must_use]
pub const fn completing(discs: u64) -> u64 {
    let mut found = discs << 1 & discs << 2 & discs << 3;
    let lines = [STRIDE, STRIDE + 1, STRIDE - 1];
    let mut i = 0;
    while i < lines.len() {
        let step = lines[i];
        let (after, before) =
            (discs << step & discs << (2 * step), discs >> step & discs >> (2 * step));
        found |= after & (discs << (3 * step) | discs >> step);
        found |= before & (discs >> (3 * step) | discs << step);
        i += 1;
    }
    found
}

/// The rules of Connect Four.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectFour;

/// The discs of the player to move and of the other player, and the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    mine: u64,
    theirs: u64,
    status: u8,
}

data!(struct State { mine in Bits, theirs in Bits, status });

/// Drops a disc into a column, `0..7` from the left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Drop(pub u8);

impl State {
    /// Returns the discs of the player to move and of the other player, as sets of [`SQUARES`].
    #[must_use]
    pub const fn boards(&self) -> [u64; 2] {
        [self.mine, self.theirs]
    }

    /// Returns the owner of the disc in `column` (`0..7` from the left) and `row` (`0..6` from the bottom).
    #[must_use]
    pub fn disc(&self, column: usize, row: usize) -> Option<Player> {
        let bit = STRIDE * column + row;
        let n_discs = (self.mine | self.theirs).count_ones();
        let mover = n_discs as usize % 2;
        match [self.mine >> bit & 1, self.theirs >> bit & 1] {
            [1, _] => Some(Player::new(mover)),
            [_, 1] => Some(Player::new(1 - mover)),
            _ => None,
        }
    }

    /// Returns the leftmost drop that makes four in a row for the player to move, and the leftmost for the other player
    /// if it were their turn. The game must not be over.
    #[must_use]
    #[inline]
    pub fn fours(&self) -> [Option<Drop>; 2] {
        let free = ((self.mine | self.theirs) + BOTTOM) & !(BOTTOM << ROWS);
        [self.mine, self.theirs].map(|discs| {
            let squares = completing(discs) & free;
            (squares != 0).then(|| Drop((squares.trailing_zeros() as usize / STRIDE) as u8))
        })
    }

    /// Returns a different number for each position. In a column of height `h`, the key adds the discs of both players
    /// and those of the player to move. The sum lies between `2^h - 1` and `2^(h+1) - 2`. No other height has such a
    /// sum, and seven bits hold it; the excess over the least identifies the owners (Pons 2017, "Solving Connect 4").
    const fn key(self) -> u64 {
        let discs = (self.mine | self.theirs) + self.mine;
        (self.status as u64) << (STRIDE * COLUMNS) | discs
    }

    const fn open(self) -> u64 {
        let set = (TOP & !(self.mine | self.theirs)) >> (ROWS - 1);
        OPEN_COLUMNS[(set.wrapping_mul(GATHER) >> 36) as usize & ((1 << COLUMNS) - 1)]
    }

    /// Ends a full board, or fills the only column that is left.
    #[cold]
    fn finish(&mut self) {
        let columns = self.open();
        if self.status >= OVER {
            return;
        }
        if columns == 0 {
            self.status = DRAW;
        } else {
            self.drop(columns as u8);
        }
    }

    #[inline]
    fn drop(&mut self, column: u8) {
        let occupied = self.mine | self.theirs;
        let after = occupied | (occupied + (1 << (STRIDE as u8 * column)));
        let discs = self.mine | (after ^ occupied);
        debug_assert!(self.status < OVER && after & (BOTTOM << ROWS) == 0, "{self:?} {column}");
        self.mine = self.theirs;
        self.theirs = discs;
        self.status = if has_four(discs) { self.status + OVER } else { self.status ^ 1 };
        let open = TOP & !after;
        if open & open.wrapping_sub(1) == 0 {
            self.finish();
        }
    }
}

impl Game for ConnectFour {
    type State = State;
    type Action = Drop;

    fn n_players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State::default()
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.status < OVER {
            Turn::Player(Player::new(state.status as usize))
        } else {
            Turn::Over
        }
    }

    fn actions(&self, state: &State, _player: Player, out: &mut Vec<Drop>) {
        let columns = state.open().to_le_bytes();
        let n_open = columns[COLUMNS] as usize;
        out.extend(columns[..n_open].iter().map(|&column| Drop(column)));
    }

    #[inline]
    fn n_actions(&self, state: &State, _player: Player, _scratch: &mut Vec<Drop>) -> usize {
        (state.open() >> 56) as usize
    }

    #[inline]
    fn is_legal(&self, state: &State, _: Player, action: Drop, _: &mut Vec<Drop>) -> bool {
        let bit = STRIDE * action.0 as usize + ROWS - 1;
        (action.0 as usize) < COLUMNS && (state.mine | state.theirs) >> bit & 1 == 0
    }

    #[inline]
    fn random_action<R: Randomness + ?Sized>(
        &self,
        state: &State,
        _player: Player,
        rng: &mut R,
        _scratch: &mut Vec<Drop>,
    ) -> Drop {
        let columns = state.open();
        Drop((columns >> (8 * rng.below((columns >> 56) as u32))) as u8)
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Drop) {
        state.drop(action.0);
    }

    #[inline]
    fn payoffs(&self, state: &State) -> ByPlayer<f32> {
        let mut points = ByPlayer::default();
        if state.status == DRAW {
            points.0[..2].fill(0.5);
        } else {
            points[Player::new((state.status - OVER) as usize)] = 1.0;
        }
        points
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn max_game_length(&self) -> Option<u32> {
        Some((ROWS * COLUMNS) as u32)
    }

    fn determinize<R: Randomness + ?Sized>(&self, _: &mut State, _: Player, _: &mut R) {}

    #[inline]
    fn info_state_key(&self, state: &State, _observer: Player) -> u64 {
        state.key()
    }
}

impl PerfectInformation for ConnectFour {}

impl Configure for ConnectFour {
    fn about() -> About {
        About {
            name: "connect-four",
            title: "Connect Four",
            players: 2..=2,
            default_players: 2,
            information: Information::Perfect,
            chance: Chance::None,
            provenance: Provenance::Published("Milton Bradley, 1974"),
        }
    }

    fn default_rules() -> &'static str {
        include_str!("../../data/connect-four.toml")
    }

    fn configure(n_players: usize, _rules: &Rules) -> Result<Self, BadRules> {
        check_players::<Self>(n_players)?;
        Ok(Self)
    }
}

impl Treatable for ConnectFour {}

#[cfg(feature = "data")]
impl ByHand for ConnectFour {
    fn complete(&self, state: &mut State) -> Result<(), BadData> {
        let State { mine, theirs, status } = *state;
        let taken = mine | theirs;
        demand(mine & !SQUARES == 0, "mine", "a square is off the board")?;
        demand(theirs & !SQUARES == 0, "theirs", "a square is off the board")?;
        demand_all(mine & theirs == 0, "both players have one square")?;
        // In a column that is filled from the bottom, one more than its bits is a power of two.
        demand_all((taken + BOTTOM) & taken == 0, "a disc has nothing below it")?;
        let n = taken.count_ones();
        let shares = "players take turns: mine are as many discs as theirs, or one fewer";
        demand(mine.count_ones() == n / 2, "mine", shares)?;
        demand(!has_four(mine), "mine", "four in a row, and play went on")?;
        let last = if has_four(theirs) {
            let tops = taken & !(taken >> 1) & theirs;
            let made_four = |square: u8| !has_four(theirs & !(1 << square));
            demand(each(tops).any(made_four), "theirs", "four in a row, and play went on")?;
            OVER + (n as u8 + 1) % 2
        } else if taken == SQUARES {
            DRAW
        } else {
            n as u8 % 2
        };
        demand(status == last, "status", format_args!("{status} where the discs give {last}"))
    }
}

fn row_text(state: &State, row: usize) -> String {
    let symbol = |column| state.disc(column, row).map_or('.', |p| ['x', 'o'][p.idx()]);
    (0..COLUMNS).map(symbol).collect()
}

impl Notation for ConnectFour {
    crate::by_hand::by_hand!();

    fn write_action(&self, action: Drop, f: &mut dyn fmt::Write) -> fmt::Result {
        write!(f, "{}", action.0 + 1)
    }

    fn state_json(&self, state: &State) -> Value {
        json!({ "rows": (0..ROWS).map(|row| row_text(state, row)).collect::<Vec<_>>() })
    }

    fn write_state(&self, state: &State, f: &mut dyn fmt::Write) -> fmt::Result {
        (0..ROWS).rev().try_for_each(|row| writeln!(f, "{}", row_text(state, row)))?;
        writeln!(f, "1234567")
    }
}

/// The columns, in the order of [`Drop`].
const NUMBERS: [ActionBlock; 1] = ActionBlock::lay_out([("column", &[COLUMNS as u32])]);

impl ActionIndex for ConnectFour {
    fn action_blocks(&self) -> &[ActionBlock] {
        &NUMBERS
    }

    #[inline]
    fn split(&self, action: Drop) -> (usize, Values) {
        (0, [action.0.into(), 0, 0, 0])
    }

    #[inline]
    fn join(&self, _block: usize, [column, ..]: Values) -> Drop {
        Drop(column as u8)
    }
}

impl ObservationTensor for ConnectFour {
    fn observe<F: Fields>(view: View<'_, Self>, fields: &mut F) {
        let axes = [("seat", 2), ("column", COLUMNS), ("row", ROWS)];
        fields.field("discs", &axes, "0/1", |out| {
            let State { mine, theirs, .. } = view.state();
            let mover = (mine | theirs).count_ones() as usize % 2;
            let is_mover = view.observer().idx() == mover;
            let boards = if is_mover { [*mine, *theirs] } else { [*theirs, *mine] };
            for (place, board) in boards.into_iter().enumerate() {
                for bit in each(board).map(usize::from) {
                    out[(COLUMNS * place + bit / STRIDE) * ROWS + bit % STRIDE] = 1.0;
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_three_words() {
        assert_eq!(size_of::<State>(), 24);
    }

    /// Compares the number of distinct keys with the published number of positions, from the start to its depth
    /// (oeis.org/A212693).
    #[test]
    fn every_position_has_a_key_of_its_own() {
        let mut layer = vec![State::default()];
        for due in [7, 49, 238, 1_120, 4_263, 16_422, 54_859] {
            let mut next: Vec<State> = Vec::new();
            for state in layer.iter().filter(|state| state.status < OVER) {
                let mut drops = Vec::new();
                ConnectFour.actions(state, Player::new(0), &mut drops);
                next.extend(drops.iter().map(|&drop| {
                    let mut after = *state;
                    ConnectFour.apply(&mut after, drop);
                    after
                }));
            }
            next.sort_unstable_by_key(|state| (state.mine, state.theirs, state.status));
            next.dedup();
            assert_eq!(next.len(), due);
            let mut keys: Vec<u64> = next.iter().map(|state| state.key()).collect();
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), due);
            layer = next;
        }
    }

    #[test]
    fn the_table_lists_the_open_columns() {
        assert_eq!(OPEN_COLUMNS[0b1000_0101 & 127].to_le_bytes(), [0, 2, 0, 0, 0, 0, 0, 2]);
        assert_eq!(State::default().open().to_le_bytes(), [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
