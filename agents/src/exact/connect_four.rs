//! An exact solver of Connect Four: win, draw or loss for the player to move. From the middle game on it takes a blink.
//! From the start of a game it is too slow for a test.
//!
//! It is an alpha-beta search over bitboards with a table of positions (Tromp's key: discs of the mover plus all
//! discs). It never searches below a four. A mover who can make a four wins. A mover who cannot stop two opposing fours
//! loses. Squares below a winning square of the opponent are avoided. Moves that open most fours come first.

use engine::games::connect_four::{
    BOTTOM, COLUMNS, ConnectFour, Drop, ROWS, SQUARES, State, completing,
};
use engine::{Game, Player, Turn};

/// Number of positions in the table: a power of two, 16 bytes each.
const KEPT: usize = 1 << 20;

/// Squares of a column plus the empty square above it.
const STRIDE: usize = ROWS + 1;
/// The squares of the first column.
const COLUMN: u64 = (1 << ROWS) - 1;

/// The columns from the middle to the edges. Fours are more frequent in the middle.
const ORDER: [usize; COLUMNS] = [3, 2, 4, 1, 5, 0, 6];

/// The multiplier that spreads keys over the table by their highest bits (Knuth's multiplicative hashing).
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// An entry of the table: the key of a position and bounds of its value.
#[derive(Clone, Copy, Debug)]
struct Known {
    key: u64,
    least: i8,
    most: i8,
}

/// A solver with reusable memory.
#[derive(Debug)]
pub struct ConnectFourSolver {
    known: Box<[Known]>,
}

impl Default for ConnectFourSolver {
    fn default() -> Self {
        Self::new()
    }
}

impl ConnectFourSolver {
    /// Creates a solver with an empty table; it takes 16 MiB.
    #[must_use]
    pub fn new() -> Self {
        // No position has all bits set in its key.
        let nothing = Known { key: u64::MAX, least: -1, most: 1 };
        Self { known: vec![nothing; KEPT].into() }
    }

    /// Returns the value of a position for the player to move: 1 for a forced win, 0 for a draw, -1 for a loss; `None`
    /// if the game is over.
    pub fn value(&mut self, state: &State) -> Option<i8> {
        match ConnectFour.turn(state) {
            Turn::Player(mover) => Some(self.worth(state, mover)),
            _ => None,
        }
    }

    /// Returns the value of a position for a player; the game may be over.
    fn worth(&mut self, state: &State, player: Player) -> i8 {
        let Turn::Player(mover) = ConnectFour.turn(state) else {
            return (2.0 * ConnectFour.payoffs(state)[player] - 1.0) as i8;
        };
        let [mine, theirs] = state.boards();
        let value = self.search(mine, theirs, -1, 1);
        if mover == player { value } else { -value }
    }

    /// Returns the value of every option for the player to move, in the order of the columns. The game must not be
    /// over.
    pub fn options(&mut self, state: &State) -> Vec<(Drop, i8)> {
        let Turn::Player(mover) = ConnectFour.turn(state) else { return Vec::new() };
        let mut drops = Vec::new();
        ConnectFour.actions(state, mover, &mut drops);
        let mut worth = |drop: Drop| {
            let mut next = *state;
            ConnectFour.apply(&mut next, drop);
            self.worth(&next, mover)
        };
        drops.into_iter().map(|drop| (drop, worth(drop))).collect()
    }

