//! The games, and the only list of them: [`catalogue!`](crate::catalogue).

use std::fmt::Display;
use std::ops::RangeInclusive;

use crate::rules::{BadRules, Configure, Rules};

pub mod circus;
pub mod classic;
pub mod connect_four;
pub mod conquest2;
pub mod goofspiel;
pub mod hannibal;
pub mod imperium;
pub mod kuhn_poker;
pub mod pig;
pub mod rise;
mod shared;
pub mod tic_tac_toe;

/// Calls back with the list of all games: `$macro! { "name" => path::Type, … }`.
///
/// Code that needs every game (conformance, the dispatching `match`, the allocation test) expands this list. So a new
/// game that lacks a piece fails to compile.
#[macro_export]
macro_rules! catalogue {
    ($callback:ident) => {
        $callback! {
            "conquest2" => $crate::games::conquest2::Conquest2,
            "classic" => $crate::games::classic::Classic,
            "hannibal" => $crate::games::hannibal::Hannibal,
            "imperium" => $crate::games::imperium::Imperium,
            "circus" => $crate::games::circus::Circus,
            "rise" => $crate::games::rise::Rise,
            "connect-four" => $crate::games::connect_four::ConnectFour,
            "goofspiel" => $crate::games::goofspiel::Goofspiel,
            "kuhn-poker" => $crate::games::kuhn_poker::KuhnPoker,
            "pig" => $crate::games::pig::Pig,
            "tic-tac-toe" => $crate::games::tic_tac_toe::TicTacToe,
        }
    };
}

/// Refuses a table that the rules of `G` do not allow.
pub(crate) fn check_players<G: Configure>(n_players: usize) -> Result<(), BadRules> {
    G::about().check_players(n_players)
}

/// Refuses the value of `key` outside `range`.
fn check_range<T: PartialOrd + Display>(
    rules: &Rules,
    key: &str,
    value: T,
    range: &RangeInclusive<T>,
) -> Result<T, BadRules> {
    if range.contains(&value) {
        return Ok(value);
    }
    let (least, most) = (range.start(), range.end());
    Err(rules.bad(key, format_args!("{value} is out of range ({least} to {most})")))
}
