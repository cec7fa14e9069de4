//! Boards of cells in rows: connect four and tic-tac-toe.

use serde_json::Value as Json;

use super::Drawing;
use crate::board::{Area, Board, Kind};
use crate::chip::{Chip, ChipLook};
use crate::replay::BoardView;
use crate::shapes::Rect;
use crate::story::{Position, seated};

/// The side of a cell, in units of the SVG.
const SIDE: f64 = 34.0;
/// The marks of the seats in the rows of a position.
const MARKS: [char; 2] = ['x', 'o'];

/// The drawing of a grid. The first row of a position is the lowest.
#[derive(Clone, Debug)]
pub struct Grid {
    board: Board,
    columns: usize,
}

impl Grid {
    /// Creates the board of connect four. The cell `3-1` is the lowest of the third column.
    #[must_use]
    pub fn connect_four() -> Self {
        Self::new(7, 6, &|column, row| format!("{}-{}", column + 1, row + 1))
    }

    /// Creates the board of tic-tac-toe. The cell `a1` is in the lower left corner.
    #[must_use]
    pub fn tic_tac_toe() -> Self {
        Self::new(3, 3, &|column, row| format!("{}{}", char::from(b'a' + column), row + 1))
    }

    fn new(columns: u8, rows: u8, id: &dyn Fn(u8, u8) -> String) -> Self {
        let area = |column: u8, row: u8| {
            let (left, top) = (SIDE * f64::from(column), SIDE * f64::from(rows - 1 - row));
            let (right, bottom) = (left + SIDE, top + SIDE);
            let at = [left + SIDE / 2.0, top + SIDE / 2.0];
            Area {
                id: id(column, row),
                label: Vec::new(),
                note: String::new(),
                badge: String::new(),
                kind: Kind::Track,
                at,
                shape: vec![vec![[left, top], [right, top], [right, bottom], [left, bottom]]],
                label_box: Rect::default(),
                slot: Rect::around(at, 18.0, 16.0),
            }
        };
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let areas = cells.map(|(column, row)| area(column, row)).collect();
        let size = [SIDE * f64::from(columns), SIDE * f64::from(rows)];
        Self { board: Board { size, areas, ..Board::default() }, columns: columns.into() }
    }
}

impl Drawing for Grid {
    fn board(&self) -> Option<&Board> {
        Some(&self.board)
    }

    fn gauges(&self) -> Vec<String> {
        vec!["mark".to_owned()]
    }

    fn view(&self, position: &Position) -> BoardView {
        let rows: Vec<&str> = position.state["rows"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Json::as_str)
            .collect();
        let chips = |i: usize| -> Vec<Chip> {
            let mark = rows.get(i / self.columns).and_then(|row| row.chars().nth(i % self.columns));
            let seat = MARKS.iter().position(|&known| Some(known) == mark);
            let chip = |seat: usize| {
                Chip::new(Some(seat), ChipLook::Token, MARKS[seat].to_string(), seated(seat))
            };
            seat.map(chip).into_iter().collect()
        };
        BoardView {
            areas: (0..self.board.areas.len()).map(chips).collect(),
            gauges: MARKS.iter().map(|mark| vec![mark.to_string()]).collect(),
            ..BoardView::default()
        }
    }
}
