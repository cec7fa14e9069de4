//! Texts for a person at the table: turns, questions, events and hints, within the knowledge of the seat.

use std::fmt::Write as _;
use std::thread;
use std::time::Duration;

use agents::SearchReport;
use engine::{ChanceEvent, Player};
use serde_json::Value as Json;
use sim::any::AnyState;
use sim::session::{Happening, Seat, Session};

/// Largest number of options listed one by one. Otherwise options with the same first word share a line.
const LISTED: usize = 15;
/// Columns of a line.
const WIDTH: usize = 78;
/// Options of a hint.
const HINTS: usize = 6;
/// Number of log lines shown.
const LOG: usize = 40;

/// Text display of a table, with its log.
pub(super) struct Screen {
    names: Vec<String>,
    people: Vec<Player>,
    has_board: bool,
    pace: Duration,
    log: Vec<Happening>,
    /// Current line, which grows while one seat, or one kind of chance, continues.
    line: String,
    /// Subject of that line.
    subject: String,
}

impl Screen {
    pub(super) fn new(
        session: &Session,
        names: Vec<String>,
        has_board: bool,
        pace: Duration,
    ) -> Self {
        let seats = Player::all(names.len()).zip(session.seats());
        let people = seats.filter(|(_, seat)| matches!(seat, Seat::Person)).map(|(p, _)| p);
        Self {
            people: people.collect(),
            names,
            has_board,
            pace,
            log: Vec::new(),
            line: String::new(),
            subject: String::new(),
        }
    }

    /// Returns how a seat is called.
    pub(super) fn name(&self, seat: Player) -> String {
        let name = &self.names[seat.idx()];
        match self.is_alone(seat) {
            true => format!("seat {} (you)", seat.ordinal()),
            false => format!("seat {} ({name})", seat.ordinal()),
        }
    }

    /// Returns whether `seat` is the only person at the table.
    fn is_alone(&self, seat: Player) -> bool {
        self.people == [seat]
    }

    /// Introduces game and seats.
    pub(super) fn welcome(&self, session: &Session) -> String {
        let seats: Vec<String> =
            Player::all(self.names.len()).map(|seat| self.name(seat)).collect();
        format!("{}: {}. Type ? for help.\n", session.game().about().title, seats.join(", "))
    }

    /// Shows the position at the beginning of the turn of `seat`.
    pub(super) fn turn(&self, session: &Session, seat: Player) -> String {
        let mut text = format!("\n--- {} ", self.name(seat));
        while text.len() < WIDTH {
            text.push('-');
        }
        text.push('\n');
        if self.has_board {
            text += &session.state().view_text(seat);
        }
        text
    }

    /// Returns the question to `seat` with its options.
    pub(super) fn question(&self, session: &Session, seat: Player) -> String {
        let mut text = menu(&session.state().labels(seat));
        text += &self.prompt(seat);
        text
    }

    /// Returns the prompt.
    pub(super) fn prompt(&self, seat: Player) -> String {
        format!("seat {}> ", seat.ordinal())
    }

    /// Explains the commands, and lists every option.
    pub(super) fn help(&self, session: &Session, seat: Player) -> String {
        let mut text = "\
Type an option, its number, or the beginning of its words; several words play several choices.
Where options are amounts, a number is the amount; #3 is the third option everywhere.
  ?  this help         u  take back the last choice      h  hint
  b  board             l  log                            q  leave (--records keeps the game)
Options:
"
        .to_owned();
        for (i, label) in session.state().labels(seat).iter().enumerate() {
            let _ = writeln!(text, "{:>5}  {label}", i + 1);
        }
        text
    }

    /// Records events and returns the lines that they complete, limited to the knowledge of the people at the table.
    pub(super) fn happened(&mut self, happenings: &[Happening]) -> String {
        let people = self.people.clone();
        let mut text = String::new();
        for happening in happenings {
            let (subject, what) = self.said(happening, &people);
            text += &self.add(&subject, &what);
        }
        self.log.extend_from_slice(happenings);
        if happenings.iter().any(|h| matches!(h, Happening::Choice(..))) {
            thread::sleep(self.pace);
        }
        text
    }

