//! Terminal output: results on stdout, everything else on stderr, without panics. Also the form of printed tables,
//! their width and colours.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::{AutoStream, ColorChoice};
use clap::{Args, ValueEnum};
use engine::rules::nearest;

use super::within;
use crate::report::format::terminal::{self, PIPED, TerminalStyle};
use crate::report::format::{csv, latex, markdown};
use crate::report::table::Page;
use sim::config::numbers::ranged;
use sim::error::Error;
use sim::visible::{visible_lines, visible_painted};

/// The longest name of an agent in a table of a paper.
const LONGEST_IN_PAPER: usize = 24;

/// Use of colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless the environment forbids it.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Reads the use of colours from the arguments before they are parsed: error messages have colours also.
    pub(super) fn of_args(args: &[std::ffi::OsString]) -> Self {
        let words = || args.iter().filter_map(|arg| arg.to_str());
        let mut color = Self::Auto;
        for (word, next) in words().zip(words().skip(1).chain([""])) {
            let value = word.strip_prefix("--color=").or((word == "--color").then_some(next));
            let known = value.and_then(|value| Self::from_str(value, false).ok());
            color = known.unwrap_or(color);
        }
        color
    }

    /// Applies the use of colours to stdout and stderr from now on.
    pub(super) fn set(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }
}

/// Form of printed tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Format {
    /// Aligned columns.
    Table,
    /// Comma-separated values.
    Csv,
    /// Tables as GitHub shows them.
    Markdown,
    /// Tables for papers.
    Latex,
    /// One document.
    Json,
}

impl Format {
    const fn is_for_programs(self) -> bool {
        matches!(self, Self::Csv | Self::Json)
    }
}

/// The options about the form of results.
#[derive(Clone, Debug, Args)]
pub(super) struct Form {
    /// Output format: table, csv, markdown, latex (with booktabs), json
    #[arg(long, value_name = "FORM", default_value = "table", hide_possible_values = true)]
    format: Format,
    /// Print one JSON document (same as --format json)
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Digits of estimates after the decimal point in tables, 0 to 9 [default: as many as the interval bears, at most 4]
    #[arg(long, value_name = "N", value_parser = ranged::<usize>(0, 9), allow_hyphen_values = true)]
    digits: Option<usize>,
    /// Also print the details that support the result (csv and json always have them)
    #[arg(long)]
    verbose: bool,
}

/// The option to print one table of several.
#[derive(Clone, Debug, Args)]
pub(super) struct OneTable {
    /// Print only the table NAME
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
}

impl OneTable {
    /// Refuses a name that no table has, and several tables where the form holds one: `programs` are the names of the
    /// tables for programs, `people` those of tables for people that hold the same numbers.
    pub(super) fn check(
        &self,
        form: &Form,
        programs: &[&str],
        people: &[&str],
    ) -> Result<(), Error> {
        let all = [programs, people].concat();
        match &self.table {
            Some(_) if form.is_json() => Err(Error::Usage(
                "--table and --format json: the document has all tables; use only one of them"
                    .to_owned(),
            )),
            Some(name) if !all.contains(&name.as_str()) => {
                let near = nearest(name, &all);
                let near = near.map_or_else(String::new, |near| format!("nearest: {near}; "));
                Err(Error::Usage(format!(
                    "--table {name}: these options give no such table ({near}available: {})",
                    all.join(", ")
                )))
            }
            None if form.format() == Format::Csv && programs.len() > 1 => {
                Err(Error::Usage(format!(
                    "--format csv: it holds one table; choose it with --table ({})",
                    programs.join(", ")
                )))
            }
            _ => Ok(()),
        }
    }

    /// Returns whether no table was named.
    pub(super) const fn is_open(&self) -> bool {
        self.table.is_none()
    }

    fn name(&self) -> Option<&str> {
        self.table.as_deref()
    }
}

impl Form {
    pub(super) const fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    pub(super) const fn is_json(&self) -> bool {
        matches!(self.format(), Format::Json)
    }

    /// Returns whether the form holds a single table.
    pub(super) const fn is_csv(&self) -> bool {
        matches!(self.format(), Format::Csv)
    }