    /// Returns the value within `least..=most` of a position without a four.
    fn search(&mut self, mine: u64, theirs: u64, mut least: i8, mut most: i8) -> i8 {
        let taken = mine | theirs;
        let free = (taken + BOTTOM) & SQUARES;
        if free == 0 {
            return 0;
        }
        if completing(mine) & free != 0 {
            return 1;
        }
        let danger = completing(theirs) & SQUARES & !taken;
        let urgent = danger & free;
        // No player voluntarily plays below a winning square of the opponent.
        let safe = if urgent == 0 { free } else { urgent } & !(danger >> 1);
        if urgent & urgent.wrapping_sub(1) != 0 || safe == 0 {
            return -1;
        }
        let key = taken + BOTTOM + mine;
        let place = (key.wrapping_mul(SPREAD) >> (u64::BITS - KEPT.ilog2())) as usize;
        let known = self.known[place];
        if known.key == key {
            least = least.max(known.least);
            most = most.min(known.most);
            if least >= most {
                return least;
            }
        }
        let floor = least;
        let mut best = -1;
        for square in Self::ordered(mine, taken, safe).into_iter().filter(|&square| square != 0) {
            let value = -self.search(theirs, mine | square, -most, -least);
            best = best.max(value);
            least = least.max(value);
            if least >= most {
                break;
            }
        }
        let bounds = match best {
            _ if best >= most => (best, 1),
            _ if best <= floor => (-1, best),
            _ => (best, best),
        };
        self.known[place] = Known { key, least: bounds.0, most: bounds.1 };
        best
    }

    /// Returns the squares of `safe`, with those that open most fours first; 0 after the last.
    fn ordered(mine: u64, taken: u64, safe: u64) -> [u64; COLUMNS] {
        let mut squares = [(0, 0); COLUMNS];
        let mut n = 0;
        for column in ORDER {
            let square = safe & COLUMN << (STRIDE * column);
            if square != 0 {
                let fours = completing(mine | square) & SQUARES & !taken;
                let mut at = n;
                while at > 0 && squares[at - 1].0 < fours.count_ones() {
                    squares[at] = squares[at - 1];
                    at -= 1;
                }
                squares[at] = (fours.count_ones(), square);
                n += 1;
            }
        }
        squares.map(|(_, square)| square)
    }
}

#[cfg(test)]
mod tests {
    use engine::Purpose;
    use engine::rng::stream;

    use super::super::solve;
    use super::*;

    /// Returns a position after this number of random drops; `None` if the game is over before.
    fn position(index: u64, n_drops: u32) -> Option<State> {
        let mut rng = stream(7, index, Purpose::Analysis);
        let mut state = ConnectFour.start();
        for _ in 0..n_drops {
            let Turn::Player(mover) = ConnectFour.turn(&state) else { return None };
            let drop = ConnectFour.random_action(&state, mover, &mut rng, &mut Vec::new());
            ConnectFour.apply(&mut state, drop);
        }
        matches!(ConnectFour.turn(&state), Turn::Player(_)).then_some(state)
    }

    #[test]
    fn late_positions_are_worth_what_the_general_solver_says() {
        let mut solver = ConnectFourSolver::new();
        let mut seen = [0; 3];
        for state in (0..6_000).filter_map(|index| position(index, 28)) {
            let Turn::Player(mover) = ConnectFour.turn(&state) else { unreachable!("not over") };
            let solution = solve(&ConnectFour, &state).expect("it is small enough");
            let value = solver.value(&state).expect("it is not over");
            let general = 2.0 * solution.values[mover] - 1.0;
            assert!((f64::from(value) - general).abs() < 1e-9, "{value} {general}: {state:?}");
            let best: Vec<Drop> = solver
                .options(&state)
                .into_iter()
                .filter(|(_, worth)| *worth == value)
                .map(|(drop, _)| drop)
                .collect();
            assert_eq!(best, solution.best, "{state:?}");
            seen[(value + 1) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| n > 10), "{seen:?}");
    }

    #[test]
    fn what_is_remembered_changes_nothing() {
        let mut solver = ConnectFourSolver::new();
        for state in (0..60).filter_map(|index| position(index, 18)) {
            let first = solver.value(&state);
            assert_eq!(solver.value(&state), first);
            assert_eq!(ConnectFourSolver::new().value(&state), first);
            let best = solver.options(&state).iter().map(|(_, worth)| *worth).max();
            assert!(best.is_some() && best == first);
        }
    }
}
