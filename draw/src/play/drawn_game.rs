//! The board of a game as one seat sees it.

use serde_json::Value as Json;

use crate::board::Area;
use crate::chip::Chip;
use crate::games::{Drawing, drawing};
use crate::html::escape;
use crate::names::{Names, capital};
use crate::replay::BoardView;
use crate::story::Position;

/// A game with its drawing, which is made once.
pub struct DrawnGame {
    /// The name of the game.
    pub(super) name: String,
    /// Its rules configuration.
    pub(super) rules: Json,
    /// Its drawing.
    pub(super) drawing: Box<dyn Drawing + Send>,
    /// The names of its areas.
    pub(super) areas: Names,
}

impl std::fmt::Debug for DrawnGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DrawnGame({})", self.name)
    }
}

impl DrawnGame {
    /// Creates the game called `name` under these rules, with this number of seats.
    #[must_use]
    pub fn new(name: &str, rules: &Json, seats: usize) -> Self {
        let drawing = drawing(name, rules, seats);
        let areas = Names::of(drawing.board()).with(drawing.things());
        Self { name: name.to_owned(), rules: rules.clone(), drawing, areas }
    }

    /// Returns a sentence with the names of areas and cards for people.
    #[must_use]
    pub fn spoken(&self, text: &str) -> String {
        self.areas.spoken(text)
    }

    /// Returns the price and the effect of a card or a tile, `2 × ` and the like before its name left aside; `None` for
    /// things that need none.
    #[must_use]
    pub fn note(&self, thing: &str) -> Option<String> {
        let name = thing.split_once(" × ").map_or(thing, |(_, name)| name);
        self.drawing.note(name)
    }

    /// Returns the things on display in the view of a seat, with their prices and effects: a line for each display.
    #[must_use]
    pub fn on_display(&self, view: &Json) -> Vec<String> {
        let [state, view] = [view.clone(), view.clone()];
        let table = self.drawing.view(&Position { state, view, ..Position::default() });
        let noted = |thing: &str| match self.note(thing) {
            None => format!("  {thing}"),
            Some(note) => format!("  {thing} ({note})"),
        };
        let titled = self.drawing.displays().into_iter().zip(table.displays);
        let lines = titled.filter(|(_, things)| !things.is_empty()).flat_map(|(title, things)| {
            let things: Vec<String> = things.split(", ").map(noted).collect();
            std::iter::once(capital(&title) + ":").chain(things)
        });
        lines.collect()
    }

    /// Returns the board without pieces as SVG, empty for games without one. The group of each area has its name and
    /// its note; the script of the page places the pieces.
    #[must_use]
    pub fn board(&self) -> String {
        let Some(board) = self.drawing.board() else { return String::new() };
        let title = format!("board of {}; the options and the log say what lies on it", self.name);
        let more = |i: usize| {
            let area = &board.areas[i];
            let [id, name, note] = [&area.id, &named(area), &area.note].map(|text| escape(text));
            format!(" data-id=\"{id}\" data-name=\"{name}\" data-note=\"{note}\"")
        };
        board.svg_with(&title, &|_| None, &more)
    }
}

/// A seat that is asked, with all that it may see.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The game.
    pub game: &'a DrawnGame,
    /// The names of the seats.
    pub names: &'a [String],
    /// The view of the seat.
    pub view: &'a Json,
    /// The seat, from 0.
    pub seat: usize,
}

impl Asked<'_> {
    /// Returns the table as far as the seat sees it: its pieces, holdings and displays. A drawing leaves out the parts
    /// that the view lacks.
    #[must_use]
    pub fn table(&self) -> BoardView {
        let [state, view] = [self.view.clone(), self.view.clone()];
        self.game.drawing.view(&Position { state, view, ..Position::default() })
    }

    /// Returns a text with the names of seats instead of `seat 3` and the like.
    pub(super) fn named(&self, text: &str) -> String {
        with_names(self.names, text)
    }

    /// Returns the name of a seat, from 0.
    pub(super) fn name(&self, seat: usize) -> String {
        self.names.get(seat).cloned().unwrap_or_else(|| crate::story::seated(seat))
    }
}

/// Returns a text with the names of seats instead of `seat 3` and the like.
pub(super) fn with_names(names: &[String], text: &str) -> String {
    let all = names.iter().enumerate();
    all.fold(text.to_owned(), |text, (seat, name)| text.replace(&crate::story::seated(seat), name))
}

/// Returns the name of an area for people.
pub(super) fn named(area: &Area) -> String {
    let label = area.label.join(" ");
    if label.trim().is_empty() { area.id.replace('-', " ") } else { label }
}

/// Returns the pieces in each area of the board, as the script of the page reads them.
#[must_use]
pub fn pieces(table: &BoardView) -> Vec<String> {
    let code = |chips: &Vec<Chip>| chips.iter().map(Chip::code).collect::<Vec<_>>().join("\u{1e}");
    table.areas.iter().map(code).collect()
}

/// Returns the names of the areas of the board whose pieces differ between two tables of a seat.
#[must_use]
pub fn changed(game: &DrawnGame, before: &BoardView, after: &BoardView) -> Vec<String> {
    let areas = game.drawing.board().map_or(&[][..], |board| &board.areas);
    let differs = |i: &usize| before.areas.get(*i) != after.areas.get(*i);
    (0..areas.len()).filter(differs).map(|i| areas[i].id.clone()).collect()
}
