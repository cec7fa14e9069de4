//! Exhaustive solvers of small games. They are the oracles that test the searches, and no agents.
//!
//! | function | result | valid for |
//! | --- | --- | --- |
//! | [`solve`] | the value of a position, and all best actions | no hidden information, simultaneous turns or cycles |
//! | [`ConnectFourSolver`] | the value of a position, from the middle game on | Connect Four |
//! | [`matrix_game`] | value and optimal strategies of a zero-sum matrix game | any finite matrix |
//! | [`solve_simultaneous`] | an equilibrium by backward induction | two players, nothing hidden, no cycles |
//! | [`value_of`] | expected points when all follow one policy | games of at most [`MAX_DEPTH`] events |
//! | [`best_response`] | the most points of one player against the policy | as above, hidden information included |
//! | [`exploitability`] | the distance of the policy from an equilibrium | as above; exact meaning for two players |
//!
//! All functions enumerate. The work of a solver grows with the number of positions, which it remembers. The work of a
//! policy's value grows with the number of histories. Positions are compared after hashing, so a collision costs only
//! time. Values are points in `[0, 1]`, exact up to the rounding of `f64`.

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

/// Default number of positions that a solver remembers before it stops.
pub const MAX_STATES: usize = 4_000_000;
/// Maximum number of events of a game that can be enumerated.
pub const MAX_DEPTH: u32 = 256;
/// The rounding error: smaller differences in points count as zero.
const ROUNDING: f64 = 1e-12;

/// The reason why a game was not solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsolved {
    /// A game in which a position can recur, so backward induction does not apply (pig).
    Cyclic,
    /// A game with more than [`MAX_DEPTH`] events in a row.
    TooLong,
    /// A game with more positions than the solver may remember.
    TooLarge {
        /// Maximum number of positions.
        max_states: usize,
    },
    /// A game with simultaneous turns: see [`solve_simultaneous`].
    Simultaneous,
    /// A game without exactly two players.
    Players {
        /// Number of players of the game.
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

/// Returns the points at the end of a game, in the precision of the solvers.
fn points<G: Game>(game: &G, state: &G::State) -> ByPlayer<f64> {
    ByPlayer(game.payoffs(state).0.map(f64::from))
}