    /// Returns whether people read also the details.
    pub(super) const fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Returns whether people read the form on a terminal.
    pub(super) const fn is_table(&self) -> bool {
        matches!(self.format(), Format::Table)
    }

    /// Returns the page that `build` makes, given the most characters of a name, in this form; a document is not
    /// written here.
    pub(super) fn write(
        &self,
        look: TerminalStyle,
        one: Option<&OneTable>,
        build: &dyn Fn(usize) -> Page,
    ) -> String {
        let format = self.format();
        let name = one.and_then(OneTable::name);
        let is_brief = format == Format::Table && !self.verbose && name.is_none();
        let kept = |longest: usize| {
            let page = build(longest).keep(name, format.is_for_programs());
            let page = if is_brief { page.brief("--verbose") } else { page };
            page.with_digits(self.digits)
        };
        match format {
            Format::Table => terminal::write(&terminal::fitted(look.width, &kept), look),
            Format::Csv => kept(usize::MAX).tables.first().map(csv::write).unwrap_or_default(),
            Format::Markdown => markdown::write(&kept(usize::MAX)),
            Format::Latex => latex::write(&kept(LONGEST_IN_PAPER)),
            Format::Json => String::new(),
        }
    }
}

/// Returns the style of stdout.
pub(super) fn look() -> TerminalStyle {
    let out = io::stdout();
    let is_terminal = !within::is_within() && out.is_terminal();
    TerminalStyle { width: width(is_terminal), is_coloured: has_colours(&out, is_terminal) }
}

/// Returns the style of stderr.
pub(super) fn look_of_stderr() -> TerminalStyle {
    let is_terminal = stderr_is_terminal();
    TerminalStyle {
        width: width(is_terminal),
        is_coloured: has_colours(&io::stderr(), is_terminal),
    }
}

/// Runs `work`, which may run another command, and restores the form and the colours of this one.
pub(super) fn keeping_form<T>(work: impl FnOnce() -> T) -> T {
    let (form, color) = (IS_FOR_PROGRAMS.load(Ordering::Relaxed), ColorChoice::global());
    let came = work();
    IS_FOR_PROGRAMS.store(form, Ordering::Relaxed);
    color.write_global();
    came
}

/// Returns whether a status line is drawn in place: on a terminal, also for a step of another command.
pub(super) fn draws_in_place() -> bool {
    !within::has_host() && io::stderr().is_terminal()
}

/// Returns whether stderr is a terminal, whose lines may be drawn again.
pub(super) fn stderr_is_terminal() -> bool {
    !within::is_within() && io::stderr().is_terminal()
}

/// Returns whether `stream` has colours. Piped output has colours only with `--color`, whatever the environment sets.
fn has_colours(stream: &impl anstream::stream::RawStream, is_terminal: bool) -> bool {
    let is_forced = ColorChoice::global() == ColorChoice::Always;
    let is_possible = is_terminal && AutoStream::choice(stream) != ColorChoice::Never;
    is_forced || (ColorChoice::global() == ColorChoice::Auto && is_possible)
}

/// Returns the characters of a line: those of the terminal, or the value of `COLUMNS`. Without a terminal the width is
/// fixed, so that piped output is always the same.
fn width(is_terminal: bool) -> usize {
    let size = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    width_of(is_terminal, std::env::var("COLUMNS").ok().as_deref(), size)
}

fn width_of(is_terminal: bool, columns: Option<&str>, size: impl Fn() -> Option<usize>) -> usize {
    if !is_terminal {
        return PIPED;
    }
    let columns = columns.and_then(|text| text.trim().parse().ok()).filter(|&width| width > 0);
    columns.or_else(size).filter(|&width| width > 0).unwrap_or(PIPED)
}

/// Flag for stdout that programs read: a document or comma-separated table, of which no character is changed.
static IS_FOR_PROGRAMS: AtomicBool = AtomicBool::new(false);

