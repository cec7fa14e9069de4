//! The narration of a game as text, as `show` prints it.

use std::fmt::Write;
use std::ops::RangeInclusive;

use draw::story::{Event, Level, Position, Sentence, Teller, chance, seat_numbers, words};

use super::listener::{Ended, Listener, Wants};
use crate::event::Forfeit;
use crate::units::counted;
use crate::visible::visible;

/// The style of a narration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// The level of detail.
    pub detail: Detail,
    /// True if boards are printed after each round.
    pub boards: bool,
}

/// The level of detail of a narration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// Only events that changed the course of the game.
    Brief,
    /// A sentence for each action, and its parts.
    #[default]
    Usual,
    /// Every ply and every chance event in addition.
    Full,
}

/// A writer of a narration.
pub(crate) struct Narration<'a> {
    game: &'a str,
    agents: &'a [String],
    style: Style,
    /// The plies that are narrated; all if `None`.
    plies: Option<RangeInclusive<u64>>,
    ply: u64,
    teller: Option<Box<dyn Teller + Send>>,
    sentences: Vec<Sentence>,
    /// The board at the last position.
    board: String,
    has_begun: bool,
    text: String,
}

impl<'a> Narration<'a> {
    /// Returns the narration of a game of this name between these agents.
    pub(crate) const fn new(
        game: &'a str,
        agents: &'a [String],
        style: Style,
        plies: Option<RangeInclusive<u64>>,
    ) -> Self {
        Self {
            game,
            agents,
            style,
            plies,
            ply: 0,
            teller: None,
            sentences: Vec::new(),
            board: String::new(),
            has_begun: false,
            text: String::new(),
        }
    }

    /// Takes the text written since the last call.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    fn is_wanted(&self) -> bool {
        self.plies.as_ref().is_none_or(|plies| plies.contains(&self.ply))
    }

    const fn is_full(&self) -> bool {
        matches!(self.style.detail, Detail::Full)
    }

    /// Writes the pending sentences, with boards before headings or after actions.
    fn write(&mut self, has_rounds: bool) {
        let mut sentences = std::mem::take(&mut self.sentences);
        for Sentence { level, text, .. } in sentences.drain(..) {
            let is_heading = matches!(level, Level::Stage | Level::Round);
            if is_heading && self.has_begun {
                self.write_board();
            }
            self.has_begun |= is_heading;
            let is_shown = match self.style.detail {
                Detail::Brief => matches!(level, Level::Stage | Level::Main),
                Detail::Usual | Detail::Full => true,
            };
            if is_shown && self.is_wanted() {
                let _ = writeln!(self.text, "{}{text}", level.indent());
            }
            if !has_rounds && level == Level::Deed {
                self.write_board();
            }
        }
        self.sentences = sentences;
    }

    fn write_board(&mut self) {
        if !self.style.boards || !self.is_wanted() {
            return;
        }
        for line in self.board.lines() {
            let _ = writeln!(self.text, "        | {line}");
        }
    }
}

impl Listener for Narration<'_> {
    fn wants(&self) -> Wants {
        Wants { boards: self.style.boards, documents: false }
    }

    fn begin(&mut self, at: Position) {
        self.teller = Some(draw::games::teller(self.game, &at));
        self.board = at.text;
    }

    fn choosing(&mut self, seat: usize, legal: usize, action: &str) {
        self.ply += 1;
        if self.is_full() && self.is_wanted() {
            let (number, agent) = (self.ply, &self.agents[seat]);
            let _ = writeln!(
                self.text,
                "{number:>6}  seat {} ({agent}): {action}  [1 of {legal}]",
                seat + 1
            );
        }
    }

    fn opinion(&mut self, text: &str) {
        self.text += text;
    }

    fn event(&mut self, event: &Event<'_>, after: Option<Position>) {
        if self.is_full() && self.is_wanted() && matches!(event, Event::Chance { .. }) {
            let _ = writeln!(self.text, "        * {}", chance(event));
        }
        let is_full = self.is_full();
        let Some(teller) = &mut self.teller else { return };
        teller.narrate(event, after.as_ref(), &mut self.sentences);
        let has_rounds = teller.has_rounds();
        if is_full && teller.is_plain() {
            self.sentences.clear();
        }
        if let Some(after) = after.filter(|_| self.style.boards) {
            let last = std::mem::replace(&mut self.board, after.text);
            if has_rounds {
                // A heading begins the events after the last position.
                let now = std::mem::replace(&mut self.board, last);
                self.write(has_rounds);
                self.board = now;
                return;
            }
        }
        self.write(has_rounds);
    }

    fn milestone(&mut self, text: &str) {
        if self.is_full() && !self.style.boards && self.is_wanted() {
            for line in text.lines() {
                let _ = writeln!(self.text, "        | {line}");
            }
        }
    }

    fn end(&mut self, end: &Ended<'_>) {
        if let Some(mut teller) = self.teller.take() {
            teller.finish(&mut self.sentences);
            self.write(teller.has_rounds());
            if teller.has_rounds() {
                self.write_board();
            }
        }
        if !self.is_wanted() {
            return;
        }
        if let Some(Forfeit { player, reason }) = end.forfeit {
            let (agent, reason) = (visible(&self.agents[*player]), visible(reason));
            let _ = writeln!(self.text, "  forfeit by seat {} ({agent}): {reason}", player + 1);
        }
        let (scores, winners, plies) = (words(end.scores), seat_numbers(end.winners), end.plies);
        let _ = writeln!(
            self.text,
            "  end after {plies} plies: scores {scores}; won by seat {winners}"
        );
        if end.hints > 0 {
            let _ = writeln!(self.text, "  {} given to people", counted(end.hints.into(), "hint"));
        }
    }
}
