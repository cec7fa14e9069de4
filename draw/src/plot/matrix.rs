//! Tables as coloured cells.

use std::fmt::Write;

use super::{Frame, both, cut, letters, room, text};
use crate::html::{coordinate, escape};

/// A cell of a matrix.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// From -1 to 1: the position of its colour on a scale with two sides.
    pub strength: f64,
    /// Its text.
    pub text: String,
    /// Its tooltip.
    pub title: String,
}

const TOP: f64 = 28.0;
const ROW: f64 = 30.0;

/// Returns cells by row and column; `None` leaves a cell empty. Rows and columns share their numbering; the tooltips
/// contain the names of the columns.
#[must_use]
pub fn matrix(
    rows: &[String],
    columns: &[String],
    cells: &[Vec<Option<Cell>>],
    alt: &str,
) -> String {
    both(|frame| matrix_in(frame, rows, columns, cells, alt))
}

fn matrix_in(
    frame: Frame,
    rows: &[String],
    columns: &[String],
    cells: &[Vec<Option<Cell>>],
    alt: &str,
) -> String {
    let bounds = if frame == Frame::Wide { [120.0, 330.0] } else { [60.0, 150.0] };
    let left = room(rows.iter().map(String::as_str), bounds);
    let width = ((frame.width() - left - 10.0) / columns.len().max(1) as f64).min(90.0);
    let mut out = frame.begin(TOP + ROW * rows.len() as f64 + 10.0, alt);
    for (i, column) in columns.iter().enumerate() {
        let x = left + width * (i as f64 + 0.5);
        let most = (width / 7.0) as usize;
        out += &text("small", [x, TOP - 10.0], "middle", &cut(column, most.max(3)));
    }
    for (i, row) in rows.iter().enumerate() {
        let y = TOP + ROW * i as f64;
        out += &text("label", [left - 8.0, y + 20.0], "end", &cut(row, letters(left)));
        for (j, cell) in cells[i].iter().enumerate() {
            let Some(cell) = cell else { continue };
            let [x, top, w, h] =
                [left + width * j as f64 + 1.0, y + 1.0, width - 2.0, ROW - 2.0].map(coordinate);
            let step = (cell.strength.abs().min(1.0) * 7.0).round();
            let side = if cell.strength < 0.0 { "down" } else { "up" };
            let title = escape(&cell.title);
            let _ = writeln!(
                out,
                "<rect class=\"{side}{step}\" x=\"{x}\" y=\"{top}\" width=\"{w}\" height=\"{h}\"><title>{title}</title></rect>"
            );
            let x = left + width * (j as f64 + 0.5);
            out += &text("cell-text", [x, y + 20.0], "middle", &cell.text);
        }
    }
    out + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_coloured_by_their_side() {
        let cell = |strength| Some(Cell { strength, text: "x".to_owned(), title: "t".to_owned() });
        let names = ["a".to_owned(), "b".to_owned()];
        let svg = matrix(&names, &names, &[vec![None, cell(1.0)], vec![cell(-1.0), None]], "all");
        assert_eq!(svg.matches("<rect").count(), 4, "two in each layout");
        assert!(svg.contains("class=\"up7\"") && svg.contains("class=\"down7\""));
    }
}
