//! Results independent of format: tables of typed columns with notes. Every format is written from them, and only they
//! define the printed form of numbers.

use sim::stats::Interval;
use sim::units;

/// Output of a command: tables, and notes that hold for all of them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Page {
    /// The tables, the main one first.
    pub tables: Vec<Table>,
    /// Notes under the last table.
    pub footer: Vec<Note>,
}

/// A table of results.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// Name for selection.
    pub name: &'static str,
    /// One-line description of the contents.
    pub caption: String,
    /// Columns; those of [`Content::Key`] come first and identify the row.
    pub columns: Vec<Column>,
    /// A cell for each column.
    pub rows: Vec<Row>,
    /// Notes needed to read the table.
    pub notes: Vec<Note>,
    /// Readers that get it by default.
    pub readers: Readers,
    /// Flag for a table that supports the answer of others: a brief page leaves it out.
    pub is_detail: bool,
}

/// Intended readers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Readers {
    /// People and programs.
    All,
    /// People: programs get the same numbers in another table.
    People,
    /// Programs: people get the same numbers in another table or in words.
    Programs,
}

impl Readers {
    /// Returns whether a form shows it: a form for programs if `is_program`, for people otherwise.
    #[must_use]
    pub const fn include(self, is_program: bool) -> bool {
        match self {
            Self::All => true,
            Self::People => !is_program,
            Self::Programs => is_program,
        }
    }
}

/// A column of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// Its name for programs: a word in snake case.
    pub key: String,
    /// Title for people.
    pub title: String,
    /// Type of the contents.
    pub content: Content,
    /// Readers that get the column.
    pub readers: Readers,
    /// The digits of its estimates for people after the decimal point. Without them each estimate has those that its
    /// interval bears, or those of the scale if there is no interval.
    pub digits: Option<usize>,
    /// Flag for a column of several units, whose estimates have no digits in common.
    pub is_mixed: bool,
}

/// Type of a column's contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// Text that identifies the row.
    Key,
    /// A short text.
    Text,
    /// A text of any length, which may be wrapped.
    Prose,
    /// A number.
    Number(Scale),
    /// An estimate with its interval.
    Estimate(Scale),
    /// A p-value.
    PValue,
}

/// Format of a column's numbers for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// A whole number.
    Count,
    /// Number with so many decimals.
    Fixed(usize),
    /// Difference with so many decimals.
    Signed(usize),
    /// Ratings and their differences.
    Elo,
    /// A rate per second.
    Rate,
    /// Share as a percentage, which is never certain.
    Confidence,
    /// A time in seconds.
    Seconds,
}

impl Scale {
    /// Shares of points.
    pub const SHARE: Self = Self::Fixed(4);
    /// Means of scores and ranks.
    pub const MEAN: Self = Self::Fixed(2);

    /// Returns the number in the form for people.
    #[must_use]
    pub fn text(self, x: f64) -> String {
        match self {
            Self::Count => units::count(x.round() as u64),
            Self::Fixed(digits) => units::fixed(x, digits),
            Self::Signed(digits) => units::signed(x, digits),
            Self::Elo => units::elo(x),
            Self::Rate => units::rate(x),
            Self::Confidence => units::confidence(x),
            Self::Seconds => units::seconds(x),
        }
    }

    /// Returns the digits after the point that an interval bears; `None` without two ends. Those of a difference are
    /// enough that an end reads as 0 only if it is less than 0.00005 from it.
    #[must_use]
    pub fn borne(self, Interval { low, high }: Interval) -> Option<usize> {
        let is_bounded = units::is_sensible(low) && units::is_sensible(high);
        let digits = units::digits_borne((high - low) / 2.0).filter(|_| is_bounded)?;
        let reads_as_0 = |x: f64, digits| units::signed(x, digits) == units::signed(0.0, digits);
        let hides =
            |digits: &usize| [low, high].iter().any(|&x| x != 0.0 && reads_as_0(x, *digits));
        Some(match self {
            Self::Signed(_) => (digits..4).find(|digits| !hides(digits)).unwrap_or(4),
            _ => digits,
        })
    }

    /// Returns the number with `digits` after the point, if it has digits there at all.
    fn text_with(self, x: f64, digits: Option<usize>) -> String {
        match (self, digits) {
            (Self::Fixed(_), Some(digits)) => units::fixed(x, digits),
            (Self::Signed(_) | Self::Elo, Some(digits)) => units::signed(x, digits),
            _ => self.text(x),
        }
    }

    /// Returns a number with its interval, for people, with the digits that the interval bears.
    #[must_use]
    pub fn estimate(self, x: f64, interval: Option<Interval>) -> String {
        self.estimate_with(x, interval, None)
    }

