//! The builder of replays: receives the events and positions of a game, and makes the frames.

use crate::difference::highlights;
use crate::games::Drawing;
use crate::names::Names;
use crate::replay::{BoardView, Frame, Mark, Mistake, Replay};
use crate::story::{Event, Level, Position, Sentence, Teller, chance, seated};

/// A replay under construction.
pub struct ReplayBuilder {
    drawing: Box<dyn Drawing + Send>,
    teller: Option<Box<dyn Teller + Send>>,
    replay: Replay,
    names: Names,
    sentences: Vec<Sentence>,
    /// Choices of seats while other seats still choose, and the evaluation of the last one.
    waiting: Vec<String>,
    thought: String,
}

impl std::fmt::Debug for ReplayBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ReplayBuilder({} frames)", self.replay.frames.len())
    }
}

impl ReplayBuilder {
    /// Creates a builder for a game that `drawing` draws, with a title, its name and its agents.
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
        let names = Names::of(board.as_ref()).with(drawing.things());
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
            mistakes: Vec::new(),
            notes,
            frames: Vec::new(),
        };
        let (sentences, waiting, thought) = (Vec::new(), Vec::new(), String::new());
        Self { drawing, teller: None, replay, names, sentences, waiting, thought }
    }

    /// Returns whether the frames need the board as text.
    #[must_use]
    pub fn wants_text(&self) -> bool {
        self.drawing.is_text()
    }

    /// Starts the replay with the first position.
    pub fn begin(&mut self, at: &Position) {
        self.teller = Some(crate::games::teller(&self.replay.game, at));
        let view = self.view(at);
        let chances = at.chances.clone();
        self.replay.frames.push(Frame { view, mark: Mark::Stage, chances, ..Frame::default() });
    }

    /// Sets the search's evaluation of the next choice.
    pub fn thought(&mut self, text: &str) {
        if !self.thought.is_empty() {
            self.thought.push('\n');
        }
        self.thought += text;
    }

    /// Adds a choice that cost its seat something; it is the next choice.
    pub fn mistake(&mut self, mut mistake: Mistake) {
        mistake.frame = self.replay.frames.len().saturating_sub(1);
        mistake.chosen = self.names.spoken(&mistake.chosen);
        mistake.better = self.names.spoken(&mistake.better);
        self.replay.mistakes.push(mistake);
    }

    /// Adds an event and the position after it; `None` while other seats still choose at the same time.
    pub fn event(&mut self, event: &Event<'_>, after: Option<&Position>) {
        self.waiting.extend(match event {
            Event::Choice { seat, action } => Some(format!("{}: {action}", seated(*seat))),
            Event::Chance { .. } => Some(chance(event)),
            Event::Forced => None,
        });
        if let Some(teller) = &mut self.teller {
            teller.narrate(event, after, &mut self.sentences);
        }
        let Some(after) = after else { return };
        let sentences = std::mem::take(&mut self.sentences);
        let mark = sentences.iter().map(mark).max().unwrap_or_default();
        let stage = sentences.iter().find(|sentence| sentence.level == Level::Stage);
        let stage = stage.map(|sentence| sentence.text.clone()).unwrap_or_default();
        let view = self.view(after);
        let last = self.replay.frames.last();
        let highlights = last.map(|last| highlights(&last.view, &view)).unwrap_or_default();
        self.replay.frames.push(Frame {
            view,
            mark,
            stage,
            highlights,
            event: std::mem::take(&mut self.waiting).join("; "),
            sentences: sentences.iter().map(|sentence| self.names.spoken(&sentence.text)).collect(),
            thought: std::mem::take(&mut self.thought),
            chances: after.chances.clone(),
        });
    }

    /// Returns the view of a position, with names that people read.
    fn view(&self, at: &Position) -> BoardView {
        let mut view = self.drawing.view(at);
        view.heading = self.names.spoken(&view.heading);
        let gauges = view.gauges.iter_mut().flatten().chain(&mut view.displays);
        gauges.for_each(|gauge| *gauge = self.names.spoken(gauge));
        view
    }

    /// Ends the replay; `end` describes the end of the game.
    pub fn end(&mut self, end: &str) {
        let mut sentences = Vec::new();
        if let Some(mut teller) = self.teller.take() {
            teller.finish(&mut sentences);
        }
        if let Some(last) = self.replay.frames.last_mut() {
            last.sentences
                .extend(sentences.iter().map(|sentence| self.names.spoken(&sentence.text)));
            last.sentences.push(end.to_owned());
        }
    }

    /// Returns the finished replay.
    #[must_use]
    pub fn replay(self) -> Replay {
        self.replay
    }
}

fn mark(sentence: &Sentence) -> Mark {
    match sentence.level {
        Level::Stage => Mark::Stage,
        Level::Round => Mark::Round,
        Level::Main | Level::Deed | Level::Part => Mark::Nothing,
    }
}
