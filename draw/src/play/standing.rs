//! Contests under way, such as auctions and battles: a row for each side, for the page and for the terminal.

use std::fmt::Write;

use crate::chip::Chip;
use crate::html::{element, escape};
use crate::replay_page::seat_shape;

/// A contest under way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// Its title.
    pub title: String,
    /// A row for each side.
    pub rows: Vec<Row>,
}

/// A side of a contest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Row {
    /// Its seat, from 0; `None` if nobody plays it.
    pub seat: Option<usize>,
    /// Its name.
    pub name: String,
    /// Its cells, of which the sides have equally many; empty where there is nothing to say.
    pub cells: Vec<String>,
    /// Its pieces, which the page draws instead of the words of the first cell.
    pub pieces: Option<Chip>,
    /// The name of its side in events of chance, while its last dice lie on the table.
    pub dice: Option<String>,
}

impl Standing {
    /// Returns the contest as lines for a terminal: its title, then a line for each side.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let row = |row: &Row| {
            let said = row.cells.iter().filter(|cell| !cell.is_empty()).cloned();
            format!("  {}: {}", row.name, said.collect::<Vec<_>>().join("; "))
        };
        std::iter::once(self.title.clone()).chain(self.rows.iter().map(row)).collect()
    }

    /// Returns the contest as a table of HTML. The script of the page draws the pieces and the dice.
    pub(super) fn html(&self) -> String {
        let mut out =
            format!("<table class=\"standing\"><caption>{}</caption>", escape(&self.title));
        out += "<tbody>\n";
        for row in &self.rows {
            let shape = row.seat.map_or_else(String::new, seat_shape);
            let _ = write!(out, "<tr><th scope=\"row\">{shape}{}</th>", escape(&row.name));
            for (i, cell) in row.cells.iter().enumerate() {
                match row.pieces.as_ref().filter(|_| i == 0) {
                    Some(chip) => {
                        let code = escape(&chip.code().replace('\u{1f}', "\t"));
                        let _ = write!(out, "<td data-pieces=\"{code}\">{}</td>", escape(cell));
                    }
                    None => out += &element("td", "", cell),
                }
            }
            if let Some(dice) = &row.dice {
                let _ = write!(out, "<td data-dice=\"{}\"></td>", escape(dice));
            }
            out += "</tr>\n";
        }
        out + "</tbody></table>\n"
    }
}
