//! A game that people play: [`HostedGame`].

use engine::Player;
use sim::any::{AnyAgent, Due};
use sim::error::Error;
use sim::session::{Happening, Seat, Session, Step};

use crate::advice::Hint;
use crate::log;
use crate::words::understood;

/// The choices of a line that were played.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Events that became public by them.
    pub public: Vec<Happening>,
    /// Remaining words after the end of the turn, which were not played.
    pub rest: Option<String>,
}

/// A session with the names of its seats, its log and its adviser.
#[derive(Debug)]
pub struct HostedGame {
    session: Session,
    names: Vec<String>,
    adviser: Option<AnyAgent>,
    /// The final events so far.
    log: Vec<Happening>,
    /// The public part of each choice of the draft.
    draft: Vec<Vec<Happening>>,
}

impl HostedGame {
    /// Hosts `session`, whose seats are called `names`. Without an adviser there are no hints.
    #[must_use]
    pub fn new(session: Session, names: Vec<String>, adviser: Option<AnyAgent>) -> Self {
        Self { session, names, adviser, log: Vec::new(), draft: Vec::new() }
    }

    /// Returns the session.
    #[must_use]
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Ends the record and returns it; `None` before the end of the game.
    pub fn take_record(&mut self) -> Option<String> {
        self.session.take_record()
    }

    /// Returns the names of the seats.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the seats of people.
    #[must_use]
    pub fn people(&self) -> Vec<Player> {
        let seats = Player::all(self.names.len()).zip(self.session.seats());
        seats
            .filter(|(_, seat)| matches!(seat, Seat::Person(_)))
            .map(|(player, _)| player)
            .collect()
    }

    /// Returns how a seat is called.
    #[must_use]
    pub fn name(&self, seat: Player) -> String {
        let name = &self.names[seat.idx()];
        let name = if self.people() == [seat] { "you" } else { name };
        format!("seat {} ({name})", seat.ordinal())
    }

    /// Returns the final events so far.
    #[must_use]
    pub fn log(&self) -> &[Happening] {
        &self.log
    }

    /// Returns the final events from number `since` on as lines, limited to the common knowledge of `readers`.
    #[must_use]
    pub fn lines(&self, since: usize, readers: &[Player]) -> Vec<String> {
        log::lines(&self.log[since..], readers, &|seat| self.name(seat))
    }

    /// Returns the choices of the draft, in words for people.
    #[must_use]
    pub fn draft(&self) -> Vec<String> {
        let label = |happening: &Happening| match happening {
            Happening::Choice(_, label) => Some(label.clone()),
            Happening::Chance(_) => None,
        };
        self.draft.iter().flatten().filter_map(label).collect()
    }

    /// Advances by one event, unless a person has to choose or the game is over.
    ///
    /// # Errors
    /// If an agent fails; the position is unchanged.
    pub fn step(&mut self) -> Result<Step, Error> {
        let step = self.session.step()?;
        if let Step::Happened(happenings) = &step {
            self.settle();
            self.log.extend_from_slice(happenings);
        }
        Ok(step)
    }

    /// Moves the choices of a draft that has become final into the log.
    fn settle(&mut self) {
        if self.session.undoable() == 0 {
            self.log.extend(self.draft.drain(..).flatten());
        }
    }

    /// Plays the choices that `lines` name for `seat`, all of them or none.
    ///
    /// # Errors
    /// If another seat is to choose, or a word fits no option or several; nothing was played then.
    pub fn play(&mut self, seat: Player, lines: &[&str]) -> Result<Played, String> {
        if self.session.state().due() != Due::Player(seat) {
            return Err("another seat is to choose".to_owned());
        }
        let found = understood(self.session.state(), seat, lines)?;
        let mut public = Vec::new();
        for number in found.numbers {
            let new = self.session.choose(number).map_err(|e| e.to_string())?;
            public.extend_from_slice(&new);
            self.draft.push(new);
        }
        self.settle();
        Ok(Played { public, rest: found.rest })
    }

    /// Takes back the last choice of the draft; returns whether there was one.
    pub fn undo(&mut self) -> bool {
        let is_there = self.session.undo();
        self.draft.truncate(self.session.undoable());
        is_there
    }

    /// Makes the draft final: nothing of it can be taken back any more.
    pub fn finish(&mut self) {
        self.session.finish();
        self.settle();
    }

    /// Returns whether there is an adviser.
    #[must_use]
    pub const fn has_hints(&self) -> bool {
        self.adviser.is_some()
    }

    /// Returns the advice for `seat`, which has to choose, from its view; `None` without an adviser. The record
    /// counts it.
    ///
    /// # Errors
    /// If the adviser fails.
    pub fn hint(&mut self, seat: Player) -> Result<Option<Hint>, Error> {
        let Some(adviser) = &mut self.adviser else { return Ok(None) };
        let hint = Hint::of(adviser, self.session.state(), seat)?;
        self.session.count_hint();
        Ok(Some(hint))
    }

    /// Returns the result, a line for each seat; empty before the end.
    #[must_use]
    pub fn result(&self) -> Vec<String> {
        let Some(points) = self.session.state().points() else { return Vec::new() };
        let scores = self.session.state().scores();
        let most = points.iter().copied().fold(f32::MIN, f32::max);
        let line = |seat: Player| {
            let score =
                scores.as_ref().map_or_else(String::new, |s| format!(", score {}", s[seat.idx()]));
            let wins = if points[seat.idx()] >= most { " wins" } else { "" };
            format!("{}{wins}{score}", self.name(seat))
        };
        Player::all(self.names.len()).map(line).collect()
    }
}
