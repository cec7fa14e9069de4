//! The board of a game as one seat sees it.

use serde_json::Value as Json;

use crate::board::Area;
use crate::chip::Chip;
use crate::games::{Drawing, drawing};
use crate::html::escape;
use crate::names::Names;
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
        let areas = Names::of(drawing.board());
        Self { name: name.to_owned(), rules: rules.clone(), drawing, areas }
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
    /// Returns the position as far as the seat sees it. A drawing leaves out the parts that the view lacks.
    pub(super) fn position(&self) -> Position {
        let [state, view] = [self.view.clone(), self.view.clone()];
        Position { state, view, ..Position::default() }
    }

    /// Returns a text with the names of seats instead of `seat 3` and the like.
    pub(super) fn named(&self, text: &str) -> String {
        let all = self.names.iter().enumerate();
        all.fold(text.to_owned(), |text, (seat, name)| {
            text.replace(&crate::story::seated(seat), name)
        })
    }

    /// Returns the name of a seat, from 0.
    pub(super) fn name(&self, seat: usize) -> String {
        self.names.get(seat).cloned().unwrap_or_else(|| crate::story::seated(seat))
    }
}

/// Returns the name of an area for people.
pub(super) fn named(area: &Area) -> String {
    let label = area.label.join(" ");
    if label.trim().is_empty() { area.id.replace('-', " ") } else { label }
}

/// Returns pieces as the text of an attribute: a line for each chip, with its fields divided by tabs.
fn pieces(chips: &[Chip]) -> String {
    chips.iter().map(|chip| chip.code().replace('\u{1f}', "\t")).collect::<Vec<_>>().join("\n")
}

/// Returns the board of a view as SVG, empty for games without one. The group of each area has its name and its
/// pieces, which the script of the page places. Areas whose names are in `marked` have changed.
#[must_use]
pub fn board(asked: &Asked<'_>, marked: &[String]) -> String {
    let drawing = asked.game.drawing.as_ref();
    let Some(board) = drawing.board() else { return String::new() };
    let view = drawing.view(&asked.position());
    let title =
        format!("board of {}; the options and the log say what lies on it", asked.game.name);
    let more = |i: usize| {
        let area = &board.areas[i];
        let mark = if marked.contains(&area.id) { " data-marked" } else { "" };
        let code = view.areas.get(i).map_or_else(String::new, |chips| pieces(chips));
        format!(
            " data-id=\"{}\" data-name=\"{}\" data-note=\"{}\" data-pieces=\"{}\"{mark}",
            escape(&area.id),
            escape(&named(area)),
            escape(&area.note),
            escape(&code)
        )
    };
    board.svg_with(&title, &|_| None, &more)
}

/// Returns the names of the areas whose pieces differ between an earlier view of the seat and the view of `asked`.
#[must_use]
pub fn changed(asked: &Asked<'_>, before: &Json) -> Vec<String> {
    let drawing = asked.game.drawing.as_ref();
    let Some(board) = drawing.board() else { return Vec::new() };
    let now = drawing.view(&asked.position());
    let then = drawing.view(&Asked { view: before, ..*asked }.position());
    let differs = |i: &usize| now.areas.get(*i) != then.areas.get(*i);
    let areas = (0..board.areas.len()).filter(differs);
    areas.map(|i| board.areas[i].id.clone()).collect()
}
