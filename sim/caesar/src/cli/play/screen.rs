//! Texts for a person at the table: turns, questions, events and hints, within the knowledge of the seat.

use std::fmt::Write as _;
use std::thread;
use std::time::Duration;

use draw::play::{Asked, DrawnGame, standing};
use engine::Player;
use play::advice::Hint;
use play::hosted_game::HostedGame;
use play::log::told;
use play::odds::Odds;
use sim::session::Happening;

/// Largest number of options listed one by one. Otherwise options with the same first word share a line.
const LISTED: usize = 15;
/// Columns of a line.
const WIDTH: usize = 78;
/// Options of a hint.
const HINTS: usize = 6;
/// Number of events in a log.
const LOG: usize = 40;

/// Text display of a hosted game.
pub(super) struct Screen {
    /// The drawing of the game, which names the sides of a contest.
    drawn: DrawnGame,
    /// The rows of the contest that were shown last.
    contest: String,
    has_board: bool,
    pace: Duration,
    /// Current line, which grows while one seat, or one kind of chance, continues.
    line: String,
    /// Subject of that line.
    subject: String,
}

impl Screen {
    pub(super) fn new(hosted: &HostedGame, has_board: bool, pace: Duration) -> Self {
        let game = hosted.session().game();
        let drawn = DrawnGame::new(game.name(), &game.rules().to_json(), game.players());
        let [contest, line, subject] = [const { String::new() }; 3];
        Self { drawn, contest, has_board, pace, line, subject }
    }

    /// Introduces game and seats.
    pub(super) fn welcome(hosted: &HostedGame) -> String {
        let seats: Vec<String> =
            Player::all(hosted.names().len()).map(|seat| hosted.name(seat)).collect();
        let title = hosted.session().game().about().title;
        format!("{title}: {}.", seats.join(", "))
    }

    /// Shows the position at the beginning of the turn of `seat`.
    pub(super) fn turn(&self, hosted: &HostedGame, seat: Player) -> String {
        let mut text = format!("\n--- {} ", hosted.name(seat));
        while text.len() < WIDTH {
            text.push('-');
        }
        text.push('\n');
        if self.has_board {
            text += &hosted.session().state().view_text(seat);
        }
        text
    }

    /// Returns the question to `seat` with its options, below the contest under way if it has changed.
    pub(super) fn question(&mut self, hosted: &HostedGame, seat: Player) -> String {
        let state = hosted.session().state();
        let contest = self.contest(hosted, seat);
        let text = if contest == self.contest { String::new() } else { contest.clone() };
        self.contest = contest;
        text + &menu(&state.labels(seat)) + &Self::prompt(seat)
    }

