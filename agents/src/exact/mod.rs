//! Exhaustive solvers of small games: the oracles against which search is tested, not agents.
//!
//! | function | answers | valid for |
//! | --- | --- | --- |
//! | [`solve`] | what a position is worth, and all best actions | nothing hidden, no simultaneous turns, no cycles |
//! | [`ConnectFourSolver`] | the same of Connect Four, from its middle game on | Connect Four |
//! | [`matrix_game`] | value and optimal strategies of a zero-sum matrix game | any finite matrix |
//! | [`solve_simultaneous`] | an equilibrium by backward induction | two players, nothing hidden, no cycles |
//! | [`value_of`] | expected points when all follow one policy | games of at most [`MAX_DEPTH`] events |
//! | [`best_response`] | the most that one player can get against the policy | the same; hidden information too |
//! | [`exploitability`] | how far the policy is from an equilibrium | the same; exact meaning for two players |
//!
//! All of them enumerate: the work grows with the number of positions (solvers, which remember each) or of
//! histories (values of policies). Positions are remembered by hash and compared, so a collision costs time only.
//! Values are points in `[0, 1]`, exact up to the rounding of `f64`.

use std::fmt;

use engine::{ByPlayer, Game};

mod connect_four;
mod memo;
mod response;
mod simultaneous;
mod solver;

pub use self::connect_four::ConnectFourSolver;
pub(crate) use self::memo::Memo;
pub use self::response::{Policy, best_response, exploitability, uniform, value_of};
pub use self::simultaneous::{Equilibrium, solve_simultaneous};
pub use self::solver::{Solution, Solver, solve};
pub use stats::matrix_game::{MatrixSolution, matrix_game};

/// Positions that a solver remembers before it gives up, unless it is told otherwise.
pub const MAX_STATES: usize = 4_000_000;
/// Events after which a game counts as too long to be enumerated.
pub const MAX_DEPTH: u32 = 256;
/// Differences in points below this are rounding.
const ROUNDING: f64 = 1e-12;

/// Why a game was not solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsolved {
    /// A position can come back: backward induction does not apply (pig).
    Cyclic,
    /// More than [`MAX_DEPTH`] events in a row.
    TooLong,
    /// More positions than the solver may remember.
    TooLarge {
        /// How many it may remember.
        max_states: usize,
    },
    /// Players choose at once: see [`solve_simultaneous`].
    Simultaneous,
    /// Only for two players.
    Players {
        /// How many there are.
        n_players: usize,
    },
}

impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cyclic => {
                f.write_str("a position can come back: only games that always move on are solved")
            }
            Self::TooLong => write!(f, "more than {MAX_DEPTH} events in a row"),
            Self::TooLarge { max_states } => {
                write!(f, "more than {max_states} positions: start nearer to the end")
            }
            Self::Simultaneous => {
                f.write_str("players choose at once: only solve_simultaneous knows what to do")
            }
            Self::Players { n_players } => {
                write!(f, "{n_players} players, but equilibria are computed for two")
            }
        }
    }
}

impl std::error::Error for Unsolved {}

/// The points at the end of a game, in the precision of the solvers.
fn points<G: Game>(game: &G, state: &G::State) -> ByPlayer<f64> {
    ByPlayer(game.payoffs(state).0.map(f64::from))
}
