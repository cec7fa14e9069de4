//! The history of a search as a table for other tools: a row for each block of each candidate.

use super::journal::Row;
use super::space::Space;
use sim::export::columns::{Cell, Column, ColumnKind};

/// What stands in a row before the values of the candidate.
const COLUMNS: [(&str, ColumnKind); 5] = [
    ("row", ColumnKind::Long),
    ("pool", ColumnKind::Text),
    ("field", ColumnKind::Text),
    ("block", ColumnKind::Long),
    ("value", ColumnKind::Real),
];

/// The table of the rows of a log: `row` is the number in the log, `pool` and `field` say what the block is for and whom
/// the candidate meets, `value` what the block came to; then a column for each dimension of `space`, numbers as numbers.
#[must_use]
pub fn table(space: &Space, rows: &[Row]) -> (Vec<Column>, Vec<Vec<Cell>>) {
    let dimensions = space.dimensions();
    let kind = |is_ordered: bool| if is_ordered { ColumnKind::Real } else { ColumnKind::Text };
    let own = dimensions.iter().map(|one| Column::new(&one.name, kind(one.range.is_ordered())));
    let columns =
        COLUMNS.map(|(name, kind)| Column::new(name, kind)).into_iter().chain(own).collect();
    let texts = |row: &Row| -> Vec<Cell> {
        let each = dimensions.iter().zip(&row.texts);
        let cell = |text: &String, is_ordered: bool| match text.parse() {
            Ok(number) if is_ordered => Cell::Real(number),
            _ => Cell::Text(text.clone()),
        };
        each.map(|(one, text)| cell(text, one.range.is_ordered())).collect()
    };
    let blocks = rows.iter().flat_map(|row| {
        let texts = texts(row);
        (row.first..).zip(&row.came.values).map(move |(block, &value)| {
            let mut cells = vec![
                Cell::Long(row.number),
                Cell::Text(row.pool.clone()),
                Cell::Text(row.field.clone()),
                Cell::Long(block),
                Cell::Real(value as f32),
            ];
            cells.extend_from_slice(&texts);
            cells
        })
    });
    (columns, blocks.collect())
}
