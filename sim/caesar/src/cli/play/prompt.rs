//! The prompt: a game by lines of the terminal or of a pipe.

use std::io::{BufRead, IsTerminal, stdin, stdout};
use std::thread;
use std::time::Duration;

use engine::Player;
use play::hosted_game::HostedGame;

use super::super::{Ending, clear, look, note, print};
use super::Options;
use super::saved::Kept;
use super::screen::{Screen, folded};
use sim::any::Due;
use sim::error::Error;
use sim::session::{Happening, Step};

/// A hosted game with its terminal.
struct Prompt {
    hosted: HostedGame,
    screen: Screen,
    kept: Option<Kept>,
    /// Time after each choice of an agent.
    pace: Duration,
    /// True at a keyboard, false at a pipe.
    is_typed: bool,
    /// Characters of a line.
    width: usize,
}

/// Plays `hosted` until the game is over or the people leave.
pub(super) fn run(
    options: &Options,
    hosted: HostedGame,
    kept: Option<Kept>,
) -> Result<Ending, Error> {
    let is_typed = stdin().is_terminal();
    let pace = Duration::from_secs_f64(if is_typed { options.pace } else { 0.0 });
    // A pipe gets the same text everywhere.
    let width = if stdout().is_terminal() { look().width } else { usize::MAX };
    let screen = Screen::new(&hosted, !options.no_board, width);
    print(&format!("{} Type ? for help.\n", Screen::welcome(&hosted)))?;
    let mut prompt = Prompt { hosted, screen, kept, pace, is_typed, width };
    prompt.play_out(&mut stdin().lock())
}

impl Prompt {
    /// Prints a text in lines that fit the terminal.
    fn show(&self, text: &str) -> Result<(), Error> {
        print(&folded(text, self.width))
    }

    /// Plays until the game is over, or the person leaves.
    fn play_out(&mut self, input: &mut dyn BufRead) -> Result<Ending, Error> {
        let mut last = None;
        loop {
            self.keep()?;
            match self.hosted.step()? {
                Step::Happened(happenings) => {
                    self.tell(&happenings)?;
                }
                Step::Asks(seat) => {
                    if last != Some(seat) && self.hosted.session().undoable() == 0 {
                        self.hand_over(seat, last, input)?;
                        self.show(&self.screen.turn(&self.hosted, seat))?;
                    }
                    last = Some(seat);
                    let news = self.screen.news(&self.hosted, seat);
                    let question = self.screen.question(&self.hosted, seat);
                    self.show(&(news + &question))?;
                    if !self.answered(seat, input)? {
                        return Ok(Ending::Stopped);
                    }
                    if self.hosted.session().state().due() != Due::Player(seat) {
                        last = None;
                    }
                }
                Step::Over => break,
            }
        }
        if let Some(&reader) = self.hosted.people().first() {
            let news = self.screen.news(&self.hosted, reader);
            self.show(&news)?;
        }
        print(&Screen::over(&self.hosted))?;
        if let (Some(kept), Some(record)) = (&mut self.kept, self.hosted.take_record()) {
            kept.keep(&record, "")?;
        }
        super::over(self.kept.as_ref().map(|kept| kept.place.display().to_string()).as_deref())
    }

    /// Prints at once what a single person may know of `happenings`; several read it on their turns.
    fn tell(&mut self, happenings: &[Happening]) -> Result<(), Error> {
        let [reader] = self.hosted.people()[..] else { return Ok(()) };
        let news = self.screen.news(&self.hosted, reader);
        self.show(&news)?;
        if happenings.iter().any(|h| matches!(h, Happening::Choice { .. })) {
            thread::sleep(self.pace);
        }
        Ok(())
    }

    /// Writes to the record what has become final.
    fn keep(&mut self) -> Result<(), Error> {
        let session = self.hosted.session();
        let kept = self.kept.as_mut();
        kept.map_or(Ok(()), |kept| kept.keep(session.final_record(), &session.left_line()))
    }

    /// Hides the screen of one person from the next.
    fn hand_over(
        &self,
        seat: Player,
        last: Option<Player>,
        input: &mut dyn BufRead,
    ) -> Result<(), Error> {
        if self.hosted.people().len() < 2 || last == Some(seat) || !self.is_typed {
            return Ok(());
        }
        let name = self.hosted.name(seat);
        clear()?;
        print(&format!("{name} is next. Press Enter when {name} alone looks."))?;
        drop(input.read_line(&mut String::new()));
        clear()
    }

    /// Reads lines until one is played; returns whether the person stays.
    fn answered(&mut self, seat: Player, input: &mut dyn BufRead) -> Result<bool, Error> {
        loop {
            let mut line = String::new();
            let read = input.read_line(&mut line).map_err(Error::file("stdin"))?;
            if read == 0 {
                return Ok(false);
            }
            let answer = match line.trim() {
                "" => continue,
                "q" | "quit" => return Ok(false),
                "?" | "help" => self.screen.help(&self.hosted, seat),
                "b" | "board" => self.hosted.session().state().view_text(seat),
                "l" | "log" => Screen::log(&self.hosted, seat),
                "o" | "odds" => Screen::odds(&self.hosted, seat),
                "u" | "undo" => {
                    if self.hosted.undo() {
                        return Ok(true);
                    }
                    "Nothing can be taken back: dice, cards or another seat have answered.\n".into()
                }
                "h" | "hint" => match self.hosted.hint(seat)? {
                    None => "There are no hints at this table (--no-hints).\n".to_owned(),
                    Some(hint) => {
                        self.keep()?;
                        Screen::hint(&hint)
                    }
                },
                words => match self.hosted.play(seat, &[words]) {
                    Ok(rest) => {
                        if let Some(rest) = rest {
                            note(&format!("not played, since the turn has ended: {rest}"));
                        }
                        return Ok(true);
                    }
                    Err(complaint) => format!("{complaint}\n"),
                },
            };
            self.show(&answer)?;
            print(&Screen::prompt(seat))?;
        }
    }
}
