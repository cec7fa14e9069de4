//! What single games look like: who tells them, and how their boards are drawn. A game that has nothing here is told by
//! its records' own words, and drawn on the map of its rules, if there is one, or as text.

pub mod circus;
pub mod classic;
pub mod conquest2;
pub mod hannibal;
pub mod imperium;
pub mod rise;
mod words;

use serde_json::Value as Json;

use crate::board::Board;
use crate::replay::BoardView;
use crate::story::{Plain, Position, Teller};

pub use self::words::Words;

/// Draws the positions of a game.
pub trait Drawing {
    /// The board, where one is drawn.
    fn board(&self) -> Option<&Board>;

    /// What is counted of each seat.
    fn gauges(&self) -> Vec<String>;

    /// The number of these, at the end, that are lists.
    fn lists(&self) -> usize {
        0
    }

    /// The names of the displays beside the board, which all see.
    fn displays(&self) -> Vec<String> {
        Vec::new()
    }

    /// The name of the score of a view; empty where a view has none.
    fn score(&self) -> &'static str {
        ""
    }

    /// What letters and shapes on the board mean, in a sentence or two.
    fn legend(&self) -> String {
        String::new()
    }

    /// Whether frames show the board as text.
    fn is_text(&self) -> bool {
        false
    }

    /// What can be seen of a position.
    fn view(&self, position: &Position) -> BoardView;
}

/// Who tells a game of `name` that begins at `start`.
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

/// Who draws a game of `name` under these rules, at a table of so many seats.
#[must_use]
pub fn drawing(name: &str, rules: &Json, seats: usize) -> Box<dyn Drawing + Send> {
    let drawn: Option<Box<dyn Drawing + Send>> = match name {
        "conquest2" => conquest2::map::Map::new(rules, seats).map(|map| Box::new(map) as Box<_>),
        "classic" => classic::Map::new(rules, seats).map(|map| Box::new(map) as Box<_>),
        "hannibal" => Some(Box::new(hannibal::Map::new(rules))),
        "imperium" => Some(Box::new(imperium::Map::new(rules, seats))),
        "circus" => Some(Box::new(circus::Track::new(rules, seats))),
        "rise" => Some(Box::new(rise::Map::new(rules, seats))),
        _ => None,
    };
    drawn.unwrap_or_else(|| Box::new(Words))
}

/// The map on which values of places of a game can be drawn, if it has one.
#[must_use]
pub fn map(name: &str, rules: &Json) -> Option<Board> {
    match name {
        "hannibal" => hannibal::Map::new(rules).board().cloned(),
        "imperium" => imperium::Map::new(rules, 2).board().cloned(),
        "rise" => rise::Map::new(rules, 2).board().cloned(),
        _ => Board::of_rules(rules),
    }
}
