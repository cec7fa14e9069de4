//! Figures: a picture, its basis, and its numbers in a table.
//!
//! [`Figure`] is one figure, and [`FigureTable`] holds its numbers.

use std::fmt::Write;

use crate::html::{element, escape};

/// A table of numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FigureTable {
    /// Caption of the table.
    pub caption: String,
    /// The names of its columns; the flag marks a column of numbers.
    pub columns: Vec<(String, bool)>,
    /// Its cells.
    pub rows: Vec<Vec<String>>,
}

/// The sign of a figure that rests on rules which the page names at its top.
const RULES: &str = " <a href=\"#rules\" aria-label=\"rests on the rules at the top\">⚠</a>";

/// The largest number of rows that a table shows. The result files hold all rows.
const MOST_ROWS: usize = 400;

impl FigureTable {
    /// Returns the table as HTML, in a box that scrolls sideways.
    #[must_use]
    pub fn html(&self) -> String {
        let mut out = "<div class=\"scroll\" tabindex=\"0\"><table>\n".to_owned();
        if !self.caption.is_empty() {
            out += &element("caption", "", &self.caption);
        }
        let class = |is_number: bool| if is_number { " class=\"number\"" } else { "" };
        let head = self.columns.iter().map(|(name, is_number)| {
            format!("<th scope=\"col\"{}>{}</th>", class(*is_number), escape(name))
        });
        let _ = writeln!(out, "<thead><tr>{}</tr></thead>\n<tbody>", head.collect::<String>());
        for row in self.rows.iter().take(MOST_ROWS) {
            let cell = |(text, (_, is_number)): (&String, &(String, bool))| {
                format!("<td{}>{}</td>", class(*is_number), escape(text))
            };
            let cells: String = row.iter().zip(&self.columns).map(cell).collect();
            let _ = writeln!(out, "<tr>{cells}</tr>");
        }
        out += "</tbody></table></div>\n";
        if self.rows.len() > MOST_ROWS {
            let more = self.rows.len() - MOST_ROWS;
            out += &element("p", "note", &format!("{more} more rows stand in the file."));
        }
        out
    }
}

/// A picture with its words and numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Figure {
    /// Its heading.
    pub title: String,
    /// The picture, as HTML.
    pub picture: String,
    /// Caption: the content of the picture and its reading.
    pub caption: String,
    /// Basis of the numbers: n, seeds, agents.
    pub basis: String,
    /// True if its numbers rest on reconstructed or changed rules, which the page names at its top.
    pub rests_on_rules: bool,
    /// The command that reproduces its numbers.
    pub command: String,
    /// Its numbers.
    pub table: FigureTable,
}

impl Figure {
    /// Returns the figure as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let numbers = if self.table.rows.is_empty() { String::new() } else { self.table.html() };
        self.html_with("", &numbers)
    }

    /// Returns figures as HTML, one after the other. A table that several figures share stands once, under the first of
    /// them; the other figures link to it. `anchor` is the prefix of the link targets.
    #[must_use]
    pub fn all_html(figures: &[Self], anchor: &str) -> String {
        let mut named: Vec<(usize, &Self)> = Vec::new();
        let mut out = String::new();
        for (i, figure) in figures.iter().enumerate() {
            if figure.table.rows.is_empty() {
                out += &figure.html();
                continue;
            }
            let place = |i: usize| format!("{anchor}-numbers-{}", i + 1);
            out += &match named.iter().find(|(_, first)| first.table == figure.table) {
                Some((first, Self { title, .. })) => {
                    let (place, title) = (place(*first), escape(title));
                    let link = format!("<a href=\"#{place}\">{title}</a>");
                    figure.html_with("", &format!("<p>The numbers stand under {link}.</p>\n"))
                }
                None => {
                    named.push((i, figure));
                    figure.html_with(&place(i), &figure.table.html())
                }
            };
        }
        out
    }

    /// Returns the figure as HTML with its `numbers`, at the link target `place`.
    fn html_with(&self, place: &str, numbers: &str) -> String {
        let sign = if self.rests_on_rules { RULES } else { "" };
        let title = escape(&self.title);
        let mut out = format!(
            "<figure>\n<h3>{title}{sign}</h3>\n<div class=\"picture\">\n{}</div>\n",
            self.picture
        );
        if !self.caption.is_empty() {
            out += &element("figcaption", "", &self.caption);
        }
        out += "</figure>\n";
        if !numbers.is_empty() || !self.command.is_empty() {
            out += "<details><summary>Numbers and command</summary>\n";
            // The target stands inside the closed element, so that a browser that follows the link opens it.
            if place.is_empty() {
                out += numbers;
            } else {
                let _ = write!(out, "<div id=\"{place}\">\n{numbers}</div>\n");
            }
            if !self.basis.is_empty() {
                out += &element("p", "soft", &self.basis);
            }
            if !self.command.is_empty() {
                out += &element("code", "command", &self.command);
            }
            out += "</details>\n";
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_has_its_numbers_and_its_command() {
        let table = FigureTable {
            caption: "all".to_owned(),
            columns: vec![("what".to_owned(), false), ("n".to_owned(), true)],
            rows: vec![vec!["<b>".to_owned(), "1".to_owned()]],
        };
        let figure = Figure { table, command: "caesar x".to_owned(), ..Figure::default() };
        let html = figure.html();
        assert!(html.contains("<td>&lt;b&gt;</td><td class=\"number\">1</td>"), "{html}");
        assert!(html.contains("caesar x") && html.contains("<caption>all</caption>"));
    }

    #[test]
    fn a_table_that_two_figures_rest_on_is_said_once() {
        let table = |cell: &str| FigureTable {
            columns: vec![("what".to_owned(), false)],
            rows: vec![vec![cell.to_owned()]],
            ..FigureTable::default()
        };
        let figure = |title: &str, table: FigureTable| Figure {
            title: title.to_owned(),
            picture: "<svg></svg>\n".to_owned(),
            table,
            command: "caesar x".to_owned(),
            ..Figure::default()
        };
        let all = [
            figure("<a>", table("one")),
            figure("b", table("two")),
            figure("c", table("one")),
            figure("d", FigureTable::default()),
        ];
        let html = Figure::all_html(&all, "part-1");
        assert_eq!(
            (html.matches("<td>one</td>").count(), html.matches("<td>two</td>").count()),
            (1, 1)
        );
        assert!(html.contains("<div id=\"part-1-numbers-1\">"), "{html}");
        assert!(html.contains("under <a href=\"#part-1-numbers-1\">&lt;a&gt;</a>."), "{html}");
        assert_eq!(html.matches("caesar x").count(), 4, "each has its command");
    }
}
