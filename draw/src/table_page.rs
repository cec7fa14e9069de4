//! A table as a page of its own, for a frame in a notebook, with the height that it takes.

use crate::figure::FigureTable;
use crate::page::{Layout, Section, page_of};

/// Height of a row, in pixels: a line of text, its padding and its border, as `style.css` has them.
const ROW: u32 = 29;
/// Height of the rest: the padding of the page, and a bar for wide tables.
const AROUND: u32 = 24;

/// Returns a page of one table, whose title only browsers and screen readers show.
#[must_use]
pub fn table_page(title: &str, table: &FigureTable) -> String {
    page_of(Layout::Table, title, "", &[Section::new(title, table.html())])
}

/// Returns the height of the page of a table whose rows are all shown, in pixels.
#[must_use]
pub fn table_height(table: &FigureTable) -> u32 {
    let lines = 1 + table.rows.len() + usize::from(!table.caption.is_empty());
    AROUND + ROW * lines as u32
}
