//! Tables for a terminal or a text file: aligned columns within a width, notes wrapped under them.
//!
//! Each table stands under its title. A table that is too wide is broken by columns: the same rows again, under the key
//! columns.

use std::borrow::Cow;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use super::super::table::{Content, Mark, Note, Page, Row, Table};
use sim::visible::{visible, visible_lines};

/// Width of a text that no terminal shows.
pub const PIPED: usize = 80;
/// Smallest supported width.
const NARROWEST: usize = 40;
/// Blanks between columns.
const GAP: usize = 2;
/// The least width to which prose in a column is squeezed.
const LEAST_PROSE: usize = 24;

/// Properties of the place where a text appears.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TerminalStyle {
    /// Characters of a line.
    pub width: usize,
    /// Flag for a place that shows escape sequences as colours.
    pub is_coloured: bool,
}

impl TerminalStyle {
    /// Style of plain text: lines of [`PIPED`] characters, no colours.
    pub const PLAIN: Self = Self { width: PIPED, is_coloured: false };

    /// Returns `text` in the style of `mark`.
    #[must_use]
    pub fn paint(self, text: &str, mark: Mark) -> String {
        self.styled(text, style(mark))
    }

    fn styled(self, text: &str, style: Style) -> String {
        if self.is_coloured && style != Style::new() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }
}

const fn style(mark: Mark) -> Style {
    match mark {
        Mark::Plain => Style::new(),
        Mark::Winner => AnsiColor::Green.on_default().bold(),
        Mark::Open => AnsiColor::Yellow.on_default(),
        Mark::Caveat => AnsiColor::Red.on_default(),
    }
}

/// Returns the whole page.
#[must_use]
pub fn write(page: &Page, look: TerminalStyle) -> String {
    let mut text = String::new();
    for (i, table) in page.tables.iter().enumerate() {
        text += if i > 0 { "\n" } else { "" };
        if !table.rows.is_empty() {
            text += &title(&table.caption, look);
        }
        text += &self::table(table, look);
        text += &notes(&table.notes, look);
    }
    text + &notes(&page.footer, look)
}

/// Returns whether every table fits into `width` without a break.
#[must_use]
pub fn fits(page: &Page, width: usize) -> bool {
    page.tables.iter().filter(|table| !table.rows.is_empty()).all(|table| {
        let places = table.shown(false);
        let grid = Grid::new(table, &places, usize::MAX);
        let room = |column: usize| match table.columns[places[column]].content {
            Content::Prose => grid.widths[column].min(LEAST_PROSE),
            _ => grid.widths[column],
        };
        (0..places.len()).map(|column| room(column) + GAP).sum::<usize>() <= width + GAP
    })
}

/// Returns the page with the longest names that fit. `build` makes a page with names of at most so many characters.
#[must_use]
pub fn fitted(width: usize, build: &dyn Fn(usize) -> Page) -> Page {
    /// Longest names that are tried, after the longest of all.
    const SHORTER: [usize; 2] = [20, 10];
    let mut page = build(usize::MAX);
    for longest in SHORTER {
        if fits(&page, width) {
            break;
        }
        page = build(longest);
    }
    page
}

/// Formats sentences, each after a word that names its subject.
#[must_use]
pub fn listed(lines: &[(&str, Note)], look: TerminalStyle) -> String {
    const WORD: usize = 8;
    let line = |(word, note): &(&str, Note)| {
        let head = format!("{word:<WORD$} ");
        let text = match &note.command {
            None => hanging(&head, &visible_lines(&note.text), WORD + 1, look.width),
            Some(command) => shell_command(
                &format!("{head}{}: ", visible_lines(&note.text)),
                command,
                look.width,
            ),
        };
        let (word, rest) = text.trim_end_matches('\n').split_at(WORD);
        look.styled(word, Style::new().bold()) + &look.paint(rest, note.mark) + "\n"
    };
    lines.iter().map(line).collect()
}

/// Returns the notes, each as a paragraph.
#[must_use]
pub fn notes(notes: &[Note], look: TerminalStyle) -> String {
    notes.iter().map(|note| self::note(note, look)).collect()
}

fn note(note: &Note, look: TerminalStyle) -> String {
    let text = match &note.command {
        None => paragraph(&visible_lines(&note.text), look.width),
        Some(command) => {
            shell_command(&format!("{}: ", visible_lines(&note.text)), command, look.width)
        }
    };
    look.paint(text.trim_end_matches('\n'), note.mark) + "\n"
}

