//! Builds the replay of a game: hears of its events and positions, and puts frames in a row.

use crate::games::Drawing;
use crate::highlight::highlights;
use crate::names::Names;
use crate::replay::{BoardView, Frame, Mark, Replay};
use crate::story::{Event, Level, Position, Sentence, Teller, chance, seated};

/// A replay that is being made.
pub struct ReplayBuilder {
    drawing: Box<dyn Drawing + Send>,
    teller: Option<Box<dyn Teller + Send>>,
    replay: Replay,
    names: Names,
    told: Vec<Sentence>,
    /// Choices that others still wait for, and what was thought of the last.
    waiting: Vec<String>,
    thought: String,
}

impl std::fmt::Debug for ReplayBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ReplayBuilder({} frames)", self.replay.frames.len())
    }
}

impl ReplayBuilder {
    /// A builder for a game that `drawing` draws, with a title, its name and its agents.
    #[must_use]
    pub fn new(
        drawing: Box<dyn Drawing + Send>,
        title: String,
        game: String,
        agents: Vec<String>,
    ) -> Self {
        let (board, gauges) = (drawing.board().cloned(), drawing.gauges());
        let (lists, displays) = (drawing.lists(), drawing.displays());
        let score = drawing.score().to_owned();
        let (names, frames) = (Names::of(board.as_ref()), Vec::new());
        let (legend, notes) = (drawing.legend(), Vec::new());
        let replay = Replay {
            title,
            game,
            agents,
            board,
            gauges,
            lists,
            displays,
            score,
            legend,
            notes,
            frames,
        };
        let (told, waiting, thought) = (Vec::new(), Vec::new(), String::new());
        Self { drawing, teller: None, replay, names, told, waiting, thought }
    }

    /// Whether it wants the board as text.
    #[must_use]
    pub fn wants_text(&self) -> bool {
        self.drawing.is_text()
    }

    /// The game begins.
    pub fn begin(&mut self, at: &Position) {
        self.teller = Some(crate::games::teller(&self.replay.game, at));
        let view = self.view(at);
        let chances = at.chances.clone();
        self.replay.frames.push(Frame { view, mark: Mark::Stage, chances, ..Frame::default() });
    }

    /// What a search thinks of the choice that comes next.
    pub fn thought(&mut self, text: &str) {
        if !self.thought.is_empty() {
            self.thought.push('\n');
        }
        self.thought += text;
    }

    /// Something happened.
    pub fn event(&mut self, event: &Event<'_>, after: Option<&Position>) {
        self.waiting.extend(match event {
            Event::Choice { seat, action } => Some(format!("{}: {action}", seated(*seat))),
            Event::Chance { .. } => Some(chance(event)),
            Event::Forced => None,
        });
        if let Some(teller) = &mut self.teller {
            teller.hear(event, after, &mut self.told);
        }
        let Some(after) = after else { return };
        let told = std::mem::take(&mut self.told);
        let mark = told.iter().map(mark).max().unwrap_or_default();
        let stage = told.iter().find(|told| told.level == Level::Stage);
        let stage = stage.map(|told| told.text.clone()).unwrap_or_default();
        let view = self.view(after);
        let last = self.replay.frames.last();
        let highlights = last.map(|last| highlights(&last.view, &view)).unwrap_or_default();
        self.replay.frames.push(Frame {
            view,
            mark,
            stage,
            highlights,
            event: std::mem::take(&mut self.waiting).join("; "),
            told: told.iter().map(|told| self.names.spoken(&told.text)).collect(),
            thought: std::mem::take(&mut self.thought),
            chances: after.chances.clone(),
        });
    }

    /// Returns the view of a position, with names for people.
    fn view(&self, at: &Position) -> BoardView {
        let mut view = self.drawing.view(at);
        view.heading = self.names.spoken(&view.heading);
        let gauges = view.gauges.iter_mut().flatten().chain(&mut view.displays);
        gauges.for_each(|gauge| *gauge = self.names.spoken(gauge));
        view
    }

    /// The game is over; `end` says how.
    pub fn end(&mut self, end: &str) {
        let mut told = Vec::new();
        if let Some(mut teller) = self.teller.take() {
            teller.finish(&mut told);
        }
        if let Some(last) = self.replay.frames.last_mut() {
            last.told.extend(told.iter().map(|told| self.names.spoken(&told.text)));
            last.told.push(end.to_owned());
        }
    }

    /// The replay.
    #[must_use]
    pub fn replay(self) -> Replay {
        self.replay
    }
}

fn mark(told: &Sentence) -> Mark {
    match told.level {
        Level::Stage => Mark::Stage,
        Level::Round => Mark::Round,
        Level::Main | Level::Deed | Level::Part => Mark::Nothing,
    }
}
