//! A table as comma-separated values: one line of names, then a line a row, numbers with all their digits.
//!
//! An estimate has three columns, as in `share`, `share_low`, `share_high`; what does not exist is empty.

use super::super::table::{Cell, Column, Content, Table};
use crate::stats::Interval;

/// The whole table, notes left out.
///
/// # Panics
/// If memory cannot be written to (never).
#[must_use]
pub fn write(table: &Table) -> String {
    let places = table.shown(true);
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let names = places.iter().flat_map(|&i| names(&table.columns[i]));
    writer.write_record(names).expect("memory can be written to");
    for row in &table.rows {
        let fields = places.iter().flat_map(|&i| fields(&table.columns[i], &row.cells[i]));
        writer.write_record(fields).expect("memory can be written to");
    }
    let bytes = writer.into_inner().expect("memory can be written to");
    String::from_utf8(bytes).expect("names and numbers are UTF-8")
}

fn names(Column { key, content, .. }: &Column) -> Vec<String> {
    match content {
        Content::Estimate(_) => vec![key.clone(), format!("{key}_low"), format!("{key}_high")],
        _ => vec![key.clone()],
    }
}

fn fields(column: &Column, cell: &Cell) -> Vec<String> {
    let mut fields = match cell {
        Cell::Nothing => vec![String::new()],
        Cell::Text(text) | Cell::Name { name: text, .. } => vec![text.clone()],
        Cell::Count(n) => vec![n.to_string()],
        Cell::Number(x) | Cell::Estimate(x, None) => vec![number(*x)],
        Cell::Estimate(x, Some(Interval { low, high })) => [*x, *low, *high].map(number).to_vec(),
        Cell::Flag(is_so) => vec![if *is_so { "True" } else { "False" }.to_owned()],
    };
    fields.resize(names(column).len(), String::new());
    fields
}

/// A number with the digits that tell it from all others; nothing for what is no number. Never a negative zero.
fn number(x: f64) -> String {
    if x.is_finite() { (x + 0.0).to_string() } else { String::new() }
}
