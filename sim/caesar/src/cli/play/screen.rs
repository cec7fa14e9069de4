//! Texts for a person at the table: turns, questions, events and hints, within the knowledge of the seat.

use std::fmt::Write as _;

use draw::play::{Asked, DrawnGame, Menu, ask, standing};
use draw::story::Sentence;
use engine::Player;
use play::advice::Hint;
use play::hosted_game::HostedGame;
use play::odds::Odds;
use serde_json::Value as Json;

use crate::report::format::terminal::paragraph;

/// Largest number of options listed one by one. Otherwise options with the same first word share a line.
const LISTED: usize = 15;
/// Columns of a line.
const WIDTH: usize = 78;
/// Options of a hint.
const HINTS: usize = 6;
/// Number of sentences in a log.
const LOG: usize = 40;

/// The table as a seat that has to choose sees it.
struct Look {
    seat: Player,
    names: Vec<String>,
    view: Json,
    labels: Vec<String>,
}

impl Look {
    fn new(hosted: &HostedGame, seat: Player) -> Self {
        let state = hosted.session().state();
        let names = Player::all(hosted.names().len()).map(|seat| hosted.name(seat)).collect();
        Self { seat, names, view: state.view_json(seat), labels: state.labels(seat) }
    }

    fn asked<'a>(&'a self, game: &'a DrawnGame) -> Asked<'a> {
        Asked { game, names: &self.names, view: &self.view, seat: self.seat.idx() }
    }

    /// Returns the question with its options.
    fn menu(&self, game: &DrawnGame) -> Menu {
        ask(&self.asked(game), &self.labels, &[])
    }

    /// Returns the rows of the contest under way; empty without one.
    fn contest(&self, game: &DrawnGame) -> String {
        let lines = standing(&self.asked(game)).map_or_else(Vec::new, |standing| standing.lines());
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// Text display of a hosted game.
pub(super) struct Screen {
    /// The drawing of the game, which names the sides of a contest.
    drawn: DrawnGame,
    /// The rows of the contest that were shown last.
    contest: String,
    has_board: bool,
    /// Characters of a line.
    width: usize,
    /// Sentences shown so far of the story of each seat.
    shown: Vec<usize>,
}

impl Screen {
    pub(super) fn new(hosted: &HostedGame, has_board: bool, width: usize) -> Self {
        let game = hosted.session().game();
        let drawn = DrawnGame::new(game.name(), &game.rules().to_json(), game.players());
        // The log has what happened before a game that goes on.
        let shown = Player::all(game.players()).map(|seat| hosted.story(seat).len()).collect();
        Self { drawn, contest: String::new(), has_board, width, shown }
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
        while text.len() < WIDTH.min(self.width) {
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
        let look = Look::new(hosted, seat);
        let contest = look.contest(&self.drawn);
        let text = if contest == self.contest { String::new() } else { contest.clone() };
        self.contest = contest;
        let question = look.menu(&self.drawn).in_one_line();
        let options = menu(&look.labels, WIDTH.min(self.width));
        text + &question + "\n" + &options + &Self::prompt(seat)
    }

    /// Returns the prompt.
    pub(super) fn prompt(seat: Player) -> String {
        format!("seat {}> ", seat.ordinal())
    }

    /// Explains the commands, and lists every option and the cards on display, with what they cost and do.
    pub(super) fn help(&self, hosted: &HostedGame, seat: Player) -> String {
        let mut text = "\
Type an option, its number, or the beginning of its words; several words play several choices.
Where options are amounts, a number is the amount; #3 is the third option everywhere.
  ?  this help         u  take back the last choice      h  hint
  b  board             l  log                            o  odds of options
  q  leave (--records keeps the game)
Options:
"
        .to_owned();
        let look = Look::new(hosted, seat);
        let menu = look.menu(&self.drawn);
        for (i, label) in look.labels.iter().enumerate() {
            let option = menu.options().find(|option| option.words == [label.as_str()]);
            let card = option.and_then(|option| option.card.as_ref());
            let card = card.map_or_else(String::new, |card| format!(" ({card})"));
            let _ = writeln!(text, "{:>5}  {label}{card}", i + 1);
        }
        for line in self.drawn.on_display(&look.view) {
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// Returns the sentences of the story of `seat` that were not shown yet.
    pub(super) fn news(&mut self, hosted: &HostedGame, seat: Player) -> String {
        let story = hosted.story(seat);
        let shown = std::mem::replace(&mut self.shown[seat.idx()], story.len());
        lines(&story[shown..])
    }

    /// Returns the last sentences of the story of `seat`, and its draft.
    pub(super) fn log(hosted: &HostedGame, seat: Player) -> String {
        let story = hosted.story(seat);
        let mut text = lines(&story[story.len().saturating_sub(LOG)..]);
        let draft = hosted.draft();
        if !draft.is_empty() {
            let _ = writeln!(text, "not final: {}", draft.join(", "));
        }
        text
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

/// Returns `text` with its long lines divided between words, for lines of `width` characters.
pub(super) fn folded(text: &str, width: usize) -> String {
    let line = |line: &str| match line.chars().count() > width {
        true => paragraph(line, width),
        false => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// Returns sentences as lines, indented by their importance.
fn lines(sentences: &[Sentence]) -> String {
    sentences
        .iter()
        .map(|Sentence { level, text, .. }| format!("{}{text}\n", level.indent()))
        .collect()
}

/// Lists options: one by one, or those with the same first word on one line.
fn menu(labels: &[String], width: usize) -> String {
    let mut text = String::new();
    if labels.len() <= LISTED {
        let mut line = String::new();
        for (i, label) in labels.iter().enumerate() {
            let entry = format!("  {} {label}", i + 1);
            if !line.is_empty() && line.len() + entry.len() > width {
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
            if line.len() + entry.len() > width {
                let _ = writeln!(text, "{line}");
                line = " ".repeat(2 + word.len());
            }
            line += &entry;
        }
        let _ = writeln!(text, "{line}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_divided_between_words_and_options_fill_narrow_lines() {
        let text =
            "--- seat 1 (you)\n    You attack greedy in Sicilia with all that you have\nseat 1> ";
        let narrow = folded(text, 40);
        assert!(narrow.lines().all(|line| line.len() <= 40), "{narrow}");
        assert!(
            narrow.starts_with(
                "--- seat 1 (you)\n    You attack greedy in Sicilia with\n      all that"
            ),
            "{narrow}"
        );
        assert!(narrow.ends_with("\nseat 1> "), "the prompt stays: {narrow}");
        assert_eq!(folded(text, usize::MAX), text);
        let labels: Vec<String> = (0..12).map(|i| format!("option {i}")).collect();
        assert!(menu(&labels, 40).lines().all(|line| line.len() <= 40));
    }
}