/// Returns a command after `head`, broken only where a shell still accepts it.
fn shell_command(head: &str, command: &str, width: usize) -> String {
    let mut text = head.to_owned();
    let mut column = head.width();
    for (i, word) in words(&visible_lines(command)).into_iter().enumerate() {
        let needed = word.width() + 1;
        // Room for the backslash is left.
        if i > 0 && column + needed + 2 > width {
            text += " \\\n   ";
            column = 3;
        }
        text += if i > 0 { " " } else { "" };
        text += &word;
        column += needed;
    }
    text + "\n"
}

/// Returns the words of a shell command, options together with their values; quoted as they are.
fn words(command: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let (mut is_quoted, mut is_escaped) = (false, false);
    for c in command.chars() {
        match c {
            ' ' if !is_quoted && !is_escaped => words.push(String::new()),
            _ => words.last_mut().expect("there is a first word").push(c),
        }
        is_quoted ^= c == '\'' && !is_escaped;
        // Between single quotes a backslash is itself.
        is_escaped = c == '\\' && !is_quoted && !is_escaped;
    }
    let mut joined: Vec<String> = Vec::new();
    let mut is_option = false;
    for word in words {
        let begins = word.starts_with("--");
        match joined.last_mut() {
            Some(last) if is_option && !begins => {
                last.push(' ');
                last.push_str(&word);
            }
            _ => joined.push(word),
        }
        is_option = begins;
    }
    joined
}

/// Returns the title of a table in bold.
fn title(caption: &str, look: TerminalStyle) -> String {
    if caption.is_empty() {
        return String::new();
    }
    let bold = |line: &str| look.styled(line, Style::new().bold()) + "\n";
    paragraph(caption, look.width).lines().map(bold).collect()
}

fn table(table: &Table, look: TerminalStyle) -> String {
    if table.rows.is_empty() {
        return String::new();
    }
    let places = table.shown(false);
    let grid = Grid::new(table, &places, look.width);
    let blocks = grid.blocks(look.width);
    let texts: Vec<String> = blocks.iter().map(|block| grid.text(block, look)).collect();
    texts.join("\n")
}

/// The texts of a table, and how wide its columns are.
struct Grid<'a> {
    titles: Vec<&'a str>,
    cells: Vec<Vec<String>>,
    rows: &'a [Row],
    is_number: Vec<bool>,
    widths: Vec<usize>,
    n_keys: usize,
}

impl<'a> Grid<'a> {
    /// Lays out the columns `places` of `table` and squeezes prose into the width that `most` characters leave.
    fn new(table: &'a Table, places: &[usize], most: usize) -> Self {
        let (titles, mut cells) = table.texts(places);
        for cell in cells.iter_mut().flatten() {
            if let Cow::Owned(spelled) = visible(cell) {
                *cell = spelled;
            }
        }
        let columns: Vec<_> = places.iter().map(|&i| &table.columns[i]).collect();
        let width = |k: usize| {
            let cells = cells.iter().map(|row| row[k].width());
            cells.chain([titles[k].width()]).max().unwrap_or_default()
        };
        let mut widths: Vec<usize> = (0..places.len()).map(width).collect();
        let all: usize = widths.iter().map(|width| width + GAP).sum::<usize>().saturating_sub(GAP);
        let mut excess = all.saturating_sub(most);
        for (k, column) in columns.iter().enumerate().rev() {
            if column.content == Content::Prose {
                let less = excess.min(widths[k].saturating_sub(LEAST_PROSE));
                (widths[k], excess) = (widths[k] - less, excess - less);
            }
        }
        let n_keys = columns.iter().take_while(|column| column.content == Content::Key).count();
        let is_number = columns.iter().map(|column| column.is_number()).collect();
        Self { titles, cells, rows: &table.rows, is_number, widths, n_keys }
    }

    /// Returns the columns in groups that fit into `width`, each after the keys.
    fn blocks(&self, width: usize) -> Vec<Vec<usize>> {
        let keys: Vec<usize> = (0..self.n_keys).collect();
        let taken: usize = keys.iter().map(|&k| self.widths[k] + GAP).sum();
        let mut blocks = vec![keys.clone()];
        let mut used = taken;
        for k in self.n_keys..self.widths.len() {
            let is_first = blocks.last().is_none_or(|block| block.len() == keys.len());
            if used + self.widths[k] > width && !is_first {
                blocks.push(keys.clone());
                used = taken;
            }
            used += self.widths[k] + GAP;
            blocks.last_mut().expect("there is a block").push(k);
        }
        blocks
    }