    /// Returns a number with its interval and so many digits after the point, for people; without `digits`, those that
    /// the interval bears. A symmetric interval is written as its half-width, except for shares. An unbounded end is
    /// -∞ or ∞.
    fn estimate_with(self, x: f64, interval: Option<Interval>, digits: Option<usize>) -> String {
        let digits = digits.or_else(|| interval.and_then(|interval| self.borne(interval)));
        let text = |x: f64| self.text_with(x, digits);
        let mean = text(x);
        let Some(Interval { low, high }) = interval else { return format!("{mean} (no interval)") };
        let end = |x: f64, none: &str| match units::is_sensible(x) {
            true => text(x),
            false => none.to_owned(),
        };
        let half = (high - low) / 2.0;
        let is_even = (low + half - x).abs() < 1e-9 * half.max(1e-9);
        if is_even && self == Self::MEAN {
            return format!("{mean} ± {}", text(half));
        }
        format!("{mean} [{}, {}]", end(low, "-∞"), end(high, "∞"))
    }
}

/// A row of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// A cell for each column.
    pub cells: Vec<Cell>,
    /// Emphasis of the row.
    pub mark: Mark,
}

/// Contents of one cell.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Empty cell.
    Nothing,
    /// A text.
    Text(String),
    /// A name that people read in another form than programs.
    Name {
        /// For people.
        shown: String,
        /// For programs.
        name: String,
    },
    /// A whole number.
    Count(u64),
    /// A number.
    Number(f64),
    /// An estimate with its interval, if there is one.
    Estimate(f64, Option<Interval>),
    /// Yes or no.
    Flag(bool),
}

/// Emphasis of a row or a note where there are colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mark {
    /// No emphasis.
    #[default]
    Plain,
    /// Decided; this is the better one.
    Winner,
    /// Undecided.
    Open,
    /// Read with a caveat.
    Caveat,
}

/// Returns the word for a difference with this interval, and how it stands out.
#[must_use]
pub fn word(difference: Interval) -> (&'static str, Mark) {
    match difference {
        Interval { low, .. } if low > 0.0 => ("better", Mark::Winner),
        Interval { high, .. } if high < 0.0 => ("worse", Mark::Caveat),
        _ => ("undecided", Mark::Open),
    }
}

/// A sentence under a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Note {
    /// The sentence.
    pub text: String,
    /// The sentence of a brief page, if it is another one.
    pub brief: Option<String>,
    /// A command to which it leads.
    pub command: Option<String>,
    /// Emphasis of the note.
    pub mark: Mark,
}

impl Note {
    /// Returns a sentence.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Returns the note with the emphasis `mark`.
    #[must_use]
    pub fn marked(self, mark: Mark) -> Self {
        Self { mark, ..self }
    }

    /// Returns the note followed by a command.
    #[must_use]
    pub fn before(self, command: impl Into<String>) -> Self {
        Self { command: Some(command.into()), ..self }
    }
}

/// Kind of intervals for people: individual, or simultaneous over a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Level {
    /// Each by itself: of twenty, one misses.
    #[default]
    Alone,
    /// In 95 of 100 tables none of the column misses.
    Together,
}

impl Level {
    /// Returns two columns of an estimate: with intervals by themselves, and with those that hold together. Programs
    /// get both.
    #[must_use]
    pub fn columns(self, key: &str, title: &str, scale: Scale) -> [Column; 2] {
        let content = Content::Estimate(scale);
        let alone = Column::new(key, format!("{title} [95 %]"), content);
        let together =
            Column::new(format!("{key}_together"), format!("{title} [95 % simultaneous]"), content);
        match self {
            Self::Alone => [alone, together.only(Readers::Programs)],
            Self::Together => [alone.only(Readers::Programs), together],
        }
    }

    /// Returns the description of the intervals.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Alone => "individual",
            Self::Together => "simultaneous",
        }
    }
}

impl Column {
    /// Returns a column for all readers.
    #[must_use]
    pub fn new(key: impl Into<String>, title: impl Into<String>, content: Content) -> Self {
        let (key, title, readers) = (key.into(), title.into(), Readers::All);
        Self { key, title, content, readers, digits: None, is_mixed: false }
    }

    /// Returns a column with the same name for people and programs.
    #[must_use]
    pub fn plain(key: &str, content: Content) -> Self {
        Self::new(key.replace(' ', "_"), key, content)
    }

    /// Limits the column to `readers`.
    #[must_use]
    pub fn only(self, readers: Readers) -> Self {
        Self { readers, ..self }
    }

    /// Marks the column as one of several units.
    #[must_use]
    pub fn mixed(self) -> Self {
        Self { is_mixed: true, ..self }
    }

    /// Returns whether the contents are aligned to the right.
    #[must_use]
    pub const fn is_number(&self) -> bool {
        matches!(self.content, Content::Number(_) | Content::Estimate(_) | Content::PValue)
    }

    /// Returns the text of `cell` for people.
    #[must_use]
    pub fn shown(&self, cell: &Cell) -> String {
        let scale = match self.content {
            Content::Number(scale) | Content::Estimate(scale) => scale,
            Content::Key | Content::Text | Content::Prose | Content::PValue => Scale::SHARE,
        };
        match cell {
            Cell::Nothing => "-".to_owned(),
            Cell::Text(text) | Cell::Name { shown: text, .. } => text.clone(),
            Cell::Count(n) => units::count(*n),
            Cell::Number(x) | Cell::Estimate(x, _) if x.is_nan() => "-".to_owned(),
            Cell::Number(x) | Cell::Estimate(x, _) if !units::is_sensible(*x) => {
                units::BEYOND_ANY_BOUND.to_owned()
            }
            Cell::Number(x) if self.content == Content::PValue => units::p(*x),
            Cell::Number(x) => scale.text_with(*x, self.digits),
            Cell::Estimate(x, interval) => scale.estimate_with(*x, *interval, self.digits),
            Cell::Flag(is_so) => if *is_so { "yes" } else { "no" }.to_owned(),
        }
    }
}