    /// Returns the rows of the contest under way, as `seat` sees it; empty without one.
    fn contest(&self, hosted: &HostedGame, seat: Player) -> String {
        let names: Vec<String> =
            Player::all(hosted.names().len()).map(|seat| hosted.name(seat)).collect();
        let view = hosted.session().state().view_json(seat);
        let asked = Asked { game: &self.drawn, names: &names, view: &view, seat: seat.idx() };
        let lines = standing(&asked).map_or_else(Vec::new, |standing| standing.lines());
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// Returns the prompt.
    pub(super) fn prompt(seat: Player) -> String {
        format!("seat {}> ", seat.ordinal())
    }

    /// Explains the commands, and lists every option.
    pub(super) fn help(hosted: &HostedGame, seat: Player) -> String {
        let mut text = "\
Type an option, its number, or the beginning of its words; several words play several choices.
Where options are amounts, a number is the amount; #3 is the third option everywhere.
  ?  this help         u  take back the last choice      h  hint
  b  board             l  log                            o  odds of options
  q  leave (--records keeps the game)
Options:
"
        .to_owned();
        for (i, label) in hosted.session().state().labels(seat).iter().enumerate() {
            let _ = writeln!(text, "{:>5}  {label}", i + 1);
        }
        text
    }

    /// Returns the lines that events complete, limited to the knowledge of the people at the table.
    pub(super) fn happened(&mut self, hosted: &HostedGame, happenings: &[Happening]) -> String {
        let people = hosted.people();
        let mut text = String::new();
        for happening in happenings {
            let (subject, what) = told(happening, &people, &|seat| hosted.name(seat));
            text += &self.add(&subject, &what);
        }
        if happenings.iter().any(|h| matches!(h, Happening::Choice(..))) {
            thread::sleep(self.pace);
        }
        text
    }

    /// Returns the lines that the choices of a person complete: they know their own, and see those that became public
    /// with them.
    pub(super) fn chosen(
        &mut self,
        hosted: &HostedGame,
        seat: Player,
        public: &[Happening],
    ) -> String {
        let is_own = |happening: &Happening| matches!(happening, Happening::Choice(chooser, _) if *chooser == seat);
        if public.iter().all(is_own) { String::new() } else { self.happened(hosted, public) }
    }

    /// Ends the current line and returns it.
    pub(super) fn flush(&mut self) -> String {
        self.subject.clear();
        let line = std::mem::take(&mut self.line);
        if line.is_empty() { line } else { line + "\n" }
    }

    /// Adds `what` about `subject` to the current line; returns the complete lines.
    fn add(&mut self, subject: &str, what: &str) -> String {
        let is_long = self.line.len() + what.len() + 2 > WIDTH;
        if self.subject == subject && !is_long {
            self.line += ", ";
            self.line += what;
            return String::new();
        }
        let complete = self.flush();
        subject.clone_into(&mut self.subject);
        self.line = format!("  {subject}: {what}");
        complete
    }

    /// Returns the last events, limited to the knowledge of `seat`, and its draft.
    pub(super) fn log(hosted: &HostedGame, seat: Player) -> String {
        let mut lines = hosted.lines(hosted.log().len().saturating_sub(LOG), &[seat]);
        let draft = hosted.draft();
        if !draft.is_empty() {
            lines.push(format!("not final: {}", draft.join(", ")));
        }
        lines.iter().map(|line| format!("  {line}\n")).collect()
    }

    /// Writes a hint for `seat`.
    pub(super) fn hint(hint: &Hint) -> String {
        let mut text = format!("Hint: {}\n", hint.chosen);
        if !hint.options.is_empty() {
            let _ = writeln!(text, "  {:>7}  {:>5}  option", "visits", "value");
        }
        for option in hint.options.iter().take(HINTS) {
            let mark = if option.is_chosen { " <" } else { "" };
            let (visits, value, label) = (option.visits, option.value, &option.label);
            let _ = writeln!(text, "  {visits:>7}  {value:>5.2}  {label}{mark}");
        }
        text
    }

    /// Writes the odds of options that `seat` can know.
    pub(super) fn odds(hosted: &HostedGame, seat: Player) -> String {
        match Odds::seen(hosted.session().state(), seat) {
            None => "The odds of this game are not known.\n".to_owned(),
            Some(odds) => odds.lines().iter().map(|line| format!("  {line}\n")).collect(),
        }
    }

    /// Writes the result.
    pub(super) fn over(hosted: &HostedGame) -> String {
        let mut text = format!("\n--- The game is over\n{}", hosted.session().state().text());
        hosted.result().iter().for_each(|line| {
            let _ = writeln!(text, "{line}");
        });
        text
    }
}

/// Lists options: one by one, or those with the same first word on one line.
fn menu(labels: &[String]) -> String {
    let mut text = String::new();
    if labels.len() <= LISTED {
        let mut line = String::new();
        for (i, label) in labels.iter().enumerate() {
            let entry = format!("  {} {label}", i + 1);
            if !line.is_empty() && line.len() + entry.len() > WIDTH {
                let _ = writeln!(text, "{line}");
                line.clear();
            }
            line += &entry;
        }
        let _ = writeln!(text, "{line}");
        return text;
    }
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for label in labels {
        let (first, rest) = label.split_once(' ').unwrap_or((label, ""));
        match groups.iter_mut().find(|(word, _)| *word == first) {
            Some((_, group)) => group.push(rest),
            None => groups.push((first, vec![rest])),
        }
    }
    for (word, rest) in groups {
        let mut line = format!("  {word}");
        for (i, rest) in rest.iter().enumerate().filter(|(_, rest)| !rest.is_empty()) {
            let entry = format!("{} {rest}", if i > 0 { "," } else { "" });
            if line.len() + entry.len() > WIDTH {
                let _ = writeln!(text, "{line}");
                line = " ".repeat(2 + word.len());
            }
            line += &entry;
        }
        let _ = writeln!(text, "{line}");
    }
    text
}
