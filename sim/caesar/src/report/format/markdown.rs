//! Tables in GitHub Flavored Markdown.

use std::fmt::Write as _;

use super::super::table::{Note, Page, Table};

/// Characters with which something begins in Markdown, wherever they stand; GitHub takes `$` for mathematics.
const SPECIAL: &str = "\\`*_[]<>|~#$&";

/// Returns the whole page.
#[must_use]
pub fn write(page: &Page) -> String {
    let parts = page.tables.iter().map(table).chain([notes(&page.footer)]);
    parts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

fn table(table: &Table) -> String {
    let notes = notes(&table.notes);
    if table.rows.is_empty() {
        return notes;
    }
    let places = table.shown(false);
    let (titles, rows) = table.texts(&places);
    let mut text = format!("**{}**\n\n", escaped(&table.caption));
    let mut push = |cells: Vec<String>| {
        writeln!(text, "| {} |", cells.join(" | ")).expect("a text can always grow");
    };
    push(titles.into_iter().map(escaped).collect());
    let rule = |&i: &usize| if table.columns[i].is_number() { "---:" } else { "---" }.to_owned();
    push(places.iter().map(rule).collect());
    rows.iter().for_each(|row| push(row.iter().map(|cell| escaped(cell)).collect()));
    if notes.is_empty() { text } else { text + "\n" + &notes }
}

/// Returns notes as a list.
fn notes(notes: &[Note]) -> String {
    let line = |note: &Note| match &note.command {
        None => format!("- {}\n", escaped(&note.text)),
        Some(command) => format!("- {}: {}\n", escaped(&note.text), code(command)),
    };
    notes.iter().map(line).collect()
}

/// Returns a command as code; a text with backticks stands between more of them.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let (ticks, blank) = ("`".repeat(longest + 1), if longest > 0 { " " } else { "" });
    format!("{ticks}{blank}{text}{blank}{ticks}")
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => escaped.push(' '),
            c if SPECIAL.contains(c) => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}
