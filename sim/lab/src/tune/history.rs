//! The history of a search as a table for other tools: a row for each block of each candidate.

use super::journal::Row;
use super::space::Space;
use sim::export::columns::{Cell, Column, ColumnKind, Columns, Declared};

/// A block of a row of the log.
struct Block<'a> {
    row: &'a Row,
    number: u64,
    value: f64,
}

impl<'a> Declared<Block<'a>> for Space {
    fn declare(&self, to: &mut impl Columns<Block<'a>>) -> Option<()> {
        use ColumnKind::{Long, Real, Text};
        to.shown("row", Long, |block| Cell::Long(block.row.number))?;
        to.shown("pool", Text, |block| Cell::Text(block.row.pool.clone()))?;
        to.shown("field", Text, |block| Cell::Text(block.row.field.clone()))?;
        to.shown("block", Long, |block| Cell::Long(block.number))?;
        to.shown("value", Real, |block| Cell::Real(block.value as f32))?;
        for (i, dimension) in self.dimensions().iter().enumerate() {
            let is_ordered = dimension.range.is_ordered();
            to.shown(&dimension.name, if is_ordered { Real } else { Text }, |block| {
                let text = &block.row.texts[i];
                match text.parse() {
                    Ok(number) if is_ordered => Cell::Real(number),
                    _ => Cell::Text(text.clone()),
                }
            })?;
        }
        Some(())
    }
}

/// Returns the table of the rows of a log. `row` is the number in the log, `pool` and `field` are the purpose of the
/// block and the candidate's opponents, and `value` is the result. A column for each dimension of `space` follows,
/// with numbers as numbers.
#[must_use]
pub fn table(space: &Space, rows: &[Row]) -> (Vec<Column>, Vec<Vec<Cell>>) {
    let blocks = rows.iter().flat_map(|row| {
        let values = (row.first..).zip(&row.came.values);
        values.map(move |(number, &value)| space.written(&Block { row, number, value }))
    });
    (space.named(), blocks.collect())
}