impl Row {
    /// Returns a row without emphasis.
    #[must_use]
    pub const fn new(cells: Vec<Cell>) -> Self {
        Self { cells, mark: Mark::Plain }
    }
}

impl Cell {
    /// Returns a text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Returns the cell of something that has the number `index` from 0, as seats and games do: people read it counted
    /// from 1, programs as it is.
    #[must_use]
    pub fn from_one(index: u64) -> Self {
        Self::Name { shown: units::count(index + 1), name: index.to_string() }
    }
}

impl Table {
    /// Returns a table without rows and notes.
    #[must_use]
    pub fn new(name: &'static str, caption: impl Into<String>, columns: Vec<Column>) -> Self {
        let (rows, notes, caption) = (Vec::new(), Vec::new(), caption.into());
        Self { name, caption, columns, rows, notes, readers: Readers::All, is_detail: false }
    }

    /// Appends rows without emphasis and returns the table.
    #[must_use]
    pub fn with(mut self, rows: impl IntoIterator<Item = Vec<Cell>>) -> Self {
        self.rows.extend(rows.into_iter().map(Row::new));
        self
    }

    /// Appends a note and returns the table.
    #[must_use]
    pub fn noted(mut self, note: Note) -> Self {
        self.notes.push(note);
        self
    }

    /// Limits the table to `readers`.
    #[must_use]
    pub fn only(self, readers: Readers) -> Self {
        Self { readers, ..self }
    }

    /// Marks the table as one that a brief page leaves out.
    #[must_use]
    pub fn detail(self) -> Self {
        Self { is_detail: true, ..self }
    }

    /// Returns the places of the columns that a form for programs, or for people, shows.
    pub(super) fn shown(&self, is_program: bool) -> Vec<usize> {
        let is_shown = |&i: &usize| self.columns[i].readers.include(is_program);
        (0..self.columns.len()).filter(is_shown).collect()
    }

    /// Returns the texts for people of the columns `places`: titles, then rows.
    pub(super) fn texts(&self, places: &[usize]) -> (Vec<&str>, Vec<Vec<String>>) {
        let titles = places.iter().map(|&i| self.columns[i].title.as_str()).collect();
        let row =
            |row: &Row| places.iter().map(|&i| self.columns[i].shown(&row.cells[i])).collect();
        (titles, self.rows.iter().map(row).collect())
    }
}

/// A table that grows column by column, with a row for each of its items: a column is declared together with its cells.
#[derive(Clone, Debug)]
pub struct Listing<T> {
    items: Vec<T>,
    columns: Vec<Column>,
    rows: Vec<Row>,
}

impl<T> Listing<T> {
    /// Returns a row without cells for each of `items`.
    #[must_use]
    pub fn of(items: impl IntoIterator<Item = T>) -> Self {
        let items: Vec<T> = items.into_iter().collect();
        let rows = items.iter().map(|_| Row::new(Vec::new())).collect();
        Self { items, columns: Vec::new(), rows }
    }

    /// Adds a column, and to each row its cell.
    #[must_use]
    pub fn column(mut self, column: Column, cell: impl Fn(&T) -> Cell) -> Self {
        self.columns.push(column);
        self.rows.iter_mut().zip(&self.items).for_each(|(row, item)| row.cells.push(cell(item)));
        self
    }

    /// Adds a column as [`Self::column`] does, if there is one.
    #[must_use]
    pub fn maybe(self, column: Option<Column>, cell: impl Fn(&T) -> Cell) -> Self {
        match column {
            Some(column) => self.column(column, cell),
            None => self,
        }
    }

    /// Sets the emphasis of each row by `mark`.
    #[must_use]
    pub fn marked(mut self, mark: impl Fn(&T) -> Mark) -> Self {
        self.rows.iter_mut().zip(&self.items).for_each(|(row, item)| row.mark = mark(item));
        self
    }

    /// Returns the table with these columns and rows.
    #[must_use]
    pub fn table(self, name: &'static str, caption: impl Into<String>) -> Table {
        Table { rows: self.rows, ..Table::new(name, caption, self.columns) }
    }
}

impl Page {
    /// Returns a page with one table.
    #[must_use]
    pub fn of(table: Table) -> Self {
        Self { tables: vec![table], footer: Vec::new() }
    }

    /// Keeps only the table `name`; without a name, the tables that a form for programs (or for people) shows.
    #[must_use]
    pub fn keep(mut self, name: Option<&str>, is_program: bool) -> Self {
        self.tables.retain(|table| match name {
            Some(name) => table.name == name,
            None => table.readers.include(is_program),
        });
        self
    }
}
