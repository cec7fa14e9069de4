//! Tables for papers: LaTeX with the rules of the package booktabs, to be included as they are.
//!
//! Besides `\usepackage{booktabs}` nothing is needed in the preamble, with any of the engines.

use super::super::table::{Column, Content, Note, Page, Table};

/// Characters of a row that fit beside each other, and the size of type that they need.
const SIZES: [(usize, &str); 3] = [(72, ""), (88, "\\small"), (104, "\\footnotesize")];
/// The size of type of longer rows.
const SMALLEST: &str = "\\scriptsize";
/// A longer prose has a column that is broken into lines.
const LONG: usize = 36;

/// Returns the whole page: a floating table for each table, with the common notes under the last.
#[must_use]
pub fn write(page: &Page) -> String {
    let last = page.tables.len().saturating_sub(1);
    let of = |(i, table): (usize, &Table)| {
        let footer = if i == last { &page.footer[..] } else { &[] };
        self::table(table, footer)
    };
    let tables: Vec<String> = page.tables.iter().enumerate().map(of).collect();
    format!("% needs \\usepackage{{booktabs}}\n{}", tables.join("\n"))
}

fn table(table: &Table, footer: &[Note]) -> String {
    let notes: Vec<&Note> = table.notes.iter().chain(footer).collect();
    if table.rows.is_empty() {
        let lines = notes.into_iter().map(|note| format!("{}\n\n", sentence(note)));
        return lines.collect();
    }
    let places = table.shown(false);
    let (titles, rows) = table.texts(&places);
    let width = |k: usize| {
        let cells = rows.iter().map(|row| row[k].chars().count());
        cells.chain([titles[k].chars().count()]).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..places.len()).map(width).collect();
    let columns = || places.iter().map(|&i| &table.columns[i]).zip(widths.iter().copied());
    let size = size(columns().map(|(column, width)| taken(column, width) + 2).sum());
    let preamble: String = columns().map(|(column, width)| alignment(column, width)).collect();
    let mut lines = vec![
        "\\begin{table}[htbp]".to_owned(),
        "  \\centering".to_owned(),
        format!("  \\caption{{{}}}", escaped(&table.caption)),
        format!("  \\label{{tab:{}}}", table.name),
    ];
    lines.extend(Some(format!("  {size}")).filter(|line| !line.trim().is_empty()));
    lines.push(format!("  \\begin{{tabular}}{{@{{}}{preamble}@{{}}}}"));
    lines.push("    \\toprule".to_owned());
    lines.push(row(titles.iter().map(|title| escaped(title))));
    lines.push("    \\midrule".to_owned());
    lines.extend(rows.iter().map(|cells| row(cells.iter().map(|cell| escaped(cell)))));
    lines.extend(["    \\bottomrule", "  \\end{tabular}"].map(str::to_owned));
    if !notes.is_empty() {
        lines.push("  \\par\\medskip".to_owned());
        lines.push("  \\begin{minipage}{\\linewidth}\\footnotesize\\raggedright".to_owned());
        lines.extend(notes.into_iter().map(|note| format!("    {}\\par", sentence(note))));
        lines.push("  \\end{minipage}".to_owned());
    }
    lines.push("\\end{table}\n".to_owned());
    lines.join("\n")
}

/// Joins the cells of a row. Braces keep a bracket at its beginning from being an option of the row before.
fn row(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.collect();
    let first = if cells[0].starts_with(['[', '*']) { "{}" } else { "" };
    format!("    {first}{} \\\\", cells.join(" & "))
}

/// Returns the type in which rows of so many characters fit.
fn size(width: usize) -> &'static str {
    SIZES.iter().find(|(most, _)| width <= *most).map_or(SMALLEST, |(_, size)| size)
}

/// Returns the width of a column in characters.
fn taken(column: &Column, width: usize) -> usize {
    if column.content == Content::Prose { width.min(LONG) } else { width }
}

fn alignment(column: &Column, width: usize) -> String {
    match column.content {
        Content::Prose if width > LONG => "p{0.4\\linewidth}".to_owned(),
        _ if column.is_number() => "r".to_owned(),
        _ => "l".to_owned(),
    }
}

fn sentence(note: &Note) -> String {
    match &note.command {
        None => escaped(&note.text),
        Some(command) => format!("{}: \\texttt{{{}}}", escaped(&note.text), escaped(command)),
    }
}

/// Escapes a text for LaTeX. A hyphen before a digit is a minus; two hyphens stay two.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_number = |next: Option<&char>| next.is_some_and(char::is_ascii_digit);
        match c {
            '-' if !before.is_alphanumeric() && before != '-' && is_number(rest.peek()) => {
                escaped.push_str("$-$");
            }
            ' ' if before.is_ascii_digit() && is_number(rest.peek()) => escaped.push_str("\\,"),
            c => push(&mut escaped, c),
        }
        before = c;
    }
    escaped
}

fn push(escaped: &mut String, c: char) {
    match c {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
        '\\' => escaped.push_str("\\textbackslash{}"),
        '~' => escaped.push_str("\\textasciitilde{}"),
        '^' => escaped.push_str("\\textasciicircum{}"),
        '<' | '>' | '|' => escaped.extend(['$', c, '$']),
        '\'' => escaped.push_str("\\textquotesingle{}"),
        '`' => escaped.push_str("\\textasciigrave{}"),
        '"' => escaped.push_str("\\char34{}"),
        '-' => escaped.push_str("-{}"),
        '±' => escaped.push_str("$\\pm$"),
        '×' => escaped.push_str("$\\times$"),
        '≤' => escaped.push_str("$\\le$"),
        '≥' => escaped.push_str("$\\ge$"),
        'α' => escaped.push_str("$\\alpha$"),
        'μ' => escaped.push_str("$\\mu$"),
        'σ' => escaped.push_str("$\\sigma$"),
        '²' => escaped.push_str("$^2$"),
        '…' => escaped.push_str("\\ldots{}"),
        '–' => escaped.push_str("--"),
        c if c.is_control() => escaped.push(' '),
        c => escaped.push(c),
    }
}