    /// Records the choice of a person. Choices of others that it makes public appear with the next events.
    pub(super) fn chosen(&mut self, happenings: &[Happening]) -> String {
        match happenings {
            [_] => {
                self.log.extend_from_slice(happenings);
                String::new()
            }
            _ => self.happened(happenings),
        }
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

    /// Returns the last events, limited to the knowledge of `seat`.
    pub(super) fn log(&self, seat: Player) -> String {
        let begin = self.log.len().saturating_sub(LOG);
        let mut text = String::new();
        for happening in &self.log[begin..] {
            let (subject, what) = self.said(happening, &[seat]);
            let _ = writeln!(text, "  {subject}: {what}");
        }
        text
    }

    /// Returns the subject and text of an event, limited to the common knowledge of `readers`.
    fn said(&self, happening: &Happening, readers: &[Player]) -> (String, String) {
        match happening {
            Happening::Choice(seat, label) => (self.name(*seat), label.clone()),
            Happening::Chance(seen) => {
                let first = &seen[readers.first().map_or(0, |reader| reader.idx())];
                let is_open = readers.iter().all(|reader| &seen[reader.idx()] == first);
                if is_open { words(first) } else { words(&secret(first)) }
            }
        }
    }

    /// Writes a hint for `seat`: the choice with this number, and the search behind it.
    pub(super) fn hint(
        state: &AnyState,
        seat: Player,
        number: usize,
        report: Option<&SearchReport>,
    ) -> String {
        let (texts, labels) = (state.action_texts(seat), state.labels(seat));
        let mut text = format!("Hint: {}\n", labels[number]);
        let Some(report) = report else { return text };
        let _ = writeln!(text, "  {:>7}  {:>5}  option", "visits", "value");
        for option in report.options.iter().take(HINTS) {
            // Searches name actions as in records, where seats count from 0.
            let known = texts.iter().position(|action| *action == option.text);
            let label = known.map_or(option.text.as_str(), |i| labels[i].as_str());
            let mark = if option.is_chosen { " <" } else { "" };
            let value = option.values.get(seat.idx()).copied().unwrap_or_default();
            let _ = writeln!(text, "  {:>7}  {value:>5.2}  {label}{mark}", option.visits);
        }
        text
    }

    /// Writes the result.
    pub(super) fn over(&self, session: &Session) -> String {
        let points = session.state().points().unwrap_or_default();
        let scores = session.state().scores();
        let most = points.iter().copied().fold(f32::MIN, f32::max);
        let mut text = "\n--- The game is over\n".to_owned();
        text += &session.state().text();
        for seat in Player::all(self.names.len()) {
            let score =
                scores.as_ref().map_or_else(String::new, |s| format!(", score {}", s[seat.idx()]));
            let wins = if points[seat.idx()] >= most { " wins" } else { "" };
            let _ = writeln!(text, "{}{wins}{score}", self.name(seat));
        }
        text
    }
}

/// Returns the event without its outcome.
fn secret(event: &ChanceEvent) -> ChanceEvent {
    ChanceEvent { value: Json::Null, ..event.clone() }
}

/// Returns the kind of an event of chance with whom it concerns, and its outcome.
fn words(event: &ChanceEvent) -> (String, String) {
    let plain = |value: &Json| match value {
        Json::String(text) => text.clone(),
        Json::Array(items) => {
            let item = |item: &Json| item.as_str().map_or_else(|| item.to_string(), str::to_owned);
            items.iter().map(item).collect::<Vec<_>>().join(", ")
        }
        Json::Null => "hidden from you".to_owned(),
        other => other.to_string(),
    };
    let who = match &event.who {
        Some(Json::Number(seat)) => {
            format!(" of seat {}", seat.as_u64().map_or(0, |seat| seat + 1))
        }
        Some(who) => format!(" of the {}", plain(who)),
        None => String::new(),
    };
    (format!("{}{who}", event.chance), plain(&event.value))
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
