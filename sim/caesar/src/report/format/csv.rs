//! A table as comma-separated values: one line of names, then a line a row, numbers with all their digits.
//!
//! An estimate has three columns, as in `share`, `share_low`, `share_high`; missing values are empty.

use super::super::table::{Cell, Column, Content, Table};
use sim::stats::Interval;
use sim::units;

/// Returns the whole table without notes.
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

/// Returns a number with the shortest digits that identify it; empty if it is not finite. Never a negative zero.
fn number(x: f64) -> String {
    if units::is_sensible(x) { (x + 0.0).to_string() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::super::super::table::{Page, Scale};
    use super::super::terminal::{self, TerminalStyle};
    use super::*;

    #[test]
    fn guards_and_infinite_numbers_reach_no_cell() {
        let columns = vec![
            Column::plain("name", Content::Key),
            Column::plain("llr", Content::Number(Scale::SHARE)),
            Column::plain("price", Content::Estimate(Scale::Fixed(1))),
        ];
        let row = |x: f64, low: f64, high: f64| {
            let interval = Interval { low, high };
            vec![Cell::text("a"), Cell::Number(x), Cell::Estimate(2.0, Some(interval))]
        };
        let guard = -3.9e99;
        let table = Table::new("t", "t", columns).with([
            row(guard, guard, 3.0),
            row(f64::INFINITY, 1.0, f64::INFINITY),
            row(f64::NAN, f64::NEG_INFINITY, 1e15),
        ]);
        assert_eq!(
            write(&table),
            "name,llr,price,price_low,price_high\na,,2,,3\na,,2,1,\na,,2,,\n"
        );
        let text = terminal::write(&Page::of(table), TerminalStyle::PLAIN);
        assert!(text.contains("beyond any bound  2.0 [-∞, 3.0]"), "{text}");
        assert!(text.contains("2.0 [1.0, ∞]") && text.contains("2.0 [-∞, ∞]"), "{text}");
        assert!(!text.contains("000000") && !text.contains("inf"), "{text}");
    }
}