    fn text(&self, block: &[usize], look: TerminalStyle) -> String {
        let header = block.iter().map(|&k| vec![self.titles[k].to_owned()]).collect::<Vec<_>>();
        let mut text = self.lines(block, &header, look, Style::new().bold());
        for (cells, row) in self.cells.iter().zip(self.rows) {
            let cells: Vec<_> = block.iter().map(|&k| wrap(&cells[k], self.widths[k])).collect();
            text += &self.lines(block, &cells, look, style(row.mark));
        }
        text
    }

    /// Returns the lines of a row, whose cells are lines themselves.
    fn lines(
        &self,
        block: &[usize],
        cells: &[Vec<String>],
        look: TerminalStyle,
        style: Style,
    ) -> String {
        let height = cells.iter().map(Vec::len).max().unwrap_or_default();
        let mut text = String::new();
        for line in 0..height {
            let mut row = String::new();
            for (&k, cell) in block.iter().zip(cells) {
                let cell = cell.get(line).map_or("", String::as_str);
                let blanks = " ".repeat(self.widths[k].saturating_sub(cell.width()));
                row += &" ".repeat(if row.is_empty() { 0 } else { GAP });
                row += &if self.is_number[k] { blanks + cell } else { cell.to_owned() + &blanks };
            }
            text += &look.styled(row.trim_end(), style);
            text.push('\n');
        }
        text
    }
}

/// Returns `text` as a paragraph whose lines after the first are indented by two more blanks.
#[must_use]
pub fn paragraph(text: &str, width: usize) -> String {
    let blanks = text.len() - text.trim_start().len();
    hanging(&" ".repeat(blanks), text.trim_start(), blanks + 2, width)
}

/// Returns `text` after `head`, wrapped; further lines begin with `indent` blanks.
#[must_use]
pub fn hanging(head: &str, text: &str, indent: usize, width: usize) -> String {
    filled(head, text, indent, width.max(NARROWEST)).join("\n") + "\n"
}

/// Returns `text` in lines of at most `width` characters, unless a word is longer; at least one line.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    if text.width() <= width { vec![text.to_owned()] } else { filled("", text, 0, width) }
}

/// Returns the words of `text` in lines, the first after `head`, the others after `indent` blanks.
fn filled(head: &str, text: &str, indent: usize, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = head.to_owned();
    let mut is_begun = false;
    for word in pieces(text) {
        if is_begun && line.width() + 1 + word.width() > width {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            is_begun = false;
        }
        line += if is_begun { " " } else { "" };
        line += &word;
        is_begun = true;
    }
    lines.push(line);
    lines
}

/// Returns the words of `text`; a per cent sign stays with its number.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match pieces.last_mut() {
            Some(number) if word.starts_with('%') => *number = format!("{number} {word}"),
            _ => pieces.push(word.to_owned()),
        }
    }
    pieces
}

/// Row of a list of explained names, with the heading before it, if any.
pub type Explained = (Option<String>, [String; 3]);

/// Returns a list of explained names. The last column is wrapped, or stands below if the first two leave it no room.
#[must_use]
pub fn explained(header: [&str; 3], rows: &[Explained], look: TerminalStyle) -> String {
    /// Largest width of the second column; longer values stand alone on their line.
    const WIDEST: usize = 24;
    let width = |i: usize, most: usize| {
        let cells = rows.iter().map(|(_, row)| row[i].width()).filter(|&width| width <= most);
        cells.chain([header[i].width()]).max().unwrap_or_default()
    };
    let (first, second) = (width(0, usize::MAX), width(1, WIDEST));
    let indent = first + second + 3 * GAP;
    let left = look.width.max(indent + LEAST_PROSE) - indent;
    let mut text = String::new();
    let mut push = |[name, value, meaning]: [&str; 3], style: Style| {
        let mut head = format!("  {name:first$}  {value:second$}");
        if value.width() > second {
            text += &format!("{}\n", look.styled(head.trim_end(), style));
            head = " ".repeat(indent - GAP);
        }
        for line in wrap(meaning, left) {
            text += &look.styled(format!("{head}  {line}").trim_end(), style);
            text.push('\n');
            head = " ".repeat(indent - GAP);
        }
    };
    push(header, Style::new().bold());
    for (heading, [name, value, meaning]) in rows {
        if let Some(heading) = heading {
            push([&format!("-- {heading}"), "", ""], Style::new().bold());
        }
        push([name, value, meaning], Style::new());
    }
    text
}
