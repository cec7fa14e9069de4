//! Stories and boards of single games. A game without an entry here has a story in the words of its records. Its board
//! is the map of its rules, if there is one, or else text.
//!
//! [`teller`], [`drawing`] and [`map`] are the entry points.

pub mod circus;
pub mod classic;
pub mod conquest2;
mod grid;
pub mod hannibal;
pub mod imperium;
pub mod rise;
mod words;

use serde_json::Value as Json;

use crate::board::Board;
use crate::replay::BoardView;
use crate::story::{Plain, Position, Teller};

pub use self::grid::Grid;
pub use self::words::Words;

/// The drawing of a game: its board and the views of its positions.
pub trait Drawing {
    /// Returns the board; `None` for games without a drawn one.
    fn board(&self) -> Option<&Board>;

    /// Returns the names of the gauges: the values that the page shows for each seat.
    fn gauges(&self) -> Vec<String>;

    /// Returns the number of gauges that are lists; these stand last.
    fn lists(&self) -> usize {
        0
    }

    /// Returns the names of the public displays beside the board.
    fn displays(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the price and the effect of a card or a tile, without a full stop; `None` for things that need none.
    fn note(&self, _thing: &str) -> Option<String> {
        None
    }

    /// Returns the cards or tiles with a name of one word: each word of records with its name.
    fn things(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Returns the name of the score of a view; empty if a view has no score.
    fn score(&self) -> &'static str {
        ""
    }

    /// Returns the legend of letters and shapes on the board, in one or two sentences.
    fn legend(&self) -> String {
        String::new()
    }

    /// Returns whether frames show the board as text.
    fn is_text(&self) -> bool {
        false
    }

    /// Returns the visible content of a position.
    fn view(&self, position: &Position) -> BoardView;
}

/// Returns the narrator of a game of `name` that begins at `start`.
#[must_use]
pub fn teller(name: &str, start: &Position) -> Box<dyn Teller + Send> {
    match name {
        "conquest2" => Box::new(conquest2::story::Story::new(start)),
        "classic" => Box::new(classic::Story::new(start)),
        "hannibal" => Box::new(hannibal::Story::new(start)),
        "imperium" => Box::new(imperium::Story::new(start)),
        "circus" => Box::new(circus::Story::new(start)),
        "rise" => Box::new(rise::Story::new(start)),
        _ => Box::new(Plain),
    }
}

/// Returns the drawing of a game of `name` under these rules, at a table of `seats` seats.
#[must_use]
pub fn drawing(name: &str, rules: &Json, seats: usize) -> Box<dyn Drawing + Send> {
    let drawn: Option<Box<dyn Drawing + Send>> = match name {
        "conquest2" => conquest2::map::Map::new(rules, seats).map(|map| Box::new(map) as Box<_>),
        "classic" => classic::Map::new(rules, seats).map(|map| Box::new(map) as Box<_>),
        "hannibal" => Some(Box::new(hannibal::Map::new(rules))),
        "imperium" => Some(Box::new(imperium::Map::new(rules, seats))),
        "circus" => Some(Box::new(circus::Track::new(rules, seats))),
        "rise" => Some(Box::new(rise::Map::new(rules, seats))),
        "connect-four" => Some(Box::new(Grid::connect_four())),
        "tic-tac-toe" => Some(Box::new(Grid::tic_tac_toe())),
        _ => None,
    };
    drawn.unwrap_or_else(|| Box::new(Words))
}

/// Returns the map for values of places of a game, if it has one.
#[must_use]
pub fn map(name: &str, rules: &Json) -> Option<Board> {
    match name {
        "hannibal" => hannibal::Map::new(rules).board().cloned(),
        "imperium" => imperium::Map::new(rules, 2).board().cloned(),
        "rise" => rise::Map::new(rules, 2).board().cloned(),
        _ => Board::of_rules(rules),
    }
}