/// Records the form in which the command of `matches` prints.
pub(super) fn heed_form(matches: &clap::ArgMatches) {
    let mut all = vec![matches];
    while let Some((_, deeper)) = all[all.len() - 1].subcommand() {
        all.push(deeper);
    }
    let is_for_programs = all.into_iter().any(|matches| {
        let json = matches.try_get_one::<bool>("json");
        let format = matches.try_get_one::<Format>("format");
        matches!(json, Ok(Some(true))) || matches!(format, Ok(Some(form)) if form.is_for_programs())
    });
    IS_FOR_PROGRAMS.store(is_for_programs, Ordering::Relaxed);
}

/// Returns `text` for people, with terminal commands spelled out, except for our own colours.
fn for_people(text: &str, look: TerminalStyle) -> Cow<'_, str> {
    if look.is_coloured { visible_painted(text) } else { visible_lines(text) }
}

/// Writes the result of a command to stdout. A closed pipe changes neither the result nor the exit code.
///
/// # Errors
/// If it cannot be written.
pub(super) fn print(text: &str) -> Result<(), Error> {
    match stream(text) {
        Err(Error::ClosedPipe) => Ok(()),
        printed => printed,
    }
}

/// Writes a part of a long output to stdout.
///
/// # Errors
/// If it cannot be written: [`Error::ClosedPipe`] if the reader has gone, so that the rest is not needed.
pub(super) fn stream(text: &str) -> Result<(), Error> {
    let text = match IS_FOR_PROGRAMS.load(Ordering::Relaxed) {
        true => Cow::Borrowed(text),
        false => for_people(text, look()),
    };
    if within::keep_printed(&text) {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Error::output("stdout"))
}

/// Clears a terminal on stdout, with what has scrolled off it.
///
/// # Errors
/// If it cannot be written.
pub(super) fn clear() -> Result<(), Error> {
    let mut out = io::stdout().lock();
    if within::is_within() || !out.is_terminal() {
        return Ok(());
    }
    // Screen, lines above it, and the cursor to the first place.
    let cleared = out.write_all(b"\x1b[2J\x1b[3J\x1b[H").and_then(|()| out.flush());
    cleared.map_err(Error::output("stdout"))
}

/// Writes a line to stderr; control characters in it are spelled out.
pub(super) fn note(line: &str) {
    note_painted(&visible_lines(line));
}

/// Writes a line to stderr, which may contain our own colours.
pub(super) fn note_painted(line: &str) {
    let line = for_people(line, look_of_stderr());
    if !within::keep_note(&line) {
        // Without stderr no other channel is left.
        writeln!(io::stderr(), "{line}").unwrap_or_default();
    }
}

/// Writes an error message to stderr.
pub(super) fn complain(message: &str) {
    let is_coloured = look_of_stderr().is_coloured;
    let style = anstyle::AnsiColor::Red.on_default().bold();
    // Only our own text begins a new line; a line end in a name does not.
    let message = visible_lines(message).replace('\n', "\n  ").replace("\n    ", "\n  ");
    note_painted(&match is_coloured {
        true => format!("{style}error:{style:#} {message}"),
        false => format!("error: {message}"),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_is_always_as_wide_and_a_terminal_as_it_says() {
        let size = |width| move || width;
        assert_eq!(width_of(false, Some("200"), size(Some(120))), PIPED);
        assert_eq!(width_of(true, None, size(Some(120))), 120);
        assert_eq!(width_of(true, Some("60"), size(Some(120))), 60);
        assert_eq!(width_of(true, Some("0"), size(Some(132))), 132);
        assert_eq!(width_of(true, Some("wide"), size(None)), PIPED);
        assert_eq!(width_of(true, None, size(Some(0))), PIPED);
    }

    #[test]
    fn the_last_word_on_colours_counts() {
        let color = |words: &str| {
            let words: Vec<_> = words.split(' ').map(Into::into).collect();
            Color::of_args(&words)
        };
        assert_eq!(color("caesar games"), Color::Auto);
        assert_eq!(color("caesar --color never games"), Color::Never);
        assert_eq!(color("caesar games --color=always"), Color::Always);
        assert_eq!(color("caesar --color=always games --color never"), Color::Never);
        assert_eq!(color("caesar games --color"), Color::Auto);
        assert_eq!(color("caesar games --color blue"), Color::Auto);
    }
}
