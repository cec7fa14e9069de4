//! A game that people play: [`HostedGame`].

use draw::story::Sentence;
use engine::Player;
use sim::any::{AnyAgent, AnyState, Due};
use sim::error::Error;
use sim::session::{Happening, Replayed, Seat, Session, Step};

use crate::advice::Hint;
use crate::story::SeatStory;
use crate::words::understood;

/// A choice of the draft.
#[derive(Debug)]
struct Drafted {
    /// Events that become public with it.
    public: Vec<Happening>,
    /// The position after it.
    after: AnyState,
}

/// A session with the names of its seats, its log and its adviser.
#[derive(Debug)]
pub struct HostedGame {
    session: Session,
    /// The position at which the stories begin.
    start: AnyState,
    names: Vec<String>,
    adviser: Option<AnyAgent>,
    /// The final events so far.
    log: Vec<Happening>,
    /// The stories of the people.
    stories: Vec<SeatStory>,
    /// True once the stories are told to their end.
    is_told: bool,
    draft: Vec<Drafted>,
    /// The events of a record that were played again, each with the number of sentences that each person has been told
    /// by then.
    replayed: Vec<(Replayed, Vec<usize>)>,
}

impl HostedGame {
    /// Hosts `session`, whose seats are called `names`. Without an adviser there are no hints.
    #[must_use]
    pub fn new(session: Session, names: Vec<String>, adviser: Option<AnyAgent>) -> Self {
        let people = Player::all(names.len()).zip(session.seats());
        let people = people.filter(|(_, seat)| matches!(seat, Seat::Person(_)));
        let (name, start) = (session.game().name(), session.final_state().without_record());
        let stories = people.map(|(seat, _)| SeatStory::new(name, seat, &start)).collect();
        Self {
            session,
            start,
            names,
            adviser,
            log: Vec::new(),
            stories,
            is_told: false,
            draft: Vec::new(),
            replayed: Vec::new(),
        }
    }

    /// Goes on with a record: plays the events of `lines` again, the lines of the record after its header. Everybody is
    /// told what happened in them.
    ///
    /// # Errors
    /// As [`Session::replay`].
    pub fn replay(&mut self, lines: &str) -> Result<(), Error> {
        for replayed in self.session.replay(lines)? {
            self.log.extend_from_slice(&replayed.happenings);
            for story in &mut self.stories {
                story.narrate(&replayed.happenings, &replayed.after);
            }
            let told = self.stories.iter().map(|story| story.sentences().len()).collect();
            self.replayed.push((replayed, told));
        }
        Ok(())
    }

    /// Takes the events that were played again, each with the number of sentences that each person, in the order of
    /// [`Self::people`], has been told by then.
    pub fn take_replayed(&mut self) -> Vec<(Replayed, Vec<usize>)> {
        std::mem::take(&mut self.replayed)
    }

    /// Returns the position at which the stories begin.
    #[must_use]
    pub const fn start(&self) -> &AnyState {
        &self.start
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
        self.stories.iter().map(SeatStory::seat).collect()
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

    /// Returns the story of the final events so far as the person in `seat` may know it; empty for other seats.
    #[must_use]
    pub fn story(&self, seat: Player) -> &[Sentence] {
        let story = self.stories.iter().find(|story| story.seat() == seat);
        story.map_or(&[], SeatStory::sentences)
    }

    /// Returns the choices of the draft, in words for people.
    #[must_use]
    pub fn draft(&self) -> Vec<String> {
        let label = |happening: &Happening| match happening {
            Happening::Choice { label, .. } => Some(label.clone()),
            Happening::Chance(_) => None,
        };
        self.draft.iter().flat_map(|drafted| &drafted.public).filter_map(label).collect()
    }

    /// Advances by one event, unless a person has to choose or the game is over.
    ///
    /// # Errors
    /// If an agent fails; the position is unchanged.
    pub fn step(&mut self) -> Result<Step, Error> {
        let step = self.session.step()?;
        match &step {
            Step::Happened(happenings) => {
                self.settle();
                self.log.extend_from_slice(happenings);
                for story in &mut self.stories {
                    story.narrate(happenings, self.session.state());
                }
            }
            Step::Asks(_) => {}
            Step::Over => self.end_stories(),
        }
        Ok(step)
    }

    /// Ends the stories of a game that is over, once.
    fn end_stories(&mut self) {
        if !std::mem::replace(&mut self.is_told, true) {
            self.stories.iter_mut().for_each(SeatStory::finish);
        }
    }

    /// Moves the choices of a draft that has become final into the log and the stories.
    fn settle(&mut self) {
        if self.session.undoable() > 0 {
            return;
        }
        for Drafted { public, after } in self.draft.drain(..) {
            for story in &mut self.stories {
                story.narrate(&public, &after);
            }
            self.log.extend(public);
        }
    }

    /// Plays the choices that `lines` name for `seat`, all of them or none. Returns the remaining words if the turn ended
    /// before them.
    ///
    /// # Errors
    /// If another seat is to choose, or a word fits no option or several; nothing was played then.
    pub fn play(&mut self, seat: Player, lines: &[&str]) -> Result<Option<String>, String> {
        if self.session.state().due() != Due::Player(seat) {
            return Err("another seat is to choose".to_owned());
        }
        let found = understood(self.session.state(), seat, lines)?;
        for number in found.numbers {
            let public = self.session.choose(number).map_err(|e| e.to_string())?;
            self.draft.push(Drafted { public, after: self.session.state().clone() });
        }
        self.settle();
        Ok(found.rest)
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
